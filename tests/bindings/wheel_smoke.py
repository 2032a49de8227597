"""What an installed wheel has: its commands, its licences, and no need of torch or NumPy. dev/wheel.sh runs it in a venv of each
Python; what the functions say of programs is python_functions_test.py's, which it runs there, too.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from importlib import metadata

import pt2

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "data" / "programs" / "torch-2.13.0" / "mlp.json"
COMMANDS = pathlib.Path(sys.executable).parent


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, check=True, text=True).stdout


class WheelTest(unittest.TestCase):
    def test_it_needs_neither_torch_nor_numpy(self):
        self.assertEqual([name for name in ("torch", "numpy") if importlib.util.find_spec(name)], [])
        needed = [line for line in metadata.requires("libpt2") if "extra" not in line]
        self.assertEqual(needed, ["nanobind-backend>=1.0"])

    def test_the_commands_are_there(self):
        version = metadata.version("libpt2")
        self.assertEqual(pt2.__version__, version)
        self.assertTrue(run(COMMANDS / "pt2", "--version").startswith(f"pt2 {version} (schema "))
        self.assertEqual(run(sys.executable, "-m", "pt2", "--version"), run(COMMANDS / "pt2", "--version"))
        self.assertEqual(run(COMMANDS / "schemagen", "--version"), f"schemagen {version}\n")
        self.assertEqual(run(COMMANDS / "pt2", "hash", PROGRAM).split()[0], pt2.hash(PROGRAM))

    def test_schemagen_generates_and_copies(self):
        with tempfile.TemporaryDirectory() as folder:
            schema = pathlib.Path(folder, "notes.yaml")
            schema.write_text("name: notes\nversion: {major: 1, minor: 0}\nroots: [Note]\ntypes:\n"
                              "  Note:\n    kind: struct\n    fields:\n      text: {id: 10, type: str}\n")
            run(COMMANDS / "schemagen", "generate", schema, "-o", folder, "--python", "notes")
            run(COMMANDS / "schemagen", "amalgamate", schema, "-o", folder)
            self.assertLessEqual({"types.h", "python.cpp", "notes.pyi", "notes.h", "notes.cpp"}, set(os.listdir(folder)))

    def test_the_exit_code_of_the_command_is_that_of_the_process(self):
        for arguments, code in ((["validate", PROGRAM], 0), (["nonsense"], 2), (["info", os.devnull], 3), (["info", "absent"], 4)):
            done = subprocess.run([COMMANDS / "pt2", *arguments], capture_output=True)
            self.assertEqual(done.returncode, code, done.stderr)

    def test_licences_of_what_is_linked_are_inside(self):
        files = {path.name for path in metadata.files("libpt2") if "licenses" in path.parts}
        self.assertLessEqual({"LICENSE", "rapidjson_licence.txt", "zstd.txt", "yaml-cpp.txt"}, files)


if __name__ == "__main__":
    unittest.main()
