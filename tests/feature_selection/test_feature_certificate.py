"""Certificates: kept in files, replayed by the check, and refused as soon as anything in them is wrong."""

import io
import pickle
import tracemalloc
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from compactml.errors import InvalidDataError, InvalidParameterError
from compactml.feature_selection import (
    Certificate,
    CertificateError,
    FractionalProgram,
    Tolerance,
    solve,
    verify,
)
from compactml.feature_selection.multipliers import Multipliers
from compactml.feature_selection.parametric_form import ParametricForm
from compactml.feature_selection.proof import PAIRS, Proof
from tests.feature_selection.fractional_programs import KINDS, mrmr, optimum, parts, random_program, supports

TIGHT = 1e-9
PROGRAM = random_program("general", 5, 14)
"""Its proofs have branches, and features decided in and out."""


@pytest.fixture(scope="module")
def certificate():
    return solve(PROGRAM, gap_rel=TIGHT, gap_abs=TIGHT).certificate


@pytest.fixture(scope="module")
def best():
    return optimum(PROGRAM)


def with_proof(certificate, proof):
    """The certificate with another proof of one size."""
    others = [proof if one.size == proof.size else one for one in certificate.proofs]
    return replace(certificate, proofs=tuple(others))


def alone(certificate, proof):
    """The part of the certificate that speaks of one size, with another proof."""
    return replace(certificate, n_features=proof.size, proofs=(proof,))


def with_multipliers(certificate, number, **changes):
    changed = list(certificate.multipliers)
    changed[number] = replace(changed[number], **changes)
    return replace(certificate, multipliers=tuple(changed))


def the_first(certificate, condition):
    """The first proof for which something holds."""
    return next(proof for proof in certificate.proofs if condition(proof))


def changed(array, place, value):
    out = array.copy()
    out[place] = value
    return out


def branched(proof):
    return proof.n_nodes > 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("tolerance", [Tolerance(), Tolerance(1e-6, 0.0), Tolerance(TIGHT, TIGHT)])
def test_what_is_proved_verifies_also_from_a_file(kind, seed, tolerance, tmp_path):
    program = random_program(kind, seed, 9)
    result = solve(program, gap_rel=tolerance.relative, gap_abs=tolerance.absolute)
    result.certificate.save(tmp_path / "proof.npz")
    read = Certificate.load(tmp_path / "proof.npz")
    assert verify(program, result.certificate) == verify(program, read) == result.bound
    assert optimum(program) <= result.bound
    assert read.n_nodes == result.certificate.n_nodes >= len(read.proofs) == 9
    assert read.n_features is None


def test_a_proof_for_one_size_is_kept_with_the_size(tmp_path):
    result = solve(PROGRAM, n_features=4, gap_abs=TIGHT)
    result.certificate.save(tmp_path / "proof")  # the name is taken as it is
    read = Certificate.load(tmp_path / "proof")
    assert (read.n_features, [proof.size for proof in read.proofs]) == (4, [4])
    assert verify(PROGRAM, read) == result.bound
    with pytest.raises(CertificateError, match="every size"):
        verify(PROGRAM, replace(read, n_features=None))
    with pytest.raises(CertificateError, match="every size"):
        verify(PROGRAM, replace(read, n_features=5))


def test_a_certificate_survives_pickling(certificate):
    assert verify(PROGRAM, pickle.loads(pickle.dumps(certificate))) == certificate.t


@pytest.mark.parametrize("kind", KINDS)
def test_a_bound_below_the_optimum_is_refused(kind):
    program = random_program(kind, 1, 10)
    certificate, best = solve(program, gap_rel=TIGHT, gap_abs=TIGHT).certificate, optimum(program)
    for below in (1e-12, 1e-9, 1e-6, 1e-3, 1.0, 1e3):
        with pytest.raises(CertificateError, match="no value exceeds"):
            verify(program, replace(certificate, t=best - below))


