"""What the tutorials of the book have in common: data of no paper here, and how results are shown.

It is no public interface: it serves these pages alone, does not check its arguments, and changes as the pages do. A
user needs none of it. The calls that a tutorial makes of a method stand on its page, and work on any table.
"""

from compactml.tutorials.competing import ACCURACY, SECONDS, SIZE, compete, frame, rows_of, timed
from compactml.tutorials.counting import agreement, most_thresholds, shared_rows, votes_rows
from compactml.tutorials.foreign import diamonds, fair, flchain, flights, hdma, hi, penguins
from compactml.tutorials.showing import (
    SentenceNotSoError,
    curves,
    in_points,
    rows_of_dots,
    said,
    table,
    tell,
)

__all__ = [
    "ACCURACY",
    "SECONDS",
    "SIZE",
    "SentenceNotSoError",
    "agreement",
    "compete",
    "curves",
    "diamonds",
    "fair",
    "flchain",
    "flights",
    "frame",
    "hdma",
    "hi",
    "in_points",
    "most_thresholds",
    "penguins",
    "rows_of",
    "rows_of_dots",
    "said",
    "shared_rows",
    "table",
    "tell",
    "timed",
    "votes_rows",
]
