"""`schemagen diff --policy pytorch` says what torch's own checker says (torch/_export/serde/schema_check.py).

Both are asked about every two of PyTorch's released schemas, about the example of every rule, and about random edits of schemas
that PyTorch's language can say, in both directions. torch gets the schemas as the YAML that `schemagen export` writes, which other tests hold against PyTorch's own files.

Needs torch and PyYAML. SCHEMAGEN_BINARY names the command, EVOLUTION_FOLDER what make_experiments wrote.
"""

import contextlib
import io
import itertools
import json
import os
import pathlib
import subprocess
import sys
import unittest

import yaml
from torch._export.serde import schema_check

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPAT = ROOT / "tests" / "compat"
SCHEMAGEN = os.environ.get("SCHEMAGEN_BINARY", "build/bin/schemagen")


def run_tool(*arguments):
    return subprocess.run([SCHEMAGEN, *map(str, arguments)], capture_output=True, text=True, timeout=60)
EVOLUTION = pathlib.Path(os.environ.get("EVOLUTION_FOLDER", "build/tests/evolution"))


class Schema:
    def __init__(self, path):
        self.path = path
        exported = run_tool("export", path, "--format", "torch-yaml", "-o", "-")
        # PyTorch's language lacks some types, and its checker knows only its own constants.
        content = yaml.load(exported.stdout, Loader=yaml.Loader) if exported.returncode == 0 else {}
        self.content = {name: value for name, value in content.items()
                        if isinstance(value, dict) or name in ("SCHEMA_VERSION", "TREESPEC_VERSION")}

    @property
    def version(self):
        return list(self.content["SCHEMA_VERSION"])


def torch_verdict(old, new):
    """The next version, None if none is needed, or "error"."""
    try:
        additions, subtractions = schema_check._diff_schema(old.content, new.content)
    except (schema_check.SchemaUpdateError, AssertionError):
        return "error"
    nothing = {field: None for field in schema_check._Commit.__dataclass_fields__}
    commit = schema_check._Commit(**{**nothing, "result": new.content, "base": old.content, "additions": additions,
                                     "subtractions": subtractions})
    with contextlib.redirect_stdout(io.StringIO()):
        return schema_check.check(commit)[0]


def our_verdict(old, new):
    report = json.loads(run_tool("diff", old.path, new.path, "--policy", "pytorch", "--format", "json").stdout)
    if report["bump"] == "error":
        return "error"
    if report["bump"] == "none":
        return None
    return [report["suggested_version"]["major"], report["suggested_version"]["minor"]]


class TorchSchemaCheck(unittest.TestCase):
    def compare(self, pairs):
        seen = set()
        for old, new in pairs:
            with self.subTest(old=str(old.path), new=str(new.path)):
                theirs = torch_verdict(old, new)
                self.assertEqual(our_verdict(old, new), theirs)
                seen.add(theirs if theirs in ("error", None) else "major" if theirs[0] > old.version[0] else "minor")
        return seen

    def test_the_three_files_of_torch(self):
        script = ROOT / "tests/interop/compare_torch_exports.py"
        done = subprocess.run([sys.executable, script, sys.executable], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("is the same"), 3, done.stdout)

    def test_released_schemas(self):
        files = sorted((ROOT / "schema" / "released").glob("*.yaml")) + [ROOT / "schema" / "pt2.yaml"]
        schemas = [schema for schema in map(Schema, files) if schema.version[0] >= 5]
        self.assertGreaterEqual(len(schemas), 9)
        self.assertGreaterEqual(self.compare(itertools.permutations(schemas, 2)), {"error", "major", "minor"})

    def test_examples_of_rules(self):
        pairs = []
        for folder in sorted(COMPAT.iterdir()):
            old, new = Schema(folder / "old.yaml"), Schema(folder / "new.yaml")
            if old.content and new.content:
                pairs += [(old, new), (new, old)]
        self.assertGreaterEqual(len(pairs), 80)
        self.assertEqual(self.compare(pairs), {"error", "major", "minor", None})

    def test_random_edits(self):
        pairs = []
        for edit in (EVOLUTION / "edits.txt").read_text().splitlines():
            old, new = (Schema(EVOLUTION / f"{edit}_{which}.yaml") for which in ("old", "new"))
            if old.content and new.content:
                pairs += [(old, new), (new, old)]
        self.assertGreaterEqual(len(pairs), 60)
        self.assertEqual(self.compare(pairs), {"error", "major", "minor", None})


if __name__ == "__main__":
    unittest.main()
