"""CalcGPT: tokenizer, model, trainer, evaluation and the completed ablation."""
