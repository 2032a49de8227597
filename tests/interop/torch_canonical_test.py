"""Canonical forms against torch 2.13.0.

The form torch must be what torch's own canonicalize gives, to the byte, for every 8.x fixture and for programs that were
edited at random, and fail where that fails. Programs in each form must be loaded by torch and compute what the original
computes. What pt2 takes for pure must be pure by the schemas and tags of torch's operators.

Needs torch. PT2_BINARY names the pt2 command; PT2_TEST_SEED, which is printed, sets the random edits.
"""

import copy
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

import torch
import torch._export.serde.schema as schema
import torch._export.serde.serialize as serialize

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

PROGRAMS = pathlib.Path(__file__).parent.parent / "data" / "programs"
RELEASES = ["2.6.0", "2.8.0", "2.12.1", "2.13.0", "2.14.0", "2.15.0"]
FORMS = ["torch", "names", "normal"]
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")

# For reasons outside the text.
TORCH_CANNOT = {
    ("2.6.0", "cond"),  # before about 8.4, higher-order nodes have no is_hop_single_tensor_return
    ("*", "lifted_constants"),  # outputs that are strings
    ("*", "joint"),  # module() cannot handle a joint graph's outputs
}


def register_custom_operator():
    """Registers the operator of the custom_op fixture, close enough to compare two runs."""

    def scale(x, a, *, dims, mode):
        return x * a, [x.clone(), x + len(dims)]

    torch.library.define("fxlib::scale", "(Tensor x, float a, *, int[] dims, str mode) -> (Tensor, Tensor[])")
    torch.library.impl("fxlib::scale", "CompositeExplicitAutograd", scale)


def canonicalized(text: bytes, form: str):
    """Runs pt2 canonicalize; returns (exit code, output, message)."""
    result = subprocess.run([PT2, "canonicalize", "-", "--form", form, "-o", "-"], input=text, capture_output=True)
    return result.returncode, result.stdout, result.stderr.decode()


def torch_canonicalized(text: bytes):
    """Returns torch's result for the text; None if it raises."""
    program = serialize._dict_to_dataclass(schema.ExportedProgram, json.loads(text))
    try:
        return serialize._to_json_bytes(serialize.canonicalize(program))
    except Exception:  # noqa: BLE001
        return None


def program_files(release: str):
    names = (PROGRAMS / f"torch-{release}").glob("*.json")
    return sorted(path for path in names if path.name != "about.json" and path.suffixes == [".json"])


class FormTorch(unittest.TestCase):
    def check(self, text: bytes):
        """Whether torch has a form for the text."""
        expected = torch_canonicalized(text)
        code, output, message = canonicalized(text, "torch")
        self.assertEqual(code, 3 if expected is None else 0, message)
        self.assertEqual(output, expected or b"")
        return expected is not None

    def test_gives_the_bytes_that_torch_gives_of_every_fixture(self):
        for release in RELEASES:
            for path in program_files(release):
                with self.subTest(path=path):
                    head = path.with_suffix(".head.json")
                    self.assertTrue(self.check((head if head.exists() else path).read_bytes()))

    def test_gives_and_refuses_what_torch_gives_and_refuses_of_edited_programs(self):
        rng = random.Random(random_seed.SEED)
        files = [path for path in program_files("2.13.0") if path.stem != "gpt2"]
        given = 0
        for _ in range(200):
            document = json.loads(rng.choice(files).read_text())
            edits = [rng.choice(EDITS) for _ in range(rng.randint(1, 3))]
            for edit in edits:
                edit(document, rng)
            with self.subTest(edits=[edit.__name__ for edit in edits]):
                given += self.check(json.dumps(document).encode())
        self.assertGreater(given, 50)



def values(document):
    """Returns the objects in a document whose `name` or `as_name` names a value, in all graphs."""
    found = []

    def visit(value):
        if isinstance(value, dict):
            for key, item in value.items():
                if key in ("as_name", "user_input_name") or (key == "name" and set(value) <= {"name", "class_fqn"}):
                    found.append((value, key))
                visit(item)
        elif isinstance(value, list):
            for item in value:
                visit(item)

    visit(document["graph_module"])
    return found


def rename_like_torch(document, rng):
    """Gives values the names that torch gives too, in a different order."""
    graph = document["graph_module"]["graph"]
    numbers = list(range(len(graph["tensor_values"])))
    rng.shuffle(numbers)
    new = {name: f"_{number}" for name, number in zip(graph["tensor_values"], numbers)}
    for holder, key in values(document):
        holder[key] = new.get(holder[key], holder[key])
    graph["tensor_values"] = {new[name]: meta for name, meta in graph["tensor_values"].items()}


def shuffle_nodes(document, rng):
    rng.shuffle(document["graph_module"]["graph"]["nodes"])


def repeat_node(document, rng):
    nodes = document["graph_module"]["graph"]["nodes"]
    if nodes:
        nodes.append(copy.deepcopy(rng.choice(nodes)))


