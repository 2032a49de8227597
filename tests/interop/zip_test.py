"""Our zip reader agrees with Python's zipfile and with libzip on all archives of the fixtures, and on archives that these wrote at
random.

ZIP_DUMP names the program of zip_dump.cpp; PT2_TEST_SEED sets the seed.
"""

import io
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import unittest
import zipfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import libzip  # noqa: E402
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

DATA = pathlib.Path(__file__).parent.parent / "data"
DUMP = os.environ["ZIP_DUMP"]


def printed(members):
    return [f"{name}\t{len(data)}\t{zlib.crc32(data):08x}" for name, data in members]


def theirs(path):
    with zipfile.ZipFile(path) as archive:
        return printed((member.filename, archive.read(member)) for member in archive.infolist())


def ours(paths):
    """Returns our reader's output for each."""
    out = subprocess.run([DUMP, *map(str, paths)], check=True, capture_output=True, text=True).stdout
    return [part.splitlines() for part in out.split("end\n")[:-1]]


class Unseekable:
    """A stream like a pipe: zipfile then writes sizes after the data."""

    def __init__(self, file):
        self.write, self.flush = file.write, file.flush


def random_content(numbers):
    return numbers.choice([b"", numbers.randbytes(numbers.randrange(5000)), b"ab" * numbers.randrange(50000)])


def random_comment(numbers):
    return numbers.randbytes(numbers.choice([0, 0, 10, 65535])).replace(b"PK", b"--")


NAMES = ["a", "folder/b", "\u00e9", "n" * 300]


def write_random_by_libzip(path, numbers):
    methods = [libzip.STORED, libzip.DEFLATED]
    members = [(numbers.choice(NAMES) + str(i), random_content(numbers), numbers.choice(methods)) for i in range(numbers.randrange(1, 8))]
    libzip.write(path, members, random_comment(numbers).hex().encode()[:65535])


def write_random(path, numbers):
    with open(path, "wb") as file:
        target = Unseekable(file) if numbers.random() < 0.3 else file
        with zipfile.ZipFile(target, "w") as archive:
            for i in range(numbers.randrange(8)):
                method = numbers.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
                info = zipfile.ZipInfo(numbers.choice(NAMES) + str(i))
                info.compress_type = method
                info.comment = b"c" * numbers.randrange(3)
                with archive.open(info, "w", force_zip64=numbers.random() < 0.3) as member:
                    member.write(random_content(numbers))
            archive.comment = random_comment(numbers)


def write_bomb(path, parts):
    """An archive whose one member inflates to `parts` times 16 MiB of zeros."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = packer.compress(bytes(1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = part * parts + packer.flush()
    # zipfile cannot write data that is already compressed. The directory is correct.
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("zeros", packed)
        info = archive.getinfo("zeros")
        info.compress_type, info.file_size = zipfile.ZIP_DEFLATED, parts << 24
        archive.fp.seek(info.header_offset + 8)
        archive.fp.write(zipfile.ZIP_DEFLATED.to_bytes(2, "little"))
        archive.fp.seek(archive.start_dir)


class ZipTest(unittest.TestCase):
    def test_archives_of_the_fixtures_are_read_alike(self):
        # Hostile files are read differently on purpose.
        paths = sorted(path for path in DATA.rglob("*.pt2") if path.parent != DATA / "hostile")
        self.assertGreater(len(paths), 100)
        for path, found in zip(paths, ours(paths)):
            self.assertEqual(found, theirs(path), path)
            self.assertEqual(found, printed(libzip.read(path)), path)

    def test_archives_at_random_are_read_alike(self):
        numbers = random.Random(random_seed.SEED)
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i}.zip" for i in range(300)]
            for path in paths:
                numbers.choice([write_random, write_random_by_libzip])(path, numbers)
            for path, found in zip(paths, ours(paths)):
                self.assertEqual(found, theirs(path), path)
                self.assertEqual(found, printed(libzip.read(path)), path)

    def test_what_is_cut_off_or_damaged_is_an_error_or_read_alike(self):
        numbers = random.Random(random_seed.SEED)
        whole = (DATA / "packages" / "multi.pt2").read_bytes()
        good = theirs(io.BytesIO(whole))
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i}.zip" for i in range(1000)]
            for path in paths:
                damaged = bytearray(whole)
                for _ in range(numbers.randrange(1, 4)):
                    damaged[numbers.randrange(len(damaged))] = numbers.randrange(256)
                path.write_bytes(damaged[: numbers.randrange(len(damaged))] if numbers.random() < 0.5 else damaged)
            for path, found in zip(paths, ours(paths)):
                errors = [line for line in found if line.startswith("error: ")]
                self.assertTrue(errors or len(found) == len(good), path)

    def test_a_bomb_is_an_error_in_little_memory(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bomb.zip"
            write_bomb(path, 640)
            self.assertLess(path.stat().st_size, 12 << 20)
            [[error, *_]] = ours([path])
            self.assertRegex(error, "^error: the zip archive's members decompress to more than [0-9]+ bytes in total")
            self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 200 << 10)


if __name__ == "__main__":
    unittest.main()
