"""Creates reports about programs and files."""

from __future__ import annotations

import json
import operator
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from pt2 import _pt2
from pt2.display import bar, table
from pt2.program import Progress, StrPath, names, optional_text, text, whole
from pt2.sources import local_path, path_of_one

if TYPE_CHECKING:
    from pt2.sources import Source

# Without hash(), which would hide the builtin.
__all__ = [
    "CompiledModel",
    "Difference",
    "Finding",
    "Info",
    "InfoValue",
    "OperatorUse",
    "Package",
    "Rule",
    "ScanFinding",
    "Signature",
    "Stats",
    "StatsRow",
    "TensorCount",
    "arguments",
    "check",
    "diff",
    "explain",
    "export",
    "harden",
    "info",
    "operator_report",
    "operators",
    "rules",
    "scan",
    "show",
    "signature",
    "stats",
    "verify",
    "view",
]

class InfoValue(TypedDict):
    """An input or output of the user. `constant` is its value if the export fixed it."""

    name: str
    type: str
    constant: str | None


class TensorCount(TypedDict):
    """Numbers of tensors, elements and bytes. `unsized` tensors, whose sizes depend on symbols, count in neither."""

    tensors: int
    elements: int
    bytes: int
    unsized: int


class CompiledModel(TypedDict):
    """A model that AOTInductor compiled. `metadata` has keys such as "device", "platform", "machine" and "cpu_isa".
    `inputs` and `outputs` are empty if the package does not contain the generated source.
    """

    name: str
    metadata: dict[str, str]
    inputs: list[str]
    outputs: list[str]


class Package(TypedDict):
    """The names of the models, files and records that an archive contains besides programs and weights."""

    aotinductor: list[str]
    compiled: list[CompiledModel]
    executorch: list[str]
    sample_inputs: list[str]
    extra: list[str]
    other: list[str]


class Info(TypedDict):
    """The result of info(). All keys are always there. Without a program, e.g. for a compiled package, everything about
    programs is None.
    """

    file: str
    container: str
    archive_version: str | None
    models: list[str]
    model: str | None
    json_bytes: int | None
    envelope: dict[str, str | int | bool] | None
    schema_version: str | None
    upgraded_from: str | None
    torch_version: str | None
    opset_version: dict[str, int] | None
    verifiers: list[str] | None
    inputs: list[InfoValue] | None
    other_inputs: dict[str, int] | None
    outputs: list[InfoValue] | None
    other_outputs: dict[str, int] | None
    parameters: TensorCount | None
    buffers: TensorCount | None
    non_persistent_buffers: TensorCount | None
    constants: TensorCount | None
    nodes: int | None
    subgraphs: int | None
    operators: dict[str, int] | None
    signature: dict[str, object] | None
    symbols: dict[str, dict[str, int | None]] | None
    guards: list[str] | None
    skipped_fields: list[str] | None
    package: Package | None


@dataclass(frozen=True)
class Finding:
    """A finding of verify() or scan().

    rule: the name of the rule, e.g. "NAME_UNDEFINED".
    level: "error", "warning" or "note".
    path: the place in the program's JSON, or an empty string.
    record: the record in the archive, without the top-level folder.
    what: the global (e.g. `posix.system`), string or member that scan() reports.
    position: the byte offset in the record.
    """

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


class Rule(TypedDict):
    """A rule of verify(), scan() and check()."""

    rule: str
    level: str
    summary: str
    explanation: str


ScanFinding = Finding  # its name before 0.3


