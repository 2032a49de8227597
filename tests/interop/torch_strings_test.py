#!/usr/bin/env python3
"""The texts that a program holds are read as torch reads them; expressions, treespecs and stacks are written as it writes them.

Expressions, by sympy with torch's functions: all of the fixtures and random ones, their values where symbols are bound. Treespecs of
all containers, by torch.utils._pytree. Metadata, by torch's deserializer and Python's traceback. The expressions and
treespecs of the fixtures have to come back with the same bytes.

Needs torch. TEXT_FORMS names the program of text_forms.cpp, PT2_TEST_SEED sets the seed.
"""

import collections
import enum
import functools
import itertools
import json
import logging
import math
import operator
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import traceback
import unittest
import warnings

import programs
import sympy
import torch
from torch._export.serde import serialize
from torch._export.serde.serialize import GraphModuleDeserializer
from torch.utils import _pytree
from torch.utils._sympy import functions
from torch.utils._sympy.printers import PythonPrinter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

PROGRAMS = pathlib.Path(__file__).parent.parent / "data" / "programs"
TEXT_FORMS = os.environ.get("TEXT_FORMS", "build/tests/text_forms")
METADATA = ["nn_module_stack", "source_fn_stack", "torch_fn", "unbacked_bindings", "from_node", "custom", "stack_trace"]
FUNCTIONS = {name: getattr(functions, name) for name in dir(functions) if isinstance(getattr(functions, name), type)}


def answers(requests):
    """Returns text_forms' answer to each request: (result, error); one is None."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    run = subprocess.run([TEXT_FORMS], input=lines, capture_output=True, text=True, check=True)
    replies = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(replies) == len(requests)
    return [(reply.get("result"), reply.get("error")) for reply in replies]


def texts_of_fixtures():
    """The texts of all programs, by what they are."""
    texts = collections.defaultdict(set)

    def walk(value):
        if isinstance(value, list):
            for item in value:
                walk(item)
        if not isinstance(value, dict):
            return
        for key, item in value.items():
            if key in ("expr_str", "in_spec", "out_spec") and isinstance(item, str):
                texts["treespec" if key.endswith("_spec") else key].add(item)
            elif key == "metadata":
                for name, text in item.items():
                    if name == "nn_module_stack" and ":(" in text:
                        continue
                    texts["source_fn_stack" if name == "source_fn" else name].add(text)
            elif key == "guards_code":
                texts[key].update(item)
            elif key == "range_constraints":
                texts[key].update(item.keys())
                continue
            walk(item)

    for path in sorted(PROGRAMS.glob("torch-*/*.json")):
        walk(json.loads(path.read_text()))
    return texts


TEXTS = texts_of_fixtures()


def sympify(text):
    return sympy.sympify(text, locals=FUNCTIONS)


def bound(expression, values):
    symbols = {symbol: sympy.Integer(values[symbol.name]) for symbol in expression.free_symbols}
    return sympy.sympify(expression).xreplace(symbols)


class FixtureTest(unittest.TestCase):
    def assert_all(self, form, texts, expected):
        self.assertTrue(texts, form)
        for text, (result, error) in zip(texts, answers([[form, text] for text in texts])):
            self.assertIsNone(error, text)
            self.assertEqual(expected(text), result, text)

    def test_treespecs_come_back_with_the_same_bytes(self):
        self.assert_all("treespec", sorted(TEXTS["treespec"]), lambda text: text)

    def test_expressions_come_back_with_the_same_bytes(self):
        every = sorted(TEXTS["expr_str"] | TEXTS["range_constraints"])
        is_srepr = lambda text: "Symbol(" in text
        self.assert_all("srepr", list(filter(is_srepr, every)), lambda text: text)
        self.assert_all("readable", list(itertools.filterfalse(is_srepr, every)), lambda text: text)

    def test_expressions_and_guards_may_be_evaluated(self):
        self.assert_all("evaluated_expression", sorted(TEXTS["expr_str"] | TEXTS["range_constraints"]), lambda _: "harmless")
        self.assert_all("executed_guard", sorted(TEXTS["guards_code"]), lambda _: "harmless")

    def test_sources_of_nodes_are_read_with_all_fields(self):
        self.assert_all("from_node", sorted(TEXTS["from_node"]), lambda text: json.dumps(list(sources(json.loads(text) or []))))

    def test_metadata_is_split_as_torch_splits_it(self):
        for form in ("nn_module_stack", "source_fn_stack"):
            self.assert_all(form, sorted(TEXTS[form]), lambda text, form=form: json.dumps(split(form, text)))

    def test_stack_traces_are_read(self):
        for text, (result, error) in zip(
            TEXTS["stack_trace"], answers([["stack_trace", text] for text in TEXTS["stack_trace"]])
        ):
            self.assertIsNone(error)
            self.assertEqual(len(json.loads(result)), text.count('File "'), text)

    def test_every_kind_of_metadata_is_known(self):
        known = {*METADATA, "expr_str", "treespec", "guards_code", "range_constraints"}
        self.assertEqual(set(), set(TEXTS) - known)

    def test_guards_have_the_value_that_python_gives_them(self):
        values = {"L['x'].size()[0]": 6}
        python = {"L": {"x": torch.empty(6)}}
        texts = sorted(TEXTS["guards_code"])
        self.assertTrue(texts)
        for text, (result, error) in zip(texts, answers([["value", text, values] for text in texts])):
            self.assertIsNone(error, text)
            self.assertEqual(str(eval(text, python)), result, text)


def sources(items):
    for item in items:
        yield [str(item[key]) for key in ("name", "target", "graph_id", "pass_name", "action")]
        yield from sources(item["from_node"])


def split(form, text):
    """Returns torch's reading of nn_module_stack or source_fn_stack, as lists of texts."""
    if form == "source_fn_stack":  # torch looks up the whole stack, and has no function to split it
        return [item.split(",") for item in text.split(";")]
    stack = GraphModuleDeserializer().deserialize_metadata({"nn_module_stack": text})["nn_module_stack"]
    return [[key, path, kind] for key, (path, kind) in stack.items()]