def change_name(document, rng):
    found = values(document)
    if found:
        holder, key = rng.choice(found)
        other, other_key = rng.choice(found)
        holder[key] = rng.choice([other[other_key], "nothing", ""])


def drop_entry(document, rng):
    table = document["graph_module"]["graph"]["tensor_values"]
    if table:
        del table[rng.choice(list(table))]


def shuffle_inputs(document, rng):
    module = document["graph_module"]
    pairs = list(zip(module["graph"]["inputs"], module["signature"]["input_specs"]))
    rng.shuffle(pairs)
    module["graph"]["inputs"] = [argument for argument, _ in pairs]
    module["signature"]["input_specs"] = [spec for _, spec in pairs]


def drop_output(document, rng):
    module = document["graph_module"]
    if module["graph"]["outputs"]:
        at = rng.randrange(len(module["graph"]["outputs"]))
        del module["graph"]["outputs"][at]
        if rng.random() < 0.8:
            del module["signature"]["output_specs"][at]


def change_argument(document, rng):
    nodes = [node for node in document["graph_module"]["graph"]["nodes"] if node["inputs"]]
    if nodes:
        named = rng.choice(rng.choice(nodes)["inputs"])
        named["arg"] = rng.choice([
            {"as_int": 7},
            {"as_optional_tensor": {"as_none": True}},
            {"as_string_to_argument": {"k": named["arg"]}},
            {"as_optional_tensors": [{"as_none": True}]},
            {"as_nested_tensors": [[named["arg"]["as_tensor"]]] if "as_tensor" in named["arg"] else []},
            {"as_tensors": []},
            {"as_sym_ints": [{"as_int": 2}]},
        ])


def sort_other_things(document, rng):
    document["guards_code"] = [f"guard_{rng.randint(0, 99)}" for _ in range(3)]
    document["opset_version"] = {name: 1 for name in ("b", "ü", "\U0001f600", "\ufb01", "A")}
    document["range_constraints"] = {f"s{rng.randint(0, 99)}": {"min_val": 0, "max_val": None} for _ in range(3)}
    document["graph_module"]["module_call_graph"] += [{"fqn": name, "signature": None} for name in ("b", "a.b", "b")]


EDITS = [rename_like_torch, shuffle_nodes, repeat_node, change_name, drop_entry, shuffle_inputs, drop_output,
         change_argument, sort_other_things]



def outputs(path: pathlib.Path):
    """Returns the outputs of a loaded program for its example inputs, or the name of the error that torch raises."""
    try:
        program = torch.export.load(path)
        arguments, keywords = program.example_inputs
        torch.manual_seed(0)
        return program.module()(*arguments, **keywords)
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"


class TorchLoads(unittest.TestCase):
    def check(self, release: str, source: pathlib.Path):
        expected = outputs(source)
        known = {(release, source.stem), ("*", source.stem)} & TORCH_CANNOT
        self.assertEqual(isinstance(expected, str), bool(known), f"torch on its own file: {expected}")
        for form in FORMS:
            with self.subTest(form=form), tempfile.TemporaryDirectory() as folder:
                target = pathlib.Path(folder) / source.name
                subprocess.run([PT2, "canonicalize", source, "--form", form, "-o", target], check=True)
                ours = outputs(target)
                if known:
                    self.assertIsInstance(ours, str)
                else:
                    self.assertNotIsInstance(ours, str, f"torch on our file: {ours}")
                    torch.testing.assert_close(ours, expected, rtol=0, atol=0, equal_nan=True)


def add_load_tests():
    for release in ["2.6.0", "2.8.0", "2.13.0"]:
        sources = sorted((PROGRAMS / f"torch-{release}").glob("*.pt2"))
        assert sources, f"no fixtures of torch {release}"
        for source in sources:
            name = f"test_{source.stem}_of_torch_{release.replace('.', '_')}_computes_the_same_in_each_form"
            setattr(TorchLoads, name, lambda self, r=release, s=source: self.check(r, s))


add_load_tests()



def operators():
    """(target, schema, tags) of the operators in aten and prims that torch dispatches."""
    dispatched = set(torch._C._dispatch_get_all_op_names())
    for operator in torch._C._jit_get_all_schemas():
        space, base = operator.name.split("::")
        full_name = operator.name + ("." + operator.overload_name if operator.overload_name else "")
        # prims::as_strided declares a write to its input, but only returns a view.
        if space in ("aten", "prims") and full_name in dispatched - {"prims::as_strided"}:
            overload = operator.overload_name or "default"
            tags = getattr(getattr(getattr(torch.ops, space), base), overload).tags
            yield f"torch.ops.{space}.{base}.{overload}", operator, tags


def has_effects(operator, tags):
    return operator.is_mutable or torch.Tag.nondeterministic_seeded in tags


def tensor(name: str):
    return {"as_tensor": {"name": name}}


