"""pt2.torch.load() gives in each release of torch what torch.export.load() of that release gives, and logs what built it.

The torch that runs this is the release that is tested. CI runs 2.13; run others by hand, with their own Python:

    PT2_PYTHON_PACKAGE=build/bindings/python PYTHONPATH=FOLDER_OF_NANOBIND_BACKEND python tests/bindings/python_torch_releases_test.py

Prints how many programs each way of building them got.
"""

import collections
import logging
import os
import pathlib
import sys
import unittest
import warnings

import torch
from torch.utils import _pytree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python")))

import pt2.torch  # noqa: E402

PROGRAMS = ROOT / "tests" / "data" / "programs"
BUILT_BY_US = torch.__version__.startswith("2.13.")


def number(release):
    return tuple(int(part) for part in release.split("+")[0].split(".")[:2])


def described(program):
    """Describes nodes with their types, the signature, ranges and state."""
    nodes = [(node.op, node.name, str(node.target), str(node.args), str(node.kwargs), str(node.meta.get("val"))) for node in program.graph.nodes]
    state = {name: (tensor.dtype, tuple(tensor.shape), tensor.stride(), tensor.flatten().tolist()) for name, tensor in program.state_dict.items()}
    return {"nodes": nodes, "signature": str(program.graph_signature), "ranges": str(program.range_constraints), "state": str(state),
            "calls": str(program.module_call_graph)}  # fmt: skip


def outputs(program):
    """Returns the outputs for the example inputs, or the error: a joint graph cannot be called, and some releases fail on effects."""
    torch.manual_seed(0)
    arguments, keywords = program.example_inputs
    try:
        return str(_pytree.tree_leaves(program.module()(*arguments, **keywords)))
    except (AssertionError, ValueError) as error:
        return repr(error)


class ReleasesTest(unittest.TestCase):
    def setUp(self):
        logging.getLogger("torch").setLevel(logging.ERROR)
        warnings.simplefilter("ignore")

    def load(self, path):
        """Returns the program, and the log message that says what built it."""
        with self.assertLogs("pt2.torch", logging.DEBUG) as log:
            program = pt2.torch.load(path)
        return program, log.records[-1].getMessage()

    def test_programs_are_those_of_torch_export_load_and_run_alike(self):
        built = collections.Counter()
        for folder in sorted(PROGRAMS.glob("torch-2.*")):
            if number(folder.name.removeprefix("torch-")) > number(torch.__version__):
                continue
            for path in sorted(folder.glob("*.pt2")):
                try:
                    theirs = torch.export.load(path)
                except Exception:  # noqa: BLE001  another release, or an operator that only some test has
                    continue
                with self.subTest(f"{folder.name}/{path.stem}"):
                    ours, message = self.load(path)
                    built[message] += 1
                    self.assertEqual(described(ours), described(theirs))
                    if theirs.example_inputs and ours.example_inputs:
                        self.assertEqual(outputs(ours), outputs(theirs))
        print(f"torch {torch.__version__}:", *(f"{count} programs: {message};" for message, count in built.items()))
        way = "pt2 built the program" if BUILT_BY_US else f"torch's deserializer builds the program: torch {torch.__version__}"
        self.assertEqual(list(built), [way])
        self.assertGreater(built[way], 10)


if __name__ == "__main__":
    unittest.main()
