"""Tests of a pt2 command that was built without dagre. PT2_BINARY names it."""

import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "data/programs/torch-2.13.0/cond.pt2"


class WithoutDagreTest(unittest.TestCase):
    def run_pt2(self, *arguments):
        done = subprocess.run([os.environ["PT2_BINARY"], *map(str, arguments)], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_pages_say_how_to_get_them_and_are_not_written(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.html")
            for arguments in (["view", PROGRAM], ["diff", PROGRAM, PROGRAM]):
                code, out, err = self.run_pt2(*arguments, "-o", page)
                self.assertEqual((code, out), (2, ""))
                self.assertIn("this pt2 was built without dagre and cannot lay out graphs: install node-dagre-layout (the Debian package), or set -DPT2_DAGRE to dagre.min.js, and build pt2 again\n", err)
                self.assertFalse(page.exists())

    def test_what_is_no_page_works(self):
        self.assertEqual(self.run_pt2("validate", PROGRAM)[0], 0)


if __name__ == "__main__":
    unittest.main()
