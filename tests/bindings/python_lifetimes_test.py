"""Lifetimes: values, programs, files, arrays and builders that are taken, changed, replaced, closed and dropped in random orders.

Beside each view stands a shadow, made of Python's own objects by the rules of views; of what a tensor holds, its bytes. Whatever was
done before, everything shows what it should, or raises an error that is documented. To be run with AddressSanitizer, see
CONTRIBUTING.md. PT2_PYTHON_PACKAGE is the folder that has the package pt2, PT2_TEST_STEPS says how many steps are made (1500);
PT2_TEST_TORCH: torch takes the tensors, too.
"""

import ast
import copy
import enum
import gc
import json
import os
import pathlib
import pickle
import random
import re
import shutil
import sys
import tempfile
import unittest
import warnings

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python")))

import pt2  # noqa: E402
from random_seed import SEED  # noqa: E402

if "PT2_TEST_TORCH" in os.environ:
    import torch

    import pt2.torch  # noqa: E402
else:
    torch = None

STEPS = int(os.environ.get("PT2_TEST_STEPS", 1500))
PROGRAMS = ROOT / "tests" / "data" / "programs"
TODAY = PROGRAMS / "torch-2.13.0"
TEXTS = [TODAY / f"{name}.json" for name in ("mlp", "cond", "dynamic", "no_inputs", "sym_values")]
ARCHIVES = [TODAY / f"{name}.pt2" for name in ("mlp", "shared_weights", "mutate_buffer", "lifted_constants")]
ARCHIVES += [PROGRAMS / f"torch-{release}" / "mlp.pt2" for release in ("2.5.1", "2.6.0", "2.8.0")]
SCALARS = ("int", "enum", "float", "bool", "str")
LARGEST = 1000


def kinds_of_types():
    """Returns the types of the fields or members of each struct and union, and the fields that constructors require, from the stub."""
    found, required = {}, {}

    enums = [name for name, value in vars(pt2).items() if isinstance(value, enum.EnumMeta)]

    def kind_of(annotation):
        text = ast.unparse(annotation).replace("Iterable[", "List[").replace("Mapping[", "Map[")
        text = re.sub(r"(\w+), \1\.Member\b", r"\1", text).replace(".Member", "")
        return re.sub(rf"\b({'|'.join(enums)})( \| int)?\b", "enum", text)

    for item in ast.parse((pathlib.Path(pt2.__file__).parent / "_pt2.pyi").read_text()).body:
        base = ast.unparse(item.bases[0]) if isinstance(item, ast.ClassDef) and item.bases else None
        if base not in ("Struct", "Union"):
            continue
        members = [member for member in item.body if isinstance(member, ast.FunctionDef)]
        if base == "Struct":
            arguments = members[0].args
            required[item.name] = [each.arg for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults) if default is None]
            found[item.name] = {member.name: kind_of(member.returns) for member in members
                                if any(ast.unparse(each) == "property" for each in member.decorator_list)}
        else:
            found[item.name] = {member.name: kind_of(method.args.posonlyargs[1].annotation) for member in item.body
                                if isinstance(member, ast.ClassDef) for method in member.body
                                if isinstance(method, ast.FunctionDef) and method.name == "__init__"}
    return found, required


KINDS, REQUIRED = kinds_of_types()


def is_union(kind):
    return kind in KINDS and issubclass(getattr(pt2, kind), pt2._pt2.Union)


class Unset(Exception):
    """A union without a member, which no text can express."""


