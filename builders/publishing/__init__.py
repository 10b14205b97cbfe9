"""From a built folder to one commit on the Hugging Face Hub, and back again to see that it arrived."""

from .hub import Hub
from .push import Change, NextCommit, Outcome, Publication, publish

__all__ = ["Change", "Hub", "NextCommit", "Outcome", "Publication", "publish"]
