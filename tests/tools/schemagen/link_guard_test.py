#!/usr/bin/env python3
"""Generated code links only with objects of the same schema.

Needs schemagen in SCHEMAGEN_BINARY, and a compiler: CXX, else c++. Run from anywhere.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
RUNTIME = REPOSITORY / "runtime"
SCHEMAGEN = os.environ.get("SCHEMAGEN_BINARY", "schemagen")
COMPILER = os.environ.get("CXX", "c++").split()
WARNINGS = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror".split()

SCHEMA = """\
name: {name}
version: {{major: {major}, minor: 0}}
types:
  A:
    kind: struct
    fields:
{fields}
"""


@unittest.skipUnless(shutil.which(COMPILER[0]), "there is no C++ compiler")
class LinkGuardTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def run_tool(self, *arguments):
        done = subprocess.run([*map(str, arguments)], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stdout}{done.stderr}")

    def generate(self, folder, name="s", major=1, fields=("a: {id: 1, type: int}", "b: {id: 2, type: int}")):
        lines = "\n".join("      " + field for field in fields)
        (self.folder / "s.yaml").write_text(SCHEMA.format(name=name, major=major, fields=lines))
        self.run_tool(SCHEMAGEN, "generate", "s.yaml", "-o", folder)

    def compile(self, source, output, *flags):
        self.run_tool(*COMPILER, "-std=c++17", "-O2", *WARNINGS, f"-I{RUNTIME}", *flags, "-c", source, "-o", output)

    def objects_of(self, folder, *flags):
        self.compile(f"{folder}/types.cpp", f"{folder}.o", *flags)
        return f"{folder}.o"

    def user_of(self, *folders, flags=()):
        """Compiles an object file that uses a struct of each folder's schema, but none of their functions."""
        includes = "".join(f'#include "{folder}/types.h"\n' for folder in folders)
        (self.folder / "user.cpp").write_text(includes + "int use() { return 0; }\n")
        self.compile("user.cpp", "user.o", *flags)
        (self.folder / "main.cpp").write_text("int use();\nint main() { return use(); }\n")
        self.compile("main.cpp", "main.o", *flags)
        return "user.o", "main.o"

    def links(self, *arguments):
        """Links and runs; returns the linker's message, or an empty text."""
        done = subprocess.run([*COMPILER, *arguments, "-o", "program"], cwd=self.folder, capture_output=True, text=True)
        if done.returncode == 0:
            self.run_tool("./program")
        return done.stderr

    def test_a_header_links_with_the_objects_of_its_own_schema(self):
        self.generate("own")
        self.assertEqual(self.links(*self.user_of("own"), self.objects_of("own")), "")

    def test_a_header_does_not_link_with_the_objects_of_another_schema(self):
        self.generate("own")
        for name, fields in {
            "type": ["a: {id: 1, type: int}", "b: {id: 2, type: str}"],
            "more": ["a: {id: 1, type: int}", "b: {id: 2, type: int}", "c: {id: 3, type: int}"],
            "order": ["b: {id: 2, type: int}", "a: {id: 1, type: int}"],
            "cpp_name": ["a: {id: 1, type: int}", "b: {id: 2, type: int, cpp_name: bb}"],
        }.items():
            with self.subTest(difference=name):
                self.generate(name, fields=fields)
                user, objects = self.user_of("own"), self.objects_of(name)
                for order in ((*user, objects), (objects, *user)):
                    self.assertRegex(self.links(*order), r"built_for_schema_s_1_[0-9a-f]{16}_[0-9a-f]{8}")

    def test_nor_where_the_linker_drops_what_is_not_used(self):
        flags = ("-ffunction-sections", "-fdata-sections")
        self.generate("own")
        self.generate("other", fields=["a: {id: 1, type: str}"])
        user = self.user_of("own", flags=flags)
        if self.links(*user, self.objects_of("own", *flags), "-Wl,--gc-sections"):
            self.skipTest("the linker has no --gc-sections")
        self.assertIn("built_for_schema_s_1_", self.links(*user, self.objects_of("other", *flags), "-Wl,--gc-sections"))

    def test_nor_with_a_compiler_that_knows_no_attribute(self):
        flags = ("-DSCHEMAGEN_PLAIN_LINK_GUARD",)
        self.generate("own")
        self.generate("other", fields=["a: {id: 1, type: str}"])
        user = self.user_of("own", flags=flags)
        self.assertEqual(self.links(*user, self.objects_of("own", *flags)), "")
        self.assertIn("built_for_schema_s_1_", self.links(*user, self.objects_of("other", *flags)))

    def test_docs_and_the_minor_version_change_nothing(self):
        self.generate("own")
        text = (self.folder / "s.yaml").read_text()
        text = text.replace("minor: 0", "minor: 7").replace("type: int}", "type: int, doc: Text.}")
        (self.folder / "s.yaml").write_text(text)
        self.run_tool(SCHEMAGEN, "generate", "s.yaml", "-o", "later")
        self.assertEqual(self.links(*self.user_of("own"), self.objects_of("later")), "")

    def test_two_schemas_live_in_one_program(self):
        self.generate("one", name="s")
        self.generate("two", name="t")
        user = self.user_of("one", "two")
        self.assertEqual(self.links(*user, self.objects_of("one"), self.objects_of("two")), "")
        self.assertIn("built_for_schema_t_1_", self.links(*user, self.objects_of("one")))

    def test_two_major_versions_of_a_schema_live_in_one_program(self):
        self.generate("one", major=1)
        self.generate("two", major=2, fields=["a: {id: 1, type: str}"])
        user = self.user_of("one", "two")
        self.assertEqual(self.links(*user, self.objects_of("one"), self.objects_of("two")), "")
        self.assertIn("built_for_schema_s_2_", self.links(*user, self.objects_of("one")))

    def test_the_guard_runs_nothing(self):
        self.generate("own")
        self.user_of("own")
        if shutil.which("nm") is None:
            self.skipTest("nm is missing")
        names = subprocess.run(["nm", "user.o"], cwd=self.folder, capture_output=True, text=True).stdout
        self.assertIn("built_for_schema_s_1_", names)
        self.assertNotIn("GLOBAL__sub_I", names)  # code that runs before main


if __name__ == "__main__":
    unittest.main()
