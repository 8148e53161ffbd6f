"""What is kept of a shared ensemble in a file: the ensemble, counts, certificate and effect, but not the intervals."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from compactml.condition_sharing.certificate import Certificate
from compactml.condition_sharing.effect import Effect
from compactml.condition_sharing.sharing import SharedEnsemble
from compactml.forests import written
from compactml.kept import Kept

__all__ = ["shared_of", "shared_state"]

MOST = 2**62
OPTIONAL = ("largest_change", "score_before", "score_after")


def shared_state(shared: SharedEnsemble) -> dict[str, Any]:
    """Return what is to be kept of a `SharedEnsemble`."""
    return {
        "ensemble": written.state_of(shared.ensemble_),
        "before": int(shared.n_conditions_before_),
        "after": int(shared.n_conditions_after_),
        "certificate": None if shared.certificate_ is None else asdict(shared.certificate_),
        "effect": None if shared.effect_ is None else asdict(shared.effect_),
    }


def shared_of(kept: Kept) -> SharedEnsemble:
    """Return the `SharedEnsemble` that `shared_state` took apart, or raise `InvalidDataError`."""
    certificate = effect = None
    if kept.anything("certificate") is not None:
        part = kept.part("certificate")
        rates = ("largest_switch_rate", "path_change_rate", "exceptions")
        values: dict[str, Any] = {name: float(part.number(name)) for name in rates}
        certificate = Certificate(**_counts(part), **values, holds=part.flag("holds"))
    if kept.anything("effect") is not None:
        part = kept.part("effect")
        numbers = [name for name in OPTIONAL if part.anything(name) is not None]
        values = {name: float(part.number(name)) for name in ("path_change_rate", "exceptions", *numbers)}
        effect = Effect(**_counts(part), **values)
    ensemble = written.model_of(kept.part("ensemble"))
    before, after = (kept.integer(name, 0, MOST) for name in ("before", "after"))
    return SharedEnsemble(ensemble, before, after, None, certificate, effect)


def _counts(part: Kept) -> dict[str, Any]:
    return {name: part.integer(name, 0, MOST) for name in part.data if name.startswith("n_")}
