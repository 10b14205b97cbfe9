"""Points this process's Hugging Face libraries at the Hub emulator, as ``HF_ENDPOINT`` would have at their import."""

import time
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from hub_parts import User
from hub_server import HubServer

TOKEN = "hf_DistinctiveTokenThatMustNeverBeSeen"
OTHER = "hf_TokenOfAnotherMemberOfTheOrganisation"


def connect(patch: pytest.MonkeyPatch, hub: HubServer, folder: Path) -> None:
    """Endpoint, caches and token of huggingface_hub and datasets; plain LFS instead of Xet; retries without waiting."""
    import datasets
    from huggingface_hub import constants, hf_api

    patch.setattr(hf_api.api, "endpoint", hub.endpoint)
    patch.setattr(constants, "ENDPOINT", hub.endpoint)
    patch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", hub.endpoint + "/{repo_id}/resolve/{revision}/{filename}")
    patch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    patch.setattr(constants, "HF_HUB_CACHE", str(folder / "hub"))
    patch.setattr(datasets.config, "HF_ENDPOINT", hub.endpoint)
    patch.setattr(datasets.config, "HF_DATASETS_CACHE", folder / "datasets")
    patch.setenv("HF_TOKEN", TOKEN)
    patch.setitem(import_module("huggingface_hub.utils.tqdm").progress_bar_states, "_global", False)
    impatient = SimpleNamespace(**{**vars(time), "sleep": lambda seconds: None})
    patch.setattr("huggingface_hub.utils._http.time", impatient)
    hub.users = {TOKEN: User("ada", ("sums",)), OTHER: User("bob", ("sums",))}
