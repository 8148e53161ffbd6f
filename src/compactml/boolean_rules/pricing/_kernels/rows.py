"""Compiled operations on weighted rows packed into machine words: histograms, selection, merging."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

HASH_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Table(NamedTuple):
    """The literals, and where each attribute stands in a row.

    Attribute a is on the bits ``(word >> bit[a]) & mask[a]`` of word ``word[a]``; its bins have the places
    ``offset[a] .. offset[a + 1] - 2`` of a histogram, and the last place holds the total.
    """

    attribute: NDArray[np.int32]
    lo: NDArray[np.int32]
    hi: NDArray[np.int32]
    complement: NDArray[np.bool_]
    group: NDArray[np.int32]
    word: NDArray[np.int64]
    bit: NDArray[np.uint64]
    mask: NDArray[np.uint64]
    offset: NDArray[np.int64]


class Rows(NamedTuple):
    """Rows with the weights of their positives and negatives; ``start[d] .. end[d]`` are those of depth d."""

    words: NDArray[np.uint64]
    mu: NDArray[np.int64]
    neg: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]


class Scratch(NamedTuple):
    """Memory for one node; ``marked[d]`` are the marks of the bins that the rows of depth d were merged with.

    A group is ``met`` if it bears the present ``stamp``.
    """

    hist_mu: NDArray[np.int64]
    hist_neg: NDArray[np.int64]
    seen: NDArray[np.bool_]
    attributes: NDArray[np.int64]
    mark: NDArray[np.int8]
    marked: NDArray[np.int8]
    changed: NDArray[np.int64]
    same_bits: NDArray[np.uint64]
    rep: NDArray[np.uint64]
    slots: NDArray[np.int32]
    picked: NDArray[np.int64]
    hopeful: NDArray[np.bool_]
    met: NDArray[np.int64]
    stamp: NDArray[np.int64]


@njit(cache=True)
def fill_histogram(
    rows: Rows,
    start: int,
    end: int,
    table: Table,
    attributes: NDArray[np.int32] | NDArray[np.int64],
    n_attributes: int,
    hist_mu: NDArray[np.int64],
    hist_neg: NDArray[np.int64],
) -> None:
    """Sum the weights of the rows ``start..end`` by attribute and bin; entry b of the sums holds the bins below b."""
    words, mu, neg = rows.words, rows.mu, rows.neg
    word, bit, mask, offset = table.word, table.bit, table.mask, table.offset
    for q in range(n_attributes):
        a = attributes[q]
        hist_mu[offset[a] : offset[a + 1]] = 0
        hist_neg[offset[a] : offset[a + 1]] = 0
    single = words.shape[1] == 1
    for row in range(start, end):
        weight, loss, packed = mu[row], neg[row], words[row, 0]
        for q in range(n_attributes):
            a = attributes[q]
            if not single:
                packed = words[row, word[a]]
            b = offset[a] + np.int64((packed >> bit[a]) & mask[a]) + 1
            hist_mu[b] += weight
            hist_neg[b] += loss
    for q in range(n_attributes):
        a = attributes[q]
        for b in range(offset[a] + 1, offset[a + 1]):
            hist_mu[b] += hist_mu[b - 1]
            hist_neg[b] += hist_neg[b - 1]


@njit(cache=True)
def extended_weight(hist: NDArray[np.int64], j: int, table: Table) -> int:
    """Return the weight of the rows on which literal j is true, from an attribute's prefix sums."""
    a = table.attribute[j]
    first = table.offset[a]
    inside = hist[first + table.hi[j]] - hist[first + table.lo[j]]
    if table.complement[j]:
        return hist[table.offset[a + 1] - 1] - inside
    return inside


@njit(cache=True)
def active_attributes(alive: NDArray[np.int32], n_alive: int, table: Table, scratch: Scratch) -> int:
    """Write the attributes of the literals alive, each once, to ``scratch.attributes``; returns their number."""
    count = 0
    for i in range(n_alive):
        a = table.attribute[alive[i]]
        if not scratch.seen[a]:
            scratch.seen[a] = True
            scratch.attributes[count] = a
            count += 1
    for q in range(count):
        scratch.seen[scratch.attributes[q]] = False
    return count


