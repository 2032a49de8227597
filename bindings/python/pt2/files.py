"""Opens files, gives access to their tensors as arrays without copying, and writes archives from arrays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any

from pt2 import _pt2
from pt2._pt2 import FileTensor, OpenFile
from pt2.arrays import plain
from pt2.display import bar, histogram, table
from pt2.program import ExportedProgram, Progress, StrPath, optional_text, text, whole
from pt2.sources import LocalCopy, errors_of, is_path, local_path

if TYPE_CHECKING:
    from numpy import ndarray
    from typing_extensions import CapsuleType

    from pt2.sources import Source

__all__ = ["File", "Tensor", "open", "save"]

_CPU = (1, 0)  # DLPack's number

# numpy needs ml_dtypes for these; both use torch's names.
_ML_DTYPES = [name for _, name, is_in_numpy in _pt2.dtypes if not is_in_numpy and name != "complex32"]


class Tensor(FileTensor):
    """A parameter, buffer or constant in a file. Its bytes are read on demand.

    Use it as an array (`numpy.asarray(tensor)`, `torch.from_dlpack(tensor)`), or call `numpy()`. Arrays from DLPack may
    be changed; see `__dlpack__()`. The tensor and its arrays stay valid after the file is closed.
    """

    __slots__ = ("_source",)

    def __init__(self, tensor: FileTensor, source: LocalCopy | None = None) -> None:
        super().__init__(tensor)
        self._source = source

    def _fetch(self) -> None:
        """Fetches the tensor's bytes into the local copy of its source."""
        if self._source is not None:
            self._source.fetch_record(self._record)

    def _lent(self, *, swap: bool = False) -> Any:
        """Returns a read-only array of the bytes that the library itself reads. Tensors that share a storage share it.
        If `swap` is set and the bytes are big-endian, returns a little-endian copy instead.
        """
        self._fetch()
        return self._lent_data(swap)

    def numpy(self) -> ndarray[Any, Any]:
        """Returns the elements as a read-only numpy array with the tensor's strides. The array is a view of the file's
        mapping or, if the record is compressed, of the decompressed data.

        bfloat16 and float8 arrays have dtypes from the package ml_dtypes. The first access to a record reads the whole
        record to verify its checksum.

        Raises ImportError if numpy is missing, or if ml_dtypes is missing but needed. Raises TypeError for complex32,
        which numpy lacks. Raises DataError if the record is damaged, or if its bytes were removed (e.g. by
        `pt2 strip`).
        """
        try:
            import numpy
        except ImportError as error:
            raise ImportError("arrays need numpy: pip install libpt2[numpy]", name="numpy") from error

        dtype = self.dtype
        if dtype == "complex32":
            raise TypeError(f"tensor '{self.name}' is complex32, which numpy lacks: use DLPack, for example torch.from_dlpack()")
        array: ndarray[Any, Any] = numpy.asarray(self._lent())
        if dtype not in _ML_DTYPES:
            return array
        try:
            import ml_dtypes  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError as error:
            raise ImportError(
                f"tensor '{self.name}' is {dtype}, which numpy supports only with the package ml_dtypes: install it, or "
                "use DLPack, for example torch.from_dlpack()",
                name="ml_dtypes",
            ) from error
        return array.view(getattr(ml_dtypes, dtype))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> ndarray[Any, Any]:
        array = self.numpy()
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError("a different dtype requires a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> CapsuleType:
        """Returns a capsule for another library's from_dlpack(). The consumer may change the elements, which start with
        the values in the file: each capsule has its own memory, so changes reach neither the file nor any other array,
        and all functions of this module still see the file's values.

        The memory is a private mapping of the file, so large tensors are not copied: only the pages that the consumer
        changes take memory. Small tensors (less than 128 KiB), tensors at odd addresses and tensors in compressed
        records are copied. copy=True returns a copy in row-major order.

        Raises BufferError for devices other than the CPU and for big-endian tensors. Also raises DataError in the same
        cases as numpy().
        """
        if dl_device is not None and tuple(dl_device) != _CPU:
            raise BufferError(f"expected the CPU, where the bytes of the file are, got the device {dl_device}")
        self._fetch()
        capsule: CapsuleType = self._own_data(bool(copy)).__dlpack__(max_version=max_version)
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU

    def _repr_html_(self) -> str:
        """Returns a small table for Jupyter. The table has a histogram if numpy has the dtype."""
        shape = " × ".join(map(str, self.shape)) or "scalar"
        rows = [("name", self.name), ("kind", self.kind), ("dtype", self.dtype), ("shape", shape), ("bytes", f"{self.nbytes:,}")]
        try:
            picture = histogram(self.numpy()) if self.nbytes and "complex" not in self.dtype else ""
        except (ImportError, TypeError, ValueError):
            picture = ""
        return table(("", ""), rows) + picture

    def __repr__(self) -> str:
        return f"<pt2.Tensor {self.name!r}: {self.dtype}{list(self.shape)}, {self.kind}>"


class File(OpenFile):
    """A file opened by open(), which gives access to its program and, by name, to its tensors. Not thread-safe."""

    def __init__(self, path: Source, *, model: str | None = None) -> None:
        self._source = None if is_path(path) else LocalCopy(path)
        if self._source is not None:
            self._source.fetch("programs")
        self._given = path
        with errors_of(path):
            local: Any = path if self._source is None else self._source.path
            super().__init__(local, optional_text("model", model))

    def __enter__(self) -> File:
        if self.closed:
            raise ValueError("the file is closed")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file. Tensors and arrays that came from the file stay valid and keep the mapping alive."""
        super().close()
        self._source = None
        for cached in ("_loaded", "_named"):
            vars(self).pop(cached, None)

    @property
    def schema_version(self) -> tuple[int, int]:
        """The schema version in the file. If the program had to be upgraded, `program.schema_version` is newer."""
        return self._loaded[1]

    @property
    def program(self) -> ExportedProgram:
        """The program that pt2.load() would return. Every access returns the same object. Raises DataError if the
        program is not valid.
        """
        return self._loaded[0]

    def keys(self) -> list[str]:
        """Returns the names of all weights, followed by the names of all constants, in archive order. The parts of a
        tensor subclass (e.g. torchao's) have names such as "layer.weight.qdata". A file without an archive has no
        tensors. Raises DataError if the tensors cannot be read.
        """
        return list(self._named)

    def tensor(self, name: str) -> Tensor:
        """Returns the tensor with this name. Raises KeyError if there is none. Also raises whatever keys() raises."""
        return self._named[name]

    __getitem__ = tensor

    def get(self, name: str) -> Tensor | None:
        """Returns the tensor with this name, or None if there is none."""
        return self._named.get(name)

    def items(self) -> list[tuple[str, Tensor]]:
        """Returns the names and tensors in the order of keys()."""
        return list(self._named.items())

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __contains__(self, name: object) -> bool:
        return name in self._named

    def __len__(self) -> int:
        return len(self._named)

    @cached_property
    def _loaded(self) -> tuple[ExportedProgram, tuple[int, int]]:
        with errors_of(self._given):
            return self._load_program()

    @cached_property
    def _named(self) -> dict[str, Tensor]:
        with errors_of(self._given):
            return {tensor.name: Tensor(tensor, self._source) for tensor in self._read_tensors()}


def open(path: Source, *, model: str | None = None) -> File:  # noqa: A001
    """Opens a file for inspection and returns a context manager. Reads the directory of an archive, but no weights.

        with pt2.open("model.pt2") as file:
            for name in file.keys():
                print(name, file.tensor(name).shape)

    path: a path, bytes, a seekable file object, or a URL that fsspec understands (libpt2[fsspec]). From file
        objects and URLs, only the directory, the program and the tensors that you use are read. A file object must stay
        open while you use the file.
    model: the name of the model, required if an archive has several.

    Raises OSError, with errno and filename, if the file cannot be read. Raises DataError if it is neither a program nor
    an archive of programs, and ValueError if it has no such model. Using a closed file raises ValueError.
    """
    return File(path, model=model)


def save(
    program: ExportedProgram,
    path: StrPath,
    *,
    like: Source | None = None,
    tensors: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> None:
    """Writes a program in the format that the extension of `path` selects: .json, .pt2b, or .pt2 for an archive with
    the program's tensors.

    like: the archive to copy, including its weights and extra files, and its sample inputs if the program's inputs
        are the same. It can be the same file as `path`. Weights are matched by name, dtype and shape. Weights that only
        the archive's own program references are dropped.
    tensors: a dict of arrays, whose keys are names in the program's signature (e.g. in
        `pt2.signature(program).parameters`). Each array must have the dtype and shape given in the program's graph, which can
        differ from those in `like`. The values can be numpy arrays, tensors from torch or pt2.open(), or any
        other objects with `__dlpack__` or `__array__`. A tensor from pt2.open() has the values in its file; to save
        changes, pass the array that you changed. Without `like`, pass all tensors to write a new archive. With `like`,
        all other tensors are copied. An array with several names is written once.
    progress: a function that is called as progress(done, total), in bytes of tensors, at most twenty times a
        second. It can stop the work by raising an exception.

    The file appears either complete or not at all.

    Raises ValueError for any other extension, for an archive without tensors, and if `tensors` is given but the program
    has preserved fields of a newer schema (see load()). Raises TypeError for a value that is not an array. Raises
    DataError if tensors are missing, have a different dtype or shape, or have names that the program lacks; the message
    gives the name of the first such tensor and how many there are. Raises OSError if the file cannot be written.
    """
    arrays = [(text("tensors", name), *_as_array(name, array)) for name, array in dict(tensors or {}).items()]
    if tensors is not None and not os.fspath(path).endswith(".pt2"):
        raise ValueError(f"{os.fspath(path)}: tensors can be saved only to a .pt2 archive")
    if like is None and tensors is None and os.fspath(path).endswith(".pt2"):
        raise ValueError(f"{os.fspath(path)}: an archive needs weights: pass `like` (the archive that the program comes from) or `tensors`")
    with local_path(like) as source:
        _pt2.save_file(whole(program) if arrays else program, path, source, arrays, bar(progress))


def _as_array(name: str, array: Any) -> tuple[Any, str | None]:
    """Returns an object that supports DLPack, and the name of the dtype that the object represents if that is not its
    own dtype.
    """
    if isinstance(array, Tensor):
        return array._lent(swap=True), None  # pyright: ignore[reportPrivateUsage]
    if not hasattr(array, "__dlpack__"):
        if not hasattr(array, "__array__"):
            raise TypeError(f"tensors[{name!r}]: expected an array, got {type(array).__name__}")
        array = array.__array__()
    array = plain(f"tensors[{name!r}]", array)
    dtype: Any = getattr(array, "dtype", None)
    dtype_name = getattr(dtype, "name", None)
    if dtype_name in _ML_DTYPES:  # numpy does not export these by DLPack
        return array.view(f"u{array.itemsize}"), dtype_name
    return array, None
