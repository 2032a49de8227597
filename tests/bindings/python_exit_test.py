"""How processes end that use the Python package: quietly, whatever they have left.

PT2_PYTHON_PACKAGE is the folder that has the package pt2, EVERYTHING_FOLDER that with the module of everything.yaml.
"""

import os
import subprocess
import sys
import unittest

PATHS = (os.environ["PT2_PYTHON_PACKAGE"], os.environ["EVERYTHING_FOLDER"])

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

    def test_objects_that_are_left_are_not_reported(self):
        for module, value in (("pt2", "Node()"), ("everything", "Tree()")):
            with self.subTest(module):
                self.assert_ends_quietly(LEFT.format(module=module, value=value))


if __name__ == "__main__":
    unittest.main()
