#!/usr/bin/env python3
"""The options and files of `schemagen import`; tests/generator/import has what it reads. Needs the command in SCHEMAGEN_BINARY."""

import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "generator/import"))
from port import SCHEMAGEN, PortTest  # noqa: E402


class CommandLine(PortTest):
    SOURCE = "SCHEMA_VERSION = 1\n@dataclass\nclass S: pass\n"

    def test_takes_the_name_of_the_schema(self):
        result = self.run_tool({"schema.py": self.SOURCE}, "schema.py", "--name", "draft")
        self.assertTrue(result.text.startswith("name: draft\n"))

    def test_rejects_a_name_that_is_no_identifier(self):
        result = self.run_tool({"schema.py": self.SOURCE}, "schema.py", "--name", "my schema")
        self.assertEqual(result.code, 2)
        self.assertIn("expected an identifier, got 'my schema'", result.errors)

    def test_an_unknown_option_is_a_usage_error(self):
        self.assertEqual(self.run_tool({}, "schema.py", "--nonsense").code, 2)

    def test_comments_of_a_yaml_file_are_a_usage_error(self):
        result = self.run_tool({"schema.yaml": "SCHEMA_VERSION: [8, 20]\n"}, "schema.yaml", "--comments")
        self.assertEqual(result.code, 2)

    def test_an_unreadable_file_is_an_io_error(self):
        for arguments in [["gone.py"], ["schema.py", "--docs-from", "gone.yaml"], ["schema.py", "--reserve-from", "gone.yaml"]]:
            result = self.run_tool({"schema.py": self.SOURCE}, *arguments)
            self.assertEqual((result.code, result.errors), (
                4, f"schemagen: error: cannot read {arguments[-1]}: No such file or directory\n"))

    def test_an_unwritable_file_is_an_io_error(self):
        result = self.run_tool({"schema.py": self.SOURCE}, "schema.py", output="no/such/out.yaml")
        self.assertEqual(result.code, 4)
        self.assertIn("no/such", result.errors)

    def test_a_failed_run_leaves_the_old_file_as_it_was(self):
        files = {"schema.py": "SCHEMA_VERSION = 1\n@dataclass\nclass S:\n    a: int\n", "out.yaml": "old"}
        result = self.run_tool(files, "schema.py")
        self.assertEqual((result.code, result.text), (3, "old"))

    def test_reads_standard_input_and_writes_standard_output(self):
        run = subprocess.run([SCHEMAGEN, "import", "-", "-o", "-"], input=self.SOURCE.encode(), capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, b""))
        self.assertEqual(
            run.stdout,
            b"name: pt2\nversion: {major: 1, minor: 0}\nroots: [S]\n"
            b"types:\n  S:\n    kind: struct\n    fields: {}\n",
        )


if __name__ == "__main__":
    unittest.main()
