"""CalcGPT: representations, grouped split, group-space sampler, holdout contracts, manifest, leak audit."""
