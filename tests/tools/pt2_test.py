"""Tests of the pt2 command: what it prints, where, and how it exits.

PT2_BINARY is the command to test. With PT2_UPDATE_GOLDEN=1 the files in tests/golden/show are written anew.
"""

import ctypes
import ctypes.util
import functools
import io
import json
import os
import pathlib
import pty
import re
import resource
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import head_schema  # noqa: E402

BINARY = os.environ["PT2_BINARY"]
TESTS = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = TESTS / "data" / "programs"
GOLDEN = TESTS / "golden" / "show"
READABLE = ["torch-2.6.0", "torch-2.8.0", "torch-2.12.1", "torch-2.13.0", "torch-2.14.0", "torch-2.15.0"]
OLD = {"torch-2.1.2": "1", "torch-2.2.2": "2", "torch-2.4.1": "5.3", "torch-2.5.1": "7.3"}
PACKAGES = TESTS / "data" / "packages"
HEAD = PROGRAMS / "torch-2.13.0"
SKIPPED = f"skipped; written by schema {head_schema.NEXT_MINOR}, this reads {head_schema.VERSION}"

# The parts of a program's .pt2b file.
ROOT_AT, LENGTH_AT, PAYLOAD_AT, CHECKSUM_BYTES = 26, 42, 50, 8
ENVELOPE_BYTES = PAYLOAD_AT + CHECKSUM_BYTES
XXHASH = ctypes.util.find_library("xxhash")


def checksum(data):
    """The XXH3-64 of bytes, by the library of who invented it."""
    function = ctypes.CDLL(XXHASH).XXH3_64bits
    function.restype = ctypes.c_uint64
    function.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    return struct.pack("<Q", function(data, len(data)))


def run(*arguments, stdin=b"", **options):
    """(exit code, stdout, stderr) of the command, its input as bytes or text."""
    code, out, err = run_bytes(*arguments, stdin=stdin, **options)
    return code, out.decode(), err


def run_bytes(*arguments, stdin=b"", **options):
    """As run(), with stdout as bytes."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    environment = {**os.environ, "LC_ALL": "C"}
    result = subprocess.run([BINARY, *map(str, arguments)], input=stdin, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environment, timeout=60, **options)
    return result.returncode, result.stdout, result.stderr.decode()


@functools.cache
def said(command, path, *options):
    """What the command prints of a program that is checked in. Kept, as it is asked for again and again."""
    assert path.is_relative_to(PROGRAMS), path
    code, out, err = run(command, path, *options)
    assert (code, err) == (0, ""), (command, path, code, err)
    return out


def written(path):
    """What pt2 writes of a program of torch 2.13: torch's own text, and what is newer, null or empty."""
    out = said("convert", path, "-")
    assert head_schema.as_torch_wrote(out, path.read_text()) == path.read_text(), path
    return out


def programs(release):
    """The programs of a release, both kinds of file."""
    return sorted(path for path in (PROGRAMS / release).iterdir()
                  if path.name != "about.json" and not path.name.endswith(".head.json"))


def loadable(release):
    """Without those with outputs that are strings, which torch writes and does not read."""
    return [path for path in programs(release) if not path.name.startswith("lifted_constants.")]


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def changed(self, name, change):
        """A copy of cond.json that `change` was applied to."""
        document = json.loads(written(HEAD / "cond.json"))
        change(document)
        return self.file(name, json.dumps(document))

    def archive(self, **models):
        path = self.folder / "several.pt2"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("top/archive_format", "pt2")
            archive.writestr("top/archive_version", "0")
            for name, text in models.items():
                archive.writestr(f"top/models/{name}.json", text)
        return path

    def binary(self, model, *options):
        """A .pt2b file of a program of torch 2.13."""
        path = self.folder / (model + ".pt2b")
        self.check(["convert", HEAD / model, path, *options], 0, "", "")
        return path

    def other_schema(self, major, minor, appended=b""):
        """cond.json as another schema would have written it: with another id, and `appended` as fields at the end."""
        file = self.binary("cond.json", "--no-compress").read_bytes()
        payload = file[PAYLOAD_AT:-CHECKSUM_BYTES - 1] + appended + b"\0"
        body = (file[:10] + struct.pack("<II", major, minor) + bytes(range(1, 9)) + file[ROOT_AT:LENGTH_AT] +
                struct.pack("<Q", len(payload)) + payload)
        return self.file("other.pt2b", body + checksum(body))

    def check(self, arguments, code, stdout, stderr, **options):
        self.assertEqual(run(*arguments, **options), (code, stdout, stderr))


class VersionAndHelp(CommandTest):
    def test_every_command_tells_the_version(self):
        for command in ["info", "show", "validate", "convert", "upgrade", "downgrade", "canonicalize", "hash", "diff"]:
            self.assertEqual(run(command, "--version"), run("--version"), command)

    def test_version_names_the_schema(self):
        code, out, err = run("--version")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, rf"\Apt2 \d+\.\d+\.\d+ \(schema {re.escape(head_schema.VERSION)}, sha256:[0-9a-f]{{64}}\)\n\Z")

    def test_help_teaches_the_commands_and_the_exit_codes(self):
        code, out, err = run("--help")
        self.assertEqual((code, err), (0, ""))
        for text in ["info", "show", "validate", "convert", "canonicalize", "hash", "diff", "Examples:", "Exit codes: 0 done; 1 ", "2 usage"]:
            self.assertIn(text, out)

    def test_each_command_has_help_with_examples(self):
        commands = re.findall(r"^  ([a-z]+) +[A-Z]", run("--help")[1], re.MULTILINE)
        self.assertGreater(len(commands), 20)
        for command in commands:
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
            (["xyzzy"], "pt2: error: unknown command 'xyzzy'\nhint: expected one of info, show, validate, convert, upgrade, downgrade, canonicalize, hash, diff, rename, retarget, extract, slim, stats, operators, weights, strip, attach, scan, check, harden, view, export, rules, explain"),
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
                                         ".pt2, or be - for standard output; --to names the format of others"),
            (["convert", some, "x.pt2"], "pt2 convert: error: cannot write 'x.pt2': an archive holds weights, which IN does "
                                         "not have, as it is not an archive"),
            (["convert", some, "x.pt2", "--canonical"],
             "pt2 convert: error: --canonical is about .pt2b files, and OUT is an archive"),
            (["convert", some, "x.json", "--to", "pt2b"],
             "pt2 convert: error: 'x.json' has the extension of a format other than --to pt2b"),
            (["convert", some, "-", "--root", "Device", "--model", "a"],
             "pt2 convert: error: --model chooses a program, and IN is a value of type Device"),
            (["diff", "-", "-"], "pt2 diff: error: A and B cannot both be standard input"),
            (["validate", "-", some, "-"], "pt2 validate: error: standard input (-) can be read only once"),
            (["convert", some, "-", "--root", "Device", "--keep-unknown"],
             "pt2 convert: error: --keep-unknown is about programs, and IN is a value of type Device"),
            (["convert", some, "-", "--root", "Device", "--plain-tree"],
             "pt2 convert: error: --plain-tree is about programs, and IN is a value of type Device"),
            (["convert", some, "x.json", "--canonical"],
             "pt2 convert: error: --canonical is about .pt2b files, and OUT is JSON"),
            (["convert", some, "-", "--no-compress"],
             "pt2 convert: error: --no-compress is about .pt2b files, and OUT is JSON: add --to pt2b"),
            (["convert", some, "-", "--to", "json", "--canonical"],
             "pt2 convert: error: --canonical is about .pt2b files, and OUT is JSON: add --to pt2b"),
            (["convert", some, "x.pt2b", "--indent", "2"],
             "pt2 convert: error: --indent is about JSON, and OUT is a .pt2b file"),
            (["convert", "x.pt2", "y.pt2", "--indent", "2"],
             "pt2 convert: error: --indent is about JSON, and OUT is an archive"),
            (["convert", some, "-", "--indent", "17"], "pt2 convert: error: --indent takes 0 to 16 spaces, not 17"),
            (["canonicalize", some], "pt2 canonicalize: error: -o OUT is required: what to write, - for standard output"),
            (["canonicalize", some, "-o", "x.txt"], "pt2 canonicalize: error: cannot write 'x.txt': OUT must end in "
                                                    ".json or .pt2, or be - for standard output"),
            (["canonicalize", some, "-o", "x.pt2"], "pt2 canonicalize: error: cannot write 'x.pt2': an archive holds weights, "
                                                    "which IN does not have, as it is not an archive"),
            (["canonicalize", some, "-o", "-", "--form", "norml"],
             "pt2 canonicalize: error: --form: unknown form 'norml', expected torch, names or normal"),
            (["diff", some], "pt2 diff: error: B is required"),
            (["convert", "--root", "Grap", some, "-"], "pt2 convert: error: --root: unknown struct or union 'Grap', "
                                                       "did you mean 'Graph'?"),
            (["convert", "--root", "Layout", some, "-"], "pt2 convert: error: --root: unknown struct or union 'Layout'"),
        ]:
            with self.subTest(arguments=arguments):
                self.check_usage(arguments, message)


    COMMANDS = ["info", "show", "validate", "convert", "upgrade", "downgrade", "canonicalize", "hash", "diff", "rename", "retarget", "extract", "operators", "rules", "explain"]

    def test_help_can_be_asked_for_as_a_command(self):
        self.assertEqual(run("help"), run("--help"))
        for command in self.COMMANDS:
            self.assertEqual(run("help", command), run(command, "--help"))
        self.check_usage(["help", "shwo"], "pt2: error: unknown command 'shwo'\nhint: did you mean 'show'?")

    def test_a_file_in_place_of_a_command_is_told_from_a_typo(self):
        for name in ["model.pt2", "./model"]:
            self.check_usage([name], f"pt2: error: unknown command '{name}'\nhint: put a command before the file; 'pt2 --help' lists them")

    def test_what_a_value_can_be_is_listed(self):
        some = HEAD / "cond.json"
        self.check_usage(["canonicalize", some, "-o", "-", "--form", "norm"],
                         "pt2 canonicalize: error: --form: unknown form 'norm', expected torch, names or normal")
        self.check_usage(["convert", some, "x", "--to", "pt2"],
                         "pt2 convert: error: --to: unknown format 'pt2', expected json or pt2b")

    def test_every_command_and_long_option_is_suggested_for_a_typo(self):
        def swapped(word, at):
            return word[:at] + word[at + 1] + word[at] + word[at + 2:]
        for command in self.COMMANDS:
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


class AllReadablePrograms(CommandTest):
    def test_info_and_show_work_on_each(self):
        for release in READABLE:
            for path in programs(release):
                for command in ["info", "show"]:
                    with self.subTest(path=path, command=command):
                        self.assertTrue(said(command, path).endswith("\n"))

    def test_validate_finds_nothing_in_any(self):
        for release in READABLE:
            with self.subTest(release=release):
                paths = loadable(release)
                code, out, err = run("validate", *paths)
                self.assertEqual((code, err), (0, ""))
                for path, line in zip(paths, out.splitlines(), strict=True):
                    self.assertRegex(line, rf"\A{re.escape(str(path))}: ok \(schema 8\.\d+, \d+ nodes?\)\Z")

    def test_convert_writes_what_torch_would(self):
        for release in READABLE:
            for path in programs(release):
                with self.subTest(path=path):
                    head = path.with_suffix(".head.json")
                    expected = head if head.exists() else path.with_suffix(".json")
                    out = said("convert", path, "-")
                    self.assertEqual(head_schema.as_torch_wrote(out, expected.read_text()), expected.read_text())

    def test_info_counts_as_the_json_does(self):
        for release in READABLE:
            for path in programs(release):
                with self.subTest(path=path):
                    info = json.loads(run("info", "--json", path)[1])
                    # NaN of older files is no concern here.
                    document = json.loads(path.with_suffix(".json").read_text())
                    targets = [node["target"] for node in nodes(document["graph_module"]["graph"])]
                    self.assertEqual(info["nodes"], len(targets))
                    self.assertEqual(sum(info["operators"].values()), len(targets))
                    self.assertEqual(info["torch_version"], document["torch_version"])
                    self.assertEqual(info["json_bytes"], path.with_suffix(".json").stat().st_size)


def opened(pipe):
    """A named pipe to write to, once a reader has opened it."""
    end = time.monotonic() + 30
    while True:
        try:
            return open(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK), "wb")
        except OSError:  # there is no reader yet
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


@unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two processors")
class ManyFiles(CommandTest):
    def pipes(self):
        pipes = [self.folder / "a", self.folder / "b"]
        for pipe in pipes:
            os.mkfifo(pipe)
        return pipes

    def test_what_is_said_does_not_depend_on_how_many_processors_there_are(self):
        newer = json.loads((HEAD / "mlp.json").read_text())
        newer["schema_version"]["minor"] += 1
        newer["graph_module"]["graph"]["nodes"][0]["new_field"] = 7
        files = [HEAD / "mlp.pt2", self.file("newer.json", json.dumps(newer)), self.file("bad.json", "{"), self.folder / "missing",
                 HEAD / "gpt2.pt2", PROGRAMS / "torch-2.4.1" / "mlp.json", self.file("empty", ""), HEAD / "cond.json"]
        processors = sorted(os.sched_getaffinity(0))
        for command, *options in [["validate"], ["validate", "--json"], ["scan"], ["scan", "--format", "json"], ["check"],
                                  ["check", "--format", "sarif"], ["hash"], ["hash", "--json"]]:
            with self.subTest(command=command, options=options):
                one, all_ = (run(command, *options, *3 * files, preexec_fn=functools.partial(os.sched_setaffinity, 0, chosen))
                             for chosen in (processors[:1], processors))
                self.assertEqual(all_, one)
                self.assertEqual(one[0], 4)
        alone = [run("validate", file) for file in files]
        self.assertEqual(run("validate", *files), (4, "".join(out for _, out, _ in alone), "".join(err for *_, err in alone)))

    def test_files_are_read_at_once_and_told_of_in_their_order(self):
        pipes = self.pipes()
        process = subprocess.Popen([BINARY, "hash", *pipes], stdout=subprocess.PIPE)
        for pipe in reversed(pipes):
            with opened(pipe) as out:
                out.write((HEAD / "mlp.json").read_bytes())
        out, _ = process.communicate(timeout=60)
        digest = said("hash", HEAD / "mlp.json").strip()
        self.assertEqual((process.returncode, out.decode()), (0, "".join(f"{digest}  {pipe}\n" for pipe in pipes)))

    def test_a_signal_ends_all_of_them(self):
        pipes = self.pipes()
        process = subprocess.Popen([BINARY, "validate", *pipes])
        with opened(pipes[0]), opened(pipes[1]):
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), -signal.SIGINT)

    def test_of_files_that_are_told_of_no_more_is_begun(self):
        process = subprocess.Popen([BINARY, "validate", *1000 * [HEAD / "gpt2.json"]], stdout=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), -signal.SIGPIPE)


def nodes(graph):
    """All nodes of a graph's JSON and of its subgraphs."""
    for node in graph["nodes"]:
        yield node
        for argument in node["inputs"]:
            if argument["arg"].get("as_graph"):
                yield from nodes(argument["arg"]["as_graph"]["graph"])


class OldPrograms(CommandTest):
    """Programs of releases with another major version: they are upgraded when they are read."""

    def test_validate_says_what_each_was_upgraded_from(self):
        for release, version in OLD.items():
            with self.subTest(release=release):
                paths = loadable(release)
                code, out, err = run("validate", *paths)
                self.assertEqual((code, err), (0, ""))
                # An operator of torch 2.2 has other results today.
                lines = [line for line in out.splitlines() if not re.search(r": warning: .* \[RESULT_COUNT\]$", line)]
                for path, line in zip(paths, lines, strict=True):
                    self.assertRegex(line, rf"\A{re.escape(str(path))}: ok \(schema {re.escape(head_schema.VERSION)} "
                                           rf"after an upgrade from {version}, \d+ nodes?\)\Z")

    def test_info_counts_as_the_json_does(self):
        for release, version in OLD.items():
            for path in programs(release):
                with self.subTest(path=path):
                    info = json.loads(run("info", "--json", path)[1])
                    document = json.loads(path.with_suffix(".json").read_text())
                    self.assertEqual((info["schema_version"], info["upgraded_from"]), (head_schema.VERSION, version))
                    self.assertEqual(info["nodes"], len(list(nodes(document["graph_module"]["graph"]))))
                    self.assertEqual(info["torch_version"], document.get("torch_version", "<=2.4"))
        self.assertIn(f"\n  schema     {head_schema.VERSION}, upgraded from 1\n", run("info", PROGRAMS / "torch-2.1.2" / "mlp.pt2")[1])

    def test_show_prints_a_signature_as_torch_does(self):
        self.assertEqual(
            run("show", "--signature", HEAD / "cond.pt2"),
            (0, "\n# inputs\np: USER_INPUT\nx: USER_INPUT\n\n# outputs\ngetitem: USER_OUTPUT\n", ""))

    def test_show_and_convert_read_each(self):
        for release in OLD:
            for path in programs(release):
                with self.subTest(path=path):
                    code, out, err = run("show", path)
                    self.assertEqual((code, err, out.partition(",")[0]), (0, "", f"schema {head_schema.VERSION}"))
                    code, out, err = run("convert", path, "-")
                    self.assertEqual((code, err), (0, ""))
                    self.assertEqual(json.loads(out)["schema_version"], {"major": head_schema.MAJOR, "minor": head_schema.MINOR})

    def test_versions_that_no_release_wrote_are_refused(self):
        def change(document):
            document["schema_version"] = {"major": 4, "minor": 2}
        path = self.changed("old.json", change)
        for command in ["info", "show", "validate"]:
            with self.subTest(command=command):
                code, out, err = run(command, path)
                self.assertEqual(code, 3)
                self.assertRegex(out + err, r"\A.*: error: schema_version: version 4\.2 cannot be read, only 1, 2, 5\.x, "
                                 rf"7\.x and 8\.x \(up to {re.escape(head_schema.VERSION)} in full\) can: no release of torch wrote it; export "
                                 r"the model again with torch 2\.6 or later \(line 1, column \d+\)\n\Z")


class Upgrade(CommandTest):
    OLD_ZIP = PROGRAMS / "torch-2.2.2" / "mlp.pt2"
    OLD_JSON = PROGRAMS / "torch-2.2.2" / "mlp.json"

    def members(self, path):
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            return {name: archive.read(name) for name in archive.namelist()}

    def test_json_becomes_json_of_the_head_version(self):
        out = self.folder / "new.json"
        self.check(["upgrade", self.OLD_JSON, "-o", out], 0, "", "")
        self.assertEqual(json.loads(out.read_text())["schema_version"],
                         {"major": head_schema.MAJOR, "minor": head_schema.MINOR})
        self.check(["upgrade", self.OLD_JSON, "-o", "-"], 0, out.read_text(), "")
        # What is of the head version stays as it is.
        self.check(["upgrade", out, "-o", "-"], 0, out.read_text(), "")
        self.check(["upgrade", out, "--dry-run"], 0, "nothing to change\n", "")

    def test_an_old_zip_keeps_its_other_members(self):
        out = self.folder / "new.pt2"
        self.check(["upgrade", self.OLD_ZIP, "-o", out], 0, "", "")
        old, new = self.members(self.OLD_ZIP), self.members(out)
        self.assertEqual(new["version"], head_schema.VERSION.encode())
        self.assertEqual(new["serialized_exported_program.json"].decode(), run("upgrade", self.OLD_JSON, "-o", "-")[1])
        self.assertEqual(new["serialized_example_inputs.pt"], b"")
        changed = {"version", "serialized_exported_program.json", "serialized_example_inputs.pt"}
        self.assertEqual({name: data for name, data in new.items() if name not in changed},
                         {name: data for name, data in old.items() if name not in changed})

    def test_the_data_of_members_begin_at_multiples_of_64_bytes(self):
        out = self.folder / "new.pt2"
        run("upgrade", self.OLD_ZIP, "-o", out)
        data = out.read_bytes()
        with zipfile.ZipFile(out) as archive:
            for member in archive.infolist():
                header = data[member.header_offset:member.header_offset + 30]
                name_size, extra_size = int.from_bytes(header[26:28], "little"), int.from_bytes(header[28:30], "little")
                self.assertEqual((member.header_offset + 30 + name_size + extra_size) % 64, 0)

    def test_of_an_archive_the_json_alone_can_be_had(self):
        out = self.folder / "new.json"
        self.check(["upgrade", self.OLD_ZIP, "-o", out], 0, "", "")
        self.assertEqual(out.read_text(), run("upgrade", self.OLD_JSON, "-o", "-")[1])

    def test_all_models_of_an_archive_are_upgraded_or_the_chosen_one(self):
        old = (PROGRAMS / "torch-2.6.0" / "cond.json").read_text()
        source = self.folder / "two.pt2"
        with zipfile.ZipFile(source, "w") as archive:
            archive.writestr("top/archive_format", "pt2")
            archive.writestr("top/archive_version", "0")
            archive.writestr("top/models/a.json", old)
            archive.writestr("top/models/b.json", old)
        new = run("upgrade", PROGRAMS / "torch-2.6.0" / "cond.json", "-o", "-")[1].encode()
        out = self.folder / "new.pt2"
        self.check(["upgrade", source, "-o", out], 0, "", "")
        self.assertEqual(self.members(out), {**self.members(source), "top/models/a.json": new, "top/models/b.json": new})
        self.check(["upgrade", source, "--model", "b", "-o", out], 0, "", "")
        self.assertEqual(self.members(out), {**self.members(source), "top/models/b.json": new})
        self.assertIn('\nmodel "b": graph_module.graph.nodes[0].outputs: ', run("upgrade", source, "--dry-run")[1])
        code, _, err = run("upgrade", source, "-o", self.folder / "new.json")
        self.assertEqual((code, err), (2, "pt2 upgrade: error: the archive holds 2 models, one of them must be chosen (--model): "
                                          "'a', 'b'\nhint: run 'pt2 upgrade --help' for usage\n"))

    def test_a_dry_run_prints_each_change_with_its_path(self):
        code, out, err = run("upgrade", PROGRAMS / "torch-2.1.2" / "mlp.pt2", "--dry-run")
        self.assertEqual((code, err), (0, ""))
        lines = out.splitlines()
        for line in ["graph_module.graph.tensor_values.arg0_1: its 'meta' takes its place (step from 1)",
                     "graph_module.signature: maps of names become a list of specs of the inputs and one of the outputs (step from 1)",
                     "graph_module.graph.nodes[0].outputs[0]: members that are not set are dropped (step from 2)",
                     "dialect: becomes the one item of 'verifiers' (step from 5.3)",
                     f"schema_version: 1 becomes {head_schema.VERSION} (step from 1)",
                     f"zip member 'version': becomes '{head_schema.VERSION}'",
                     "zip member 'serialized_constants.pt': is added, empty",
                     "zip member 'serialized_example_inputs.pt': is added, empty"]:
            self.assertEqual(lines.count(line), 1, line)

    def test_a_failed_upgrade_leaves_the_old_file(self):
        bad = self.file("bad.json", self.OLD_JSON.read_text().replace('"storage_offset": 0', '"storage_offset": "x"'))
        out = self.file("out.json", "old")
        code, _, err = run("upgrade", bad, "-o", out)
        self.assertEqual(code, 3)
        self.assertEqual(err, f"{bad}: error: graph_module.graph.tensor_values.arg0_1.storage_offset: expected an "
                              "object, found a string\n")
        self.assertEqual(out.read_text(), "old")

    def test_usage(self):
        code, _, err = run("upgrade", self.OLD_JSON)
        self.assertEqual((code, err.splitlines()[0]), (2, "pt2 upgrade: error: -o OUT, or --dry-run, is required"))
        code, _, err = run("upgrade", self.OLD_JSON, "-o", self.folder / "new.pt2")
        self.assertEqual(code, 2)
        self.assertIn("an archive holds weights, which IN does not have, as it is not an archive", err)
        code, _, err = run("upgrade", PROGRAMS / "torch-2.2.2" / "mlp.pt2", "-o", self.folder / "new.pt2b")
        self.assertEqual(code, 2)
        self.assertIn("OUT must end in .json or .pt2, or be - for standard output", err)

    def test_a_binary_file_is_upgraded_as_its_json_is(self):
        of_json = PROGRAMS / "torch-2.6.0" / "cond.json"
        binary = self.folder / "cond.pt2b"
        self.assertEqual(run("convert", of_json, binary)[0], 0)
        self.assertEqual(run("upgrade", binary, "--dry-run"), run("upgrade", of_json, "--dry-run"))
        self.assertEqual(run("upgrade", binary, "-o", "-"), run("upgrade", of_json, "-o", "-"))
        self.assertIn("a list of tensors becomes one output for each", run("upgrade", binary, "--dry-run")[1])


