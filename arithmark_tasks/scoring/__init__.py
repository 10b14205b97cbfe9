"""How a model is loaded and asked: in lm-eval's own way, and with what requests have in common computed once."""
