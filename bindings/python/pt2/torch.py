"""Loads programs into torch and saves them, without running a pickle.

Unlike torch.export.load(), this module does not execute anything in the .pt2 file. It reads and checks the program,
upgrades it if torch would reject or misread it (torch 2.1 to 2.5, and some programs from 2.6), and builds the same
ExportedProgram as torch, about ten times as fast. Weights and constants are tensors backed by a mapping of the file.

This is the package's only module that imports torch. It is tested with torch 2.9 to 2.15. In torch up to 2.10, if torch lacks
something that this module needs, and for programs with extension operators or verifiers, torch's deserializer builds the
program from dataclasses; the logger pt2.torch reports each reason once, at level INFO. Importing the module raises ImportError
if the release of torch has a different deserializer.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import importlib
import logging
import os
import shutil
import tempfile
import threading
import warnings
from collections.abc import Generator
from typing import IO, TYPE_CHECKING, Any

try:
    import torch
except ImportError as error:
    raise ImportError("pt2.torch needs torch: pip install torch", name="torch") from error

from torch.utils.dlpack import from_dlpack

from pt2 import _pt2
from pt2.arrays import plain
from pt2.display import bar
from pt2.program import Progress, StrPath, scratch_folder
from pt2.reports import verify
from pt2.sources import local_path

if TYPE_CHECKING:
    from pt2.sources import Source

__all__ = ["load", "save"]

_TESTED = "2.13"

try:
    from torch._export.serde import schema as _schema
    from torch._export.serde.serialize import ExportedProgramDeserializer as _Deserializer

    _torch_dataclasses: Any = importlib.import_module("pt2._torch_dataclasses")
except ImportError as error:
    raise ImportError(f"torch {torch.__version__} lacks the deserializer that pt2.torch needs; hint: use torch {_TESTED}") from error

if _schema.SCHEMA_VERSION[0] != _pt2.schema_version[0]:
    raise ImportError(
        f"pt2.torch: expected a torch with schema version {_pt2.schema_version[0]}, such as {_TESTED}; torch {torch.__version__} has "
        f"{_schema.SCHEMA_VERSION[0]}"
    )

_log = logging.getLogger(__name__)

_torch_program: Any = None
_torch_archive: Any = None
_why_slow = ""
_reported: set[str] = set()
try:
    _torch_program = importlib.import_module("pt2._torch_program")
    _torch_archive = importlib.import_module("pt2._torch_archive")
except (AttributeError, ImportError) as error:
    _why_slow = str(error)

# torch's deserializer fails if it runs twice at once, and there is only one garbage collector to switch off.
_lock = threading.RLock()


def load(
    f: Source,
    *,
    extra_files: dict[str, Any] | None = None,
    expected_opset_version: dict[str, int] | None = None,
    model: str | None = None,
    device: torch.device | str | None = None,
    mmap: bool = True,
    progress: Progress | None = None,
) -> torch.export.ExportedProgram:
    """Returns the program in an archive with its weights, as torch.export.load() does, but without running a pickle.

    f: the archive, as in pt2.load(): a path, bytes, a seekable file object, or a URL.
    extra_files: a dict to which the archive's extra files are added, name to text.
    expected_opset_version: ignored, as by torch.
    model: the name of the program, required if the archive has several.
    device: the device to move the program, its weights and its example inputs to.
    progress: a function that is called as progress(done, total), in bytes.

    Large weights are private mappings of the file, small ones are copied. They can be trained or changed: this takes
    memory for the changed pages and does not write to the file. Mapped weights are read when they are used. Checksums
    are not verified. The file must not be truncated while weights are alive. With mmap=False, this function verifies the
    checksums and copies the weights. Archives that are not given as a path are read completely.

    Example inputs are loaded if they are plain values and tensors. Otherwise, they are omitted with a UserWarning,
    whereas torch would run their pickle.

    Raises OSError if the file cannot be read. Raises pt2.DataError if the file is not valid, if it contains something
    that only Python's pickle can load (custom objects or tensor subclasses, which the message names, except for
    torchao's classes if torchao is imported), or if it contains text that torch would run as code (expressions, guards
    or names; the message names the rule of `pt2 scan`). Also raises whatever torch's deserializer raises.
    """
    with local_path(f) as path:
        program, state, constants, inputs, reason = _pt2.load_for_torch(
            path, model, torch, _Tensors(device).make, mmap, bar(progress)
        )
        if extra_files is not None:
            extra_files.update(_pt2.extra_files(path))
    if device is not None:
        program = _pt2.retarget(program, str(device), None, None, [], False)
    if reason is not None:
        warnings.warn(f"{os.fspath(path)}: example inputs were left out: {reason}", stacklevel=2)
    with _lock, _without_collector():
        return _exported_program(program, state, constants, inputs)


def _exported_program(
    program: _pt2.ExportedProgram, state: dict[str, Any], constants: dict[str, Any], inputs: Any
) -> torch.export.ExportedProgram:
    if _torch_program is None:
        _report_slow(_why_slow)
    else:
        try:
            made: torch.export.ExportedProgram = _torch_program.build(program, state, constants, inputs)
            return made  # noqa: TRY300
        except Exception as error:
            is_supported = not isinstance(error, _torch_program.Unsupported)
            if is_supported and (wrong := next((found for found in verify(program) if found.level == "error"), None)):
                raise _pt2.DataError(str(wrong)) from error
            _report_slow(str(error))
    return _Deserializer().deserialize(_torch_dataclasses.as_dataclasses(program), state, constants, inputs)


def _report_slow(why: str) -> None:
    if why not in _reported:
        _reported.add(why)
        _log.info("torch's deserializer builds programs, which takes ten times as long: %s", why)


@contextlib.contextmanager
def _without_collector() -> Generator[None, None, None]:
    """Disables the garbage collector, which would scan all objects repeatedly while many are created."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def save(
    ep: torch.export.ExportedProgram,
    f: StrPath | IO[bytes],
    *,
    extra_files: dict[str, Any] | None = None,
    opset_version: dict[str, int] | None = None,
    pickle_protocol: int = 2,
) -> None:
    """Writes a program and its weights to an archive that torch.export.load() and load() can read.

    f: a path that ends in .pt2, or a file object that is open for writing bytes. As by torch.export.save(), a seekable
        object is left at its start.
    extra_files: names and texts of files to add to the archive.
    opset_version: ignored, as by torch.
    pickle_protocol: ignored, because pickles are rewritten.

    The archive is the same as the output of torch.export.save(), but without pickled objects. Example inputs are kept
    if they are plain values and tensors. A path is written either completely or not at all. While an archive is written,
    it needs twice its size on disk.

    Raises ValueError unless a path ends in .pt2. Raises pt2.DataError if the program has something that only Python's
    pickle can load; the message names it. Raises OSError if the file cannot be written. Also raises whatever torch's
    serializer raises.
    """
    if not isinstance(f, (str, os.PathLike)):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "whole.pt2")
            save(ep, name, extra_files=extra_files)
            with open(name, "rb") as whole:
                shutil.copyfileobj(whole, f)
        if f.seekable():
            f.seek(0)
        return
    name = os.fspath(f)
    if not name.endswith(".pt2"):
        raise ValueError(f"{name}: the name must end in .pt2")
    with scratch_folder(name) as folder:
        written = os.path.join(folder, "written.pt2")
        ep = _with_plain_tensors(ep)
        with _lock, _without_collector():
            write = torch.export.save if _torch_archive is None else _torch_archive.write
            write(ep, written, extra_files=extra_files)
        _pt2.harden(written, name, False, True, None)


