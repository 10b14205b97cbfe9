"""From a built folder to one commit on the Hugging Face Hub, and back again to see that it arrived."""

from .hub import Hub
from .plan import Change, Plan, Publication
from .push import Outcome, publish

__all__ = ["Change", "Hub", "Outcome", "Plan", "Publication", "publish"]
