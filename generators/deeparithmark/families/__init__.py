"""The stories, one module for each template."""
