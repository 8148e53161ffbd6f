"""Boolean decision rules by column generation (NeurIPS 2018): trials, tables, claims."""
