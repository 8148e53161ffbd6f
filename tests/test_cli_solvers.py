from __future__ import annotations

import pandas as pd
import pytest

from compactml import cli, solvers


def call(capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as end:
        cli.main(["solvers"])
    captured = capsys.readouterr()
    return end.value.code, captured.out, captured.err


def test_table_and_self_test(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = call(capsys)
    assert (code, err) == (0, "")
    for solver in solvers.SOLVERS:
        assert solver in out
    assert "used_for" in out
    assert out.count("True") == 3 * len(solvers.usable_solvers())


def test_a_disagreement_is_exit_code_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = pd.DataFrame({"problem": ["LP"], "solver": ["highs"], "agrees": [False]})
    monkeypatch.setattr(solvers, "self_test", lambda: wrong)
    code, _, err = call(capsys)
    assert code == 1
    assert "does not give the optimum" in err
