"""Boolean decision rules via column generation (Dash, Günlük and Wei, NeurIPS 2018)."""

import compactml.compiling
from compactml.boolean_rules.binarizer import DecileBinarizer
from compactml.boolean_rules.classifier import BooleanRuleClassifier
from compactml.boolean_rules.classifying.counting import count_rule_sets
from compactml.boolean_rules.classifying.cross_validated import BooleanRuleClassifierCV
from compactml.boolean_rules.duals import UNIT, Duals
from compactml.boolean_rules.exact.counting import RuleSetCount
from compactml.boolean_rules.instance import Clause, Instance
from compactml.boolean_rules.learned import Learned
from compactml.boolean_rules.learning import learn
from compactml.boolean_rules.literals import Literals
from compactml.boolean_rules.pricing.search import Search
from compactml.boolean_rules.rules import RuleList, Rules

__all__ = [
    "UNIT",
    "BooleanRuleClassifier",
    "BooleanRuleClassifierCV",
    "Clause",
    "DecileBinarizer",
    "Duals",
    "Instance",
    "Learned",
    "Literals",
    "RuleList",
    "RuleSetCount",
    "Rules",
    "Search",
    "count_rule_sets",
    "learn",
]

compactml.compiling.announce()