class Findings(list[Finding]):
    """A list of findings, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        rows = [(found.level, found.rule, found.record or found.path, found.message) for found in self]
        return table(("level", "rule", "where", "message"), rows) if rows else "no findings"


@dataclass(frozen=True)
class Difference:
    """A difference between two programs. `kind` is "added", "removed" or "changed", and `part` is a part of a program,
    e.g. "nodes" or "inputs". `where` is the subgraph. `before` and `after` are the lines of the two programs, and
    `details` describes changes that the lines do not show. `at_before` and `at_after` name the places. str() returns
    the output of `pt2 diff`.

    If finite elements of a tensor differ, `largest_absolute` is the largest difference, and `largest_relative` the
    largest one relative to the element of the first program, if that is not 0. Otherwise, they are None.
    """

    kind: str
    part: str
    where: str
    before: str
    after: str
    details: list[str]
    at_before: list[str]
    at_after: list[str]
    largest_absolute: float | None
    largest_relative: float | None

    def __str__(self) -> str:
        return _pt2.difference_text(self.part, self.where, self.before, self.after, self.details)


@dataclass(frozen=True)
class OperatorUse:
    """An operator that a program calls. `target` is the operator's name, e.g. "torch.ops.aten.add.Tensor", and `nodes`
    is the number of nodes that call it. If the operator is missing, `missing` says why and `missing_nodes` names the
    nodes; otherwise, `missing` is None. `decomposes_to` lists the operators into which torch's run_decompositions() can
    turn the operator, depending on its arguments. It is None if the operator does not decompose or is unknown.
    """

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
    """A graph's signature. It has the properties of torch.export's ExportGraphSignature, in the same order."""

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
    """Returns the meaning of the graph's inputs and outputs."""
    parts = json.loads(_pt2.signature_json(program))
    backward = parts["backward_signature"]
    parts["backward_signature"] = None if backward is None else BackwardSignature(**backward)
    return Signature(**parts)


def arguments(node: _pt2.Node) -> dict[str, _pt2.Argument]:
    """Returns all arguments of a node by name, in the order of the operator's schema and including defaults. Raises
    DataError if the operator is unknown or does not accept the node's arguments.
    """
    return _pt2.arguments(node)


def verify(program_or_path: _pt2.ExportedProgram | Source, *, checksums: bool = True) -> list[Finding]:
    """Checks a program for errors that the schema does not rule out, and returns the findings. For a file, checks all
    programs in it and the records of their weights.

    checksums: whether to compare the checksum of each record in an archive. This reads the whole archive.

    Raises DataError if a file is not valid, and OSError if it cannot be read.
    """
    with local_path(program_or_path) as path:
        return Findings(Finding(*parts) for parts in _pt2.verify(path, checksums))


def hash(
    program_or_path: _pt2.ExportedProgram | Source, *, weights: bool = False, progress: Progress | None = None
) -> str:
    """Returns the content hash, e.g. "sha256:...". It is the same for programs that differ only in names and in the
    order of independent nodes.

    weights: whether to also hash the tensors of a file.
    progress: a function that is called as progress(done, total), in bytes, while tensors are hashed. True shows a
        bar.

    Raises DataError if the program is not valid, and OSError if the file cannot be read. Raises TypeError if `weights`
    is true but a program, which has no tensors, is given.
    """
    if not weights:
        with local_path(program_or_path, only="programs") as path:
            return _pt2.content_hash(path)
    if isinstance(program_or_path, _pt2.ExportedProgram):
        raise TypeError("hash(weights=True) needs the path of an archive: a program has no tensors")
    with local_path(program_or_path) as path:
        return _pt2.hash_with_weights(path, bar(progress))


def diff(
    a: _pt2.ExportedProgram | Source, b: _pt2.ExportedProgram | Source, *, weights: bool = False
) -> list[Difference]:
    """Returns the differences between `a` and `b`. Ignores the names of values and the order of independent nodes.

    weights: whether to also compare the tensors of two archives by name.

    Raises DataError if a program is not valid, and OSError if a file cannot be read. Raises TypeError if `weights` is
    true but a program, which has no tensors, is given.
    """
    if weights and (isinstance(a, _pt2.ExportedProgram) or isinstance(b, _pt2.ExportedProgram)):
        raise TypeError("diff(weights=True) needs the paths of two archives: a program has no tensors")
    only: Literal["programs"] | None = None if weights else "programs"
    with path_of_one(a, only=only) as left, path_of_one(b, only=only) as right:
        return [Difference(*parts) for parts in _pt2.diff(left, right, weights)]


class StatsRow(TypedDict):
    """The costs of an operator, module or node."""

    name: str
    nodes: int
    parameters: int
    multiply_adds: int | str
    bytes: int | str


