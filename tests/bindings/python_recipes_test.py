"""The examples of docs/python.md run, each in a fresh process and folder that has what they read.

PT2_PYTHON_PACKAGE is the folder that has the package pt2.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "tests" / "data" / "programs" / "torch-2.13.0" / "mlp.pt2"


def recipes():
    heading = ""
    for match in re.finditer(r"^## ([^\n]*)|^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text(), re.M | re.S):
        heading = match[1] or heading
        if match[2]:
            yield heading, match[2]


class RecipesTest(unittest.TestCase):
    def test_each_recipe_runs(self):
        found = list(recipes())
        self.assertGreaterEqual(len(found), 10)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("model.pt2", "later.pt2"):
                shutil.copy(MODEL, pathlib.Path(folder, name))
            for heading, code in found:
                with self.subTest(heading):
                    done = subprocess.run(
                        [sys.executable, "-W", "error", "-c", code],
                        cwd=folder,
                        env={**os.environ, "PYTHONPATH": os.environ["PT2_PYTHON_PACKAGE"]},
                        capture_output=True,
                        text=True,
                    )
                    self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
