"""Files that are open: their tensors as arrays, without a copy; and archives written from arrays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any

from pt2 import _pt2
from pt2._pt2 import FileTensor, OpenFile
from pt2.program import ExportedProgram, Progress, StrPath, kept_of, own, scratch_folder, text, whole

__all__ = ["File", "Tensor", "open", "save"]

_CPU = (1, 0)  # as DLPack has it

# What numpy has only by the package ml_dtypes, by the names that torch has for them, which are also that package's.
_ML_DTYPES = ("bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu")


class Tensor:
    """A parameter, buffer or constant of a file, whose bytes stay there until they are asked for.

    It keeps the file's mapping alive, as do the arrays that are made of it; also after the file was closed.
    Use it as an array (`numpy.asarray(tensor)`, `torch.from_dlpack(tensor)`), or call `numpy()`.
    """

    __slots__ = ("_native",)

    def __init__(self, native: FileTensor) -> None:
        self._native = native

    @property
    def name(self) -> str:
        """In the model: "layer.weight"."""
        return self._native.name

    @property
    def kind(self) -> str:
        """ "parameter", "buffer" or "constant"."""
        return self._native.kind

    @property
    def dtype(self) -> str:
        """As torch calls it: "float32"."""
        return self._native.dtype

    @property
    def device(self) -> str:
        """Where the program has it: "cpu", "cuda:0". What is read from the file is in the memory of the CPU."""
        return self._native.device

    @property
    def shape(self) -> tuple[int, ...]:
        """In elements."""
        return self._native.shape

    @property
    def stride(self) -> tuple[int, ...]:
        """Of each dimension, in elements; 0: expanded."""
        return self._native.stride

    @property
    def offset(self) -> int:
        """Of the first element, in elements from the start of the storage, which tensors can share."""
        return self._native.offset

    @property
    def nbytes(self) -> int:
        """Bytes of all elements, one after the other."""
        return self._native.nbytes

    def numpy(self) -> Any:
        """The elements as a read-only numpy array: a view of the file's mapping, with its strides, where the bytes are
        stored; of records that are compressed, a view of what was inflated.

        bfloat16 and float8 are arrays of the dtypes of the package ml_dtypes. The record's checksum is verified when its
        bytes are first asked for, which reads all of it.

        Errors: ImportError without numpy, or without ml_dtypes where it is needed; TypeError for complex32, which numpy
        has not; DataError if the record is damaged, or its bytes were left out (`pt2 strip`).
        """
        try:
            import numpy
        except ImportError as error:
            raise ImportError("arrays need numpy: pip install libpt2[numpy]", name="numpy") from error

        dtype = self.dtype
        if dtype == "complex32":
            raise TypeError(f"tensor '{self.name}' is complex32, which numpy does not have: take it by DLPack, as with torch.from_dlpack()")
        if dtype not in _ML_DTYPES:
            return numpy.asarray(self._native.data())
        try:
            import ml_dtypes  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError as error:
            raise ImportError(
                f"tensor '{self.name}' is {dtype}, which numpy has only by the package ml_dtypes: install it, or take the "
                "tensor by DLPack, as with torch.from_dlpack()",
                name="ml_dtypes",
            ) from error
        array: Any = numpy.asarray(self._native.data())
        return array.view(getattr(ml_dtypes, dtype))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError("another dtype cannot be had without a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule for another library's from_dlpack(): a view of the same bytes as numpy(), marked as read-only where
        the consumer takes capsules of DLPack 1.0 (`max_version`).

        The file cannot be changed by it: what a consumer writes all the same, as torch does not look at the mark, it
        writes to a copy of the page that only this process has, and that the arrays of this file then show.
        copy=True gives a copy in row-major order.

        Errors: BufferError for another device, and for tensors that are big-endian; those of numpy().
        """
        if dl_device is not None and tuple(dl_device) != _CPU:
            raise BufferError(f"the bytes of a file are in the memory of the CPU, and can be given to no other device: {dl_device}")
        return self._native.dlpack(bool(copy), max_version)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU

    def __repr__(self) -> str:
        return f"<pt2.Tensor {self.name!r}: {self.dtype}{list(self.shape)}, {self.kind}>"


