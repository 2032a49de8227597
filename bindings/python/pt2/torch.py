"""Programs for torch: loaded and saved without running a pickle.

What torch.export.load() does with a .pt2 file, of which nothing is run: the program is read and checked by this library,
upgraded if its schema is an older one (torch 2.1 to 2.5, which torch refuses), and handed to torch's own deserializer as
its dataclasses; weights and constants are tensors on the file's mapping.

This module imports torch, others of the package do not. It is tested with torch 2.13; releases whose schema has the same
major version, 8, and the same deserializer are tried, others are refused by ImportError.
"""

from __future__ import annotations

import os
import warnings
from typing import Any, cast

try:
    import torch
except ImportError as error:
    raise ImportError("pt2.torch needs torch, which the rest of pt2 does not: pip install torch", name="torch") from error

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
    raise ImportError(f"pt2.torch is tested with torch {_TESTED}; torch {torch.__version__} has no such deserializer") from error

if _schema.SCHEMA_VERSION[0] != _SCHEMA_MAJOR:
    raise ImportError(
        f"pt2.torch is tested with torch {_TESTED}, whose schema has the major version {_SCHEMA_MAJOR}; that of torch "
        f"{torch.__version__} has {_schema.SCHEMA_VERSION[0]}"
    )


def load(
    path: StrPath, *, model: str | None = None, progress: Progress | None = None
) -> torch.export.ExportedProgram:
    """The program of an archive with its weights, as torch.export.load() gives it, without running a pickle.

    model: which one of an archive that has several. progress: called as progress(done, total), of bytes.

    Weights are on a mapping of the file, private to the process: they can be trained or changed, which takes memory for
    what is changed and leaves the file as it is. The file must not be truncated while they live. Their checksums are
    verified, for which all of them are read once.

    Example inputs are there if they are plain values and tensors; else there are none, which a UserWarning says, where
    torch would run the pickle that they are in.

    Errors: OSError; pt2.DataError if the file is none that can be read, if it holds what only a pickle can hold (custom
    objects, tensors of classes of their own), by its name, or texts that torch would run as code (expressions, guards,
    names), by the rule of `pt2 scan`; those of torch's deserializer.
    """
    make_tag = cast(Any, _UnionTag).create  # not typed
    program, state, constants, inputs, reason = _pt2.load_for_torch(
        path, model, torch, _schema, make_tag, _make_tensor, progress
    )
    if reason is not None:
        warnings.warn(f"{os.fspath(path)}: example inputs were left out: {reason}", stacklevel=2)
    return _Deserializer().deserialize(program, state, constants, inputs)


def save(exported: torch.export.ExportedProgram, path: StrPath) -> None:
    """Writes a program with its weights as an archive that torch.export.load() and load() read: what torch.export.save()
    writes, made anew without pickles of objects. Example inputs are kept if they are plain values and tensors.

    The file appears whole or not at all. Takes room for two of it on the disk.
    Errors: ValueError unless the path ends in .pt2; pt2.DataError for what only a pickle can hold, by its name; OSError;
    those of torch's serializer.
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
    """A view of a storage, which is an array of bytes; None: zeros."""
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
