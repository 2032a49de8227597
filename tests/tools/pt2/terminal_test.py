"""No command of pt2 prints what would steer a terminal, whatever names a file has.

PT2_BINARY names the command.
"""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import zipfile

from every_command import CALLS, call, commands, options

PT2 = os.environ["PT2_BINARY"]
HEAD = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs" / "torch-2.13.0"
FORGED = "forged: ok"  # after a line break, it would look like a separate line
MARKS = "\x1b]0;title\x07\x1b[31m\r\x9b2J\u202e\u2066\u200b\u2028\ufeff\u061c\U000e0041\x85\x7f\t\n" + FORGED
NUL = MARKS + "\x00"  # not allowed in arguments, nor in names of files and records
COLOUR = re.compile("\x1b\\[[0-9;]*m")
OWN_SCRIPT = re.compile("<script>.*?</script>", re.DOTALL)  # of pages; scripts with a type contain data of files
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")


def marked(value, without=(), key=None):
    """Returns `value` with marks in every text that a program may choose, except texts of keys `without`."""
    if isinstance(value, dict):
        return {key if key in KEYS else key + NUL: marked(inner, without, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [marked(inner, without, key) for inner in value]
    return value + NUL if isinstance(value, str) and key not in without and not value.startswith("torch.ops.") else value


def keys_of(value):
    """All keys except the keys of a program's own dicts."""
    if isinstance(value, dict):
        return set(value) | {key for inner in value.values() for key in keys_of(inner)}
    return {key for inner in value for key in keys_of(inner)} if isinstance(value, list) else set()


PROGRAM = json.loads((HEAD / "mlp.json").read_text())
OWN_NAMES = {name for table in ("tensor_values", "sym_int_values") for name in PROGRAM["graph_module"]["graph"][table]}
KEYS = keys_of(PROGRAM) - OWN_NAMES


class TerminalTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.json = self.folder / f"a{MARKS.replace('/', '')}.json"
        self.json.write_text(json.dumps(marked(PROGRAM)))

    def archive(self, name, without):
        """An archive with marks in the program (except texts of keys `without`), in its tables and in the names of records."""
        program = json.dumps(marked(PROGRAM, without))
        path = self.folder / name
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(path, "w") as new:
            for record in old.namelist():
                content = old.read(record)
                if record.endswith("_config.json"):
                    config = json.loads(content)
                    config["config"] = {key + NUL: {**value, "path_name": value["path_name"] + MARKS} for key, value in config["config"].items()}
                    content = json.dumps(config).encode()
                tail = MARKS if re.search(r"/(weight|tensor)_\d+$", record) else ""
                new.writestr(record + tail, program if "/models/" in record else content)
            for record in ("extra/", "data/aotinductor/", "other", "data/constants/"):
                new.writestr(f"mlp/{record}{MARKS}/w.so", b"\x7fELF")
        return path

    def of_marked_name(self):
        """An archive whose model has marks in its name."""
        path = self.folder / "named.pt2"
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(path, "w") as new:
            for record in old.namelist():
                new.writestr(re.sub(r"(models/|sample_inputs/|weights/|constants/)model", lambda match: match[0] + MARKS, record), old.read(record))
        return path

    def check(self, arguments):
        done = subprocess.run([PT2, *map(str, arguments)], capture_output=True, timeout=60)
        for text in (done.stdout.decode(), done.stderr.decode()):
            own_colours = COLOUR if "always" in arguments else OWN_SCRIPT
            text = own_colours.sub("", text)
            self.assertEqual(STEERING.findall(text), [], text[:300])
            self.assertEqual([line for line in text.splitlines() if line.startswith(FORGED)], [], text[:300])

    def test_every_command_has_calls_with_all_of_its_options(self):
        for command in {*commands()} | {words[0] for words in CALLS}:
            words = {word for words in CALLS if words[0] == command for word in words}
            self.assertTrue(words, f"add calls of '{command}' to every_command.py")
            self.assertEqual(options(command) - words, set(), f"add calls of '{command}' with these options to every_command.py")

    def test_no_command_prints_what_steers_a_terminal(self):
        files = [self.json, self.archive("all.pt2", ()), self.archive("some.pt2", ("in_spec", "out_spec", "expr_str")), self.of_marked_name()]
        for words in CALLS:
            for file in files if "FILE" in words else files[:1]:
                arguments = call(words, file, HEAD / "mlp.pt2", self.folder, name=MARKS)
                with self.subTest(arguments=arguments):
                    self.check(arguments)

    def test_marks_are_shown_as_escapes(self):
        for arguments in (["show", self.json], ["show", self.json, "--signature"], ["info", self.json], ["validate", self.json]):
            done = subprocess.run([PT2, *arguments], capture_output=True, text=True)
            self.assertIn("\\x1b]0;title\\x07\\x1b[31m", done.stdout)


if __name__ == "__main__":
    unittest.main()
