"""The methods that Dash, Günlük and Wei (2018) compare with, on the 0/1 columns that `DecileBinarizer` gives."""

from compactml.boolean_rules.competitors.am_bcd import TwoLevelRuleClassifier
from compactml.boolean_rules.competitors.base import RuleSetClassifier
from compactml.boolean_rules.competitors.brs import BayesianRuleSetClassifier
from compactml.boolean_rules.competitors.ripper import RipperClassifier
from compactml.boolean_rules.competitors.trees import CartClassifier, random_forest

__all__ = [
    "BayesianRuleSetClassifier",
    "CartClassifier",
    "RipperClassifier",
    "RuleSetClassifier",
    "TwoLevelRuleClassifier",
    "random_forest",
]
