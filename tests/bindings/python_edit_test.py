"""pt2.edit() changes programs as the same edit by torch.fx does. The second half needs torch."""

import collections
import contextlib
import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
if "PT2_PYTHON_PACKAGE" in os.environ:
    sys.path.insert(0, os.environ["PT2_PYTHON_PACKAGE"])

import pt2  # noqa: E402

TODAY = ROOT / "tests" / "data" / "programs" / "torch-2.13.0"

try:
    import torch
except ImportError:
    torch = None

def programs():
    """Every program in tests/data that can be read, with its file."""
    for path in sorted((ROOT / "tests" / "data").rglob("*")):
        if path.suffix not in (".json", ".pt2", ".pt2b"):
            continue
        try:
            with pt2.open(path) as file:
                models = file.models or [None]
            for model in models:
                yield path, pt2.load(path, model=model)
        except pt2.DataError:
            continue


def read_all(thing):
    """Reads every public property, and returns the names of those that raise an exception."""
    bad = []
    for name in (each for each in dir(thing) if not each.startswith("_")):
        try:
            getattr(thing, name)
        except Exception as error:
            bad.append(f"{type(thing).__name__}.{name}: {error!r}")
    return bad


class EditTest(unittest.TestCase):
    def setUp(self):
        self.program = pt2.load(TODAY / "mlp.pt2")

    def test_nodes_say_what_they_are(self):
        with pt2.edit(self.program) as g:
            relu = g.node("relu")
            self.assertEqual((relu.op, relu.target, relu.name), ("call_function", "torch.ops.aten.relu.default", "relu"))
            self.assertEqual([node.name for node in relu.inputs], ["linear"])
            self.assertIn(relu, relu.inputs[0].users)
            self.assertEqual(g.node("linear").module, "l1")
            file, line = g.node("linear").source
            self.assertTrue(file.endswith(".py") and line > 0)
            self.assertEqual((g.nodes[0].op, g.nodes[-1].op), ("placeholder", "output"))
            self.assertEqual(list(relu.arguments), ["self"])
            with self.assertRaises(KeyError):
                g.node("absent")

    def test_every_property_of_every_node_can_be_read(self):
        kinds = set()

        def read(path, graph):
            for thing in [graph, *graph.nodes, *(value for node in graph.nodes for value in node.results)]:
                self.assertEqual(read_all(thing), [], path)
                repr(thing)
            for node in graph.nodes:
                kinds.add((node.op, type(node.meta).__name__))
                for subgraph in node.subgraphs.values():
                    read(path, subgraph)

        for path, program in programs():
            block = pt2.edit(program)
            read(path, block.__enter__())
            self.assertEqual(read_all(program) + read_all(pt2.signature(program)), [], path)
        for path in sorted(TODAY.glob("*.pt2")):
            with pt2.open(path) as file:
                self.assertEqual(sum((read_all(file.tensor(name)) for name in file), read_all(file)), [], path)
        calls = {meta for op, meta in kinds if op == "call_function"}
        self.assertEqual(calls, {"TensorMeta", "SymInt", "SymFloat", "SymBool", "NoneType"})

    def test_what_a_node_lacks_is_none_or_empty(self):
        with pt2.edit(self.program) as g:
            for node in (g.nodes[0], g.nodes[-1]):
                self.assertEqual((node.view, node.arguments, node.subgraphs), (None, {}, {}))
            self.assertEqual((g.nodes[-1].meta, g.nodes[-1].results), (None, []))
            with self.assertRaisesRegex(ValueError, "'x' calls nothing"):
                g.node("x").target = "torch.ops.aten.relu.default"

    def test_an_operator_is_replaced(self):
        with pt2.edit(self.program) as g:
            node = g.node("relu")
            users = node.users
            with g.inserting_before(node):
                new = g.call("aten.gelu.default", node.inputs[0], approximate="tanh")
            self.assertEqual(node.replace_all_uses_with(new), users)
            g.erase(node)
            self.assertEqual(new.users, users)
        self.assertEqual(pt2.verify(self.program), [])
        self.assertNotIn("torch.ops.aten.relu.default", [node.target for node in self.program.graph_module.graph.nodes])
        self.assertNotIn("relu", self.program.graph_module.graph.tensor_values)

    def test_outputs_follow_in_the_signature(self):
        with pt2.edit(self.program) as g:
            last = g.nodes[-1].inputs[0]
            self.assertEqual(last.replace_all_uses_with(g.call("aten.relu.default", last)), [g.nodes[-1]])
            self.assertEqual([node.name for node in g.nodes[-1].inputs], ["relu_1"])
        self.assertEqual(pt2.signature(self.program).user_outputs, ["relu_1"])
        self.assertEqual(pt2.verify(self.program), [])

    def test_an_error_leaves_the_program_as_it_was(self):
        before = self.program.to_json()
        with self.assertRaisesRegex(RuntimeError, "stop"), pt2.edit(self.program) as g:
            g.call("aten.relu.default", g.node("linear"))
            raise RuntimeError("stop")
        with self.assertRaisesRegex(pt2.DataError, "NAME_USED_EARLY"), pt2.edit(self.program) as g:
            g.node("linear_1").replace_input_with(g.node("relu"), g.call("aten.relu.default", g.node("relu")))
        with self.assertRaisesRegex(pt2.DataError, "cannot infer the type of 'linear_1'"), pt2.edit(self.program) as g:
            with g.inserting_after(g.node("relu")):
                double = g.call("aten._to_copy.default", g.node("relu"), dtype=pt2.ScalarType.DOUBLE)
            g.node("relu").replace_all_uses_with(double)
        with self.assertRaisesRegex(ValueError, "cannot erase 'relu': it is used by linear_1"), pt2.edit(self.program) as g:
            g.erase(g.node("relu"))
        with self.assertRaisesRegex(ValueError, r"aten::relu\(Tensor self\)"), pt2.edit(self.program) as g:
            g.call("aten.relu.default")
        self.assertEqual(self.program.to_json(), before)

    def test_dead_code_is_eliminated(self):
        count = len(self.program.graph_module.graph.nodes)
        with pt2.edit(self.program) as g:
            unused = g.call("aten.relu.default", g.call("aten.relu.default", g.node("linear")))
            self.assertEqual(g.eliminate_dead_code(), 2)
            self.assertNotIn(unused, g.nodes)
            g.node("relu")
        self.assertEqual(len(self.program.graph_module.graph.nodes), count)

    def test_erased_nodes_and_ended_blocks_refuse_every_use(self):
        def uses(node):
            for name in dir(pt2.graph_edit.Node):
                if not name.startswith("_") and isinstance(getattr(pt2.graph_edit.Node, name), property):
                    yield name, lambda name=name: getattr(node, name)
            yield "target =", lambda: setattr(node, "target", "torch.ops.aten.neg.default")
            yield "replace_all_uses_with", lambda: node.replace_all_uses_with(node)
            yield "replace_input_with", lambda: node.replace_input_with(node, node)

        def expect_refusals(node, message, view=None):
            if view is not None:
                with self.assertRaisesRegex(ValueError, "no longer edited: its node was erased"):
                    view.metadata["note"] = "lost"
            for name, use in uses(node):
                with self.subTest(name), self.assertRaisesRegex(ValueError, message):
                    use()
            self.assertRegex(repr(node), "former node")

        for end in (None, KeyError):
            program = pt2.load(TODAY / "cond.pt2")
            with contextlib.suppress(KeyError), pt2.edit(program) as g:
                holder = next(node for node in g if node.subgraphs)
                inner = next(iter(holder.subgraphs.values()))
                with g.inserting_before(holder):
                    erased = g.call("aten.neg.default", g.nodes[0])
                    dead = g.call("aten.neg.default", g.nodes[0])
                output = g.nodes[-1]
                views = erased.view, dead.view
                g.erase(erased)
                expect_refusals(erased, "node 'neg.*' was erased", views[0])
                with self.assertRaisesRegex(ValueError, "was erased"):
                    g.call("aten.neg.default", erased)
                g.eliminate_dead_code()
                expect_refusals(dead, "node 'neg.*' was erased", views[1])
                self.assertIs(g.nodes[-1], output)
                inner_node = next(iter(holder.subgraphs.values())).nodes[0]
                if end:
                    raise end
            before = program.to_json()
            for node in (g._nodes[0], holder, output, inner_node):
                expect_refusals(node, "block of this graph has ended")
            for graph in (g, inner):
                for use in (lambda: graph.call("aten.neg.default", 1), lambda: graph.nodes, lambda: graph.node("x"), lambda: graph.view, lambda: list(graph),
                            lambda: graph.erase(holder), lambda: graph.inserting_before(holder).__enter__()):
                    with self.assertRaisesRegex(ValueError, "block of this graph has ended"):
                        use()
            for use in (lambda: g.set_shape(holder, [1]), lambda: g.parameter("p", 1.0), lambda: g.symbol("s9"), lambda: g.weights, g.eliminate_dead_code,
                        lambda: g.replace_weight("p", 1.0), lambda: g.buffer("b", 1.0), lambda: g.input("y", "float32", [1]),
                        lambda: g.output(holder), lambda: g.remove_output(holder)):
                with self.assertRaisesRegex(ValueError, "block of this graph has ended"):
                    use()
            self.assertEqual(program.to_json(), before)

    def test_views_from_a_block_refuse_changes_after_it(self):
        for error in (None, KeyError):
            program = pt2.load(TODAY / "mlp.pt2")
            with contextlib.suppress(KeyError), pt2.edit(program) as g:
                view, graph, meta = g.node("relu").view, g.view, g.node("relu").meta
                metadata, inputs = view.metadata, view.inputs
                g.output(g.node("relu"))
                g.eliminate_dead_code()
                metadata["note"] = "seen"
                if error:
                    raise error
            self.assertEqual(program.graph_module.graph.nodes[1].metadata.get("note"), None if error else "seen")
            before = program.to_json()
            for change in (lambda: setattr(view, "target", "x"), lambda: metadata.update(note=""), metadata.clear, lambda: metadata.pop("note"),
                           lambda: inputs.append(inputs[0]), lambda: setattr(inputs[0].arg.value, "name", "y"), lambda: graph.nodes.clear(),
                           lambda: setattr(meta, "dtype", pt2.ScalarType.HALF), lambda: meta.sizes.__delitem__(0)):
                with self.assertRaisesRegex(ValueError, "no longer edited: .* block has ended"):
                    change()
            self.assertEqual((view.target, metadata["note"]), ("torch.ops.aten.relu.default", "seen"))
            self.assertEqual(program.to_json(), before)

    def test_inputs_and_outputs_that_cannot_be_changed_are_named(self):
        before = self.program.to_json()
        for message, change in (
            ("cannot erase 'x': it is used by linear", lambda g: g.erase(g.node("x"))),
            ("the name 'relu' is taken", lambda g: g.input("relu", "float32", [1])),
            ("invalid value name 'a b'", lambda g: g.input("a b", "float32", [1])),
            ("the name 'relu' is taken", lambda g: g.input("relu", "float32", [1], replace=g.node("x"))),
            ("cannot replace 'relu': it is not an input of the user", lambda g: g.input("y", "float32", [1], replace=g.node("relu"))),
            ("cannot replace 'p_l1_weight': it is not an input of the user", lambda g: g.input("y", "float32", [1], replace=g.node("p_l1_weight"))),
            ("cannot name the output 'y': 'x' is an input", lambda g: g.output(g.node("x"), "y")),
            ("the name 'linear' is taken", lambda g: g.output(g.node("relu"), "linear")),
            ("the program has no output 'relu'", lambda g: g.remove_output(g.node("relu"))),
            ("the program has no output 'relu'", lambda g: g.output(g.node("x"), replace=g.node("relu"))),
            ("expected a name or an output to replace, got both", lambda g: g.output(g.node("x"), "y", replace=g.node("relu"))),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message), pt2.edit(self.program) as g:
                change(g)
        with self.assertRaisesRegex(TypeError, "expected a node or one of its results, got 'relu'"), pt2.edit(self.program) as g:
            g.output("relu")
        self.assertEqual(self.program.to_json(), before)

    def test_subgraphs_are_edited_too(self):
        program = pt2.load(TODAY / "cond.pt2")
        with pt2.edit(program) as g:
            branch = next(iter(next(node for node in g.nodes if node.target == "torch.ops.higher_order.cond").subgraphs.values()))
            last = branch.nodes[-1].inputs[0]
            last.replace_all_uses_with(branch.call("aten.neg.default", last))
        self.assertEqual([found for found in pt2.verify(program) if found.level != "note"], [])
        self.assertIn("aten.neg.default", pt2.show(program))

    def test_weights_are_replaced_and_erased(self):
        with pt2.edit(self.program) as g:
            weight = g.weights["l1.weight"]
            self.assertEqual((weight.name, weight.weight, g.node("relu").weight), ("p_l1_weight", "l1.weight", None))
            with self.assertRaisesRegex(ValueError, "cannot erase 'p_l1_weight': it is used by linear"):
                g.erase(weight)
            with self.assertRaisesRegex(ValueError, "cannot set the shape of 'relu': it is not an input"):
                g.set_shape(g.node("relu"), [1])
            with self.assertRaises(KeyError):
                g.replace_weight("p_l1_weight", 1.0)
            linear = g.node("linear")
            linear.replace_all_uses_with(linear.inputs[0])
            columns, rows = int(linear.inputs[0].meta.sizes[-1].value), int(g.weights["l2.weight"].meta.sizes[0].value)
            g.erase(linear)
            g.erase(weight)
            g.erase(g.weights["l1.bias"])
            g.replace_weight("l2.weight", [[0.5] * columns] * rows)
        self.assertEqual(pt2.verify(self.program), [])
        self.assertEqual(pt2.signature(self.program).parameters, ["l2.weight", "l2.bias"])
        self.assertEqual(list(g.tensors), ["l2.weight"])
        with self.assertRaises(pt2.DataError), pt2.edit(self.program) as g:
            g.replace_weight("l2.weight", [[0.5] * (columns + 1)] * rows)
        with self.assertRaisesRegex(ValueError, "the program's symbol 's17' has the range"), pt2.edit(pt2.load(TODAY / "dynamic.json")) as g:
            g.symbol("s17", 5, 6)

    def test_custom_operators_are_declared(self):
        pt2.operator("my::scale(Tensor x, float by=2.0) -> Tensor", infer="pointwise")
        pt2.operator("my::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", infer="aten.linear.default")
        with pt2.edit(self.program) as g:
            node = g.node("relu")
            with g.inserting_after(node):
                scaled = g.call("my.scale.default", node, by=3.0)
            node.replace_all_uses_with(scaled)
            linear = g.node("linear")
            linear.target = "torch.ops.my.linear.default"
        self.assertEqual([found for found in pt2.verify(self.program) if found.level != "note"], [])
        self.assertEqual(pt2.infer(self.program), [])
        nodes = {node.target: node for node in self.program.graph_module.graph.nodes}
        self.assertEqual(pt2.arguments(nodes["torch.ops.my.scale.default"])["by"], pt2.Argument.as_float(3.0))
        builder = pt2.Builder()
        builder.output(builder.call("my.scale.default", builder.input("x", "float32", [2])))
        self.assertEqual(len(builder.finish().graph_module.graph.nodes), 1)
        with self.assertRaises(pt2.DataError):
            pt2.operator("nonsense")


