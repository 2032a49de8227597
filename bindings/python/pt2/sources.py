"""Reads files from paths, bytes, file objects, web servers, and other URLs that fsspec can open."""

from __future__ import annotations

import bisect
import importlib
import io
import os
import re
import struct
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Generator, Iterable
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
_SMALL = 1 << 17  # one request is faster than several
_LARGE = 1 << 20
_MOST_WHOLE = 1 << 29  # bytes of a file that is not an archive
_MOST_FETCHED = 1 << 32  # bytes to copy into memory at once
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
        if isinstance(source, str) and source.lower().startswith(("http://", "https://")):
            source = _WebFile(source)
        elif isinstance(source, str):
            # Chained file systems, such as zip://, close their files when freed.
            self._system, source = _opened(source)
            self._close = source.close
        elif _is_buffer(source):
            source = io.BytesIO(memoryview(source))
        elif not hasattr(source, "seek"):
            raise TypeError(f"expected a path, bytes, a URL or a seekable file object, got {source!r}")
        self._remote: Any = source
        self._size: int = source.seek(0, os.SEEK_END)
        if not 0 <= self._size < 1 << 53:
            raise OSError(f"expected a source of at most 2^53 bytes, got {self._size} bytes")
        self._copy = _new_file()
        weakref.finalize(self, self._copy.close)
        os.ftruncate(self._copy.fileno(), self._size)
        self._fetched: list[tuple[int, int]] = []  # sorted, with gaps
        self._records = self._directory()
        self._by_name = {name.partition("/")[2]: record for name, record in self._records.items()} | self._records

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
        except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError):
            if self._size > _MOST_WHOLE:
                raise OSError(f"expected an archive, or a file of at most {_MOST_WHOLE} bytes, got {self._size} bytes") from None
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
        if end - start > _MOST_FETCHED:
            raise OSError(f"expected to read at most {_MOST_FETCHED} bytes at once, not {end - start}; hint: copy the file to the disk")
        with self._lock:
            before = bisect.bisect_right(self._fetched, (start, self._size)) - 1
            if start >= end or (before >= 0 and end <= self._fetched[before][1]):
                return
            self._remote.seek(start)
            at = start
            while at < end:
                asked = min(end - at, 1 << 24)
                part = self._remote.read(asked)
                if not part:
                    raise EOFError(f"expected {end} bytes, got {at}")
                if len(part) > asked:
                    raise OSError(f"the source gave {len(part)} bytes, but was asked for {asked}")
                os.pwrite(self._copy.fileno(), part, at)
                at += len(part)
            self._add(start, end)

    def _add(self, start: int, end: int) -> None:
        """Marks bytes as fetched."""
        first = bisect.bisect_left(self._fetched, (start, 0))
        if first > 0 and start <= self._fetched[first - 1][1]:
            first -= 1
        last = first
        while last < len(self._fetched) and self._fetched[last][0] <= end:
            start, end = min(start, self._fetched[last][0]), max(end, self._fetched[last][1])
            last += 1
        self._fetched[first:last] = [(start, end)]

    def _fetch_each(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Fetches ranges, and what is between them if it is short."""
        merged: list[tuple[int, int]] = []
        for start, end in sorted(ranges):
            if merged and start <= merged[-1][1] + _SMALL:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        total = sum(end - start for start, end in merged)
        if total > _MOST_FETCHED:
            raise OSError(f"expected to read at most {_MOST_FETCHED} bytes at once, not {total}; hint: copy the file to the disk")
        for start, end in merged:
            self.fetch(start, end)

    def fetch_all(self) -> None:
        self.fetch(0, self._size)

    def fetch_record(self, record: str) -> None:
        """Fetches a record. Its name does not include the archive's top-level folder."""
        if found := self._by_name.get(record):
            self.fetch(found.start, found.end)

    def fetch_programs(self) -> None:
        """Fetches all records except tensors and samples."""
        self._fetch_each(
            (start, end)
            for name, (start, end, _) in self._records.items()
            if name.endswith("serialized_exported_program.json") or not any(part in "/" + name for part in _DATA)
        )

    def fetch_scanned(self) -> None:
        """Fetches everything that scan() reads, i.e. everything except large raw tensors."""
        holes: list[tuple[int, int]] = []
        for name, record in self._records.items():
            if _LARGE < record.size < record.end - record.start and not name.endswith(".json"):
                hole = self._content(record)
                if hole[1] <= record.end:
                    holes.append(hole)
        self._fetch_each(zip([0, *(end for _, end in holes)], [*(start for start, _ in holes), self._size]))
        tensors = {(start, start + size) for start, size in _pt2.parts_not_scanned(self.path)}
        self._fetch_each(hole for hole in holes if hole not in tensors)

    def _content(self, record: _Record) -> tuple[int, int]:
        """Returns where the content of a record begins and ends."""
        self.fetch(record.start, record.start + _HEAD)
        header = os.pread(self._copy.fileno(), 30, record.start).ljust(30, b"\0")
        begin = record.start + 30 + sum(struct.unpack_from("<2H", header, 26))
        return begin, begin + record.size

    def fetch_configs(self) -> None:
        """Fetches the descriptions of the tensors, i.e. the configs or the pickles that contain the tensors."""
        wanted: list[tuple[int, int]] = []
        for name, (start, end, _) in self._records.items():
            is_pickled = name.endswith(".pt") or name.startswith("serialized_")
            is_config = name.endswith("_config.json")
            is_weights = "/data/weights/" in "/" + name or "/data/constants/" in "/" + name or name.startswith("serialized_")
            if is_weights and (is_config or is_pickled):
                wanted.append((start, end))
        self._fetch_each(wanted)

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


class _WebFile(io.RawIOBase):
    """A file on a web server, which may lack support for ranges, ignore requests, and send wrong headers."""

    def __init__(self, url: str) -> None:
        import urllib.request as web

        self._url = url
        self._opener = web.OpenerDirector()
        # Not all of Python's, which also open ftp: URLs and files.
        for name in "Proxy HTTP HTTPS HTTPRedirect HTTPDefaultError Unknown".split():
            self._opener.add_handler(getattr(web, name + "Handler")())
        self._opener.add_handler(web.HTTPErrorProcessor())
        self._at = 0
        with self._response(f"0-{_HEAD - 1}") as response:
            self._whole = None if response.status == 206 else self._body(response, _MOST_WHOLE)
            total = re.search(r"/(\d{1,99})$", response.headers.get("Content-Range", ""))
        if self._whole is None and total is None:
            raise OSError(f"{url}: the server does not state the size of the file")
        self._size = int(total[1]) if total and self._whole is None else len(self._whole or b"")

    def _response(self, part: str) -> Any:
        import urllib.request as web

        headers = {"Range": f"bytes={part}", "Accept-Encoding": "identity"}
        return self._opener.open(web.Request(self._url, headers=headers), timeout=60)

    def _body(self, response: Any, most: int) -> bytes:
        coding = response.headers.get("Content-Encoding", "identity")
        if coding.lower() not in ("", "identity"):
            raise OSError(f"{self._url}: the server encodes the file with {coding}, although that was not asked for")
        body = io.BytesIO()
        while part := response.read(_LARGE):
            body.write(part)
            if body.tell() > most:
                raise OSError(f"{self._url}: expected at most {most} bytes, got more; hint: use a server that supports ranges")
        return body.getvalue()

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + (self._size if whence == os.SEEK_END else 0)
        return self._at

    def read(self, size: int = -1) -> bytes:
        start, end = self._at, self._at + size
        self._at = end
        if self._whole is not None:
            return self._whole[start:end]
        with self._response(f"{start}-{end - 1}") as response:
            expected, given = f"bytes {start}-{end - 1}/{self._size}", response.headers.get("Content-Range")
            body = self._body(response, size) if response.status == 206 and given == expected else b""
        if len(body) != size:
            raise OSError(f"{self._url}: asked for {expected}, got {given} and {len(body)} bytes")
        return body


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
