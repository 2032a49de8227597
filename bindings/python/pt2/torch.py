"""Loads programs into torch and saves them, without running a pickle.

Like torch.export.load(), but nothing in the .pt2 file is executed: this library reads and checks the program, upgrades older
schemas (torch 2.1 to 2.5, which torch rejects), and passes it to torch's deserializer as dataclasses. Weights and constants
are tensors on a mapping of the file.

Only this module of the package imports torch. It is tested with torch 2.13. Other releases with schema version 8 and the same
deserializer are accepted; importing the module with any other release raises ImportError.
"""

from __future__ import annotations

import os
import warnings
from typing import Any, cast

try:
    import torch
except ImportError as error:
    raise ImportError("pt2.torch needs torch: pip install torch", name="torch") from error

from torch.utils.dlpack import from_dlpack

from pt2 import _pt2
from pt2.program import Progress, StrPath, scratch_folder

__all__ = ["load", "save"]

_SCHEMA_MAJOR = 8
_TESTED = "2.13"

try:
    from torch._export.serde import schema as _schema
    from torch._export.serde.serialize import ExportedProgramDeserializer as _Deserializer
    from torch._export.serde.union import _UnionTag  # pyright: ignore[reportPrivateUsage]
except ImportError as error:
    raise ImportError(f"pt2.torch is tested with torch {_TESTED}; torch {torch.__version__} lacks its deserializer") from error

if _schema.SCHEMA_VERSION[0] != _SCHEMA_MAJOR:
    raise ImportError(
        f"pt2.torch: expected a torch with schema version {_SCHEMA_MAJOR}, such as {_TESTED}; torch {torch.__version__} has "
        f"{_schema.SCHEMA_VERSION[0]}"
    )


def load(
    path: StrPath, *, model: str | None = None, progress: Progress | None = None
) -> torch.export.ExportedProgram:
    """Returns the program in an archive with its weights, like torch.export.load(), without running a pickle.

    model: the name of the program if the archive has several. progress: called with (done, total) in bytes.

    Weights are on a private mapping of the file: they can be trained or changed, which takes memory for changed pages and does
    not write to the file. The file must not be truncated while they are alive. Loading reads all weights once to verify their
    checksums.

    Example inputs are loaded if they are plain values and tensors. Otherwise they are omitted with a UserWarning, where torch
    would run their pickle.

    Raises OSError; pt2.DataError if the file cannot be read, contains something that only a pickle can represent (custom
    objects, tensor subclasses; named in the message), or contains text that torch would run as code (expressions, guards,
    names; with the rule of `pt2 scan`); and errors of torch's deserializer.
    """
    make_tag = cast(Any, _UnionTag).create  # not typed
    program, state, constants, inputs, reason = _pt2.load_for_torch(
        path, model, torch, _schema, make_tag, _make_tensor, progress
    )
    if reason is not None:
        warnings.warn(f"{os.fspath(path)}: example inputs were left out: {reason}", stacklevel=2)
    return _Deserializer().deserialize(program, state, constants, inputs)


def save(exported: torch.export.ExportedProgram, path: StrPath) -> None:
    """Writes a program with its weights to an archive that torch.export.load() and load() can read.

    The archive is the output of torch.export.save() without pickled objects. Example inputs are kept if they are plain values
    and tensors. The file is written completely or not at all, and temporarily needs twice its size on disk.

    Raises ValueError unless the path ends in .pt2; pt2.DataError for something that only a pickle can represent, with its name;
    OSError; and errors of torch's serializer.
    """
    name: str = os.fspath(path)
    if not name.endswith(".pt2"):
        raise ValueError(f"{name}: the name must end in .pt2")
    with scratch_folder(name) as folder:
        written = os.path.join(folder, "written.pt2")
        torch.export.save(exported, written)
        _pt2.harden(written, name, False, None)


def _make_tensor(
    storage: Any,
    dtype: str,
    shape: tuple[int, ...],
    stride: tuple[int, ...],
    offset: int,
    requires_grad: bool,
    is_parameter: bool,
    device: str,
) -> torch.Tensor:
    """Returns a view of a storage, an array of bytes. Without one, returns zeros."""
    kind = getattr(torch, dtype)
    if storage is None:
        tensor = torch.empty_strided(shape, stride, dtype=kind).zero_()
    else:
        data = from_dlpack(storage)
        tensor = torch.empty(0, dtype=kind).set_(data.untyped_storage(), offset, shape, stride)  # type: ignore[call-overload, unused-ignore]
    if device != "cpu":
        tensor = tensor.to(device)
    if is_parameter:
        return torch.nn.Parameter(tensor, requires_grad=requires_grad)
    return tensor.requires_grad_() if requires_grad else tensor
