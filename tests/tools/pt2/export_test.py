"""Tests of the graphs that `pt2 view --format model-explorer` and `pt2 export` write for other tools.

PT2_BINARY names the command. Where Graphviz is installed, it reads what is written for it.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

BINARY = os.environ["PT2_BINARY"]
HEAD = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs" / "torch-2.13.0"
MODELS = ["cond", "conv_bn_train", "effects", "gpt2", "joint", "sym_values"]
STRING = r'"(?:[^"\\]|\\.)*"'


def pt2(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True)


def info(model):
    return json.loads(pt2("info", HEAD / f"{model}.pt2", "--json").stdout)


def model_explorer(model):
    """Returns the only graph."""
    collection = json.loads(pt2("view", HEAD / f"{model}.pt2", "--format", "model-explorer", "-o", "-").stdout)
    assert collection["label"] == f"{model}.pt2"
    (graph,) = collection["graphs"]
    return graph


def dot(model):
    return pt2("export", HEAD / f"{model}.pt2", "--format", "dot").stdout


class ModelExplorer(unittest.TestCase):
    def test_edges_lead_from_outputs_that_nodes_have(self):
        for model in MODELS:
            nodes = {node["id"]: node for node in model_explorer(model)["nodes"]}
            self.assertGreaterEqual(len(nodes), info(model)["nodes"])
            for node in nodes.values():
                ids = [metadata["id"] for metadata in node["inputsMetadata"]]
                self.assertEqual([edge["targetNodeInputId"] for edge in node["incomingEdges"]], ids)
                for edge in node["incomingEdges"]:
                    outputs = [output["id"] for output in nodes[edge["sourceNodeId"]]["outputsMetadata"]]
                    self.assertIn(edge["sourceNodeOutputId"], outputs)

    def test_modules_are_namespaces_with_their_classes(self):
        graph = model_explorer("gpt2")
        nodes = {node["id"]: node for node in graph["nodes"]}
        self.assertEqual(nodes["linear"]["namespace"], "b.0/qkv")
        self.assertEqual(nodes["p_b_0_qkv_weight"]["namespace"], "b.0/qkv")
        self.assertEqual(graph["groupNodeAttributes"]["b.0/qkv"], {"class": "torch.nn.modules.linear.Linear"})

    def test_namespaces_are_ascii_which_is_all_that_model_explorer_draws(self):
        program = json.loads((HEAD / "mlp.json").read_text())
        graph = program["graph_module"]["graph"]
        relu = json.dumps(graph["nodes"][1])
        graph["nodes"] = [json.loads(relu.replace('"relu"', f'"layer{i}"').replace(".M\"", f".M;k{i},layers.{i},m.Layer\"")) for i in range(3)]
        written = subprocess.run([BINARY, "view", "-", "--format", "model-explorer", "-o", "-"], input=json.dumps(program), capture_output=True, text=True)
        namespaces = {node["namespace"] for node in json.loads(written.stdout)["graphs"][0]["nodes"]}
        self.assertIn("layers 0-2: 3 x Layer/layers.1", namespaces)

    def test_arguments_are_attributes_with_their_defaults(self):
        (add,) = [node for node in model_explorer("gpt2")["nodes"] if node["id"] == "add"]
        self.assertIn({"key": "alpha", "value": "1 (default)"}, add["attrs"])


class Dot(unittest.TestCase):
    def test_every_node_and_every_use_of_a_value_is_there(self):
        for model in MODELS:
            text, graph = dot(model), model_explorer(model)
            self.assertEqual(len(re.findall(rf"^ *n\d+ \[label={STRING}, tooltip={STRING}, shape=", text, re.M)), len(graph["nodes"]))
            edges = sum(len(node["incomingEdges"]) for node in graph["nodes"])
            self.assertEqual(len(re.findall(rf"^  n\d+ -> n\d+ \[label={STRING}, tooltip={STRING}\];$", text, re.M)), edges)
            self.assertEqual(text.count("{"), text.count("}"))

    @unittest.skipUnless(shutil.which("dot"), "Graphviz is not installed")
    def test_graphviz_reads_it(self):
        for model in MODELS:
            done = subprocess.run(["dot", "-Tplain"], input=dot(model), capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_subgraphs_are_clusters_that_their_node_leads_to(self):
        text = dot("cond")
        self.assertIn('label="true_graph_0"', text)
        self.assertEqual(text.count("[style=dashed]"), 2)


class Usage(unittest.TestCase):
    def test_unknown_formats_are_usage_errors_that_say_what_there_is(self):
        for arguments, expected in [(("view", "--format", "svg", "-o", "-"), "expected html or model-explorer, got 'svg'"),
                                    (("export", "--format", "svg"), "expected dot, got 'svg'"), (("view",), "-o OUT is required")]:
            done = pt2(*arguments, HEAD / "cond.pt2")
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
