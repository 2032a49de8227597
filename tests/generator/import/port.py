"""Runs `schemagen import`, the command in SCHEMAGEN_BINARY."""

import os
import pathlib
import re
import subprocess
import tempfile
import textwrap
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
SCHEMAGEN = os.path.abspath(os.environ.get("SCHEMAGEN_BINARY", "schemagen"))
EXCERPT = re.compile(r"^ *\d* \|.*\n", re.MULTILINE)


# A source with comments of each kind.
COMMENTED = """
# How a thing
# is done.

# Where a thing is.
# noqa
#########
@dataclass
class S:  # And how.
    # Which one.
    a: Annotated[int, 10]  # type: ignore

    b: Annotated[
        int, 20
    ]  # Or this: one.
    c: Annotated[int, 30]

    # not about anything

class U(_Union):
    x: Annotated[int, 10]
"""


class Ported:
    """The results of one run of the tool."""

    def __init__(self, code, text, errors):
        self.code = code
        self.text = text  # of the written file; None if there is none
        self.errors = errors  # stderr


class PortTest(unittest.TestCase):
    maxDiff = None

    def run_tool(self, files, *arguments, output="out.yaml"):
        """Runs the tool in a folder that holds `files` (name -> text or bytes)."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                if name.endswith(".yaml") and name != "schema.yaml" and "types:" in content:
                    content = self.with_head(textwrap.dedent(content))
                data = content if isinstance(content, bytes) else textwrap.dedent(content).encode("utf-8")
                pathlib.Path(folder, name).write_bytes(data)
            run = subprocess.run([SCHEMAGEN, "import", *arguments, "-o", output], cwd=folder, capture_output=True, check=False)
            written = pathlib.Path(folder, output)
            text = written.read_bytes().decode("utf-8") if written.is_file() else None
            return Ported(run.returncode, text, EXCERPT.sub("", run.stderr.decode("utf-8")))

    def with_head(self, text):
        """An older schema, with what each schema needs."""
        return text if text.startswith("name:") else "name: old\nversion: {major: 8, minor: 1}\n" + text

    def port(self, source, *options, version="SCHEMA_VERSION = (8, 20)\n", **files):
        """Ports a schema.py whose first line is the version, so that `source` begins in line 2."""
        source = version + textwrap.dedent(source).lstrip("\n")
        return self.run_tool({"schema.py": source, **files}, "schema.py", *options)

    def ported_types(self, source, *options, **files):
        """The text below `types:`, after checking that the port was accepted without any message."""
        result = self.port(source, *options, **files)
        self.assertEqual((result.code, result.errors), (0, ""))
        return result.text.split("types:\n", 1)[1]

    def assert_types(self, source, expected, *options, **files):
        self.assertEqual(self.ported_types(source, *options, **files), self.indented(expected))

    def indented(self, text):
        return textwrap.indent(textwrap.dedent(text).lstrip("\n"), "  ", lambda line: line.strip())

    def assert_rejected(self, source, expected, *options, code=3, **files):
        """Asserts that the messages are exactly `expected`, and nothing is written."""
        result = self.port(source, *options, **files)
        self.assertEqual(result.errors, textwrap.dedent(expected).lstrip("\n"))
        self.assertEqual(result.code, code)
        self.assertIsNone(result.text)

    def assert_message(self, source, expected, *options, code=0, **files):
        """Asserts that the messages are exactly `expected`, and the file is written all the same."""
        result = self.port(source, *options, **files)
        self.assertEqual(result.errors, textwrap.dedent(expected).lstrip("\n"))
        self.assertEqual(result.code, code)
        return result.text
