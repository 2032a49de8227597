"""The scripts of tests/ that compare pt2 with torch say of a sound pt2 that nothing is wrong, and find what a broken one does.

Needs torch. PT2_BINARY names the pt2 command.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
WARM = pathlib.Path(__file__).with_name("warm_torch.py")
PT2 = os.environ["PT2_BINARY"]
ACCUSING = f"""#!/bin/sh
[ "$1" = scan ] && {{ echo "$2: error: bad [NAME_CODE]"; exit 1; }}
exec '{PT2}' "$@"
"""
PASSING = f"""#!/bin/sh
[ "$1" = scan ] && {{ echo '[]'; exit 0; }}
exec '{PT2}' "$@"
"""


def run(script, *options, pt2=PT2):
    done = subprocess.run([sys.executable, WARM, ROOT / "tests" / script, *map(str, options)], capture_output=True, text=True, env={**os.environ, "PT2_BINARY": str(pt2)})
    return done.returncode, done.stdout + done.stderr


class ScriptsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def broken(self, text):
        path = self.folder / "pt2"
        path.write_text(text)
        path.chmod(0o755)
        return path

    def corpus(self, **options):
        return run("corpus/run_corpus.py", self.folder, "--models", "tied_weights,in_str", **options)

    def test_the_corpus_has_no_disagreements_and_keeps_what_it_made(self):
        code, out = self.corpus()
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"\n\| all \| 6 \| 0 \| 0 \| 0 \| 0 \| 0 \| 0 \| 0 \| 6 \| 6 \| 6 \| 6 \| 0 \| 0 \|\n")
        self.assertIn("\n0 disagreements\n", out)
        files = {path: path.stat().st_mtime_ns for path in self.folder.rglob("*") if path.is_file()}
        self.assertEqual(len([path for path in files if path.suffix == ".pt2"]), 6)
        code, again = self.corpus()
        self.assertEqual((code, re.findall(r"\| .*", again)), (0, re.findall(r"\| .*", out)))
        self.assertEqual({path: path.stat().st_mtime_ns for path in files}, files)
        code, out = self.corpus(pt2=self.broken(ACCUSING))
        self.assertEqual(code, 1)
        self.assertIn("    6 scan accuses: NAME_CODE\n", out)

    def test_the_fuzzer_finds_what_a_scan_that_passes_all_misses(self):
        options = ("mutants/run_mutants.py", self.folder, "--models", "in_dict", "--seed", 1, "--mutants", 30)
        code, out = run(*options)
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"\| all \| 30 \|")
        code, out = run(*options, pt2=self.broken(PASSING))
        self.assertEqual(code, 1)
        self.assertRegex(out, r"missed: [0-9]+ of ")
        self.assertTrue(list(self.folder.glob("missed-*.pt2")))


if __name__ == "__main__":
    unittest.main()