class Stats(TypedDict):
    """The result of stats(). Numbers that depend on symbols are strings."""

    parameters: int
    parameter_bytes: int
    buffer_bytes: int
    multiply_adds: int | str
    not_counted: dict[str, int]
    value_bytes: int | str
    peak_bytes: int | None
    by: list[StatsRow]


def stats(
    program: _pt2.ExportedProgram | Source,
    bind: Mapping[str, int] | None = None,
    *,
    by: Literal["operator", "module", "node"] = "operator",
) -> Stats:
    """Returns the costs of a program as a dict of the form {"parameters", "parameter_bytes", "buffer_bytes",
    "multiply_adds", "not_counted": {operator: nodes}, "value_bytes", "peak_bytes", "by": [{"name", "nodes",
    "parameters", "multiply_adds", "bytes"}]}.

    Numbers that depend on symbols are strings, and `peak_bytes` is then None. Use `bind` to give the symbols values,
    e.g. {"s0": 8}. Tied weights count once. These are parameters with the same target and, in an archive, parameters
    that share all elements.

    Raises ValueError for an unknown symbol or for a value outside the symbol's range. Raises DataError if the program
    is not valid, and OSError if the file cannot be read.
    """
    if by not in ("operator", "module", "node"):
        raise ValueError(f"by: expected operator, module or node, got {by!r}")
    try:
        bound = {text("bind", symbol): operator.index(value) for symbol, value in dict(bind or {}).items()}
    except TypeError:
        raise TypeError(f"bind: expected a dict from symbol names to ints, got {bind!r}") from None
    with local_path(program) as path:
        found: Stats = json.loads(_pt2.stats_json(path, bound, by))
    return found


def operators(program: _pt2.ExportedProgram | Source) -> dict[str, int]:
    """Returns the number of calls to each operator, most frequent first."""
    with local_path(program, only="programs") as path:
        return dict(_pt2.operators(path))


def operator_report(
    program: _pt2.ExportedProgram | Source,
    torch: str | Iterable[str] | None = None,
) -> list[OperatorUse]:
    """Returns the operators that a program calls, and says which ones a target lacks.

    torch: the target. This is a release (e.g. "2.6"), "core-aten" for Core ATen, or a list of the operators that a
        backend has (e.g. ["aten.add.Tensor", "aten.mul"]).

    Warns about names in the list that no operator has. Raises ValueError for an unknown release, and DataError if the
    program or the list is not valid.
    """
    release: str | None = None
    listed: str | None = None
    if isinstance(torch, str) and torch != "core-aten":
        release = torch
    elif torch is not None:
        listed = torch if isinstance(torch, str) else "\n".join(names("torch", torch))
        for message in _pt2.unknown_names(listed) if listed != torch else ():
            warnings.warn(message, stacklevel=2)
    with local_path(program, only="programs") as path:
        return [OperatorUse(*parts) for parts in _pt2.operator_report(path, release, listed)]


def check(
    path: Source,
    *,
    policy: Literal["strict", "load", "inspect"] = "strict",
    checksums: bool = True,
) -> list[Finding]:
    """Returns everything that scan() and verify() find in a file, and a finding of the rule UNREADABLE if the file is
    not valid.

    policy: determines what is reported as an error. "strict" includes every warning, "load" includes everything
        that torch would run or reject, and "inspect" includes everything that this library cannot read.
    checksums: whether to compare the checksum of each record in an archive. This reads the whole archive.

    Raises OSError if the file cannot be read.
    """
    with local_path(path) as local:
        return Findings(Finding(*parts) for parts in _pt2.check(local, text("policy", policy), checksums))


def rules() -> list[Rule]:
    """Returns the rules of verify(), scan() and check() by name."""
    return [Rule(rule=rule, level=level, summary=summary, explanation=why) for rule, level, summary, why in _pt2.rules()]


def explain(rule: str) -> str:
    """Returns text that explains what a rule means and what to do about its findings. Raises ValueError if there is no
    such rule.
    """
    return _pt2.explain(text("rule", rule))


