"""What torch 2.2 to 2.9 wrote for ordinary models is accused of nothing, and can be hardened and upgraded.

tests/data/old_exports has programs that those releases exported (`-strict`: strict=True; `-lax`: strict=False; `-dec`: decomposed), and
expected.json the exit codes of each command; null: either of 0 and 1. PT2_BINARY names the pt2 command.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
FOLDER = pathlib.Path(__file__).resolve().parents[2] / "data" / "old_exports"
EXPECTED = json.loads((FOLDER / "expected.json").read_text())
COMMANDS = {"scan": ["scan"], "check_load": ["check", "--policy", "load"], "check_strict": ["check", "--policy", "strict"],
            "validate": ["validate"], "harden": ["harden"], "upgrade": ["upgrade"]}
WRITES = {"harden", "upgrade"}


class OldExportsTest(unittest.TestCase):
    def verdict(self, command, file, output):
        arguments = [*COMMANDS[command], str(file), *(["-o", output] if command in WRITES else [])]
        return subprocess.run([PT2, *arguments], capture_output=True, text=True, timeout=60)

    def check(self, command):
        self.assertGreater(len(EXPECTED), 50)
        with tempfile.TemporaryDirectory() as folder:
            for name, verdicts in EXPECTED.items():
                with self.subTest(name, cause=verdicts["cause"]):
                    done = self.verdict(command, FOLDER / name, f"{folder}/out.pt2")
                    expected = [0, 1] if verdicts[command] is None else [verdicts[command]]
                    self.assertIn(done.returncode, expected, (done.stdout + done.stderr)[:500])

    def test_scan_accuses_no_honest_file(self):
        self.check("scan")

    def test_check_passes_what_torch_loads(self):
        self.check("check_load")

    def test_strict_check_has_no_warnings_for_honest_files(self):
        self.check("check_strict")

    def test_validate_finds_no_errors(self):
        self.check("validate")

    def test_harden_writes_honest_files(self):
        self.check("harden")

    def test_upgrade_reads_every_release(self):
        self.check("upgrade")


if __name__ == "__main__":
    unittest.main()
