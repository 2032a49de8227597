"""pt2.match() and pt2.rewrite() find and replace what torch's programs have. The second half needs torch."""

import copy
import functools
import os
import tempfile
import typing
import unittest

import python_recipes_test
from python_edit_test import TODAY, pt2, torch


def lines(program):
    return [line.strip() for line in pt2.show(program).splitlines() if " = " in line]


class MatchTest(unittest.TestCase):
    def setUp(self):
        self.program = pt2.load(TODAY / "mlp.pt2")

    def count(self, pattern):
        return len(pt2.match(self.program, pattern))

    def test_functions_and_texts_find_the_same(self):
        def pattern(x, weight):
            return pt2.ops.aten.relu.default(pt2.ops.aten.linear.default(x, weight, ...))

        expected = {"x": "x", "weight": "p_l1_weight", "linear": "linear", "relu": "relu"}
        texts = ("linear = aten.linear.default(x, weight, _)\nrelu = torch.ops.aten.relu.default(linear)\nreturn relu",
                 "aten.relu(aten.linear(x, weight, bias=_))", "  aten::relu(x)".replace("aten::relu(x)", "pt2.ops.aten.relu(aten.linear(x, weight, ...))"))
        for given in (pattern, *texts):
            [match] = pt2.match(self.program, given)
            self.assertEqual((match.values, match.graph), (expected, ""))
            self.assertEqual(match["weight"], "p_l1_weight")
            self.assertEqual([node.target for node in match.nodes.values()], ["torch.ops.aten.linear.default", "torch.ops.aten.relu.default"])
            self.assertIs(match.nodes["relu"], self.program.graph_module.graph.nodes[1])

    def test_lines_of_show_for_tensors_are_patterns(self):
        for line in lines(self.program):
            self.assertGreaterEqual(self.count(line), 1, line)
        self.assertEqual(self.count("relu: f32[3, 9] = aten.relu.default(linear)"), 0)

    def test_a_wildcard_matches_anything_but_the_same_thing_twice(self):
        self.assertEqual(self.count("aten.linear(x, weight, bias)"), 2)
        self.assertEqual(self.count("aten.linear(x, weight)"), 0)  # its bias would be None
        self.assertEqual(self.count("aten.mul.Tensor(x, y)"), 1)
        self.assertEqual(self.count("aten.mul.Tensor(x, x)"), 0)
        with pt2.edit(self.program) as g:
            last = g.call("aten.view", g.call("aten.linear", g.node("relu"), g.node("p_l2_weight")), [3, -1, 1])
            last = g.call("aten.cat", [last, last], -1)
            g.output(g.call("aten._to_copy", g.call("aten.clamp", last, min=-2.5), dtype="float16"))
        [match] = pt2.match(self.program, "y = aten.linear(x, w, bias)\naten._to_copy(aten.clamp(aten.cat([aten.view(y, shape), _], dim), low), dtype=d)")
        self.assertEqual([match[name] for name in ("bias", "shape", "dim", "low", "d")], [None, [3, -1, 1], -1, -2.5, "float16"])
        for text, count in (("aten.view(x, [3, a, b])", 1), ("aten.view(x, [3, a, a])", 0), ("aten.view(x, [3, -1])", 0), ("aten.view(x, [3, -1, 1])", 1),
                            ("aten.cat([x, x], _)", 1), ("aten.cat([x, x])", 0), ("aten.cat([x], -1)", 0), ("aten.cat(xs, ...)", 1),
                            ("aten.clamp(x, -2.5)", 1), ("aten.clamp(x, -2)", 0), ("aten.clamp(x, ...)", 1), ("aten.clamp(x, min=_)", 1),
                            ("aten._to_copy(x, dtype=torch.float16)", 1), ("aten._to_copy(x, dtype='float32')", 0), ("aten._to_copy(x)", 0)):
            self.assertEqual(self.count(text), count, text)

    def test_types_restrict_what_matches(self):
        for kind, count in (("float32", 2), ("torch.float32", 2), ("f32", 2), ("float16", 0), ("float16 | f32", 2), ("Tensor", 2), ("Value", 2), ("None", 0),
                            ("int | None", 0), ("list", 0), ("f32[8]", 1), ("f32[2]|f32[8]", 2)):
            self.assertEqual(self.count(f"bias: {kind}\naten.linear(x, w, bias)"), count, kind)
        for kind, count in ((torch.float32, 1), (torch.float16, 0), ) if torch else ():
            def pattern(x: kind):
                return pt2.ops.aten.relu(x)

            self.assertEqual(self.count(pattern), count)

        def annotated(x: typing.Annotated[pt2.PatternValue, "float16", pt2.ScalarType.FLOAT], w: pt2.PatternValue, bias: "None | Tensor"):  # noqa: F821
            return pt2.ops.aten.linear(x, w, bias)

        def literal(x: object, w: pt2.PatternValue, bias: int | float | str | bool | list | None):
            return pt2.ops.aten.linear(x, w, bias)

        def default(x, dim=-1):
            return pt2.ops.aten.softmax.int(x, dim)

        def strict(x, /, w, *, bias):
            return pt2.ops.aten.linear(x, w, bias)

        self.assertEqual([self.count(given) for given in (annotated, literal, strict, functools.partial(strict, bias=None))], [2, 0, 2, 0])
        with pt2.edit(self.program) as g:
            for dim in (-1, 0, 1):
                g.output(g.call("aten.softmax.int", g.node("relu"), dim))
        self.assertEqual([self.count(default), self.count("dim: int\naten.softmax.int(x, dim)"), self.count("dim: float\naten.softmax.int(x, dim)")], [1, 3, 0])

    def test_subgraphs_are_searched_and_named(self):
        program = pt2.load(TODAY / "cond.pt2")
        found = [match for node in ("sin", "cos", "add.Tensor", "mul.Tensor", "relu", "neg") for match in pt2.match(program, f"aten.{node}(x{', y' * ('Tensor' in node)})")]
        names = [match.graph for match in found if match.graph]
        self.assertTrue(names and all("graph" in name for name in names), names)
        inner = next(match for match in found if match.graph)
        target = next(iter(inner.nodes.values())).target
        self.assertIn(target.removeprefix("torch.ops."), pt2.show(program))
        text = f"y = {target}(x{', z' * ('Tensor' in target)})"
        seen = []
        self.assertEqual(pt2.rewrite(program, text, lambda match: seen.append(match.graph) if not match.graph else "aten.tanh(x)"),
                         len([match for match in found if match.graph and match.nodes.popitem()[1].target == target]))
        self.assertIn("aten.tanh", pt2.show(program))
        self.assertEqual([finding for finding in pt2.verify(program) if finding.level != "note"], [])

    def test_what_is_no_pattern_is_refused_with_its_line(self):
        before = self.program.to_json()
        for message, pattern in (
            ("pattern, line 2: '\\(' was never closed", "y = aten.relu(x)\ny = aten.relu("),
            ("pattern, line 1: expected a call of an operator, a type or return, got 'x \\+ 1'", "x + 1"),
            ("pattern, line 2: unknown operator 'aten.rleu'", "y = aten.relu(x)\naten.rleu(y)"),
            ("pattern, line 1: cannot call 'aten.relu.default': argument 'self' is int, expected Tensor; its schema is aten::relu", "aten.relu(3)"),
            ("cannot call 'aten.relu.default': argument 'self' is int", lambda: pt2.ops.aten.relu(3)),
            ("cannot call 'aten.relu.default': expected at most 1 argument, got 2", "aten.relu(x, y)"),
            ("unknown type: 'float33'", "x: float33\naten.relu(x)"),
            ("expected 1 result, got 2 names", "a, b = aten.relu(x)"),
            ("it returns a list, so each result needs a name", "aten.split.Tensor(x, 2)"),
            ("the nodes of the pattern are not connected", "aten.relu(x)\naten.relu(y)"),
            ("expected lines such as", ""),
            ("expected a name, a literal or a call, got 'x \\* 2'", "aten.relu(x * 2)"),
            ("pattern, line 1: no call uses 'bais'", "bais: int\naten.relu(x)"),
            ("pattern, line 2: no call defines 'z'", "y = aten.relu(x)\nreturn z"),
            ("higher_order.cond has no schema that says what '...' stands for", "higher_order.cond(p, ...)"),
            ("expected results of calls to be returned, got None", lambda x: None),
            ("aten.max.dim has 2 results: unpack them", lambda x: pt2.ops.aten.relu(pt2.ops.aten.max.dim(x, 0))),
        ):
            for use in (pt2.match, lambda program, given: pt2.rewrite(program, given, "aten.relu(x)")):
                with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                    use(self.program, pattern)
        for message, replacement in (("the pattern has no input 'z'", "aten.relu(z)"), ("the pattern has no input 'z'", lambda x, z: pt2.ops.aten.add.Tensor(x, z)),
                                     ("replacement, line 2: unknown operator 'aten.rleu'", lambda match: "y = aten.relu(x)\naten.rleu(y)"),
                                     ("expected a replacement with 1 output, found 2", "return x, x"), ("stop", lambda match: int("stop"))):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                pt2.rewrite(self.program, "aten.relu(x)", replacement)
        with self.assertRaisesRegex(TypeError, "expected a program, a Graph, a function or a text as a pattern, got 3"):
            pt2.match(self.program, 3)
        for use in (pt2.match, lambda program, given: pt2.rewrite(program, given, given)):
            with self.assertRaisesRegex(TypeError, "expected a program, as pt2.load\\(\\) returns it, got builtins.str"):
                use("model.pt2", "aten.relu(x)")
        with self.assertRaisesRegex(RuntimeError, "aten.relu: operators of pt2.ops are called only in patterns"):
            pt2.ops.aten.relu(1)
        self.assertEqual(self.program.to_json(), before)


