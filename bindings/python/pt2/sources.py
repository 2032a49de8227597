"""Reads files from paths, bytes, file objects, and URLs that fsspec can open."""

from __future__ import annotations

import importlib
import io
import os
import struct
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple

from pt2 import _pt2

if sys.version_info >= (3, 12):
    from collections.abc import Buffer
elif TYPE_CHECKING:
    from typing_extensions import Buffer
else:
    Buffer = bytes | bytearray | memoryview

StrPath = str | os.PathLike[str]
Source = StrPath | Buffer | IO[bytes]

_TAIL = 66_000
_HEAD = 1 << 12
_LARGE = 1 << 20
_DATA = ("/data/weights/", "/data/constants/", "/data/sample_inputs/", "/data/aotinductor/", "/extra/", "extra_files/", "serialized_")


def is_path(source: Any) -> bool:
    """Returns whether `source` names a local file."""
    if isinstance(source, str):
        return "://" not in source
    return isinstance(source, os.PathLike) or not (hasattr(source, "read") or _is_buffer(source))


def _is_buffer(source: Any) -> bool:
    try:
        memoryview(source)
    except TypeError:
        return False
    return True


class _Record(NamedTuple):
    start: int
    end: int
    size: int


class LocalCopy:
    """A local file with the content of a source, which is fetched on demand. Thread-safe."""

    def __init__(self, source: Any) -> None:
        self._lock = threading.Lock()
        self._close: Callable[[], object] = lambda: None
        if isinstance(source, str):
            # Chained file systems, such as zip://, close their files when freed.
            self._system, source = _opened(source)
            self._close = source.close
        elif _is_buffer(source):
            source = io.BytesIO(memoryview(source))
        elif not hasattr(source, "seek"):
            raise TypeError(f"expected a path, bytes, a URL or a seekable file object, got {source!r}")
        self._remote: Any = source
        self._size: int = source.seek(0, os.SEEK_END)
        self._copy = _new_file()
        weakref.finalize(self, self._copy.close)
        os.ftruncate(self._copy.fileno(), self._size)
        self._fetched: list[tuple[int, int]] = []
        self._records = self._directory()

    @property
    def path(self) -> str:
        name = self._copy.name
        return name if isinstance(name, str) else f"/proc/self/fd/{self._copy.fileno()}"

    def _directory(self) -> dict[str, _Record]:
        """Returns where each record of an archive begins and ends, by its name in the archive. Fetches the whole file
        if it is not an archive.
        """
        import zipfile  # takes a fifth of the package's import time

        self.fetch(0, min(self._size, _HEAD))
        self.fetch(max(0, self._size - _TAIL), self._size)
        try:
            with zipfile.ZipFile(io.BufferedReader(_Fetching(self), _HEAD)) as archive:
                members = sorted(archive.infolist(), key=lambda member: member.header_offset)
                end = archive.start_dir
        except (zipfile.BadZipFile, NotImplementedError, OSError):
            self.fetch_all()
            return {}
        ends = [member.header_offset for member in members[1:]] + [end]
        return {
            member.filename: _Record(member.header_offset, stop, member.compress_size) for member, stop in zip(members, ends)
        }

    def fetch(self, start: int, end: int) -> None:
        """Fetches the bytes from `start` to `end` unless the copy already has them. The file can end earlier, because a
        directory can be wrong.
        """
        end = min(end, self._size)
        with self._lock:
            if any(first <= start and end <= last for first, last in self._fetched):
                return
            self._remote.seek(start)
            while start < end:
                part = self._remote.read(min(end - start, 1 << 24))
                if not part:
                    raise EOFError(f"expected {end} bytes, got {start}")
                os.pwrite(self._copy.fileno(), part, start)
                self._fetched.append((start, start + len(part)))
                start += len(part)
            self._merge()

    def _merge(self) -> None:
        merged: list[tuple[int, int]] = []
        for start, end in sorted(self._fetched):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        self._fetched = merged

    def fetch_all(self) -> None:
        self.fetch(0, self._size)

    def fetch_record(self, record: str) -> None:
        """Fetches a record. Its name does not include the archive's top-level folder."""
        for name, (start, end, _) in self._records.items():
            if name == record or name.endswith("/" + record):
                self.fetch(start, end)

    def fetch_programs(self) -> None:
        """Fetches all records except tensors and samples."""
        for name, (start, end, _) in self._records.items():
            is_program = name.endswith("serialized_exported_program.json")
            if is_program or not any(part in "/" + name for part in _DATA):
                self.fetch(start, end)

    def fetch_scanned(self) -> None:
        """Fetches everything that scan() reads, i.e. everything except large raw tensors."""
        holes: list[tuple[int, int]] = []
        for name, record in self._records.items():
            if record.size > _LARGE and not name.endswith(".json"):
                holes.append(self._content(record))
        at = 0
        for start, end in sorted(holes):
            self.fetch(at, max(at, start))
            at = max(at, end)
        self.fetch(at, self._size)
        tensors = [(start, start + size) for start, size in _pt2.parts_not_scanned(self.path)]
        for start, end in holes:
            if not any(first <= start and end <= last for first, last in tensors):
                self.fetch(start, end)

    def _content(self, record: _Record) -> tuple[int, int]:
        """Returns where the content of a record begins and ends."""
        self.fetch(record.start, record.start + _HEAD)
        header = os.pread(self._copy.fileno(), 30, record.start).ljust(30, b"\0")
        begin = record.start + 30 + sum(struct.unpack_from("<2H", header, 26))
        return begin, begin + record.size

    def fetch_configs(self) -> None:
        """Fetches the descriptions of the tensors, i.e. the configs or the pickles that contain the tensors."""
        for name, (start, end, _) in self._records.items():
            is_pickled = name.endswith(".pt") or name.startswith("serialized_")
            is_config = name.endswith("_config.json")
            is_weights = "/data/weights/" in "/" + name or "/data/constants/" in "/" + name or name.startswith("serialized_")
            if is_weights and (is_config or is_pickled):
                self.fetch(start, end)

    def close(self) -> None:
        """Closes the source if this object opened it. The copy exists as long as it is in use."""
        self._close()


