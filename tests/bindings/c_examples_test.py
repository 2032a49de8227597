#!/usr/bin/env python3
"""The examples of tests/embedding/c, in C, Python, Rust and C#, built with pt2.h and libpt2c alone, agree about a program.

PT2_C_LIBRARY is the library, shared; CC, CXX the compilers; SCHEMAGEN_BINARY the generator, and VALUE_LIBRARIES what a schema of
one's own is linked with.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "tests" / "embedding" / "c"
HEADERS = REPOSITORY / "bindings" / "c"
GENERATED = REPOSITORY / "generated" / "c"
PROGRAMS = REPOSITORY / "tests" / "data" / "programs" / "torch-2.13.0"
LIBRARY = pathlib.Path(os.environ["PT2_C_LIBRARY"])
RUSTC = shutil.which("rustc", path="/usr/bin") or shutil.which("rustc")  # Debian's compiler is the oldest supported
C99 = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror")
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror".split()
LISTED = """\
torch.ops.aten.linear.default, 3 arguments
torch.ops.aten.relu.default, 1 arguments
torch.ops.aten.linear.default, 3 arguments
torch.ops.aten.mul.Tensor, 2 arguments
torch.ops.aten.add.Tensor, 2 arguments
l1.weight: float32 8 4
l1.bias: float32 8
l2.weight: float32 2 8
l2.bias: float32 2
scale: float32 2
np: float32 2
"""
NOTES = """\
name: notes
version: {major: 1, minor: 0}
roots: [Note]
types:
  Note:
    kind: struct
    fields:
      text: {id: 10, type: str}
      tags: {id: 20, type: "List[str]", default: []}
