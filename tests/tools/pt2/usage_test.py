"""Help, the version, and wrong arguments of `pt2`."""

import re
import unittest

from every_command import commands
from pt2_command import CommandTest, HEAD, run
import head_schema  # found by the path that pt2_command sets


class VersionAndHelp(CommandTest):
    def test_every_command_tells_the_version(self):
        for command in commands():
            self.assertEqual(run(command, "--version"), run("--version"), command)

    def test_version_names_the_schema(self):
        code, out, err = run("--version")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, rf"\Apt2 \d+\.\d+\.\d+ \(schema {re.escape(head_schema.VERSION)}, sha256:[0-9a-f]{{64}}\)\n\Z")

    def test_help_teaches_the_commands_and_the_exit_codes(self):
        code, out, err = run("--help")
        self.assertEqual((code, err), (0, ""))
        for text in ["Examples:", "Exit codes: 0 success; 1 ", "2 usage"]:
            self.assertIn(text, out)

    def test_each_command_has_help_with_examples(self):
        for command in commands():
            with self.subTest(command=command):
                code, out, err = run(command, "--help")
                self.assertEqual((code, err), (0, ""))
                self.assertIn("Example", out)
                self.assertEqual([line for line in out.splitlines() if len(line) > 110], [])


class Usage(CommandTest):
    def check_usage(self, arguments, message):
        code, out, err = run(*arguments)
        self.assertEqual((code, out), (2, ""))
        error, _, hint = message.partition("\nhint: ")
        called = error.partition(": ")[0]
        hint = hint or f"run '{called} --help' for usage"
        self.assertEqual(err, f"{error}\nhint: {hint}\n")

    def test_wrong_arguments_exit_with_2_and_point_to_help(self):
        some = HEAD / "cond.json"
        for arguments, message in [
            ([], "pt2: error: expected a command"),
            (["shwo"], "pt2: error: unknown command 'shwo'\nhint: did you mean 'show'?"),
            (["INFO", some], "pt2: error: unknown command 'INFO'\nhint: did you mean 'info'?"),
            (["xyzzy"], f"pt2: error: unknown command 'xyzzy'\nhint: expected one of {', '.join(commands())}"),
            (["--vesion"], "pt2: error: unknown option '--vesion'\nhint: did you mean '--version'?"),
            (["info"], "pt2 info: error: FILE is required"),
            (["validate"], "pt2 validate: error: FILE is required"),
            (["convert", some], "pt2 convert: error: OUT is required"),
            (["info", "--jsno", some], "pt2 info: error: unknown option '--jsno'\nhint: did you mean '--json'?"),
            (["info", some, "--modle=x"], "pt2 info: error: unknown option '--modle'\nhint: did you mean '--model'?"),
            (["info", some, "-q"], "pt2 info: error: unknown option '-q'"),
            (["info", some, "other"], "pt2 info: error: unexpected argument 'other'"),
            (["info", some, "--model"], "pt2 info: error: --model: 1 required NAME missing"),
            (["convert", some, "x.txt"], "pt2 convert: error: cannot write 'x.txt': OUT must end in .json, .pt2b or "
                                         ".pt2, or be '-' for standard output; --to sets the format for other names"),
            (["convert", some, "x.pt2"], "pt2 convert: error: cannot write 'x.pt2': an archive needs weights, but IN is "
                                         "not an archive"),
            (["convert", some, "x.pt2", "--canonical"],
             "pt2 convert: error: --canonical: expected OUT to be a .pt2b file, got an archive"),
            (["convert", some, "x.json", "--to", "pt2b"],
             "pt2 convert: error: --to pt2b: 'x.json' has the extension of a different format"),
            (["convert", some, "-", "--root", "Device", "--model", "a"],
             "pt2 convert: error: --model: expected a program, got a value of type Device"),
            (["diff", "-", "-"], "pt2 diff: error: A and B cannot both be standard input"),
            (["validate", "-", some, "-"], "pt2 validate: error: standard input (-) can be read only once"),
            (["convert", some, "-", "--root", "Device", "--keep-unknown"],
             "pt2 convert: error: --keep-unknown: expected a program, got a value of type Device"),
            (["convert", some, "-", "--root", "Device", "--plain-tree"],
             "pt2 convert: error: --plain-tree: expected a program, got a value of type Device"),
            (["convert", some, "x.json", "--canonical"],
             "pt2 convert: error: --canonical: expected OUT to be a .pt2b file, got JSON"),
            (["convert", some, "-", "--no-compress"],
             "pt2 convert: error: --no-compress: expected OUT to be a .pt2b file, got JSON; add --to pt2b"),
            (["convert", some, "-", "--to", "json", "--canonical"],
             "pt2 convert: error: --canonical: expected OUT to be a .pt2b file, got JSON; add --to pt2b"),
            (["convert", some, "x.pt2b", "--indent", "2"],
             "pt2 convert: error: --indent: expected OUT to be JSON, got a .pt2b file"),
            (["convert", "x.pt2", "y.pt2", "--indent", "2"],
             "pt2 convert: error: --indent: expected OUT to be JSON, got an archive"),
            (["convert", some, "-", "--indent", "17"], "pt2 convert: error: --indent: expected 0 to 16 spaces, got 17"),
            (["canonicalize", some], "pt2 canonicalize: error: -o OUT is required; use '-' for standard output"),
            (["canonicalize", some, "-o", "x.txt"], "pt2 canonicalize: error: cannot write 'x.txt': OUT must end in "
                                                    ".json or .pt2, or be '-' for standard output"),
            (["canonicalize", some, "-o", "x.pt2"], "pt2 canonicalize: error: cannot write 'x.pt2': an archive needs weights, "
                                                    "but IN is not an archive"),
            (["canonicalize", some, "-o", "-", "--form", "full"],
             "pt2 canonicalize: error: --form: expected torch, names or normal, got 'full'"),
            (["diff", some], "pt2 diff: error: B is required"),
            (["convert", "--root", "Grap", some, "-"], "pt2 convert: error: --root: unknown struct or union 'Grap', "
                                                       "did you mean 'Graph'?"),
            (["convert", "--root", "Layout", some, "-"], "pt2 convert: error: --root: unknown struct or union 'Layout'"),
        ]:
            with self.subTest(arguments=arguments):
                self.check_usage(arguments, message)

    def test_help_can_be_asked_for_as_a_command(self):
        self.assertEqual(run("help"), run("--help"))
        for command in commands():
            self.assertEqual(run("help", command), run(command, "--help"))
        self.check_usage(["help", "shwo"], "pt2: error: unknown command 'shwo'\nhint: did you mean 'show'?")

    def test_a_file_in_place_of_a_command_is_told_from_a_typo(self):
        for name in ["model.pt2", "./model"]:
            self.check_usage([name], f"pt2: error: unknown command '{name}'\nhint: put a command before the file; 'pt2 --help' lists the commands")

    def test_what_a_value_can_be_is_listed(self):
        some = HEAD / "cond.json"
        self.check_usage(["canonicalize", some, "-o", "-", "--form", "norm"],
                         "pt2 canonicalize: error: --form: expected torch, names or normal, got 'norm'")
        self.check_usage(["convert", some, "x", "--to", "pt2"],
                         "pt2 convert: error: --to: unknown format 'pt2', expected json or pt2b")

    def test_every_command_and_long_option_is_suggested_for_a_typo(self):
        def swapped(word, at):
            at += word[at] == word[at + 1]
            return word[:at] + word[at + 1] + word[at] + word[at + 2:]
        for command in commands():
            self.check_usage([swapped(command, 1)], f"pt2: error: unknown command '{swapped(command, 1)}'\nhint: did you mean '{command}'?")
            options = set(re.findall(r"--[a-z-]+", run(command, "--help")[1].partition("Options:")[2].partition("\n\n")[0]))
            self.assertIn("--help", options)
            for option in options:
                typo = swapped(option, 2)
                self.check_usage([command, typo], f"pt2 {command}: error: unknown option '{typo}'\nhint: did you mean '{option}'?")

    def test_messages_hold_little_of_what_they_are_about_and_nothing_that_steers_a_terminal(self):
        long = "\x1b[31m" + "x" * 5000
        escaped = self.folder / ("\x1b]0;title\x07" + "y" * 200 + "/" + "z" * 200)
        for arguments in [[long], ["--" + long], ["info", "--" + long], ["show", "a", long], ["info", escaped],
                          ["info", escaped, "--model", long], ["convert", HEAD / "cond.json", escaped],
                          ["convert", HEAD / "cond.json", long], ["convert", "-", "-", "--root", long],
                          ["convert", "-", "-", "--to", long], ["canonicalize", "-", "-o", long],
                          ["canonicalize", "-", "-o", "-", "--form", long], ["upgrade", "-", "-o", long], ["downgrade", "-", "--to", long, "-o", "-"],
                          ["info", HEAD / "cond.pt2", "--model", long], ["info", HEAD / "cond.json", "--model", long],
                          ["diff", escaped, escaped], ["validate", escaped]]:
            with self.subTest(arguments=arguments):
                code, out, err = run(*arguments)
                self.assertIn(code, [2, 3, 4])
                self.assertNotRegex(out + err, "[\0-\x09\x0b-\x1f\x7f]")
                self.assertLess(len(out + err), 1000)


if __name__ == "__main__":
    unittest.main()
