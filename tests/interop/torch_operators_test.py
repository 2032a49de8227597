"""The table of operators against torch 2.13.0.

Every field of every operator that torch has must be what torch says; every schema string that torch knows must be read and
printed as torch prints it; and all arguments of all nodes, those that are left out with their defaults, must be what
torch's own schemas and serializer make of them.

What `pt2 operators` says is missing in Core ATen must be what torch has no tag for, and what torch's run_decompositions() makes of
programs must be among what it says that operators decompose to.

Needs torch. OPERATORS_DUMP names the test program that prints what the library knows, PT2_BINARY the pt2 command;
PT2_TEST_SEED, which is printed, sets the random schema strings.
"""

import functools
import importlib
import inspect
import json
import keyword
import operator
import os
import pathlib
import pkgutil
import random
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import programs
import torch
import torch._dynamo._trace_wrapped_higher_order_op
import torch._export.serde.schema as schema
import torch._export.serde.serialize as serialize
import torch._functorch.predispatch
import torch._higher_order_ops
import torch._inductor.fx_passes.control_dependencies
import torch.ao.quantization.fx._decomposed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

ROOT = pathlib.Path(__file__).parent.parent.parent
PROGRAMS = ROOT / "tests" / "data" / "programs"
DUMP = os.environ.get("OPERATORS_DUMP", "build/tests/operators_dump")
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
SPACES = ("aten", "prims", "quantized_decomposed")


def dump(*arguments, text=""):
    result = subprocess.run([DUMP, *arguments], input=text, capture_output=True, text=True, check=True)
    return result.stdout.splitlines()


@functools.cache
def table():
    """target: (operator as JSON, its schema string)."""
    rows = (line.split("\t") for line in dump("table"))
    return {item["target"]: (item, schema) for item, schema in ((json.loads(row), schema) for row, schema in rows)}


def release(text):
    return tuple(int(part) for part in text.split("."))


def is_in_this_release(item):
    this = release(re.match(r"\d+\.\d+", torch.__version__)[0])
    return (item["since"] is None or release(item["since"]) <= this) and \
        (item["until"] is None or release(item["until"]) >= this)


def full_name(schema):
    return schema.name + ("." + schema.overload_name if schema.overload_name else "")


# torch's verifier accepts these, which are not operators.
FUNCTIONS_OF_MODES = {torch._C._set_grad_enabled, torch.autograd.grad_mode.set_grad_enabled, torch.amp.autocast_mode._enter_autocast,
                      torch.amp.autocast_mode._exit_autocast,
                      *(function for _, function in inspect.getmembers(torch._functorch.predispatch, inspect.isfunction)
                        if function.__module__ == "torch._functorch.predispatch")}


@functools.cache
def torch_schemas():
    """target: (schema, tags) of what torch dispatches."""
    dispatched = set(torch._C._dispatch_get_all_op_names())
    found = {}
    for schema in torch._C._jit_get_all_schemas():
        space, base = schema.name.split("::")
        if space in SPACES and full_name(schema) in dispatched:
            overload = schema.overload_name or "default"
            target = f"torch.ops.{space}.{base}.{overload}"
            found[target] = (schema, getattr(getattr(getattr(torch.ops, space), base), overload).tags)
    return found


TYPE_KINDS = {"Tensor": "TensorType", "Scalar": "NumberType", "int": "IntType", "float": "FloatType", "bool": "BoolType",
              "str": "StringType", "complex": "ComplexType", "Device": "DeviceObjType", "Stream": "StreamObjType",
              "NoneType": "NoneType", "object": "ClassType", "variable": "VarType", "list": "ListType", "optional": "OptionalType",
              "tuple": "TupleType", "Dict": "DictType"}
KIND_NUMBERS = {"Tensor": 1, "Scalar": 2, "int": 3, "float": 4, "bool": 5, "str": 6, "complex": 7, "SymInt": 8,
                "SymFloat": 9, "SymBool": 10, "ScalarType": 11, "Layout": 12, "MemoryFormat": 13, "Device": 14,
                "Generator": 15, "Storage": 16, "Stream": 17, "QScheme": 18, "Any": 19, "variable": 25, "object": 26,
                "list": 30, "optional": 31, "tuple": 32, "Dict": 33}