class Downgrade(CommandTest):
    def test_json_becomes_json_of_the_older_version(self):
        out = self.folder / "older.json"
        path = HEAD / "mlp.json"
        self.check(["downgrade", path, "-o", out, "--to", "8.14"], 0, "",
                   f"{path}: note: 5 values of Node.name are left out, which 8.14 does not have\n")
        program = json.loads(out.read_text())
        self.assertEqual(program["schema_version"], {"major": 8, "minor": 14})
        self.assertNotIn("name", program["graph_module"]["graph"]["nodes"][0])
        self.check(["diff", path, out], 1, "schema\n- schema 8.20\n+ schema 8.14\n\n1 difference\n", "")

    def test_an_archive_keeps_its_weights_and_binary_has_the_same_program(self):
        out = self.folder / "older.pt2"
        self.assertEqual(run("downgrade", HEAD / "mlp.pt2", "-o", out, "--to", "8.14")[0], 0)
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            self.assertEqual([name for name in old.namelist() if old.read(name) != new.read(name)],
                             ["mlp/models/model.json"])
        of_json = run("downgrade", HEAD / "mlp.json", "-o", "-", "--to", "8.14")[1]
        binary = self.folder / "older.pt2b"
        self.assertEqual(run("downgrade", HEAD / "mlp.json", "-o", binary, "--to", "8.14")[0], 0)
        self.assertEqual(run("hash", binary)[1].split()[0], run("hash", "-", stdin=of_json.encode())[1].split()[0])

    def test_an_archive_takes_the_layout_of_the_older_torch_with_its_weights(self):
        def weights(path):
            return [{key: value for key, value in weight.items() if key not in ("record", "pickled")}
                    for weight in json.loads(run("weights", path, "--json")[1])]

        for version, records in (
            ("8.8", ["mlp/data/weights/model.pt", "mlp/data/constants/model.pt", "mlp/models/model.json",
                     "mlp/data/sample_inputs/model.pt", "mlp/archive_format", "mlp/archive_version", "mlp/.data/version", "mlp/byteorder",
                     "mlp/.data/serialization_id"]),
            ("8.2", ["serialized_exported_program.json", "serialized_state_dict.pt", "serialized_constants.pt",
                     "serialized_example_inputs.pt", "version"]),
        ):
            out = self.folder / f"older_{version}.pt2"
            self.assertEqual(run("downgrade", HEAD / "mlp.pt2", "-o", out, "--to", version)[0], 0)
            with zipfile.ZipFile(out) as archive:
                self.assertEqual(sorted(archive.namelist()), sorted(records))
                self.assertIsNone(archive.testzip())
            self.assertEqual(weights(out), weights(HEAD / "mlp.pt2"))
            self.assertEqual(run("validate", out)[0], 0)
            self.assertEqual(run("scan", out)[0], 0)
            again = self.folder / "again.pt2"
            self.assertEqual(run("downgrade", HEAD / "mlp.pt2", "-o", again, "--to", version)[0], 0)
            self.assertEqual(again.read_bytes(), out.read_bytes())

    def test_what_the_older_version_cannot_say_is_named_and_nothing_is_written(self):
        out = self.folder / "older.json"
        program = json.loads(written(HEAD / "mlp.json"))
        program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] = {"as_int_lists": [[1]]}
        path = self.file("new.json", json.dumps(program))
        where = "graph_module.graph.nodes[0].inputs[0].arg.as_int_lists"
        self.check(["downgrade", path, "-o", out, "--to", "8.8"], 3, "",
                   f"{path}: error: {where}: Argument has no member 'as_int_lists' in 8.8\n")
        self.assertFalse(out.exists())

    def test_guards_are_left_out_with_a_warning(self):
        path = HEAD / "sym_values.json"
        out = self.folder / "older.json"
        code, _, err = run("downgrade", path, "-o", out, "--to", "torch-2.8")
        self.assertEqual(code, 0, err)
        self.assertIn(f"{path}: warning: 1 value of ExportedProgram.guards_code is left out, which 8.8 does not have: "
                      "torch will not check what it is called with\n", err)
        self.assertEqual(json.loads(out.read_bytes())["schema_version"], {"major": 8, "minor": 8})

    def test_a_release_of_torch_stands_for_its_schema(self):
        _, by_schema, _ = run("downgrade", HEAD / "mlp.json", "-o", "-", "--to", "8.14")
        self.assertEqual(run("downgrade", HEAD / "mlp.json", "-o", "-", "--to", "torch-2.9")[1], by_schema)

    def test_operators_that_the_older_torch_lacks_are_warned_of(self):
        program = json.loads(written(HEAD / "mlp.json"))
        program["graph_module"]["graph"]["nodes"][0]["target"] = "_operator.lshift"
        path = self.file("new.json", json.dumps(program))
        _, _, err = run("downgrade", path, "-o", "-", "--to", "8.14")
        self.assertEqual(err.splitlines()[1], f"{path}: warning: torch 2.9 does not have the operator "
                         "_operator.lshift, which came with torch 2.11")
        self.assertNotIn("warning", run("downgrade", path, "-o", "-", "--to", "8.17")[2])

    def test_calls_become_those_of_the_older_torch_or_are_errors(self):
        def call(value):
            names = ["query", "key", "value", "attn_bias", "cum_seq_q", "cum_seq_k", "max_q", "max_k", "compute_log_sumexp"]
            inputs = [{"name": name, "arg": {"as_none": True}, "kind": 1} for name in names]
            return inputs + [{"name": "seqused_k", "arg": value, "kind": 2}]

        program = json.loads(written(HEAD / "mlp.json"))
        program["torch_version"] = "2.14.0"
        node = program["graph_module"]["graph"]["nodes"][0]
        node.update(target="torch.ops.aten._cudnn_attention_forward.default", inputs=call({"as_none": True}))
        out = self.folder / "older.json"
        path = self.file("new.json", json.dumps(program))
        where = f"{path}: {{}}: graph_module.graph.nodes[0]: aten._cudnn_attention_forward.default"
        self.check(["downgrade", path, "-o", out, "--to", "torch-2.13"], 0, "", where.format("note") +
                   ": 'seqused_k' is left out, which torch 2.13 does not have\n")
        self.assertEqual(json.loads(out.read_text())["graph_module"]["graph"]["nodes"][0]["inputs"], call({})[:-1])
        self.check(["downgrade", out, "-o", "-", "--to", "torch-2.13"], 0, out.read_text(), "")
        node["inputs"] = call({"as_tensor": {"name": "x"}})
        path = self.file("new.json", json.dumps(program))
        out.unlink()
        self.check(["downgrade", path, "-o", out, "--to", "torch-2.13"], 3, "", where.format("error") +
                   " has no argument 'seqused_k' in torch 2.13, which is a value here\n")
        self.assertFalse(out.exists())

    def test_bad_calls_say_what_to_do(self):
        for arguments, message in [
            (["--to", "8.8"], "-o OUT is required: what to write, - for standard output"),
            (["-o", "-"], "--to 8.N or --to torch-2.N is required"),
            (["-o", "-", "--to", "9"], "--to takes a version of schema 8, such as 8.14, or a release, such as torch-2.9, not '9'"),
            (["-o", "-", "--to", "torch-2.5"], f"cannot downgrade to 'torch-2.5': torch-2.6 to torch-2.15 can be written for"),
            (["-o", "-", "--to", "8.1"], f"cannot downgrade to version 8.1: versions 8.2 to {head_schema.VERSION} can be written"),
        ]:
            code, _, err = run("downgrade", HEAD / "mlp.pt2", *arguments)
            self.assertEqual((code, err.splitlines()[0]), (2, "pt2 downgrade: error: " + message))


class Edit(CommandTest):
    def weights(self, path):
        return json.loads(run("weights", path, "--json")[1])

    def test_rename_changes_the_program_and_the_archives_table(self):
        out = self.folder / "renamed.pt2"
        self.check(["rename", HEAD / "mlp.pt2", "-o", out, "x=image", "l1.weight=first.weight"], 0, "", "")
        self.assertEqual(run("validate", out)[0], 0)
        self.assertIn("image", run("show", out)[1])
        self.assertEqual([w["name"].replace("first", "l1") for w in self.weights(out)],
                         [w["name"] for w in self.weights(HEAD / "mlp.pt2")])
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            self.assertEqual([name for name in old.namelist() if old.read(name) != new.read(name)],
                             ["mlp/data/weights/model_weights_config.json", "mlp/models/model.json"])

    def test_rename_takes_names_of_shared_weights_that_only_the_archive_has(self):
        shared = self.folder / "shared.pt2"
        with zipfile.ZipFile(HEAD / "mlp.pt2") as archive, zipfile.ZipFile(shared, "w") as copy:
            for record in archive.infolist():
                data = archive.read(record)
                if record.filename.endswith("model_weights_config.json"):
                    table = json.loads(data)
                    table["config"]["again.weight"] = table["config"]["l1.weight"]
                    data = json.dumps(table)
                copy.writestr(record, data)
        out = self.folder / "renamed.pt2"
        self.check(["rename", shared, "-o", out, "again.weight=other name.weight", "l1.weight=first.weight"], 0, "", "")
        names = [weight["name"] for weight in self.weights(out)]
        self.assertIn("other name.weight", names)
        self.assertIn("first.weight", names)
        self.assertNotIn("again.weight", names)
        code, _, err = run("rename", shared, "-o", out, "again.weight=l2.weight")
        self.assertEqual((code, err.splitlines()[0]), (2, "pt2 rename: error: cannot rename: the name 'l2.weight' is taken"))

    def test_rename_of_json_and_binary(self):
        out = self.folder / "renamed.pt2b"
        self.check(["rename", HEAD / "mlp.json", "-o", out, "x=image"], 0, "", "")
        json_text = run("rename", HEAD / "mlp.json", "-o", "-", "x=image")[1]
        self.assertEqual(run("convert", out, "-")[1], json_text)

    def test_rename_of_weights_that_are_named_in_a_pickle_is_refused(self):
        code, _, err = run("rename", PROGRAMS / "torch-2.6.0" / "mlp.pt2", "-o", self.folder / "new.pt2", "l1.weight=w")
        self.assertEqual((code, err.splitlines()[0]), (
            2, "pt2 rename: error: the weights of this archive are named in a pickle; write it with 'pt2 convert' "
               "first, or the program alone, as .json or .pt2b"))

    def test_retarget_warns_of_devices_that_torch_does_not_know(self):
        code, _, err = run("retarget", HEAD / "mlp.json", "-o", self.folder / "x.json", "--device", "cudo:1")
        self.assertEqual((code, err), (0, "pt2 retarget: warning: torch itself has no device 'cudo', did you mean 'cuda'?\n"))

    def test_retarget_converts_floats_but_for_what_is_kept(self):
        half, back = self.folder / "half.pt2", self.folder / "back.pt2"
        report = {"dtype": "bfloat16", "casts": 0}
        code, out, err = run("retarget", HEAD / "mlp.pt2", "-o", half, "--dtype", "bfloat16", "--json")
        self.assertEqual((code, err, json.loads(out) | report), (0, "", json.loads(out)))
        self.assertEqual({w["dtype"] for w in self.weights(half)} & {"float32", "bfloat16"}, {"bfloat16"})
        self.assertLess(half.stat().st_size, (HEAD / "mlp.pt2").stat().st_size)
        self.check(["retarget", half, "-o", back, "--dtype", "float32"], 0, "", "")
        self.assertEqual(run("show", back), run("show", HEAD / "mlp.pt2"))
        kept = self.weights(HEAD / "mlp.pt2")[0]["name"]
        self.check(["retarget", HEAD / "mlp.pt2", "-o", half, "--dtype", "bfloat16", "--keep", kept], 0, "", "")
        self.assertEqual([w["name"] for w in self.weights(half) if w["dtype"] == "float32"], [kept])

    def test_retarget_moves_values_and_weights_and_back(self):
        moved, back = self.folder / "moved.pt2", self.folder / "back.pt2"
        self.check(["retarget", HEAD / "mlp.pt2", "-o", moved, "--device", "cuda:1"], 0, "", "")
        self.assertEqual({w["device"] for w in self.weights(moved)}, {"cuda:1"})
        self.assertIn("f32[3, 4]@cuda:1", run("show", moved)[1])
        self.check(["retarget", moved, "-o", back, "--device", "cpu", "--from", "cuda"], 0, "", "")
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(back) as new:
            for name in old.namelist():
                if "/models/" in name:
                    self.assertEqual(new.read(name).decode(), written(HEAD / "mlp.json"))
                elif name.endswith(".json"):
                    self.assertEqual(json.loads(old.read(name)), json.loads(new.read(name)), name)
                else:
                    self.assertEqual(old.read(name), new.read(name), name)

    def test_extract_writes_a_part_with_its_weights(self):
        out = self.folder / "head.pt2"
        self.check(["extract", HEAD / "mlp.pt2", "-o", out, "--inputs", "x", "--outputs", "relu"], 0, "", "")
        self.assertEqual([w["name"] for w in self.weights(out)], ["l1.weight", "l1.bias"])
        info = json.loads(run("info", out, "--json")[1])
        self.assertEqual(info["signature"]["user_outputs"], ["relu"])
        self.assertEqual(run("validate", out)[0], 0)

    def test_json_says_what_was_done(self):
        def said(command, *arguments, source=HEAD / "mlp.pt2"):
            out = self.folder / "out.pt2"
            code, text, err = run(command, source, "-o", out, "--json", *arguments)
            self.assertEqual((code, err), (0, ""))
            done = json.loads(text)
            self.assertEqual((done.pop("file"), done.pop("out")), (str(source), str(out)))
            return done

        self.assertEqual(said("rename", "x=image", "l1.weight=first.weight"), {"renamed": [
            {"old": "x", "new": "image", "is_weight": False}, {"old": "l1.weight", "new": "first.weight", "is_weight": True}]})
        with zipfile.ZipFile(HEAD / "mlp.pt2") as archive:
            devices = sum(archive.read(name).count(b'"device": {"type": "cpu"') for name in archive.namelist() if name.endswith(".json"))
        self.assertEqual(said("retarget", "--device", "cuda:1"), {"device": "cuda:1", "from": None, "changed": devices})
        self.assertEqual(said("extract", "--inputs", "x", "--outputs", "relu"), {
            "inputs": [{"name": "x", "type": "f32[3, 4]", "constant": None}],
            "outputs": [{"name": "relu", "type": "f32[3, 8]", "constant": None}], "nodes": 2,
            "weights": ["l1.weight", "l1.bias"]})
        old = PROGRAMS / "torch-2.1.2" / "mlp.pt2"
        done = said("upgrade", source=old)
        text = run("upgrade", old, "--dry-run")[1]
        self.assertIn("{path}: {what} (step from {step})\n".format(**done["changes"][0]), text)
        self.assertEqual(len(done["changes"]) + len(done["members"]) + done["becomes_pt2_archive"], len(text.splitlines()))
        self.assertEqual(json.loads(run("upgrade", old, "--dry-run", "--json")[1])["changes"], done["changes"])

    def test_json_and_the_program_are_not_both_written_to_standard_output(self):
        for command in (["rename", "x=y"], ["retarget", "--device", "cpu"], ["extract", "--outputs", "relu", "--inputs", "x"], ["upgrade"]):
            code, out, err = run(command[0], HEAD / "mlp.pt2", *command[1:], "-o", "-", "--json")
            self.assertEqual((code, out), (2, ""))
            self.assertIn("--json says on standard output what was done: -o must name a file", err)

    def test_bad_calls_say_what_to_do(self):
        for arguments, message in [
            (["extract", "-o", "-"], "--outputs NAME,... is required"),
            (["extract", "-o", "-", "--outputs", "relu"],
             "cannot extract: 'relu' needs the program's input 'x', which is not among the inputs"),
            (["rename", "x=y"], "-o OUT is required: what to write, - for standard output"),
            (["rename", "-o", "-"], "OLD=NEW is required"),
            (["rename", "-o", "-", "x"], "expected OLD=NEW, not 'x'"),
            (["rename", "-o", "-", "y=z"], "cannot rename: there is no value, parameter or buffer 'y'"),
            (["retarget", "-o", "-"], "--device DEVICE or --dtype DTYPE is required"),
            (["retarget", "-o", "-", "--device", "cpu", "--dtype", "float16"],
             "--device and --dtype are two steps: give one of them"),
            (["retarget", "-o", "-", "--dtype", "float16", "--from", "cpu"], "--from is about devices"),
            (["retarget", "-o", "-", "--device", "cpu", "--keep", "x"], "--keep is about dtypes"),
            (["retarget", "-o", "-", "--dtype", "int8"], "--dtype: int8 not in {bfloat16,float16,float32}"),
            (["retarget", "-o", "-", "--dtype", "float16", "--keep", "y,x"],
             "nothing to keep is called 'y': expected names of weights, inputs, nodes or modules"),
            (["retarget", "-o", "-", "--device", "GPU 1"],
             "expected a device, such as cpu, cuda or cuda:1, not 'GPU 1'"),
        ]:
            code, _, err = run(arguments[0], HEAD / "mlp.pt2", *arguments[1:])
            self.assertEqual((code, err.splitlines()[0]), (2, f"pt2 {arguments[0]}: error: {message}"))