class MetadataTest(unittest.TestCase):
    def test_module_stacks_of_any_names_are_split_as_torch_splits_them(self):
        chance = random.Random(random_seed.SEED)
        texts = ["".join(chance.choices("ab,,,[]().;", k=chance.randrange(14))) for _ in range(5000)]
        agreed = 0
        for text, (result, error) in zip(texts, answers([["nn_module_stack", text] for text in texts])):
            try:
                # torch makes no stack of an empty text.
                items = [split("nn_module_stack", item)[0] if item else [] for item in text.split(";")]
                if any(len(item) != 3 for item in items):
                    raise AssertionError
            except AssertionError:
                self.assertIsNotNone(error, f"{text} of seed {random_seed.SEED}")
                continue
            self.assertEqual(json.dumps(items), result, f"{text} of seed {random_seed.SEED}")
            agreed += 1
        self.assertGreater(agreed, 50)

    def test_frames_of_a_python_traceback_are_read(self):
        stack = traceback.extract_stack()
        expected = [[frame.filename, str(frame.lineno), frame.name, frame.line] for frame in stack if frame.line]
        text = "".join(f'  File "{file}", line {line}, in {name}\n    {code}\n' for file, line, name, code in expected)
        for form in (text, text.strip()):
            ((result, error),) = answers([["stack_trace", form]])
            self.assertIsNone(error)
            self.assertEqual(expected, json.loads(result))

    def test_the_values_of_custom_are_kept_as_json_dumps_wrote_them(self):
        custom = {"tag": "é", "numbers": [1, 2.5, None, {"deep": True}]}
        ((result, error),) = answers([["custom", json.dumps(custom)]])
        self.assertIsNone(error)
        self.assertEqual([[key, json.dumps(value)] for key, value in custom.items()], json.loads(result))


