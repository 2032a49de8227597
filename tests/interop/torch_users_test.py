"""Who uses a value is what torch's graphs say, of every fixture that torch loads and of random programs, in subgraphs too.

A node with several results has a getitem for each of them in torch's graph, so nodes are compared by their results' names.

Needs torch. INDEX_DUMP names the program of index_dump.cpp.
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

import programs
import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

RELEASES = ["2.8.0", "2.12.1", "2.13.0", "2.14.0"]
TORCH_CANNOT_LOAD = {"lifted_constants"}  # string outputs
INDEX_DUMP = os.environ["INDEX_DUMP"]


def results(node, values):
    """The names of the values that a node of torch's graph gives, by itself or through getitem."""
    if node.name in values:
        return [node.name]
    return sorted(name for user in node.users if is_getitem(user) for name in results(user, values))


def is_getitem(node):
    return node.op == "call_function" and getattr(node.target, "__name__", "") == "getitem"


def users_by_torch(graph, values):
    """{value: sorted results of each user; None for the output}."""
    table = {}
    for node in graph.nodes:
        if node.name in values and node.op in ("placeholder", "call_function"):
            users = [None if user.op == "output" else results(user, values) for user in node.users]
            table[node.name] = sorted(users, key=str)
    return table


class Users(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        programs.register_custom_operator()

    def check(self, source):
        ours = json.loads(subprocess.run([INDEX_DUMP, source], check=True, capture_output=True).stdout)
        modules = {"": torch.export.load(source).graph_module}
        for path in ours:
            if path:
                parent, name = path.rsplit("/", 1)
                modules[path] = getattr(modules[parent], name)
        compared = 0
        for path, values in ours.items():
            theirs = users_by_torch(modules[path].graph, values)
            for value, users in values.items():
                mine = sorted((user and sorted(user) for user in users), key=str)
                if value in theirs:
                    self.assertEqual(mine, theirs[value], f"{source.name}{path}: {value}")
                    compared += 1
        return compared

    def test_all_fixtures(self):
        compared = 0
        for source in programs.files(*RELEASES, without=TORCH_CANNOT_LOAD):
            with self.subTest(source=source):
                compared += self.check(source)
        self.assertGreater(compared, 500)

    def test_random_programs(self):
        chance = random.Random(random_seed.SEED)
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "random.pt2"
            for _ in range(5):
                torch.export.save(programs.random_program(chance), source)
                self.assertGreater(self.check(source), 5, f"seed {random_seed.SEED}")


if __name__ == "__main__":
    unittest.main()
