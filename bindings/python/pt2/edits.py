"""Programs made of programs. All but rewrite() leave what they are given as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal

from pt2 import _pt2
from pt2.builder import DTYPES
from pt2._pt2 import schema_version
from pt2.program import ExportedProgram, kept_of, names, own, text, whole

_FLOATS = ("float16", "bfloat16", "float32", "float64")


def upgrade(program: _pt2.ExportedProgram) -> ExportedProgram:
    """The program in the newest schema. Calls of operators whose arguments changed since are those of today, where
    they can be. Errors: DataError."""
    return own(_pt2.upgrade(whole(program)))


def downgrade(program: _pt2.ExportedProgram, to: str | tuple[int, int]) -> ExportedProgram:
    """The program as an older torch reads it.

    to: a release, "2.9", or a version of the schema, (8, 14) or "8.14".
    What came later is left out where it is empty or a hint. Errors: DataError, which names all that cannot be said
    there; ValueError for a release that cannot be written for.
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
    return own(_pt2.downgrade(whole(program), target))


def canonicalize(program: _pt2.ExportedProgram, form: Literal["normal", "names", "torch"] = "normal") -> ExportedProgram:
    """The program in a canonical form: "normal", which programs that do the same in another order or under other names
    share; "names", in which values only are named anew; "torch", what torch's canonicalize makes. Errors: DataError."""
    return own(_pt2.canonicalize(whole(program), text("form", form)))


def extract(program: _pt2.ExportedProgram, *, inputs: Iterable[str], outputs: Iterable[str]) -> ExportedProgram:
    """The part that computes the values `outputs` from the values `inputs`, which are its inputs and outputs in this
    order. Errors: ValueError, which names what stands in the way."""
    return own(_pt2.extract(whole(program), names("inputs", inputs), names("outputs", outputs)))


def join(
    a: _pt2.ExportedProgram, b: _pt2.ExportedProgram, connections: Mapping[str, str] | None = None
) -> ExportedProgram:
    """`a`, and then `b` on what it gives.

    connections: outputs of `a` to inputs of `b`, by name; None: in order.
    Errors: ValueError, if two do not go together.
    """
    return own(_pt2.join(whole(a), whole(b), None if connections is None else _pairs("connections", connections)))


def rename(program: _pt2.ExportedProgram, changes: Mapping[str, str]) -> ExportedProgram:
    """The program with other names of values, inputs, outputs, parameters or buffers, at all of their places: {old:
    new}. Errors: ValueError, for a name that is not there, or taken."""
    return own(*_pt2.rename(program, _pairs("changes", changes), kept_of(program)))


def retarget(
    program: _pt2.ExportedProgram,
    device: str | None = None,
    *,
    from_device: str | None = None,
    dtype: _pt2.ScalarType | Literal["float16", "bfloat16", "float32", "float64"] | None = None,
    keep: Iterable[str] = (),
) -> ExportedProgram:
    """The program on another device ("cuda:0"), or with another dtype of its floats; weights in a file are not changed
    with it: `pt2 retarget` does that.

    from_device: only what is there. keep: names of weights, inputs, nodes and modules that keep their dtype.
    Errors: ValueError, with the nodes that cannot be retyped.
    """
    made = program
    if device is not None:
        made = _pt2.retarget_device(made, text("device", device), from_device if from_device is None else text("from_device", from_device))
    if dtype is not None:
        if isinstance(dtype, str) and dtype not in _FLOATS:
            raise ValueError(f"dtype: expected one of {', '.join(_FLOATS)}, got {dtype!r}")
        kind = DTYPES[dtype] if isinstance(dtype, str) else dtype
        made = _pt2.retarget_dtype(made, int(kind), names("keep", keep))
    if device is None and dtype is None:
        raise TypeError("retarget() needs a device or a dtype")
    return own(made, kept_of(program))


def rewrite(program: _pt2.ExportedProgram, pattern: _pt2.Graph, replacement: _pt2.Graph) -> int:
    """Puts `replacement` in the place of each match of `pattern` in all graphs of `program`, and returns how many there
    were. Inputs of the pattern stand for any value; the replacement has inputs of the same names and as many outputs.
    Views of what was in the program before show what they did. Errors: ValueError, DataError."""
    return _pt2.rewrite(whole(program), pattern, replacement)


def _pairs(what: str, given: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(text(what, key), text(what, value)) for key, value in dict(given).items()]
