"""Models cut into parts at random places: torch runs the parts, one after the other, to the outputs of the whole, with the sizes
that they were exported with or with others; or pt2 refuses a part, and says why. No part that is written fails pt2 validate.

Needs torch. PT2_BINARY names the pt2 command. PT2_CUTS is how many times each model is cut.
"""

import copy
import json
import logging
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import cut_models
import parts
import torch
import torch.utils._pytree as pytree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

PT2 = os.environ["PT2_BINARY"]
CUTS = int(os.environ.get("PT2_CUTS", "2"))
REFUSALS = re.compile("cannot extract: the (input|output) '.*' is a symbolic (bool|float)")


def pt2(*arguments):
    return subprocess.run([PT2, *arguments], capture_output=True, text=True)


class TorchRunsParts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        cls.operators = cut_models.register_operators()

    def test_parts_run_one_after_the_other_to_the_outputs_of_the_whole(self):
        chance = random.Random(random_seed.SEED)
        torch.manual_seed(random_seed.SEED)
        done = refused = 0
        with tempfile.TemporaryDirectory() as folder:
            for name, model, shapes, calls in cut_models.models():
                source = pathlib.Path(folder) / f"{name}.pt2"
                torch.export.save(torch.export.export(model, copy.deepcopy(calls[0]), dynamic_shapes=shapes), source)
                program = json.loads(pt2("convert", source, "-").stdout)
                expected = [parts.results(torch.export.load(source), call) for call in calls]
                count = len(program["graph_module"]["graph"]["nodes"])
                for _ in range(CUTS):
                    places = sorted(chance.sample(range(1, count), chance.randrange(1, 3)))
                    call = chance.randrange(len(calls))
                    with self.subTest(name, places=places, call=call):
                        refusal = parts.check_cut(pt2, source, program, places, pytree.tree_leaves(calls[call]), expected[call])
                        done += refusal is None
                        refused += refusal is not None
                        if refusal:
                            self.assertRegex(refusal, REFUSALS)
        print(f"{done} cuts run, {refused} refused")
        self.assertGreater(done, 8 * CUTS)


if __name__ == "__main__":
    unittest.main()
