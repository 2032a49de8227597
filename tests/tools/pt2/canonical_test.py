"""Canonical forms, as the pt2 command gives them: what leaves them the same, and what changes them.

Works on the JSON of programs with nothing of pt2's own, so that the two do not agree by sharing a mistake. PT2_BINARY is
the command to test; PT2_TEST_SEED, which is printed, sets what is random.
"""

import copy
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import head_schema  # noqa: E402
import random_seed  # noqa: E402

BINARY = os.environ["PT2_BINARY"]
DATA = pathlib.Path(__file__).resolve().parent.parent.parent / "data"
PROGRAMS = DATA / "programs"
RELEASES = ["2.6.0", "2.8.0", "2.12.1", "2.13.0", "2.14.0", "2.15.0"]


def pt2(*arguments, document=None):
    """(exit code, stdout, stderr); `document` goes to standard input as JSON."""
    text = b"" if document is None else json.dumps(document).encode()
    result = subprocess.run([BINARY, *map(str, arguments)], input=text, capture_output=True, timeout=60)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def form(document, name):
    code, out, err = pt2("canonicalize", "-", "--form", name, "-o", "-", document=document)
    assert code == 0, err
    return out


def program_files(release):
    files = (PROGRAMS / f"torch-{release}").glob("*.json")
    return sorted(path for path in files if path.name != "about.json" and path.suffixes == [".json"])


def load(path):
    return json.loads(path.read_text())



def graphs(graph):
    """The graph and its subgraphs."""
    yield graph
    for node in graph["nodes"]:
        for item in node["inputs"]:
            if "as_graph" in item["arg"]:
                yield from graphs(item["arg"]["as_graph"]["graph"])


def rename_values(value, rename):
    """Renames the values of one graph, wherever they are named but in its subgraphs."""
    if isinstance(value, list):
        for item in value:
            rename_values(item, rename)
    if not isinstance(value, dict) or "as_graph" in value:
        return
    for key, item in value.items():
        is_argument = key == "name" and set(value) <= {"name", "class_fqn"}
        is_constant = key == "name" and set(value) == {"name", "value"}
        if key in ("as_name", "user_input_name") or is_argument or is_constant:
            value[key] = rename(item)
        else:
            rename_values(item, rename)


def rename_everything(document, rng):
    module = document["graph_module"]
    for graph in graphs(module["graph"]):
        names = {}

        def rename(name):
            if name not in names:
                names[name] = rng.choice(["_", "v", "add_", "n"]) + str(len(names) * 7 % 1009 + rng.randint(0, 1) * 10000)
                while list(names.values()).count(names[name]) > 1:
                    names[name] += "0"
            return names[name]

        order = sorted(graph["tensor_values"], key=lambda _: rng.random())
        for name in order:
            rename(name)
        rename_values([graph["inputs"], graph["outputs"]], rename)
        for node in graph["nodes"]:
            rename_values([[item["arg"] for item in node["inputs"]], node["outputs"]], rename)
            if node["name"] is not None:
                node["name"] = f"node_{rng.getrandbits(40)}"
        if graph is module["graph"]:
            rename_values([module["signature"], [call["signature"] for call in module["module_call_graph"]]], rename)
        for table in ("tensor_values", "sym_int_values", "sym_bool_values", "sym_float_values", "custom_obj_values"):
            graph[table] = {rename(name): value for name, value in graph[table].items()}
        subgraphs = {}
        for node in graph["nodes"]:
            for item in node["inputs"]:
                if "as_graph" in item["arg"]:
                    subgraph = item["arg"]["as_graph"]
                    subgraph["name"] = subgraphs.setdefault(subgraph["name"], f"sub_{rng.getrandbits(40)}")
    rename_symbols(document, rng)


def rename_symbols(document, rng):
    text = json.dumps({key: value for key, value in document.items() if key != "range_constraints"})
    symbols = re.findall(r"Symbol\('(\w+)'", text) + re.findall(r"\b[a-z]\d+\b", " ".join(document["range_constraints"]))
    new = {}
    for letter in {symbol[0] for symbol in symbols}:
        of_letter = sorted({symbol for symbol in symbols if symbol[0] == letter})
        for symbol, number in zip(of_letter, rng.sample(range(500), len(of_letter))):
            new[symbol] = f"{letter}{number}"
    document.update(json.loads(re.sub(r"Symbol\('(\w+)'", lambda match: f"Symbol('{new[match[1]]}'", text)))
    document["range_constraints"] = {re.sub(r"\b[a-z]\d+\b", lambda match: new[match[0]], key): value
                                     for key, value in document["range_constraints"].items()}


