"""Our zip reader and Python's zipfile agree on all archives of the fixtures, and on archives that zipfile wrote at random.

ZIP_DUMP names the program of zip_dump.cpp; PT2_TEST_SEED sets the seed.
"""

import io
import os
import pathlib
import random
import subprocess
import tempfile
import unittest
import zipfile
import zlib

DATA = pathlib.Path(__file__).parent.parent / "data"
DUMP = os.environ["ZIP_DUMP"]
SEED = int(os.environ.get("PT2_TEST_SEED", random.SystemRandom().randrange(1 << 30)))


def theirs(path):
    with zipfile.ZipFile(path) as archive:
        members = [(member.filename, archive.read(member)) for member in archive.infolist()]
    return [f"{name}\t{len(data)}\t{zlib.crc32(data):08x}" for name, data in members]


def ours(paths):
    """What our reader prints of each."""
    out = subprocess.run([DUMP, *map(str, paths)], check=True, capture_output=True, text=True).stdout
    return [part.splitlines() for part in out.split("end\n")[:-1]]


class Unseekable:
    """A stream like a pipe: zipfile then writes sizes after the data."""

    def __init__(self, file):
        self.write, self.flush = file.write, file.flush


def write_random(path, numbers):
    with open(path, "wb") as file:
        target = Unseekable(file) if numbers.random() < 0.3 else file
        with zipfile.ZipFile(target, "w") as archive:
            for i in range(numbers.randrange(8)):
                method = numbers.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
                info = zipfile.ZipInfo(numbers.choice(["a", "folder/b", "\u00e9", "n" * 300]) + str(i))
                info.compress_type = method
                info.comment = bytes(numbers.randrange(3))
                data = numbers.choice([b"", numbers.randbytes(numbers.randrange(5000)), b"ab" * numbers.randrange(50000)])
                with archive.open(info, "w", force_zip64=numbers.random() < 0.3) as member:
                    member.write(data)
            archive.comment = numbers.randbytes(numbers.choice([0, 0, 10, 65535])).replace(b"PK", b"--")


class ZipTest(unittest.TestCase):
    def test_archives_of_the_fixtures_are_read_alike(self):
        paths = sorted(DATA.rglob("*.pt2"))
        self.assertGreater(len(paths), 100)
        for path, found in zip(paths, ours(paths)):
            self.assertEqual(found, theirs(path), path)

    def test_archives_at_random_are_read_alike(self):
        print(f"PT2_TEST_SEED={SEED}")
        numbers = random.Random(SEED)
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i}.zip" for i in range(300)]
            for path in paths:
                write_random(path, numbers)
            for path, found in zip(paths, ours(paths)):
                self.assertEqual(found, theirs(path), path)

    def test_what_is_cut_off_or_damaged_is_an_error_or_read_alike(self):
        print(f"PT2_TEST_SEED={SEED}")
        numbers = random.Random(SEED)
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


if __name__ == "__main__":
    unittest.main()