KIND_NAMES = {number: name for name, number in KIND_NUMBERS.items()}
TAGS = ["core", "cudagraph_unsafe", "data_dependent_output", "dynamic_output_shape", "flexible_layout", "generated",
        "inplace", "inplace_view", "maybe_aliasing_or_mutating", "needs_contiguous_strides", "needs_exact_strides",
        "needs_fixed_stride_order", "nondeterministic_bitwise", "nondeterministic_seeded", "out", "out_variant",
        "pointwise", "pt2_compliant_tag", "reduction", "view_copy"]


def our_type(item):
    """As torch_type(): (kind, class name or '', items)."""
    name = KIND_NAMES[item["kind"]]
    return (TYPE_KINDS.get(name, name + "Type"), item["name"] or "", [our_type(inner) for inner in item["items"] or []])


def torch_type(item):
    name = item.annotation_str if item.kind() in ("ClassType", "VarType") else ""
    return (item.kind(), name, [torch_type(inner) for inner in item.containedTypes()] if item.kind() != "ClassType" else [])


def our_size(item):
    """What Argument.N is: the size of the list, which may be optional."""
    return item["size"] if KIND_NAMES[item["kind"]] != "optional" else our_size(item["items"][0])


def our_alias(item):
    if item is None:
        return None
    if item["is_of_items"]:
        return set(), set(), item["is_write"]  # Python does not expose the element types
    return set(item["before"]), set(item["after"] or item["before"]), item["is_write"]


def torch_alias(info):
    return info and (set(info.before_set), set(info.after_set), info.is_write)


def our_default(item):
    if item is None:
        return "none at all"
    (kind, value), = item.items()
    return None if kind == "as_none" else value


def torch_default(argument):
    return argument.default_value if argument.has_default_value() else "none at all"


class Table(unittest.TestCase):
    def test_every_field_of_every_operator_is_what_torch_says(self):
        self.assertGreater(len(torch_schemas()), 3000)
        for target, (schema, tags) in torch_schemas().items():
            item, text = table()[target]
            with self.subTest(target=target):
                self.assertEqual(text, str(schema))
                self.assertEqual(item["kind"], 0)
                self.assertEqual({TAGS[tag - 1] for tag in item["tags"]}, {tag.name for tag in tags})
                self.assertEqual(item["tags"], sorted(item["tags"]))
                self.assertEqual(len(item["arguments"]), len(schema.arguments))
                for ours, theirs in zip(item["arguments"], schema.arguments):
                    self.assertEqual(ours["name"], theirs.name)
                    self.assertEqual(our_type(ours["type"]), torch_type(theirs.real_type))
                    self.assertEqual(our_size(ours["type"]), theirs.N)
                    self.assertEqual(our_default(ours["default_value"]), torch_default(theirs))
                    self.assertIs(type(our_default(ours["default_value"])), type(torch_default(theirs)))
                    self.assertEqual(ours["is_keyword_only"], theirs.kwarg_only)
                    self.assertEqual(our_alias(ours["alias"]), torch_alias(theirs.alias_info))
                self.assertEqual(len(item["returns"]), len(schema.returns))
                for ours, theirs in zip(item["returns"], schema.returns):
                    self.assertEqual(ours["name"] or "", theirs.name)
                    self.assertEqual(our_type(ours["type"]), torch_type(theirs.real_type))
                    self.assertEqual(our_alias(ours["alias"]), torch_alias(theirs.alias_info))

    def test_has_what_torch_has_and_nothing_else(self):
        ours = {target for target, (item, _) in table().items() if is_in_this_release(item)}
        for module in pkgutil.iter_modules(torch._higher_order_ops.__path__):
            try:
                importlib.import_module(f"torch._higher_order_ops.{module.name}")
            except ImportError:
                pass
        theirs = set(torch_schemas()) | {f"torch.ops.higher_order.{name}" for name in torch._ops._higher_order_ops}
        theirs |= {f"{function.__module__}.{function.__name__}" for function in serialize._SYM_OPS | {operator.getitem}}
        theirs |= {f"{function.__module__}.{function.__name__}" for function in FUNCTIONS_OF_MODES}
        ours = {target for target in ours if not target.startswith(("torch.ops.torchvision.", "torch.ops.torchao."))}
        self.assertEqual(ours ^ theirs, set())

    def test_higher_order_operators_and_functions_have_the_argument_names_of_python(self):
        for target, (item, _) in table().items():
            if item["kind"] == 0 or not is_in_this_release(item) or target in ("_operator.getitem", "torch._C._set_grad_enabled"):
                continue
            with self.subTest(target=target):
                *module, name = target.split(".")
                if item["kind"] == 1:
                    parameters = list(inspect.signature(type(torch._ops._higher_order_ops[name]).__call__).parameters.values())[1:]
                else:
                    parameters = list(inspect.signature(getattr(importlib.import_module(".".join(module)), name)).parameters.values())
                named = []
                for parameter in parameters:
                    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                        break
                    named.append(parameter)
                self.assertEqual([argument["name"] for argument in item["arguments"]], [p.name for p in named])
                self.assertEqual([argument["is_keyword_only"] for argument in item["arguments"]],
                                 [p.kind == p.KEYWORD_ONLY for p in named])
                self.assertEqual(item["takes_more"], len(named) < len(parameters))

    def test_says_of_operators_that_came_and_went_when(self):
        self.assertIsNone(table()["torch.ops.aten.add.Tensor"][0]["since"])
        self.assertEqual(table()["torch.ops.higher_order.while_loop"][0]["since"], "2.3")
        self.assertEqual(table()["torch.ops.aten.rand.names"][0]["until"], "2.12")
        self.assertNotIn("torch.ops.aten.rand.names", torch_schemas())