class TypeNamesTest(unittest.TestCase):
    def test_dtypes_layouts_and_memory_formats_have_torch_names(self):
        tables = {
            "dtype": serialize._TORCH_TO_SERIALIZE_DTYPE,
            "layout": serialize._TORCH_TO_SERIALIZE_LAYOUT,
            "memory_format": serialize._TORCH_TO_SERIALIZE_MEMORY_FORMAT,
        }
        entries = [(kind, str(value), number) for kind, table in tables.items() for value, number in table.items()]
        self.assertGreater(len(entries), 30)
        for (kind, name, number), (result, _) in zip(entries, answers([["type_names", name] for _, name, _ in entries])):
            self.assertEqual([[kind, str(int(number)), name.removeprefix("torch.")]], json.loads(result))

    def test_other_names_of_dtypes_are_those_of_torch(self):
        dtypes = {name: value for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
        known = {name: value for name, value in dtypes.items() if value in serialize._TORCH_TO_SERIALIZE_DTYPE}
        for (name, value), (result, _) in zip(known.items(), answers([["type_names", name] for name in known])):
            self.assertEqual([["dtype", str(value).removeprefix("torch.")]], [[i[0], i[2]] for i in json.loads(result)], name)



class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.norm = torch.nn.LayerNorm(4)

    def forward(self, x):
        a, b = self.linear(self.norm(x)).split([2, 2], -1)
        return torch.cat([b, a], -1) + x, a


class Nested(torch.nn.Module):
    """Calls one module twice, one under two names, and passes several values between them."""

    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList([Block(), Block()])
        self.relu = torch.nn.ReLU()
        self.odd = torch.nn.ModuleDict({"a,b": torch.nn.Linear(4, 4), "c:[22]": torch.nn.Tanh()})
        self.shared = self.blocks[0].linear

    def forward(self, x):
        x, a = self.blocks[0](x)
        x, _ = self.blocks[1](self.relu(x))
        x, _ = self.blocks[0](self.relu(x))
        return x + a.sum(), self.shared(self.odd["c:[22]"](x))


def calls_of_nodes(program):
    """For each call of a module its class and the names of the values that are made in it."""
    calls = collections.defaultdict(lambda: [None, []])
    for node in program.graph.nodes:
        if node.op != "call_function" or any(user.target is operator.getitem for user in node.users):
            continue
        chain = [("", "0")]
        for key, (path, kind) in node.meta.get("nn_module_stack", {}).items():
            if key.startswith("_empty_nn_module_stack"):
                continue
            chain.append((path, key.split("@")[1] if "@" in key else "0"))
            calls[chain[-1]][0] = kind
        for call in set(chain):
            calls[call][1].append(node.name)
    return calls


class ModuleTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def read(self, path):
        ((result, error),) = answers([["module_calls", str(path)]])
        self.assertIsNone(error)
        return {(call[0][0], call[0][2]): (call[0][1], *call[1:]) for call in json.loads(result)}

    def check(self, path):
        program = torch.export.load(path)
        ours = self.read(path)
        theirs = calls_of_nodes(program)
        self.assertEqual(set(theirs) | {("", "0")}, set(ours))
        # Unnamed: nodes without results in the file, unused nodes in torch.
        common = set(ours[("", "0")][1]) & {node.name for node in program.graph.nodes}
        for call, (kind, made) in theirs.items():
            if kind is not None:
                self.assertEqual(kind, ours[call][0])
            self.assertEqual([name for name in made if name in common], [name for name in ours[call][1] if name in common])
        return program, ours

    def check_unflattened(self, program, ours):
        """The modules that torch makes of the program take and give the same values."""
        checked = 0
        for name, module in torch.export.unflatten(program).named_modules():
            nodes = list(module.graph.nodes) if isinstance(module, torch.export.unflatten.__globals__["InterpreterModule"]) else []
            if not nodes:
                continue
            path, _, call = name.partition("@")
            _, _, _, inputs, outputs = ours[(path, call or "0")]
            self.assertEqual(sorted(node.name for node in nodes if node.op == "placeholder"), sorted(inputs), name)
            given = nodes[-1].args[0]
            self.assertEqual(len(given) if isinstance(given, (tuple, list)) else 1, len(outputs), name)
            checked += 1
        return checked

    def test_modules_of_fixtures_are_those_that_torch_loads(self):
        paths = list(programs.files("2.13.0", "2.14.0"))
        loaded = 0
        for path in paths:
            with self.subTest(path=path):
                try:
                    torch.export.load(path)
                except Exception:
                    continue
                self.check(path)
                loaded += 1
        self.assertGreater(loaded, len(paths) / 2)

    def test_modules_of_random_programs_are_those_that_torch_loads(self):
        chance = random.Random(random_seed.SEED)
        for _ in range(5):
            path = self.folder / "random.pt2"
            torch.export.save(programs.random_program(chance), path)
            self.check(path)

    def test_nested_modules_take_and_give_what_torch_makes_them_take_and_give(self):
        path = self.folder / "nested.pt2"
        for strict in (False, True):
            torch.export.save(torch.export.export(Nested(), (torch.randn(3, 4),), strict=strict), path)
            program, ours = self.check(path)
            self.assertIn(("odd._modules['c:[22]']" if strict else "odd.c:[22]", "0"), ours)
            self.assertGreater(self.check_unflattened(program, ours), 6)
            self.assertEqual(["x"], ours[("blocks.0", "0")][3])
            self.assertEqual(["p_blocks_0_norm_weight", "p_blocks_0_norm_bias"], ours[("blocks.0.norm", "0")][2])


class Colour(enum.Enum):
    RED = 1


Point = collections.namedtuple("Point", ["x", "y"])


class Registered:
    def __init__(self, *items):
        self.items = items


_pytree._register_namedtuple(Point, serialized_type_name=f"{Point.__module__}.Point")
_pytree.register_pytree_node(
    Registered, lambda r: (list(r.items), len(r.items)), lambda items, _: Registered(*items), serialized_type_name="my.Registered"
)


def random_tree(chance, depth):
    kind = chance.randrange(11 if depth else 1)
    children = [random_tree(chance, depth - 1) for _ in range(chance.randrange(4))] if kind else []
    keys = chance.sample(["a", "it's", 'say "x"', "é", "back\\slash", 3, True, "tab\t"], len(children))
    pair = [random_tree(chance, depth - 1) for _ in range(2)] if kind == 8 else []
    return [
        lambda: chance.choice([0, None, "text"]),
        lambda: tuple(children),
        lambda: list(children),
        lambda: dict(zip(keys, children)),
        lambda: collections.OrderedDict(zip(keys, children)),
        lambda: collections.defaultdict(chance.choice([int, torch.Tensor, collections.OrderedDict]), zip(keys, children)),
        lambda: collections.deque(children, maxlen=chance.choice([None, 5])),
        lambda: collections.deque(children),
        lambda: Point(*pair),
        lambda: Registered(*children),
        lambda: dict(zip(keys, children)),
    ][kind]()


class TreespecTest(unittest.TestCase):
    def test_random_trees_come_back_and_are_counted_as_torch_does_it(self):
        chance = random.Random(random_seed.SEED)
        specs = [_pytree.tree_structure(random_tree(chance, 4)) for _ in range(600)]
        texts = [_pytree.treespec_dumps(spec) for spec in specs]
        for form, expected in (("treespec", texts), ("leaves", (str(s.num_leaves) for s in specs))):
            for text, wanted, (result, error) in zip(texts, expected, answers([[form, text] for text in texts])):
                self.assertEqual((wanted, None), (result, error), f"{text} of seed {random_seed.SEED}")

    def test_keys_that_are_enumerators_come_back(self):
        text = _pytree.treespec_dumps(_pytree.tree_structure({Colour.RED: 1}))
        self.assertEqual([(text, None)], answers([["treespec", text]]))


UNDECIDED = object()
SYMBOLS = [sympy.Symbol(name, positive=True, integer=True) for name in ("s0", "s1", "s77")] + [sympy.Symbol("u0", integer=True)]


def random_whole(chance, depth):
    """A random expression with an integer value; sympy may simplify it to nothing."""
    inner = lambda: random_whole(chance, depth - 1)
    positive = lambda: chance.choice([*SYMBOLS[:3], sympy.Integer(chance.randrange(1, 6))])
    if depth == 0:
        return chance.choice([*SYMBOLS, sympy.Integer(chance.randrange(-4, 9)), sympy.Integer(chance.randrange(1, 5))])
    return chance.choice(
        [
            lambda: inner() + inner(),
            lambda: inner() - inner(),
            lambda: inner() * inner(),
            lambda: sympy.Pow(positive(), chance.randrange(0, 4)),
            lambda: functions.FloorDiv(inner(), positive()),
            lambda: functions.PythonMod(inner(), positive()),
            lambda: functions.Mod(positive() * positive(), positive() + 1),
            lambda: functions.CleanDiv(inner(), positive()),
            lambda: functions.CeilDiv(inner(), positive()),
            lambda: functions.ModularIndexing(positive(), positive(), positive()),
            lambda: functions.Max(inner(), inner()),
            lambda: functions.Min(inner(), inner(), positive()),
            lambda: functions.Where(random_condition(chance, 1), inner(), inner()),
            lambda: functions.PowByNatural(sympy.Integer(2), SYMBOLS[0]),
            lambda: functions.LShift(inner(), positive()),
            lambda: functions.RShift(inner(), positive()),
            lambda: functions.FloorToInt(functions.IntTrueDiv(inner(), positive())),
            lambda: functions.CeilToInt(functions.IntTrueDiv(inner(), positive())),
            lambda: functions.TruncToInt(functions.IntTrueDiv(inner(), positive())),
            lambda: functions.RoundToInt(functions.IntTrueDiv(inner(), sympy.Integer(2))),
            lambda: sympy.floor(inner() / positive()),
            lambda: sympy.ceiling(inner() / positive()),
            lambda: functions.BitwiseFn_bitwise_and(positive(), positive()),
            lambda: functions.BitwiseFn_bitwise_xor(positive(), positive()),
            lambda: sympy.Piecewise((inner(), random_condition(chance, 1)), (inner(), True)),
            lambda: functions.IsNonOverlappingAndDenseIndicator(positive(), positive(), positive(), positive()),
        ]
    )()


def random_expression(chance, depth):
    """A random expression of any value."""
    whole = lambda: random_whole(chance, depth - 1)
    positive = lambda: chance.choice([*SYMBOLS[:3], sympy.Integer(chance.randrange(1, 6))])
    if depth == 0 or chance.random() < 0.6:
        return random_whole(chance, depth)
    inner = lambda: random_expression(chance, depth - 1)
    return chance.choice(
        [
            lambda: inner() + inner(),
            lambda: inner() * inner(),
            lambda: inner() * sympy.Rational(chance.randrange(-5, 6), chance.randrange(1, 6)),
            lambda: sympy.Pow(positive(), chance.randrange(-3, 0)),
            lambda: functions.IntTrueDiv(whole(), positive()),
            lambda: functions.FloatTrueDiv(functions.ToFloat(whole()), sympy.Float(chance.choice([0.5, 3.0]))),
            lambda: functions.FloatPow(functions.ToFloat(positive()), sympy.Float(chance.choice([0.5, -1.5]))),
            lambda: functions.ToFloat(whole()) * sympy.Float(chance.choice([1.5, 0.1, -2.0])),
            lambda: functions.TruncToFloat(functions.IntTrueDiv(whole(), positive())),
            lambda: functions.RoundDecimal(functions.IntTrueDiv(whole(), positive()), sympy.Integer(2)),
            lambda: functions.OpaqueUnaryFn_sqrt(positive()),
            lambda: functions.OpaqueUnaryFn_log2(functions.ToFloat(positive())),
            lambda: getattr(functions, "OpaqueUnaryFn_" + chance.choice(["cos", "tanh", "asinh", "atan", "exp", "log"]))(positive()),
        ]
    )()


def random_root(chance):
    kind = chance.randrange(20)
    if kind < 4:
        return random_condition(chance, 2)
    if kind == 4:  # sympy compares exact roots, Python and libpt2 doubles
        return sympy.sqrt(chance.choice(SYMBOLS)) * random_expression(chance, 0) + random_expression(chance, 1)
    return random_expression(chance, chance.randrange(1, 5))


def random_condition(chance, depth):
    if depth == 0:
        relation = chance.choice([sympy.Eq, sympy.Ne, sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge])
        return relation(random_whole(chance, 1), random_whole(chance, 1))
    inner = lambda: random_condition(chance, depth - 1)
    return chance.choice([lambda: sympy.And(inner(), inner()), lambda: sympy.Or(inner(), inner()), lambda: sympy.Not(inner()), inner])()


def value_of(expression, values):
    """The number or truth value; None where sympy has none, UNDECIDED where torch's functions are left as they are."""
    try:
        value = bound(expression, values)
    except (RecursionError, ValueError):  # Max and Min raise ValueError for functions that they cannot compare
        return UNDECIDED
    except (ZeroDivisionError, AssertionError, OverflowError):
        return None
    if value in (sympy.true, sympy.false):
        return bool(value)
    if value.is_Rational:
        return value
    if value.has(sympy.Function):
        return UNDECIDED
    number = complex(value.evalf(30)) if value.is_number and value.is_finite else None
    return number.real if number is not None and number.imag == 0 and math.isfinite(number.real) else None


def number_of(text):
    if text in ("True", "False"):
        return text == "True"
    return sympy.Rational(text) if text.strip("-0123456789/") == "" else float(text)


class ExpressionTest(unittest.TestCase):
    def assert_same_value(self, wanted, text, result, error):
        if wanted is None:
            self.assertTrue(error is not None or result in ("inf", "-inf"), f"{text}: {result}")
            return
        self.assertIsNone(error, f"{text} is {wanted}; seed {random_seed.SEED}")
        number = number_of(result)
        is_exact = isinstance(wanted, (bool, sympy.Rational)) and not isinstance(number, float)
        is_same = wanted == number if is_exact else math.isclose(float(wanted), float(number), rel_tol=1e-11, abs_tol=1e-11)
        self.assertTrue(is_same, f"{text} is {wanted}, not {result}; seed {random_seed.SEED}")

    def test_expressions_of_fixtures_have_the_values_that_sympy_gives_them(self):
        texts = sorted(TEXTS["expr_str"] | TEXTS["range_constraints"])
        values = {f"{letter}{number}": 2 + number for letter in "sui" for number in range(100)}
        for text, (result, error) in zip(texts, answers([["value", text, values] for text in texts])):
            self.assert_same_value(value_of(sympify(text), values), text, result, error)

    def test_plain_text_gives_the_tree_that_sympy_makes_of_it(self):
        texts = [text for text in sorted(TEXTS["expr_str"] | TEXTS["range_constraints"]) if "Symbol(" not in text]
        for text, (result, error) in zip(texts, answers([["srepr", text] for text in texts])):
            self.assertIsNone(error, text)
            self.assertEqual(sympify(text), sympify(result), text)

    @staticmethod
    @functools.cache
    def random_expressions():
        chance = random.Random(random_seed.SEED)
        expressions = []
        while len(expressions) < 1500:
            try:
                made = random_root(chance)
            except (ArithmeticError, AssertionError, AttributeError, RecursionError, ValueError, TypeError, sympy.PolynomialError):
                continue  # sympy fails for some
            if not made.has(sympy.zoo, sympy.nan, sympy.I):
                expressions.append(made)
        return expressions

    def test_what_sympy_writes_of_random_expressions_may_be_evaluated(self):
        texts = [write(expression) for expression in self.random_expressions() for write in (sympy.srepr, str)]
        for text, (_, error) in zip(texts, answers([["evaluated_expression", text] for text in texts])):
            self.assertIsNone(error, f"{text} of seed {random_seed.SEED}")

    def test_what_torch_writes_of_random_conditions_may_be_executed(self):
        chance = random.Random(random_seed.SEED)
        sizes = {symbol: sympy.Symbol(f"L['x'].size()[{i}]", **symbol.assumptions0) for i, symbol in enumerate(SYMBOLS)}
        texts = []
        while len(texts) < 250:
            try:
                text = PythonPrinter().doprint(random_condition(chance, 2).xreplace(sizes))
            except (ArithmeticError, AssertionError, AttributeError, RecursionError, ValueError, TypeError):
                continue
            if "ITE(" not in text:  # torch writes these but cannot run them
                texts.append(text)
        for text, (_, error) in zip(texts, answers([["executed_guard", text] for text in texts])):
            self.assertIsNone(error, f"{text} of seed {random_seed.SEED}")

    def test_random_expressions_have_the_values_that_sympy_gives_them(self):
        expressions = self.random_expressions()
        chance = random.Random(random_seed.SEED + 1)
        cases = [(made, {symbol.name: chance.randrange(1, 12) for symbol in SYMBOLS}) for made in expressions]
        sreprs = [sympy.srepr(made) for made in expressions]
        readable = [result for result, _ in answers([["readable", text] for text in sreprs])]
        wanted = [value_of(made, values) for made, values in cases]
        self.assertLess(wanted.count(UNDECIDED), len(wanted) / 4)
        for forms in (sreprs, [str(made) for made in expressions], readable):
            replies = answers([["value", text, values] for text, (_, values) in zip(forms, cases)])
            for text, (_, values), value, (result, error) in zip(forms, cases, wanted, replies):
                if value is not UNDECIDED:
                    self.assert_same_value(value, f"{text} with {values}", result, error)

    def test_random_expressions_come_back_with_the_bytes_of_srepr(self):
        texts = [sympy.srepr(made) for made in self.random_expressions()]
        self.assertEqual([(text, None) for text in texts], answers([["srepr", text] for text in texts]), f"seed {random_seed.SEED}")

    def test_random_guards_of_torch_are_read(self):
        chance = random.Random(random_seed.SEED + 2)
        texts = set()
        while len(texts) < 500:
            try:
                condition = random_condition(chance, chance.randrange(0, 3))
                if not condition.has(functions.ModularIndexing, sympy.Piecewise):
                    texts.add(PythonPrinter().doprint(condition))
            except (AssertionError, NotImplementedError, AttributeError, RecursionError, ValueError, TypeError):
                continue
        texts -= {"True", "False"}
        for text, (_, error) in zip(texts, answers([["srepr", text] for text in texts])):
            self.assertIsNone(error, f"{text} of seed {random_seed.SEED}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    unittest.main()