def shuffle_maps(value, rng):
    """Every JSON object that is a map, and what else has no order."""
    if isinstance(value, list):
        for item in value:
            shuffle_maps(item, rng)
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("tensor_values", "sym_int_values", "sym_bool_values", "sym_float_values", "custom_obj_values",
                       "opset_version", "range_constraints", "metadata", "as_string_to_argument"):
                items = list(item.items())
                rng.shuffle(items)
                value[key] = dict(items)
            if key == "guards_code":
                rng.shuffle(item)
            shuffle_maps(value[key], rng)


def names_in(value):
    found = []
    rename_values(copy.deepcopy(value), lambda name: found.append(name) or name)
    return found


def has_effects(node):
    words = ("_assert", "sym_constrain", "with_effects", "dropout", "bernoulli", "fxlib", ".add_.", ".zero_.")
    return any(word in node["target"] for word in words)


def shuffle_nodes(graph, rng):
    """Another order that computes the same: each node stays after what it needs, and of nodes with effects, and of those
    that may see the same memory, if one of them writes there, the first stays first."""
    nodes = graph["nodes"]
    uses = [set(names_in([item["arg"] for item in node["inputs"]])) for node in nodes]
    gives = [set(names_in(node["outputs"])) for node in nodes]
    memory = {}

    def root(name):
        while memory.setdefault(name, name) != name:
            name = memory[name]
        return name

    for i, node in enumerate(nodes):
        if any(word in node["target"] for word in (".add_.", ".alias.", ".cond")):
            for name in gives[i]:
                for base in uses[i]:
                    memory[root(name)] = root(base)

    def depend(i, j):
        if gives[i] & uses[j] or (has_effects(nodes[i]) and has_effects(nodes[j])):
            return True
        writes = ".add_." in nodes[i]["target"] or ".add_." in nodes[j]["target"]
        return writes and bool({root(name) for name in uses[i]} & {root(name) for name in uses[j]})

    waiting = [sum(depend(i, j) for i in range(j)) for j in range(len(nodes))]
    order, left = [], set(range(len(nodes)))
    while left:
        i = rng.choice(sorted(i for i in left if waiting[i] == 0))
        left.remove(i)
        order.append(nodes[i])
        for j in left:
            waiting[j] -= j > i and depend(i, j)
    graph["nodes"] = order


def disguised(document, rng, reorder):
    """Returns the same program as a different exporter might write it."""
    document = copy.deepcopy(document)
    if reorder:
        for graph in graphs(document["graph_module"]["graph"]):
            shuffle_nodes(graph, rng)
    rename_everything(document, rng)
    shuffle_maps(document, rng)
    for graph in graphs(document["graph_module"]["graph"]):
        for node in graph["nodes"]:
            node["metadata"]["stack_trace"] = f"line {rng.getrandbits(20)}"
    document["torch_version"] = rng.choice(["2.13.0", "2.14.0", "2.15.0"])
    return document



def tensor(name):
    return {"as_tensor": {"name": name}}


