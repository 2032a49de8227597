"""`pt2 hash` of every program of the test data, held to tests/golden/program_hashes.txt: hashes are kept by users, so that a
change here is a break. With UPDATE_GOLDEN=1 the file is written anew. tests/data/repro has programs that no torch wrote, for
which the normal form has to choose: nodes and values that nothing uses, names that nothing defines.

PT2_BINARY is the command to test.
"""

import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import subprocess
import unittest

BINARY = os.environ["PT2_BINARY"]
TESTS = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = TESTS / "data"
PROGRAMS = DATA / "programs"
REPRO = DATA / "repro"
GOLDEN = TESTS / "golden" / "program_hashes.txt"


def hash_of(path):
    """Returns the hash or the error message. Programs come from standard input, so that no message contains a path."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    result = subprocess.run([BINARY, "hash", "-"], input=data, capture_output=True, timeout=60)
    return (result.stdout if result.returncode == 0 else result.stderr).decode().strip()


class Hashes(unittest.TestCase):
    maxDiff = 2000

    def test_every_program_has_the_hash_that_it_always_had(self):
        paths = sorted(path for path in PROGRAMS.glob("*/*") if path.is_file() and path.name != "about.json")
        paths += sorted(REPRO.glob("*.json"))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            names = [str(path.relative_to(DATA)).removeprefix("programs/") for path in paths]
            lines = [f"{hash}  {name}" for name, hash in zip(names, pool.map(hash_of, paths))]
        self.assertGreater(len(lines), 250)
        text = "\n".join(lines) + "\n"
        if os.environ.get("UPDATE_GOLDEN") == "1":
            GOLDEN.write_text(text)
        self.assertEqual(text, GOLDEN.read_text())

    def test_several_files_have_a_line_each_and_one_that_is_bad_does_not_hide_the_others(self):
        head = PROGRAMS / "torch-2.13.0"
        files = [head / "mlp.pt2", REPRO / "free_name_1.json", head / "cond.json"]
        done = subprocess.run([BINARY, "hash", *files], capture_output=True, text=True)
        self.assertEqual(done.stdout, f"{hash_of(files[0])}  {files[0]}\n{hash_of(files[2])}  {files[2]}\n")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, rf"^{re.escape(str(files[1]))}: error: ")
        done = subprocess.run([BINARY, "hash", "--json", *files], capture_output=True, text=True)
        self.assertEqual(json.loads(done.stdout), [{"file": str(path), "hash": None if path == files[1] else hash_of(path)} for path in files])
        self.assertEqual(done.returncode, 3)
        done = subprocess.run([BINARY, "hash", "-", "-"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)

    def test_names_and_order_where_nothing_uses_them_do_not_change_the_hash(self):
        hashes = [hash_of(REPRO / f"unused_symbols_{number}.json") for number in (1, 2)]
        self.assertEqual(hashes[0], hashes[1])

    def test_a_program_that_uses_a_name_that_nothing_defines_has_no_hash(self):
        broken = sorted(REPRO.glob("free_name*.json"))
        self.assertEqual(len(broken), 5)
        for path in broken:
            done = subprocess.run([BINARY, "hash", path], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (3, ""), path.name)
            self.assertRegex(done.stderr, "cannot hash the program: the value '")

    def test_forms_applied_again_change_nothing_where_nothing_uses_a_value(self):
        for path in sorted(REPRO.glob("*.json")):
            for form in ("names", "normal"):
                command = [BINARY, "canonicalize", "-", "--form", form, "-o", "-"]
                once = subprocess.run(command, input=path.read_bytes(), capture_output=True, check=True).stdout
                again = subprocess.run(command, input=once, capture_output=True, check=True).stdout
                self.assertEqual(again, once, f"{path.name}, {form}")


if __name__ == "__main__":
    unittest.main()
