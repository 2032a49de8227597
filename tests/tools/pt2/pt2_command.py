"""Runs the pt2 command, PT2_BINARY, for the tests in this folder."""

import ctypes
import ctypes.util
import functools
import json
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import head_schema  # noqa: E402

# What a shell starts in the background ignores interrupts, and so would the commands.
signal.signal(signal.SIGINT, signal.default_int_handler)

BINARY = os.environ["PT2_BINARY"]
TESTS = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = TESTS / "data" / "programs"
READABLE = ["torch-2.6.0", "torch-2.8.0", "torch-2.12.1", "torch-2.13.0", "torch-2.14.0", "torch-2.15.0"]
PACKAGES = TESTS / "data" / "packages"
HEAD = PROGRAMS / "torch-2.13.0"
SKIPPED = f"skipped; written with schema {head_schema.NEXT_MINOR}, read with schema {head_schema.VERSION}"

# In a program's .pt2b file.
ROOT_AT, LENGTH_AT, PAYLOAD_AT, CHECKSUM_BYTES = 26, 42, 50, 8
XXHASH = ctypes.util.find_library("xxhash")


def checksum(data):
    """Returns the XXH3-64 of bytes, by the reference library."""
    function = ctypes.CDLL(XXHASH).XXH3_64bits
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return struct.pack("<Q", function(data, len(data)))


def run(*arguments, stdin=b"", **options):
    """Runs the command; returns (exit code, stdout, stderr). Its input is bytes or text."""
    code, out, err = run_bytes(*arguments, stdin=stdin, **options)
    return code, out.decode(), err


def run_bytes(*arguments, stdin=b"", **options):
    """As run(), with stdout as bytes."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    environment = {**os.environ, "LC_ALL": "C"}
    result = subprocess.run([BINARY, *map(str, arguments)], input=stdin, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environment, timeout=60, **options)
    return result.returncode, result.stdout, result.stderr.decode()


@functools.cache
def said(command, path, *options):
    """Returns the command's output for a program in the repository. Cached, because many tests need it."""
    assert path.is_relative_to(PROGRAMS), path
    code, out, err = run(command, path, *options)
    assert (code, err) == (0, ""), (command, path, code, err)
    return out


def written(path):
    """Returns pt2's output for a program of torch 2.13: torch's own text, plus newer fields, null or empty."""
    out = said("convert", path, "-")
    assert head_schema.as_torch_wrote(out, path.read_text()) == path.read_text(), path
    return out


def programs(release):
    """Returns the programs of a release, in both file formats."""
    return sorted(path for path in (PROGRAMS / release).iterdir()
                  if path.name != "about.json" and not path.name.endswith(".head.json"))


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def changed(self, name, change):
        """Writes a copy of cond.json changed by `change`."""
        document = json.loads(written(HEAD / "cond.json"))
        change(document)
        return self.file(name, json.dumps(document))

    def archive(self, **models):
        path = self.folder / "several.pt2"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("top/archive_format", "pt2")
            archive.writestr("top/archive_version", "0")
            for name, text in models.items():
                archive.writestr(f"top/models/{name}.json", text)
        return path

    def binary(self, model, *options):
        """Writes a program of torch 2.13 as a .pt2b file."""
        path = self.folder / (model + ".pt2b")
        self.check(["convert", HEAD / model, path, *options], 0, "", "")
        return path

    def other_schema(self, major, minor, appended=b""):
        """Writes cond.json as a different schema would: with a different id, and with `appended` as fields at the end."""
        file = self.binary("cond.json", "--no-compress").read_bytes()
        payload = file[PAYLOAD_AT:-CHECKSUM_BYTES - 1] + appended + b"\0"
        body = (file[:10] + struct.pack("<II", major, minor) + bytes(range(1, 9)) + file[ROOT_AT:LENGTH_AT] +
                struct.pack("<Q", len(payload)) + payload)
        return self.file("other.pt2b", body + checksum(body))

    def check(self, arguments, code, stdout, stderr, **options):
        self.assertEqual(run(*arguments, **options), (code, stdout, stderr))


def nodes(graph):
    """Yields all nodes in a graph's JSON and its subgraphs."""
    for node in graph["nodes"]:
        yield node
        for argument in node["inputs"]:
            if argument["arg"].get("as_graph"):
                yield from nodes(argument["arg"]["as_graph"]["graph"])
