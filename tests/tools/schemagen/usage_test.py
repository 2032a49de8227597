"""Help, the version, wrong arguments, and answers that cannot be written."""

import os
import re
import subprocess
import unittest

from schemagen_command import BAD_INPUT, BINARY, CommandTest, DONE, IO_FAILED, NO, SMALL, UGLY, USAGE


try:
    import resource
except ImportError:
    resource = None
try:
    import yaml
except ImportError:
    yaml = None


class UsageTest(CommandTest):
    def test_every_command_has_help(self):
        out, _ = self.run_command("--help")
        for command in ("generate", "check", "fmt", "hash", "export"):
            self.assertIn(f"\n  {command} ", out)
            self.assertIn(f"Usage: schemagen {command} ", self.run_command(command, "--help")[0])

    def test_help_tells_of_a_command_as_its_option_does(self):
        self.assertEqual(self.run_command("help"), self.run_command("--help"))
        self.assertEqual(self.run_command("help", "diff"), self.run_command("diff", "--help"))

    def test_no_message_holds_much_of_what_somebody_else_wrote(self):
        name = "x" * 100_000
        self.write("old.yaml", SMALL)
        self.write("new.yaml", SMALL.replace("A:", f"A{name}:", 1))
        self.write("bad.yaml", f"name: {name}-\nversion: {name}\n{name}: 1\n")
        for arguments in (["check", "bad.yaml"], ["check", name], ["diff", "old.yaml", "new.yaml"], ["explain", name],
                          ["hash", "old.yaml", "--root", name], ["generate", "old.yaml", "-o", "out", "--namespace", name + "-"],
                          ["diff", "old.yaml", "new.yaml", "--format", name], [name], ["check", "--" + name]):
            with self.subTest(arguments=[argument[:20] for argument in arguments]):
                done = subprocess.run([BINARY, *arguments], cwd=self.folder, capture_output=True, text=True)
                for line in (done.stdout + done.stderr).splitlines():
                    self.assertLess(len(line), 1000, line[:200])

    def test_version_is_said_everywhere(self):
        out, _ = self.run_command("--version")
        self.assertRegex(out, r"^schemagen \d+\.\d+\.\d+\n$")
        for command in re.findall(r"^  ([a-z]+) ", self.run_command("--help")[0].split("Subcommands:")[1], re.MULTILINE):
            self.assertEqual(self.run_command(command, "--version"), (out, ""))

    def test_names_may_look_like_options_behind_two_dashes(self):
        for name in ("a.yaml", "-b.yaml", "--text"):
            self.write(name, SMALL)
        for arguments in ("check -- a.yaml", "check a.yaml -- -b.yaml", "check -- a.yaml -b.yaml", "hash -- --text",
                          "hash --text -- --text", "-- hash a.yaml", "hash a.yaml --", "diff -- -b.yaml --text"):
            with self.subTest(arguments=arguments):
                self.run_command(*arguments.split())
        _, errors = self.run_command("check", "a.yaml", "--", "--gone", code=IO_FAILED)
        self.assertIn("cannot read ./--gone", errors)
        self.assertIn("SCHEMA is required", self.run_command("hash", "--", code=USAGE)[1])
        self.assertIn("unexpected argument", self.run_command("hash", "a.yaml", "--", "--text", code=USAGE)[1])

    def test_names_of_files_do_not_disturb_a_terminal(self):
        self.write("\x1b[31m.yaml", "name: s\n")
        self.write("\x1b[32m.yaml", SMALL)
        for arguments, code in {
            ("check", "\x1b[31m.yaml"): BAD_INPUT, ("check", "\x1b[33m.yaml"): IO_FAILED,
            ("diff", "\x1b[31m.yaml", "\x1b[32m.yaml"): BAD_INPUT, ("diff", "git:\x1b[31m:x", "\x1b[32m.yaml"): IO_FAILED,
            ("hash", "\x1b[32m.yaml", "--expect", "0" * 16): NO, ("check", "--\x1b[31m"): USAGE,
            ("generate", "\x1b[32m.yaml", "-o", "\x1b[34m", "--check"): NO,
            ("bump", "\x1b[32m.yaml", "--against", "\x1b[32m.yaml"): DONE,
        }.items():  # fmt: skip
            with self.subTest(arguments=arguments):
                self.assertNotIn("\x1b", "".join(self.run_command(*arguments, code=code)))

    def test_no_command_or_a_wrong_one_is_a_usage_error(self):
        for arguments, words in {
            "": "schemagen: error: expected a command\nhint: run 'schemagen --help' for usage",
            "hahs s.yaml": "schemagen: error: unknown command 'hahs'\nhint: did you mean 'hash'?",
            "hahs --help": "schemagen: error: unknown command 'hahs'\nhint: did you mean 'hash'?",
            "conquer s.yaml": "schemagen: error: unknown command 'conquer'\nhint: expected one of generate, amalgamate,",
            "hash s.yaml -q": "schemagen hash: error: unknown option '-q'\nhint: run 'schemagen hash --help' for usage",
            "--versoin": "schemagen: error: unknown option '--versoin'\nhint: did you mean '--version'?",
            "hash": "schemagen hash: error: SCHEMA is required\nhint: run 'schemagen hash --help' for usage",
            "fmt": "schemagen fmt: error: SCHEMA is required\n",
            "export s.yaml": "schemagen export: error: --format is required\n",
            "hash s.yaml --rot A": "schemagen hash: error: unknown option '--rot'\nhint: did you mean '--root'?",
            "hash s.yaml --rot=A": "schemagen hash: error: unknown option '--rot'\nhint: did you mean '--root'?",
            "hash s.yaml t.yaml": "schemagen hash: error: unexpected argument 't.yaml'\n",
            "diff - -": "schemagen diff: error: only one of the schemas can be read from stdin\n",
            "diff a.yaml b.yaml --policy ful":
                "schemagen diff: error: --policy: expected full, backward or pytorch, got 'ful'\nhint: did you mean 'full'?\n",
            "diff a.yaml b.yaml --format jsn": "hint: did you mean 'json'?\n",
            "check a.yaml --format srif": "hint: did you mean 'sarif'?\n",
            "check a.yaml --formt sarif": "unknown option '--formt'\nhint: did you mean '--format'?\n",
            "amalgamate s.yaml --codecs jsno -o .": "hint: did you mean 'json'?\n",
            "generate s.yaml -o . --only types.hh": "hint: did you mean 'types.h'?\n",
            "help dif": "schemagen: error: unknown command 'dif'\nhint: did you mean 'diff'?\n",
            "diff a.yaml b.yaml --threshold no": "--threshold: expected note, warning, breaking or error, got 'no'\n",
        }.items():
            with self.subTest(arguments=arguments):
                out, errors = self.run_command(*arguments.split(), code=USAGE)
                self.assertEqual(out, "")
                self.assertIn(words, errors)
                self.assertIn("\nhint: ", errors)

    def test_check_reports_all_files(self):
        self.write("a.yaml", "name: s\n")
        self.write("b.yaml", "nam: s\n")
        self.write("c.yaml", SMALL)
        _, errors = self.run_command("check", "a.yaml", "c.yaml", "b.yaml", code=BAD_INPUT)
        self.assertIn("a.yaml:1:1: error: the schema has no 'version'", errors)
        self.assertIn("b.yaml:1:1: error: unknown key 'nam' in the schema", errors)