class Script(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.table = pathlib.Path(folder.name) / "operators.txt"

    def run_script(self):
        subprocess.run([sys.executable, ROOT / "dev" / "port_operators.py", self.table], check=True, capture_output=True)
        return self.table.read_text()

    def test_makes_the_table_that_is_checked_in(self):
        checked_in = (ROOT / "schema" / "operators.txt").read_text()
        changes = self.table.with_name("operator_changes.txt")
        changes.write_text((ROOT / "schema" / changes.name).read_text())
        self.table.write_text(re.sub(r"(?m)^aten::relu\(.*? #", "aten::relu(Tensor was_other) -> Tensor #", checked_in))
        self.assertNotEqual(self.table.read_text(), checked_in)
        self.assertEqual(self.run_script(), checked_in)
        self.assertEqual(changes.read_text(), (ROOT / "schema" / changes.name).read_text())

    def test_notes_what_came_and_what_went_with_a_release(self):
        self.table.write_text("# releases: 2.1 2.12\n# schemas: 2.12\n"
                              "aten::relu(Tensor x) -> Tensor # has_effects since:2.12\n"
                              "aten::sin(Tensor x) -> Tensor # until:2.1\n"
                              "aten::was_there(Tensor x) -> Tensor # core\n"
                              "aten::was_gone(Tensor x) -> Tensor # until:2.1\n")
        lines = self.run_script().splitlines()
        self.assertIn("# releases: 2.1 2.12 2.13", lines)
        self.assertIn("# schemas: 2.13", lines)
        self.assertIn("aten::relu(Tensor self) -> Tensor # core pointwise pt2_compliant_tag has_effects since:2.12", lines)
        self.assertIn("aten::sin(Tensor self) -> Tensor # core pointwise pt2_compliant_tag", lines)
        self.assertIn("aten::was_there(Tensor x) -> Tensor # core until:2.12", lines)
        self.assertIn("aten::was_gone(Tensor x) -> Tensor # until:2.1", lines)
        self.assertIn("aten::cos(Tensor self) -> Tensor # core pointwise pt2_compliant_tag since:2.13", lines)
        changes = self.table.with_name("operator_changes.txt").read_text().splitlines()
        self.assertIn("aten::relu(Tensor x) -> Tensor # since:2.12 until:2.12", changes)
        self.assertIn("aten::sin(Tensor x) -> Tensor # until:2.1", changes)



def with_ints_in_tuples(schema):
    """Types of arguments that are tuples as torch shows them, which has no symbolic numbers there."""
    return re.sub(r"(?<=[(\s])\([\w?, \[\]]+\)(?=[\[\]?]* \w)", lambda found: found[0].replace("SymInt", "int"), schema)


class Schemas(unittest.TestCase):
    def test_are_printed_as_torch_prints_them(self):
        schemas = [str(schema) for schema in torch._C._jit_get_all_schemas()
                   if schema.name != "static_runtime::clamp_nan_to_num"]
        self.assertGreater(len(schemas), 4000)
        printed = dump("parse", text="".join(schema + "\n" for schema in schemas))
        self.assertEqual([(a, b) for a, b in zip(schemas, printed, strict=True) if a != b], [])

    def test_that_were_edited_at_random_are_refused_or_read_as_torch_reads_them(self):
        rng = random.Random(random_seed.SEED)
        schemas = [str(schema) for schema, _ in torch_schemas().values()]
        edited = [edit(rng.choice(schemas), rng) for _ in range(5000)]
        accepted = 0
        for schema, printed in zip(edited, dump("parse", text="".join(text + "\n" for text in edited)), strict=True):
            if printed.startswith("error: ") or "::" not in printed or PYTHON_WORDS & set(re.findall(r"\w+", schema)):
                continue  # torch accepts more names, except Python keywords
            accepted += 1
            expected = torch_printed(schema)
            if "Unknown custom class" in expected:
                continue
            with self.subTest(schema=schema):
                # torch cannot read devices as it prints them.
                self.assertEqual(with_ints_in_tuples(re.sub(r'(Device\?? \w+)="cpu"', r"\1=cpu", printed)), expected)
        self.assertGreater(accepted, 500)


PYTHON_WORDS = set(keyword.kwlist) - {"from", "True", "False", "None"}


def torch_printed(schema):
    try:
        return str(torch._C.parse_schema(schema))
    except RuntimeError as error:
        return str(error)


def edit(schema, rng):
    tokens = re.findall(r"\w+|->|.", schema)
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(tokens))
        choice = rng.randrange(4)
        if choice == 0:
            del tokens[at]
        elif choice == 1:
            tokens.insert(at, rng.choice(["?", "[]", "[3]", "(a!)", "*", ", ", "Tensor", "int", "=1", "=None", "(", ")"]))
        elif choice == 2:
            tokens[at] = rng.choice(tokens)
        else:
            tokens[at] = rng.choice(["str", "float", "SymInt", "2.5", "True", "-7", "[1, 2]", '"cpu"', "Mean", "long"])
    return "".join(tokens)