@unittest.skipIf(torch is None, "needs torch")
class TorchTest(unittest.TestCase):
    """Makes the same edit by pt2.edit() and by torch.fx, and runs both in torch."""

    def test_args_and_kwargs_are_those_of_torch(self):
        def plain(value):
            if isinstance(value, torch.fx.Node):
                return value.name if value.op != "get_attr" else "subgraph"
            if isinstance(value, (list, tuple)):
                return [plain(item) for item in value]
            if isinstance(value, (torch.dtype, torch.layout, torch.memory_format)):
                return str(value).removeprefix("torch.")
            if isinstance(value, torch._ops.OpOverload):
                return f"torch.ops.{value}"
            if isinstance(value, torch.device):
                return str(value)
            return "subgraph" if hasattr(value, "nodes") else getattr(value, "name", value)

        compared = 0
        for path in sorted(TODAY.glob("*.pt2")):
            try:
                theirs = {node.name: node for node in torch.export.load(path).graph.nodes}
            except RuntimeError:  # unknown operators
                continue
            with pt2.edit(pt2.load(path)) as g:
                for node in g.nodes:
                    if node.op != "call_function" or node.name not in theirs:
                        continue
                    other = theirs[node.name]
                    given, expected = ((plain(each.args), {key: plain(value) for key, value in each.kwargs.items()}) for each in (node, other))
                    self.assertEqual(repr(given), repr(expected), path)  # NaN is not equal to itself
                    compared += 1
                outputs = [plain(value) for value in g.nodes[-1].args]
                self.assertEqual(len(outputs), len(g.view.outputs))
        self.assertGreater(compared, 100)

    def compare(self, module, inputs, ours, theirs, dynamic_shapes=None, others=()):
        exported = torch.export.export(module.eval(), inputs, dynamic_shapes=dynamic_shapes, strict=False)
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "in.pt2"), os.path.join(folder, "out.pt2")
            torch.export.save(exported, path)
            program = pt2.load(path)
            with pt2.edit(program) as g:
                ours(g)
            self.assertEqual([found for found in pt2.verify(program) if found.level != "note"], [])
            pt2.save(program, out, like=path)
            loaded = torch.export.load(out).module()
        expected = exported.module()
        theirs(expected.graph)
        expected.graph.lint()
        expected.recompile()
        for arguments in (inputs, *others):
            torch.testing.assert_close(loaded(*arguments), expected(*arguments))

    def replaced(self, old, new, *more):
        def ours(g):
            for node in list(g.nodes):
                if node.target == f"torch.ops.{old}":
                    with g.inserting_after(node):
                        made = g.call(new, *node.inputs[: 1 if more else None], *more)
                    node.replace_all_uses_with(made)
                    g.erase(node)

        def theirs(graph):
            target = getattr(getattr(torch.ops.aten, new.split(".")[1]), new.split(".")[2])
            for node in list(graph.nodes):
                if str(node.target) == old:
                    with graph.inserting_after(node):
                        made = graph.call_function(target, (*node.all_input_nodes[: 1 if more else None], *more))
                    node.replace_all_uses_with(made, delete_user_cb=lambda user: user is not made)
                    graph.erase_node(node)

        return ours, theirs

    def sequence(self):
        torch.manual_seed(0)
        return torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))

    def test_edits_run_as_those_of_fx(self):
        x = torch.randn(3, 4)
        for old, new, more in (
            ("aten.relu.default", "aten.gelu.default", ()),
            ("aten.relu.default", "aten.tanh.default", ()),
            ("aten.relu.default", "aten.leaky_relu.default", ()),
            ("aten.relu.default", "aten.clamp.default", (-0.5, 0.5)),
            ("aten.relu.default", "aten.mul.Tensor", (2,)),
            ("aten.relu.default", "aten.unsqueeze.default", (0,)),
        ):
            with self.subTest(new):
                self.compare(self.sequence(), (x,), *self.replaced(old, new, *more))

    def test_dynamic_shapes_stay_dynamic(self):
        batch = torch.export.Dim("batch", min=2, max=64)
        x = torch.randn(3, 4)
        self.compare(self.sequence(), (x,), *self.replaced("aten.relu.default", "aten.unsqueeze.default", 1),
                     dynamic_shapes=({0: batch},), others=((torch.randn(7, 4),),))

    def test_a_branch_of_a_cond(self):
        class Cond(torch.nn.Module):
            def forward(self, p, x):
                return torch.cond(p, lambda x: x.sin(), lambda x: x.cos(), (x,))

        def ours(g):
            for node in g.nodes:
                for graph in node.subgraphs.values() if node.op == "call_function" else ():
                    last = graph.nodes[-1].inputs[0]
                    last.replace_all_uses_with(graph.call("aten.neg.default", last))

        def theirs(graph):
            for node in [node for node in graph.nodes if node.op == "get_attr"]:
                inner = getattr(graph.owning_module, node.target).graph
                output = next(node for node in inner.nodes if node.op == "output")
                last = output.all_input_nodes[0]
                with inner.inserting_before(output):
                    made = inner.call_function(torch.ops.aten.neg.default, (last,))
                output.replace_input_with(last, made)
                inner.owning_module.recompile()

        x = torch.randn(3)
        self.compare(Cond(), (torch.tensor(True), x), ours, theirs, others=((torch.tensor(False), x),))

    def test_weights_become_int8_with_scales(self):
        module = self.sequence().eval()
        weight = module[0].weight.detach()
        scale = weight.abs().amax(1, keepdim=True) / 127
        quantized = (weight / scale).round().to(torch.int8)
        x = torch.randn(3, 4)
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "in.pt2"), os.path.join(folder, "out.pt2")
            torch.export.save(torch.export.export(module, (x,), strict=False), path)
            program = pt2.load(path)
            with pt2.edit(program) as g:
                linear = g.node("linear")
                old = linear.inputs[1]
                with g.inserting_before(linear):
                    weights = g.call("aten._to_copy", g.buffer("0.quantized", quantized), dtype="float32")
                    linear.replace_input_with(old, g.call("aten.mul.Tensor", weights, g.parameter("0.scale", scale)))
            self.assertEqual([found for found in pt2.verify(program) if found.level != "note"], [])
            pt2.save(program, out, like=path, tensors=g.tensors)
            loaded = torch.export.load(out)
            found = loaded.module()(x)
        self.assertTrue({"0.quantized", "0.scale"} <= set(loaded.state_dict))
        module[0].weight.data = quantized.float() * scale
        torch.testing.assert_close(found, module(x))
        with self.assertRaisesRegex(ValueError, "already has a weight '0.bias'"), pt2.edit(program) as g:
            g.buffer("0.bias", [1.0])

    def edited(self, module, inputs, change, **options):
        """Returns the exported module, and the one that torch loads after `change`, a function of pt2.edit() and the open file."""
        exported = torch.export.export(module.eval(), inputs, strict=False, **options)
        with tempfile.TemporaryDirectory() as folder:
            path, out = os.path.join(folder, "in.pt2"), os.path.join(folder, "out.pt2")
            torch.export.save(exported, path)
            program = pt2.load(path)
            with pt2.open(path) as file, pt2.edit(program) as g:
                change(g, file)
            self.assertEqual([found for found in pt2.verify(program) if found.level != "note"], [])
            pt2.save(program, out, like=path, tensors=g.tensors)
            return exported, torch.export.load(out)

    def test_outputs_are_added_replaced_and_removed_in_every_container(self):
        Pair = collections.namedtuple("Pair", "first second")
        containers = {
            "single": (lambda a, b: a, lambda old, new: (old[0], new), "logits", 1),
            "tuple": (lambda a, b: (a, b), lambda old, new: (*old, new), "logits", 2),
            "list": (lambda a, b: [a, b], lambda old, new: [*old, new], "logits", 2),
            "dict": (lambda a, b: {"a": a, "b": b}, lambda old, new: {**dict(zip("ab", old)), "logits": new}, "cos", 2),
            "ordered": (lambda a, b: collections.OrderedDict(a=a, b=b),
                        lambda old, new: collections.OrderedDict(**dict(zip("ab", old)), logits=new), "cos", 2),
            "default": (lambda a, b: collections.defaultdict(int, a=a, b=b),
                        lambda old, new: collections.defaultdict(int, **dict(zip("ab", old)), logits=new), "cos", 2),
            "nested": (lambda a, b: ({"a": a}, [b]), lambda old, new: ({"a": old[0]}, [old[1]], new), "logits", 2),
        }
        x = torch.randn(3)
        for kind, (first, more, name, count) in containers.items():
            class Module(torch.nn.Module):
                def forward(self, x, first=first):
                    return first(x.sin(), x.tanh())

            def add(g, _):
                g.output(g.call("aten.cos.default", g.node("x")), "logits")

            def replace(g, _):
                g.output(g.call("aten.cos.default", g.node("x")), replace=g.node("sin"))

            def remove(g, _):
                g.output(g.call("aten.cos.default", g.node("x")), "logits")
                view, metadata = g.node("tanh").view, g.node("tanh").view.metadata
                g.remove_output(g.node("logits" if name == "logits" else "cos"))
                self.assertIs(g.node("tanh").view, view)
                self.assertIs(g.node("tanh").view.metadata, metadata)

            with self.subTest(kind):
                old = [x.sin(), x.tanh()][:count]
                _, loaded = self.edited(Module(), (x,), add)
                found, expected = loaded.module()(x), more(old, x.cos())
                self.assertIs(type(found), type(expected))
                self.assertEqual(list(found), list(expected)) if isinstance(found, dict) else None
                torch.testing.assert_close(found, expected)
                self.assertEqual(loaded.graph_signature.user_outputs[-1], name)
                exported, loaded = self.edited(Module(), (x,), replace)
                torch.testing.assert_close(loaded.module()(x), first(x.cos(), x.tanh()))
                self.assertEqual(loaded.call_spec.out_spec, exported.call_spec.out_spec)
                _, loaded = self.edited(Module(), (x,), remove)
                torch.testing.assert_close(loaded.module()(x), (x.sin(),) if kind == "single" else first(x.sin(), x.tanh()))

        class Fixed(torch.nn.Module):
            def forward(self, x):
                return Pair(x.sin(), x.cos())

        torch.utils._pytree._register_namedtuple(Pair, serialized_type_name="test.Pair")
        for change in (lambda g, _: g.output(g.node("sin")), lambda g, _: g.remove_output(g.node("sin"))):
            with self.assertRaisesRegex(ValueError, "output 'sin': its container, a .*, has a fixed number of items"):
                self.edited(Fixed(), (x,), change)
        _, loaded = self.edited(Fixed(), (x,), lambda g, _: g.output(g.node("x"), replace=g.node("sin")))
        torch.testing.assert_close(loaded.module()(x), Pair(x, x.cos()))

    def test_inputs_are_added_replaced_and_removed(self):
        class Module(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(4, 4)

            def forward(self, x, unused, *, scale, idle):
                return self.linear(x) * scale

        def add(g, _):
            mask = g.input("mask", "float32", [g.symbol("s0", 2, 64), 4])
            mul = g.node("mul")
            masked = g.call("aten.sum.dim_IntList", g.call("aten.mul.Tensor", g.call("aten.sum.default", mul), mask), [0])
            g.output(masked, replace=mul)

        def remove(g, _):
            for name in ("unused", "idle"):
                g.erase(g.node(name))
            self.assertEqual([node.name for node in g.nodes if node.op == "placeholder"][2:], ["x", "scale"])

        def replace(g, _):
            scale, x = g.node("scale"), g.node("x")
            new = g.input("factor", "float32", [1], replace=scale)
            self.assertEqual((new.users, new.meta.sizes[0].value), ([g.node("mul")], 1))
            with self.assertRaisesRegex(ValueError, "'scale' was erased"):
                scale.users
            g.input("x", torch.float32, [g.symbol("s1", 2, 9), 4], replace=x)

        torch.manual_seed(0)
        module, x = Module(), torch.randn(3, 4)
        named = {"scale": torch.randn(3, 4), "idle": torch.ones(2)}
        unused = torch.ones(3, 4)
        expected = module(x, unused, **named)
        _, loaded = self.edited(module, (x, unused), add, kwargs=named)
        for count in (2, 5):
            mask = torch.randn(count, 4)
            torch.testing.assert_close(loaded.module()(x, unused, mask, **named), (expected.sum() * mask).sum(0))
        _, loaded = self.edited(module, (x, unused), remove, kwargs=named)
        torch.testing.assert_close(loaded.module()(x, scale=named["scale"]), expected)
        _, loaded = self.edited(module, (x, unused), replace, kwargs=named)
        for count in (2, 7):
            x = torch.randn(count, 4)
            torch.testing.assert_close(loaded.module()(x, unused, scale=torch.ones(1) * 2, idle=named["idle"]), module.linear(x) * 2)

    def test_a_head_of_attention_is_pruned(self):
        class Attention(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.q, self.k, self.v, self.out = (torch.nn.Linear(16, 16) for _ in range(4))

            def forward(self, x):
                q, k, v = (layer(x).view(2, 7, 4, 4).transpose(1, 2) for layer in (self.q, self.k, self.v))
                return self.out(torch.nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(2, 7, 16))

        def change(g, file):
            for name in list(g.weights):
                array = file.tensor(name).numpy()
                if name != "out.bias":
                    g.replace_weight(name, array[:, :12] if name == "out.weight" else array[:12])
            for node in g.nodes:
                if node.target in ("torch.ops.aten.view.default", "torch.ops.aten.reshape.default"):
                    last = [3, 4] if "view" in node.target else [12]
                    node.view.inputs[1].arg = pt2.Argument.as_ints([2, 7, *last])

        module, x = Attention(), torch.randn(2, 7, 16)
        _, pruned = self.edited(module, (x,), change)
        self.assertEqual(pruned.state_dict["q.weight"].shape, (12, 16))
        module.out.weight.data[:, 12:] = 0
        torch.testing.assert_close(pruned.module()(x), module(x))

    def test_batch_norm_is_fused_into_convolutions(self):
        torch.manual_seed(0)
        module = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, bias=False), torch.nn.BatchNorm2d(8), torch.nn.ReLU(),
                                     torch.nn.Conv2d(8, 4, 3, padding=1), torch.nn.BatchNorm2d(4))
        for norm in (module[1], module[4]):
            for tensor in (norm.weight.data, norm.bias.data, norm.running_mean):
                tensor.normal_()
            norm.running_var.uniform_(0.5, 2)

        def change(g, file):
            for norm in [node for node in g.nodes if node.target == "torch.ops.aten.batch_norm.default"]:
                conv, *used = norm.inputs
                _, weight, *bias = conv.inputs
                gamma, beta, mean, variance = (file.tensor(node.weight).numpy() for node in used)
                scale = gamma / (variance + norm.arguments["eps"].value) ** 0.5
                g.replace_weight(weight.weight, file.tensor(weight.weight).numpy() * scale[:, None, None, None])
                shift = (file.tensor(bias[0].weight).numpy() if bias else 0) * scale + beta - mean * scale
                added = g.replace_weight(bias[0].weight, shift) if bias else g.parameter(weight.weight.replace("weight", "bias"), shift)
                with g.inserting_before(norm):
                    norm.replace_all_uses_with(g.call(conv.target, **{**conv.arguments, "bias": added}))
                for node in (norm, conv, *used):
                    g.erase(node)
            for name in ("1.num_batches_tracked", "4.num_batches_tracked"):
                g.erase(g.weights[name])

        batch = torch.export.Dim("batch", min=1, max=64)
        _, fused = self.edited(module, (torch.randn(2, 3, 8, 8),), change, dynamic_shapes=({0: batch},))
        expected = torch.nn.Sequential(*(torch.nn.utils.fusion.fuse_conv_bn_eval(module[at], module[at + 1]) for at in (0, 3)))
        self.assertEqual(sorted(fused.state_dict), ["0.bias", "0.weight", "3.bias", "3.weight"])
        for name, ours in (("0", 0), ("3", 1)):
            for kind in ("weight", "bias"):
                torch.testing.assert_close(fused.state_dict[f"{name}.{kind}"], getattr(expected[ours], kind).data)
        for count in (1, 5):
            x = torch.randn(count, 3, 8, 8)
            torch.testing.assert_close(fused.module()(x), module(x))

    def test_attention_becomes_a_custom_operator(self):
        class Attention(torch.nn.Module):
            def forward(self, q, k, v):
                return torch.nn.functional.scaled_dot_product_attention(q, k, v).relu()

        pt2.operator("edited::attention(Tensor q, Tensor k, Tensor v) -> Tensor", infer="pointwise")
        library = torch.library.Library("edited", "DEF")  # noqa: TOR901
        self.addCleanup(library._destroy)
        library.define("attention(Tensor q, Tensor k, Tensor v) -> Tensor")
        library.impl("attention", torch.nn.functional.scaled_dot_product_attention, "CompositeExplicitAutograd")

        def change(g, _):
            old = g.node("scaled_dot_product_attention")
            with g.inserting_before(old):
                old.replace_all_uses_with(g.call("edited::attention", *old.inputs))
            g.erase(old)

        inputs = tuple(torch.randn(2, 3, 5, 4) for _ in range(3))
        exported, edited = self.edited(Attention(), inputs, change)
        self.assertIn("edited.attention", edited.graph_module.code)
        torch.testing.assert_close(edited.module()(*inputs), exported.module()(*inputs))

    def test_a_batch_size_becomes_dynamic_and_fixed_again(self):
        def resize(g, batch):
            [x] = [node for node in g.nodes if node.op == "placeholder" and node.weight is None]
            g.set_shape(x, [batch, 4])

        module = self.sequence()
        _, dynamic = self.edited(module, (torch.randn(3, 4),), lambda g, _: resize(g, g.symbol("s0", 2, 64)))
        for count in (2, 64):
            x = torch.randn(count, 4)
            torch.testing.assert_close(dynamic.module()(x), module(x))
        with self.assertRaisesRegex((AssertionError, RuntimeError), "<= 64"):
            dynamic.module()(torch.randn(65, 4))
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("dynamic.pt2", "fixed.pt2")]
            torch.export.save(dynamic, paths[0])
            torch.export.save(torch.export.export(module, (torch.randn(5, 4),), strict=False), paths[1])
            program = pt2.load(paths[0])
            with pt2.edit(program) as g:
                resize(g, 5)
            self.assertEqual(pt2.diff(program, paths[1]), [])
            self.assertEqual(dict(program.range_constraints), {})

    def test_new_symbols_are_sizes_in_calls_at_once(self):
        def sizes(g, how):
            x = next(node for node in g.nodes if node.op == "placeholder" and node.weight is None)
            b, t = g.symbol("s0", 2, 64), g.symbol("s1", 2, 64)
            g.set_shape(x, [b, t, 4])
            self.assertEqual(g.node("relu").meta.sizes[:2], x.meta.sizes[:2])  # without waiting for the end of the block
            if how == "nodes":
                return [g.call("aten.sym_size.int", x, 0), g.call("aten.sym_size.int", x, 1), 2, 4]
            return {"symbols": [b, t, 2, 4], "rest": [b, -1, 2, 4], "product": [b * t, 2, 4]}[how]

        module = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU()).eval()
        for how in ("nodes", "symbols", "rest", "product"):
            def change(g, _, how=how):
                relu = g.node("relu")
                shape = sizes(g, how)
                view = g.call("aten.view.default", relu, shape)
                self.assertEqual(len(view.meta.sizes), len(shape))
                g.nodes[-1].replace_input_with(relu, view)

            with self.subTest(how):
                _, edited = self.edited(module, (torch.randn(3, 5, 4),), change)
                for count, length in ((3, 5), (7, 2)):
                    x = torch.randn(count, length, 4)
                    shape = (count * length, 2, 4) if how == "product" else (count, length, 2, 4)
                    torch.testing.assert_close(edited.module()(x), module(x).view(shape))

    def test_a_size_that_no_input_has_is_named(self):
        program = pt2.load(TODAY / "mlp.pt2")
        with self.assertRaisesRegex(ValueError, "no input of the graph has the size 's9': call set_shape"), pt2.edit(program) as g:
            g.call("aten.view.default", g.node("relu"), [g.symbol("s9"), 8])

    def test_halves_with_dynamic_sizes_run_in_turn(self):
        class Split(torch.nn.Module):
            def forward(self, x):
                return x.relu().view(x.shape[0] * x.shape[1], 4).sin()

        sizes = {0: torch.export.Dim("batch", max=64), 1: torch.export.Dim("length", max=64)}
        with tempfile.TemporaryDirectory() as folder:
            whole, first, second = (os.path.join(folder, f"{name}.pt2") for name in ("whole", "first", "second"))
            torch.export.save(torch.export.export(Split(), (torch.randn(2, 3, 4),), dynamic_shapes=(sizes,), strict=False), whole)
            pt2.extract(whole, inputs=["x"], outputs=["relu"], out=first)
            pt2.extract(whole, inputs=["relu"], outputs=["sin"], out=second)
            head, tail = (torch.export.load(path).module() for path in (first, second))
        for x in (torch.randn(2, 3, 4), torch.randn(7, 5, 4)):
            torch.testing.assert_close(tail(head(x)), Split()(x))

    def test_an_added_layer_before_the_output(self):
        def ours(g):
            last = g.nodes[-1].inputs[0]
            last.replace_all_uses_with(g.call("aten.softmax.int", last, -1))

        def theirs(graph):
            output = next(node for node in graph.nodes if node.op == "output")
            last = output.all_input_nodes[0]
            with graph.inserting_before(output):
                made = graph.call_function(torch.ops.aten.softmax.int, (last, -1))
            output.replace_input_with(last, made)

        self.compare(self.sequence(), (torch.randn(3, 4),), ours, theirs)

    def test_a_skipped_layer(self):
        def ours(g):
            relu = g.node("relu")
            relu.replace_all_uses_with(relu.inputs[0])
            self.assertEqual(g.eliminate_dead_code(), 1)

        def theirs(graph):
            relu = next(node for node in graph.nodes if node.name == "relu")
            relu.replace_all_uses_with(relu.all_input_nodes[0])
            graph.eliminate_dead_code()

        self.compare(self.sequence(), (torch.randn(3, 4),), ours, theirs)