class RewriteTest(unittest.TestCase):
    def setUp(self):
        self.program = pt2.load(TODAY / "mlp.pt2")

    def test_what_is_not_replaced_keeps_its_name_and_a_result_gets_its_own(self):
        before = lines(self.program)
        for replacement, name in (("aten.silu(x)", "silu"), ("y = aten.silu(x)", "y"), (lambda x: pt2.ops.aten.silu(x), "silu"),
                                  (lambda match: "aten.silu(x)", "silu"), (lambda match: lambda x: pt2.ops.aten.silu(x), "silu"),
                                  ("linear = aten.silu(x)", "linear_2"), ("aten.relu(x)", "relu_1")):
            program = copy.deepcopy(self.program)
            self.assertEqual(pt2.rewrite(program, "aten.relu(x)", replacement), 1)
            changed = [(old, new) for old, new in zip(before, lines(program), strict=True) if old != new]
            self.assertEqual([new.split(":")[0] for _, new in changed], [name, "linear_1"])
            self.assertEqual(changed[1][1], changed[1][0].replace("(relu,", f"({name},"))
            self.assertEqual(pt2.verify(program), [])

    def test_outputs_follow_in_the_signature(self):
        self.assertEqual(pt2.rewrite(self.program, "aten.add.Tensor(x, y)", "aten.sub.Tensor(x, y)"), 1)
        self.assertEqual(pt2.signature(self.program).user_outputs, ["sub"])
        self.assertEqual(pt2.verify(self.program), [])

    def test_a_callback_may_refuse_a_match(self):
        seen = []

        def narrow(match):
            seen.append((match["w"], match.nodes["linear"].target, match.graph))
            return None if match["x"] == "x" else "aten.linear(x, w)"

        self.assertEqual(pt2.rewrite(self.program, "linear = aten.linear(x, w, bias)", narrow), 1)
        self.assertEqual(seen, [(f"p_l{number}_weight", "torch.ops.aten.linear.default", "") for number in (1, 2)])
        self.assertIn("linear: f32[3, 8] = aten.linear.default(x, p_l1_weight, p_l1_bias)", lines(self.program))
        self.assertEqual(pt2.verify(self.program), [])
        before = self.program.to_json()
        self.assertEqual(pt2.rewrite(self.program, "aten.relu(x)", lambda match: None), 0)
        self.assertEqual(self.program.to_json(), before)

    def test_programs_are_patterns(self):
        def built(target):
            builder = pt2.Builder()
            builder.output(builder.call(target, builder.input("x", "float16", [1])))
            return builder.finish()

        self.assertEqual(pt2.rewrite(self.program, built("aten.relu"), built("aten.silu")), 1)
        self.assertIn("silu: f32[3, 8] = aten.silu.default(linear)", lines(self.program))
        self.assertEqual(pt2.verify(self.program), [])

    def test_several_results_are_replaced(self):
        with pt2.edit(self.program) as g:
            g.output(g.call("aten.max.dim", g.node("relu"), 1).results[0])
            g.output(g.call("aten.split.Tensor", g.node("relu"), 4, 1).results[1])

        def swapped(x):
            values, places = pt2.ops.aten.min.dim(x, 1)
            return values, places

        def largest(x):
            values, places = pt2.ops.aten.max.dim(x, 1)
            return values, places

        self.assertEqual(pt2.rewrite(self.program, largest, swapped), 1)
        self.assertEqual(pt2.rewrite(self.program, "a, b = aten.split.Tensor(x, size, 1)\nreturn a, b", "a, b = aten.chunk(x, 2, 1)\nreturn a, b"), 1)
        self.assertEqual([finding for finding in pt2.verify(self.program) if finding.level != "note"], [])
        text = pt2.show(self.program)
        self.assertTrue("aten.min.dim" in text and "aten.chunk" in text and "aten.max.dim" not in text and "aten.split" not in text)


