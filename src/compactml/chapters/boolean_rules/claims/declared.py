"""The quantitative statements of Dash, Günlük and Wei (2018), each with its check, tolerance and why that."""

from __future__ import annotations

from functools import partial

from compactml.chapters.boolean_rules import NAME
from compactml.chapters.boolean_rules.claims import checks, proofs, rivals
from compactml.chapters.boolean_rules.claims.ours import ERRATA, FINDINGS, PRINTED
from compactml.chapters.boolean_rules.trials.paper import METHODS
from compactml.study.judging.claims import Claim

ERRORS = "2 standard errors of the difference"
OTHER_FOLDS = "ours: folds, time limits and machine differ from the paper's"
BY_EYE = "ours: the paper compares curves by eye"
PROSE = "the prose"
WORDS = "ours: the paper gives no number"

NAMES = {
    "CG": "column generation (CG)", "BRS": "Bayesian rule sets (BRS)", "AM": "alternating minimisation (AM)",
    "BCD": "block coordinate descent (BCD)", "RIPPER": "RIPPER", "CART": "classification trees (CART)",
    "RF": "random forests",
}  # fmt: skip
MEASURES = {
    "table_1": ("Table 1", "Test accuracies", METHODS),
    "table_2": ("Table 2", "Complexities", METHODS[:-1]),
}

claim = partial(Claim.of, NAME)

TABLES = tuple(
    claim(
        f"{table}-{method}",
        place,
        f"{measure} of {NAMES[method]} on 16 datasets, chosen by cross-validation",
        ERRORS,
        OTHER_FOLDS,
        partial(checks.cells, table=table, method=method),
    )
    for table, (place, measure, methods) in MEASURES.items()
    for method in methods
)

TRADE_OFF = (
    claim(
        "cg-dominates",
        "Abstract, Fig 1",
        "Column generation trades accuracy for simplicity better than three rivals on 8 of 16 datasets",
        "the same share of the datasets tested, with an allowance of 1 standard error of the rival's point and without",
        BY_EYE,
        rivals.dominated_datasets,
    ),
    claim(
        "others-dominate",
        "Introduction",
        "Each of BRS, AM and BCD trades accuracy for simplicity best on two datasets at most",
        "with an allowance of 1 standard error and without",
        BY_EYE,
        rivals.others_dominate,
    ),
    claim(
        "brs-cluster",
        "Section 4",
        "Rule sets of BRS keep nearly the same complexity whatever the prior",
        f"a factor of {rivals.CLUSTER:g}",
        WORDS,
        rivals.clustered,
    ),
    claim(
        "heart-best",
        "Fig 1a, Section 5",
        "Column generation reaches 81.3 % test accuracy on heart at its best complexity",
        "2 standard errors of ours",
        OTHER_FOLDS,
        checks.best_on_heart,
    ),
)

COMPARED = (
    claim(
        "ahead-of-rivals",
        "Section 4, Table 1",
        "Column generation is more accurate than each of BRS, AM and BCD on most datasets",
        "more wins than losses",
        WORDS,
        partial(rivals.ahead_of, rivals=checks.TRADE_OFF_RIVALS, inferred=rivals.RIVALS),
    ),
    claim(
        "cart-behind",
        "Section 4, Table 1",
        "Classification trees (CART) are less accurate than column generation on most datasets",
        "more wins than losses",
        WORDS,
        partial(rivals.ahead_of, rivals=("CART",), inferred=checks.LEAF_GRID),
    ),
    claim(
        "never-below-ripper",
        "Section 4",
        "Column generation is nowhere less accurate than RIPPER by more than 1 point",
        "exact",
        PROSE,
        rivals.never_far_below_ripper,
    ),
    claim(
        "ripper-worse",
        "Section 4",
        "RIPPER is worse than column generation by 2 points on ionosphere, liver and tic-tac-toe",
        "at least half of it",
        "the paper's table has 1.8 to 2.6 points",
        rivals.ripper_worse,
    ),
    claim(
        "head-to-head",
        "Section 4",
        "Wins and losses of column generation against RIPPER are nearly even",
        f"sign test, {rivals.SIGN_TEST_LEVEL:.0%}",
        "ours: the paper names no test",
        rivals.head_to_head,
    ),
    claim(
        "simpler-than-ripper",
        "Abstract, Section 4",
        "On bank-mkt, magic and FICO column generation is much simpler than RIPPER and nearly as accurate",
        "more than 2 standard errors of the difference simpler, at most 1 point less accurate",
        WORDS,
        rivals.simpler_than_ripper,
    ),
    claim(
        "tic-tac-toe-only-cg",
        "Section 4",
        "No method but column generation is always right on tic-tac-toe, random forests included",
        "exact, method by method",
        PROSE,
        rivals.only_cg_solves_tic_tac_toe,
    ),
)

PROOFS = (
    *(
        claim(
            f"certified-{dataset}",
            "Section 4",
            f"The training problem of {dataset} is solved to proved optimality or nearly",
            f"a gap of {proofs.NEAR_OPTIMAL:.0%} for some C",
            "ours: the paper gives one number, 0.7 %",
            partial(proofs.certified, dataset=dataset),
        )
        for dataset in ("heart", "liver", "transfusion")
    ),
    claim(
        "transfusion-gap",
        "Section 4",
        "On transfusion the gap is 0.7 % at most for complexity 15",
        "exact",
        PROSE,
        proofs.transfusion_gap,
    ),
    claim(
        "tic-tac-toe-solved",
        "Section 4, Table 2",
        "Column generation finds the exact rule set of tic-tac-toe, of complexity 32",
        "exact",
        "the game",
        proofs.tic_tac_toe_solved,
    ),
    claim(
        "fico-rule",
        "Section 4",
        "The FICO rule in the text is as accurate as the table says of column generation",
        "2 printed standard errors",
        "the whole data, and not ten test folds",
        proofs.fico_rule,
    ),
    claim(
        "fico-rule-best",
        "Section 4",
        "The FICO rule in the text has the highest accuracy of column generation's rules",
        "exact, against our rule of equal complexity",
        "ours: the paper compares values of C",
        proofs.fico_rule_is_best,
    ),
    claim(
        "fico-complexity",
        "Section 4",
        "On FICO rule sets of complexity 8 are as accurate on new rows as any of column generation",
        ERRORS,
        OTHER_FOLDS,
        proofs.fico_complexity,
    ),
    claim(
        "fico-cuts",
        "Section 4",
        "The FICO rule in the text compares with deciles of the data",
        "exact",
        "with special values as missing, as the authors' toolkit has them",
        proofs.fico_cuts,
    ),
)

CLAIMS = (*TABLES, *TRADE_OFF, *COMPARED, *PROOFS, *PRINTED, *ERRATA, *FINDINGS)
