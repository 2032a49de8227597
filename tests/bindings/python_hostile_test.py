"""Files that are damaged, or made to do harm, in the Python package: a program or an error that is documented, and nothing of them is run.

PT2_PYTHON_PACKAGE is the folder that has the package pt2. PT2_TEST_STEPS: how many random changes of files are tried (300).
"""

import io
import os
import pathlib
import random
import re
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python")))

import numpy  # noqa: E402, F401  not while it is watched

import pt2  # noqa: E402
from random_seed import SEED  # noqa: E402

STEPS = int(os.environ.get("PT2_TEST_STEPS", 300))
PROGRAMS = ROOT / "tests" / "data" / "programs"
HOSTILE = sorted((ROOT / "tests" / "data" / "hostile").glob("*.pt2"))
SMALL = [path for path in sorted(PROGRAMS.glob("*/*")) if path.suffix in (".pt2", ".json") and path.stat().st_size < 60000]
VALUES = [b"0", b"-1", b"1", b"7", b"2147483648", b"-9223372036854775808", b"9223372036854775807", b"1e400", b"null", b"true", b'""', b"[]"]

RUNS = {"pickle.find_class", "os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "ctypes.dlopen"}
seen = []
is_watched = False


def watch(event, arguments):
    if is_watched and event in RUNS:
        seen.append((event, arguments))


sys.addaudithook(watch)


def watched(work):
    """Returns the DataError, OSError or ValueError that `work` raises, and what code ran meanwhile."""
    global is_watched
    seen.clear()
    is_watched = True
    try:
        work()
    except (ValueError, OSError) as error:
        return error, list(seen)
    finally:
        is_watched = False
    return None, list(seen)


def changed(draw, data):
    """Changes, removes or repeats bytes, or, in a text, changes a number."""
    data = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 5, 20])):
        if not data:
            break
        at = draw.randrange(len(data))
        what = draw.randrange(5)
        if what == 0:
            data[at] ^= 1 << draw.randrange(8)
        elif what == 1:
            data[at] = draw.randrange(256)
        elif what == 2:
            del data[at:at + draw.choice([1, 4, 100, len(data)])]
        elif what == 3:
            data[at:at] = data[at - draw.randrange(at + 1):at]
        else:
            found = list(re.finditer(rb"-?\b\d+\b|true|false|null", data[at:at + 2000]))
            if found:
                number = draw.choice(found)
                data[at + number.start():at + number.end()] = draw.choice(VALUES)
    return bytes(data)


def mutant(draw, data):
    """Changes the file at random; in an archive, usually one record, whose checksum is corrected."""
    if not zipfile.is_zipfile(io.BytesIO(data)) or draw.random() < 0.3:
        return changed(draw, data)
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        chosen = draw.choice(old.infolist()).filename
        for info in old.infolist():
            record = old.read(info)
            name = info.filename
            if name == chosen:
                record = changed(draw, record)
                if draw.random() < 0.1:
                    name = changed(draw, name.encode()).decode("latin-1").replace("\0", "") or "x"
            new.writestr(name, record)
    return out.getvalue()


def look(path):
    """Reads all that the package reads of a file."""
    with pt2.open(path) as file:
        repr((file.container, file.models, file.schema_version))
        for name in file.keys() if file.container.endswith(("zip", "archive")) else ():
            tensor = file.tensor(name)
            repr((tensor, tensor.nbytes, tensor.stride, tensor.offset, tensor.device))
            try:
                tensor.numpy().tobytes()
            except (ImportError, TypeError):  # a dtype that numpy does not have
                tensor.__dlpack__()


class HostileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "file.pt2")

    def each_way(self, path):
        for read in (pt2.load, look, pt2.scan, pt2.verify):
            error, ran = watched(lambda: read(path))
            self.assertEqual(ran, [], (read, path))
            if error is not None:
                self.assertIsInstance(error, (pt2.DataError, OSError), read)
                self.assertTrue(str(error))

    def test_nothing_of_a_hostile_file_is_run(self):
        self.assertTrue(HOSTILE)
        for path in HOSTILE:
            with self.subTest(path.stem):
                self.each_way(path)
                self.assertNotEqual([found for found in pt2.scan(path) if found.level == "error"], [])

    def test_names_that_are_no_text_are_shown(self):
        self.path.write_bytes(b"\x80\x02cposix\x8d\nsystem\n)R.")
        self.assertIn("posix\\x8d.system", [found.what for found in pt2.scan(self.path)])

    def test_damaged_files_are_programs_or_documented_errors(self):
        draw = random.Random(SEED)
        files = [path.read_bytes() for path in SMALL]
        for number in range(STEPS):
            self.path.write_bytes(mutant(draw, draw.choice(files)))
            with self.subTest(number):
                self.each_way(self.path)


if __name__ == "__main__":
    unittest.main()
