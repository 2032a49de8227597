"""Reads programs from files and bytes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pt2 import _pt2
from pt2.sources import local_path

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from pt2.sources import Source

StrPath = str | os.PathLike[str]
Progress = Callable[[int, int], object] | bool
_LINES = 30  # at the start and at the end of a representation
_Program = TypeVar("_Program", bound=_pt2.ExportedProgram)


class ExportedProgram(_pt2.ExportedProgram):
    __doc__ = _pt2.ExportedProgram.__doc__
    __slots__ = ()

    def to_pt2b(self) -> bytes:
        """Returns the bytes of a .pt2b file, which contains the program in binary form, the id of its schema and a
        checksum. Raises DataError if the program cannot be encoded, and ValueError if it has preserved fields of a
        newer schema, as to_json() does.
        """
        return _pt2.to_pt2b(whole(self))

    def __str__(self) -> str:
        """Returns the same text as show()."""
        return _pt2.show(self, None, None, None, False)

    def __repr__(self) -> str:
        """Returns the same text, shortened in the middle."""
        lines = str(self).splitlines()
        left_out = len(lines) - 2 * _LINES
        if left_out > 1:
            lines[_LINES:-_LINES] = [f"  … {left_out:,} lines; print() or pt2.show() returns all"]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Returns the page of pt2.view() in a frame, for Jupyter."""
        from html import escape

        style = "width: 100%; height: 600px; border: 1px solid #ccc"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(_pt2.view(self, None))}"></iframe>'


ExportedProgram.__module__ = "pt2"
_pt2.set_class(ExportedProgram)


def whole(program: _Program) -> _Program:
    """Returns the program for a use that would lose preserved fields. Raises ValueError if the program has any, and
    TypeError for what is no program.
    """
    if not isinstance(program, _pt2.ExportedProgram):  # pyright: ignore[reportUnnecessaryIsInstance]
        kind = type(program)
        raise TypeError(f"expected a program, as pt2.load() returns it, got {kind.__module__}.{kind.__qualname__}")
    _pt2.require_whole(program)
    return program


@contextmanager
def scratch_folder(path: StrPath) -> Generator[str]:
    """Creates a temporary folder next to the output `path`. Raises OSError; if the error is about the folder's content,
    its filename is `path`.
    """
    given: str = os.fspath(path)
    start = os.path.join(os.path.dirname(os.path.abspath(given)), ".pt2-")
    try:
        with tempfile.TemporaryDirectory(dir=os.path.dirname(start), prefix=os.path.basename(start)) as folder:
            yield folder
    except OSError as error:
        if str(error.filename).startswith(start):
            error.filename = given
        raise


def text(what: str, given: str) -> str:
    """Returns the argument called `what` if it is a str. Raises TypeError otherwise."""
    if not isinstance(given, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{what}: expected a str, got {given!r}")
    return given


def optional_text(what: str, given: str | None) -> str | None:
    return None if given is None else text(what, given)


def names(what: str, given: Iterable[str]) -> list[str]:
    """Returns a list of names. Rejects a single str, which would otherwise be treated as a list of letters."""
    found = None if isinstance(given, str) else list(given)
    if found is None or not all(isinstance(name, str) for name in found):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{what}: expected a list of names, got {given!r}")
    return found


def load(
    path_or_bytes: Source,
    *,
    model: str | None = None,
    upgrade: Literal["all"] | None = None,
    leave_out: Iterable[str] = (),
    keep_unknown: bool = False,
) -> ExportedProgram:
    """Returns the program in a file (.pt2, .json, .pt2b, or an old zip from torch 2.1 to 2.7). The file can be given as
    a path, bytes, a seekable file object, or a URL that fsspec understands (libpt2[fsspec]).

    model: the name of the model, required if an archive has several.
    upgrade: None upgrades only programs from torch 2.1 to 2.5, which cannot be read otherwise. "all" upgrades every
        program to the newest schema.
    leave_out: fields to skip, e.g. "Node.metadata", which is half of a large program.
    keep_unknown: whether to preserve fields from a newer schema. save() without `tensors` writes these fields back
        in the same format. Copies, rename() and retarget() also preserve them. All other functions that would lose them
        raise ValueError. save() raises DataError if the value that a field belonged to no longer exists. drop_unknown()
        discards the fields. Without keep_unknown, fields from a newer schema are errors unless they are empty.

    Raises DataError, with the path in the JSON, line and column, if the program is not valid. Raises OSError if the
    file cannot be read, and DataError if the archive has several models and `model` is not given.
    """
    given = _as_bytes(path_or_bytes)
    with nullcontext(given) if isinstance(given, bytes) else local_path(given, only="programs") as source:
        return _pt2.load(
            source,
            optional_text("model", model),
            optional_text("upgrade", upgrade),
            names("leave_out", leave_out),
            keep_unknown,
        )


def from_json(data: str | Buffer) -> ExportedProgram:
    """Returns the program in JSON text. Upgrades a program from torch 2.1 to 2.5. Raises DataError if the program is
    not valid.
    """
    return _pt2.from_json(_as_bytes(data))


def from_pt2b(data: Buffer) -> ExportedProgram:
    """Returns the program in the bytes of a .pt2b file. Raises DataError if the program is not valid."""
    return _pt2.from_pt2b(_as_bytes(data))


def _as_bytes(given: Any) -> Any:
    """Returns the bytes of a buffer, or the argument if it is not a buffer."""
    if isinstance(given, bytes):
        return given
    try:
        return memoryview(given).tobytes()
    except TypeError:
        return given
