"""Pure, deterministic problem generators. Standard library only."""
