#!/usr/bin/env python3
"""What runs in torch of a program is found by `pt2 validate`.

A small program is changed in one place so that loading it, making a module of it, unflattening it or calling it opens a file, a
library or a module whose name is MARKER; Python tells an audit hook, and nothing of that name exists. Each change has to fire, and to
be found by the rule that it belongs to; the program as it was does neither.

Needs torch. PT2_BINARY names pt2.
"""

import contextlib
import io
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

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
OPEN = "open('MARKER','rb')"
REACH = f"__import__('builtins').{OPEN}"
LIBRARY = "torch.ctypes.cdll.MARKER"

fired = []


def note(event, arguments):
    """Returns the audit events of Python that only a change can cause."""
    if event in ("open", "ctypes.dlopen") and "MARKER" in str(arguments[0]):
        fired.append(event)


class Finder:
    """Python asks this for a module first."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "MARKER":
            fired.append(name)


sys.addaudithook(note)
sys.meta_path.insert(0, Finder)


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x):
        return self.linear(x)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, x, mode, *, k, unused):
        return torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (self.inner(x),)) + k


ARGUMENTS = ((torch.ones(2, 3), "mean"), {"k": torch.ones(3), "unused": torch.ones(1)})


def exported():
    """Returns the records of a PT2 archive, and which of them is the program."""
    file = io.BytesIO()
    shapes = {"x": {0: torch.export.Dim("n", min=2, max=9)}, "mode": None, "k": None, "unused": None}
    torch.export.save(torch.export.export(Model(), *ARGUMENTS, dynamic_shapes=shapes, strict=False), file)
    with zipfile.ZipFile(file) as archive:
        records = {name: archive.read(name) for name in archive.namelist()}
    (name,) = [name for name in records if name.endswith("models/model.json")]
    return records, name


RECORDS, PROGRAM = exported()


def archive_of(records):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, record in records.items():
            archive.writestr(name, record)
    return file.getvalue()


def run(archive):
    """Whether something fires where torch loads, unflattens and calls the program."""
    fired.clear()
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            program = torch.export.load(io.BytesIO(archive))
            for make in (torch.export.unflatten, lambda each: each.module()):
                with contextlib.suppress(Exception):
                    module = make(program)
                    module(*ARGUMENTS[0], **ARGUMENTS[1])
        except Exception:
            pass
    return bool(fired)


def rules(archive):
    """Returns the code rules among its findings."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.pt2"
        path.write_bytes(archive)
        answer = subprocess.run([PT2, "validate", "--json", path], capture_output=True, text=True, check=False)
    (file,) = json.loads(answer.stdout)
    return {finding["rule"] for finding in file["findings"] if finding["rule"].endswith("_CODE")}


def changed(change):
    """The archive with a change of the program; `change` gets its graph_module and all of it."""
    program = json.loads(RECORDS[PROGRAM])
    change(program["graph_module"], program)
    return archive_of({**RECORDS, PROGRAM: json.dumps(program)})


def renamed(old, new):
    """The archive with another name in all of its JSON."""
    rename = lambda text: text.replace(json.dumps(old).encode(), json.dumps(new).encode())
    return archive_of({name: rename(record) if name.endswith(".json") else record for name, record in RECORDS.items()})


def an_expression(module):
    (symbol,) = [meta["sizes"][0] for name, meta in module["graph"]["tensor_values"].items() if name == "x"]
    return symbol["as_expr"]


def root(module):
    return module["module_call_graph"][0]["signature"]


def spec_of(type_name, context):
    leaf = {"type": None, "context": None, "children_spec": []}
    return json.dumps([1, {"type": type_name, "context": context, "children_spec": [leaf]}])


def an_enum(name):
    return json.dumps([{"__enum__": True, "fqn": name, "name": "MARKER"}])


class CodeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        warnings.simplefilter("ignore")
        logging.disable(logging.ERROR)

    def assert_found(self, rule, archive, label):
        with self.subTest(label):
            self.assertTrue(run(archive), "torch runs nothing")
            self.assertEqual({rule}, rules(archive))

    def assert_all_found(self, rule, changes):
        for number, change in enumerate(changes):
            self.assert_found(rule, changed(change), number)

    def test_the_program_itself_runs_nothing_and_nothing_is_found(self):
        archive = changed(lambda module, program: None)
        self.assertFalse(run(archive))
        self.assertEqual(set(), rules(archive))

    def test_names(self):
        self.assert_found("NAME_CODE", renamed("unused", f"unused={OPEN}"), "a placeholder")
        self.assert_found("NAME_CODE", renamed("inner.linear.weight", f'inner.training") if 0 else {OPEN} or ("'), "a parameter")

        def keyword(module, program):
            (node,) = [node for node in module["graph"]["nodes"] if node["target"].endswith("cond")]
            node["inputs"][3]["kind"] = 2
            node["inputs"][3]["name"] = f"x=({OPEN}), operands"

        def forward_names(module, program):
            root(module)["forward_arg_names"].append(f"more={OPEN}")

        self.assert_all_found("NAME_CODE", [keyword, forward_names])

    def test_expressions(self):
        def expression(text):
            return lambda module, program: an_expression(module).update(expr_str=text)

        texts = [
            OPEN,
            "open(file='MARKER', mode='rb')",
            f"Integer.__init_subclass__.__self__.__new__.__globals__['__builtins__']['open']('MARKER','rb')",
            f"s77 + ({OPEN} or 1)",
            f"(lambda: {OPEN})()",
            f"[{OPEN}][0]",
            f"Symbol('s0', integer={OPEN})",
            f"sympify(\"{OPEN}\")",
            f"S(\"{OPEN}\")",
            f"parse_expr(\"{OPEN}\")",
            f"Integer({REACH})",
        ]
        self.assert_all_found("EXPRESSION_CODE", [expression(text) for text in texts])

    def test_guards(self):
        def guard(text):
            return lambda module, program: program.update(guards_code=[text])

        texts = [
            OPEN,
            f"L['x'].size()[0] == {OPEN}",
            f"L['x'].size()[0] == 2 if {OPEN} else 1",
            f"args[{OPEN}] == 1",
            "torch.os.open('MARKER', 0)",
            "torch.load.__globals__['__builtins__']['open']('MARKER','rb')",
        ]

        def string(module, program):
            text = f"sum' or {OPEN} or '"
            position = [i for i, value in enumerate(module["graph"]["inputs"]) if "as_string" in value][0]
            module["graph"]["inputs"][position]["as_string"] = text

        self.assert_all_found("GUARD_CODE", [*map(guard, texts), string])

    def test_treespecs(self):
        def out_spec(text):
            return lambda module, program: root(module).update(out_spec=text)

        texts = [
            spec_of("builtins.dict", an_enum("ctypes:cdll")),
            spec_of("builtins.dict", an_enum("MARKER:Colour")),
            spec_of("builtins.list", json.dumps({"a": [{"__enum__": 0, "fqn": "MARKER:x", "name": 1}]})),
            spec_of(
                "collections.defaultdict",
                {"default_factory_module": "MARKER", "default_factory_name": "list", "dict_context": ["a"]},
            ),
        ]
        self.assert_all_found("TREESPEC_CODE", [out_spec(text) for text in texts])

    def test_targets(self):
        def target(module, program):
            module["graph"]["nodes"][0]["target"] = LIBRARY

        def operator(module, program):
            module["graph"]["nodes"][0]["inputs"][0]["arg"] = {"as_operator": LIBRARY}

        def source(text):
            return lambda module, program: module["graph"]["nodes"][0]["metadata"].update(source_fn_stack=text)

        def in_signature(module, program):
            root(module)["inputs"] = [{"as_operator": LIBRARY}]

        self.assert_all_found(
            "TARGET_CODE",
            [
                target,
                operator,
                in_signature,
                source(f"a,{LIBRARY}"),
                source(f"a,torch.nn.Linear;b,{LIBRARY};c"),
                source("a,torchvision.ctypes.cdll.MARKER"),
            ],
        )

    def test_formats_that_are_printed(self):
        def printed(module, program):
            (node,) = [node for node in module["graph"]["nodes"] if node["target"].endswith("cond")]
            graph = module["graph"]
            weight = {"as_tensor": {"name": "x"}}
            text = "{0.__class__.__torch_function__.__globals__[torch].ctypes.cdll.MARKER}"
            kind = {"kind": 1}
            graph["nodes"].insert(
                0,
                {
                    "target": "torch.ops.higher_order.print",
                    "inputs": [
                        {"name": "", "arg": {"as_string": text}, **kind},
                        {"name": "", "arg": weight, **kind},
                    ],
                    "outputs": [{"as_none": True}],
                    "metadata": {},
                    "is_hop_single_tensor_return": None,
                },
            )

        self.assert_all_found("TARGET_CODE", [printed])


if __name__ == "__main__":
    unittest.main()
