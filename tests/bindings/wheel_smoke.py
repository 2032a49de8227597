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


NOTES = """\
name: notes
version: {major: 1, minor: 0}
roots: [Note]
types:
  Note:
    kind: struct
    fields:
      text: {id: 10, type: str}
"""


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

    def test_the_viewer_is_there_or_the_command_says_where_it_is(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "viewer.html")
            done = subprocess.run([COMMANDS / "pt2", "view", "--app", "-o", page], capture_output=True, text=True, check=False)
            if "PT2_VIEWER" in os.environ:
                self.assertEqual((done.returncode, page.read_bytes()), (0, pathlib.Path(os.environ["PT2_VIEWER"]).read_bytes()))
            else:
                self.assertEqual(done.returncode, 2)
                self.assertIn("the libpt2 package on npm", done.stderr)

    def test_schemagen_generates_and_copies(self):
        with tempfile.TemporaryDirectory() as folder:
            schema = pathlib.Path(folder, "notes.yaml")
            schema.write_text(NOTES)
            run(COMMANDS / "schemagen", "generate", schema, "-o", folder, "--python", "notes")
            run(COMMANDS / "schemagen", "amalgamate", schema, "-o", folder)
            self.assertLessEqual({"types.h", "python.cpp", "notes.pyi", "notes.h", "notes.cpp"}, set(os.listdir(folder)))

    def test_cmake_finds_the_package_in_it(self):
        includes = pathlib.Path(run(sys.executable, "-m", "pt2", "--includes").strip())
        self.assertTrue((includes / "schemagen" / "json" / "json.h").is_file())
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "notes.yaml").write_text(NOTES)
            pathlib.Path(folder, "main.cpp").write_text('#include <notes/json.h>\n#include <schemagen/binary_file/binary_file.h>\n'
                                                        'int main() { return schemagen::has_zstd() ? 0 : 1; }\n')
            pathlib.Path(folder, "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.22)\nproject(user LANGUAGES CXX)\n"
                "find_package(pt2 REQUIRED COMPONENTS json binary schemagen)\n"
                "schemagen_generate(TARGET notes SCHEMA notes.yaml CODECS json binary)\n"
                "add_executable(user main.cpp)\ntarget_link_libraries(user PRIVATE notes)\n")
            package = run(sys.executable, "-m", "pt2", "--cmakedir").strip()
            run("cmake", "-S", folder, "-B", f"{folder}/build", f"-Dpt2_DIR={package}")
            run("cmake", "--build", f"{folder}/build")
            run(f"{folder}/build/user")

    @unittest.skipUnless(importlib.util.find_spec("scikit_build_core"), "without the extra `schema`")
    def test_schemagen_makes_a_wheel_of_a_schema(self):
        with tempfile.TemporaryDirectory() as folder:
            schema = pathlib.Path(folder, "notes.yaml")
            schema.write_text(NOTES)
            wheel = run(COMMANDS / "schemagen", "wheel", schema, "-o", f"{folder}/dist").strip()
            self.assertRegex(wheel, r"/notes-1\.0-cp310-abi3-linux_\w+\.whl$")
            run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", f"{folder}/site", wheel)
            self.assertIn("class Note(", pathlib.Path(folder, "site", "notes-stubs", "__init__.pyi").read_text())
            program = ("import notes\nnote = notes.Note.from_json('{\"text\": \"a\", \"later\": 1}', unknown_fields='skip')\n"
                       "for compressed in (False, True):\n"
                       "    assert notes.Note.from_binary_file(note.to_binary_file(compressed=compressed)) == note\n"
                       "print(note.to_json().decode())")
            done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": f"{folder}/site"},
                                  capture_output=True, text=True)
            self.assertEqual((done.stdout, done.stderr), ('{"text": "a"}\n', ""))

    def test_the_exit_code_of_the_command_is_that_of_the_process(self):
        for arguments, code in ((["validate", PROGRAM], 0), (["nonsense"], 2), (["info", os.devnull], 3), (["info", "absent"], 4)):
            done = subprocess.run([COMMANDS / "pt2", *arguments], capture_output=True)
            self.assertEqual(done.returncode, code, done.stderr)

    def test_licences_of_what_is_linked_are_inside(self):
        files = {path.name for path in metadata.files("libpt2") if "licenses" in path.parts}
        self.assertLessEqual({"LICENSE", "zstd.txt", "yaml-cpp.txt"}, files)


if __name__ == "__main__":
    unittest.main()