@njit(cache=True)
def fill_representatives(
    alive: NDArray[np.int32], n_alive: int, n_attributes: int, depth: int, table: Table, scratch: Scratch
) -> int:
    """Write for every bin the first bin of its attribute that the literals alive cannot tell from it, on its bits.

    Of the attributes whose bins the rows of ``depth`` already show merged like this, no bin changes: their bits are in
    ``same_bits``, and only the others are written to ``changed``; returns their number.
    """
    offset, mark, rep = table.offset, scratch.mark, scratch.rep
    for q in range(n_attributes):
        a = scratch.attributes[q]
        mark[offset[a] : offset[a + 1]] = 0
    for i in range(n_alive):
        j = alive[i]
        first = offset[table.attribute[j]]
        if table.hi[j] - table.lo[j] == 1:
            mark[first + table.lo[j]] |= 2  # a bin of its own
        else:
            mark[first + table.lo[j]] |= 1  # a cut below the bin
            mark[first + table.hi[j]] |= 1
    scratch.same_bits[:] = 0
    n_changed = 0
    for q in range(n_attributes):
        a = scratch.attributes[q]
        if same_marks(mark, scratch.marked[depth], offset[a], offset[a + 1] - 1):
            scratch.same_bits[table.word[a]] |= table.mask[a] << table.bit[a]
            continue
        scratch.changed[n_changed] = a
        n_changed += 1
        common = -1
        for b in range(offset[a], offset[a + 1] - 1):
            if mark[b] & 1:
                common = -1
            representative = b - offset[a]
            if not mark[b] & 2:
                if common < 0:
                    common = representative
                representative = common
            rep[b] = np.uint64(representative) << table.bit[a]
    return n_changed


@njit(cache=True)
def same_marks(mark: NDArray[np.int8], other: NDArray[np.int8], first: int, end: int) -> bool:
    for b in range(first, end):  # noqa: SIM110 (compiled)
        if mark[b] != other[b]:
            return False
    return True


@njit(cache=True)
def pick_rows(
    rows: Rows, start: int, end: int, j: int, table: Table, picked: NDArray[np.int64]
) -> tuple[int, np.int64]:
    """Pick the rows of ``start..end`` that satisfy literal j; returns their number and sum (mu - neg)^+ over them."""
    a = table.attribute[j]
    word, bit, mask = table.word[a], table.bit[a], table.mask[a]
    lo, hi, complement = table.lo[j], table.hi[j], table.complement[j]
    count, bound = 0, np.int64(0)
    for row in range(start, end):
        b = np.int64((rows.words[row, word] >> bit) & mask)
        if ((b >= lo) and (b < hi)) != complement:
            picked[count] = row
            count += 1
            bound += max(rows.mu[row] - rows.neg[row], 0)
    return count, bound


@njit(cache=True)
def same_words(words: NDArray[np.uint64], one: int, other: int) -> bool:
    for w in range(words.shape[1]):  # noqa: SIM110 (compiled)
        if words[one, w] != words[other, w]:
            return False
    return True


@njit(cache=True)
def merge_rows(
    rows: Rows, n_picked: int, end: int, n_changed: int, table: Table, scratch: Scratch
) -> tuple[int, np.int64]:
    """Copy the rows picked to ``end`` and behind, merged where the literals alive see no difference.

    Returns the end of the new rows and sum (mu - neg)^+ over them, a bound on mu - neg of every extension. The rows are
    picked in increasing order and may begin at ``end``: a row is read before its place is written.
    """
    words, mu, neg = rows.words, rows.mu, rows.neg
    slots, rep, picked = scratch.slots, scratch.rep, scratch.picked
    changed, same_bits = scratch.changed, scratch.same_bits
    word, bit, mask, offset = table.word, table.bit, table.mask, table.offset
    merged = np.empty(words.shape[1], dtype=np.uint64)
    single = words.shape[1] == 1
    size = 16
    while size < 2 * n_picked:
        size *= 2
    slots[:size] = -1
    top = end
    for p in range(n_picked):
        row = picked[p]
        if single:
            packed = words[row, 0]
            key = packed & same_bits[0]
            for q in range(n_changed):
                a = changed[q]
                key |= rep[offset[a] + np.int64((packed >> bit[a]) & mask[a])]
            words[top, 0] = key
            key *= HASH_FACTOR
        else:
            key = np.uint64(0)
            for w in range(words.shape[1]):
                merged[w] = words[row, w] & same_bits[w]
            for q in range(n_changed):
                a = changed[q]
                merged[word[a]] |= rep[offset[a] + np.int64((words[row, word[a]] >> bit[a]) & mask[a])]
            for w in range(words.shape[1]):
                words[top, w] = merged[w]
                key = (key ^ merged[w]) * HASH_FACTOR
        place = np.int64((key ^ (key >> np.uint64(32))) & np.uint64(size - 1))
        while slots[place] >= 0 and not same_words(words, top, slots[place]):
            place = (place + 1) & (size - 1)
        other = slots[place]
        if other < 0:
            slots[place] = top
            mu[top], neg[top] = mu[row], neg[row]
            top += 1
        else:
            mu[other] += mu[row]
            neg[other] += neg[row]
    bound = np.int64(0)
    for row in range(end, top):
        bound += max(mu[row] - neg[row], 0)
    return top, bound
