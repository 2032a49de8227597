"""What is said of programs and files."""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pt2 import _pt2
from pt2.program import Progress, StrPath, names, text


@dataclass(frozen=True)
class Finding:
    """One thing that verify() or scan() found wrong.

    rule: such as "NAME_UNDEFINED"; level: "error", "warning" or "note". path: where in the program's JSON, empty for other
    places. record: of an archive, without its top folder. what: the global (`posix.system`), text or member that scan()
    reports. position: the byte of the record."""

    rule: str
    level: str
    path: str
    message: str
    record: str = ""
    what: str = ""
    position: int | None = None

    def __str__(self) -> str:
        where = ": ".join(part for part in (self.record, self.path) if part)
        return f"{where or 'file'}: {self.level}: {self.message} [{self.rule}]"


ScanFinding = Finding  # its name before 0.3


@dataclass(frozen=True)
class Difference:
    """What differs: `kind` is "added", "removed" or "changed"; `part` is "nodes", "inputs" and so on; `where` the
    subgraph; `before` and `after` the lines of both programs; `details` what those do not show; `at_before` and
    `at_after` the names of the places. str() is what `pt2 diff` prints."""

    kind: str
    part: str
    where: str
    before: str
    after: str
    details: list[str]
    at_before: list[str]
    at_after: list[str]
    _text: str

    def __str__(self) -> str:
        return self._text


@dataclass(frozen=True)
class OperatorUse:
    """An operator that a program calls: `target` ("torch.ops.aten.add.Tensor"), how many `nodes` call it, why it is
    `missing` (None: it is not), and for which nodes; which operators torch's run_decompositions() makes of it, depending
    on its arguments (None: not known)."""

    target: str
    nodes: int
    missing: str | None
    missing_nodes: list[str]
    decomposes_to: list[str] | None


@dataclass(frozen=True)
class BackwardSignature:
    gradients_to_parameters: dict[str, str]
    gradients_to_user_inputs: dict[str, str]
    loss_output: str


UserValue = str | int | float | bool | None


@dataclass(frozen=True)
class Signature:
    """The properties of torch.export's ExportGraphSignature, by their names there, in torch's order."""

    parameters: list[str]
    buffers: list[str]
    non_persistent_buffers: list[str]
    lifted_tensor_constants: list[str]
    lifted_custom_objs: list[str]
    user_inputs: list[UserValue]
    user_outputs: list[UserValue]
    inputs_to_parameters: dict[str, str]
    inputs_to_buffers: dict[str, str]
    buffers_to_mutate: dict[str, str]
    parameters_to_mutate: dict[str, str]
    user_inputs_to_mutate: dict[str, str]
    inputs_to_lifted_tensor_constants: dict[str, str]
    inputs_to_lifted_custom_objs: dict[str, str]
    backward_signature: BackwardSignature | None
    assertion_dep_token: None
    input_tokens: list[str]
    output_tokens: list[str]


def signature(program: _pt2.ExportedProgram) -> Signature:
    """What the inputs and outputs of the graph stand for."""
    parts = json.loads(_pt2.signature_json(program))
    backward = parts["backward_signature"]
    parts["backward_signature"] = None if backward is None else BackwardSignature(**backward)
    return Signature(**parts)


def arguments(node: _pt2.Node) -> dict[str, _pt2.Argument]:
    """Every argument of a node by its name in the operator's schema, in that order, defaults filled in. Errors:
    DataError, if the operator is not known, or does not take what the node gives it."""
    return _pt2.arguments(node)


def verify(program_or_path: _pt2.ExportedProgram | StrPath) -> list[Finding]:
    """What is wrong with a program that its schema cannot express; of a file, all its programs, weights against records
    too. Empty: nothing. Errors: DataError, if a file cannot be read; OSError."""
    found = (
        _pt2.verify_program(program_or_path)
        if isinstance(program_or_path, _pt2.ExportedProgram)
        else _pt2.verify_file(program_or_path)
    )
    return [Finding(*parts) for parts in found]


