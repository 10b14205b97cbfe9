"""What of a bench is in a corpus: the scan, the seen-index that it makes, and questions looked up in it."""
