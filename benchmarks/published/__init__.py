"""Results that others published, as data; installed as ``arithmark_tasks.published``."""
