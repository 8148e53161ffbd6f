"""Words for the columns and names of the chapter's tables, for its pages."""

from __future__ import annotations

__all__ = ["HEADS", "WORDS"]

HEADS = {
    "accuracy": "accuracy (%)",
    "accuracy_error": "standard error of the accuracy (%)",
    "aix360_loss": "loss of AIX360",
    "aix360_seconds": "time of AIX360 (s)",
    "beam": "time, beam search (s)",
    "by_heuristic": "rounds by the heuristic",
    "by_program": "rounds by the program",
    "cost c_k": "cost",
    "complexity_error": "standard error of the complexity",
    "distinct": "distinct rows",
    "enumerated": "clauses enumerated",
    "exact_2": "time, two literals (s)",
    "exact_3": "time, three literals (s)",
    "found": "conditions found",
    "gap": "relative gap",
    "generated": "clauses generated",
    "lambda": "price λ",
    "learn": "time, learning (s)",
    "least_gap": "smallest relative gap",
    "lp_bound": "bound of the linear program",
    "majority": "larger class (%)",
    "max_clause_size": "D",
    "n": "rows",
    "n_positive": "positive rows",
    "nodes_2": "nodes, two literals",
    "nodes_3": "nodes, three literals",
    "nonzeros": "non-zeros",
    "not_found": "conditions not found",
    "our_bound": "our bound",
    "our_loss": "our loss",
    "our_loss_in_tenth": "our loss in a tenth",
    "our_seconds": "our time (s)",
    "our_seconds_in_tenth": "our time in a tenth (s)",
    "price": "price λ",
    "ratio": "time of AIX360 over ours",
    "sampled": "samples priced",
    "std_error": "standard error (%)",
    "train_accuracy": "largest training accuracy (%)",
    "chosen_train_accuracy": "training accuracy (%)",
    "chosen_train_error": "its standard error (%)",
    "z_MIP": "optimum of the integer program",
    "z_MLP": "optimum of the linear program",
}
WORDS = {
    "bank_marketing": "bank-mkt (with duration)",
    "bank_without_client_attributes": "bank-mkt (no client)",
    "heart_statlog": "heart (Statlog)",
}
"""Data that stand below the printed rows of Tables 1 and 2, and those that are read in another way."""
