"""Reads files from paths, bytes, file objects, web servers, and other URLs that fsspec can open."""

from __future__ import annotations

import importlib
import io
import os
import re
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Literal

from pt2 import _pt2

if sys.version_info >= (3, 12):
    from collections.abc import Buffer
elif TYPE_CHECKING:
    from typing_extensions import Buffer
else:
    Buffer = bytes | bytearray | memoryview

StrPath = str | os.PathLike[str]
Source = StrPath | Buffer | IO[bytes]

_HEAD = 1 << 12  # of a file on a web server: the first request, which tells its size
_LEAST = 1 << 16  # a request takes as long as to read so many bytes
_AT_ONCE = 64  # requests
_PART = 1 << 24  # bytes of one request
_MOST_WHOLE = 1 << 29  # bytes of a file that is not an archive
_MOST_FETCHED = 1 << 32  # bytes to copy into memory at once


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


class LocalCopy:
    """A local file with the content of a source, which is fetched on demand. Thread-safe."""

    def __init__(self, source: Any) -> None:
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._close: Callable[[], object] = lambda: None
        self._copy = _new_file()
        weakref.finalize(self, self._copy.close)
        if isinstance(source, str) and source.lower().startswith(("http://", "https://")):
            self._remote: Any = _WebFile(source, self._copy)
            self._size: int = self._remote.size
        else:
            if isinstance(source, str):
                # Chained file systems, such as zip://, close their files when freed.
                self._system, source = _opened(source)
                self._close = source.close
            elif _is_buffer(source):
                source = io.BytesIO(memoryview(source))
            elif not hasattr(source, "seek"):
                raise TypeError(f"expected a path, bytes, a URL or a seekable file object, got {source!r}")
            self._remote = source
            self._size = source.seek(0, os.SEEK_END)
        if not 0 <= self._size < 1 << 53:
            raise OSError(f"expected a source of at most 2^53 bytes, got {self._size} bytes")
        self._copy.truncate(self._size)
        self._parts = _pt2.FileParts(self._size, _LEAST)
        self._is_whole = isinstance(self._remote, _WebFile) and self._remote.is_copied
        self._fetched: set[tuple[int, int]] = set()

    @property
    def path(self) -> str:
        name = self._copy.name
        return name if isinstance(name, str) else f"/proc/self/fd/{self._copy.fileno()}"

    def _fetch(self, ranges: list[tuple[int, int]]) -> None:
        """Fetches ranges, from web servers in parallel."""
        wanted = [each for each in ranges if not self._is_whole and each not in self._fetched]
        total = sum(end - start for start, end in wanted)
        if total > _MOST_FETCHED:
            raise OSError(f"expected to read at most {_MOST_FETCHED} bytes at once, not {total}; hint: copy the file to the disk")
        pieces = [(at, min(end, at + _PART)) for start, end in wanted for at in range(start, end, _PART)]
        if isinstance(self._remote, _WebFile) and len(pieces) > 1:
            from concurrent.futures import ThreadPoolExecutor  # slow to import

            with ThreadPoolExecutor(min(_AT_ONCE, len(pieces))) as pool:
                list(pool.map(self._fetch_piece, pieces))
        else:
            list(map(self._fetch_piece, pieces))
        self._fetched.update(wanted)

    def _fetch_piece(self, piece: tuple[int, int]) -> None:
        start, end = piece
        data = self._remote.part(start, end) if isinstance(self._remote, _WebFile) else _part_of(self._remote, start, end)
        with self._writing:
            self._copy.seek(start)
            self._copy.write(data)

    def fetch(self, only: Literal["programs", "scanned"] | None = None) -> None:
        """Fetches everything. Or only the programs and what describes the tensors, or what scan() reads, which is
        everything except large raw tensors.
        """
        plans: dict[str | None, Callable[[], list[tuple[int, int]]]] = {"programs": self._parts.to_open, "scanned": self._parts.to_scan}
        plan = plans.get(only, lambda: [(0, self._size)])
        most = _MOST_WHOLE if only == "programs" else _MOST_FETCHED
        with self._lock:
            while not self._is_whole and (ranges := plan()):
                needs_all = ranges == [(0, self._size)]
                if only is not None and needs_all and self._size > most:
                    raise OSError(f"expected an archive, or a file of at most {most} bytes, got {self._size} bytes")
                self._fetch(ranges)
                self._is_whole = needs_all
                for start, end in ranges if not self._is_whole else ():
                    self._copy.seek(start)
                    self._parts.add(start, self._copy.read(end - start))

    def fetch_record(self, record: str) -> None:
        """Fetches a record. Its name does not include the archive's top-level folder."""
        with self._lock:
            if not self._is_whole:
                self._fetch(self._parts.to_read(record))

    def close(self) -> None:
        """Closes the source if this object opened it. The copy exists as long as it is in use."""
        self._close()


