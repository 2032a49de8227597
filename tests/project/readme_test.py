#!/usr/bin/env python3
"""Runs the commands of the documents, and holds what they print to what is shown there.

A block ```sh is one script, of which each command must succeed. In a block without a language, a line that begins with `$ ` is
a command, and the lines below it are what it prints: `...` stands for any text, on a line of its own for any lines. Such a
command may also say no. Every section gets a folder of its own, see FOLDERS.

Needs the commands in PT2_BINARY and SCHEMAGEN_BINARY. Run from anywhere.
"""

import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = REPOSITORY / "tests/data/programs"
TORCH_SCHEMAS = REPOSITORY / "tests/data/torch_schemas"
DOCUMENTS = sorted(path for pattern in ("*.md", "docs/*.md", "schema/*.md", "tests/*/README.md") for path in REPOSITORY.glob(pattern))

DONE, NO = 0, 1

# Not run, or run by another test.
NOT_RUN = {
    "dev/run.sh": "installs packages",
    "cmake --preset ": "builds",
    "cmake --build build/release": "builds",
    "cmake -DPT2_EVOLUTION_SEED=7 build/dev ": "builds",
    "ninja -C build/dev ": "builds",
}
if os.environ.get("PT2_WITH_DAGRE") == "0":  # HTML pages are optional
    NOT_RUN.update({"pt2 view model.pt2 -o ": "needs dagre", "pt2 diff old.pt2 new.pt2 -o ": "needs dagre"})
RUN_ELSEWHERE = {
    ("docs/c.md", "Building"): "tests/embedding/amalgamate_test.py",
    ("docs/copying.md", ""): "tests/embedding/amalgamate_test.py",
    ("docs/javascript.md", ""): "tests/bindings/npm_test.py",
    ("docs/platforms.md", "The complete commands"): "tests/platforms/platforms.sh",
    ("docs/platforms.md", "On a Mac"): "tests/embedding/mac_page_test.py",
    ("docs/python.md", ""): "dev/wheel.sh",
    ("docs/python.md", "Read files with your own schema"): "tests/bindings/python_schema_test.py",
    ("docs/schema-changes.md", "Major versions of your own schema"): "tests/embedding/majors_test.py",
    ("CONTRIBUTING.md", "A new major version"): "tests/generator/evolution/major/major_test.py",
    ("README.md", "Installing"): "dev/bare.sh",
    ("tests/embedding/README.md", "With CMake"): "tests/embedding/embedding_test.py",
    ("tests/embedding/README.md", "Your own schema"): "tests/embedding/embedding_test.py",
}

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
TAGS = '      tags: {id: 20, type: "List[str]", default: []}\n'
OLD_SCHEMA = """\
name: s
version: {major: 1, minor: 0}
types:
  A:
    kind: struct
    fields:
      x: {id: 10, type: str}
      y: {id: 20, type: str}
"""


class Block:
    """A fenced block: its document, the heading above it, its language, and its lines."""

    def __init__(self, document, section, language, lines):
        self.document, self.section, self.language, self.lines = document, section, language, lines

    def script(self):
        """Of a block ```sh: its commands, a line each, without those that are not run."""
        lines = "\n".join(self.lines).replace("\\\n", " ").split("\n")
        return [line for line in lines if not any(line.startswith(command) for command in NOT_RUN)]

    def dialogue(self):
        """Of a block with prompts: pairs of a command and the lines that it prints."""
        steps = []
        for line in self.lines:
            if line.startswith("$ "):
                steps.append((line[2:], []))
            elif steps:
                steps[-1][1].append(line)
        return steps

    def commands(self):
        return self.script() if self.language == "sh" else [command for command, _ in self.dialogue()]


def blocks_of(path):
    """All fenced blocks of a document, those in lists, too."""
    document, section, block = str(path.relative_to(REPOSITORY)), "", None
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        fence = re.match(r"\s*```(\w*)$", line)
        if fence and block is None:
            indent = line.index("`")
            block = Block(document, section, fence[1], [])
        elif fence:
            found.append(block)
            block = None
        elif block is not None:
            block.lines.append(line[indent:])
        elif line.startswith("## "):
            section = line[3:]
    return found