def scan(path: Source) -> list[Finding]:
    """Returns a finding for everything in a file that could run code when torch loads the file. Does not load anything.
    Findings of level "note" are about things that cannot run code. From file objects and URLs, large tensors are not
    read. Raises DataError if torch would not load the file, and OSError if the file cannot be read.
    """
    with local_path(path, only="scanned") as source:
        return Findings(Finding(*parts) for parts in _pt2.scan(source))


def harden(
    path: Source, out: StrPath, *, drop_native: bool = False, keep_extra: bool = False, progress: Progress | None = None
) -> dict[str, str]:
    """Writes the archive `path` to `out` without anything that could run code. Returns a dict that maps each dropped
    record, and each program with calls that could not be adapted to the current torch, to the reason.

    drop_native: whether to also drop compiled models. Otherwise, an archive with compiled models is an error.
    keep_extra: whether to keep extra files, which torch passes to its caller unchanged.
    progress: a function that is called as progress(done, total), in bytes.

    The file appears either complete or not at all. Raises DataError if the model needs something that can only be
    pickled, or if torch would reject or misread the result; the message names the cause. Raises OSError if a file
    cannot be read or written.
    """
    with local_path(path) as source:
        return dict(_pt2.harden(source, out, drop_native, keep_extra, bar(progress)))


def info(path: _pt2.ExportedProgram | Source, *, model: str | None = None) -> Info:
    """Returns the container, versions, inputs, outputs, weights, operators and signature of a program or package, as
    `pt2 info --json` prints them. Raises DataError if the file is not valid, and OSError if it cannot be read.
    """
    with local_path(path, only="programs") as local:
        is_program = isinstance(local, _pt2.ExportedProgram)
        found: Info = json.loads(_pt2.info_of_program(whole(local)) if is_program else _pt2.info(local, optional_text("model", model)))
    return found


def export(
    program_or_path: _pt2.ExportedProgram | Source, format: Literal["dot"] = "dot", *, model: str | None = None
) -> str:
    """Returns the graph in the format of another tool, e.g. "dot" for Graphviz. Raises DataError or OSError."""
    if text("format", format) != "dot":
        raise ValueError(f"format: expected 'dot', got {format!r}")
    with local_path(program_or_path, only="programs") as local:
        return _pt2.dot(local, optional_text("model", model))


def show(
    program: _pt2.ExportedProgram | Source,
    *,
    node: str | None = None,
    module: str | None = None,
    depth: int | None = None,
    fold: bool = False,
) -> str:
    """Returns the graph as text, with one node per line and indented subgraphs.

    node: the name of the only node to describe, with all its arguments, users and metadata. For a node in a subgraph,
        e.g. "getitem/true_graph_0/sin".
    module: the path of the only module to print, e.g. "layers.0".
    depth: how deep to print modules; inner modules are one line each.
    fold: whether to print only the first of several equal modules.

    Raises ValueError, with similar names, if there is no such node or module.
    """
    if depth is not None and operator.index(depth) < 0:
        raise ValueError(f"depth: expected at least 0, got {depth}")
    if node is not None and not (module is None and depth is None and not fold):
        raise ValueError("node cannot be combined with module, depth or fold")
    with local_path(program, only="programs") as path:
        return _pt2.show(path, optional_text("node", node), optional_text("module", module), depth, fold)


def view(
    path_or_program: _pt2.ExportedProgram | Source, other: Source | None = None, *, progress: Progress | None = None
) -> str:
    """Returns an HTML page that shows the graph in a browser, without network access. For an archive, the page includes
    statistics of the weights, so all weights are read. While they are read, progress(done, total) is called with
    numbers of bytes.

    other: a second file. If it is given, the page shows both graphs and their differences.
    """
    if other is not None:
        if isinstance(path_or_program, _pt2.ExportedProgram):
            raise TypeError("view() compares files: expected a path, got an ExportedProgram")
        with path_of_one(path_or_program) as a, path_of_one(other) as b:
            return _pt2.view_difference(a, b)
    with local_path(path_or_program) as path:
        return _pt2.view(path, None if isinstance(path, _pt2.ExportedProgram) else bar(progress))
