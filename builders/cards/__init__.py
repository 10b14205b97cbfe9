"""jinja2 templates of the dataset cards; every figure is computed from the data."""
