"""``arithmark eval``: one model scored through lm-eval, resumably, into one result file."""
