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

PT2 = os.environ["PT2_BINARY"]
HEAD = pathlib.Path(__file__).resolve().parents[1] / "data" / "programs" / "torch-2.13.0"
MARKS = "\x1b]0;title\x07\x1b[31m\r\x9b2J\u202e\u2066\u200b\u2028\ufeff\u061c\U000e0041"
COLOUR = re.compile("\x1b\\[[0-9;]*m")
OWN_SCRIPT = re.compile("<script>.*?</script>", re.DOTALL)  # of pages, which have those of files in scripts with a type
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x80-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")


def marked(value):
    """`value` with marks in each of its texts that a program may choose."""
    if isinstance(value, dict):
        return {key if key in KEYS else key + MARKS: marked(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [marked(inner) for inner in value]
    return value + MARKS if isinstance(value, str) and not value.startswith("torch.ops.") else value


def keys_of(value):
    """All keys that are not those of a program's own dicts."""
    if isinstance(value, dict):
        return set(value) | {key for inner in value.values() for key in keys_of(inner)}
    return {key for inner in value for key in keys_of(inner)} if isinstance(value, list) else set()


PROGRAM = json.loads((HEAD / "mlp.json").read_text())
OWN_NAMES = {name for table in ("tensor_values", "sym_int_values") for name in PROGRAM["graph_module"]["graph"][table]}
KEYS = keys_of(PROGRAM) - OWN_NAMES


class TerminalTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        program = json.dumps(marked(PROGRAM))
        self.json = self.folder / f"a{MARKS.replace('/', '')}.json"
        self.json.write_text(program)
        self.archive = self.folder / "a.pt2"
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(self.archive, "w") as new:
            for name in old.namelist():
                content = old.read(name)
                if name.endswith("_config.json"):
                    config = json.loads(content)
                    config["config"] = {key + MARKS: value for key, value in config["config"].items()}
                    content = json.dumps(config).encode()
                new.writestr(name, program if "/models/" in name else content)
            new.writestr(f"mlp/extra/{MARKS}", b"")

    def test_no_command_prints_what_steers_a_terminal(self):
        listed = subprocess.run([PT2, "--help"], capture_output=True, text=True, check=True).stdout
        commands = re.findall(r"^  ([a-z]+)  +[A-Z]", listed, re.MULTILINE)
        self.assertGreater(len(commands), 20)
        own = {
            "diff": [[self.json, HEAD / "mlp.json"], [self.json, HEAD / "mlp.json", "--json"]],
            "show": [[self.json], [self.json, "--signature"], [self.json, "--json"], [self.json, "--source"], [self.json, "--node", MARKS], [self.json, "--color", "always"]],
            "convert": [[self.json, "-"]],
            "export": [[self.json, "--format", "dot"]],
            "view": [[self.json, "-o", "-"], [self.json, "-o", "-", "--format", "model-explorer"]],
            "rename": [[self.json, "-o", "-", f"x{MARKS}=y"]],
            "slim": [[self.json, "-o", "-", "--drop", MARKS], [self.json, "-o", "-", "--drop", "names"],
                     [self.archive, "-o", self.folder / "out.pt2", "--drop", "unused,metadata", "--reproducible"]],
            "retarget": [[self.json, "-o", "-", "--device", MARKS]],
            "operators": [[self.json], [self.json, "--backend", "core-aten"], [self.archive, "--torch", "2.1", "--json"], [self.json, "--torch", MARKS],
                          [self.json, "--backend", self.json]],
            "extract": [[self.json, "-o", "-", "--inputs", MARKS, "--outputs", MARKS]],
            "downgrade": [[self.json, "-o", "-", "--to", "8.2"]],
            "attach": [[self.archive, self.json, "-o", self.folder / "out.pt2"]],
            "explain": [[MARKS]],
            "harden": [[self.archive, "-o", self.folder / "out.pt2"]],
            "strip": [[self.archive, "-o", self.folder / "out.pt2"]],
        }
        for command in commands:
            calls = own.get(command, [[self.json], [self.archive], [self.json, "-o", "-"], [self.archive, "--json"], [self.archive, "--format", "json"],
                                      [self.archive, "--format", "sarif"], [self.archive, "--weights"], [self.json, MARKS]])
            for arguments in calls:
                with self.subTest(command=command, arguments=arguments):
                    done = subprocess.run([PT2, command, *arguments], capture_output=True, timeout=60)
                    for text in (done.stdout.decode(), done.stderr.decode()):
                        own_colours = COLOUR if "always" in arguments else OWN_SCRIPT
                        self.assertEqual(STEERING.findall(own_colours.sub("", text)), [], text[:300])

    def test_marks_are_shown_as_escapes(self):
        for arguments in (["show", self.json], ["show", self.json, "--signature"], ["info", self.json], ["validate", self.json]):
            done = subprocess.run([PT2, *arguments], capture_output=True, text=True)
            self.assertIn("\\x1b]0;title\\x07\\x1b[31m", done.stdout)


if __name__ == "__main__":
    unittest.main()