class _Fetching(io.RawIOBase):
    """Reads from a LocalCopy, which fetches the bytes that are read."""

    def __init__(self, copy: LocalCopy) -> None:
        self._of = copy
        self._at = 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._of._size}[whence]  # pyright: ignore[reportPrivateUsage]
        if base + offset < 0:
            raise OSError("negative offset")
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        end = min(self._at + len(view), self._of._size)  # pyright: ignore[reportPrivateUsage]
        count = max(0, end - self._at)
        self._of.fetch(self._at, end)
        view[:count] = os.pread(self._of._copy.fileno(), count, self._at)  # pyright: ignore[reportPrivateUsage]
        self._at += count
        return count


def _new_file() -> Any:
    if hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"):
        return os.fdopen(os.memfd_create("pt2"), "w+b")
    return tempfile.NamedTemporaryFile(prefix="pt2-")  # noqa: SIM115


def _opened(url: str) -> tuple[Any, Any]:
    """Returns the file system and the open file."""
    try:
        fsspec: Any = importlib.import_module("fsspec")
    except ImportError as error:
        raise ImportError(f"{url} needs fsspec: pip install libpt2[fsspec]", name="fsspec") from error
    system, path = fsspec.core.url_to_fs(url)
    return system, system.open(path, "rb", cache_type="none")


@contextmanager
def errors_of(source: Any) -> Generator[None]:
    """Adds the name of the source, if it has one, to any DataError that is raised in the block."""
    try:
        yield
    except _pt2.DataError as error:
        is_named = isinstance(source, (str, os.PathLike))
        name = str(source) if is_named else getattr(source, "name", None)  # pyright: ignore[reportUnknownArgumentType]
        if error.file is None and isinstance(name, str):
            error.file = name
            error.args = (f"{name}: {error.args[0]}",)
        raise


@contextmanager
def local_path(source: Any, *, only: Literal["programs", "scanned"] | None = None) -> Generator[Any]:
    """Yields the path of a local file that contains the bytes of a source, or only its programs or the bytes that
    scan() reads. Adds the name of the source to any DataError. Yields paths and programs unchanged.
    """
    with errors_of(source), path_of_one(source, only=only) as path:
        yield path


@contextmanager
def path_of_one(source: Any, *, only: Literal["programs", "scanned"] | None = None) -> Generator[Any]:
    """Yields a path as local_path() does, but does not name the source in errors, which can be about another source."""
    if is_path(source):
        yield source
        return
    copy = LocalCopy(source)
    try:
        if only == "programs":
            copy.fetch_programs()
        elif only == "scanned":
            copy.fetch_scanned()
        else:
            copy.fetch_all()
        yield copy.path
    finally:
        copy.close()
