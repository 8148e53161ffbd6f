"""What `BooleanRuleClassifier` does around the learning of one binary problem."""
