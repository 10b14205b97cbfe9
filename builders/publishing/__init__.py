"""From a built folder to one commit on the Hugging Face Hub, and back again to see that it arrived."""

from .hub import Hub
from .push import Change, Outcome, Plan, Publication, publish

__all__ = ["Change", "Hub", "Outcome", "Plan", "Publication", "publish"]
