"""A real language model, layer by layer: its weights go into the same attention classes as everything else here.

Start with block.py, then smollm2.py, then survey.py. It needs what requirements-model.txt lists; nothing of that is
imported before a model is asked for, and `available` says what is there.
"""

from attention.language.model import LanguageModel
from attention.language.models import MODELS, available, language_model
from attention.language.run import LanguageRun
from attention.language.survey import Prediction, Survey, survey, trace_layer

__all__ = [
    "MODELS",
    "LanguageModel",
    "LanguageRun",
    "Prediction",
    "Survey",
    "available",
    "language_model",
    "survey",
    "trace_layer",
]
