"""What the Pace chapter finds beyond the paper, each with its check."""

from __future__ import annotations

from functools import partial

from compactml.chapters.pace import NAME
from compactml.chapters.pace.claims import beyond_checks as checks
from compactml.chapters.pace.protocol import WHOLE_SPACE_SIZE
from compactml.study.judging.claims import Basis, Claim

OURS = "ours"

finding = partial(Claim.of, NAME, basis=Basis.OURS)

FINDINGS = (
    finding(
        "fipepy-faster",
        "E.2",
        "Our pruning is as small as fipepy, the published code of Fipe, and faster wherever both certify",
        "size and seconds, case by case",
        OURS,
        checks.as_small_as_fipepy,
    ),
    finding(
        "certificates-checked",
        "Section 4",
        "No certified ensemble differs from its initial one at any point that scikit-learn compared",
        "exact",
        "a certificate covers every point",
        checks.certificates_hold,
    ),
    finding(
        "search-faster",
        "Section 4",
        "Our branch and bound separates faster than the paper's constraint program, on the same weights",
        "seconds, weights by weights",
        OURS,
        checks.search_faster,
    ),
    finding(
        "pruned-smallest",
        "E.2",
        "Every pruned ensemble of stumps on the whole space is proved to be as small as its learners allow",
        "size equals lower bound",
        "a proof",
        checks.pruned_smallest,
    ),
    finding(
        "merging",
        "Perspectives",
        "Merging trees leaves fewer of them, no more leaves, and every prediction as it was",
        "ensemble by ensemble",
        OURS,
        checks.merged,
    ),
    finding(
        "refitting",
        "Perspectives",
        "Refitting leaves and exchanging trees makes certified ensembles smaller than pruning, at the same depth",
        "trees, ensemble by ensemble",
        OURS,
        checks.refitted,
    ),
    finding(
        "leaves-not-fewer",
        "E.2, Table 4",
        "Where our Pace has fewer trees than our Fipe, it does not have fewer leaves",
        "order of the leaves",
        OURS,
        checks.leaves_not_fewer,
    ),
    finding(
        "lost-size",
        "E.2, Table 4",
        f"With {WHOLE_SPACE_SIZE} stumps the printed sizes of Fipe lie where means of five runs would lie",
        "95 % of the means, half a learner for rounding",
        OURS,
        checks.inside_intervals,
    ),
    finding(
        "fipe-bound",
        "E.2",
        "The bound on weights in the repository of Fipe can cut off the smallest ensemble",
        "one example",
        OURS,
        checks.bound_cuts_off,
    ),
)