def random_graph(rng, inputs, size, depth=0):
    """A graph of pure nodes, views, pure subgraphs, at depth 0 random draws and changes in place; many alike, some that
    nobody needs."""
    known, nodes = list(inputs), []

    def argument():
        value = tensor(rng.choice(known))
        return rng.choice([value, value, value, {"as_string_to_argument": {"b": value, "a": tensor(rng.choice(known))}},
                           {"as_tensors": [value["as_tensor"], {"name": rng.choice(known)}]},
                           {"as_optional_tensors": [{"as_none": True}, value]}, {"as_optional_tensor": value}])

    for i in range(size):
        target = rng.choice(["add.Tensor"] * 4 + ["mul.Tensor", "relu.default", "zeros.default", "alias.default", "max.dim",
                                                  "cond"] + ["add_.Tensor", "bernoulli.default"] * (depth == 0))
        outputs = [tensor(f"v{i}")]
        if target == "cond" and depth < 2:
            branch = random_graph(rng, ["a", "b"], rng.randint(1, 4), depth + 1)
            arguments = [{"as_graph": {"name": f"g{i}", "graph": branch}}, {"as_tensors": [{"name": rng.choice(known)}] * 2}]
        elif target in ("relu.default", "bernoulli.default", "alias.default", "add_.Tensor", "cond"):
            arguments = [tensor(rng.choice(known))]
        elif target == "zeros.default":
            arguments = [{"as_ints": [2]}]
        else:
            arguments = [argument(), rng.choice([argument(), {"as_int": rng.randint(1, 2)}, {"as_float": 1.0}])]
        if target == "max.dim":
            outputs.append(tensor(f"w{i}"))
        target = "torch.ops.higher_order.cond" if target == "cond" else f"torch.ops.aten.{target}"
        nodes.append({"target": target, "inputs": [{"name": "", "arg": item, "kind": 1} for item in arguments],
                      "outputs": outputs, "metadata": {}, "is_hop_single_tensor_return": None, "name": f"v{i}"})
        known += [item["as_tensor"]["name"] for item in outputs]
    meta = {"dtype": 7, "sizes": [{"as_int": 2}], "requires_grad": False, "device": {"type": "cpu", "index": None},
            "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}
    return {"inputs": [tensor(name) for name in inputs],
            "outputs": [tensor(name) for name in rng.sample(known, rng.randint(1, 2))], "nodes": nodes,
            "tensor_values": {name: meta for name in known}, "sym_int_values": {}, "sym_bool_values": {},
            "is_single_tensor_return": False, "custom_obj_values": {}, "sym_float_values": {}}


def random_program(rng):
    document = load(PROGRAMS / "torch-2.13.0" / "no_inputs.json")
    graph = random_graph(rng, ["x", "y"], rng.randint(1, 20))
    document["graph_module"]["graph"] = graph
    document["graph_module"]["signature"] = {
        "input_specs": [{"user_input": {"arg": item}} for item in graph["inputs"]],
        "output_specs": [{"user_output": {"arg": item}} for item in graph["outputs"]]}
    return json.loads(json.dumps(document))



def arguments_of(document):
    for graph in graphs(document["graph_module"]["graph"]):
        for node in graph["nodes"]:
            for item in node["inputs"]:
                yield graph, node, item


def change_literal(document, rng):
    literals = [item["arg"] for _, _, item in arguments_of(document)
                if set(item["arg"]) & {"as_int", "as_float", "as_string", "as_bool", "as_ints", "as_scalar_type"}]
    if not literals:
        return False
    argument = rng.choice(literals)
    kind, value = next(iter(argument.items()))
    if kind == "as_float":
        argument[kind] = 0.25 if value == 0.125 else 0.125
    elif isinstance(value, bool):
        argument[kind] = not value
    elif isinstance(value, list):
        argument[kind] = value + [1]
    else:
        argument[kind] = value + "x" if isinstance(value, str) else value + 1
    return True


def change_edge(document, rng):
    """A graph input is used once more, and a result once less."""
    candidates = []
    for graph, _, item in arguments_of(document):
        inputs = [argument["as_tensor"]["name"] for argument in graph["inputs"] if "as_tensor" in argument]
        if "as_tensor" in item["arg"] and inputs and item["arg"]["as_tensor"]["name"] not in inputs:
            candidates.append((item, inputs))
    if not candidates:
        return False
    item, inputs = rng.choice(candidates)
    item["arg"] = tensor(rng.choice(inputs))
    return True


def change_dtype(document, rng):
    metas = [meta for graph in graphs(document["graph_module"]["graph"]) for meta in graph["tensor_values"].values()]
    meta = rng.choice(metas)
    meta["dtype"] = 13 if meta["dtype"] != 13 else 6
    return True


def change_operator(document, rng):
    nodes = [node for graph in graphs(document["graph_module"]["graph"]) for node in graph["nodes"]]
    if not nodes:
        return False
    rng.choice(nodes)["target"] += "_other"
    return True


def change_argument_name(document, rng):
    arguments = list(arguments_of(document))
    if not arguments:
        return False
    rng.choice(arguments)[2]["name"] += "_other"
    return True


CHANGES = [change_literal, change_edge, change_dtype, change_operator, change_argument_name]


class Forms(unittest.TestCase):
    maxDiff = 2000

    def setUp(self):
        self.rng = random.Random(f"{random_seed.SEED} {self.id()}")

    def models(self):
        """Each model, as one release or another exported it."""
        for name in sorted(path.name for path in program_files("2.13.0")):
            releases = [release for release in RELEASES if (PROGRAMS / f"torch-{release}" / name).exists()]
            yield PROGRAMS / f"torch-{self.rng.choice(releases)}" / name

    def with_head_fields(self, path):
        """The document with all fields of the head schema."""
        return json.loads(pt2("convert", path, "-")[1])

    def test_torch_is_what_torch_2_13_gave_of_the_fixtures(self):
        for release in ["2.6.0", "2.8.0", "2.13.0"]:
            expected = {path.name: path for path in (DATA / "canonical" / f"torch-{release}").glob("*.json")}
            self.assertGreater(len(expected), 10)
            for path in program_files(release):
                with self.subTest(path=path):
                    code, out, err = pt2("canonicalize", path, "--form", "torch", "-o", "-")
                    self.assertEqual((code, err), (0, ""))
                    of_torch = expected[path.name].read_text()
                    self.assertEqual(head_schema.as_torch_wrote(out, of_torch), of_torch)

    def test_forms_applied_again_change_nothing(self):
        fixtures = [self.with_head_fields(path) for path in self.models()]
        programs = [random_program(self.rng) for _ in range(20)]
        for name, documents in [("torch", fixtures), ("names", fixtures + programs), ("normal", fixtures + programs)]:
            for document in documents:
                once = form(document, name)
                self.assertEqual(form(json.loads(once), name), once)

    def test_normal_of_names_is_normal(self):
        for path in self.models():
            document = self.with_head_fields(path)
            self.assertEqual(form(json.loads(form(document, "names")), "normal"), form(document, "normal"))

    def test_names_leaves_all_else_as_it_is(self):
        for path in self.models():
            document = self.with_head_fields(path)
            after = json.loads(form(document, "names"))
            self.assertEqual([node["target"] for node in document["graph_module"]["graph"]["nodes"]],
                             [node["target"] for node in after["graph_module"]["graph"]["nodes"]])
            for key in ("schema_version", "verifiers", "opset_version"):
                self.assertEqual(document[key], after[key])

    def test_the_sides_of_an_equation_keep_their_places(self):  # torch loads Eq(u0, 1), but not Eq(1, u0)
        document = load(PROGRAMS / "torch-2.13.0" / "mlp.json")
        text = "Equality(Symbol('u0', integer=True), Integer(1))"
        expression = {"as_expr": {"expr_str": text, "hint": None}}
        document["graph_module"]["graph"]["sym_bool_values"]["item"] = expression
        for name in ("names", "normal"):
            after = json.loads(form(document, name))["graph_module"]["graph"]["sym_bool_values"]
            self.assertEqual(list(after.values()), [expression])

    def test_renaming_and_shuffling_maps_leave_names_the_same(self):
        for path in self.models():
            with self.subTest(path=path):
                document = self.with_head_fields(path)
                self.assertEqual(form(disguised(document, self.rng, False), "names"), form(document, "names"))
        for _ in range(40):
            document = random_program(self.rng)
            self.assertEqual(form(disguised(document, self.rng, False), "names"), form(document, "names"))

    def test_renaming_shuffling_maps_and_reordering_independent_nodes_leave_normal_the_same(self):
        for path in self.models():
            with self.subTest(path=path):
                document = self.with_head_fields(path)
                self.assertEqual(form(disguised(document, self.rng, True), "normal"), form(document, "normal"))

    def test_reordering_random_programs_leaves_normal_the_same(self):
        for _ in range(100):
            document = random_program(self.rng)
            self.assertEqual(form(disguised(document, self.rng, True), "normal"), form(document, "normal"))

    def test_a_literal_an_edge_a_dtype_an_operator_change_names_and_normal(self):
        documents = [self.with_head_fields(path) for path in self.models()]
        documents += [random_program(self.rng) for _ in range(10)]
        for document in documents:
            before = {name: form(document, name) for name in ["names", "normal"]}
            for change in CHANGES:
                other = disguised(document, self.rng, True)
                if change(other, self.rng):
                    for name in before:
                        with self.subTest(change=change.__name__, form=name):
                            self.assertNotEqual(form(other, name), before[name])

    def diff(self, a, b):
        """Returns the output of pt2 diff --json for two documents, and its exit code."""
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder) / name for name in ("a.json", "b.json")]
            for file, document in zip(files, (a, b)):
                file.write_text(json.dumps(document))
            code, out, err = pt2("diff", *files, "--json")
        self.assertEqual(err, "")
        return json.loads(out)["differences"], code

    def test_diff_finds_nothing_in_a_disguise_and_one_change_in_few_places(self):
        documents = [self.with_head_fields(path) for path in self.models()]
        documents += [random_program(self.rng) for _ in range(10)]
        for document in documents:
            self.assertEqual(self.diff(document, disguised(document, self.rng, True)), ([], 0))
            change = self.rng.choice(CHANGES)
            other = copy.deepcopy(document)
            if change(other, self.rng):
                with self.subTest(change=change.__name__):
                    differences, code = self.diff(document, other)
                    self.assertEqual(code, 1)
                    self.assertTrue(differences)
                    self.assertNotIn("values", {difference["part"] for difference in differences})

    def test_hash_is_the_sha_256_of_normal(self):
        path = PROGRAMS / "torch-2.13.0" / "gpt2.json"
        expected = hashlib.sha256(form(load(path), "normal").encode()).hexdigest()
        self.assertEqual(pt2("hash", path), (0, f"sha256:{expected}\n", ""))
        self.assertEqual(pt2("hash", path.with_suffix(".pt2")), (0, f"sha256:{expected}\n", ""))

    def test_what_releases_exported_alike_hashes_alike(self):
        for path in program_files("2.13.0"):
            files = [PROGRAMS / f"torch-{release}" / path.name for release in ["2.12.1", "2.13.0", "2.14.0", "2.15.0"]]
            hashes = {pt2("hash", file) for file in files if file.exists()}
            self.assertEqual(len(hashes), 1)


if __name__ == "__main__":
    unittest.main()
