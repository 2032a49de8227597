"""`schemagen generate`."""

import os
import unittest

from schemagen_command import BAD_INPUT, CommandTest, NO, SMALL, USAGE


try:
    import yaml
except ImportError:
    yaml = None

class GenerateTest(CommandTest):
    def test_what_is_no_folder_and_no_namespace_is_a_usage_error(self):
        self.write("s.yaml", SMALL)
        for command in ("generate", "amalgamate"):
            _, errors = self.run_command(command, "s.yaml", "-o", "-", code=USAGE)
            self.assertIn("error: -o: '-' is not a folder", errors)
            for name, words in {
                "class": "'class' is a C++ keyword", "a::new::b": "'new' is a C++ keyword",
                "a:b": "'a:b' is not a C++ namespace", "a::": "'a::' is not", "1a": "'1a' is not",
                "::a": "'::a' is not", "a::::b": "'a::::b' is not", "é": "'é' is not",
            }.items():  # fmt: skip
                _, errors = self.run_command(command, "s.yaml", "-o", "out", "--namespace", name, code=USAGE)
                self.assertIn("error: --namespace: " + words, errors)
            self.run_command(command, "s.yaml", "-o", "out", "--namespace", "a::classy::_b1")
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["out", "s.yaml"])

    def test_a_stamp_is_touched_each_time_and_what_the_depfile_is_about(self):
        self.write("s.yaml", SMALL)
        command = ("generate", "s.yaml", "-o", "out", "--depfile", "s.d", "--stamp", "s.stamp")
        self.run_command(*command)
        self.assertEqual((self.folder / "s.d").read_text(), "s.stamp: s.yaml\n")
        for name in ("s.stamp", "out/types.h"):
            os.utime(self.folder / name, (1, 1))
        self.run_command(*command)
        self.assertGreater((self.folder / "s.stamp").stat().st_mtime, 1)
        self.assertEqual((self.folder / "s.stamp").read_bytes(), b"")
        self.assertEqual((self.folder / "out/types.h").stat().st_mtime, 1)

    def test_the_hint_of_a_check_cuts_only_a_long_command(self):
        self.write("s.yaml", SMALL)
        folder = "a" * 250 + "/" + "b" * 240
        _, errors = self.run_command("generate", "s.yaml", "-o", folder, "--check", code=NO)
        self.assertRegex(errors.splitlines()[-1], r"^hint: run `schemagen generate s\.yaml -o a+/b+\.\.\.`$")

    def test_the_depfile_names_the_files_that_are_imported(self):
        (self.folder / "s").mkdir()
        self.write("s/s.yaml", SMALL.replace("roots", "imports: [in/b.yaml, c.yaml]\nroots"))
        (self.folder / "s/in").mkdir()
        self.write("s/in/b.yaml", SMALL.replace("A", "B").replace("roots", "imports: [../c.yaml]\nroots"))
        self.write("s/c.yaml", SMALL.replace("A", "C"))
        for command in ("generate", "amalgamate"):
            self.run_command(command, "s/s.yaml", "-o", "out", "--depfile", "s.d", "--stamp", "s.stamp")
            self.assertEqual((self.folder / "s.d").read_text(), "s.stamp: s/s.yaml s/in/b.yaml s/c.yaml\n")

    def test_no_output_replaces_another_or_the_schema(self):
        self.write("s.yaml", SMALL)
        os.link(self.folder / "s.yaml", self.folder / "hard.yaml")
        for extra in (("--depfile", "s.yaml"), ("--stamp", "hard.yaml"), ("--depfile", "x", "--stamp", "x"), ("--depfile", "x", "--stamp", "X"),
                      ("--stamp", "out/types.h"), ("--depfile", "./out/../out/TYPES.H")):
            with self.subTest(extra):
                self.run_command("generate", "s.yaml", "-o", "out", *extra, code=USAGE)
                self.assertFalse((self.folder / "out").exists())
                self.assertEqual((self.folder / "s.yaml").read_text(), SMALL)

    def test_no_path_adds_a_recipe_or_a_variable_to_the_rule(self):
        for name in ("s.yaml; touch made", "s\n\ttouch made.yaml", "SHELL=s.yaml", "*.yaml"):
            with self.subTest(name):
                (self.folder / name).write_text(SMALL)
                self.run_command("generate", name, "-o", "out", "--depfile", "s.d", code=USAGE)
                self.assertFalse((self.folder / "s.d").exists())

    def test_a_failed_run_leaves_no_stamp(self):
        self.write("s.yaml", "name: s\n")
        self.run_command("generate", "s.yaml", "-o", "out", "--stamp", "s.stamp", code=BAD_INPUT)
        self.assertFalse((self.folder / "s.stamp").exists())


if __name__ == "__main__":
    unittest.main()
