"""Transforms programs. Only infer() changes its argument."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from pt2 import _pt2
from pt2._pt2 import schema_version
from pt2.builder import DTYPES
from pt2.program import ExportedProgram, StrPath, load, names, optional_text, text, whole
from pt2.program import names as _checked_names
from pt2.sources import local_path, path_of_one

if TYPE_CHECKING:
    from pt2.sources import Source

__all__ = [
    "attach",
    "canonicalize",
    "downgrade",
    "export_weights",
    "extract",
    "infer",
    "join",
    "rename",
    "retarget",
    "slim",
    "strip",
    "upgrade",
]

_FLOATS = ("float16", "bfloat16", "float32", "float64")


def upgrade(program: _pt2.ExportedProgram | StrPath, *, out: StrPath | None = None) -> ExportedProgram:
    """Returns the program in the newest schema. Adapts calls to operators that have changed, if possible.

    out: the file that receives the program and its weights, if the program is given as the path of an archive.

    Raises DataError if the program is not valid, and OSError if a file cannot be read or written.
    """
    if out is not None:
        with _archive("upgrade", program) as path:
            _pt2.upgrade_file(path, out)
        return load(out)
    return _pt2.upgrade(_loaded(program))


def downgrade(
    program: _pt2.ExportedProgram | StrPath, to: str | tuple[int, int], *, out: StrPath | None = None
) -> ExportedProgram:
    """Returns the program in the schema of an older torch.

    to: a release, e.g. "2.9", or a schema version, as a tuple (as pt2.schema_version) or a string.
    out: the file that receives the program and its weights, if the program is given as the path of an archive.
        The file has the layout that the release reads. (save(), in contrast, keeps the layout of `like`.)

    Newer fields are dropped if they are empty or mere hints. Raises DataError, which names everything that the older
    version cannot express. Raises ValueError for an unsupported release, and OSError if a file cannot be read or
    written.
    """
    if isinstance(to, str) and re.fullmatch(r"(torch-)?2\.\d+", to):
        target = f"torch-{to.removeprefix('torch-')}"
    else:
        try:
            major, minor = map(int, to.split(".") if isinstance(to, str) else to)
        except (TypeError, ValueError):
            wrong = ValueError if isinstance(to, str) else TypeError
            raise wrong(f"to: expected a release, such as '2.9', or a version, such as {schema_version}, got {to!r}") from None
        target = f"{major}.{minor}"
    if out is not None:
        with _archive("downgrade", program) as path:
            _pt2.downgrade_file(path, target, out)
        return load(out)
    return _pt2.downgrade(_loaded(program), target)


def canonicalize(program: _pt2.ExportedProgram, form: Literal["normal", "names", "torch"] = "normal") -> ExportedProgram:
    """Returns the program in a canonical form. The form "normal" is the same for programs that differ only in names and
    in the order of independent nodes. The form "names" renames values and keeps the order of nodes. The form "torch"
    is the output of torch's canonicalize(). Raises DataError if the program has no such form.
    """
    return _pt2.canonicalize(whole(program), text("form", form))


def extract(
    program: _pt2.ExportedProgram | StrPath, *, inputs: Iterable[str], outputs: Iterable[str], out: StrPath | None = None
) -> ExportedProgram:
    """Returns the part of a program that computes the values `outputs` from the values `inputs`. The result is a
    program with these inputs and outputs, in this order.

    out: the file that receives the part and its weights, if the program is given as the path of an archive.

    Raises ValueError if the part cannot be extracted; the message says why. Raises DataError if the program is not
    valid, and OSError if a file cannot be read or written.
    """
    ins, outs = names("inputs", inputs), names("outputs", outputs)
    if out is not None:
        with _archive("extract", program) as path:
            return _pt2.extract_file(path, ins, outs, out)
    return _pt2.extract(_loaded(program), ins, outs)


def join(
    a: _pt2.ExportedProgram | StrPath,
    b: _pt2.ExportedProgram | StrPath,
    connections: Mapping[str, str] | None = None,
    *,
    out: StrPath | None = None,
) -> ExportedProgram:
    """Returns a program that runs `a` and then runs `b` on the outputs of `a`.

    connections: maps outputs of `a` to inputs of `b`. None connects them in order.
    out: the file that receives the program and the weights of both programs, if these are given as the paths of archives.

    Raises ValueError if a connected output and input do not match. Raises DataError if a program is not valid, and
    OSError if a file cannot be read or written.
    """
    pairs = None if connections is None else _pairs("connections", connections)
    if out is not None:
        with _archive("join", a) as first, _archive("join", b) as second:
            return _pt2.join_files(first, second, pairs, out)
    return _pt2.join(_loaded(a), _loaded(b), pairs)


def rename(program: _pt2.ExportedProgram, changes: Mapping[str, str]) -> ExportedProgram:
    """Returns the program with values, inputs, outputs, parameters or buffers renamed everywhere. `changes` maps old
    names to new names. Raises ValueError if an old name does not exist or if a new name is taken.
    """
    return _pt2.rename(program, _pairs("changes", changes))


def retarget(
    program: _pt2.ExportedProgram | StrPath,
    device: str | None = None,
    *,
    from_device: str | None = None,
    dtype: _pt2.ScalarType | Literal["float16", "bfloat16", "float32", "float64"] | None = None,
    keep: Iterable[str] = (),
    keep_unconvertible: bool = False,
    out: StrPath | None = None,
) -> ExportedProgram:
    """Returns the program for another device, e.g. "cuda:0", or with another floating-point dtype.

    from_device: the device to replace. By default, all devices are replaced.
    keep: the names of weights, inputs, nodes and modules that keep their dtypes.
    keep_unconvertible: whether nodes that cannot be converted keep their dtypes as well, instead of being an error.
    out: the file that receives the program and its converted weights, if the program is given as the path of an archive.

    Raises ValueError for an unknown device type, or if nodes cannot be converted (the message names them). Raises
    DataError if the program is not valid, and OSError if a file cannot be read or written.
    """
    if device is None and dtype is None:
        raise TypeError("retarget() needs a device or a dtype")
    old = optional_text("from_device", from_device)
    if device is not None:
        _pt2.require_device(text("device", device))
    if isinstance(dtype, str) and dtype not in _FLOATS:
        raise ValueError(f"dtype: expected one of {', '.join(_FLOATS)}, got {dtype!r}")
    kind = None if dtype is None else int(DTYPES[dtype] if isinstance(dtype, str) else dtype)
    kept = names("keep", keep)
    if out is not None:
        if device is not None and kind is not None:
            raise ValueError("retarget(out=...) changes either the device or the dtype; call it twice")
        with _archive("retarget", program) as path:
            _pt2.retarget_file(path, device, old, kind, kept, keep_unconvertible, out)
        return load(out)
    given = program if isinstance(program, _pt2.ExportedProgram) else load(program)
    return _pt2.retarget(given, device, old, kind, kept, keep_unconvertible)


def infer(program: _pt2.ExportedProgram) -> list[str]:
    """Infers the dtypes and shapes of all values again, starting from the inputs, and corrects those that differ.
    Returns the names of the corrected values. Call this function after changing nodes, inputs or `tensor_values` by
    hand; until then, verify() reports STALE_TYPE.

    Raises DataError, and leaves the program unchanged, if the inputs of an operator changed but the operator has no
    inference rule or does not accept these inputs.
    """
    return _pt2.infer(whole(program))


def _loaded(program_or_path: _pt2.ExportedProgram | StrPath) -> _pt2.ExportedProgram:
    return whole(program_or_path) if isinstance(program_or_path, _pt2.ExportedProgram) else load(program_or_path)


@contextmanager
def _archive(function: str, source: Any) -> Generator[Any]:
    """Yields the path of an archive. Raises TypeError if the argument is a program."""
    if isinstance(source, _pt2.ExportedProgram):
        raise TypeError(f"{function}(out=...) needs the path of an archive: a program has no tensors")
    with path_of_one(source) as path:
        yield path


def _pairs(what: str, given: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(text(what, key), text(what, value)) for key, value in dict(given).items()]


def slim(
    path: Source,
    out: StrPath,
    *,
    drop: Iterable[Literal["stack-traces", "metadata", "samples", "unused", "names"]] = (),
    reproducible: bool = False,
    model: str | None = None,
) -> dict[str, int]:
    """Writes a program or archive without the parts in `drop`. Returns the number of bytes that each part took.

    drop: a list of "stack-traces", "metadata", "samples" (sample inputs), "unused" (unused weights) and "names".
    reproducible: whether to write equal bytes for equal content, regardless of the order of the content in the
        file.

    Raises DataError if the file is not valid, OSError if a file cannot be read or written, and ValueError for an
    unknown part.
    """
    parts = names("drop", drop)
    if not parts and not reproducible:
        raise ValueError("slim() needs parts to drop, or reproducible=True")
    with local_path(path) as local:
        return dict(_pt2.slim_file(local, out, parts, reproducible, optional_text("model", model)))


def strip(path: Source, out: StrPath, *, weights: StrPath | None = None, model: str | None = None) -> None:
    """Writes a copy of an archive without its tensors' bytes. If `weights` is given, also writes the tensors to that
    file (.safetensors or .npz). Raises DataError, OSError or ValueError.
    """
    with local_path(path) as local:
        _pt2.strip_file(local, out, weights, optional_text("model", model))


def attach(path: Source, weights: StrPath, out: StrPath, *, model: str | None = None) -> None:
    """Writes a copy of an archive with the tensors of a file (.safetensors or .npz), which are matched by name, dtype
    and shape. Raises DataError (with the names of the tensors that do not match), OSError or ValueError.
    """
    with path_of_one(path) as local:
        _pt2.attach_file(local, weights, out, optional_text("model", model))


def export_weights(path: Source, out: StrPath, names: Iterable[str] | None = None, *, model: str | None = None) -> None:
    """Writes tensors of an archive, by default all of them, to a .safetensors or .npz file. Raises DataError, OSError
    or, for an unknown name, ValueError.
    """
    chosen = [] if names is None else _checked_names("names", names)
    if names is not None and not chosen:
        raise ValueError("names: expected at least one name")
    with local_path(path) as local:
        _pt2.export_weights(local, out, chosen, optional_text("model", model))
