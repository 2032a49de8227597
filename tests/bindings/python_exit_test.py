"""How processes end that use the Python package: quietly, whatever their threads do and whatever they have left.

PT2_PYTHON_PACKAGE is the folder that has the package pt2, EVERYTHING_FOLDER that with the module of everything.yaml.
"""

import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATHS = (os.environ["PT2_PYTHON_PACKAGE"], os.environ["EVERYTHING_FOLDER"])
MLP = ROOT / "tests" / "data" / "programs" / "torch-2.13.0" / "mlp.pt2"

THREADS = """
import sys, threading, time
import pt2
program = pt2.load({path!r})

def always(work):
    def run():
        while True:
            work()
    return run

for number in range(3):
    threading.Thread(target=always(lambda: {work}), daemon=True).start()
time.sleep(0.3)
"""

LEFT = """
import ctypes
import {module}
ctypes.pythonapi.Py_IncRef(ctypes.py_object({module}.{value}))
"""


class ExitTest(unittest.TestCase):
    def assert_ends_quietly(self, script):
        done = subprocess.run([sys.executable, "-c", script], env=os.environ | {"PYTHONPATH": os.pathsep.join(PATHS)}, capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_process_ends_while_threads_are_in_the_library(self):
        for work in ("pt2.hash(program)", "program.to_json()", "pt2.load({path!r})", "pt2.hash({path!r}, weights=True, progress=print)"):
            work = work.replace("print", "lambda done, total: sum(range(99))").format(path=str(MLP))
            for _ in range(3):
                with self.subTest(work):
                    self.assert_ends_quietly(THREADS.format(path=str(MLP), work=work))

    def test_objects_that_are_left_are_not_reported(self):
        for module, value in (("pt2", "Graph()"), ("everything", "Tree(name='')")):
            with self.subTest(module):
                self.assert_ends_quietly(LEFT.format(module=module, value=value))


if __name__ == "__main__":
    unittest.main()
