"""Runs the command `pt2` in this process."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

from pt2 import _pt2

if TYPE_CHECKING:
    from pt2.program import StrPath


def command_path(path: StrPath | bytes) -> bytes:
    """Returns the path in a form that the command cannot mistake for an option or standard input."""
    name = os.fsencode(path)
    return b"./" + name if name.startswith(b"-") else name


def call(command: str, *arguments: str | bytes) -> bytes:
    """Runs `pt2 COMMAND ARGUMENTS` in this process and returns what it prints to standard output. Issues warnings as
    UserWarning, and raises errors as other functions do.
    """
    output, diagnostics = _pt2.call_command([os.fsencode(part) for part in (command, *arguments)])
    for line in diagnostics.splitlines():
        warnings.warn(line, stacklevel=3)
    return output
