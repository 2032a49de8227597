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


MODELS = """
import numpy, pt2
builder = pt2.Builder()
x = builder.input("x", "float32", [1, 3, 8, 8])
names = ("norm.weight", "norm.bias", "norm.running_mean", "norm.running_var")
norm = [builder.parameter(name, numpy.ones(4, "float32")) for name in names]
conv = [builder.parameter("conv.weight", numpy.ones((4, 3, 3, 3), "float32")), builder.parameter("conv.bias", numpy.ones(4, "float32"))]
y = builder.call("aten.conv2d.default", x, *conv)
builder.output(builder.call("aten.relu.default", builder.call("aten.batch_norm.default", y, *norm, False, 0.1, 1e-5, True)))
pt2.save(builder.finish(), "convnet.pt2", tensors=builder.tensors)
builder = pt2.Builder()
q, k, v = (builder.input(name, "float32", [2, 5, 4]) for name in "qkv")
scores = builder.call("aten.mul.Tensor", builder.call("aten.matmul.default", q, builder.call("aten.transpose.int", k, -2, -1)), 0.5)
builder.output(builder.call("aten.matmul.default", builder.call("aten.softmax.int", scores, -1), v))
pt2.save(builder.finish(), "attention.pt2", tensors={})
"""


class RecipesTest(unittest.TestCase):
    def test_each_recipe_runs(self):
        found = list(recipes())
        self.assertGreaterEqual(len(found), 10)
        with tempfile.TemporaryDirectory() as folder:
            for name in ("model.pt2", "later.pt2"):
                shutil.copy(MODEL, pathlib.Path(folder, name))
            for heading, code in [("models", MODELS), *found]:
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
