"""Which trials stand behind the tables and figures: the paper's, and ours."""
