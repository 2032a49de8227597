"""Functions that run the commands of `pt2`."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from pt2 import _pt2
from pt2._command import call, command_path
from pt2.program import ExportedProgram, StrPath, load, names, text, whole
from pt2.reports import Finding, Findings
from pt2.sources import local_path, path_of_one

if TYPE_CHECKING:
    from pt2.sources import Source

Info = dict[str, Any]


class Rule(TypedDict):
    """A rule of verify(), scan() and check()."""

    rule: str
    level: str
    summary: str
    explanation: str


def _option(name: str, value: str | None) -> list[str | bytes]:
    return [] if value is None else [f"{name}={text(name.lstrip('-'), value)}"]


def _list(name: str, values: Iterable[str]) -> list[str | bytes]:
    return [f"{name}={value}" for value in names(name.lstrip("-"), values)]


class _File:
    """The path of a program: either the given path or a temporary file that contains the program."""

    def __init__(self, program_or_path: Any) -> None:
        self._given = program_or_path
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._local: Any = None

    def __enter__(self) -> bytes:
        if not isinstance(self._given, _pt2.ExportedProgram):
            self._local = local_path(self._given)
            return command_path(self._local.__enter__())
        self._folder = tempfile.TemporaryDirectory(prefix="pt2-")
        path = os.path.join(self._folder.name, "program.json")
        with open(path, "wb") as file:
            file.write(whole(self._given).to_json())
        return os.fsencode(path)

    def __exit__(self, *error: Any) -> None:
        if self._local is not None:
            self._local.__exit__(*error)
        if self._folder is not None:
            self._folder.cleanup()


def info(path: _pt2.ExportedProgram | Source, *, model: str | None = None) -> Info:
    """Returns the container, versions, inputs, outputs, weights, operators and signature of a program or package, as
    `pt2 info --json` prints them. Raises DataError if the file is not valid, and OSError if it cannot be read.
    """
    with _File(path) as file:
        found: Info = json.loads(call("info", "--json", *_option("--model", model), file))
    return found


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
    options: list[str | bytes] = [f"--policy={text('policy', policy)}", *([] if checksums else ["--no-checksums"])]
    with local_path(path) as local:
        files = json.loads(call("check", "--format=json", *options, command_path(local)))
    return Findings(
        Finding(found["rule"], found["level"], found["path"], found["message"], found["record"], found["what"], found["offset"])
        for file in files
        for found in file["findings"]
    )


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
    options: list[str | bytes] = [*_list("--drop", drop), *(["--reproducible"] if reproducible else []), *_option("--model", model)]
    with local_path(path) as local:
        report = json.loads(call("slim", "--json", command_path(local), "-o", command_path(out), *options))
    saved: dict[str, int] = report["saved"]
    return saved


def strip(path: Source, out: StrPath, *, weights: StrPath | None = None, model: str | None = None) -> None:
    """Writes a copy of an archive without its tensors' bytes. If `weights` is given, also writes the tensors to that
    file (.safetensors or .npz). Raises DataError, OSError or ValueError.
    """
    to: list[str | bytes] = [] if weights is None else ["--weights", command_path(weights)]
    with local_path(path) as local:
        call("strip", command_path(local), "-o", command_path(out), *to, *_option("--model", model))


def attach(path: Source, weights: StrPath, out: StrPath, *, model: str | None = None) -> None:
    """Writes a copy of an archive with the tensors of a file (.safetensors or .npz), which are matched by name, dtype
    and shape. Raises DataError (with the names of the tensors that do not match), OSError or ValueError.
    """
    with path_of_one(path) as local:
        call("attach", command_path(local), command_path(weights), "-o", command_path(out), *_option("--model", model))


def export_weights(path: Source, out: StrPath, names: Iterable[str] | None = None, *, model: str | None = None) -> None:
    """Writes tensors of an archive, by default all of them, to a .safetensors or .npz file. Raises DataError, OSError
    or, for an unknown name, ValueError.
    """
    chosen = [] if names is None else _names(names)
    if names is not None and not chosen:
        raise ValueError("names: expected at least one name")
    with local_path(path) as local:
        call("weights", "-o", command_path(out), *_option("--model", model), "--", command_path(local), *chosen)


def _names(given: Iterable[str]) -> list[str]:
    return names("names", given)


def export(
    program_or_path: _pt2.ExportedProgram | Source, format: Literal["dot"] = "dot", *, model: str | None = None
) -> str:
    """Returns the graph in the format of another tool, e.g. "dot" for Graphviz. Raises DataError or OSError."""
    with _File(program_or_path) as file:
        return call("export", f"--format={text('format', format)}", *_option("--model", model), file).decode()


def rules() -> list[Rule]:
    """Returns the rules of verify(), scan() and check() by name."""
    found: list[Rule] = json.loads(call("rules", "--json"))
    return found


def explain(rule: str) -> str:
    """Returns text that explains what a rule means and what to do about its findings. Raises ValueError if there is no
    such rule.
    """
    return call("explain", "--", text("rule", rule)).decode()


def written(command: str, arguments: list[str | bytes], out: StrPath) -> ExportedProgram:
    """Runs a command that writes a program to `out`. Returns the program."""
    call(command, *arguments, "-o", command_path(out))
    return load(out)