"""
MAIN_WITH_PROGRAM = """\
#include <pt2.h>
int main(int argc, char** argv) {
  const pt2_str only_model = {NULL, 0};
  pt2_file* file = NULL;
  pt2_program* program = NULL;
  pt2_error* gone = pt2_file_open("gone.pt2", NULL, &file);
  if (argc != 2 || pt2_file_open(argv[1], NULL, &file) || pt2_program_load(file, only_model, NULL, &program)) return 1;
  puts(schemagen_value_type(pt2_program_value(program)).data);
  if (schemagen_error_kind(gone) == SCHEMAGEN_ERROR_IO) puts("no such file");
  schemagen_error_free(gone);
  pt2_program_free(program);
  pt2_file_free(file);
"""


class Examples(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_tool(self, *command, code=0, **environment):
        done = subprocess.run([str(word) for word in command], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "LD_LIBRARY_PATH": str(LIBRARY.parent), **environment})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def compile_c(self, name):
        self.run_tool(os.environ["CC"], *C99, "-I", HEADERS, "-I", GENERATED, EXAMPLES / f"{name}.c", LIBRARY, "-o", name)
        return self.folder / name

    def test_the_document_shows_what_an_example_has(self):
        blocks = re.findall(r"```c\n(.*?)```", (REPOSITORY / "docs" / "c.md").read_text(), re.DOTALL)
        self.assertEqual(len(blocks), 1)
        self.assertIn(blocks[0], (EXAMPLES / "list_program.c").read_text())

    def test_c_lists_a_program(self):
        program = self.compile_c("list_program")
        self.assertEqual(self.run_tool(program, PROGRAMS / "mlp.pt2"), LISTED)
        self.assertEqual(self.run_tool(program, "gone.pt2", code=1), "")

    def test_c_checks_files(self):
        program = self.compile_c("check_files")
        good = PROGRAMS / "mlp.pt2"
        bad = self.folder / "bad.json"
        bad.write_text((PROGRAMS / "mlp.json").read_text().replace('"name": "relu"', '"name": "linear"', 1))
        self.assertEqual(self.run_tool(program, good), f"{good}: ok\n")
        self.assertIn("NAME_", self.run_tool(program, good, bad, code=1))

    def test_python_lists_a_program_by_ctypes(self):
        self.assertEqual(self.run_tool(sys.executable, EXAMPLES / "list_program.py", LIBRARY, PROGRAMS / "mlp.pt2"), LISTED)

    @unittest.skipUnless(RUSTC, "rustc is not installed")
    def test_rust_lists_a_program(self):
        self.run_tool(RUSTC, "--edition=2021", "-D", "warnings", "-L", LIBRARY.parent, EXAMPLES / "list_program.rs", "-o", "rust")
        self.assertEqual(self.run_tool("./rust", PROGRAMS / "mlp.pt2"), LISTED)
        self.assertEqual(self.run_tool("./rust", "gone.pt2", code=1), "")

    @unittest.skipUnless(shutil.which("mcs"), "mcs is not installed (Debian: mono-mcs)")
    def test_c_sharp_lists_a_program(self):
        self.run_tool("mcs", "-warnaserror", EXAMPLES / "list_program.cs", "-out:list_program.exe")
        self.assertEqual(self.run_tool("mono", "list_program.exe", PROGRAMS / "mlp.pt2"), LISTED)
        self.assertEqual(self.run_tool("mono", "list_program.exe", "gone.pt2", code=1), "")

    def test_the_constants_are_those_of_the_schema(self):
        ids = self.run_tool(os.environ["SCHEMAGEN_BINARY"], "export", REPOSITORY / "schema" / "pt2.yaml", "--format", "c", "-o", "-")
        self.assertEqual(ids, (GENERATED / "pt2_ids.h").read_text())
        self.assertIn("#define PT2_Node_target ", ids)
        (self.folder / "twice.yaml").write_text(NOTES.replace("      text:", "      b_c: {id: 1, type: int}\n      text:")
                                                + "  Note_b: {kind: struct, fields: {c: {id: 1, type: int}}}\n")
        self.run_tool(os.environ["SCHEMAGEN_BINARY"], "export", "twice.yaml", "--format", "c", "-o", "-", code=3)

    def test_a_schema_of_ones_own_is_read_in_c(self):
        (self.folder / "notes.yaml").write_text(NOTES)
        self.run_tool(os.environ["SCHEMAGEN_BINARY"], "generate", "notes.yaml", "-o", "notes")
        includes = ["-I.", "-I", HEADERS, "-I", REPOSITORY / "bindings", "-I", REPOSITORY / "runtime"]
        self.run_tool(os.environ["CC"], *C99, *includes, "-c", EXAMPLES / "own_schema.c", "-o", "main.o")
        self.run_tool(os.environ["CXX"], "-std=c++17", *includes, EXAMPLES / "own_schema.cpp", *self.folder.glob("notes/*.cpp"),
                      "main.o", *os.environ["VALUE_LIBRARIES"].split(), "-o", "own_schema")
        said = self.run_tool("./own_schema")
        self.assertRegex(said, r'^2 tags\n\d+ bytes are \{"text": "remember", "tags": \["a", "b"\]\}\n$')

        with self.subTest("by libpt2c with the same functions, in a program that also has pt2.h"):
            main = (EXAMPLES / "own_schema.c").read_text().replace("int main(void) {", MAIN_WITH_PROGRAM)
            (self.folder / "both.c").write_text(main)
            self.run_tool(os.environ["CC"], *C99, *includes, "-c", "both.c", "-o", "both.o")
            codecs = [name for name in os.environ["VALUE_LIBRARIES"].split() if "schemagen_c" not in name]
            self.run_tool(os.environ["CXX"], "-std=c++17", *includes, EXAMPLES / "own_schema.cpp", *self.folder.glob("notes/*.cpp"),
                          "both.o", LIBRARY, *codecs, "-o", "both")
            self.assertEqual(self.run_tool("./both", PROGRAMS / "mlp.pt2"), "ExportedProgram\nno such file\n" + said)

        with self.subTest("and from a copy, by the same two files"):
            self.run_tool(os.environ["SCHEMAGEN_BINARY"], "amalgamate", "notes.yaml", "--with-c",
                          "--namespace", "my::notes", "-o", "copy")
            own = re.sub(r"#include <.*?>\n", "", (EXAMPLES / "own_schema.cpp").read_text())
            own = own.replace("schemagen::c::", "my::notes::schemagen::c::").replace("<notes::", "<my::notes::")
            (self.folder / "own.cpp").write_text('#include "copy/notes.h"\n' + own)
            self.run_tool(os.environ["CC"], *C99, "-Icopy/c", "-c", EXAMPLES / "own_schema.c", "-o", "main.o")
            self.run_tool(os.environ["CXX"], "-std=c++17", *WARNINGS, "-DPT2_WITH_XXHASH", "own.cpp", "copy/notes.cpp", "main.o",
                          "-o", "own_copy")
            self.assertEqual(self.run_tool("./own_copy"), said)


if __name__ == "__main__":
    unittest.main()
