"""Four endings without a tell, whatever the question."""