class Shadow:
    """What a view is expected to show. `data`: a dict of a struct, union (of one entry, or none) or map, or a list; in it stand
    Shadows, and Python's own values."""

    def __init__(self, kind, data):
        self.kind, self.data, self.parent = kind, data, None
        for part in self.parts():
            part.parent = self

    def keys(self):
        return range(len(self.data)) if isinstance(self.data, list) else list(self.data)

    def parts(self):
        return [part for part in (self.data if isinstance(self.data, list) else self.data.values()) if isinstance(part, Shadow)]

    def kind_at(self, key):
        """Returns the kind of a field, member or item."""
        if self.kind in KINDS:
            return KINDS[self.kind][key]
        return self.kind[5:-1] if self.kind.startswith("List[") else self.kind[4:-1].split(", ", 1)[1]

    def root(self):
        top = self
        while top.parent is not None:
            top = top.parent
        return top

    def size(self):
        return 1 + sum(part.size() for part in self.parts())

    def copied(self):
        items = self.data if isinstance(self.data, list) else self.data.values()
        copies = [item.copied() if isinstance(item, Shadow) else item for item in items]
        return Shadow(self.kind, copies if isinstance(self.data, list) else dict(zip(self.data, copies)))

    def plain(self):
        """Returns the value as in JSON."""
        if is_union(self.kind) and not self.data:
            raise Unset
        plain = [item.plain() if isinstance(item, Shadow) else item
                 for item in (self.data if isinstance(self.data, list) else self.data.values())]
        return plain if isinstance(self.data, list) else dict(zip(self.data, plain))

    def taken(self, value):
        """Returns the stored form of a value: free objects become parts, others are copied."""
        if not isinstance(value, Shadow):
            return value
        return value if value.parent is None and self.root() is not value else value.copied()

    def put(self, key, value, is_new=False):
        """Replaces the value at `key`, or inserts before it if `is_new`."""
        if not is_new and not isinstance(self.data, list):
            self.release(self.data.get(key))
        elif not is_new:
            self.release(self.data[key])
        if is_new and isinstance(self.data, list):
            self.data.insert(key, value)
        else:
            self.data[key] = value
        if isinstance(value, Shadow):
            value.parent = self

    @staticmethod
    def release(part):
        if isinstance(part, Shadow):
            part.parent = None

    def become(self, other):
        """Records that the value was replaced as a whole."""
        for part in self.parts():
            part.parent = None
        self.data = other.data
        for part in self.parts():
            part.parent = self


def shadow_of(value, kind):
    """Returns the shadow of what a view shows now."""
    if kind.endswith(" | None"):
        return None if value is None else shadow_of(value, kind[:-7])
    if kind in SCALARS:
        return int(value) if kind == "enum" else value
    if is_union(kind):
        member = value.kind
        return Shadow(kind, {} if member is None else {member: shadow_of(value.value, KINDS[kind][member])})
    if kind in KINDS:
        return Shadow(kind, {name: shadow_of(getattr(value, name), of) for name, of in KINDS[kind].items()})
    empty = Shadow(kind, [])
    if kind.startswith("List["):
        return Shadow(kind, [shadow_of(item, empty.kind_at(0)) for item in value])
    return Shadow(kind, {key: shadow_of(item, empty.kind_at(key)) for key, item in value.items()})


def part_of(view, shadow, key):
    if shadow.kind not in KINDS:
        return view[key]
    return view.value if is_union(shadow.kind) else getattr(view, key)


def graph_of(target):
    """A pattern with one call."""
    x, y = (pt2.Argument.as_tensor(pt2.TensorArgument(name=name)) for name in "xy")
    meta = pt2.TensorMeta(dtype=7, sizes=[], requires_grad=False, device=pt2.Device(type="cpu"), strides=[],
                          storage_offset=pt2.SymInt.as_int(0), layout=7)
    call = pt2.Node(target=target, inputs=[pt2.NamedArgument(name="self", arg=x, kind=1)], outputs=[y])
    return pt2.Graph(inputs=[x], outputs=[y], nodes=[call], tensor_values={"x": meta, "y": meta})


class OwnNode(pt2.Node):
    """A user's subclass: Python runs Last while it destroys such an object."""

    last = None


class Last:
    def __init__(self, nodes):
        self.nodes = nodes

    def __del__(self):
        repr(self.nodes[:2])


