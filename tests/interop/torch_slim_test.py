"""torch loads and runs what `pt2 slim` writes, and what is reproducible is the same whatever order it was written in.

All archives of torch 2.13 to 2.15 without each part, and without all: module() must give what it gives of the original, on the
original's example inputs. Then archives whose records, tables and metadata are shuffled must become the same bytes.

Needs torch. PT2_BINARY names the pt2 command. PT2_TEST_SEED sets the seed of what is random.
"""

import json
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

import torch

from programs import PROGRAMS, files, register_custom_operator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from random_seed import SEED  # noqa: E402

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
PARTS = ["stack-traces", "metadata", "samples", "unused", "names"]
# module() cannot handle a joint graph's outputs, nor string outputs.
CANNOT_RUN = ("joint", "lifted_constants")


def slim(source, out, *options):
    done = subprocess.run([PT2, "slim", source, "-o", out, "--json", *options], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["saved"]


def same(a, b):
    """Whether two results are equal, bit for bit."""
    if isinstance(a, torch.Tensor):
        return a.dtype == b.dtype and torch.equal(torch.nan_to_num(a), torch.nan_to_num(b))
    if isinstance(a, (list, tuple)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and (a == b or a != a)


def result(program, inputs):
    arguments, keywords = inputs
    torch.manual_seed(0)
    return program.module()(*arguments, **keywords)


def shuffled(source, target, chance):
    """The same archive as torch could have written it: other names of files, other orders of what has none."""

    def mixed(table):
        keys = list(table)
        chance.shuffle(keys)
        return {key: table[key] for key in keys}

    def mix_graph(graph):
        for table in [name for name in graph if name.endswith("_values")]:
            graph[table] = mixed(graph[table])
        for node in graph["nodes"]:
            node["metadata"] = mixed(node["metadata"])
            for argument in node["inputs"]:
                if "as_graph" in argument["arg"]:
                    mix_graph(argument["arg"]["as_graph"]["graph"])

    with zipfile.ZipFile(source) as archive:
        members = {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}
    numbers = {}
    for name, data in members.items():
        if name.endswith("_config.json"):
            folder = name.rpartition("/")[0]
            config = json.loads(data)
            tensors = sorted({payload["path_name"] for payload in config["config"].values()})
            others = chance.sample(tensors, len(tensors))
            renamed = dict(zip(tensors, others))
            numbers |= {f"{folder}/{old}": f"{folder}/{new}" for old, new in renamed.items()}
            for payload in config["config"].values():
                payload["path_name"] = renamed[payload["path_name"]]
            members[name] = json.dumps({"config": mixed(config["config"])})
        elif name.startswith("models/"):
            program = json.loads(data)
            mix_graph(program["graph_module"]["graph"])
            for table in ("range_constraints", "opset_version"):
                program[table] = mixed(program[table])
            chance.shuffle(program["guards_code"])
            members[name] = json.dumps(program)
    names = list(members)
    chance.shuffle(names)
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            archive.writestr(f"{target.stem}/{numbers.get(name, name)}", members[name])


class Slim(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        register_custom_operator()

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_torch_runs_what_is_left(self):
        sizes = [0, 0]
        for source in files("2.13.0", "2.14.0", "2.15.0", without=CANNOT_RUN):
            original = torch.export.load(source)
            expected = result(original, original.example_inputs)
            for parts in [[part] for part in PARTS] + [PARTS]:
                with self.subTest(source=source, parts=parts):
                    out = self.folder / "out.pt2"
                    slim(source, out, "--drop", ",".join(parts))
                    program = torch.export.load(out)
                    self.assertEqual(program.example_inputs is None, "samples" in parts)
                    self.assertTrue(same(result(program, original.example_inputs), expected))
            sizes[0] += source.stat().st_size
            sizes[1] += out.stat().st_size
        print(f"{sizes[0]} bytes, without what is not needed {sizes[1]}")

    def test_weights_that_nothing_uses_are_gone_with_their_bytes(self):
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = torch.nn.BatchNorm1d(4)
                self.unused = torch.nn.Parameter(torch.ones(1000))
                self.used = torch.nn.Parameter(torch.ones(4))

            def forward(self, x):
                return self.norm(x) + self.used

        source, out = self.folder / "in.pt2", self.folder / "out.pt2"
        x = torch.randn(3, 4)
        program = torch.export.export(Model().eval(), (x,))
        torch.export.save(program, source)
        saved = slim(source, out, "--drop", "unused")
        self.assertEqual(list(saved), ["unused"])
        self.assertGreater(saved["unused"], 4000)
        # A record has two headers, and padding to a multiple of 64.
        self.assertAlmostEqual(source.stat().st_size - out.stat().st_size, saved["unused"], delta=800)
        loaded = torch.export.load(out)
        self.assertEqual(sorted(loaded.state_dict), ["norm.bias", "norm.running_mean", "norm.running_var", "norm.weight", "used"])
        self.assertTrue(torch.equal(loaded.module()(x), program.module()(x)))

    def test_the_same_content_gives_the_same_bytes(self):
        chance = random.Random(SEED)
        for source in files("2.13.0", "2.15.0"):
            with self.subTest(source=source):
                first, again, other = (self.folder / name for name in ("first.pt2", "again.pt2", "other_name.pt2"))
                slim(source, first, "--reproducible")
                slim(first, again, "--reproducible")
                self.assertEqual(first.read_bytes(), again.read_bytes())
                shuffled(source, other, chance)
                slim(other, again, "--reproducible")
                self.assertEqual(first.read_bytes(), again.read_bytes())
                if source.stem not in CANNOT_RUN:
                    original = torch.export.load(source)
                    self.assertTrue(same(result(torch.export.load(first), original.example_inputs), result(original, original.example_inputs)))


if __name__ == "__main__":
    assert PROGRAMS.is_dir()
    unittest.main()