class LostAnswerTest(CommandTest):
    @unittest.skipUnless(os.path.exists("/dev/full"), "/dev/full is missing")
    def test_an_answer_that_cannot_be_written_is_an_error_of_every_command(self):
        self.write("s.yaml", SMALL)
        self.write("new.yaml", SMALL.replace("minor: 0", "minor: 1"))
        self.write("ugly.yaml", UGLY)
        for arguments in (
            "--help", "--version", "hash --help", "hash --version", "hash s.yaml", "hash s.yaml --text", "rules",
            "rules --format json", "explain FIELD_RENAMED", "check s.yaml --format json", "diff s.yaml new.yaml", "fmt -", "fmt --check ugly.yaml",
            "generate s.yaml -o out --list-outputs", "export s.yaml --format dot -o -",
            "bump s.yaml --against s.yaml", "bump s.yaml --against s.yaml -o -",
        ):  # fmt: skip
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                done = subprocess.run([BINARY, *arguments.split()], cwd=self.folder, input=SMALL.encode(), stdout=full,
                                      stderr=subprocess.PIPE)
                self.assertEqual(done.returncode, IO_FAILED)
                self.assertIn(b"schemagen: error: cannot write to stdout", done.stderr)

    @unittest.skipUnless(resource, "memory cannot be limited")
    def test_too_little_memory_is_said(self):
        def limited(*arguments, **how):
            limit = (1 << 28, 1 << 28)
            return subprocess.run([BINARY, *arguments], cwd=self.folder, capture_output=True, **how,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))

        if limited("--version").returncode != DONE:
            self.skipTest("this build needs more memory at the start")
        with open(self.folder / "large.yaml", "w+b") as large:  # a sparse file
            large.truncate(1 << 28)
            for done in (limited("check", "large.yaml"), limited("check", "-", stdin=large)):
                self.assertEqual(done.returncode, IO_FAILED)
                self.assertRegex(done.stderr, rb"^schemagen: .*memory\n$")


if __name__ == "__main__":
    unittest.main()
