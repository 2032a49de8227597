"""Runs the schemagen command, SCHEMAGEN_BINARY, for the tests in this folder."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    import yaml
except ImportError:
    yaml = None

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import head_schema  # noqa: E402


REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
BINARY = os.environ.get("SCHEMAGEN_BINARY", "schemagen")
DATA = REPOSITORY / "tests" / "data"
VECTORS = DATA / "vectors"
HEAD = REPOSITORY / "schema" / "pt2.yaml"
DONE, NO, USAGE, BAD_INPUT, IO_FAILED = 0, 1, 2, 3, 4

SMALL = """\
name: s
version: {major: 1, minor: 0}
roots: [A]
types:
  A:
    kind: struct
    fields:
      a: {id: 1, type: int}
"""
UGLY = SMALL.replace("roots: [A]", "roots:\n- A   # why")
NICE = SMALL.replace("roots: [A]", "roots:\n  - A  # why")  # formatted


class CommandTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text.encode("utf-8"))
        return str(path)

    def run_command(self, *arguments, stdin="", code=DONE):
        """Runs schemagen in the test's folder; checks the exit code; gives (stdout, stderr)."""
        done = subprocess.run(
            [BINARY, *map(str, arguments)], cwd=self.folder, input=stdin.encode("utf-8"), capture_output=True
        )
        out, errors = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        self.assertEqual(done.returncode, code, f"{arguments}\nstdout: {out}\nstderr: {errors}")
        return out, errors


class JsonSchemaCase(CommandTest):
    def validator(self, schema, root=None, stdin=""):
        text, _ = self.run_command("export", schema, "--format", "json-schema", "-o", "-", stdin=stdin)
        document = json.loads(text)
        jsonschema.Draft7Validator.check_schema(document)
        if root is not None:  # alone, for readable messages
            document["anyOf"] = [{"$ref": f"#/definitions/{root}"}]
        return jsonschema.Draft7Validator(document)

    def assert_accepts(self, validator, value):
        error = jsonschema.exceptions.best_match(validator.iter_errors(value))
        if error is not None:
            self.fail(f"{list(error.absolute_path)}: {error.message[:300]}")


NUMBERS = """name: numbers
version: {major: 1, minor: 0}
types:
  Pixel:
    kind: struct
    fields:
      rgb: {id: 1, type: "List[uint8]"}
      depth: {id: 2, type: "Optional[Dict[str, float32]]", default: null}
      count: {id: 3, type: uint64, default: 18446744073709551615}
      weight: {id: 4, type: float32, default: 0.1}
      tiny: {id: 5, type: int8, default: -128}
      small: {id: 6, type: int16}
      medium: {id: 7, type: int32, default: 7}
      number: {id: 8, type: int64}
      word: {id: 9, type: uint16, default: 65535}
      half: {id: 10, type: uint32}
      keyed: {id: 11, type: "Dict[int16, Dict[uint8, str]]", default: {}}
"""