def hash(
    program_or_path: _pt2.ExportedProgram | StrPath, *, weights: bool = False, progress: Progress | None = None
) -> str:
    """The content hash, "sha256:...": the same for programs that differ in names and in the order of independent nodes
    only. weights: of the tensors of a file, too, and meanwhile progress(done, total) is called, of bytes. Errors:
    DataError, OSError; TypeError for `weights` of a program, which has none."""
    if not weights:
        return _pt2.content_hash(program_or_path)
    if isinstance(program_or_path, _pt2.ExportedProgram):
        raise TypeError("hash(weights=True) needs the path of an archive: a program has no tensors")
    return _pt2.hash_with_weights(program_or_path, progress)


def diff(a: _pt2.ExportedProgram | StrPath, b: _pt2.ExportedProgram | StrPath) -> list[Difference]:
    """What changed from `a` to `b`, beside names of values and the order of independent nodes. Errors: DataError,
    OSError."""
    return [Difference(*parts) for parts in _pt2.diff(a, b)]


def stats(
    program: _pt2.ExportedProgram | StrPath,
    bind: Mapping[str, int] | None = None,
    *,
    by: Literal["operator", "module", "node"] = "operator",
) -> dict[str, object]:
    """What a program costs: {"parameters", "parameter_bytes", "buffer_bytes", "multiply_adds", "not_counted":
    {operator: nodes}, "value_bytes", "peak_bytes", "by": [{"name", "nodes", "multiply_adds", "bytes"}]}. Numbers that
    depend on symbols are texts, unless `bind` gives their values, as {"s0": 8}. Errors: ValueError for a
    symbol that the program does not have; DataError, OSError."""
    if by not in ("operator", "module", "node"):
        raise ValueError(f"by: expected operator, module or node, got {by!r}")
    try:
        bound = {text("bind", symbol): operator.index(value) for symbol, value in dict(bind or {}).items()}
    except TypeError:
        raise TypeError(f"bind: expected ints by the names of symbols, got {bind!r}") from None
    found: dict[str, object] = json.loads(_pt2.stats_json(program, bound, by))
    return found


def operators(program: _pt2.ExportedProgram | StrPath) -> dict[str, int]:
    """The operators that are called, and how often: the most frequent first."""
    return dict(_pt2.operators(program))


def operator_report(
    program: _pt2.ExportedProgram | StrPath,
    torch: str | Iterable[str] | None = None,
) -> list[OperatorUse]:
    """The operators that are called, and which of them something else lacks.

    torch: a release, "2.6"; "core-aten": Core ATen; or the names of what a backend has, ["aten.add.Tensor", "aten.mul"].
    Errors: ValueError, DataError.
    """
    release: str | None = None
    listed: str | None = None
    if isinstance(torch, str) and torch != "core-aten":
        release = torch
    elif torch is not None:
        listed = torch if isinstance(torch, str) else "\n".join(names("torch", torch))
    return [
        OperatorUse(target, nodes, missing or None, missing_nodes, decomposes_to)
        for target, nodes, missing, missing_nodes, decomposes_to in _pt2.operator_report(program, release, listed)
    ]


def scan(path: StrPath) -> list[Finding]:
    """What in a file could run code when torch loads it, by what torch does with each record; nothing is loaded. Findings
    of level "note" cannot run code. Errors: DataError, if it is nothing that torch loads; OSError."""
    return [Finding(*parts) for parts in _pt2.scan(path)]


def harden(
    path: StrPath, out: StrPath, *, drop_native: bool = False, progress: Progress | None = None
) -> dict[str, str]:
    """Writes the archive `path` to `out` with nothing in it that could run code, and returns what was left out, and
    why, by record; for a program, which calls could not be made those of today's torch. drop_native: compiled models are left out, too. progress: called as progress(done, total), of bytes.
    The file appears whole or not at all. Errors: DataError, which names what the model needs and only a pickle can hold;
    OSError."""
    return dict(_pt2.harden(path, out, drop_native, progress))


def show(program: _pt2.ExportedProgram | StrPath) -> str:
    """The graph as readable text, a node a line, subgraphs indented."""
    return _pt2.show(program)


def view(path_or_program: _pt2.ExportedProgram | StrPath, *, progress: Progress | None = None) -> str:
    """A page of HTML to look at the graph in a browser without a network; of an archive, with what its weights hold, for
    which all of them are read: meanwhile progress(done, total) is called, of bytes."""
    if isinstance(path_or_program, _pt2.ExportedProgram):
        return _pt2.view_program(path_or_program)
    return _pt2.view_file(os.fspath(path_or_program), progress)