class Info(CommandTest):
    def test_text(self):
        path = HEAD / "mlp.pt2"
        self.check(["info", path], 0, f"""{path}
  container  PT2 archive, version 0, model "model"
  schema     8.20
  torch      2.13.0+cpu
  opset      aten 10
  verifiers  TRAINING
  JSON       7,640 bytes

inputs
  x  f32[3, 4]
  and 4 parameters, 2 buffers

outputs
  add  f32[3, 2]

weights
  parameters               4 tensors  58 elements  232 bytes
  buffers                   1 tensor   2 elements    8 bytes
  buffers, not persistent   1 tensor   2 elements    8 bytes

operators: 5 nodes
  2  aten.linear.default
  1  aten.add.Tensor
  1  aten.mul.Tensor
  1  aten.relu.default
""", "")

    def test_text_with_symbols_guards_and_subgraphs(self):
        _, out, _ = run("info", HEAD / "sym_values.json")
        self.assertIn("\n  container  JSON\n", out)
        self.assertIn("\nsymbols\n  6 <= 2*s39 <= 1024\n  3 <= s39 <= 512\n\nguards\n  ((4*L['x']", out)
        self.assertIn("\noperators: 5 nodes, some of them in 2 subgraphs\n", run("info", HEAD / "cond.json")[1])
        self.assertIn("\n  container  torch.export zip, version 8.2\n",
                      run("info", PROGRAMS / "torch-2.6.0" / "cond.pt2")[1])

    def test_json(self):
        path = HEAD / "pytree_kwargs.pt2"
        code, out, err = run("info", "--json", path)
        self.assertEqual((code, err, out.count("\n")), (0, "", 1))
        none = {"tensors": 0, "elements": 0, "bytes": 0, "unsized": 0}
        info = json.loads(out)
        signature = info.pop("signature")  # tests/interop/torch_signature_test.py holds it to torch's
        self.assertEqual(signature["user_inputs"], ["d_x", "d_y", "lst_0", "lst_1", 3])
        self.assertEqual(info.pop("package"), {"aotinductor": [], "executorch": [], "sample_inputs": ["model"],
                                               "extra": [], "other": []})
        self.assertEqual(info, {
            "file": str(path), "container": "pt2_archive", "archive_version": "0", "models": ["model"],
            "model": "model", "json_bytes": 4829, "envelope": None, "schema_version": "8.20",
            "upgraded_from": None, "torch_version": "2.13.0+cpu",
            "opset_version": {"aten": 10}, "verifiers": ["TRAINING"],
            "inputs": [{"name": name, "type": "f32[2]", "constant": None}
                       for name in ["d_x", "d_y", "lst_0", "lst_1"]] +
                      [{"name": "k", "type": "", "constant": "3"}],
            "other_inputs": {},
            "outputs": [{"name": name, "type": "f32[2]", "constant": None} for name in ["add", "mul", "lst_1"]] +
                       [{"name": "None", "type": "", "constant": None}],
            "other_outputs": {}, "parameters": none, "buffers": none, "non_persistent_buffers": none,
            "constants": none, "nodes": 2, "subgraphs": 0,
            "operators": {"aten.add.Tensor": 1, "aten.mul.Tensor": 1}, "symbols": {}, "guards": [],
            "skipped_fields": []})

    def test_packages_without_a_program_are_told_what_they_hold(self):
        path = PACKAGES / "aoti.pt2"
        self.check(["info", path], 0, f"""{path}
  container  PT2 archive, version 0, no exported program

package
  AOTInductor  model
""", "")
        self.assertEqual(json.loads(run("info", "--json", path)[1]), {
            "file": str(path), "container": "pt2_archive", "archive_version": "0", "models": [], "model": None,
            "json_bytes": None, "envelope": None, "signature": None,
            "package": {"aotinductor": ["model"], "executorch": [], "sample_inputs": [], "extra": [], "other": []}})
        self.check(["info", "--model", "a", path], 3, "",
                   f"{path}: error: the archive holds no exported program: it has no member 'aoti/models/*.json'\n")

    def test_packages_of_aotinductor_of_torch_2_5_to_2_7_are_told_what_they_hold(self):
        for folder in ("", "a/"):
            path = self.folder / "flat.pt2"
            with zipfile.ZipFile(path, "w") as archive:
                for name in ("version", "archive_format", f"data/aotinductor/{folder}c.cpp", f"data/aotinductor/{folder}c.json"):
                    archive.writestr(name, "pt2" if name == "archive_format" else "1")
            for command in (["info", path], ["strip", path, "-o", self.folder / "copy.pt2"], ["info", self.folder / "copy.pt2"]):
                code, out, _ = run(*command)
                self.assertEqual(code, 0)
                if command[0] == "info":
                    self.assertIn(f"\npackage\n  AOTInductor  {folder.strip('/') or 'model'}\n", out)
            self.check(["info", "--model", "a", path], 3, "",
                       f"{path}: error: the archive holds no exported program: it has no member 'models/*.json'\n")
            self.assertEqual(run("scan", path)[0], 1)
            self.assertEqual(run("check", path)[0], 1)

    def test_packages_are_told_what_they_hold_beside_a_program(self):
        out = run("info", PACKAGES / "both.pt2")[1]
        self.assertIn("\npackage\n  AOTInductor  a\n  extra        extra/note.txt\n", out)
        package = json.loads(run("info", "--json", "--model", "b", PACKAGES / "multi.pt2")[1])["package"]
        self.assertEqual(package, {"aotinductor": [], "executorch": [], "sample_inputs": ["a", "b"],
                                   "extra": ["extra/note.txt"], "other": []})

    def test_near_misses_are_told_what_they_are(self):
        path = self.folder / "weights.pth"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("weights/data.pkl", "")
        self.check(["info", path], 3, "", f"{path}: error: this is a file of torch.save (.pt, .pth), not an exported program: "
                   "export the model with torch.export.export() and torch.export.save()\n")

    def test_json_without_container(self):
        info = json.loads(run("info", "--json", HEAD / "dynamic.json")[1])
        self.assertEqual([info["container"], info["archive_version"], info["models"], info["model"]],
                         ["json", None, [], None])
        self.assertEqual(info["symbols"], {"s77": {"min": 2, "max": 64}, "s17": {"min": 2, "max": None}})

    def test_binary_files_name_their_envelope(self):
        path = self.binary("cond.json")
        schema_id = re.search(r"sha256:([0-9a-f]{16})", run("--version")[1])[1]
        head = (f"{path}\n  container  .pt2b, schema {head_schema.VERSION} (id {schema_id}, known), root ExportedProgram, "
                "compressed (zstd)\n  schema     8.20\n")
        out = run("info", path)[1]
        self.assertEqual(out[:len(head)], head)
        payload = len(run_bytes("convert", path, "-", "--to", "pt2b", "--no-compress")[1]) - ENVELOPE_BYTES
        sizes = f"\n  payload    {payload:,} bytes\n  file       {path.stat().st_size:,} bytes\n\ninputs\n"
        self.assertIn(sizes, out)
        # All that is about the program itself is the same as of its JSON.
        self.assertEqual(out[out.index("\ninputs\n"):], run("info", HEAD / "cond.json")[1].partition("bytes\n")[2])
        info = json.loads(run("info", "--json", path)[1])
        self.assertEqual(
            [info[key] for key in ["container", "archive_version", "models", "model", "json_bytes", "envelope"]],
            ["pt2b", None, [], None, None,
             {"schema_version": head_schema.VERSION, "schema_id": schema_id, "schema_is_known": True,
              "root": "ExportedProgram", "compression": "zstd", "payload_bytes": payload,
              "file_bytes": path.stat().st_size}])

    @unittest.skipUnless(XXHASH, "needs libxxhash")
    def test_binary_files_by_another_schema_are_named_so(self):
        path = self.other_schema(head_schema.MAJOR, head_schema.MINOR + 1)
        self.assertIn(f"\n  container  .pt2b, schema {head_schema.NEXT_MINOR} (id 0102030405060708, not known), root "
                      "ExportedProgram, not compressed\n", run("info", path)[1])

    def test_json_keys_keep_their_order(self):
        keys = list(json.loads(run("info", "--json", HEAD / "mlp.json")[1]))
        self.assertEqual(keys[:3] + keys[-3:], ["file", "container", "archive_version", "symbols", "guards",
                                                "skipped_fields"])

    def test_reads_standard_input(self):
        for suffix in ["json", "pt2"]:
            code, out, err = run("info", "-", stdin=(HEAD / f"cond.{suffix}").read_bytes())
            self.assertEqual((code, out.splitlines()[0], err), (0, "<stdin>", ""))

    def test_lists_the_models_where_there_are_several_and_none_is_chosen(self):
        texts = {"a": written(HEAD / "mlp.json"), "b": written(HEAD / "cond.json")}
        path = self.archive(**texts)
        sizes = [f"{len(text):,} bytes" for text in texts.values()]
        width = max(map(len, sizes))
        self.check(["info", path], 0,
                   f"{path}\n  container  PT2 archive, version 0, 2 models; --model NAME says more of one\n\nmodels\n"
                   + "".join(f"  {name}  {size.rjust(width)}\n" for name, size in zip(texts, sizes)), "")
        info = json.loads(run("info", path, "--json")[1])
        self.assertEqual((info["models"], info["model"], info["signature"]), (["a", "b"], None, None))
        out = run("info", "--model", "b", path)[1]
        self.assertIn('\n  container  PT2 archive, version 0, models "a", "b"; this is "b"\n', out)
        self.assertIn("  1  higher_order.cond\n", out)
        self.check(["info", "--model", "c", path], 2, "",
                   "pt2 info: error: the archive holds no model 'c', but 'a', 'b'\n"
                   "hint: run 'pt2 info --help' for usage\n")