class Steps:
    """The live objects, and the steps that change them."""

    def __init__(self, test, folder):
        self.test, self.folder, self.draw = test, folder, random.Random(SEED)
        self.views = []
        self.iterators = []
        self.pickles = []
        self.files = []
        self.tensors, self.arrays = [], []
        self.builders, self.values = [], []
        self.names = 0
        self.expected = {}
        for path in ARCHIVES:
            with pt2.open(path) as file:
                self.expected[path] = {name: file.tensor(name) for name in file.keys()}
                self.expected[path] = {name: self.bytes_of(tensor) for name, tensor in self.expected[path].items()}
        self.all = [step for name, step in sorted(vars(Steps).items()) if name.startswith("step_")]
        self.weights = [int(step.__doc__.split()[0]) for step in self.all]

    def run(self, count):
        self.step_load()
        for number in range(count):
            (step,) = self.draw.choices(self.all, self.weights)
            try:
                step(self)
            except BaseException:
                print(f"seed {SEED}, step {number}: {step.__name__}", file=sys.stderr)
                raise
        self.draw.shuffle(self.views)
        while self.views:
            self.check(*self.views.pop())
        while self.arrays:
            self.check_array(*self.arrays.pop())

    def pair(self, kind=None):
        """Returns a view and its shadow, optionally of a given kind; creates a program if there is none."""
        found = [each for each in self.views if kind is None or each[1].kind == kind]
        if not found:
            self.step_load()
            found = self.views[-1:]
        return self.draw.choice(found)

    def text(self):
        return self.draw.choice(["", "x", "relu", "linear", "torch.ops.aten.relu.default", "s0", "ä\0\U0001f600", str(self.draw.random())])

    def value(self, kind, depth=0):
        """Returns a value to insert, and its shadow."""
        draw = self.draw
        if kind.endswith(" | None"):
            return (None, None) if draw.random() < 0.4 else self.value(kind[:-7], depth)
        if kind in SCALARS:
            made = {
                "int": lambda: draw.choice([0, 1, -1, 7, 2**62, -(2**63), draw.randrange(100)]),
                "enum": lambda: draw.randrange(40),
                "float": lambda: draw.choice([0.0, -1.5, 1e300, draw.random()]),
                "bool": lambda: draw.random() < 0.5,
                "str": self.text,
            }[kind]()
            return made, made
        found = [each for each in self.views if each[1].kind == kind]
        if found and draw.random() < (0.7 if depth == 0 else 0.3):
            view, shadow = draw.choice(found)
            if shadow.size() < LARGEST:
                return view, shadow
        count = draw.randrange(3) if depth < 3 else 0
        if is_union(kind):
            member = draw.choice(list(KINDS[kind]))
            if depth > 3:
                member = next((name for name, of in KINDS[kind].items() if of in SCALARS), None)
            if member is None or draw.random() < 0.02:
                return getattr(pt2, kind)(), Shadow(kind, {})
            value, shadow = self.value(KINDS[kind][member], depth + 1)
            made = Shadow(kind, {})
            made.put(member, made.taken(shadow))
            return getattr(getattr(pt2, kind), member)(value), made
        if kind in KINDS:
            names = list(dict.fromkeys(draw.sample(list(KINDS[kind]), min(count, len(KINDS[kind]))) + REQUIRED[kind]))
            values = {name: self.value(KINDS[kind][name], depth + 1) for name in names}
            made = shadow_of(getattr(pt2, kind)(**{name: copy.copy(values[name][0]) for name in REQUIRED[kind]}), kind)
            for name in names:
                made.put(name, made.taken(values[name][1]))
            of_its_own = kind == "Node" and draw.random() < 0.3
            view = (OwnNode if of_its_own else getattr(pt2, kind))(**{name: value for name, (value, _) in values.items()})
            lists = [each for each, its_shadow in self.views if its_shadow.kind == "List[Node]"]
            if of_its_own and lists:
                view.last = Last(draw.choice(lists))
            return view, made
        empty = Shadow(kind, [])
        values = [self.value(empty.kind_at(""), depth + 1) for _ in range(count)]
        copies = [shadow.copied() if isinstance(shadow, Shadow) else shadow for _, shadow in values]
        if kind.startswith("List["):
            return [value for value, _ in values], Shadow(kind, copies)
        keys = [self.text() for _ in values]
        return dict(zip(keys, (value for value, _ in values))), Shadow(kind, dict(zip(keys, copies)))

    def assign(self, shadow, key, value, change, is_new=False):
        """Runs `change`, which puts a value at `key`, and does the same to the shadow."""
        old = None if is_new else shadow.data[key] if isinstance(shadow.data, list) else shadow.data.get(key)
        if isinstance(value, Shadow) and value is old:
            return change()
        if shadow.root().size() + (value.size() if isinstance(value, Shadow) else 0) > LARGEST:
            return
        taken = shadow.taken(value)
        try:
            change()
        except ValueError as error:
            self.test.assertIn("levels deep", str(error))
            return
        if is_union(shadow.kind):
            for part in shadow.parts():
                part.parent = None
            shadow.data.clear()
        shadow.put(key, taken, is_new)

    def check(self, view, shadow):
        """All that is shown of one value, and one way down to its last part."""
        test = self.test
        while True:
            if is_union(shadow.kind):
                test.assertEqual([view.kind], list(shadow.data) or [None])
            elif shadow.kind not in KINDS:
                test.assertEqual(len(view), len(shadow.data))
                if not isinstance(shadow.data, list):
                    test.assertEqual(list(view), list(shadow.data))
            for key in shadow.keys():
                if not isinstance(shadow.data[key], Shadow):
                    test.assertEqual(part_of(view, shadow, key), shadow.data[key])
            ways = [key for key in shadow.keys() if isinstance(shadow.data[key], Shadow)]
            if not ways:
                return
            key = self.draw.choice(ways)
            view, shadow = part_of(view, shadow, key), shadow.data[key]

    def step_check(self):
        """20"""
        view, shadow = self.pair()
        self.check(view, shadow)
        repr(view)
        other, its_shadow = self.pair(shadow.kind)
        try:
            self.test.assertEqual(view == other, shadow.plain() == its_shadow.plain())
        except Unset:
            pass

    def step_load(self):
        """1"""
        path = self.draw.choice(TEXTS)
        program = pt2.load(path)
        shadow = shadow_of(program, "ExportedProgram")
        self.test.assertEqual(shadow.plain(), json.loads(path.read_bytes()))
        self.views.append((program, shadow))

    def step_take(self):
        """25"""
        view, shadow = self.pair()
        ways = [key for key in shadow.keys() if isinstance(shadow.data[key], Shadow)]
        if ways:
            key = self.draw.choice(ways)
            self.views.append((part_of(view, shadow, key), shadow.data[key]))

    def step_make(self):
        """3"""
        kind = self.draw.choice(["Node", "NamedArgument", "Argument", "Graph", "GraphArgument", "TensorMeta", "SymInt"])
        view, shadow = self.value(kind)
        self.views.append((view, shadow))

    def step_set(self):
        """25"""
        view, shadow = self.pair()
        if is_union(shadow.kind):
            if not shadow.data:
                with self.test.assertRaisesRegex(ValueError, "no member is set"):
                    view.value = 3
                return
            (key,) = shadow.data
        elif shadow.keys():
            key = self.draw.choice(list(shadow.keys()))
        else:
            return
        value, expected = self.value(shadow.kind_at(key))
        if shadow.kind not in KINDS:
            self.assign(shadow, key, expected, lambda: view.__setitem__(key, value))
        else:
            self.assign(shadow, key, expected, lambda: setattr(view, "value" if is_union(shadow.kind) else key, value))

    def step_insert(self):
        """20"""
        view, shadow = self.pair()
        if shadow.kind in KINDS:
            return
        value, expected = self.value(shadow.kind_at(""))
        if isinstance(shadow.data, list):
            at = self.draw.randrange(len(shadow.data) + 1)
            self.assign(shadow, at, expected, lambda: view.insert(at, value), is_new=True)
        else:
            key = self.text()
            self.assign(shadow, key, expected, lambda: view.__setitem__(key, value))

    def step_erase(self):
        """12"""
        view, shadow = self.pair()
        if shadow.kind in KINDS or not shadow.data:
            return
        if self.draw.random() < 0.1:
            for item in shadow.parts():
                shadow.release(item)
            view.clear()
            shadow.data.clear()
            return
        if isinstance(shadow.data, dict):
            key = self.draw.choice(list(shadow.data))
            del view[key]
            shadow.release(shadow.data.pop(key))
            return
        start, stop = (self.draw.randrange(-1, len(shadow.data) + 2) for _ in range(2))
        part = slice(start, stop, self.draw.choice([None, None, 1, 2, -1, -3]))
        for item in shadow.data[part]:
            shadow.release(item)
        del view[part], shadow.data[part]

    def step_replace_items(self):
        """6"""
        view, shadow = self.pair()
        if not isinstance(shadow.data, list) or shadow.root().size() > LARGEST / 4:
            return
        start = self.draw.randrange(len(shadow.data) + 1)
        part = slice(start, start + self.draw.randrange(4))
        values = [self.value(shadow.kind_at("")) for _ in range(self.draw.randrange(4))]
        if any(isinstance(expected, Shadow) and expected.size() > LARGEST / 4 for _, expected in values):
            return
        if self.draw.random() < 0.2:
            with self.test.assertRaises(TypeError):
                view[part] = [value for value, _ in values] + [object()]
            return
        try:
            view[part] = [value for value, _ in values]
        except ValueError as error:
            self.test.assertIn("levels deep", str(error))
            self.views = [each for each in self.views if each[1].root() is not shadow.root()]
            return
        for item in shadow.data[part]:
            shadow.release(item)
        del shadow.data[part]
        taken = []  # all before any is inserted, each object once
        for _, expected in values:
            item = shadow.taken(expected)
            taken.append(item.copied() if isinstance(item, Shadow) and any(item is each for each in taken) else item)
        for offset, item in enumerate(taken):
            shadow.put(start + offset, item, is_new=True)

    def step_mistake(self):
        """4"""
        view, shadow = self.pair()
        for wrong in (object(), 10**400, "\ud800", [object()], {"a": object()}):
            with self.test.assertRaises((TypeError, ValueError, AttributeError)):
                if shadow.kind in KINDS:
                    setattr(view, "value" if is_union(shadow.kind) else self.draw.choice(list(shadow.data)), wrong)
                elif isinstance(shadow.data, list):
                    view.append(wrong if wrong != "\ud800" or shadow.kind == "List[str]" else object())
                else:
                    view[wrong] = wrong
            if shadow.kind in KINDS:
                with self.test.assertRaises(TypeError):
                    view.__init__()
                with self.test.assertRaises(TypeError):
                    view.__setstate__(b"")
                with self.test.assertRaises(TypeError):
                    type(view).__new__(type(view)).to_json()

    def step_forget(self):
        """6"""
        for pool in (self.views, self.iterators, self.pickles, self.files, self.tensors, self.arrays, self.builders, self.values):
            if len(pool) > 60 or (pool and self.draw.random() < 0.1):
                self.draw.shuffle(pool)
                del pool[self.draw.randrange(len(pool)):]
        if self.draw.random() < 0.05:
            gc.collect()

    def step_iterate(self):
        """8"""
        view, shadow = self.pair()
        if shadow.kind not in KINDS and shadow.data:
            self.iterators.append((iter(view), iter(shadow.data) if isinstance(shadow.data, list) else None, shadow))
        if self.iterators:
            ours, theirs, shadow = self.draw.choice(self.iterators)
            if theirs is None:
                try:
                    self.test.assertIn(next(ours), shadow.data)
                except (StopIteration, RuntimeError):
                    pass
                return
            try:
                item = next(ours)
            except StopIteration:
                with self.test.assertRaises(StopIteration):
                    next(theirs)
                return
            expected = next(theirs)
            if isinstance(expected, Shadow):
                self.check(item, expected)
                self.views.append((item, expected))
            else:
                self.test.assertEqual(item, expected)

    def step_encode(self):
        """6"""
        view, shadow = self.pair()
        if shadow.kind not in KINDS:
            self.views.append((self.draw.choice([copy.copy, copy.deepcopy])(view), shadow.copied()))
            return
        try:
            plain = shadow.plain()
        except Unset:
            with self.test.assertRaises(pt2.DataError):
                view.to_json()
            with self.test.assertRaises(pt2.DataError):
                pickle.dumps(view)
            return
        what = self.draw.randrange(5)
        if what == 0:
            text = view.to_json()
            self.test.assertEqual(json.loads(text), plain)
            made = type(view).from_json(text)
        elif what == 1:
            made = type(view).from_binary(view.to_binary())
        elif what == 2:
            made = self.draw.choice([copy.copy, copy.deepcopy])(view)
        else:
            self.pickles.append((pickle.dumps(view), shadow.copied()))
            data, expected = self.draw.choice(self.pickles)
            self.views.append((pickle.loads(data), expected.copied()))
            return
        self.test.assertEqual(made, view)
        self.views.append((made, shadow.copied()))

    def step_decode_garbage(self):
        """2"""
        view, shadow = self.pair()
        if shadow.kind not in KINDS:
            return
        try:
            data = bytearray(self.draw.choice([view.to_binary, view.to_json])())
        except pt2.DataError:
            return
        for _ in range(self.draw.randrange(1, 4)):
            data[self.draw.randrange(len(data))] = self.draw.randrange(256)
        for read in (type(view).from_json, type(view).from_binary, type(view).__new__(type(view)).__setstate__):
            try:
                made = read(bytes(data))
            except pt2.DataError:
                continue
            repr(made)

    def step_edit(self):
        """5"""
        program, shadow = self.pair("ExportedProgram")
        draw = self.draw
        names = [self.text() for _ in range(3)] + [key for key in shadow.data["graph_module"].data["graph"].data["tensor_values"].data][:20]
        other, _ = self.pair("ExportedProgram")
        edit = draw.choice([
            lambda: pt2.extract(program, inputs=draw.sample(names, min(len(names), draw.randrange(3))), outputs=[draw.choice(names)]),
            lambda: pt2.join(program, other),
            lambda: pt2.join(program, other, {draw.choice(names): draw.choice(names)}),
            lambda: pt2.rename(program, {draw.choice(names): draw.choice(names)}),
            lambda: pt2.retarget(program, "cuda:1"),
            lambda: pt2.retarget(program, dtype=draw.choice(["bfloat16", "float64"]), keep=[draw.choice(names)]),
            lambda: pt2.canonicalize(program, draw.choice(["normal", "names", "torch"])),
            lambda: pt2.upgrade(program),
            lambda: pt2.downgrade(program, draw.choice(["2.9", (8, 14), "2.6"])),
            lambda: pt2.from_pt2b(program.to_pt2b()),
            lambda: pt2.from_json(program.to_json()),
        ])
        try:
            made = edit()
        except ValueError:
            return
        made_shadow = shadow_of(made, "ExportedProgram")
        if made_shadow.size() < LARGEST:
            self.views.append((made, made_shadow))

    def step_rewrite(self):
        """3"""
        program, shadow = self.pair("ExportedProgram")
        targets = [node.data["target"] for node in shadow.data["graph_module"].data["graph"].data["nodes"].data] or ["x"]
        pattern, replacement = graph_of(self.draw.choice(targets)), graph_of("torch.ops.aten.relu.default")
        if self.draw.random() < 0.2:
            pattern = program.graph_module.graph
        if self.draw.random() < 0.1:
            replacement = program.graph_module.graph
        try:
            count = pt2.rewrite(program, pattern, replacement)
        except ValueError:
            return
        if count:
            former = [each for each in self.views if each[1].root() is shadow and each[1] is not shadow]
            shadow.become(shadow_of(program, "ExportedProgram"))
            for view, part in former:  # they keep what they had, and cannot be changed
                self.check(view, part)
            self.views = [each for each in self.views if all(each is not one for one in former)]

    def step_report(self):
        """3"""
        program, _ = self.pair("ExportedProgram")
        other, _ = self.pair("ExportedProgram")
        report = self.draw.choice([
            lambda: pt2.verify(program), lambda: pt2.hash(program), lambda: pt2.stats(program, {"s0": 3}), lambda: pt2.operators(program),
            lambda: pt2.operator_report(program, torch="2.6"), lambda: pt2.show(program), lambda: pt2.signature(program),
            lambda: pt2.diff(program, other), lambda: [pt2.arguments(node) for node in program.graph_module.graph.nodes],
            lambda: pt2.view(program) if self.draw.random() < 0.2 else None,
        ])
        try:
            report()
        except ValueError:
            pass

    def new_path(self):
        self.names += 1
        return self.folder / f"{self.names % 8}.pt2"

    def bytes_of(self, tensor):
        try:
            return tensor.numpy().tobytes()
        except (ImportError, TypeError):
            return None

    def step_open(self):
        """4"""
        source = self.draw.choice(ARCHIVES)
        path = self.new_path()
        path.unlink(missing_ok=True)
        shutil.copyfile(source, path)
        self.files.append((pt2.open(path), self.expected[source], []))
        if self.draw.random() < 0.3:
            path.unlink()

    def step_open_garbage(self):
        """2"""
        data = bytearray(self.draw.choice(ARCHIVES).read_bytes())
        for _ in range(self.draw.randrange(1, 20)):
            data[self.draw.randrange(len(data))] = self.draw.randrange(256)
        path = self.folder / "garbage.pt2"
        path.unlink(missing_ok=True)
        path.write_bytes(data[:self.draw.choice([len(data), self.draw.randrange(len(data))])])
        try:
            with pt2.open(path) as file:
                for name in file:
                    tensor = file.tensor(name)
                    self.tensors.append((tensor, self.bytes_of(tensor)))
        except ValueError:
            pass
        try:
            pt2.load(path)
        except ValueError:
            pass

    def step_close(self):
        """2"""
        if not self.files:
            return
        file, _, _ = self.draw.choice(self.files)
        file.close()
        for use in (file.keys, lambda: file.program, lambda: file.container, lambda: list(file), file.__enter__):
            with self.test.assertRaisesRegex(ValueError, "closed"):
                use()

    def step_tensor(self):
        """8"""
        if not self.files:
            return
        file, expected, shadows = self.draw.choice(self.files)
        name = self.draw.choice(list(expected))
        if file.closed:
            with self.test.assertRaisesRegex(ValueError, "closed"):
                file.tensor(name)
            return
        self.test.assertEqual(set(file.keys()), set(expected))
        if self.draw.random() < 0.1:
            program = file.program
            self.test.assertIs(program, file.program)
            if not shadows:
                shadows.append(shadow_of(program, "ExportedProgram"))
            self.views.append((program, shadows[0]))
        self.tensors.append((file.tensor(name), expected[name]))

    def step_array(self):
        """10"""
        if not self.tensors:
            return
        tensor, expected = self.draw.choice(self.tensors)
        repr((tensor, tensor.shape, tensor.stride, tensor.device, tensor.kind, tensor.offset))
        if expected is None:
            return
        self.test.assertEqual(tensor.nbytes, len(expected))
        take = [lambda: tensor.numpy(), lambda: numpy.asarray(tensor), lambda: numpy.from_dlpack(tensor), lambda: numpy.array(tensor),
                lambda: tensor.__dlpack__(), lambda: tensor.__dlpack__(max_version=(1, 1), copy=True)]
        if torch is not None:
            take += [lambda: torch.from_dlpack(tensor), lambda: torch.utils.dlpack.from_dlpack(tensor.__dlpack__())]
        array = self.draw.choice(take)()
        if type(array).__name__ == "PyCapsule":
            self.arrays.append((array, None))
        else:
            self.arrays.append((array, expected))

    def step_check_array(self):
        """8"""
        if self.arrays:
            self.check_array(*self.draw.choice(self.arrays))

    def check_array(self, array, expected):
        if expected is None:
            return
        if torch is not None and isinstance(array, torch.Tensor):
            if array.numel() and array.is_contiguous():
                array.view(torch.uint8 if array.dim() else array.dtype).add_(0)
            array = array.numpy()
        self.test.assertEqual(array.tobytes(), expected)

    def step_save(self):
        """1"""
        open_files = [(file, expected) for file, expected, _ in self.files if not file.closed]
        if not open_files:
            return
        file, expected = self.draw.choice(open_files)
        if None in expected.values():
            return
        path = self.new_path()
        arrays = {name: file.tensor(name).numpy() if self.draw.random() < 0.5 else file.tensor(name) for name in expected}
        program = file.program
        if self.draw.random() < 0.5:
            file.close()
        try:
            pt2.save(program, path, tensors=arrays)
            with pt2.open(path) as made:
                for name, data in expected.items():
                    self.test.assertEqual(self.bytes_of(made.tensor(name)), data)
            pt2.save(program, path, like=path)
        except pt2.DataError:
            pass

    def step_scan(self):
        """1"""
        path = self.draw.choice(sorted(self.folder.iterdir()) or ARCHIVES)
        try:
            pt2.scan(path)
            pt2.hash(path, weights=True)
            if torch is not None and path.name != "garbage.pt2":
                program = pt2.torch.load(path)
                for tensor in program.state_dict.values():
                    self.arrays.append((tensor.detach(), tensor.detach().numpy().tobytes()))
        except ValueError:
            pass

    def step_build(self):
        """6"""
        draw = self.draw
        if not self.builders or draw.random() < 0.1:
            self.builders.append(pt2.Builder())
        builder = draw.choice(self.builders)
        array = numpy.zeros((2, 4), "float32")
        values = self.values or [None]
        step = draw.choice([
            lambda: builder.symbol("s0", 1, 64),
            lambda: builder.input(self.text(), "float32", [draw.choice([2, *[each for each in values if isinstance(each, pt2.Size)]]), 4]),
            lambda: builder.parameter(str(draw.random()), array),
            lambda: builder.buffer(str(draw.random()), array, persistent=draw.random() < 0.5),
            lambda: builder.call("aten.relu.default", draw.choice(values)),
            lambda: builder.call("aten.add.Tensor", draw.choice(values), draw.choice([1, 2.5, draw.choice(values)]), alpha=2),
            lambda: builder.call("aten.cat.default", [draw.choice(values), draw.choice(values)]),
            lambda: builder.call("aten.split.Tensor", draw.choice(values), 2),
            lambda: builder.call("aten.relu.default", self.pair("Argument")[0]),
            lambda: builder.output(draw.choice(values)),
            lambda: draw.choice([each for each in values if isinstance(each, pt2.Size)] or [1]) * 2 + 1,
            builder.finish,
        ])
        try:
            made = step()
        except (ValueError, TypeError):
            return
        if isinstance(made, pt2.ExportedProgram):
            self.views.append((made, shadow_of(made, "ExportedProgram")))
        elif isinstance(made, (pt2.Value, pt2.Size)):
            self.values.append(made)
        repr(made)


class LifetimesTest(unittest.TestCase):
    def test_everything_shows_what_it_should_whatever_became_of_the_rest(self):
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.filterwarnings("ignore", "nanobind", RuntimeWarning)
            Steps(self, pathlib.Path(folder)).run(STEPS)


if __name__ == "__main__":
    unittest.main()
