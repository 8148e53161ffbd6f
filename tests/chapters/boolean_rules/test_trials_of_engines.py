"""Engines side by side and growth: the same answer from each engine, generated data that hold the rule."""

import numpy as np
import pytest

from compactml.boolean_rules import Instance, Literals, Search
from compactml.chapters.boolean_rules.trials import engines as module
from compactml.study.profile import Profile


def test_the_synthetic_labels_are_the_rule_with_noise() -> None:
    instance = module.synthetic(4000, seed=1)
    assert len(instance.literals) == 2 * 9 * module.N_ATTRIBUTES
    codes = instance.codes.astype(np.int16)
    rule = module.in_clause(codes, 0) | module.in_clause(codes, 3) | module.in_clause(codes, 6)
    wrong = instance.negatives[rule].sum() + instance.positives[~rule].sum()
    assert wrong / 4000 == pytest.approx(module.NOISE, abs=0.02)


def test_all_engines_agree_at_the_first_exact_call() -> None:
    rng = np.random.default_rng(0)
    codes, y = rng.integers(0, 2, (40, 8)), rng.random(40) < 0.5
    instance = Instance.from_codes(codes, y, Literals.binary(tuple("abcdefgh")))
    search = Search(instance, 3)
    duals = module.duals_without_beam(instance, 6, search)
    answers = {}
    for name in ("HiGHS", "CP-SAT", module.OURS):
        priced = module.engine(name, instance, search, limit=60.0)(duals, module.Clock(60.0))
        answers[name] = module.answer(priced, instance, duals)
    assert {one["outcome"] for one in answers.values()} == {"proved"}
    assert len({round(float(one["best"]), 4) for one in answers.values()}) == 1  # type: ignore[arg-type]
    assert search.beam(duals, width=64).clauses == ()


def test_an_unproved_answer_is_no_proof() -> None:
    instance = module.synthetic(50, seed=0)
    duals = module.duals_without_beam(instance, 4, Search(instance, 3))
    assert module.answer(module.Priced((), None), instance, duals)["outcome"] == "time limit"
    assert module.answer(module.Priced((), 0), instance, duals)["outcome"] == "proved"


@pytest.mark.parametrize("table", module.TABLES)
def test_each_profile_has_its_trials(table: str) -> None:
    quick, standard = (
        module.trials("boolean-rules", table, one) for one in (Profile.QUICK, Profile.STANDARD)
    )
    assert 0 < len(quick) < len(standard)
    assert {one.kind for one in standard} <= set(module.RUN)
    assert all(module.cost(one) > 0 for one in standard)
