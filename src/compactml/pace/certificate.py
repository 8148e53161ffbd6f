"""What was proved about a compressed ensemble."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Certificate"]


@dataclass(frozen=True)
class Certificate:
    """For which pairs of labels it is proved that no sample of the region changes from the first to the second.

    Attributes
    ----------
    proved : dict
        Of each ordered pair (initial label, other label): True if proved, False if a sample of the region is known for
        which it fails (the other label scores at least as much: a tie is a failure), "unknown" if there is neither, as
        a rule because the time ran out.
    alpha, beta : float
        The region, see `compactml.pace.model.region.region`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from compactml.pace import compress
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X, y)
    >>> small = compress(forest, X, alpha=0.1, generate=False)
    >>> small.certificate_.faithful, small.certificate_.unproved
    (True, [])
    """

    proved: dict[tuple[Any, Any], bool | Literal["unknown"]]
    alpha: float
    beta: float

    @property
    def faithful(self) -> bool:
        """Whether every pair is proved: the predictions agree on the whole region."""
        return all(state is True for state in self.proved.values())

    @property
    def unproved(self) -> list[tuple[Any, Any]]:
        """The pairs without a proof."""
        return [pair for pair, state in self.proved.items() if state is not True]

    def __str__(self) -> str:
        where = f"alpha = {self.alpha:g}, beta = {self.beta:g}"
        if self.faithful:
            return f"proved faithful on the region ({where})"
        pairs = ", ".join(f"{label} -> {other}" for label, other in self.unproved)
        return f"NOT proved faithful on the region ({where}): {pairs}"
