"""Pictures of the feature-selection chapter."""
