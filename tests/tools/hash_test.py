"""`pt2 hash` of every program of the test data, held to tests/golden/program_hashes.txt: hashes are kept by users, so that a
change here is a break. With UPDATE_GOLDEN=1 the file is written anew.

PT2_BINARY is the command to test.
"""

import concurrent.futures
import gzip
import os
import pathlib
import subprocess
import unittest

BINARY = os.environ["PT2_BINARY"]
TESTS = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = TESTS / "data" / "programs"
GOLDEN = TESTS / "golden" / "program_hashes.txt"


def hash_of(path):
    """The hash, or the message of the error. Programs are given on standard input, so that no path is in a message."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    result = subprocess.run([BINARY, "hash", "-"], input=data, capture_output=True, timeout=60)
    return (result.stdout if result.returncode == 0 else result.stderr).decode().strip()


class Hashes(unittest.TestCase):
    maxDiff = 2000

    def test_every_program_has_the_hash_that_it_always_had(self):
        paths = sorted(path for path in PROGRAMS.glob("*/*") if path.is_file() and path.name != "about.json")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            lines = [f"{hash}  {path.relative_to(PROGRAMS)}" for path, hash in zip(paths, pool.map(hash_of, paths))]
        self.assertGreater(len(lines), 250)
        text = "\n".join(lines) + "\n"
        if os.environ.get("UPDATE_GOLDEN") == "1":
            GOLDEN.write_text(text)
        self.assertEqual(text, GOLDEN.read_text())


if __name__ == "__main__":
    unittest.main()
