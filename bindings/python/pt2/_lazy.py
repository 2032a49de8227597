"""Imports modules on first use, because importing torch takes seconds and much memory."""

import importlib
from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    if name == "torch":
        try:
            return importlib.import_module("pt2.torch")
        except ImportError as error:  # hasattr() expects this
            raise AttributeError(f"module 'pt2' has no attribute 'torch': {error}") from error
    raise AttributeError(f"module 'pt2' has no attribute {name!r}")
