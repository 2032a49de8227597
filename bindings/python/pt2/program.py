"""Programs, read from files and bytes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeVar

from pt2 import _pt2

if TYPE_CHECKING:
    from typing_extensions import Buffer

StrPath = str | os.PathLike[str]
Progress = Callable[[int, int], object]
_Program = TypeVar("_Program", bound=_pt2.ExportedProgram)


class ExportedProgram(_pt2.ExportedProgram):
    __doc__ = _pt2.ExportedProgram.__doc__
    __slots__ = ("_kept",)
    _kept: _pt2.Kept | None  # of a newer schema, for save()

    def drop_unknown(self) -> None:
        """Gives up what load(keep_unknown=True) kept of a newer schema: it is written no more."""
        self._kept = None

    def to_json(self) -> bytes:
        """The program as JSON. Errors: DataError; ValueError, if something of a newer schema was kept."""
        return super(ExportedProgram, whole(self)).to_json()

    def to_pt2b(self) -> bytes:
        """The bytes of a .pt2b file: the program in binary, with its schema's hash and a checksum. Errors: those of
        to_json()."""
        return _pt2.to_pt2b(whole(self))

    def __copy__(self) -> ExportedProgram:
        return own(super().__copy__(), kept_of(self))

    def __deepcopy__(self, memo: object, /) -> ExportedProgram:
        return own(super().__deepcopy__(memo), kept_of(self))

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> str | tuple[Any, ...]:
        return super(ExportedProgram, whole(self)).__reduce_ex__(protocol)

    def _repr_html_(self) -> str:
        """What Jupyter shows: the page of pt2.view() in a frame."""
        from html import escape

        style = "width: 100%; height: 600px; border: 1px solid #ccc"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(_pt2.view_program(self))}"></iframe>'


ExportedProgram.__module__ = "pt2"
_pt2.set_class(ExportedProgram)


def own(program: _pt2.ExportedProgram, kept: _pt2.Kept | None = None) -> ExportedProgram:
    """What C++ made is of this class, see set_class(). `kept` is put beside it."""
    assert isinstance(program, ExportedProgram)
    program._kept = kept  # pyright: ignore[reportPrivateUsage]
    return program


def kept_of(program: _pt2.ExportedProgram) -> _pt2.Kept | None:
    return getattr(program, "_kept", None)


def whole(program: _Program) -> _Program:
    """A program of which something is made where what was kept has no place. Errors: ValueError, if something was."""
    if kept_of(program) is not None:
        raise ValueError("what was kept of a newer schema would be lost here: drop_unknown() of the program gives it up")
    return program


@contextmanager
def scratch_folder(path: StrPath) -> Generator[str]:
    """A folder beside the file that is to be written at `path`. Errors: OSError; of what is in the folder, with `path`."""
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
    """A text that a caller gives as `what`."""
    if not isinstance(given, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{what}: expected a str, got {given!r}")
    return given


def names(what: str, given: Iterable[str]) -> list[str]:
    """Names that a caller gives; one by itself would be taken for its letters."""
    found = None if isinstance(given, str) else list(given)
    if found is None or not all(isinstance(name, str) for name in found):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{what}: expected a list of names, got {given!r}")
    return found


def load(
    path_or_bytes: StrPath | Buffer,
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
    JSON; else it is an error, if it is more than empty. It follows copies, rename() and retarget(). All else that would
    lose it is a ValueError, and save() a DataError if its place is gone, until drop_unknown() of the program gives it up.
    Errors: DataError, with the path in the JSON, line and column; OSError; ValueError, if the archive has several models
    and none is named.
    """
    made, kept = _pt2.load(
        _as_bytes(path_or_bytes),
        model if model is None else text("model", model),
        upgrade if upgrade is None else text("upgrade", upgrade),
        names("leave_out", leave_out),
        keep_unknown,
    )
    return own(made, kept)


def from_json(data: str | Buffer) -> ExportedProgram:
    """The program that JSON holds; of torch 2.1 to 2.5, upgraded. Errors: DataError."""
    return own(_pt2.from_json(_as_bytes(data)))


def from_pt2b(data: Buffer) -> ExportedProgram:
    """The program that the bytes of a .pt2b file hold. Errors: DataError."""
    return own(_pt2.from_pt2b(_as_bytes(data)))


def _as_bytes(given: Any) -> Any:
    """The bytes of any buffer; what is none, as it is."""
    if isinstance(given, bytes):
        return given
    try:
        return memoryview(given).tobytes()
    except TypeError:
        return given
