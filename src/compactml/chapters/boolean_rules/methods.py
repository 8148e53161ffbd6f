"""Names of the programs behind the columns of Tables 1 and 2: those of the paper, and ours.

A column of the paper is judged on the program that the paper ran, or on a maintained port of it. Our own programs have
columns of their own and decide nothing that the paper says.
"""

from __future__ import annotations

from collections.abc import Mapping

PAPER_CG = "CG (paper)"
"""Column generation as the paper describes it: integer pricing under a limit, then its heuristic, then sampling."""
PAPER_CNF = "CG (paper, CNF)"
"""The same for AND of ORs."""
OUR_CG = "CG (ours)"
"""Our exact search, with the paper's second pass."""
JRIP = "RIPPER (WEKA)"
PORT = "BRS (imodels)"
CART_SHARES, RF_SHARES = "CART (shares)", "RF (shares)"
"""scikit-learn's, with least leaves that are shares of the rows."""
LR, SVM = "LR", "SVM"

PROGRAM_OF: Mapping[str, str] = {
    "CG": PAPER_CG,
    "BRS": PORT,
    "RIPPER": JRIP,
    "CART": CART_SHARES,
    "RF": RF_SHARES,
}
"""The program on which each printed column is judged; none for AM and BCD, of which only abstracts could be had."""
WITHOUT_PROGRAM = ("AM", "BCD")
OURS_SHOWN: Mapping[str, str] = {
    "CG": OUR_CG,
    "BRS": "BRS (ours)",
    "AM": "AM (ours)",
    "BCD": "BCD (ours)",
    "RIPPER": "RIPPER (ours)",
    "CART": "CART (rows)",
    "RF": "RF (rows)",
}
"""How columns of our own programs are headed whose specifications bear a printed name."""