@torch.jit.script
def number_of(x: torch.Tensor) -> int:
    return x.dtype


def torch_default_as_argument(argument):
    """The default value as torch would write it if it were given."""
    value, kind = argument.default_value, argument.real_type
    kind = (kind.getElementType() if kind.kind() == "OptionalType" else kind).kind()
    if type(value) is int and kind == "ScalarTypeType":
        value = next(dtype for dtype in serialize._TORCH_TO_SERIALIZE_DTYPE if number_of(torch.empty(0, dtype=dtype)) == value)
    if type(value) is int and kind == "MemoryFormatType":
        value = {0: torch.contiguous_format, 1: torch.preserve_format}[value]
    if type(value) is int and kind == "FloatType":
        value = float(value)
    if value == []:
        return {"as_ints": []}
    serializer = serialize.GraphModuleSerializer(None, [])
    return json.loads(serialize._to_json_bytes(serializer.serialize_input(value, argument.real_type)))


def as_head(argument):
    """An argument with all fields, as old releases did not write them."""
    return json.loads(serialize._to_json_bytes(serialize._dict_to_dataclass(schema.Argument, argument)))


def expected_arguments(node, declared):
    given = {item["name"]: as_head(item["arg"]) for item in node["inputs"]}
    for argument in declared.arguments:
        is_given = argument.name in given
        yield {"name": argument.name, "arg": given[argument.name] if is_given else torch_default_as_argument(argument),
               "kind": 1 if is_given else 0}


def nodes_of(graph):
    for node in graph["nodes"]:
        yield node
        for item in node["inputs"]:
            if "as_graph" in item["arg"]:
                yield from nodes_of(item["arg"]["as_graph"]["graph"])


