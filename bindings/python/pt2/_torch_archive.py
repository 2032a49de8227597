# type: ignore  # torch's internals are not typed
"""Writes the archive that torch.export.save() writes, byte for byte.

This module is faster than torch, which computes a canonical form of the program and discards it (this takes half of the
time or more), prints the graph for its log, converts its dataclasses to dicts field by field, and prints the same few
symbolic sizes again for each tensor.

Source: torch/_export/serde/serialize.py and torch/export/pt2_archive/_package.py of torch 2.11 to 2.15.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
from typing import Any

import torch
from torch._export.non_strict_utils import _enable_graph_inputs_of_type_nn_module
from torch._export.serde import serialize as _serialize
from torch._export.serde.union import _Union
from torch.export.exported_program import ExportedProgram
from torch.export.pt2_archive._package import (
    PT2ArchiveWriter,
    _package_constants,
    _package_extra_files,
    _package_payload_config,
    _package_state_dict,
)
from torch.export.pt2_archive.constants import (
    CONSTANTS_CONFIG_FILENAME_FORMAT,
    MODELS_FILENAME_FORMAT,
    SAMPLE_INPUTS_FILENAME_FORMAT,
    WEIGHTS_CONFIG_FILENAME_FORMAT,
)

_MODEL = "model"


class _Unprinted(torch.fx.GraphModule):
    """Replaces a graph module and has its attributes, but prints nothing: torch's serializer would print the graph for
    a log message.
    """

    def __new__(cls, module: torch.fx.GraphModule) -> _Unprinted:
        made = object.__new__(cls)
        made.__dict__ = module.__dict__
        return made

    def __init__(self, module: torch.fx.GraphModule) -> None:
        pass

    def print_readable(self, **keywords: Any) -> str:
        return ""


def write(exported: ExportedProgram, path: str, *, extra_files: dict[str, Any] | None = None) -> None:
    """Writes the archive. Raises whatever torch's serializer raises, but skips torch's check that a canonical form
    exists.
    """
    if not isinstance(exported, ExportedProgram):
        raise TypeError(f"expected an ExportedProgram, got {type(exported).__name__}")
    with PT2ArchiveWriter(path) as archive:
        weights = _package_state_dict(_MODEL, exported, archive)
        _package_payload_config(archive, weights, WEIGHTS_CONFIG_FILENAME_FORMAT.format(_MODEL))
        constants = _package_constants(_MODEL, exported, archive)
        _package_payload_config(archive, constants, CONSTANTS_CONFIG_FILENAME_FORMAT.format(_MODEL))
        with _enable_graph_inputs_of_type_nn_module(exported.example_inputs):
            program = _program(exported)
            inputs = _serialize.serialize_torch_artifact(exported.example_inputs, _serialize.DEFAULT_PICKLE_PROTOCOL)
        archive.write_bytes(MODELS_FILENAME_FORMAT.format(_MODEL), _json(program))
        archive.write_bytes(SAMPLE_INPUTS_FILENAME_FORMAT.format(_MODEL), inputs)
        _package_extra_files(archive, extra_files)


def _program(exported: ExportedProgram) -> Any:
    exported.validate()
    serializer = _serialize.GraphModuleSerializer(exported.graph_signature, exported.module_call_graph)
    serializer.serialize_tensor_output = _TensorTypes(serializer).add
    module = serializer.serialize(_Unprinted(exported.graph_module))
    for name in serializer.custom_objs:
        if name in exported.constants:
            raise AssertionError(f"two constants are named {name!r}")
    major, minor = _serialize.SCHEMA_VERSION
    return _serialize.ExportedProgram(
        graph_module=module,
        opset_version={"aten": torch._C._get_max_operator_version()},
        range_constraints=_serialize.serialize_range_constraints(exported.range_constraints),
        schema_version=_serialize.SchemaVersion(major=major, minor=minor),
        verifiers=[verifier.dialect for verifier in exported.verifiers],
        torch_version=torch.__version__,
        guards_code=exported._guards_code,
    )


class _TensorTypes:
    """Describes tensors as dicts. Replaces GraphModuleSerializer.serialize_tensor_output()."""

    def __init__(self, serializer: _serialize.GraphModuleSerializer) -> None:
        self._serializer = serializer
        self._symbolic: dict[Any, Any] = {}

    def add(self, name: str, tensor: torch.Tensor) -> Any:
        values = self._serializer.graph_state.tensor_values
        if name in values:
            raise AssertionError(f"two values are named {name!r}")
        values[name] = {
            "dtype": _serialize._TORCH_TO_SERIALIZE_DTYPE[tensor.dtype],
            "sizes": [self._size(size) for size in tensor.shape],
            "requires_grad": tensor.requires_grad,
            "device": {"type": tensor.device.type, "index": tensor.device.index},
            "strides": [self._size(stride) for stride in tensor.stride()],
            "storage_offset": self._size(tensor.storage_offset()),
            "layout": _serialize._TORCH_TO_SERIALIZE_LAYOUT[tensor.layout],
        }
        return _serialize.TensorArgument(name=name)

    def _size(self, size: int | torch.SymInt) -> Any:
        if type(size) is int:
            return {"as_int": size}
        key = (size.node.expr, size.node.hint)
        if key not in self._symbolic:
            self._symbolic[key] = _plain(_serialize.serialize_sym_int(size))
        return self._symbolic[key]


def _json(program: Any) -> bytes:
    return json.dumps(_plain(program), cls=_serialize.EnumEncoder, allow_nan=False).encode()


_UNCHANGED = frozenset((str, int, bool, type(None)))


@functools.cache
def _names(kind: type) -> tuple[str, ...]:
    """Returns the fields of a struct, or no fields if `kind` is something else."""
    is_struct = dataclasses.is_dataclass(kind) and not issubclass(kind, _Union)
    return tuple(field.name for field in dataclasses.fields(kind)) if is_struct else ()


def _plain(value: Any) -> Any:
    """Returns the value with dicts in place of dataclasses."""
    kind = type(value)
    if kind in _UNCHANGED:
        return value
    if kind is list or kind is tuple:
        return [each if type(each) in _UNCHANGED else _plain(each) for each in value]
    if kind is dict:
        return {key: _plain(each) for key, each in value.items()}
    if kind is float:
        return value if math.isfinite(value) else _serialize._dataclass_to_dict(value)
    if isinstance(value, _Union):
        members = object.__getattribute__(value, "__dict__")
        member = members["_type"]
        return {str(member): _plain(members[member])}
    if names := _names(kind):
        members = value.__dict__
        return {name: _plain(members[name]) for name in names}
    return _serialize._dataclass_to_dict(value)