def node(target: str, inputs=(), outputs=()):
    return {"target": target, "inputs": list(inputs), "outputs": list(outputs), "metadata": {},
            "is_hop_single_tensor_return": None, "name": None}


def call_with(target: str, operator, index: int, value: str):
    """A node whose argument `index` is `value`, and those before it None."""
    inputs = [{"name": argument.name, "arg": tensor(value) if i == index else {"as_none": True},
               "kind": 2 if argument.kwarg_only else 1}
              for i, argument in enumerate(operator.arguments[:index + 1])]
    return node(target, inputs)


def read(target: str, value: str, result: str):
    return node(f"torch.ops.aten.{target}.default", [{"name": "self", "arg": tensor(value), "kind": 1}], [tensor(result)])


class Effects(unittest.TestCase):
    def ordered(self, nodes, inputs=(), outputs=()):
        """The nodes in the order of the form normal, as indices."""
        document = json.loads((PROGRAMS / "torch-2.13.0" / "no_inputs.json").read_text())
        document["graph_module"]["graph"].update(
            inputs=[tensor(name) for name in inputs], outputs=[tensor(name) for name in outputs], tensor_values={},
            nodes=[{**item, "metadata": {"custom": str(i)}} for i, item in enumerate(nodes)])
        document["graph_module"]["signature"].update(
            input_specs=[{"user_input": {"arg": tensor(name)}} for name in inputs],
            output_specs=[{"user_output": {"arg": tensor(name)}} for name in outputs])
        code, output, message = canonicalized(json.dumps(document).encode(), "normal")
        self.assertEqual(code, 0, message)
        return [int(item["metadata"]["custom"]) for item in json.loads(output)["graph_module"]["graph"]["nodes"]]

    def test_nodes_of_operators_that_change_or_draw_something_stay_in_order(self):
        known = list(operators())
        self.assertGreater(len(known), 2000)
        random.Random(random_seed.SEED).shuffle(known)
        effects = {i for i, (_, operator, tags) in enumerate(known) if has_effects(operator, tags)}
        order = self.ordered([node(target) for target, _, _ in known])
        self.assertEqual([known[i][0] for i in order if i in effects], [known[i][0] for i in sorted(effects)])

    def test_few_operators_that_are_pure_are_kept_in_order(self):
        pure = [target for target, operator, tags in operators() if not has_effects(operator, tags)]
        # Unused pure nodes are ordered by content alone.
        order = [pure[i] for i in self.ordered([node(target) for target in pure])]
        other_order = [pure[-1 - i] for i in self.ordered([node(target) for target in reversed(pure)])]
        moved = sum(a != b for a, b in zip(order, other_order))
        self.assertLess(moved, 60)

    def test_a_node_that_reads_stays_on_its_side_of_one_that_writes(self):
        nodes, inputs, outputs, calls = [], [], [], []
        for target, operator, _ in operators():
            for index, argument in enumerate(operator.arguments):
                if argument.alias_info is not None and argument.alias_info.is_write:
                    value = f"x{len(inputs)}"
                    calls.append((len(nodes) + 1, f"{target}({argument.name})"))
                    nodes += [read("sin", value, f"before_{value}"), call_with(target, operator, index, value),
                              read("cos", value, f"after_{value}")]
                    inputs.append(value)
                    outputs += [f"after_{value}", f"before_{value}"]
        self.assertGreater(len(calls), 500)
        place = {old: new for new, old in enumerate(self.ordered(nodes, inputs, outputs))}
        self.assertEqual([], [name for at, name in calls if not place[at - 1] < place[at] < place[at + 1]])

    def test_a_view_is_the_value_that_it_shows(self):
        """For each operator that returns views: writes to the view, and reads its base before and after."""
        nodes, inputs, outputs, calls = [], [], [], []
        for target, operator, tags in operators():
            views = [i for i, argument in enumerate(operator.arguments) if argument.alias_info is not None]
            if not views or has_effects(operator, tags) or not any(r.alias_info for r in operator.returns):
                continue
            value = f"x{len(inputs)}"
            view = call_with(target, operator, views[0], value)
            view["outputs"] = [tensor(f"view_{value}")]
            calls.append((len(nodes) + 2, target))
            nodes += [view, read("sin", value, f"before_{value}"),
                      node("torch.ops.aten.zero_.default", [{"name": "self", "arg": tensor(f"view_{value}"), "kind": 1}]),
                      read("cos", value, f"after_{value}")]
            inputs.append(value)
            outputs += [f"after_{value}", f"before_{value}"]
        self.assertGreater(len(calls), 80)
        place = {old: new for new, old in enumerate(self.ordered(nodes, inputs, outputs))}
        self.assertEqual([], [name for at, name in calls if not place[at - 1] < place[at] < place[at + 1]])


def setUpModule():
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    register_custom_operator()


if __name__ == "__main__":
    unittest.main()
