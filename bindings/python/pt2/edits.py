"""Transforms programs. Only rewrite() and infer() change their argument."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from pt2 import _pt2
from pt2._command import command_path
from pt2._pt2 import schema_version
from pt2.builder import DTYPES
from pt2.commands import written
from pt2.program import ExportedProgram, StrPath, kept_of, load, names, own, text, whole

_FLOATS = ("float16", "bfloat16", "float32", "float64")


def upgrade(program: _pt2.ExportedProgram | StrPath, *, out: StrPath | None = None) -> ExportedProgram:
    """Returns the program in the newest schema. Adapts calls to operators that have changed, if possible.

    out: the file that receives the program and its weights, if the program is given as the path of an archive.

    Raises DataError if the program is not valid, and OSError if a file cannot be read or written.
    """
    if out is not None:
        return written("upgrade", [_archive("upgrade", program)], out)
    return own(_pt2.upgrade(_loaded(program)))


def downgrade(
    program: _pt2.ExportedProgram | StrPath, to: str | tuple[int, int], *, out: StrPath | None = None
) -> ExportedProgram:
    """Returns the program in the schema of an older torch.

    to: a release, e.g. "2.9", or a schema version, e.g. (8, 14) or "8.14".
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
            raise wrong(f"to: expected a release, such as '2.9', or a version, such as (8, 14), got {to!r}") from None
        if major != schema_version[0]:
            raise ValueError(f"to: expected a version of schema {schema_version[0]}, or a release, such as '2.9', got {to!r}")
        target = f"{major}.{minor}"
    if out is not None:
        return written("downgrade", [_archive("downgrade", program), f"--to={target}"], out)
    return own(_pt2.downgrade(_loaded(program), target))


def canonicalize(program: _pt2.ExportedProgram, form: Literal["normal", "names", "torch"] = "normal") -> ExportedProgram:
    """Returns the program in a canonical form. The form "normal" is the same for programs that differ only in names and
    in the order of independent nodes. The form "names" renames values and keeps the order of nodes. The form "torch"
    is the output of torch's canonicalize(). Raises DataError if the program has no such form.
    """
    return own(_pt2.canonicalize(whole(program), text("form", form)))


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
        options = [option for name, values in (("inputs", ins), ("outputs", outs)) for option in _options(name, values)]
        return written("extract", [_archive("extract", program), *options], out)
    return own(_pt2.extract(_loaded(program), ins, outs))


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
        options = _options("connect", (f"{output}={given}" for output, given in pairs or []))
        return written("join", [_archive("join", a), _archive("join", b), *options], out)
    return own(_pt2.join(_loaded(a), _loaded(b), pairs))


def rename(program: _pt2.ExportedProgram, changes: Mapping[str, str]) -> ExportedProgram:
    """Returns the program with values, inputs, outputs, parameters or buffers renamed everywhere. `changes` maps old
    names to new names. Raises ValueError if an old name does not exist or if a new name is taken.
    """
    return own(*_pt2.rename(program, _pairs("changes", changes), kept_of(program)))


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
    if device is not None:
        _pt2.require_device(text("device", device))
    if out is not None:
        named = dtype if isinstance(dtype, str) or dtype is None else next(name for name, each in DTYPES.items() if each == dtype)
        given = {"device": device, "from": from_device, "dtype": named}
        options = [f"--{name}={text(name, value)}" for name, value in given.items() if value is not None]
        options += ["--keep-unconvertible"] * keep_unconvertible
        return written("retarget", [_archive("retarget", program), *options, *_options("keep", names("keep", keep))], out)
    if not isinstance(program, _pt2.ExportedProgram):
        program = load(program)
    made = program
    if device is not None:
        made = _pt2.retarget_device(made, text("device", device), from_device if from_device is None else text("from_device", from_device))
    if dtype is not None:
        if isinstance(dtype, str) and dtype not in _FLOATS:
            raise ValueError(f"dtype: expected one of {', '.join(_FLOATS)}, got {dtype!r}")
        kind = DTYPES[dtype] if isinstance(dtype, str) else dtype
        made = _pt2.retarget_dtype(made, int(kind), names("keep", keep), keep_unconvertible)
    if device is None and dtype is None:
        raise TypeError("retarget() needs a device or a dtype")
    return own(made, kept_of(program))


def rewrite(program: _pt2.ExportedProgram, pattern: _pt2.Graph, replacement: _pt2.Graph) -> int:
    """Replaces each match of `pattern` in all graphs of `program` with `replacement`. Returns the number of matches.
    Inputs of the pattern match any value. The replacement must have inputs with the same names as the pattern, and
    the same number of outputs. The types of replaced results, and of everything that depends on them, are inferred
    again. Existing views of replaced nodes keep their content.

    Raises ValueError if the pattern or replacement is not valid. Raises DataError, and leaves the program unchanged, if
    a type cannot be inferred.
    """
    return _pt2.rewrite(whole(program), pattern, replacement)


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


def _archive(function: str, program_or_path: _pt2.ExportedProgram | StrPath) -> bytes:
    """Returns the path of an archive to pass to a command. Raises TypeError if the argument is a program."""
    if isinstance(program_or_path, _pt2.ExportedProgram):
        raise TypeError(f"{function}(out=...) needs the path of an archive: a program has no tensors")
    return command_path(program_or_path)


def _options(name: str, values: Iterable[str]) -> list[str | bytes]:
    return [f"--{name}={value}" for value in values]


def _pairs(what: str, given: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(text(what, key), text(what, value)) for key, value in dict(given).items()]
