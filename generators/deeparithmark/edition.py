"""Which set this is: its name, version and default seed, and what the published one is known by."""

NAME = "deeparithmark-1"
VERSION = 2
SEED = 20261027
# Of the original file, whose items are others.
PUBLISHED_SHA256 = "8a54eb90b66b142b7fea422b34d851746d1cabc476dcba906c7f3ad5ddc66ee0"
DIFFICULTY = {2: "easy", 3: "medium", 4: "hard", 5: "expert", 6: "extreme", 7: "extreme", 8: "extreme"}
