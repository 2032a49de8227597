"""Programs, read from files and bytes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Literal

from pt2 import _pt2

StrPath = str | os.PathLike[str]
Progress = Callable[[int, int], object]


class ExportedProgram(_pt2.ExportedProgram):
    __doc__ = _pt2.ExportedProgram.__doc__
    __slots__ = ("_kept",)
    _kept: _pt2.Kept | None  # of a newer schema, for save()

    def to_pt2b(self) -> bytes:
        """The bytes of a .pt2b file: the program in binary, with its schema's hash and a checksum. Errors: DataError."""
        return _pt2.to_pt2b(self)

    def _repr_html_(self) -> str:
        """What Jupyter shows: the page of pt2.view() in a frame."""
        from html import escape

        return f'<iframe style="width: 100%; height: 600px; border: 1px solid #ccc" srcdoc="{escape(_pt2.view_program(self))}"></iframe>'


ExportedProgram.__module__ = "pt2"
_pt2.set_class(ExportedProgram)


def own(program: _pt2.ExportedProgram) -> ExportedProgram:
    """What C++ made is of this class, see set_class(): said to type checkers."""
    assert isinstance(program, ExportedProgram)
    return program


def names(what: str, given: Iterable[str]) -> list[str]:
    """Names that a caller gives; one by itself would be taken for its letters."""
    if isinstance(given, str):
        raise TypeError(f"{what}: expected a list of names, got {given!r}")
    return list(given)


def load(
    path_or_bytes: StrPath | bytes,
    *,
    model: str | None = None,
    upgrade: Literal["all"] | None = None,
    leave_out: Iterable[str] = (),
    keep_unknown: bool = False,
) -> ExportedProgram:
    """The program of a file (.pt2, .json, .pt2b, an old zip of torch 2.1 to 2.7), or of a file's bytes.

    model: which one, of an archive that has several.
    upgrade: None reads programs of torch 2.1 to 2.5 by upgrading them, and leaves newer ones in their version; "all"
    brings each to the newest schema.
    leave_out: fields that are passed over, as "Node.metadata", which is half of a large program.
    keep_unknown: what a newer schema added is kept, and written again by save() without `tensors`, as JSON if it was
    JSON; else it is an error, if it is more than empty.
    Errors: DataError, with the path in the JSON, line and column; OSError.
    """
    made, kept = _pt2.load(path_or_bytes, model, upgrade, names("leave_out", leave_out), keep_unknown)
    program = own(made)
    program._kept = kept  # pyright: ignore[reportPrivateUsage]
    return program


def from_json(data: str | bytes) -> ExportedProgram:
    """The program that JSON holds; of torch 2.1 to 2.5, upgraded. Errors: DataError."""
    return own(_pt2.from_json(data))


def from_pt2b(data: bytes) -> ExportedProgram:
    """The program that the bytes of a .pt2b file hold. Errors: DataError."""
    return own(_pt2.from_pt2b(data))
