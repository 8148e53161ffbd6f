"""Ask the database of known faults about all that the locks pin (called by ``make audit``).

Exit code 0: asked, nothing known; 1: faults are known; 3: not audited, since pip-audit is not installed or the
database did not answer for all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = ROOT / ".environments" / "pip-audit" / "lock.txt"  # what `make environment` writes last
PYTHON = INSTALLED.parent / "bin" / "python"
OPTIONS = ["--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off"]
SOUND, FAULTY, NOT_AUDITED = 0, 1, 3
SECONDS = 600.0  # for one lock


def main() -> int:
    """Audit every lock and say what is known, or that nothing could be learnt."""
    if not INSTALLED.is_file():
        print("not audited: pip-audit is not installed, and make environment NAME=pip-audit did not succeed")
        return NOT_AUDITED
    locks = [*sorted(ROOT.glob("requirements*.lock")), *sorted((ROOT / "environments").glob("*.txt"))]
    code, lines = judged({lock.relative_to(ROOT).as_posix(): asked(lock) for lock in locks})
    print("\n".join(lines))
    return code


def asked(lock: Path) -> dict[str, Any] | str:
    """Return what pip-audit says of a lock, or why it says nothing."""
    command = [str(PYTHON), "-m", "pip_audit", *OPTIONS, "-r", str(lock)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
        said: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return f"no answer within {SECONDS:.0f} s"
    except (OSError, ValueError) as error:
        last = done.stderr.strip().splitlines()[-1:] if isinstance(error, ValueError) else [str(error)]
        return " ".join(last) or "nothing on stderr"
    return said


def judged(answers: Mapping[str, dict[str, Any] | str]) -> tuple[int, list[str]]:
    """Return the exit code and a line for each fault, and for each lock of which not all is known.

    Parameters
    ----------
    answers : mapping of str to dict or str
        By lock: the report, with ``vulns`` or a ``skip_reason`` for each package; or why there is none.
    """
    faults, unknown = [], []
    for lock, answer in answers.items():
        packages = [] if isinstance(answer, str) else answer.get("dependencies", [])
        for package in packages:
            for fault in package.get("vulns", []):
                mended = ", ".join(fault.get("fix_versions", [])) or "no version"
                faults.append(
                    f"{lock}: {package['name']} {package['version']} has {fault['id']}, mended in {mended}"
                )
        skipped = [package for package in packages if "skip_reason" in package]
        if isinstance(answer, str):
            unknown.append(f"{lock}: not audited ({answer})")
        elif skipped or not packages:
            why = f" ({skipped[0]['skip_reason']})" if skipped else ""
            unknown.append(f"{lock}: not audited: {len(skipped)} of {len(packages)} packages{why}")
    if faults:
        return FAULTY, faults + unknown
    if unknown:
        return NOT_AUDITED, unknown
    return SOUND, [f"no fault is known of the packages in {len(answers)} locks"]


if __name__ == "__main__":
    sys.exit(main())