class Show(CommandTest):
    def test_golden_files(self):
        paths = sorted(GOLDEN.glob("*.txt"))
        self.assertNotEqual(paths, [])
        for path in paths:
            release, _, model = path.stem.rpartition(".")
            with self.subTest(path=path):
                code, out, err = run("show", PROGRAMS / release / (model + ".json"))
                self.assertEqual((code, err), (0, ""))
                if os.environ.get("PT2_UPDATE_GOLDEN") == "1":
                    path.write_text(out, encoding="utf-8")
                self.assertEqual(out, path.read_text(encoding="utf-8"))

    def test_has_no_colours_in_a_pipe(self):
        self.assertNotIn("\x1b", run("show", HEAD / "cond.json")[1])

    def test_has_colours_on_a_terminal_unless_they_are_not_wanted(self):
        for variables, coloured in [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True),
                                    ({"TERM": "dumb"}, False)]:
            with self.subTest(variables=variables):
                out = on_terminal(variables, "show", HEAD / "cond.json")
                self.assertEqual("sin: \x1b[2mf32[3]\x1b[0m = " in out, coloured)
                self.assertEqual("\x1b" in out, coloured)

    def test_ends_quietly_when_its_reader_has_seen_enough(self):
        # Whether or not the parent ignores the signal, as Python itself does.
        for restore_signals in [True, False]:
            path = self.large_program()
            with subprocess.Popen([BINARY, "show", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  restore_signals=restore_signals) as process:
                process.stdout.read(10)
                process.stdout.close()
                self.assertEqual(process.stderr.read(), b"")
            self.assertEqual(process.returncode, -signal.SIGPIPE)

    def large_program(self):
        """One whose text does not fit in the buffer of a pipe."""
        def repeat(document):
            document["graph_module"]["graph"]["nodes"] *= 3000
        return self.changed("large.json", repeat)

    def test_what_only_shows_a_program_is_not_written_over_it(self):
        path, link, twin = (self.folder / name for name in ("in.json", "link.html", "twin.html"))
        path.write_bytes(written(HEAD / "mlp.json").encode())
        link.symlink_to(path)
        os.link(path, twin)
        for command in (["view", path], ["view", path, "--format", "model-explorer"], ["export", path, "--format", "dot"],
                        ["diff", path, HEAD / "cond.json"], ["diff", HEAD / "cond.json", path]):
            for out in (path, self.folder / "." / "in.json", f"{self.folder}/./in.json", link, twin):
                with self.subTest(command=command, out=out):
                    code, printed, error = run(*command, "-o", out)
                    self.assertEqual((code, printed), (2, ""))
                    self.assertIn(" is the program that is read, which would be lost: write another file\n", error)
                    self.assertEqual(path.read_bytes(), written(HEAD / "mlp.json").encode())

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_says_so_if_the_output_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.run([BINARY, "show", HEAD / "cond.json"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual((process.returncode, process.stderr.decode()),
                         (4, "pt2: error: cannot write to standard output: No space left on device\n"))


def on_terminal(variables, *arguments):
    """What the command writes to a terminal."""
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment.update({"TERM": "xterm", **variables})
    ours, theirs = pty.openpty()
    process = subprocess.Popen([BINARY, *map(str, arguments)], stdout=theirs, env=environment)
    os.close(theirs)
    out = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        out += piece
    os.close(ours)
    process.wait(30)
    return out.decode()


class Validate(CommandTest):
    def test_goes_on_after_a_bad_file_and_exits_with_the_worst(self):
        good = HEAD / "cond.pt2"
        empty = self.file("empty.json", "")
        missing = self.folder / "missing.json"
        ok = f"{good}: ok (schema 8.20, 5 nodes)\n"
        bad = f"{empty}: error: the file is empty\n"
        lost = f"{missing}: error: cannot open '{missing}': No such file or directory\n"
        self.check(["validate", good], 0, ok, "")
        self.check(["validate", good, empty, good], 3, ok + bad + ok, "")
        self.check(["validate", missing, empty, good], 4, lost + bad + ok, "")

    def test_says_where_the_fault_is(self):
        def change(document):
            document["graph_module"]["graph"]["nodes"][0]["outputs"][0] = {"as_int": "x"}
        path = self.changed("bad.json", change)
        column = path.read_text().index('{"as_int": "x"}') + len('{"as_int": ') + 1
        self.check(["validate", path], 3, f"{path}: error: graph_module.graph.nodes[0].outputs[0].as_int: expected an "
                   f"integer, found a string (line 1, column {column})\n", "")

    def test_looks_at_all_models_of_an_archive(self):
        good = written(HEAD / "cond.json")
        self.check(["validate", self.archive(a=good, b=good)], 0,
                   f'{self.folder}/several.pt2: ok (model "a", schema 8.20, 5 nodes)\n'
                   f'{self.folder}/several.pt2: ok (model "b", schema 8.20, 5 nodes)\n', "")
        self.check(["validate", self.archive(a=good, b="[]")], 3,
                   f'{self.folder}/several.pt2: ok (model "a", schema 8.20, 5 nodes)\n'
                   f'{self.folder}/several.pt2: error: model "b": this is not an exported program, but a list '
                   "(line 1, column 1)\n", "")

    def test_reports_findings_of_the_rules(self):
        def change(document):
            document["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] = {"as_tensor": {"name": "gone\u202e"}}
            document["verifiers"] = ["MINE"]
        path = self.changed("unsound.json", change)
        where = "graph_module.graph.nodes[0].inputs[0].arg"
        message = "no input and no node of this graph defines 'gone\\u202e'"
        self.check(["validate", path], 1,
                   f"{path}: error: {where}: expected an identifier, found 'gone\\u202e' [NAME_CODE]\n"
                   f"{path}: error: {where}: {message} [NAME_UNDEFINED]\n"
                   f"{path}: warning: verifiers[0]: torch has no dialect 'MINE' [VERIFIER_UNKNOWN]\n", "")
        code, out, err = run("validate", "--json", path)
        self.assertEqual((code, err), (1, ""))
        self.assertFalse(json.loads(out)[0]["ok"])
        self.assertIn({"rule": "NAME_UNDEFINED", "level": "error", "path": where, "message": message},
                      json.loads(out)[0]["findings"])

    def test_rules_are_listed_and_explained(self):
        code, out, err = run("rules")
        self.assertEqual((code, err), (0, ""))
        rules = [line.split()[0] for line in out.splitlines()]
        self.assertEqual([rule["rule"] for rule in json.loads(run("rules", "--json")[1])], rules)
        for rule in rules:
            code, out, err = run("explain", rule)
            self.assertEqual((code, err), (0, ""))
            self.assertRegex(out, rf"\A{rule} \((error|warning|note)\): .+\n\n")
        code, out, err = run("explain", "NAME_UNDEFINE")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("unknown rule 'NAME_UNDEFINE', did you mean 'NAME_UNDEFINED'?", err)

    def test_counts_one_node(self):
        self.check(["validate", HEAD / "no_inputs.json"], 0,
                   f"{HEAD}/no_inputs.json: ok (schema 8.20, 1 node)\n", "")

    def test_reports_what_it_skips_of_a_newer_minor(self):
        def change(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            document["later"] = None
        path = self.changed("newer.json", change)
        column = path.read_text().index('"later"') + 1
        warning = f"{path}: warning: later: {SKIPPED} (line 1, column {column})\n"
        self.check(["validate", path], 0, warning + f"{path}: ok (schema {head_schema.NEXT_MINOR}, 5 nodes)\n", "")
        code, _, err = run("show", path)
        self.assertEqual((code, err), (0, warning))

    def test_json(self):
        good = HEAD / "cond.pt2"
        bad = self.file("bad.json", '{"a": 1,\n}')
        cut = self.file("cut.pt2", good.read_bytes()[:3000])
        missing = self.folder / "missing"
        code, out, err = run("validate", "--json", good, bad, cut, missing)
        self.assertEqual((code, err, out.count("\n")), (4, "", 1))
        results = json.loads(out)
        self.assertEqual(results[0], {"file": str(good), "ok": True, "programs": [
            {"model": "model", "schema_version": "8.20", "upgraded_from": None, "nodes": 5, "skipped": []}], "errors": [],
            "findings": []})
        self.assertEqual([result["ok"] for result in results], [True, False, False, False])
        self.assertEqual([result["file"] for result in results], [str(good), str(bad), str(cut), str(missing)])
        self.assertEqual([(error["line"], error["column"]) for error in results[1]["errors"]], [(2, 1)])
        self.assertEqual([error["line"] for error in results[2]["errors"]], [None])
        self.assertEqual(results[3]["errors"], [{
            "model": None, "reason": f"cannot open '{missing}': No such file or directory", "path": "", "line": None,
            "column": None, "offset": None}])


class BinaryFiles(CommandTest):
    def test_every_readable_program_comes_back(self):
        for release in READABLE:
            for path in programs(release):
                if path.suffix != ".json":
                    continue
                with self.subTest(path=path):
                    binary = self.folder / "x.pt2b"
                    self.check(["convert", path, binary], 0, "", "")
                    self.check(["convert", binary, "-"], 0, said("convert", path, "-"), "")
                    self.check(["show", binary], 0, said("show", path), "")

    def test_each_form_of_a_file_holds_the_same(self):
        text = written(HEAD / "gpt2.json")
        sizes = {}
        for options in [[], ["--no-compress"], ["--canonical"], ["--canonical", "--no-compress"]]:
            path = self.binary("gpt2.json", *options)
            sizes[" ".join(options)] = path.stat().st_size
            # Where keys are sorted, their order in the JSON is another.
            out = run("convert", path, "-")[1]
            self.assertEqual(json.loads(out), json.loads(text))
            self.assertEqual(out == text, "--canonical" not in options)
        self.assertLess(sizes[""] * 5, sizes["--no-compress"])
        self.assertLess(sizes["--no-compress"] * 3, len(text) * 2)
        self.assertEqual(sizes["--canonical"], sizes["--no-compress"])
        self.assertEqual(sizes["--canonical"], sizes["--canonical --no-compress"])

    def test_the_canonical_form_does_not_depend_on_the_order_of_keys(self):
        def turn(document):
            graph = document["graph_module"]["graph"]
            graph["tensor_values"] = dict(reversed(graph["tensor_values"].items()))
        turned = self.changed("turned.json", turn)
        forms = {}
        for option in ["--canonical", "--no-compress"]:
            forms[option] = [run_bytes("convert", path, "-", "--to", "pt2b", option)[1]
                             for path in [HEAD / "cond.json", turned]]
        self.assertEqual(*forms["--canonical"])
        self.assertNotEqual(*forms["--no-compress"])

    def test_what_a_newer_schema_added_comes_back_if_it_is_kept(self):
        def add(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            graph = document["graph_module"]["graph"]
            graph["nodes"][0] = {"new": [1, {"a": None}], **graph["nodes"][0], "last": 1.5}
            graph["nodes"][0]["inputs"][0]["arg"] = {"as_quaternion": {"i": "\u00e9"}}
            document["newer"] = ""
        newer = self.changed("newer.json", add)
        text = newer.read_text()
        self.check(["convert", newer, "-"], 0, text, "")
        self.check(["convert", newer, "-", "--keep-unknown"], 0, text, "")
        for options in [], ["--keep-unknown"]:
            code, out, err = run("convert", newer, "-", "--to", "pt2b", *options)
            self.assertEqual((code, out), (3, ""))
            self.assertIn(": this is unknown, and so is its field id, which .pt2b needs: .json and .pt2 keep it; written by "
                          f"schema {head_schema.NEXT_MINOR}, this reads {head_schema.VERSION}: use a newer release", err)
        archive = self.folder / "newer.pt2"
        self.check(["convert", newer, archive, "--into", HEAD / "cond.pt2", "--keep-unknown"], 0, "", "")
        self.check(["convert", archive, "-", "--keep-unknown"], 0, text, "")

        # A string with the id 2000, before the byte that ends the program; another schema id.
        data = self.binary("cond.json", "--no-compress").read_bytes()
        payload = data[PAYLOAD_AT:-CHECKSUM_BYTES - 1] + b"\x08\xa0\x1f\x03new\0"
        data = (data[:14] + struct.pack("<I", head_schema.MINOR + 1) + b"other id" + data[ROOT_AT:LENGTH_AT] +
                struct.pack("<Q", len(payload)) + payload)
        binary = self.file("newer.pt2b", data + checksum(data))
        for options in [], ["--keep-unknown"]:
            code, _, err = run("convert", binary, "-", *options)
            self.assertEqual(code, 3)
            self.assertIn("#2000: this is unknown, and so is its name, which JSON needs: .pt2b keeps it; written by schema ", err)
        code, _, err = run("slim", binary, "--drop", "stack-traces", "-o", self.folder / "out.pt2b")
        self.assertEqual(code, 3)
        self.assertIn("#2000: this is unknown, and so is its size in JSON, by which savings are counted; written by schema ", err)
        out = self.folder / "retargeted.pt2b"
        self.check(["retarget", binary, "--dtype", "float32", "-o", out], 0, "", "")
        self.check(["convert", out, self.folder / "plain.pt2b", "--no-compress"], 0, "", "")
        self.assertEqual((self.folder / "plain.pt2b").read_bytes()[14:-CHECKSUM_BYTES], binary.read_bytes()[14:-CHECKSUM_BYTES])
        code, _, err = run("upgrade", binary, "-o", "-")
        self.assertEqual(code, 3)
        self.assertIn("#2000: this is unknown, and so is its name in JSON, in which an upgrade is made; written by schema "
                      f"{head_schema.NEXT_MINOR}, this reads {head_schema.VERSION}", err)
        out = self.folder / "again.pt2b"
        for options in [], ["--keep-unknown"]:
            self.check(["convert", binary, out, "--no-compress", *options], 0, "", "")
            self.assertEqual(out.read_bytes(), binary.read_bytes())

    def test_is_read_from_and_written_to_pipes(self):
        path = self.binary("cond.json")
        text = written(HEAD / "cond.json")
        self.check(["convert", "-", "-"], 0, text, "", stdin=path.read_bytes())
        code, out, err = run_bytes("convert", "-", "-", "--to", "pt2b", stdin=text)
        self.assertEqual((code, out, err), (0, path.read_bytes(), ""))
        self.check(["validate", "-"], 0, "<stdin>: ok (schema 8.20, 5 nodes)\n", "", stdin=out)

    def test_is_made_from_an_archive(self):
        binary = self.folder / "cond.pt2b"
        self.check(["convert", HEAD / "cond.pt2", binary], 0, "", "")
        self.assertEqual(binary.read_bytes(), self.binary("cond.json").read_bytes())

    def test_may_be_written_to_the_file_that_was_read(self):
        path = self.binary("cond.json", "--no-compress")
        self.check(["convert", path, path], 0, "", "")
        self.check(["convert", path, "-"], 0, written(HEAD / "cond.json"), "")

    def test_the_format_may_be_said_instead_of_named(self):
        path = self.folder / "cond.bin"
        self.check(["convert", HEAD / "cond.json", path, "--to", "pt2b"], 0, "", "")
        self.assertEqual(path.read_bytes(), self.binary("cond.json").read_bytes())

    def test_holds_a_value_of_any_type(self):
        path = self.folder / "value.pt2b"
        self.check(["convert", "--root", "SymInt", "--no-compress", "-", path], 0, "", "", stdin='{"as_int": 3}')
        # Of major version 8, then the minor version and the id of the schema; a checksum ends it.
        file = path.read_bytes()
        self.assertEqual(file[:14].hex(" "), "89 50 54 32 0d 0a 1a 0a 01 00 08 00 00 00")
        schema_id = re.search(r"sha256:([0-9a-f]{16})", run("--version")[1])[1]
        self.assertEqual(file[14:26], struct.pack("<I", head_schema.MINOR) + bytes.fromhex(schema_id))
        self.assertEqual(file[26:-CHECKSUM_BYTES].hex(" "), "06 53 79 6d 49 6e 74 04 00 00 00 00 00 00 00 06 28 06 00")
        self.check(["convert", "--root", "SymInt", path, "-"], 0, '{"as_int": 3}', "")
        self.check(["convert", "--root", "Device", path, "-"], 3, "",
                   f"{path}: error: the file holds a value of type 'SymInt', not 'Device' (byte 26)\n")
        self.check(["convert", path, "-"], 3, "",
                   f"{path}: error: the file does not hold a program, but a value of type 'SymInt', which is "
                   "converted with --root 'SymInt'\n")
        self.check(["info", path], 3, "",
                   f"{path}: error: the file holds a value of type 'SymInt', not 'ExportedProgram' (byte 26)\n")

    def test_has_no_model_to_choose(self):
        path = self.binary("cond.json")
        self.check(["show", "--model", "a", path], 3, "",
                   f"{path}: error: there is no model 'a' to choose: this is the binary form of one program\n")

    def test_damage_is_found_and_placed(self):
        good = self.binary("cond.json").read_bytes()
        end = len(good) - CHECKSUM_BYTES
        for name, content, message in [
            ("bit", good[:100] + bytes([good[100] ^ 1]) + good[101:],
             f"checksum mismatch: the file is damaged (byte {end})"),
            ("text", good.replace(b"\r\n", b"\n"),
             "the file was transferred as text, which changed its line ends: transfer it as binary (byte 4)"),
            ("magic", good[:6], "the file ends within the magic (byte 6)"),
            ("header", good[:30], "the file ends within the header (byte 27)"),
            ("payload", good[:80], f"the payload has {end - PAYLOAD_AT} bytes, but 30 follow, its checksum of 8 included "
                                   "(byte 42)"),
        ]:
            path = self.file(name + ".pt2b", content)
            for command in [["info", path], ["show", path], ["convert", path, "-"]]:
                with self.subTest(command=command):
                    self.check(command, 3, "", f"{path}: error: {message}\n")
            self.check(["validate", path], 3, f"{path}: error: {message}\n", "")

    @unittest.skipUnless(XXHASH, "needs libxxhash")
    def test_another_major_version_is_refused_and_the_way_out_is_named(self):
        start = f"binary files are read by their own major version only, here {head_schema.VERSION}: "
        for major, way_out in [(7, "have the library that wrote it convert it to JSON, and upgrade that (byte 10)"),
                               (9, "a newer library reads it (byte 10)")]:
            path = self.other_schema(major, 3)
            self.check(["info", path], 3, "",
                       f"{path}: error: the file is of schema {major}.3, and {start}{way_out}\n")

    @unittest.skipUnless(XXHASH, "needs libxxhash")
    def test_a_newer_minor_is_read_if_what_it_adds_is_empty(self):
        empty_list, some_string = b"\x09\xc8\x01\x06", b"\x08\xc8\x01\x01x"  # of id 100
        path = self.other_schema(head_schema.MAJOR, head_schema.MINOR + 1, empty_list)
        warning = rf"\A{re.escape(str(path))}: warning: #100: {re.escape(SKIPPED)} \(byte \d+\)\n\Z"
        code, out, err = run("convert", path, "-")
        self.assertEqual((code, out), (0, written(HEAD / "cond.json")))
        self.assertRegex(err, warning)
        code, out, err = run("validate", "--json", path)
        [skipped] = json.loads(out)[0]["programs"][0]["skipped"]
        self.assertEqual((code, skipped["path"], skipped["line"], skipped["column"]), (0, "#100", None, None))
        self.assertGreater(skipped["offset"], 1000)

        path = self.other_schema(head_schema.MAJOR, head_schema.MINOR + 1, some_string)
        code, out, err = run("check", path)
        self.assertEqual(code, 3)
        self.assertRegex(out, rf": error: #100: unknown field id 100; written by schema id 0102030405060708 "
                              rf"\({re.escape(head_schema.NEXT_MINOR)}\), this is {re.escape(head_schema.VERSION)}, where an id may mean something else: "
                              r"a newer release does, or this one where it may skip or keep what is unknown \(byte \d+\) \[UNREADABLE\]\n")
        code, out, err = run("info", path)
        self.assertEqual(code, 0)
        self.assertIn(head_schema.NEXT_MINOR, out)
        self.assertRegex(err, warning)

    def test_a_newer_release_is_named_for_what_is_unknown_whatever_the_words_are(self):
        # An empty list of items of a type that Thrift does not have is skipped, one that has any cannot be.
        damaged = self.other_schema(head_schema.MAJOR, head_schema.MINOR + 1, b"\x09\xc8\x01\x1f\x00")
        code, out, _ = run("check", "--policy", "inspect", damaged)
        self.assertEqual(code, 3)
        self.assertIn("unknown wire type 15; written by schema id 0102030405060708", out)
        self.assertNotIn("a newer release does", out)

        def add(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            document["a; written by schema b"] = 1
        code, out, _ = run("check", self.changed("newer.json", add))
        self.assertEqual(code, 3)
        self.assertIn(f"unknown field 'a; written by schema b'; written by schema {head_schema.NEXT_MINOR}, this reads {head_schema.VERSION}: "
                      "a newer release does", out)


class NewerMinor(CommandTest):
    """A program of a torch that is newer than this pt2, with fields and a union member that are set."""

    WAY_OUT = (f"; written by schema {head_schema.NEXT_MINOR}, this reads {head_schema.VERSION}: a newer release does, "
               "or this one where it may skip or keep what is unknown")

    def setUp(self):
        super().setUp()

        def add_fields(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            document["graph_module"]["graph"]["nodes"][0]["stream"] = 7
            document["later"] = {"a": [1]}

        def add(document):
            add_fields(document)
            node = document["graph_module"]["graph"]["nodes"][0]
            node["inputs"].append({"name": "later", "arg": {"as_quaternion": {"i": 1.5}}, "kind": 2})
        self.newer = self.changed("newer.json", add)
        self.with_fields = self.changed("with_fields.json", add_fields)
        self.paths = ["graph_module.graph.nodes[0].inputs[4].arg.as_quaternion", "graph_module.graph.nodes[0].stream", "later"]
        self.archive_path = self.folder / "newer.pt2"
        with zipfile.ZipFile(HEAD / "cond.pt2") as old, zipfile.ZipFile(self.archive_path, "w") as new:
            for info in old.infolist():
                is_program = info.filename.endswith("models/model.json")
                new.writestr(info, self.newer.read_bytes() if is_program else old.read(info))

    def warnings(self, path, err, paths=None):
        lines = err.splitlines()
        for line, name in zip(lines, paths or self.paths, strict=True):
            self.assertTrue(line.startswith(f"{path}: warning: {name}: {SKIPPED}"), line)

    def test_what_only_looks_skips_it_with_a_warning_that_names_it(self):
        for path in (self.newer, self.archive_path):
            for command in (["info"], ["info", "--json"], ["show"], ["show", "--json"], ["stats"], ["operators"],
                            ["view", "-o", self.folder / "page.html"], ["export", "--format", "dot", "-o", self.folder / "graph.dot"]):
                with self.subTest(path=path.name, command=command):
                    code, out, err = run(command[0], path, *command[1:])
                    self.assertEqual(code, 0, err)
                    self.warnings(path, err)
        code, _, err = run("weights", self.archive_path)
        self.assertEqual(code, 0)
        self.warnings(self.archive_path, err, self.paths[2:])  # nodes are not read for it
        code, out, err = run("hash", self.with_fields)
        self.assertEqual(code, 0)
        self.assertRegex(out, r"\Asha256:[0-9a-f]{64}\n\Z")
        self.warnings(self.with_fields, err, self.paths[1:])
        code, _, err = run("diff", self.with_fields, HEAD / "cond.json")
        self.assertIn(code, (0, 1))
        self.warnings(self.with_fields, err, self.paths[1:])

    def test_where_the_member_of_a_union_is_skipped_nothing_is_hashed_or_compared(self):
        for path, command, done in [(self.newer, ["hash"], "hashed"), (self.archive_path, ["hash", "--weights"], "hashed"),
                                    (self.newer, ["diff", HEAD / "cond.json"], "compared")]:
            with self.subTest(path=path.name, command=command):
                code, out, err = run(*command, path)
                self.assertEqual((code, out), (3, ""))
                *warnings, error = err.splitlines()
                self.warnings(path, "\n".join(warnings))
                self.assertIn(f"{path}: ", error)
                self.assertIn(f"{self.paths[0]}: without this member of a union, which is skipped, the program cannot be "
                              f"{done}; written by schema {head_schema.NEXT_MINOR}, this reads {head_schema.VERSION}: "
                              "use a newer release (line 1, column ", error)

    def test_validate_names_what_it_skipped(self):
        code, out, err = run("validate", "--json", self.newer)
        [program] = json.loads(out)[0]["programs"]
        self.assertEqual([skipped["path"] for skipped in program["skipped"]], self.paths)
        self.assertEqual(program["schema_version"], head_schema.NEXT_MINOR)

    def test_what_writes_keeps_it(self):
        text = self.newer.read_text()
        for command in (["convert"], ["retarget", "--device", "cpu"], ["retarget", "--dtype", "float32"], ["slim", "--drop", "samples"]):
            for path in (self.newer, self.archive_path):
                with self.subTest(command=command[0], path=path.name):
                    code, out, err = run(command[0], path, *command[1:], "-o", "-")
                    self.assertEqual((code, err), (0, ""))
                    self.assertEqual(out, text)
        code, out, err = run("rename", self.newer, "x=other", "-o", "-")
        self.assertEqual((code, err), (0, ""))
        renamed = json.loads(out)
        self.assertEqual((renamed["later"], renamed["graph_module"]["graph"]["nodes"][0]["stream"]), ({"a": [1]}, 7))
        self.assertIn('"as_quaternion": {"i": 1.5}', out)
        for command in (["convert"], ["retarget", "--device", "cpu"], ["retarget", "--dtype", "float32"], ["slim", "--drop", "samples"]):
            with self.subTest(command=command[0]):
                out = self.folder / "out.pt2"
                code, _, err = run(command[0], self.archive_path, "-o", out, *command[1:])
                self.assertEqual((code, err), (0, ""))
                with zipfile.ZipFile(out) as archive:
                    [name] = [name for name in archive.namelist() if name.endswith("models/model.json")]
                    self.assertEqual(archive.read(name).decode(), text)
        stripped = self.folder / "stripped.pt2"
        self.check(["strip", self.archive_path, "-o", stripped], 0, "", "")

    def test_what_is_kept_in_the_entry_of_a_value_goes_with_its_name(self):
        def tables(graph, place="top"):
            yield place, graph["tensor_values"]
            for node in graph["nodes"]:
                for argument in node["inputs"]:
                    if "as_graph" in argument["arg"]:
                        yield from tables(argument["arg"]["as_graph"]["graph"], argument["arg"]["as_graph"]["name"])

        def add(document):
            document["schema_version"]["minor"] = head_schema.MINOR + 1
            for place, table in tables(document["graph_module"]["graph"]):
                for name, entry in table.items():
                    entry["came_from"] = [place, name]
        source = self.changed("marked.json", add)
        archive = self.folder / "marked.pt2"
        self.check(["convert", source, archive, "--into", HEAD / "cond.pt2"], 0, "", "")
        for changes in ({"x": "y"}, {"x": "getitem", "getitem": "x"}, {"x": "p", "p": "getitem", "getitem": "x"}, {"x": "getitem", "getitem": "new"},
                        {"p": "x", "x": "a", "getitem": "b"}, {"sin": "s"}, {"sin": "add", "add": "sin"}, {"cos": "sub", "sub": "c"}):
            for path, out in (source, self.folder / "out.json"), (archive, self.folder / "out.pt2"):
                with self.subTest(changes=changes, path=path.name):
                    self.check(["rename", path, "-o", out, *(f"{old}={new}" for old, new in changes.items())], 0, "", "")
                    document = json.loads(run("convert", out, "-")[1])
                    count = 0
                    for place, table in tables(document["graph_module"]["graph"]):
                        is_own = place == "top" or not set(changes) & {"x", "p", "getitem"}
                        for name, entry in table.items():
                            old = entry["came_from"][1]
                            self.assertEqual((entry["came_from"][0], changes.get(old, old) if is_own else old), (place, name))
                            count += 1
                    self.assertGreater(count, 6)

    def test_another_dtype_keeps_it_unless_nodes_are_put_beside_it(self):
        document = json.loads(written(HEAD / "mlp.json"))
        document["schema_version"]["minor"] = head_schema.MINOR + 1
        nodes = document["graph_module"]["graph"]["nodes"]
        nodes[0]["stream"] = 7
        source = self.file("mlp.json", json.dumps(document))
        archive = self.folder / "mlp.pt2"
        self.check(["convert", source, archive, "--into", HEAD / "mlp.pt2"], 0, "", "")
        for path, out in (source, self.folder / "half.json"), (archive, self.folder / "half.pt2"):
            with self.subTest(path=path.name):
                self.check(["retarget", path, "-o", out, "--dtype", "bfloat16"], 0, "", "")
                text = run("convert", out, "-")[1]
                self.assertEqual(json.loads(text)["graph_module"]["graph"]["nodes"][0]["stream"], 7)
                self.assertNotIn('"dtype": 7', text)
                code, _, err = run("retarget", path, "-o", out, "--dtype", "bfloat16", "--keep", nodes[1]["outputs"][0]["as_tensor"]["name"])
                self.assertEqual(code, 3)
                self.assertIn("graph_module.graph.nodes[0].stream: the kept field cannot be put back: ", err)

    def test_what_drops_parts_keeps_what_is_new_in_the_rest(self):
        for source, suffix in (self.with_fields, ".json"), (self.archive_path, ".pt2"):
            out = self.folder / ("small" + suffix)
            self.assertEqual(run("slim", source, "-o", out, "--drop", "stack-traces,metadata", "--reproducible")[::2], (0, ""))
            small = json.loads(run("convert", out, "-")[1])
            node = small["graph_module"]["graph"]["nodes"][0]
            self.assertEqual((small["later"], node["stream"], node["metadata"]), ({"a": [1]}, 7, {}))

    def test_what_can_do_neither_says_why_and_both_versions(self):
        for command, why in [
                (["canonicalize"], "so is its canonical form"),
                (["downgrade", "--to", "torch-2.9"], "an older schema does not have it either"),
                (["extract", "--inputs", "x", "--outputs", "cos"], "so is whether the part needs it"),
                (["slim", "--drop", "unused"], "so is which values it uses"), (["slim", "--drop", "names"], "so is which values it uses")]:
            for path, out in (self.newer, "-"), (self.archive_path, self.folder / "out.pt2"):
                with self.subTest(command=command[0], path=path.name):
                    code, out, err = run(command[0], path, *command[1:], "-o", out)
                    self.assertEqual((code, out), (3, ""))
                    self.assertIn(f": error: {self.paths[0]}: this is unknown, and {why}; written by schema {head_schema.NEXT_MINOR}, "
                                  f"this reads {head_schema.VERSION}: use a newer release (line 1, column ", err)
        code, out, err = run("harden", self.archive_path, "-o", self.folder / "hardened.pt2")
        self.assertEqual((code, out), (3, ""))
        self.assertIn(self.WAY_OUT, err)
        self.assertIn(f"version {head_schema.NEXT_MINOR} is newer than {head_schema.VERSION}, the newest that this library can "
                      "upgrade to: use a newer release", run("upgrade", self.newer, "-o", "-")[2])
        code, out, err = run("scan", self.newer)
        self.assertEqual(code, 3)
        self.assertIn(self.WAY_OUT, err + out)
        for policy in "strict", "load":
            code, out, err = run("check", self.newer, "--policy", policy)
            self.assertEqual(code, 3)
            self.assertIn(self.WAY_OUT, err + out)

    def test_the_policy_inspect_reads_on_and_names_what_is_skipped(self):
        code, out, err = run("check", self.newer, "--policy", "inspect")
        self.assertEqual((code, err), (0, ""))
        for path in self.paths:
            self.assertIn(f"{self.newer}: warning: {path}: {SKIPPED}", out)
        self.assertNotIn("UNREADABLE", out)

    def test_what_cannot_be_counted_without_a_skipped_part_says_so(self):
        document = json.loads(written(HEAD / "mlp.json"))
        document["schema_version"]["minor"] = head_schema.MINOR + 1
        document["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] = {"as_quaternion": {"i": 1.5}}
        path = self.file("linear.json", json.dumps(document))
        code, out, err = run("stats", path)
        self.assertEqual((code, out), (3, ""))
        self.assertIn("graph_module.graph.nodes[0].inputs[0].arg.as_quaternion: without this member of a union, which is skipped, the "
                      f"program cannot be counted; written by schema {head_schema.NEXT_MINOR}, this reads {head_schema.VERSION}", err)


class BadFiles(CommandTest):
    def test_each_ends_with_one_line_on_stderr(self):
        archive = (HEAD / "cond.pt2").read_bytes()
        text = written(HEAD / "cond.json").encode()
        binary = self.binary("cond.json").read_bytes()
        for name, content in [("magic", binary[:8]), ("cut.pt2b", binary[:500]), ("twice.pt2b", binary * 2),
                              ("empty", b""), ("garbage", bytes(range(256)) * 40), ("zeros", bytes(5000)),
                              ("cut.pt2", archive[:5000]), ("tail.pt2", archive[5000:]), ("cut.json", text[:3000]),
                              ("twice.json", text * 2), ("zip", b"PK\x03\x04"), ("empty.zip", empty_zip()),
                              ("brackets", b"[" * 100000), ("list", b"[]"),
                              ("table", b'{"config": {}}'), ("utf16", text.decode().encode("utf-16"))]:
            path = self.file(name, content)
            for arguments in [["info", path], ["show", path], ["convert", path, "-"]]:
                with self.subTest(arguments=arguments):
                    code, out, err = run(*arguments)
                    self.assertEqual((code, out), (3, ""))
                    self.assertRegex(err, rf"\A{re.escape(str(path))}: error: [^\n]+\n\Z")

    def test_folders_and_missing_files_are_io_problems(self):
        missing = self.folder / "missing"
        self.check(["info", missing], 4, "", f"pt2: error: cannot open '{missing}': No such file or directory\n")
        self.check(["show", self.folder], 4, "", f"pt2: error: cannot read '{self.folder}': Is a directory\n")

    def test_names_of_files_do_not_reach_the_terminal_as_they_are(self):
        path = self.file("a\x1b[31m", "")
        code, _, err = run("info", path)
        self.assertEqual((code, "\x1b" in err), (3, False))


class Files(CommandTest):
    """Inputs that can be read once, and outputs that are not completed."""

    def test_a_named_pipe_is_read_from_its_first_byte_to_its_last(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        program = written(HEAD / "cond.json").encode()
        for _ in range(10):
            writer = threading.Thread(target=pipe.write_bytes, args=[program], daemon=True)
            writer.start()
            self.assertEqual(run("convert", pipe, "-"), (0, program.decode(), ""))
            writer.join()

    def test_a_signal_leaves_the_old_file_and_no_other(self):
        # A member that takes a while to inflate, while the output is begun.
        archive = self.archive(model=written(HEAD / "cond.json"))
        with zipfile.ZipFile(archive, "a", zipfile.ZIP_DEFLATED) as more:
            more.writestr("top/extra/zeros", bytes(1 << 28))
        old = self.file("old.pt2", "old")
        for end in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            with subprocess.Popen([BINARY, "convert", archive, old]) as process:
                while not list(self.folder.glob(".pt2-*")):
                    self.assertIsNone(process.poll())
                process.send_signal(end)
            self.assertEqual(process.returncode, -end)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["old.pt2", "several.pt2"])
            self.assertEqual(old.read_text(), "old")

    def test_a_signal_that_is_ignored_stays_so(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        out = self.folder / "out.json"
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen([BINARY, "convert", pipe, out], preexec_fn=ignore) as process:
            with open(pipe, "wb") as stream:
                process.send_signal(signal.SIGHUP)
                stream.write(written(HEAD / "cond.json").encode())
        self.assertEqual((process.returncode, out.read_bytes()), (0, written(HEAD / "cond.json").encode()))

    def test_a_limit_on_the_size_of_files_is_an_io_problem(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        out = self.file("out.json", "old")
        for arguments in [["convert", HEAD / "cond.json", out], ["upgrade", HEAD / "cond.json", "-o", out]]:
            self.check(arguments, 4, "", f"pt2: error: cannot write '{out}': File too large\n", preexec_fn=limit)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["out.json"])
        self.assertEqual(out.read_text(), "old")

    def test_a_link_to_what_is_not_there_yet_stays(self):
        link = self.folder / "link.json"
        link.symlink_to("target.json")
        self.check(["convert", HEAD / "cond.json", link], 0, "", "")
        self.assertTrue(link.is_symlink())
        self.assertEqual((self.folder / "target.json").read_bytes(), written(HEAD / "cond.json").encode())


def empty_zip():
    return b"PK\x05\x06" + bytes(18)


class Convert(CommandTest):
    def test_an_archive_becomes_a_copy_with_its_program_written_anew(self):
        archive = HEAD / "mlp.pt2"
        copy = self.folder / "copy.pt2"
        with zipfile.ZipFile(archive) as old, zipfile.ZipFile(copy, "w") as spaced:
            for name in old.namelist():
                text = old.read(name)
                spaced.writestr(name, json.dumps(json.loads(text), indent=1) if "/models/" in name else text)
        self.assertEqual(run("convert", copy, copy), (0, "", ""))
        with zipfile.ZipFile(archive) as old, zipfile.ZipFile(copy) as new:
            self.assertEqual(old.namelist(), new.namelist())
            others = [name for name in old.namelist() if "/models/" not in name]
            self.assertEqual([name for name in others if old.read(name) != new.read(name)], [])
            self.assertEqual(new.read("mlp/models/model.json").decode(), written(HEAD / "mlp.json"))

    def test_pickled_weights_become_raw_bytes(self):
        out = self.folder / "raw.pt2"
        self.assertEqual(run("convert", PROGRAMS / "torch-2.8.0" / "mlp.pt2", out), (0, "", ""))
        with zipfile.ZipFile(PROGRAMS / "torch-2.8.0" / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            self.assertEqual([name for name in new.namelist() if name.endswith(".pt")], ["mlp/data/sample_inputs/model.pt"])
            self.assertEqual(new.read("mlp/data/sample_inputs/model.pt"), old.read("mlp/data/sample_inputs/model.pt"))
            self.assertEqual(len(new.read("mlp/data/weights/weight_0")), 128)
        self.assertEqual(run("convert", PROGRAMS / "torch-2.2.2" / "mlp.pt2", out), (0, "", ""))
        with zipfile.ZipFile(out) as new:
            self.assertEqual(new.namelist()[-7:], ["archive/models/model.json", "archive/data/sample_inputs/model.pt",
                                                   "archive/archive_format", "archive/archive_version",
                                                   "archive/.data/version", "archive/byteorder",
                                                   "archive/.data/serialization_id"])

    def test_extra_files_of_old_archives_move_along(self):
        old, out = self.folder / "old.pt2", self.folder / "out.pt2"
        shutil.copy(PROGRAMS / "torch-2.6.0" / "mlp.pt2", old)
        with zipfile.ZipFile(old, "a") as archive:
            archive.writestr("extra_files/note.txt", "text")
            archive.writestr("other.bin", b"\0\1")
        self.assertEqual(run("convert", old, out), (0, "", ""))
        with zipfile.ZipFile(out) as archive:
            self.assertEqual(archive.read("archive/extra/note.txt"), b"text")
            self.assertEqual(archive.read("archive/other.bin"), b"\0\1")

    def test_a_pickle_of_other_things_stays_where_it_is(self):
        old, out = self.folder / "old.pt2", self.folder / "out.pt2"
        with zipfile.ZipFile(PROGRAMS / "torch-2.6.0" / "mlp.pt2") as source, zipfile.ZipFile(old, "w") as archive:
            for name in source.namelist():
                if name == "serialized_constants.pt":
                    inner = io.BytesIO()
                    with zipfile.ZipFile(inner, "w") as pickled:
                        pickled.writestr("archive/data.pkl", b"cposix\nsystem\n.")
                    archive.writestr(name, inner.getvalue())
                else:
                    archive.writestr(name, source.read(name))
        code, _, error = run("convert", old, out)
        self.assertEqual(code, 3)
        self.assertIn("record 'serialized_constants.pt': ", error)
        self.assertIn("posix.system", error)
        self.assertFalse(out.exists())

    def test_a_program_is_put_into_an_archive(self):
        out = self.folder / "out.pt2"
        self.assertEqual(run("convert", HEAD / "cond.json", out, "--into", HEAD / "mlp.pt2"), (0, "", ""))
        self.assertEqual(run("convert", out, "-")[1], written(HEAD / "cond.json"))
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            changed = [name for name in old.namelist() if old.read(name) != new.read(name)]
            self.assertEqual(changed, ["mlp/models/model.json"])
        binary = self.binary("cond.json")
        self.assertEqual(run("convert", binary, out, "--into", PACKAGES / "multi.pt2", "--model", "b"), (0, "", ""))
        self.assertEqual(run("convert", out, "-", "--model", "b")[1], written(HEAD / "cond.json"))
        self.check(["convert", HEAD / "cond.json", out, "--into", PACKAGES / "multi.pt2"], 2, "",
                   "pt2 convert: error: the archive holds 2 models, one of them must be chosen (--model): 'a', 'b'\n"
                   "hint: run 'pt2 convert --help' for usage\n")

    def test_json_is_indented_as_by_python(self):
        for name in ["cond.json", "gpt2.json"]:
            program = json.loads(written(HEAD / name))
            for spaces in [0, 2, 16]:
                with self.subTest(name=name, spaces=spaces):
                    self.check(["convert", HEAD / name, "-", "--indent", str(spaces)], 0,
                               json.dumps(program, indent=spaces), "")
        indented, binary = self.folder / "indented.json", self.folder / "binary.pt2b"
        self.check(["convert", HEAD / "cond.json", indented, "--indent", "2"], 0, "", "")
        self.check(["convert", indented, binary], 0, "", "")
        self.check(["convert", binary, "-"], 0, written(HEAD / "cond.json"), "")
        self.check(["convert", "--root", "SymInt", "-", "-", "--indent", "4"], 0, '{\n    "as_int": 3\n}', "",
                   stdin='{"as_int": 3}')

    def test_into_is_about_archives(self):
        code, _, error = run("convert", HEAD / "cond.json", "x.json", "--into", HEAD / "mlp.pt2")
        self.assertEqual((code, error.splitlines()[0]),
                         (2, "pt2 convert: error: --into is about archives: OUT must end in .pt2"))

    def test_other_forms_of_old_zips_are_what_the_upgraded_program_needs(self):
        copy = self.folder / "copy.pt2"
        old_zip = PROGRAMS / "torch-2.2.2" / "mlp.pt2"
        upgraded = self.folder / "upgraded.pt2"
        self.check(["canonicalize", old_zip, "--form", "names", "-o", copy], 0, "", "")
        self.check(["upgrade", old_zip, "-o", upgraded], 0, "", "")
        with zipfile.ZipFile(upgraded) as expected, zipfile.ZipFile(copy) as new:
            self.assertEqual(new.namelist(), expected.namelist())
            for name in new.namelist():
                if name != "serialized_exported_program.json":
                    self.assertEqual(new.read(name), expected.read(name), name)

    def test_a_program_can_be_called_by_its_type(self):
        old = PROGRAMS / "torch-2.4.1" / "mlp.json"
        self.assertEqual(run("convert", "--root", "ExportedProgram", old, "-"), run("convert", old, "-"))

    def test_writes_a_file(self):
        out = self.folder / "out.json"
        self.check(["convert", HEAD / "gpt2.pt2", out], 0, "", "")
        self.assertEqual(out.read_bytes(), written(HEAD / "gpt2.json").encode())

    def test_reads_standard_input(self):
        archive = (HEAD / "cond.pt2").read_bytes()
        self.check(["convert", "-", "-"], 0, written(HEAD / "cond.json"), "", stdin=archive)

    def test_may_write_to_the_file_it_read(self):
        path = self.file("both.json", written(HEAD / "cond.json") + "\n")
        self.check(["convert", path, path], 0, "", "")
        self.assertEqual(path.read_bytes(), written(HEAD / "cond.json").encode())

    def test_leaves_the_old_file_as_it_was_if_it_fails(self):
        out = self.file("out.json", "old")
        bad = self.file("bad.json", "{")
        self.assertEqual(run("convert", bad, out)[0], 3)
        self.assertEqual(out.read_text(), "old")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["bad.json", "out.json"])

    def test_says_so_if_the_file_cannot_be_written(self):
        code, out, err = run("convert", HEAD / "cond.json", self.folder / "no" / "out.json")
        self.assertEqual((code, out), (4, ""))
        self.assertRegex(err, r"\Apt2: error: cannot [^\n]*No such file or directory\n\Z")

    def test_converts_values_of_any_type(self):
        for root, text in [
            ("PayloadConfig", '{"config": {"w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, '
                              '"tensor_meta": null}}}'),
            ("SymInt", '{"as_int": 3}'),
            ("Argument", '{"as_floats": [1.0, "NaN", 1e+22]}'),
            ("SchemaVersion", '{"major": 8, "minor": 20}'),
        ]:
            with self.subTest(root=root):
                spaced = text.replace(" ", " \n ")
                self.check(["convert", "--root", root, "-", "-"], 0, text, "", stdin=spaced)

    def test_says_where_a_value_is_wrong(self):
        self.check(["convert", "--root", "SymInt", "-", "-"], 3, "",
                   "<stdin>: error: as_int: expected an integer, found a string (line 1, column 12)\n",
                   stdin='{"as_int": "3"}')
        self.check(["convert", "--root", "SymInt", HEAD / "cond.pt2", "-"], 3, "",
                   f"{HEAD}/cond.pt2: error: --root reads JSON or a .pt2b file, and this is a zip archive\n")

    def test_knows_all_structs_and_unions_of_the_schema(self):
        header = (TESTS.parent / "generated" / "pt2" / "json.h").read_text()
        types = re.findall(r"void read_json\(schemagen::JsonReader& in, (\w+)& out\);", header)
        self.assertGreater(len(types), 40)
        for name in types:
            code, _, err = run("convert", "--root", name, "-", "-", stdin="7")
            self.assertEqual((code, name if "there is no" in err else ""), (3, ""))

    def test_plain_tree_has_dicts_and_tuples_in_place_of_classes(self):
        program = json.loads(written(HEAD / "pytree_kwargs.json"))
        call = program["graph_module"]["module_call_graph"][0]["signature"]
        plain, tree = call["in_spec"], json.loads(call["in_spec"])
        tree[1]["children_spec"][0]["children_spec"][0] |= {"type": "my.Batch", "context": '[["x", "y"], []]'}
        call["in_spec"] = json.dumps(tree)
        path, out = self.file("classes.json", json.dumps(program)), self.folder / "out.json"
        printed = "  model  args[0]  my.Batch  dict of 'x', 'y'\n"
        self.check(["convert", path, out, "--plain-tree"], 0, printed, "")
        converted = json.loads(out.read_text())
        self.assertEqual(converted["graph_module"]["module_call_graph"][0]["signature"]["in_spec"], plain)
        self.check(["convert", path, "-", "--plain-tree"], 0, out.read_text(), printed)
        self.check(["convert", out, self.folder / "same.json", "--plain-tree"], 0, "  no classes in the trees\n", "")
        archive = self.folder / "out.pt2"
        self.check(["convert", path, archive, "--plain-tree", "--into", HEAD / "pytree_kwargs.pt2"], 0, printed,
                   f"{path}: note: sample inputs are left out, which are of the classes\n")
        with zipfile.ZipFile(HEAD / "pytree_kwargs.pt2") as old, zipfile.ZipFile(archive) as new:
            self.assertNotEqual(old.read("pytree_kwargs/data/sample_inputs/model.pt"), b"")
            self.assertEqual(new.read("pytree_kwargs/data/sample_inputs/model.pt"), b"")
            self.assertEqual(new.read("pytree_kwargs/models/model.json"), out.read_bytes())
            self.assertEqual(new.namelist(), old.namelist())


class Canonicalize(CommandTest):
    def test_writes_a_file_that_appears_whole_or_not_at_all(self):
        out = self.folder / "out.json"
        self.check(["canonicalize", HEAD / "mlp.pt2", "-o", out], 0, "", "")
        expected = out.read_text()
        self.check(["canonicalize", HEAD / "mlp.json", "--form", "normal", "-o", "-"], 0, expected, "")
        bad = self.changed("bad.json", lambda document: document["graph_module"]["graph"].update(outputs=[]))
        code, stdout, err = run("canonicalize", bad, "--form", "torch", "-o", out)
        self.assertEqual((code, stdout), (3, ""))
        self.assertIn("torch cannot canonicalize this: graph.outputs length 0 != signature.output_specs length 1", err)
        self.assertEqual(out.read_text(), expected)

    def test_keeps_provenance_if_asked(self):
        dropped = run("canonicalize", HEAD / "mlp.json", "-o", "-")[1]
        kept = run("canonicalize", HEAD / "mlp.json", "--keep-provenance", "-o", "-")[1]
        self.assertNotIn("nn_module_stack", dropped)
        self.assertIn("nn_module_stack", kept)
        self.assertIn("2.13.0", kept)

    def test_of_an_archive_writes_a_copy_with_the_program_in_that_form(self):
        out = self.folder / "out.pt2"
        self.check(["canonicalize", HEAD / "mlp.pt2", "--form", "names", "-o", out], 0, "", "")
        program = run("canonicalize", HEAD / "mlp.json", "--form", "names", "-o", "-")[1]
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(out) as new:
            self.assertEqual(new.namelist(), old.namelist())
            for name in new.namelist():
                self.assertEqual(new.read(name), program.encode() if "/models/" in name else old.read(name))

    def test_chooses_one_of_several_models(self):
        text = written(HEAD / "cond.json")
        path = self.archive(a=text, b=written(HEAD / "mlp.json"))
        self.assertEqual(run("hash", path, "--model", "a"), run("hash", HEAD / "cond.json"))
        self.assertEqual(run("hash", path)[0], 2)


class Diff(CommandTest):
    def test_tells_what_differs_line_by_line(self):
        def change(document):
            node = document["graph_module"]["graph"]["nodes"][0]
            for item in node["inputs"]:
                if "as_graph" in item["arg"]:
                    item["arg"]["as_graph"]["graph"]["nodes"][0]["target"] = "torch.ops.aten.tan.default"
                    break
            document["opset_version"]["mine"] = 3

        other = self.changed("other.json", change)
        self.check(["diff", HEAD / "cond.json", other], 1, """opset
+ mine 3

nodes
  in true_graph_0:
  - sin: f32[3] = aten.sin.default(x)
  + sin: f32[3] = aten.tan.default(x)
      (operator)

2 differences
""", "")
        code, out, err = run("diff", HEAD / "cond.json", other, "--json")
        self.assertEqual((code, err), (1, ""))
        self.assertEqual(json.loads(out), {"same": False, "differences": [
            {"kind": "added", "part": "opset", "where": None, "before": None, "after": "mine 3", "details": []},
            {"kind": "changed", "part": "nodes", "where": "true_graph_0", "before": "sin: f32[3] = aten.sin.default(x)",
             "after": "sin: f32[3] = aten.tan.default(x)", "details": ["operator"]}]})

    def test_programs_of_two_releases_can_be_the_same(self):
        other = PROGRAMS / "torch-2.14.0" / "cond.pt2"
        self.check(["diff", HEAD / "cond.json", other], 0, "no differences\n", "")
        self.check(["diff", HEAD / "cond.json", other, "--json"], 0, '{"same": true, "differences": []}\n', "")

    def test_every_pair_of_models_is_told_apart(self):
        for path in programs("torch-2.13.0"):
            if path.suffix == ".json":
                with self.subTest(path=path):
                    code, out, err = run("diff", path, HEAD / "cond.json")
                    self.assertEqual((code, err), (int(path.name != "cond.json"), ""))

    def test_errors_name_the_file_that_they_are_about(self):
        self.check(["diff", HEAD / "cond.json", self.file("bad.json", "{")], 3, "",
                   f"pt2: error: {self.folder}/bad.json: expected a key in double quotes (line 1, column 2)\n")
        code, out, err = run("diff", HEAD / "cond.json", self.folder / "missing.json")
        self.assertEqual((code, out), (4, ""))
        self.assertIn("missing.json", err)


if __name__ == "__main__":
    unittest.main()
