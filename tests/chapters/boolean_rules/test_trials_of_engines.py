"""Engines side by side and growth: the same answer from each engine, generated data that hold the rule."""

import numpy as np
import pytest

from compactml.boolean_rules import Instance, Literals, Search
from compactml.boolean_rules.pricing.priced import Priced
from compactml.chapters.boolean_rules.chapter import CHAPTER
from compactml.chapters.boolean_rules.trials import engines as module
from compactml.chapters.boolean_rules.trials.instances import duals_without_beam
from compactml.chapters.boolean_rules.trials.synthetic_rows import N_ATTRIBUTES, NOISE, in_clause, synthetic
from compactml.clock import Clock
from compactml.study.profile import Profile


def test_the_synthetic_labels_are_the_rule_with_noise() -> None:
    instance = synthetic(4000, seed=1)
    assert len(instance.literals) == 2 * 9 * N_ATTRIBUTES
    codes = instance.codes.astype(np.int16)
    rule = in_clause(codes, 0) | in_clause(codes, 3) | in_clause(codes, 6)
    wrong = instance.negatives[rule].sum() + instance.positives[~rule].sum()
    assert wrong / 4000 == pytest.approx(NOISE, abs=0.02)


def test_all_engines_agree_at_the_first_exact_call() -> None:
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 2, (40, 8)), rng.random(40) < 0.5
    instance = Instance.from_codes(codes, y, Literals.binary(tuple("abcdefgh")))
    search = Search(instance, 3)
    duals = duals_without_beam(instance, 6, search)
    answers = {}
    for name in ("HiGHS", "CP-SAT", module.OURS):
        priced = module.engine(name, instance, search, limit=60.0)(duals, Clock(60.0))
        answers[name] = module.answer(priced, instance, duals, 0.1)
    assert {one.outcome for one in answers.values()} == {"proved"}
    assert len({round(one.best or 0.0, 4) for one in answers.values()}) == 1
    assert search.beam(duals, width=64).clauses == ()


def test_an_unproved_answer_is_no_proof() -> None:
    instance = synthetic(50, seed=0)
    duals = duals_without_beam(instance, 4, Search(instance, 3))
    assert module.answer(Priced((), None), instance, duals, 0.1).outcome == "time limit"
    assert module.answer(Priced((), 0), instance, duals, 0.1).outcome == "proved"


@pytest.mark.parametrize("table", ["engines", "growth"])
def test_the_quick_profile_has_fewer_trials(table: str) -> None:
    quick, standard = (CHAPTER.trials(table, profile) for profile in (Profile.QUICK, Profile.STANDARD))
    assert 0 < len(quick) < len(standard)
