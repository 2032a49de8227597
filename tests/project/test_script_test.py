"""Tests of the options of dev/test.sh; what it runs is tested by running it."""

import pathlib
import subprocess
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "dev/test.sh"


class TestScriptTest(unittest.TestCase):
    def run_script(self, *arguments):
        done = subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def test_help_names_the_options_and_runs_nothing(self):
        for option in ("--help", "-h"):
            code, out, err = self.run_script(option)
            self.assertEqual((code, err), (0, ""))
            self.assertTrue(out.startswith("dev/test.sh [--all] [--random]: "), out)
            for word in ("--all ", "--random ", "PT2_TEST_SEED"):
                self.assertIn(word, out)
            self.assertNotIn("pipefail", out)

    def test_an_unknown_option_is_an_error(self):
        for arguments in (["--al"], ["--all", "quick"], ["--random", "--slow"]):
            code, out, err = self.run_script(*arguments)
            self.assertEqual((code, out), (2, ""))
            self.assertEqual(err, f"test.sh: unknown option {arguments[-1]}; usage: dev/test.sh [--all] [--random]\n")


if __name__ == "__main__":
    unittest.main()
