"""pt2 treats calls of some operators in torch's database as torch does. operator_database.py, in the nightly run, takes all.

Needs torch and pt2's Python package; PT2_PYTHON_PACKAGE is the folder with it.
"""

import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", "build/dev/bindings/python"))
import operator_database  # noqa: E402

OPERATORS = "add,dist,einsum,linalg.qr,masked_select,nonzero,polygamma.polygamma_n_0,special.zeta,squeeze.multiple,stft,unique,view_copy"


class TorchsDatabase(unittest.TestCase):
    def test_of_some_operators(self):
        printed = io.StringIO()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(printed):
            status = operator_database.main([folder, "--operators", OPERATORS, "--passes", "3"])
        self.assertEqual(status, 0, printed.getvalue())
        self.assertRegex(printed.getvalue(), "[23][0-9] programs of 12 operators")


if __name__ == "__main__":
    unittest.main()
