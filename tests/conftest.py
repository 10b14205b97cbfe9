"""For every test: no deadlines, which would make a slow machine a failed property."""

from hypothesis import settings

settings.register_profile("arithmark", deadline=None)
settings.load_profile("arithmark")
