"""DeepArithmark-1: word problems of two to five dependent steps with four endings."""
