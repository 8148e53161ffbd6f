"""Tables in the machine's order of bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["native"]


def native(frame: Any) -> Any:
    """Return a DataFrame with all numbers in the machine's order of bytes: pandas counts no others."""
    foreign = [
        j for j, dtype in enumerate(frame.dtypes) if isinstance(dtype, np.dtype) and not dtype.isnative
    ]
    if foreign:
        frame = frame.copy()
        for j in foreign:
            values = frame.iloc[:, j].to_numpy()
            frame.isetitem(j, values.astype(values.dtype.newbyteorder("=")))
    return frame