@unittest.skipIf(torch is None, "needs torch")
class TorchTest(unittest.TestCase):
    """Runs the examples of docs/python.md on programs that torch exports, and their results in torch."""

    def run_example(self, name, module, inputs):
        [code] = [code for heading, code in python_recipes_test.recipes() if heading == "Find and replace patterns" and f'"{name}.pt2"' in code]
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                torch.export.save(torch.export.export(module, inputs, strict=False), f"{name}.pt2")
                exec(code, {})
                self.assertEqual([finding for finding in pt2.verify(f"fused_{name}.pt2") if finding.level != "note"], [])
                fused = torch.export.load(f"fused_{name}.pt2")
            finally:
                os.chdir(before)
        torch.testing.assert_close(fused.module()(*inputs), module(*inputs))
        return [str(node.target) for node in fused.graph.nodes if node.op == "call_function"], fused.state_dict

    def test_operators_of_torch_may_be_called(self):
        def pattern(x, w, bias):
            return torch.ops.aten.relu.default(torch.ops.aten.linear(x, w, bias))

        program = pt2.load(TODAY / "mlp.pt2")
        self.assertEqual(pt2.match(program, pattern)[0]["bias"], "p_l1_bias")
        self.assertEqual(pt2.rewrite(program, pattern, lambda x, w: torch.ops.aten.linear.default(x, w, bias=None)), 1)
        with self.assertRaisesRegex(ValueError, "expected an operator of pt2.ops or torch.ops, got .*relu"):
            pt2.match(program, lambda x: torch.relu(x))

    def test_attention_is_fused(self):
        class Attention(torch.nn.Module):
            def forward(self, q, k, v):
                return torch.softmax((q @ k.transpose(-2, -1)) * 0.3, -1) @ v

        targets, _ = self.run_example("attention", Attention(), tuple(torch.randn(2, 3, 5, 4) for _ in range(3)))
        self.assertEqual(targets, ["aten.scaled_dot_product_attention.default"])

    def test_batch_norms_are_fused(self):
        torch.manual_seed(0)
        module = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, stride=2), torch.nn.BatchNorm2d(8), torch.nn.ReLU()).eval()
        for tensor in (module[1].weight.data, module[1].bias.data, module[1].running_mean):
            tensor.normal_()
        module[1].running_var.uniform_(0.5, 2)
        targets, weights = self.run_example("convnet", module, (torch.randn(2, 3, 8, 8),))
        self.assertEqual(targets, ["aten.conv2d.default", "aten.relu.default"])
        expected = torch.nn.utils.fusion.fuse_conv_bn_eval(module[0], module[1])
        torch.testing.assert_close(weights["0.weight"], expected.weight.data)
        torch.testing.assert_close(weights["0.bias"], expected.bias.data)


if __name__ == "__main__":
    unittest.main()
