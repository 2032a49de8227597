#!/usr/bin/env python3
"""Names are normal to `pt2 validate` just where they are to Python's unicodedata, by whose data dev/nfkc_table.py makes our table.

PT2_BINARY names pt2.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unicodedata
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
PROGRAM = ROOT / "tests/data/programs/torch-2.13.0/mlp.json"
sys.path.insert(0, str(ROOT / "tests"))
from random_seed import SEED  # noqa: E402


def refused(names):
    """Returns, by their numbers, those that cannot be names of parameters."""
    program = json.loads(PROGRAM.read_text())
    program["graph_module"]["module_call_graph"][0]["signature"]["forward_arg_names"] = names
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "program.json"
        path.write_text(json.dumps(program))
        answer = subprocess.run([PT2, "validate", "--json", path], capture_output=True, text=True, check=False)
    (file,) = json.loads(answer.stdout)
    paths = [finding["path"] for finding in file["findings"] if finding["rule"] == "NAME_CODE"]
    return {int(path.split("[")[-1].rstrip("]")) for path in paths}


class NfkcTableTest(unittest.TestCase):
    def test_the_table_is_what_its_script_writes(self):
        script = [sys.executable, ROOT / "dev/nfkc_table.py", ROOT / "generated/pt2/tables/nfkc_table.h", "--check"]
        answer = subprocess.run(script, capture_output=True, text=True, check=False)
        self.assertEqual((0, ""), (answer.returncode, answer.stderr))

    def test_names_of_letters_and_marks_are_normal_where_python_says_so(self):
        chance = random.Random(SEED)
        points = [point for point in range(0x80, 0x30000) if ("a" + chr(point)).isidentifier()]
        marks = [point for point in points if unicodedata.combining(chr(point)) or unicodedata.category(chr(point)) == "Mc"]
        scripts = [range(0xC0, 0x250), range(0x390, 0x530), range(0x5D0, 0x700), range(0x900, 0xE80), range(0x1E00, 0x2000)]
        letters = [[point for point in script if ("a" + chr(point)).isidentifier()] for script in scripts]
        names = []
        for _ in range(900):
            script = chance.choice([points, *letters])
            text = [chance.choice(script) for _ in range(chance.randint(1, 3))]
            near = [mark for mark in marks if abs(mark - text[-1]) < 0x80]
            for _ in range(chance.randint(0, 3)):
                text.insert(chance.randint(1, len(text)), chance.choice(near or marks))
            names.append("a" + "".join(map(chr, text)))
        found = refused(names)
        for number, name in enumerate(names):
            is_normal = unicodedata.normalize("NFKC", name) == name
            # is_nfkc() refuses single Hangul letters, of which some do not compose.
            if is_normal and any(0x1100 <= ord(c) < 0x1200 for c in name):
                continue
            self.assertEqual(is_normal, number not in found, ascii(name))


if __name__ == "__main__":
    unittest.main()
