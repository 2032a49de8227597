"""What the options of both commands take, and what the commands say of files that are none.

PT2_BINARY and SCHEMAGEN_BINARY name the commands.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PT2 = os.environ["PT2_BINARY"]
SCHEMAGEN = os.environ["SCHEMAGEN_BINARY"]
TESTS = pathlib.Path(__file__).resolve().parents[1]
MLP = TESTS / "data" / "programs" / "torch-2.13.0" / "mlp.pt2"
SCHEMA = TESTS / "schemas" / "wide.yaml"


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        shutil.copy(MLP, self.folder / "a.pt2")
        shutil.copy(SCHEMA, self.folder / "s.yaml")

    def run_command(self, binary, arguments):
        done = subprocess.run([binary, *arguments], capture_output=True, text=True, cwd=self.folder, timeout=120)
        return done.returncode, done.stdout, done.stderr


class ListTest(CommandLineTest):
    def test_a_list_never_takes_the_file_behind_it(self):
        for binary, arguments in (
            (PT2, "slim --drop stack-traces,samples a.pt2 -o x.pt2"),
            (PT2, "slim --drop stack-traces --drop samples a.pt2 -o x.pt2"),
            (PT2, "slim --drop=stack-traces a.pt2 -o x.pt2"),
            (PT2, "extract --inputs x --outputs relu a.pt2 -o x.pt2"),
            (PT2, "extract -o x.pt2 --outputs relu --inputs x a.pt2"),
            (PT2, "retarget --dtype bfloat16 --keep x a.pt2 -o x.pt2"),
            (PT2, "validate --rule VALUE_UNUSED=error a.pt2"),
            (PT2, "check --policy load --rule VALUE_UNUSED=error,NAME_EMPTY=off a.pt2"),
            (SCHEMAGEN, "amalgamate --codecs json s.yaml -o one"),
            (SCHEMAGEN, "amalgamate --codecs json,binary s.yaml -o both"),
            (SCHEMAGEN, "amalgamate --codecs json --codecs binary s.yaml -o both"),
            (SCHEMAGEN, "generate --only types.h,json.h s.yaml -o parts"),
        ):
            with self.subTest(arguments=arguments):
                code, _, err = self.run_command(binary, arguments.split())
                self.assertEqual((code, err), (0, ""))
        self.assertEqual({path.name for path in (self.folder / "parts").iterdir()}, {"types.h", "json.h"})

    def test_a_list_of_symbols_binds_each_of_them(self):
        shutil.copy(MLP.with_name("dynamic.pt2"), self.folder / "d.pt2")
        both = self.run_command(PT2, ["stats", "--bind", "s17=2,s77=3", "d.pt2"])
        self.assertEqual(both, self.run_command(PT2, ["stats", "d.pt2", "--bind", "s17=2", "--bind", "s77=3"]))
        self.assertEqual(both[::2], (0, ""))

    def test_a_list_is_not_complete_without_its_value_or_with_an_empty_item(self):
        for arguments in ("slim a.pt2 -o x.pt2 --drop names,", "slim a.pt2 -o x.pt2 --drop ,", "extract a.pt2 -o x.pt2 --outputs a,,b"):
            with self.subTest(arguments=arguments):
                code, _, err = self.run_command(PT2, arguments.split())
                self.assertEqual(code, 2)
                self.assertIn(": expected a comma-separated list without empty items", err)
        code, _, err = self.run_command(PT2, ["slim", "a.pt2", "-o", "x.pt2", "--drop"])
        self.assertEqual((code, "--drop" in err), (2, True))

    def test_each_item_is_one_of_the_names(self):
        code, _, err = self.run_command(SCHEMAGEN, "amalgamate s.yaml -o x --codecs json,bniary".split())
        self.assertEqual((code, err), (2, "schemagen amalgamate: error: --codecs: expected json or binary, got 'bniary'\nhint: did you mean 'binary'?\n"))
        code, _, err = self.run_command(PT2, "slim a.pt2 -o x.pt2 --drop names,a".split())
        self.assertEqual((code, "got 'a'" in err), (2, True))


class ValueTest(CommandLineTest):
    def test_an_empty_value_is_not_read_over(self):
        for binary, arguments in ((PT2, ["strip", "a.pt2", "-o", "x.pt2", "--weights", ""]), (PT2, ["weights", "a.pt2", "-o", ""]), (PT2, ["diff", "a.pt2", "a.pt2", "-o", ""]),
                                  (PT2, ["check", "a.pt2", "--rules", ""]), (PT2, ["show", "a.pt2", "--depth", ""]), (PT2, ["convert", "a.pt2", "x.json", "--indent", ""]),
                                  (PT2, ["retarget", "a.pt2", "-o", "x.pt2", "--device", ""]), (PT2, ["slim", "--drop=", "a.pt2", "-o", "x.pt2"]),
                                  (SCHEMAGEN, ["hash", "s.yaml", "--root", ""]), (SCHEMAGEN, ["generate", "s.yaml", "-o", "o", "--depfile", ""])):
            with self.subTest(arguments=arguments):
                code, out, err = self.run_command(binary, arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertRegex(err, r"error: --?[a-z]+: expected .* (without empty items|an empty one|got '')")
        self.assertFalse((self.folder / "x.pt2").exists())

    def test_a_number_and_an_option_given_twice_are_named(self):
        for arguments, message in (("show a.pt2 --depth two", "--depth: expected a non-negative integer, got 'two'"),
                                   ("show a.pt2 --depth -1", "--depth: expected a non-negative integer, got '-1'"),
                                   ("convert a.pt2 x.json --indent 1.5", "--indent: expected a non-negative integer, got '1.5'"),
                                   ("info a.pt2 --model a --model b", "--model: expected once, got 2 times"),
                                   ("strip a.pt2 -o x.pt2 -o y.pt2", "-o: expected once, got 2 times")):
            with self.subTest(arguments=arguments):
                code, out, err = self.run_command(PT2, arguments.split())
                self.assertEqual((code, out), (2, ""))
                self.assertIn(": error: " + message + "\n", err)

    def test_what_cannot_be_read_is_named(self):
        (self.folder / "empty.pt2").touch()
        (self.folder / "w.npz").write_bytes(b"PK")
        self.assertEqual(self.run_command(PT2, "attach empty.pt2 w.npz -o x.pt2".split())[::2], (3, "empty.pt2: error: the file is empty\n"))
        self.assertEqual(self.run_command(PT2, "attach a.pt2 w.npz -o x.pt2".split())[::2], (3, "a.pt2: error: w.npz: not a zip archive\n"))


class FolderTest(CommandLineTest):
    READ = "cannot read 'folder': Is a directory\n"
    WRITE = "cannot write 'folder': Is a directory\n"

    def said(self, binary, arguments):
        code, out, err = self.run_command(binary, arguments.split())
        self.assertEqual(code, 4, (arguments, out, err))
        return out + err

    def test_a_folder_in_place_of_a_file_gets_one_message(self):
        (self.folder / "folder").mkdir()
        edits = ("canonicalize", "upgrade", "strip", "harden", "slim --reproducible", "retarget --device cpu", "retarget --dtype float16",
                 "extract --outputs relu", "downgrade --to 8.14", "view", "export --format dot")
        readings = [f"{command} folder" for command in ("info", "show", "validate", "hash", "stats", "operators", "weights", "scan", "check")]
        readings += [f"{command} folder -o x.pt2" for command in edits]
        readings += ["rename folder x=y -o x.pt2", "convert folder x.json", "convert a.pt2 x.pt2 --into folder", "attach folder a.pt2 -o x.pt2",
                     "attach a.pt2 folder -o x.pt2", "diff folder a.pt2", "diff a.pt2 folder", "operators a.pt2 --backend folder",
                     "stats a.pt2 --operators folder", "show a.pt2 --operators folder", "check a.pt2 --rules folder", "validate a.pt2 --rules folder",
                     "scan a.pt2 folder", "check a.pt2 folder", "hash a.pt2 folder"]
        for arguments in readings:
            with self.subTest(arguments=arguments):
                self.assertIn(self.READ, self.said(PT2, arguments))
        writings = [f"{command} a.pt2 -o folder" for command in edits]
        writings += ["rename a.pt2 x=y -o folder", "convert a.pt2 folder", "convert a.pt2 -o folder", "convert a.pt2 folder --to json",
                     "attach a.pt2 a.pt2 -o folder", "diff a.pt2 a.pt2 -o folder", "strip a.pt2 -o x.pt2 --weights folder", "weights a.pt2 -o folder"]
        for arguments in writings:
            with self.subTest(arguments=arguments):
                self.assertIn(self.WRITE, self.said(PT2, arguments))
        for arguments in ("check folder", "fmt folder", "hash folder", "generate folder -o o", "amalgamate folder -o o", "diff s.yaml folder",
                          "bump folder --against s.yaml", "export folder --format thrift -o -"):
            with self.subTest(arguments=arguments):
                self.assertIn(self.READ, self.said(SCHEMAGEN, arguments))
        for arguments in ("generate s.yaml -o o --depfile folder", "generate s.yaml -o o --stamp folder", "bump s.yaml --against s.yaml -o folder",
                          "export s.yaml --format json-schema -o folder", "export --format language -o folder"):
            with self.subTest(arguments=arguments):
                self.assertIn(self.WRITE, self.said(SCHEMAGEN, arguments))


if __name__ == "__main__":
    unittest.main()