@pytest.mark.parametrize("t", [np.nan, -np.inf])
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_a_bound_that_is_no_number_is_refused(certificate, t):
    with pytest.raises(CertificateError):
        verify(PROGRAM, replace(certificate, t=t))
    single = FractionalProgram([0.5], [[-1.0]], [1.0], [[1.0]])
    with pytest.raises(CertificateError):
        verify(single, replace(solve(single).certificate, t=t))


def test_the_certificate_of_another_program_is_refused(certificate):
    """One whose values are all higher by 0.01, else it could be true for it too."""
    a, b, c, d = PROGRAM.a, PROGRAM.b, PROGRAM.c, PROGRAM.d
    with pytest.raises(CertificateError):
        verify(FractionalProgram(a + 0.01 * c, b + 0.01 * d, c, d), certificate)
    with pytest.raises(CertificateError, match="sizes"):
        verify(random_program("general", 5, 13), certificate)


class TestProofs:
    """Changes to the trees. The tolerance is so small that no wrong decision is true by chance."""

    def test_one_is_lacking_or_there_twice(self, certificate):
        for proofs in (
            certificate.proofs[1:],
            certificate.proofs[:-1],
            (*certificate.proofs, certificate.proofs[0]),
        ):
            with pytest.raises(CertificateError, match="sizes"):
                verify(PROGRAM, replace(certificate, proofs=proofs))

    def test_the_order_of_sizes_does_not_matter(self, certificate):
        assert verify(PROGRAM, replace(certificate, proofs=certificate.proofs[::-1])) == certificate.t

    def test_the_proof_of_another_size(self, certificate):
        proof = the_first(certificate, branched)
        with pytest.raises(CertificateError):
            verify(PROGRAM, alone(certificate, replace(certificate.proofs[proof.size], size=proof.size)))

    def test_every_decision_that_is_turned_around(self, certificate):
        for proof in certificate.proofs:
            for i in range(len(proof.decided)):
                turned = changed(proof.decided, i, proof.decided[i] ^ 1)
                with pytest.raises(CertificateError):
                    verify(PROGRAM, alone(certificate, replace(proof, decided=turned)))

    @pytest.mark.parametrize("into", [0, 1])
    def test_a_decision_that_is_not_implied(self, certificate, best, into):
        """Sets as good as the optimum would be dropped: "out" of one of its features, "in" of another."""
        support = max(supports(14), key=PROGRAM.value)
        assert PROGRAM.value(support) == pytest.approx(best)
        proof = certificate.proofs[len(support) - 1]
        n, units = int(proof.n_decided[0]), int(proof.n_units[0])
        assert n or proof.branch[0] >= 0
        for j in set(range(14)) - set(proof.decided[:n] // 2):
            if (j in support) != into:
                false = replace(
                    proof,
                    n_decided=changed(proof.n_decided, 0, n + 1),
                    decided=np.insert(proof.decided, n, 2 * j + into),
                )
                assert units in (0, 14)
                with pytest.raises(CertificateError, match=r"does not decide|is not free|pair bound"):
                    verify(PROGRAM, alone(certificate, false))

    @pytest.mark.parametrize("feature", [-1, 14, 1000])
    def test_a_decision_on_what_is_no_feature(self, certificate, feature):
        proof = the_first(certificate, lambda one: one.decided.size)
        for into in (0, 1):
            false = replace(proof, decided=changed(proof.decided, 0, 2 * feature + into))
            with pytest.raises(CertificateError):
                verify(PROGRAM, alone(certificate, false))

    def test_a_feature_that_fills_a_set_alone(self, certificate):
        """If j is in by right, then "j in, j in, ..." must not end the proof with {j} as the last set."""
        n_tried = 0
        for proof in certificate.proofs:
            ends = np.cumsum(proof.n_decided)
            for step in range(int(proof.n_steps[0])):
                own = proof.decided[ends[step] - proof.n_decided[step] : ends[step]]
                for j in own[own % 2 == 1] // 2:
                    if proof.size > 1:
                        n_tried += 1
                        with pytest.raises(CertificateError):
                            verify(PROGRAM, alone(certificate, filled(proof, step, int(j))))
        assert n_tried

    @pytest.mark.parametrize("feature", [-1, -2, 14, 1000])
    def test_every_branch_on_what_is_no_feature(self, certificate, feature):
        proof = the_first(certificate, branched)
        for node in np.flatnonzero(proof.branch >= 0):
            with pytest.raises(CertificateError):
                verify(
                    PROGRAM,
                    alone(certificate, replace(proof, branch=changed(proof.branch, node, feature))),
                )

    def test_every_branch_on_another_feature(self, certificate):
        """A leaf might by chance be closed for the other feature as well, a whole tree is not."""
        proof = the_first(certificate, lambda one: one.n_nodes > 4)
        for j in set(range(14)) - {int(proof.branch[0])}:
            with pytest.raises(CertificateError):
                verify(PROGRAM, alone(certificate, replace(proof, branch=changed(proof.branch, 0, j))))

    def test_a_leaf_that_is_branched_on(self, certificate):
        proof = the_first(certificate, branched)
        leaf = int(np.flatnonzero(proof.branch < 0)[0])
        for j in range(14):
            with pytest.raises(CertificateError):
                verify(PROGRAM, alone(certificate, replace(proof, branch=changed(proof.branch, leaf, j))))

    def test_the_last_step_is_lacking(self, certificate):
        for proof in certificate.proofs:
            if proof.n_steps[-1]:
                with pytest.raises(CertificateError):
                    verify(PROGRAM, alone(certificate, without_last_step(proof)))

    def test_the_last_slice_is_lacking(self, certificate):
        proof = the_first(certificate, branched)
        cut = replace(proof, n_steps=proof.n_steps[:-1], branch=proof.branch[:-1])
        with pytest.raises(CertificateError):
            verify(PROGRAM, alone(certificate, cut))

    def test_no_slice_at_all(self, certificate):
        none = np.zeros(0, dtype=np.int32)
        empty = Proof(3, none, none, none, none, none, none.astype(np.uint16), none)
        with pytest.raises(CertificateError):
            verify(PROGRAM, alone(certificate, empty))

    @pytest.mark.parametrize(
        "name", ["n_steps", "branch", "multipliers", "n_units", "n_decided", "units", "decided"]
    )
    def test_something_is_left_over_or_lacking(self, certificate, name):
        proof = the_first(certificate, lambda one: branched(one) and one.n_decided.size and one.decided.size)
        array = getattr(proof, name)
        for other in (np.append(array, array[:1]), array[:-1]):
            with pytest.raises(CertificateError):
                verify(PROGRAM, alone(certificate, replace(proof, **{name: other})))

    def test_a_step_after_the_end(self, certificate):
        proof = the_first(certificate, lambda one: one.n_steps[-1] and one.multipliers[-1] != PAIRS)
        n = int(proof.n_units[-1])
        longer = replace(
            proof,
            n_steps=changed(proof.n_steps, -1, proof.n_steps[-1] + 1),
            multipliers=np.append(proof.multipliers, proof.multipliers[-1:]),
            n_units=np.append(proof.n_units, proof.n_units[-1:]),
            n_decided=np.append(proof.n_decided, proof.n_decided[-1:]),
            units=np.append(proof.units, proof.units[len(proof.units) - n :]),
        )
        with pytest.raises(CertificateError, match="closed"):
            verify(PROGRAM, alone(certificate, longer))

    def test_points_that_are_zero(self, certificate):
        proof = the_first(certificate, lambda one: one.units.size)
        with pytest.raises(CertificateError, match="does not fit"):
            verify(PROGRAM, alone(certificate, replace(proof, units=0 * proof.units)))

    @pytest.mark.parametrize("number", [-2, 99])
    def test_multipliers_that_are_not_there(self, certificate, number):
        proof = the_first(certificate, lambda one: one.multipliers.size)
        false = replace(proof, multipliers=np.full_like(proof.multipliers, number))
        with pytest.raises(CertificateError, match="names the multipliers"):
            verify(PROGRAM, alone(certificate, false))


def filled(proof, step, j):
    """The proof up to a step of its root that decides "j in" as often as the set has features, and nothing else."""
    n_units = int(proof.n_units[: step + 1].sum())
    n_decided = int(proof.n_decided[:step].sum())
    return Proof(
        proof.size,
        np.array([step + 1], dtype=np.int32),
        np.array([-1], dtype=np.int32),
        proof.multipliers[: step + 1],
        proof.n_units[: step + 1],
        np.append(proof.n_decided[:step], np.int32(proof.size)),
        proof.units[:n_units],
        np.append(proof.decided[:n_decided], np.full(proof.size, 2 * j + 1, dtype=np.int32)),
    )


def without_last_step(proof):
    n_units, n_decided = int(proof.n_units[-1]), int(proof.n_decided[-1])
    return replace(
        proof,
        n_steps=changed(proof.n_steps, -1, proof.n_steps[-1] - 1),
        multipliers=proof.multipliers[:-1],
        n_units=proof.n_units[:-1],
        n_decided=proof.n_decided[:-1],
        units=proof.units[: len(proof.units) - n_units],
        decided=proof.decided[: len(proof.decided) - n_decided],
    )


class TestMultipliers:
    @pytest.fixture(params=[0, -1])
    def number(self, request):
        return request.param

    def test_y_so_large_that_k_is_not_convex(self, certificate, number):
        with pytest.raises(CertificateError, match="positive semidefinite"):
            verify(PROGRAM, with_multipliers(certificate, number, y=certificate.multipliers[number].y + 0.01))

    def test_a_large_entry_of_n_makes_k_not_convex(self, certificate, number):
        n = certificate.multipliers[number].n.copy()
        n[0, 1] = n[1, 0] = n[0, 1] + 1e3
        with pytest.raises(CertificateError, match="positive semidefinite"):
            verify(PROGRAM, with_multipliers(certificate, number, n=n))

    @pytest.mark.parametrize(
        ("places", "value"),
        [
            ([(0, 1), (1, 0)], -1e-3),  # negative
            ([(0, 1)], 1e-3),  # not symmetric
            ([(2, 2)], 1e-3),  # on the diagonal
            ([(2, 2)], -1e-3),
            ([(0, 1), (1, 0)], np.nan),
            ([(0, 1), (1, 0)], np.inf),
        ],
    )
    def test_n_that_is_not_allowed(self, certificate, number, places, value):
        n = certificate.multipliers[number].n.copy()
        for place in places:
            n[place] = value
        with pytest.raises(CertificateError, match="N "):
            verify(PROGRAM, with_multipliers(certificate, number, n=n))

    def test_y_that_is_not_a_vector_of_numbers(self, certificate, number):
        y = certificate.multipliers[number].y
        for wrong in (changed(y, 3, np.nan), y[:-1], np.append(y, 0.0), y[:, None]):
            with pytest.raises(CertificateError, match="do not fit"):
                verify(PROGRAM, with_multipliers(certificate, number, y=wrong))

    def test_base_that_is_not_a_set_of_features(self, certificate, number):
        base = certificate.multipliers[number].base
        for wrong in (base[::-1], base + 1, base - 1, changed(base, 0, base[1]), base[:0]):
            with pytest.raises(CertificateError, match="do not fit"):
                verify(PROGRAM, with_multipliers(certificate, number, base=wrong))

    def test_multipliers_over_other_features_than_the_slice_has(self, certificate):
        """A step of the whole slice with multipliers that leave a feature out."""
        proof = the_first(certificate, lambda one: one.multipliers.size and one.multipliers[0] != PAIRS)
        number = int(proof.multipliers[0])
        one = certificate.multipliers[number]
        short = {"base": one.base[:-1], "y": one.y[:-1], "n": one.n[:-1, :-1]}
        with pytest.raises(CertificateError, match="does not fit its slice"):
            verify(PROGRAM, with_multipliers(certificate, number, **short))


@pytest.mark.parametrize("seed", range(5))
def test_no_change_of_a_certificate_proves_what_is_false(seed):
    """Entries of all its arrays changed at random, for a bound just below the optimum."""
    program = random_program("general", seed, 8)
    certificate = solve(program, gap_rel=1e-3, gap_abs=1e-3).certificate
    false = replace(certificate, t=optimum(program) - 1e-9)
    random = np.random.default_rng(seed)
    for _ in range(60):
        changed_one = false
        for _ in range(int(random.integers(1, 4))):
            proof = false.proofs[int(random.integers(8))]
            name = ("n_steps", "branch", "multipliers", "n_units", "n_decided", "decided", "units")[
                int(random.integers(7))
            ]
            array = getattr(proof, name).copy()
            if array.size:
                array[int(random.integers(array.size))] = random.integers(0, 18)
                changed_one = with_proof(changed_one, replace(proof, **{name: array}))
        with pytest.raises(CertificateError):
            verify(program, changed_one)


class TestByHand:
    """Certificates written by hand for max over pairs {0, k} of 2 b_0k / 2 = 1: sets of two of four features."""

    star = np.zeros((4, 4))
    star[0, 1:] = star[1:, 0] = 1.0
    program = FractionalProgram(np.zeros(4), star, np.ones(4), np.zeros((4, 4)))

    def by_pairs(self, t):
        one, none = np.ones(1, dtype=np.int32), np.zeros(0, dtype=np.int32)
        proof = Proof(2, one, -one, PAIRS * one, 0 * one, 0 * one, none.astype(np.uint16), none)
        return Certificate(t, 2, (), (proof,))

    def test_pairs(self):
        """Every feature has own cost t and a partner for -1 at best, so twice t - 1 is the bound on F."""
        assert verify(self.program, self.by_pairs(1.0 + 1e-9)) == 1.0 + 1e-9
        with pytest.raises(CertificateError, match=r"a pair bound is -0\.2 for size 2"):
            verify(self.program, self.by_pairs(0.9))

    def test_linear_bound(self):
        """M = -B with least eigenvalue -sqrt(3), K = M - y I, and the point (1, 1, 1, 1) / 2."""
        t, y, x = 3.0, -np.sqrt(3) - 1e-9, np.full(4, 0.5)
        k = -self.star - y * np.eye(4)
        slope = 2 * k @ x + y + t
        bound = -x @ k @ x + np.sort(slope)[:2].sum()
        least = min(t * g - f for f, g in (parts(self.program, s) for s in supports(4, 2)))
        assert 0 < bound < least
        one = np.ones(1, dtype=np.int32)
        units = np.ones(4, dtype=np.uint16)
        proof = Proof(2, one, -one, 0 * one, 4 * one, 0 * one, units, np.zeros(0, dtype=np.int32))
        own = Multipliers(np.arange(4), np.full(4, y), np.zeros((4, 4), dtype=np.float32))
        certificate = Certificate(t, 2, (own,), (proof,))
        assert verify(self.program, certificate) == t
        assert ParametricForm.of(self.program, t).matrix == pytest.approx(-self.star)
        with pytest.raises(CertificateError, match="a linear bound is"):
            verify(self.program, replace(certificate, t=t - bound / 2 - 1e-3))


class TestFiles:
    @pytest.fixture
    def path(self, certificate, tmp_path):
        certificate.save(tmp_path / "proof.npz")
        return tmp_path / "proof.npz"

    def test_cut_off_anywhere(self, path):
        whole = path.read_bytes()
        for length in range(0, len(whole), len(whole) // 40):
            path.write_bytes(whole[:length])
            with pytest.raises(InvalidDataError, match="path: must be a certificate"):
                Certificate.load(path)

    @pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04" + bytes(60), pickle.dumps([1, 2])])
    def test_foreign(self, tmp_path, content):
        (tmp_path / "foreign").write_bytes(content)
        with pytest.raises(InvalidDataError, match="path: must be a certificate"):
            Certificate.load(tmp_path / "foreign")

    def test_arrays_of_something_else(self, path):
        np.save(path.with_suffix(".npy"), np.arange(3))
        np.savez(path.with_suffix(".other.npz"), a=1)
        for other in (path.with_suffix(".npy"), path.with_suffix(".other.npz")):
            with pytest.raises(InvalidDataError, match="path: must be a certificate"):
                Certificate.load(other)

    @pytest.mark.parametrize(
        "change",
        [
            {"t": np.zeros(2)},
            {"t": "high"},
            {"sizes": 3},
            {"sizes": [0.5]},
            {"n_multipliers": 1000},
            {"base_0": np.zeros((2, 2))},
            {"n_0": np.zeros(1000)},
            {"n_0": np.zeros(91)},
            {"base_0": np.arange(14.0)},
            {"y_0": np.full(14, "high")},
            {"branch_of_3": np.full((1, 1), -1)},
            {"n_steps_of_3": np.ones(1)},
            {"decided_of_3": np.array(["in"])},
        ],
    )
    def test_arrays_of_another_shape(self, path, change):
        with np.load(path) as arrays:
            np.savez(path, **{**arrays, **change})
        with pytest.raises(InvalidDataError, match="path: must be a certificate"):
            Certificate.load(path)

    def test_flipped_bits_do_not_pass_for_a_proof_of_less(self, path, best):
        """Most are noticed when the file is read, some only in the check, and a few do not matter."""
        whole = path.read_bytes()
        random = np.random.default_rng(0)
        for place in random.integers(len(whole), size=60):
            data = bytearray(whole)
            data[place] ^= 1 << random.integers(8)
            path.write_bytes(bytes(data))
            try:
                assert verify(PROGRAM, Certificate.load(path)) >= best
            except (InvalidDataError, CertificateError):
                continue

    def test_a_file_that_is_not_there(self, tmp_path):
        with pytest.raises(InvalidDataError, match="No such file"):
            Certificate.load(tmp_path / "nothing.npz")

    @pytest.mark.parametrize(
        ("features", "said"),
        [(3_000, "n_0 of length 1 for 3000 features"), (44_000, "base_0 of 44000 features")],
    )
    def test_a_small_file_takes_little_memory(self, path, features, said):
        """What the file says of itself is compared before room is made for it."""
        with np.load(path) as arrays:
            given = {
                **arrays,
                "base_0": np.zeros(features, dtype=np.int32),
                "n_0": np.zeros(1, dtype=np.float32),
            }
        np.savez_compressed(path, **given)
        tracemalloc.start()
        try:
            with pytest.raises(InvalidDataError, match=said):
                Certificate.load(path)
            assert tracemalloc.get_traced_memory()[1] < 3_000_000
        finally:
            tracemalloc.stop()

    def test_zeros_of_many_features_in_a_small_file_are_not_unpacked(self, path):
        p = 10_001
        with np.load(path) as arrays:
            given = {**arrays, "base_0": np.arange(p), "n_0": np.zeros(p * (p - 1) // 2, dtype=np.float16)}
        np.savez_compressed(path, **given)
        tracemalloc.start()
        try:
            with pytest.raises(InvalidDataError, match=f"base_0 of {p} features, more than 10000"):
                Certificate.load(path)
            assert tracemalloc.get_traced_memory()[1] < 3_000_000
        finally:
            tracemalloc.stop()

    def test_multipliers_are_read_in_little_more_than_they_take(self, certificate, tmp_path):
        p = 1_000
        n = np.random.default_rng(0).integers(0, 2, (p, p)).astype(np.float32)
        n = np.triu(n, 1) + np.triu(n, 1).T
        wide = Multipliers(np.arange(p), np.zeros(p), n)
        replace(certificate, multipliers=(wide,)).save(tmp_path / "wide")
        tracemalloc.start()
        try:
            read = Certificate.load(tmp_path / "wide").multipliers[0]
            assert tracemalloc.get_traced_memory()[1] < 2.5 * n.nbytes
        finally:
            tracemalloc.stop()
        np.testing.assert_array_equal(read.n, n)
        assert read.n.dtype == np.float32

    def test_all_arrays_together_have_a_limit(self, path, monkeypatch):
        monkeypatch.setattr("compactml.feature_selection.certificate.MOST_BYTES", 1000)
        with pytest.raises(InvalidDataError, match="bytes of arrays, more than 1000"):
            Certificate.load(path)

    def test_what_load_would_refuse_is_not_saved(self, certificate, tmp_path, monkeypatch):
        limits = "compactml.feature_selection.certificate"
        for name, most in (("MOST_BYTES", 1000), ("MOST_FEATURES", 2)):
            with monkeypatch.context() as patch:
                patch.setattr(f"{limits}.{name}", most)
                with pytest.raises(InvalidDataError, match=f"certificate: must be of at most .*{most}"):
                    certificate.save(tmp_path / "refused")
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("name", ["base_0", "n_0", "y_0", "units_of_3", "sizes", "n_multipliers"])
    def test_an_array_that_says_to_be_larger_than_it_is(self, path, name):
        with zipfile.ZipFile(path) as archive:
            members = {info.filename: archive.read(info) for info in archive.infolist()}
        head = io.BytesIO()
        dtype = np.lib.format.read_array(io.BytesIO(members[f"{name}.npy"])).dtype
        np.lib.format.write_array_header_1_0(
            head, {"descr": dtype.str, "fortran_order": False, "shape": (10**11,)}
        )
        members[f"{name}.npy"] = head.getvalue()
        with zipfile.ZipFile(path, "w") as archive:
            for member, content in members.items():
                archive.writestr(member, content)
        with pytest.raises(InvalidDataError, match=f"{name} of shape"):
            Certificate.load(path)

    def test_more_arrays_than_the_file_has(self, path):
        with np.load(path) as arrays:
            given = {**arrays, "n_multipliers": np.array(10**12)}
        np.savez_compressed(path, **given)
        with pytest.raises(InvalidDataError, match="fewer than it says"):
            Certificate.load(path)

    @pytest.mark.parametrize("place", [0, None, b"x", "", "a\0b"])
    def test_what_is_no_path(self, place):
        with pytest.raises(InvalidParameterError, match="path: must be a path"):
            Certificate.load(place)


def test_unused_multipliers_are_left_out_and_the_others_keep_their_steps(certificate):
    more = replace(
        certificate,
        multipliers=(certificate.multipliers[0], *certificate.multipliers),
        proofs=tuple(
            replace(one, multipliers=np.where(one.multipliers == PAIRS, PAIRS, one.multipliers + 1))
            for one in certificate.proofs
        ),
    )
    assert verify(PROGRAM, more) == certificate.t
    less = more.without_unused()
    assert len(less.multipliers) == len(certificate.multipliers)
    assert verify(PROGRAM, less) == certificate.t


def test_the_error_survives_pickling(certificate):
    with pytest.raises(CertificateError) as caught:
        verify(PROGRAM, replace(certificate, t=0.0 * certificate.t - 1e3))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.reason) == (str(caught.value), caught.value.reason)
    assert isinstance(again, ValueError)


def test_a_negative_optimum_has_a_negative_bound():
    program = mrmr(np.zeros(4), np.eye(4))
    result = solve(program, gap_rel=1e-3, gap_abs=0.0)
    assert verify(program, result.certificate) == result.bound
    assert -0.25 <= result.bound < -0.249