def inline_code(path):
    return re.findall(r"`([^`\n]+)`", re.sub(r"^\s*```.*?^\s*```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S))


def pattern_of(lines):
    """A regular expression for what is shown."""
    parts = []
    for line in lines:
        parts.append(r"(.*\n)*" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n")
    return "".join(parts)


class Folder:
    """Makes the folder in which a section's commands run, with the files that it mentions."""

    def __init__(self, path):
        self.path = path
        for name in ("dev", "tests"):
            (path / name).symlink_to(REPOSITORY / name)
        shutil.copytree(REPOSITORY / "schema", path / "schema")
        self.commands = path / ".commands"
        self.commands.mkdir()
        for name in ("pt2", "schemagen"):
            (self.commands / name).symlink_to(pathlib.Path(os.environ[f"{name.upper()}_BINARY"]).resolve())
        self.environment = {**os.environ, "PATH": f"{self.commands}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        for role in ("AUTHOR", "COMMITTER"):
            self.environment.update({f"GIT_{role}_NAME": "test", f"GIT_{role}_EMAIL": "test@example.org"})

    def run(self, script):
        """Exit code and output, of both streams, of a script."""
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.path, env=self.environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
        return done.returncode, done.stdout

    def must_run(self, script):
        code, output = self.run(script)
        assert code == DONE, f"{script}: exit code {code}\n{output}"

    def write(self, name, text):
        (self.path / name).write_text(text, encoding="utf-8")

    def copy(self, source, name):
        shutil.copy(source, self.path / name)


def same_program(folder):
    """old.pt2, and new.pt2 in which one number and one name are others."""
    folder.copy(PROGRAMS / "torch-2.13.0/effects.pt2", "old.pt2")
    with zipfile.ZipFile(folder.path / "old.pt2") as old, zipfile.ZipFile(folder.path / "new.pt2", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if "/models/" in name:
                program = json.loads(data)
                nodes = program["graph_module"]["graph"]["nodes"]
                add = next(node for node in nodes if node["target"] == "torch.ops.aten.add.Tensor")
                add["inputs"][1]["arg"] = {"as_int": 2}
                data = json.dumps(program).replace('"add"', '"add_7"')
            new.writestr(name, data)


def older_program(folder):
    folder.copy(PROGRAMS / "torch-2.6.0/cond.pt2", "old.pt2")


def conditional_program(folder):
    folder.copy(PROGRAMS / "torch-2.13.0/cond.pt2", "model.pt2")


def program_of_classes(folder):
    """model.pt2, with classes in place of dicts and a tuple of its inputs and outputs."""
    with zipfile.ZipFile(PROGRAMS / "torch-2.13.0/pytree_kwargs.pt2") as old, zipfile.ZipFile(folder.path / "model.pt2", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if "/models/" in name:
                program = json.loads(data)
                call = program["graph_module"]["module_call_graph"][0]["signature"]
                inputs, outputs = json.loads(call["in_spec"]), json.loads(call["out_spec"])
                inputs[1]["children_spec"][0]["children_spec"][0] |= {"type": "models.Batch", "context": '[["x", "y"], ["mask"]]'}
                outputs[1] |= {"type": "models.Output"}
                outputs[1]["children_spec"][1] |= {"type": "models.Cache"}
                call["in_spec"], call["out_spec"] = json.dumps(inputs), json.dumps(outputs)
                data = json.dumps(program)
            new.writestr(name, data)


def program_with_views(folder):
    folder.copy(PROGRAMS / "torch-2.13.0/shared_weights.pt2", "shared_weights.pt2")
    folder.copy(PROGRAMS / "torch-2.6.0/mlp.pt2", "old.pt2")


def current_program(folder):
    folder.copy(PROGRAMS / "torch-2.13.0/mlp.pt2", "model.pt2")


def dynamic_program(folder):
    folder.copy(PROGRAMS / "torch-2.13.0/gpt2.pt2", "model.pt2")


def programs_to_look_at(folder):
    dynamic_program(folder)
    same_program(folder)


def hostile_package(folder):
    """A package whose sample inputs are a pickle that calls os.system."""
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w") as inner:
        inner.writestr("archive/data.pkl", b"(S'id'\niposix\nsystem\n.")
    with zipfile.ZipFile(folder.path / "model.pt2", "w") as outer:
        outer.writestr("mlp/archive_format", "pt2")
        outer.writestr("mlp/data/sample_inputs/model.pt", saved.getvalue())


def hostile_model(folder):
    """A model that torch loads, whose sample inputs are a pickle that calls os.system."""
    def changed(package, record, change):
        stream = io.BytesIO()
        with zipfile.ZipFile(package) as old, zipfile.ZipFile(stream, "w") as new:
            for name in old.namelist():
                new.writestr(name, change(old.read(name)) if name.endswith(record) else old.read(name))
        return stream.getvalue()

    def call_system(sample_inputs):
        return changed(io.BytesIO(sample_inputs), "data.pkl", lambda _: b"(S'id'\niposix\nsystem\n.")

    model = changed(PROGRAMS / "torch-2.13.0/mlp.pt2", "sample_inputs/model.pt", call_system)
    (folder.path / "model.pt2").write_bytes(model)


def two_schemas(folder):
    folder.write("old.yaml", OLD_SCHEMA)
    folder.write("new.yaml", OLD_SCHEMA.replace("id: 20", "id: 30").replace("minor: 0", "minor: 1"))


def own_schema(folder, text=NOTES):
    """A repository with a schema, its code, and the same on the server's main branch."""
    folder.write("schema.yaml", text)
    folder.must_run("schemagen generate schema.yaml -o generated && git init -q -b main && git add schema.yaml generated && "
                    "git commit -qm 'Add a schema' && git update-ref refs/remotes/origin/main main")


def schema_of_two_files(folder):
    """Those that the section shows."""
    (folder.path / "shared").mkdir()
    for block in blocks_of(REPOSITORY / "schema/README.md"):
        if block.section == "Several files" and block.language == "yaml":
            folder.write(block.lines[0].removeprefix("# "), "\n".join(block.lines[1:]) + "\n")


def edited_schema(folder):
    own_schema(folder)
    folder.write("schema.yaml", NOTES + TAGS)


def checked_schema(folder):
    own_schema(folder, NOTES.replace("minor: 0", "minor: 1") + TAGS)


def own_schema_and_pytorchs(folder):
    own_schema(folder)
    folder.copy(TORCH_SCHEMAS / "8.20.py", "schema.py")


def pytorchs_schema(folder):
    folder.copy(TORCH_SCHEMAS / "8.14.py", "schema.py")


def new_schema_of_pytorch(folder):
    """As for the next release, but that it brings the schema 8.20 once more, which is the head here."""
    released = folder.path / "schema/released/8.20.yaml"
    if released.exists():
        released.replace(folder.path / "schema/pt2.yaml")
    (folder.path / "NEW/torch/_export/serde").mkdir(parents=True)
    folder.copy(TORCH_SCHEMAS / "8.20.py", "NEW/torch/_export/serde/schema.py")
    (folder.path / "build/dev").mkdir(parents=True)
    (folder.path / "build/dev/bin").symlink_to(folder.commands)


def nothing(folder):
    del folder


# Prepare the folder of a section with commands; `schema`, `tests` and `dev` always exist.
FOLDERS = {
    ("README.md", ""): conditional_program,
    ("README.md", "Building"): nothing,
    ("docs/binary-files.md", "Converting"): current_program,
    ("docs/changing-programs.md", "From the command line"): current_program,
    ("docs/comparing.md", "The same program?"): same_program,
    ("docs/files-from-strangers.md", "Look"): hostile_model,
    ("docs/files-from-strangers.md", "Clean"): hostile_model,
    ("docs/files-from-strangers.md", "Decide"): hostile_model,
    ("docs/files-from-strangers.md", "In a pipeline"): hostile_model,
    ("docs/looking.md", "As a page"): programs_to_look_at,
    ("docs/looking.md", "As text"): dynamic_program,
    ("docs/looking.md", "What it costs"): dynamic_program,
    ("docs/looking.md", "Which operators it calls"): dynamic_program,
    ("docs/schema-changes.md", "When a schema changes"): two_schemas,
    ("docs/versions.md", "Older programs"): older_program,
    ("docs/versions.md", "Programs for an older torch"): current_program,
    ("docs/versions.md", "Replacing the classes of inputs and outputs"): program_of_classes,
    ("docs/weights.md", "Listing and exporting"): program_with_views,
    ("docs/weights.md", "Moving weights"): program_with_views,
    ("CONTRIBUTING.md", ""): nothing,
    ("CONTRIBUTING.md", "A new schema of PyTorch"): new_schema_of_pytorch,
    ("CONTRIBUTING.md", "Tests"): nothing,
    ("schema/README.md", "Several files"): schema_of_two_files,
    ("schema/README.md", "Regenerating the code"): edited_schema,
    ("schema/README.md", "Checking it in CI"): checked_schema,
    ("schema/README.md", "Changing a schema"): own_schema_and_pytorchs,
    ("schema/README.md", "Where each file came from"): pytorchs_schema,
}


class CommandsTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.blocks = {}
        for document in DOCUMENTS:
            for block in blocks_of(document):
                if block.commands() or block.language == "sh":
                    self.blocks.setdefault((block.document, block.section), []).append(block)

    def folder(self, prepare):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        folder = Folder(pathlib.Path(holder.name))
        prepare(folder)
        return folder

    def check(self, folder, block):
        if block.language == "sh":
            code, output = folder.run("\n".join(block.script()))
            self.assertEqual(code, DONE, "\n".join([*block.script(), output]))
            return
        for command, shown in block.dialogue():
            if any(command.startswith(each) for each in NOT_RUN):
                continue
            code, output = folder.run(command)
            self.assertIn(code, (DONE, NO), f"{command}\n{output}")
            if shown and not re.fullmatch(pattern_of(shown), output):
                self.assertEqual(output, "\n".join([*shown, ""]), command)

    def test_every_command_works_and_prints_what_is_shown(self):
        for place, prepare in FOLDERS.items():
            with self.subTest(place):
                folder = self.folder(prepare)
                for block in self.blocks[place]:
                    self.check(folder, block)

    def test_every_section_with_commands_is_run(self):
        self.assertEqual(sorted(self.blocks), sorted([*FOLDERS, *RUN_ELSEWHERE]), "add sections with commands to FOLDERS")

    def test_every_exception_is_needed(self):
        lines = [line for blocks in self.blocks.values() for block in blocks for line in block.lines]
        for command in NOT_RUN:
            self.assertTrue(any(line.removeprefix("$ ").startswith(command) for line in lines), command)
        for test in RUN_ELSEWHERE.values():
            self.assertTrue((REPOSITORY / test).exists(), test)

    def test_the_port_of_a_release_is_the_file_that_is_kept(self):
        place = ("schema/README.md", "Where each file came from")
        folder = self.folder(FOLDERS[place])
        kept = folder.path / "schema/released/8.14.yaml"
        before = kept.read_text()
        kept.write_text(before.replace("type: str", "type: bool", 1))
        for block in self.blocks[place]:
            self.check(folder, block)
        self.assertEqual(kept.read_text(), before)


class WordsTest(unittest.TestCase):
    """The commands and paths that all documents mention."""

    @classmethod
    def setUpClass(cls):
        cls.help = {}
        for command in ("pt2", "schemagen"):
            binary = os.environ[f"{command.upper()}_BINARY"]

            def help_of(*arguments, binary=binary):
                return subprocess.run([binary, *arguments, "--help"], capture_output=True, text=True, check=True).stdout

            for name in re.findall(r"^  ([a-z]+) ", help_of().split("Subcommands:")[1], re.M):
                cls.help[command, name] = help_of(name)
        package = REPOSITORY / "bindings/python/pt2/_schemagen.py"
        cls.help["schemagen", "wheel"] = subprocess.run([sys.executable, package, "wheel", "--help"], capture_output=True, text=True,
                                                        check=True).stdout

    def test_every_subcommand_and_option_exists(self):
        for path in DOCUMENTS:
            blocks = [command for block in blocks_of(path) for command in block.commands()]
            for code in [*inline_code(path), *blocks]:
                for command, subcommand, rest in re.findall(r"(?:^|[ /])(pt2|schemagen) ([a-z]+)([^;&|#]*)", code):
                    with self.subTest(document=path.name, code=code):
                        self.assertIn((command, subcommand), self.help)
                        for option in re.findall(r" (--?[a-z][a-z-]*)", rest):
                            self.assertRegex(self.help[command, subcommand], rf"(^|[ ,]){option}\b")

    def test_every_link_inside_leads_somewhere(self):
        for path in DOCUMENTS:
            for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
                if "://" in link:
                    continue
                with self.subTest(document=path.name, link=link):
                    name, _, anchor = link.partition("#")
                    target = path.parent / name if name else path
                    self.assertTrue(target.exists())
                    if anchor:
                        headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.M)
                        self.assertIn(anchor, [re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings])


if __name__ == "__main__":
    unittest.main()