def _part_of(file: Any, start: int, end: int) -> bytes:
    file.seek(start)
    data = bytearray()
    while len(data) < end - start:
        asked = end - start - len(data)
        part = file.read(asked)
        if not part:
            raise EOFError(f"cannot read bytes {start} to {end}: the source has only {start + len(data)}")
        if len(part) > asked:
            raise OSError(f"cannot read bytes {start} to {end}: the source gave {len(part)} bytes, but was asked for {asked}")
        data += part
    return bytes(data)


class _WebFile:
    """A file on a web server, which may lack support for ranges, ignore requests, and send wrong headers. Without ranges, the
    whole file is written to `copy`.
    """

    def __init__(self, url: str, copy: IO[bytes]) -> None:
        import urllib.request as web

        self._url = url
        self._opener = web.OpenerDirector()
        # Not all of Python's, which also open ftp: URLs and files.
        for name in "Proxy HTTP HTTPS HTTPRedirect HTTPDefaultError Unknown".split():
            self._opener.add_handler(getattr(web, name + "Handler")())
        self._opener.add_handler(web.HTTPErrorProcessor())
        with self._response(f"0-{_HEAD - 1}") as response:
            self.is_copied = response.status != 206
            if self.is_copied:
                self._copy_body(response, _MOST_WHOLE, copy)
            total = re.search(r"/(\d{1,99})$", response.headers.get("Content-Range", ""))
            if not self.is_copied and total is None:
                raise OSError(f"{url}: the server does not state the size of the file")
            self.size = int(total[1]) if total and not self.is_copied else copy.tell()
            self._head = b"" if self.is_copied else self._checked(response, 0, min(_HEAD, self.size))

    def _response(self, part: str) -> Any:
        import urllib.request as web

        headers = {"Range": f"bytes={part}", "Accept-Encoding": "identity"}
        return self._opener.open(web.Request(self._url, headers=headers), timeout=60)

    def _copy_body(self, response: Any, most: int, copy: IO[bytes]) -> None:
        coding = response.headers.get("Content-Encoding", "identity")
        if coding.lower() not in ("", "identity"):
            raise OSError(f"{self._url}: the server encodes the file with {coding}, although that was not asked for")
        while part := response.read(1 << 20):
            copy.write(part)
            if copy.tell() > most:
                raise OSError(f"{self._url}: expected at most {most} bytes, got more; hint: use a server that supports ranges")

    def _checked(self, response: Any, start: int, end: int) -> bytes:
        expected, given = f"bytes {start}-{end - 1}/{self.size}", response.headers.get("Content-Range")
        body = io.BytesIO()
        if response.status == 206 and given == expected:
            self._copy_body(response, end - start, body)
        if body.tell() != end - start:
            raise OSError(f"{self._url}: asked for {expected}, got {given} and {body.tell()} bytes")
        return body.getvalue()

    def part(self, start: int, end: int) -> bytes:
        if end <= len(self._head):
            return self._head[start:end]
        with self._response(f"{start}-{end - 1}") as response:
            return self._checked(response, start, end)


def _new_file() -> Any:
    if hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"):
        return os.fdopen(os.memfd_create("pt2"), "w+b", buffering=0)
    return tempfile.NamedTemporaryFile(prefix="pt2-", buffering=0)  # noqa: SIM115


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
        copy.fetch(only)
        yield copy.path
    finally:
        copy.close()
