"""Boolean decision rules by column generation (Dash, Günlük and Wei, 2018): trials, tables, figures and claims."""

NAME = "boolean-rules"
