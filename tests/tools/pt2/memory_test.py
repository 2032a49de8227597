"""Small files that claim much take no more memory than the limit, 2 GiB, and what the command itself needs.

PT2_BINARY names the command. Needs wait4(), which tells how much memory a process had at most.
"""

import os
import pathlib
import struct
import subprocess
import tempfile
import unittest
import zlib

PT2 = os.environ["PT2_BINARY"]
LIMIT = 2 << 30
SLACK = 64 << 20


def deflated(start, repeated, times, end):
    """Returns the bytes, checksum and size of `start`, `repeated` so many times and `end`, deflated. Deflates each block once."""
    assert times % 1000 == 0
    block = repeated * (times // 1000)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    body = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    tail = packer.compress(end) + packer.flush()
    checksum = zlib.crc32(start)
    for _ in range(1000):
        checksum = zlib.crc32(block, checksum)
    return head + 1000 * body + tail, zlib.crc32(end, checksum), len(start) + 1000 * len(block) + len(end)


def archive(members):
    """Writes a zip archive of members that deflated() returned."""
    content, directory = b"", b""
    for name, (packed, checksum, size) in members.items():
        fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, checksum, len(packed), size, len(name), 0)
        directory += b"PK\1\2" + struct.pack("<H", 20) + fields + struct.pack("<HHHII", 0, 0, 0, 0, len(content)) + name.encode()
        content += b"PK\3\4" + fields + name.encode() + packed
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(members), len(members), len(directory), len(content), 0)
    return content + directory + end


def plain(content):
    return deflated(content, b"", 1000, b"")


def peak_of(*arguments):
    """Returns a command's exit code, its output and its peak memory."""
    process = subprocess.Popen([PT2, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    error = process.stderr.read().decode()
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, error, usage.ru_maxrss * 1024


class MemoryTest(unittest.TestCase):
    def test_a_small_archive_takes_no_more_memory_than_the_limit(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for what, (start, repeated, times, end) in {
            "numbers": (b"[0", b",0", 450_000_000, b"]"),
            "empty lists": (b"[0", b",[]", 100_000_000, b"]"),
            "texts": (b'{"schema_version": {"major": 8, "minor": 20}, "guards_code": [""', b',"0123456789abcdef"', 20_000_000, b"]}"),
        }.items():
            with self.subTest(what):
                path = folder / "bomb.pt2"
                path.write_bytes(archive({"m/archive_format": plain(b"pt2"), "m/archive_version": plain(b"0"),
                                          "m/models/model.json": deflated(start, repeated, times, end)}))
                self.assertLess(path.stat().st_size, 8 << 20)
                code, error, peak = peak_of("validate", path)
                self.assertEqual(code, 3, error)
                self.assertLess(peak, LIMIT + SLACK, error)


if __name__ == "__main__":
    unittest.main()
