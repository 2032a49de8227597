"""corpus.py says of a sound pt2 that nothing is wrong, and finds what a broken one does.

Needs torch. PT2_BINARY names the pt2 command, INFERRED_NODES the program that compares types.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CORPUS = pathlib.Path(__file__).with_name("corpus.py")
WARM = CORPUS.with_name("warm_torch.py")
PT2 = os.environ["PT2_BINARY"]
# pt2 without the last line of JSON.
BROKEN = f"""#!/bin/sh
'{PT2}' "$@" || exit
case $1-$3 in convert-*.json) echo >> "$3" ;; esac
"""


def corpus(*options, pt2=PT2):
    done = subprocess.run([sys.executable, WARM, CORPUS, *options], capture_output=True, text=True, env={**os.environ, "PT2_BINARY": str(pt2)})
    return done.returncode, done.stdout, done.stderr


class CorpusTest(unittest.TestCase):
    def test_nothing_is_wrong_with_a_small_model(self):
        code, out, err = corpus("--models", "torch/sizes", "--cuts", "2")
        self.assertEqual(code, 0, out + err)
        self.assertRegex(out, r"torch/sizes: ok, \d+ nodes")
        self.assertIn("1 models, 0 failed; seed ", out)
        self.assertIn("cuts: 2 run, 0 refused", out)
        self.assertRegex(out, r"sizes: exported [0-9.]+ MB, slim [0-9.]+ MB, slim as bfloat16 [0-9.]+ MB")
        for command in ("convert", "canonicalize", "hash", "weights", "validate", "check", "scan", "stats", "slim", "strip", "attach", "harden", "extract",
                        "retarget", "operators", "downgrade", "upgrade"):
            self.assertIn(f"  pt2 {command}: ", out)

    def test_what_a_broken_pt2_writes_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = pathlib.Path(folder) / "pt2"
            broken.write_text(BROKEN)
            broken.chmod(0o755)
            code, out, _ = corpus("--models", "torch/recurrent", "--cuts", "0", pt2=broken)
        self.assertEqual(code, 1)
        self.assertIn("torch/recurrent: FAILED", out)
        self.assertIn("  bytes: a.json differs from what torch wrote", out)

    def test_a_model_that_is_not_there_is_a_usage_error(self):
        code, _, err = corpus("--models", "timm/nothing")
        self.assertEqual(code, 2)
        self.assertIn("no model is called timm/nothing; --list prints the names", err)


if __name__ == "__main__":
    unittest.main()
