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
import torch
import torch.utils._pytree as pytree
from program_json import cut, names_in, user_values

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

PT2 = os.environ["PT2_BINARY"]
CUTS = int(os.environ.get("PT2_CUTS", "2"))
REFUSALS = re.compile("cannot extract: the (input|output) '.*' is a symbolic (bool|float)")


class TorchRunsParts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        cls.operators = cut_models.register_operators()

    def extracted(self, source, target, inputs, outputs):
        """Why the part is refused; None: it is written."""
        given = ["--inputs", ",".join(inputs)] if inputs else []
        process = subprocess.run([PT2, "extract", source, "-o", target, *given, "--outputs", ",".join(outputs)],
                                 capture_output=True, text=True)
        if process.returncode:
            self.assertEqual(process.returncode, 2, process.stderr)
            self.assertRegex(process.stderr, REFUSALS)
            return process.stderr
        check = subprocess.run([PT2, "validate", target], capture_output=True, text=True)
        self.assertEqual(check.returncode, 0, check.stdout)
        return None

    def results(self, whole, call):
        torch.manual_seed(0)
        return pytree.tree_leaves(whole.module()(*copy.deepcopy(call)))

    def run_parts(self, source, borders, users_in, call):
        """The values behind the last border. torch loads the parts anew, as running them changes their buffers."""
        values = dict(zip(users_in, pytree.tree_leaves(copy.deepcopy(call))))
        torch.manual_seed(0)
        for i, (inputs, outputs) in enumerate(zip(borders, borders[1:])):
            module = torch.export.load(source.with_suffix(f".{i}.pt2")).module()
            values = dict(zip(outputs, pytree.tree_leaves(module(*(values[name] for name in inputs)))))
        return values

    def check_cut(self, source, program, call, places):
        """Cuts before the nodes at `places`; whether the parts were written."""
        graph, signature = program["graph_module"]["graph"], program["graph_module"]["signature"]
        users_in = user_values(signature["input_specs"], {"user_input"})
        users_out = user_values(signature["output_specs"], {"user_output"})
        model_values = set(names_in(graph["inputs"])) - set(users_in)
        borders = [users_in, *(cut(graph, model_values, at) for at in places), list(dict.fromkeys(users_out))]
        for i, (inputs, outputs) in enumerate(zip(borders, borders[1:])):
            if self.extracted(source, source.with_suffix(f".{i}.pt2"), inputs, outputs):
                return False
        expected = self.results(torch.export.load(source), call)
        given = self.run_parts(source, borders, users_in, call)
        torch.testing.assert_close([given[name] for name in users_out], expected, rtol=0, atol=0, equal_nan=True)
        return True

    def test_parts_run_one_after_the_other_to_the_outputs_of_the_whole(self):
        chance = random.Random(random_seed.SEED)
        torch.manual_seed(random_seed.SEED)
        done = refused = 0
        with tempfile.TemporaryDirectory() as folder:
            for name, model, shapes, calls in cut_models.models():
                source = pathlib.Path(folder) / f"{name}.pt2"
                torch.export.save(torch.export.export(model, copy.deepcopy(calls[0]), dynamic_shapes=shapes), source)
                program = json.loads(subprocess.run([PT2, "convert", source, "-"], check=True, capture_output=True).stdout)
                count = len(program["graph_module"]["graph"]["nodes"])
                for _ in range(CUTS):
                    places = sorted(chance.sample(range(1, count), chance.randrange(1, 3)))
                    call = chance.randrange(len(calls))
                    with self.subTest(name, places=places, call=call):
                        is_done = self.check_cut(source, program, calls[call], places)
                        done += is_done
                        refused += not is_done
        print(f"{done} cuts run, {refused} refused")
        self.assertGreater(done, 8 * CUTS)


if __name__ == "__main__":
    unittest.main()
