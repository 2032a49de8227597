"""torch loads and runs what `pt2 convert --plain-tree` writes in a process that knows none of the classes of inputs and outputs.

Another process, plain_tree_models.py, has them. Here the programs as they were saved are refused, and those that are plain give what the
model gave, by dicts and tuples.

Needs torch. PT2_BINARY names the pt2 command.
"""

import json
import logging
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings
import zipfile

import torch
from torch_slim_test import same

FOLDER = pathlib.Path(__file__).resolve().parent
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
MODELS = ["Everything", "Variadic", "OutputOnly"]
PRINTED = {
    "Everything": """  model  args[0]                     models.Batch     dict of 'x', 'scale'
  model  args[1]                     models.Pair      tuple of 'first', 'second'
  model  kwargs['cache']             models.Cache     dict of 'key_cache', 'value_cache'
  model  result                      models.Output    dict of 'logits', 'pair', 'cache', 'rest'
  model  result['pair']              models.Pair      tuple of 'first', 'second'
  model  result['cache']             models.Cache     dict of 'key_cache', 'value_cache'
  model  result['rest']              models.Nameless  tuple
  model  result['rest'][1]['batch']  models.Batch     dict of 'x', 'scale'
  inner  result                      models.Pair      tuple of 'first', 'second'
""",
    "OutputOnly": """  model  result     models.Pair    tuple of 'first', 'second'
  model  result[1]  models.Output  dict of 'y'
"""}


def program_json(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read(next(name for name in archive.namelist() if name.endswith("models/model.json"))))


class PlainTree(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        subprocess.run([sys.executable, FOLDER / "warm_torch.py", FOLDER / "plain_tree_models.py", cls.folder], check=True)
        cls.done = {name: cls.convert(name) for name in MODELS}

    @classmethod
    def convert(cls, name):
        return subprocess.run([PT2, "convert", cls.folder / f"{name}.pt2", cls.plain(name), "--plain-tree"], check=True,
                              capture_output=True, text=True)

    @classmethod
    def plain(cls, name):
        return cls.folder / f"{name}.plain.pt2"

    def expected(self, name):
        values = torch.load(self.folder / f"{name}.pt")
        return values["arguments"], values["keywords"], values["result"]

    def test_torch_loads_and_runs_it_without_the_classes(self):
        for name in MODELS:
            with self.subTest(name):
                with self.assertRaises(Exception):
                    torch.export.load(self.folder / f"{name}.pt2")
                arguments, keywords, result = self.expected(name)
                program = torch.export.load(self.plain(name))
                self.assertTrue(same(program.module()(*arguments, **keywords), result))
                self.assertEqual(program.example_inputs is None, name != "OutputOnly")

    def test_torch_writes_the_same_trees_again(self):
        for name in MODELS:
            with self.subTest(name):
                again = self.folder / "again.pt2"
                torch.export.save(torch.export.load(self.plain(name)), again)
                ours, theirs = (program_json(path)["graph_module"] for path in (self.plain(name), again))
                self.assertEqual(ours["module_call_graph"], theirs["module_call_graph"])
                self.assertEqual(ours["treespec_namedtuple_fields"], theirs["treespec_namedtuple_fields"])

    def test_a_dict_in_another_order_gives_the_same_or_is_refused(self):
        arguments, keywords, result = self.expected("Everything")
        module = torch.export.load(self.plain("Everything")).module()
        arguments = (dict(reversed(arguments[0].items())), *arguments[1:])
        try:
            self.assertTrue(same(module(*arguments, **keywords), result))
        except RuntimeError as error:
            self.assertIn("Unexpected number of dimensions in input at *args[0]['scale']", str(error))

    def test_guards_hold_for_the_plain_inputs(self):
        arguments, keywords, result = self.expected("Everything")
        program = torch.export.load(self.plain("Everything"))
        self.assertIn("L['batch']['x'].size()[0]", str(program._guards_code))
        program.example_inputs = (arguments, keywords)
        module = program.module()
        self.assertTrue(same(module(*arguments, **keywords), result))
        odd = ({**arguments[0], "x": torch.randn(5, 4)}, *arguments[1:])
        with self.assertRaisesRegex(AssertionError, r"Guard failed: .*\['x'\]\.size\(\)\[0\]"):
            module(*odd, **keywords)

    def test_dicts_that_torch_cannot_call_become_tuples(self):
        class Model(torch.nn.Module):
            def forward(self, edges):
                return {("sum", 1): edges[("user", "item")] + edges[("item", "user")], ("same", 2): edges[("user", "item")]}

        a, b = torch.randn(3), torch.randn(3)
        path, plain = self.folder / "edges.pt2", self.folder / "edges.plain.pt2"
        torch.export.save(torch.export.export(Model(), ({("user", "item"): a, ("item", "user"): b},)), path)
        with self.assertRaises(TypeError):
            torch.export.load(path).module()({("user", "item"): a, ("item", "user"): b})
        done = subprocess.run([PT2, "convert", path, plain, "--plain-tree"], check=True, capture_output=True, text=True)
        self.assertEqual([[part.strip() for part in line.split("  ")[1:3]] for line in done.stdout.splitlines()], [["model", "args[0]"], ["model", "result"]])
        self.assertIn("builtins.dict  tuple of ['user', 'item'], ['item', 'user']\n", done.stdout)
        self.assertTrue(same(torch.export.load(plain).module()((a, b)), (a + b, a)))

    def test_modules_whose_calls_are_kept_are_plain_too(self):
        arguments, keywords, result = self.expected("Everything")
        module = torch.export.unflatten(torch.export.load(self.plain("Everything")))
        self.assertTrue(same(module(*arguments, **keywords), result))
        self.assertIs(type(module.inner(torch.randn(2, 4))), tuple)

    def test_what_was_which_class_is_printed(self):
        for name, printed in PRINTED.items():
            self.assertEqual(self.done[name].stdout, printed)
            note = "note: sample inputs were dropped, because they contain what was replaced\n" if name != "OutputOnly" else ""
            self.assertEqual(self.done[name].stderr, f"{self.folder}/{name}.pt2: {note}" if note else "")

    def test_an_older_torch_gets_it_by_downgrade(self):
        older = self.folder / "older.pt2"
        subprocess.run([PT2, "downgrade", self.plain("Everything"), "-o", older, "--to", "torch-2.8"], check=True, capture_output=True)
        arguments, keywords, result = self.expected("Everything")
        self.assertTrue(same(torch.export.load(older).module()(*arguments, **keywords), result))


if __name__ == "__main__":
    unittest.main()