class WrongUseTest(unittest.TestCase):
    def test_what_would_be_lost_is_refused(self):
        program = pt2.load(ROOT / "tests/data/programs/torch-2.13.0/mlp.pt2")
        before = program.to_json()
        with pt2.edit(pt2.load(ROOT / "tests/data/programs/torch-2.13.0/mlp.pt2")) as other, pt2.edit(program) as g:
            relu, foreign = g.node("relu"), other.node("relu")
            for use in (lambda: g.call("aten.neg.default", foreign), lambda: g.erase(foreign), lambda: g.output(foreign),
                        lambda: relu.replace_all_uses_with(foreign), lambda: relu.replace_input_with(relu.inputs[0], foreign)):  # fmt: skip
                with self.assertRaisesRegex(ValueError, "node 'relu' belongs to another graph"):
                    use()
            with self.assertRaisesRegex(ValueError, "node 'relu' does not use 'relu'"):
                relu.replace_input_with(relu, relu)
            with self.assertRaises(AttributeError):
                relu.traget = "torch.ops.aten.tanh.default"
        self.assertEqual(program.to_json(), before)
        node, operators = program.graph_module.graph.nodes[0], [each.target for each in program.graph_module.graph.nodes]
        for change in (lambda: pt2.rewrite(program, "aten.relu(x)", "aten.tanh(x)"), lambda: pt2.rewrite(program, "aten.tanh(x)", "aten.relu(x)")):
            with self.assertRaisesRegex(ValueError, "the program was changed within the block"), pt2.edit(program):
                change()
        with pt2.edit(program):
            pass
        self.assertEqual([each.target for each in program.graph_module.graph.nodes], operators)
        with self.assertRaisesRegex(ValueError, "this value was taken from one that has been replaced: take it again"):
            node.target = "torch.ops.aten.tanh.default"
        self.assertEqual(node.target, operators[0])
        with self.assertRaisesRegex(TypeError, "expected a program, as pt2.load\\(\\) returns it, got builtins.str"):
            pt2.edit("model.pt2")


if __name__ == "__main__":
    unittest.main()