def _with_plain_tensors(ep: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """Returns a program without lazy views, whose bytes torch would write without their conjugate or negative bits."""

    def changed(tensors: dict[str, Any]) -> dict[str, Any]:
        lazy = {name: each for name, each in tensors.items() if isinstance(each, torch.Tensor) and (each.is_conj() or each.is_neg())}
        return {
            name: torch.nn.Parameter(plain(name, each), each.requires_grad) if isinstance(each, torch.nn.Parameter) else plain(name, each)
            for name, each in lazy.items()
        }

    state, constants = changed(ep.state_dict), changed(ep.constants)
    if not state and not constants:
        return ep
    ep = copy.copy(ep)
    ep._state_dict = {**ep.state_dict, **state}  # pyright: ignore[reportPrivateUsage]
    ep._constants = {**ep.constants, **constants}  # pyright: ignore[reportPrivateUsage]
    return ep


class _Tensors:
    """Creates the tensors of a file. Tensors that share a storage in the file also share one in torch."""

    def __init__(self, device: torch.device | str | None) -> None:
        self._device = None if device is None else str(torch.device(device))
        self._storages: dict[tuple[int, str], torch.UntypedStorage] = {}
        self._whole: dict[tuple[int, str, str], torch.Tensor] = {}

    def make(
        self,
        array: Any,
        dtype: str,
        shape: tuple[int, ...],
        stride: tuple[int, ...],
        offset: int,
        requires_grad: bool,
        is_parameter: bool,
        is_pickled: bool,
        device: str,
    ) -> torch.Tensor:
        """Returns a tensor. `array` has the bytes of its storage and is the same object for all tensors that share the
        storage.
        """
        kind = getattr(torch, dtype)
        device = self._device or device
        if is_pickled:
            storage = self._storage(array, device)
            tensor = torch.empty(0, dtype=kind, device=device).set_(storage, offset, shape, stride)  # type: ignore[call-overload, unused-ignore]
        else:
            # As in torch, a tensor that covers its storage is not a view.
            key = (id(array), device, dtype)
            if key not in self._whole:
                storage = self._storage(array, device)
                size = storage.nbytes() // kind.itemsize
                self._whole[key] = torch.empty(0, dtype=kind, device=device).set_(storage, 0, (size,), (1,))  # type: ignore[call-overload, unused-ignore]
            tensor = self._whole[key].as_strided(shape, stride, offset)
        if is_parameter:
            return torch.nn.Parameter(tensor, requires_grad=requires_grad)
        return tensor.requires_grad_() if requires_grad else tensor

    def _storage(self, array: Any, device: str) -> torch.UntypedStorage:
        key = (id(array), device)
        if key not in self._storages:
            given = from_dlpack(array)
            # torch expects empty storages to have no address.
            self._storages[key] = given.to(device, copy=given.numel() == 0).untyped_storage()
        return self._storages[key]
