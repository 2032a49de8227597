"""Tests of the options of `pt2 show`.

PT2_BINARY names the command.
"""

import gzip
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = os.environ["PT2_BINARY"]
PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs"
HEAD = PROGRAMS / "torch-2.13.0"
GPT2 = HEAD / "gpt2.pt2"


def show(*arguments):
    done = subprocess.run([BINARY, "show", *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def nodes(*arguments):
    """Returns the lines of nodes."""
    code, out, err = show(*arguments)
    assert (code, err) == (0, ""), err
    return out.split("\nnodes\n")[1].split("\n\n")[0].splitlines()


class Show(unittest.TestCase):
    def test_depth_makes_a_line_of_each_module_that_is_nested_deeper(self):
        lines = nodes(GPT2, "--depth", 0)
        self.assertIn("  b.0: Block, 15 nodes", lines)
        self.assertIn("  head: Linear, 1 node", lines)
        self.assertEqual([line for line in lines if "b.0.qkv" in line], [])
        self.assertIn("  b.0.qkv: Linear, 1 node", nodes(GPT2, "--depth", 1))
        self.assertEqual(nodes(GPT2, "--depth", 9), nodes(GPT2))

    def test_blocks_that_do_the_same_are_shown_once(self):
        lines = nodes(GPT2, "--fold")
        self.assertIn("  b.1: the same as b.0, 15 nodes", lines)
        self.assertEqual(len([line for line in lines if "aten.gelu" in line]), 1)
        with tempfile.TemporaryDirectory() as folder:
            large = pathlib.Path(folder, "large.json")
            large.write_bytes(gzip.decompress((PROGRAMS / "large" / "gpt24_decomposed.json.gz").read_bytes()))
            folded = nodes(large, "--fold")
            (line,) = [line for line in folded if "each the same as" in line]
            self.assertRegex(line, r"^  b\.\d+ \.\.\. b\.23: each the same as b\.\d+, \d+ nodes$")
            every = nodes(large)
            shown = [line for line in folded if " the same as " not in line]
            hidden = sum(int(re.search(r"(\d+) nodes?$", line)[1]) for line in folded if " the same as " in line)
            self.assertEqual(len(shown) + hidden, len(every))
            self.assertLess(set(shown), set(every))

    def test_blocks_that_differ_in_a_literal_are_not_the_same(self):
        program = json.loads((HEAD / "gpt2.json").read_text())
        for node in program["graph_module"]["graph"]["nodes"]:
            if node["outputs"][0].get("as_tensor", {}).get("name") == "layer_norm_2":
                node["inputs"][-1]["arg"] = {"as_float": 0.5}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(program, file)
            file.flush()
            self.assertNotIn("  b.1: the same as b.0, 15 nodes", nodes(file.name, "--fold"))

    def test_a_module_is_shown_alone(self):
        lines = nodes(GPT2, "--module", "b.0.qkv")
        self.assertEqual(lines, [line for line in nodes(GPT2) if line.startswith("  linear: ")])
        self.assertNotIn("inputs", show(GPT2, "--module", "b.0.qkv")[1])
        self.assertEqual(nodes(GPT2, "--module", ""), nodes(GPT2))
        code, out, err = show(GPT2, "--module", "b.0.qvk")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("unknown module 'b.0.qvk', did you mean 'b.0.qkv'?", err)

    def test_source_lines_come_below_their_nodes(self):
        lines = nodes(GPT2, "--module", "b.0.o", "--source")
        self.assertRegex(lines[1], r"^    # .*linear\.py:\d+: return F\.linear")
        self.assertEqual(len(lines), 2)

    def test_a_node_is_shown_with_arguments_defaults_users_and_metadata(self):
        code, out, _ = show(GPT2, "--node", "add")
        self.assertEqual(code, 0)
        self.assertTrue(out.startswith("add: aten.add.Tensor\n"), out)
        self.assertRegex(out, r"\n  alpha +1 +default\n")
        self.assertRegex(out, r"\n  add +f32\[2, s48, 32\] +used by ")
        self.assertIn("\nstack_trace\n", out)
        self.assertIn("true_graph_0", show(HEAD / "cond.pt2", "--node", "getitem/true_graph_0/sin")[1])
        code, _, err = show(GPT2, "--node", "ad")
        self.assertEqual(code, 2)
        self.assertIn("unknown node 'ad', did you mean 'add'?", err)

    def test_folding_and_depth_count_weights_and_list_what_the_user_gives(self):
        for option in (["--depth", 0], ["--fold"]):
            lines = show(GPT2, *option)[1].split("\ninputs\n")[1].split("\n\n")[0].splitlines()
            self.assertEqual(len([line for line in lines if " user input" in line]), len(lines) - 1)
            self.assertRegex(lines[-1], r"^  and \d+ parameters$")
        self.assertIn('parameter "b.0.qkv.weight"', show(GPT2)[1])

    def test_a_module_of_one_node_is_not_folded(self):
        self.assertEqual([line for line in nodes(GPT2, "--fold") if line.endswith(", 1 node")], [])

    def test_json_has_each_node_with_arguments_results_and_module(self):
        program = json.loads(show(GPT2, "--json")[1])
        document = json.loads((HEAD / "gpt2.json").read_text())["graph_module"]["graph"]
        self.assertEqual([node["name"] for node in program["nodes"]],
                         [re.search(r'"(?:name|as_name)": "(\w+)"', json.dumps(node["outputs"]))[1] for node in document["nodes"]])
        self.assertEqual([f"torch.ops.{node['operator']}" for node in program["nodes"]], [node["target"] for node in document["nodes"]])
        self.assertEqual([each["name"] for each in program["inputs"]], [each["as_tensor"]["name"] for each in document["inputs"]])
        inputs = {each["name"]: each for each in program["inputs"]}
        self.assertEqual(inputs["p_b_0_qkv_weight"], {"name": "p_b_0_qkv_weight", "type": "f32[96, 32]", "is": 'parameter "b.0.qkv.weight"',
                                                      "target": "b.0.qkv.weight"})
        linear = next(node for node in program["nodes"] if node["operator"] == "aten.linear.default")
        self.assertEqual((linear["module"], linear["graph"]), ("b.0.qkv", ""))
        self.assertEqual(linear["arguments"][1], {"name": "weight", "text": "p_b_0_qkv_weight", "default": False})
        only = json.loads(show(GPT2, "--json", "--node", "linear")[1])
        self.assertEqual([node["name"] for node in only["nodes"]], ["linear"])
        self.assertIn("stack_trace", only["nodes"][0]["metadata"])
        part = json.loads(show(GPT2, "--json", "--module", "b.0")[1])
        self.assertEqual({node["module"].split(".")[:2][1] for node in part["nodes"]}, {"0"})
        self.assertLess(len(part["nodes"]), len(program["nodes"]))
        subgraphs = json.loads(show(HEAD / "cond.pt2", "--json")[1])["nodes"]
        self.assertIn("getitem/true_graph_0", {node["graph"] for node in subgraphs})

    def test_nodes_whose_metadata_cannot_be_read_are_shown_without_modules(self):
        program = json.loads((HEAD / "mlp.json").read_text())
        odd = ["", ",", ";", "a", "a,b", "a,b,c,d", "k,[(,T", "k,p,T;", ";k,p,T", "k,\n,T", "@,@,@", ",L[,", "k@x,L['self'].,T", "k,a..b,T"]
        with tempfile.TemporaryDirectory() as folder:
            for text in odd:
                for node in program["graph_module"]["graph"]["nodes"][::2]:
                    node["metadata"] = dict.fromkeys(("nn_module_stack", "source_fn_stack", "from_node", "torch_fn", "stack_trace", "custom"), text)
                path = pathlib.Path(folder, "odd.json")
                path.write_text(json.dumps(program))
                plain = len(nodes(path))
                for options in (["--fold"], ["--depth", 1], ["--depth", 0, "--fold"], ["--module", ""], ["--source"], ["--json"], ["--node", "relu"],
                                ["--module", "l1"]):
                    with self.subTest(text=text, options=options):
                        code, _, err = show(path, *options)
                        self.assertIn((code, err), [(0, "")] + [(2, err)] * (options[0] == "--module"))
                self.assertEqual(len(nodes(path, "--depth", 9)), plain)
                for command in (["stats", "--by", "module"], ["stats", "--by", "node"], ["view", "-o", "-"], ["export", "--format", "dot"],
                                ["view", "-o", "-", "--format", "model-explorer"], ["retarget", "-o", "-", "--dtype", "float16", "--keep", "relu"],
                                ["hash"], ["info"], ["diff", HEAD / "mlp.json"]):
                    done = subprocess.run([BINARY, *command, path], capture_output=True, text=True)
                    self.assertIn((done.returncode, done.stderr), [(0, ""), (1, "")] if command[0] == "diff" else [(0, "")], (text, command))

    def test_json_of_a_signature_is_that_of_info(self):
        info = json.loads(subprocess.run([BINARY, "info", "--json", GPT2], capture_output=True, text=True).stdout)
        self.assertEqual(json.loads(show(GPT2, "--signature", "--json")[1]), info["signature"])

    def test_json_has_all_nodes_so_that_nothing_can_be_folded(self):
        for option in (["--fold"], ["--depth", 1], ["--source"]):
            code, out, err = show(GPT2, "--json", *option)
            self.assertEqual((code, out), (2, ""))
            self.assertIn(option[0], err)

    def test_colours_are_forced_or_forbidden(self):
        self.assertIn("\x1b[2m", show(GPT2, "--color", "always")[1])
        self.assertNotIn("\x1b", show(GPT2, "--color", "auto")[1])
        self.assertNotIn("\x1b", show(GPT2, "--color", "never")[1])
        self.assertEqual(show(GPT2, "--color", "yes")[0], 2)


if __name__ == "__main__":
    unittest.main()
