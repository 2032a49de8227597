"""pt2.edit() changes programs as the same edit by torch.fx does. The second half needs torch."""

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

    def test_subgraphs_are_edited_too(self):
        program = pt2.load(TODAY / "cond.pt2")
        with pt2.edit(program) as g:
            branch = next(iter(next(node for node in g.nodes if node.target == "torch.ops.higher_order.cond").subgraphs.values()))
            last = branch.nodes[-1].inputs[0]
            last.replace_all_uses_with(branch.call("aten.neg.default", last))
        self.assertEqual([found for found in pt2.verify(program) if found.level != "note"], [])
        self.assertIn("aten.neg.default", pt2.show(program))

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
    """The same edit by pt2.edit() and by torch.fx, run by torch."""

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
        with self.assertRaisesRegex(ValueError, "has a weight '0.bias' already"), pt2.edit(program) as g:
            g.buffer("0.bias", [1.0])

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


if __name__ == "__main__":
    unittest.main()