class Arguments(unittest.TestCase):
    def check(self, document):
        """How many arguments were left out."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.json"
            path.write_text(json.dumps(document))
            ours = [json.loads(line) for line in dump("arguments", path)]
        nodes = list(nodes_of(document["graph_module"]["graph"]))
        self.assertEqual([node["target"] for node in ours], [node["target"] for node in nodes])
        left_out = 0
        for found, node in zip(ours, nodes):
            if node["target"] in torch_schemas():
                with self.subTest(target=node["target"]):
                    expected = list(expected_arguments(node, torch_schemas()[node["target"]][0]))
                    self.assertEqual(found["inputs"], expected)
                    left_out += sum(item["kind"] == 0 for item in expected)
        return left_out

    def test_of_all_programs_are_those_of_torch(self):
        files = [path for path in sorted(PROGRAMS.glob("torch-*/*.json")) if path.name != "about.json"]
        documents = [json.loads(path.read_text()) for path in files]
        documents = [document for document in documents
                     if isinstance(document["schema_version"], dict) and document["schema_version"]["major"] == 8]
        self.assertGreater(len(documents), 40)
        self.assertGreater(sum(self.check(document) for document in documents), 500)

    def test_of_random_programs_are_those_of_torch(self):
        chance = random.Random(random_seed.SEED)
        for _ in range(5):
            program = serialize.ExportedProgramSerializer().serialize(programs.random_program(chance)).exported_program
            self.check(json.loads(serialize._to_json_bytes(program)))

    def test_of_every_operator_that_is_given_as_little_as_it_takes_are_those_of_torch(self):
        document = json.loads((PROGRAMS / "torch-2.13.0" / "no_inputs.json").read_text())
        document["graph_module"]["graph"]["nodes"] = [
            {"target": target, "outputs": [], "metadata": {}, "is_hop_single_tensor_return": None, "name": None,
             "inputs": [{"name": argument.name, "arg": {"as_none": True}, "kind": 1}
                        for argument in schema.arguments if not argument.has_default_value()]}
            for target, (schema, _) in torch_schemas().items()]
        self.assertGreater(self.check(document), 2500)



class CoreAten(unittest.TestCase):
    def overload(self, name):
        """Of torch; None: it has none."""
        found = torch.ops
        for part in name.split("."):
            found = getattr(found, part, None)
        return found if isinstance(found, torch._ops.OpOverload) else None

    def test_lacks_what_torch_does_not_tag_so(self):
        def is_missing(name):
            if name.startswith(("higher_order.", "_operator.", "math.", "torch.")):
                return False
            overload = self.overload(name)
            return overload is None or torch.Tag.core not in overload.tags

        verdicts = set()
        for path in sorted(PROGRAMS.glob("torch-*/*.pt2")):
            with self.subTest(path=path):
                done = subprocess.run([PT2, "operators", path, "--backend", "core-aten", "--json"], capture_output=True, text=True)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                for use in json.loads(done.stdout)["operators"]:
                    self.assertEqual(use["missing"] is not None, is_missing(use["name"]), use)
                    verdicts.add(use["missing"] is None)
        self.assertEqual(verdicts, {True, False})



class Decompositions(unittest.TestCase):
    def names(self, program):
        """The operators in its graphs, except those that return sizes."""
        nodes = (node for module in program.graph_module.modules() for node in getattr(getattr(module, "graph", None), "nodes", ()))
        return {str(node.target) for node in nodes if isinstance(node.target, torch._ops.OpOverload)} - SIZES

    def report(self, path):
        done = subprocess.run([PT2, "operators", path, "--backend", "-", "--json"], input="mine.own", capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        return {use["name"]: use["missing"]["decomposes_to"] for use in json.loads(done.stdout)["operators"]}

    def test_of_programs_give_what_is_named_and_nothing_else(self):
        decomposed = set()
        for path in sorted((PROGRAMS / "torch-2.13.0").glob("*.pt2")):
            try:
                program = torch.export.load(path)
                left = self.names(program.run_decompositions())
            except Exception:
                continue
            with self.subTest(path=path.name):
                named = self.report(path)
                expected = {made for name, all_made in named.items() for made in ([name] if all_made is None else all_made)}
                # torch adds assertions of ranges.
                self.assertLessEqual(left - {"aten._assert_scalar.default"}, expected)
                decomposed |= {name for name, all_made in named.items() if all_made is not None}
        self.assertGreater(len(decomposed), 10)


SIZES = {f"aten.sym_{what}" for what in ("size.int", "stride.int", "numel.default", "storage_offset.default")}


def setUpModule():
    warnings.simplefilter("ignore")


if __name__ == "__main__":
    unittest.main()