class File:
    """A file that open() opened: what it holds, and its tensors by name. To be used in one thread at a time."""

    def __init__(self, path: StrPath, *, model: str | None = None) -> None:
        self._native = OpenFile(path, model if model is None else text("model", model))
        self._loaded: tuple[ExportedProgram, tuple[int, int]] | None = None
        self._tensors: dict[str, Tensor] | None = None

    def __enter__(self) -> File:
        self._require_open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Tensors and arrays that were taken from the file stay valid, and keep its mapping until they are gone."""
        self._native.close()
        self._loaded = None
        self._tensors = None

    @property
    def closed(self) -> bool:
        return self._native.closed

    @property
    def container(self) -> str:
        """ "pt2_archive" (torch 2.8 and later), "old_zip" (up to 2.7), "json" or "pt2b"."""
        return self._native.container

    @property
    def models(self) -> list[str]:
        """The names of the models of an archive, in its order."""
        return self._native.models

    @property
    def schema_version(self) -> tuple[int, int]:
        """That the program in the file states; `program` has another one if it had to be upgraded."""
        return self._load()[1]

    @property
    def program(self) -> ExportedProgram:
        """The program, as pt2.load() reads it; the same object each time. Errors: DataError."""
        return self._load()[0]

    def keys(self) -> list[str]:
        """The names of all tensors, in the order of the archive: weights, then constants. Those of which a tensor of a
        class of its own is made (torchao's) have names such as "layer.weight.qdata". Errors: DataError, also where the
        file is no archive, and so has no tensors."""
        return list(self._named())

    def tensor(self, name: str) -> Tensor:
        """The tensor of that name. Errors: KeyError if there is none; those of keys()."""
        return self._named()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named())

    def __contains__(self, name: object) -> bool:
        return name in self._named()

    def __len__(self) -> int:
        return len(self._named())

    def _require_open(self) -> None:
        if self.closed:
            raise ValueError("the file is closed")

    def _load(self) -> tuple[ExportedProgram, tuple[int, int]]:
        self._require_open()
        if self._loaded is None:
            program, version = self._native.load()
            self._loaded = (own(program), version)
        return self._loaded

    def _named(self) -> dict[str, Tensor]:
        self._require_open()
        if self._tensors is None:
            self._tensors = {native.name: Tensor(native) for native in self._native.tensors()}
        return self._tensors


def open(path: StrPath, *, model: str | None = None) -> File:  # noqa: A001
    """Opens a file to look at what it holds; use it with `with`. Reads the directory of the archive, no weights.

        with pt2.open("model.pt2") as file:
            for name in file.keys():
                print(name, file.tensor(name).shape)

    model: which one of an archive that has several.
    Errors: OSError with errno and filename; DataError if the file is no program, nor an archive of one; ValueError if it
    has no such model, and by all that is asked of a file that is closed.
    """
    return File(path, model=model)


def save(
    program: ExportedProgram,
    path: StrPath,
    *,
    like: StrPath | None = None,
    tensors: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> None:
    """Writes a program, as the ending of the path says: .json, .pt2b or .pt2, which is an archive with its tensors.

    like: the archive that the program comes from, of which a copy is written: its weights, sample inputs and extra files.
    tensors: arrays by the names that the program's signature has (`pt2.signature(program).parameters` and so on), of the
    dtype and shape that its graph has: numpy arrays, tensors of torch or of pt2.open(), or whatever has `__dlpack__` or
    `__array__`. Without `like`, all of them: an archive is written from nothing. With it, those that are not given are
    those of `like`. One array under several names is written once.
    progress: called as progress(done, total) while bytes of tensors are gone through, at most twenty times
    a second; what it raises ends the work.

    The file appears whole or not at all, and may be `like`.
    Errors: ValueError if the ending is another one, an archive is to be written without tensors, or `tensors` are given
    and something of a newer schema was kept, see load(); TypeError for what is no array; DataError if tensors are missing, differ in dtype or shape, or have names that the program has not; OSError.
    """
    arrays = [(text("tensors", name), *_as_array(name, array)) for name, array in dict(tensors or {}).items()]
    if tensors is not None and not os.fspath(path).endswith(".pt2"):
        raise ValueError(f"{os.fspath(path)}: only archives, .pt2, hold tensors")
    if like is None and tensors is None and os.fspath(path).endswith(".pt2"):
        raise ValueError(f"{os.fspath(path)}: an archive holds weights: pass `like`, the archive that the program comes from, or `tensors`")
    if not arrays:
        _pt2.save_file(program, path, like, arrays, "", kept_of(program), progress)
    elif like is None:
        _pt2.save_file(whole(program), path, like, arrays, "", None, progress)
    else:
        with scratch_folder(path) as scratch:
            _pt2.save_file(whole(program), path, like, arrays, os.path.join(scratch, "program.pt2"), None, progress)


def _as_array(name: str, array: Any) -> tuple[Any, str | None]:
    """What can be given by DLPack, and the name of the dtype that it stands for, if it is not its own."""
    if hasattr(array, "detach"):  # of torch, which gives no tensor that wants gradients
        array = array.detach()
    if not hasattr(array, "__dlpack__"):
        if not hasattr(array, "__array__"):
            raise TypeError(f"tensors[{name!r}]: expected an array, got {type(array).__name__}")
        array = array.__array__()
    dtype: Any = getattr(array, "dtype", None)
    dtype_name = getattr(dtype, "name", None)
    if dtype_name in _ML_DTYPES:  # of numpy, which does not give them by DLPack
        return array.view(f"u{array.itemsize}"), dtype_name
    if getattr(dtype, "isnative", True) is False:
        array = array.astype(dtype.newbyteorder("="))
    return array, None
