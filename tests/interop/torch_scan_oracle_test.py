#!/usr/bin/env python3
"""Everything that torch would run from a file is a finding of pt2 scan, and pt2 harden removes it: random changes to all kinds of records.

torch's own code reads each mutant, in a process of its own in which nothing happens: audit hooks stop and record what would be imported,
opened or started, and a profiler records what is called from code that was made of the file's texts. What unchanged files do is allowed;
the rest fires. Each reader is called on its own, as whole loads take long; every hundredth mutant that fires nothing is loaded whole.

    torch_scan_oracle_test.py [--mutants N] [--seed S] [--keep FOLDER]

--keep writes the mutants that were missed there. Needs torch. PT2_BINARY names the pt2 command.
"""

import _compat_pickle
import argparse
import builtins
import collections
import enum
import io
import json
import math
import operator
import os
import pathlib
import pickle
import pickletools
import random
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
import types
import warnings
import zipfile

import sympy
import torch
import torch._export.serde.serialize as serialize
import torch._weights_only_unpickler
import torch.export._unlift as unlift
import torch.utils._pytree as pytree
from torch.export.pt2_archive._package import PT2ArchiveReader

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import hostile_corpus  # noqa: E402
from hostile_corpus import CONSTANTS_CONFIG, OPEN, PROGRAM, SAMPLES, WEIGHTS_CONFIG, File  # noqa: E402
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
BATCH = 200
SECONDS_PER_MUTANT = 20



class Stopped(BaseException):
    """Raised in place of an effect."""


class Watch:
    """Records what would run while it is armed, and stops what has an effect."""

    def __init__(self):
        self.events = []
        self.armed = False
        self.compiled = 0
        self.allowed_compiles = None
        self.allowed_calls = set()
        self.learning = False
        sys.addaudithook(self.audit)

    def record(self, *event):
        self.events.append(" ".join(str(part)[:120] for part in event))

    def stop(self, *event):
        self.record(*event)
        raise Stopped

    def audit(self, event, arguments):
        if not self.armed:
            return
        if event == "pickle.find_class":
            if not is_allowed_global(*arguments):
                self.stop("pickle", *arguments)
        elif event == "open":
            path, mode, flags = arguments
            writes = (isinstance(mode, str) and set(mode) & set("wax+")) or flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if writes and str(path) != os.devnull:
                self.stop("open", path, mode)
        elif event in (
            "os.system", "subprocess.Popen", "ctypes.dlopen", "os.exec", "os.posix_spawn", "socket.connect", "os.remove", "os.rename", "os.mkdir", "os.fork",
            "shutil.rmtree",
        ):
            if event == "ctypes.dlopen" and arguments[0] is None:
                return
            self.stop(event, *arguments)
        elif event == "import" and not arguments[0].startswith(("torch", "sympy", "mpmath", "encodings", "json", "collections", "numpy", "_")):
            self.stop("import", arguments[0])
        elif event == "compile" and self.allowed_compiles is not None and arguments[0] != b"from sympy import *":
            self.compiled += 1
            if self.compiled > self.allowed_compiles:
                self.stop("compile", arguments[0])

    def profile(self, frame, event, argument):
        """What is called from code that was made of texts."""
        if event == "c_call":
            if is_made_of_text(frame.f_code):
                self.called(f"{getattr(argument, '__module__', None)}.{getattr(argument, '__qualname__', argument)}")
        elif event == "call":
            caller = frame.f_back
            if caller is not None and is_made_of_text(caller.f_code) and not is_made_of_text(frame.f_code):
                code = frame.f_code
                name = getattr(code, "co_qualname", code.co_name)  # since Python 3.11
                makes = any(part.startswith("__") for part in name.split("."))  # its generators end when its caller runs again
                if makes and "/sympy/" in code.co_filename:
                    return
                self.called(f"{pathlib.PurePath(code.co_filename).name}:{name}")

    def called(self, name):
        if self.learning:
            self.allowed_calls.add(name)
        elif name not in self.allowed_calls:
            self.record("call", name)

    def run(self, function, *arguments, compiles=None, calls=False):
        """The value of the function, or None if it failed."""
        self.compiled, self.allowed_compiles, self.armed = 0, compiles, True
        if calls:
            sys.setprofile(self.profile)
        try:
            return function(*arguments)
        except (Stopped, Exception):
            return None
        finally:
            if calls:
                sys.setprofile(None)
            self.armed = False


def is_made_of_text(code):
    name = code.co_filename
    return name.startswith("<eval_with_key>") or (name == "<string>" and not (code.co_name.startswith("__") and code.co_name.endswith("__")))


ALLOWED_GLOBALS = set(torch._weights_only_unpickler._get_allowed_globals())


def is_allowed_global(module, name):
    if (module, name) in _compat_pickle.NAME_MAPPING:
        module, name = _compat_pickle.NAME_MAPPING[(module, name)]
    else:
        module = _compat_pickle.IMPORT_MAPPING.get(module, module)
    return f"{module}.{name}" in ALLOWED_GLOBALS



def remembered(method):
    """Of the same texts the same events: most of a mutant is as it was in the plain file."""
    memory = {}

    def call(self, *arguments):
        key = pickle.dumps(arguments)
        if key not in memory:
            before = len(self.watch.events)
            method(self, *arguments)
            memory[key] = self.watch.events[before:]
        else:
            self.watch.events += memory[key]

    return call


class Oracle:
    """Returns what torch would run from a file."""

    def __init__(self):
        self.watch = Watch()
        self.functions = {name: getattr(torch.utils._sympy.functions, name) for name in SYMPY_FUNCTIONS}
        pytree.importlib = types.SimpleNamespace(import_module=self.import_module, metadata=pytree.importlib.metadata)
        serialize.hasattr, serialize.getattr = self.has_attribute, self.get_attribute
        self.resolving = None
        self.artifacts = {}  # harmless data is loaded once per process
        torch.jit.load = lambda *_, **__: self.watch.stop("torch.jit.load")
        self.learn()

    def learn(self):
        """Allows the calls that sound expressions and guards make."""
        self.watch.learning = True
        for text in SOUND_EXPRESSIONS:
            self.expression(text)
        samples = ((torch.randn(5, 4), {"a": torch.randn(2, 2)}), {})
        for text in SOUND_GUARDS:
            self.guards([text], samples, ["x", "more"])
        self.inputs(["x", "y"], ["true_graph_0"], ["l.weight", "0.bias"], [])
        specification = json.dumps([1, {"type": "builtins.tuple", "context": "null", "children_spec": [LEAF, LEAF]}])
        self.codegen(specification, specification, ["x", "y"])
        self.watch.learning = False
        self.watch.events.clear()

    @remembered
    def inputs(self, names, graphs, targets, keywords):
        def make():
            graph, root = torch.fx.Graph(), torch.nn.Module()
            for name in names:
                graph.placeholder(name)
            for name in graphs:
                root.register_module(name, torch.nn.Module())
                graph.create_node("get_attr", name, name=name)
            for target in targets:
                unlift._assign_attr(torch.zeros(1), root, target, attr_kind=unlift._AttrKind.BUFFER, persistent=True)
                graph.get_attr(target)
            for name in keywords:
                graph.create_node("call_function", operator.neg, (), {name: 1})
            graph.output(())
            try:
                module = torch.fx.GraphModule(root, graph)
            except SyntaxError:
                return
            module.forward(*[torch.zeros(1)] * len(names))

        self.watch.run(make, calls=True)

    @remembered
    def codegen(self, in_spec, out_spec, names):
        """What ExportedProgram.module() makes of the names of arguments."""

        def make():
            specification = pytree.treespec_loads.__wrapped__(in_spec)
            graph = torch.fx.Graph()
            for index in range(specification.num_leaves):
                graph.placeholder(f"a{index}")
            graph.output(())
            graph._codegen = unlift._get_codegen(specification, pytree.treespec_loads.__wrapped__(out_spec), names)
            module = torch.fx.GraphModule(torch.nn.Module(), graph)
            module._in_spec = specification
            module.forward(*[torch.zeros(1)] * len(names or []))

        self.watch.run(make, calls=True)

    @remembered
    def expression(self, text):
        known = {**self.functions, **{name: sympy.Symbol(name, integer=True) for name in ("s77", "s0", "u0")}}
        self.watch.run(lambda: sympy.sympify(text, locals=known), compiles=1, calls=True)

    @remembered
    def guards(self, texts, samples, names):
        def make():
            leaves, paths = [], []
            if samples is not None:
                arguments = {**dict(zip(names or [f"arg_{i}" for i in range(len(samples[0]))], samples[0])), **samples[1]}
                leaves = pytree.tree_leaves(arguments)
                paths = [path for path, _ in pytree.tree_leaves_with_path(arguments)]
            given = list(texts) + [f"L{pytree.keystr(path)} == 0" for path in paths]
            function = unlift._convert_guards_code_to_fn(given, paths)
            unlift_forward = function.forward
            try:
                unlift_forward(*leaves)
            except Exception:  # noqa: BLE001 - a guard that does not hold
                pass
            for text in texts:  # a guard that fails hides the others
                if len(texts) > 1:
                    try:
                        unlift._convert_guards_code_to_fn([text], paths).forward(*leaves)
                    except Exception:  # noqa: BLE001
                        pass

        assertion = torch._assert
        torch._assert = lambda *_: None
        try:
            self.watch.run(make, calls=True)
        finally:
            torch._assert = assertion

    def import_module(self, name):
        return ImportedByName(self.watch, name)

    @remembered
    def treespec(self, text):
        self.watch.run(pytree.treespec_loads.__wrapped__, text)

    def has_attribute(self, target, name):
        if self.resolving and not self.may_look_up(target):
            self.watch.stop("getattr", self.resolving, type(target).__name__, name)
        return hasattr(target, name)

    def get_attribute(self, target, name, *default):
        return getattr(target, name, *default)

    def may_look_up(self, target):
        if isinstance(target, types.ModuleType):
            return target.__name__.startswith("torch") or target in (operator, math)
        return isinstance(
            target, (torch._ops._Ops, torch._ops._OpNamespace, torch._ops.OpOverloadPacket, torch._ops.OpOverload, torch._ops.HigherOrderOperator)
        ) or (isinstance(target, type) and target.__module__.startswith("torch"))

    @remembered
    def target(self, text):
        def make():
            found = serialize.GraphModuleDeserializer().deserialize_operator(text)
            plain = (str, torch._ops.OpOverload, torch._ops.OpOverloadPacket, torch._ops.HigherOrderOperator, torch._ops._OpNamespace, torch._ops._Ops)
            if not isinstance(found, plain) and found not in (torch, operator, math) and getattr(found, "__module__", None) not in ("_operator", "math"):
                if found not in serialize._SYM_OPS and not getattr(found, "__name__", "").startswith("sym_"):
                    self.watch.record("resolved", text, type(found).__name__)

        self.resolving = text[:80]
        self.watch.run(make)
        self.resolving = None

    @remembered
    def stack(self, text):
        self.resolving = text[:80]
        self.watch.run(serialize.GraphModuleDeserializer().deserialize_metadata, {"source_fn_stack": text})
        self.resolving = None

    def artifact(self, data):
        """torch.load, as deserialize_torch_artifact calls it."""
        if not data:
            return {}
        if data in self.artifacts:
            return self.artifacts[data]
        before = len(self.watch.events)
        value = self.watch.run(lambda: self.loaded(data))
        if len(self.watch.events) == before:
            self.artifacts[data] = value
        return value

    def loaded(self, data):
        try:
            return torch.load(io.BytesIO(data), weights_only=True)
        except Exception:  # noqa: BLE001 - as torch does
            return torch.load(io.BytesIO(data), weights_only=False)

    def program(self, data, samples):
        try:
            program = json.loads(data.decode())
        except (ValueError, RecursionError):
            return
        if not isinstance(program, dict):
            return
        try:
            self.walk(program, samples)
        except (TypeError, AttributeError, KeyError, IndexError, ValueError):  # not in the schema; torch stops here, too
            pass

    def walk(self, program, samples):
        module = program.get("graph_module") or {}
        argument_names = None
        for entry in module.get("module_call_graph") or []:
            if signature := entry.get("signature"):
                for field in ("in_spec", "out_spec"):
                    if isinstance(signature.get(field), str):
                        self.treespec(signature[field])
                if entry is module["module_call_graph"][0]:
                    argument_names = signature.get("forward_arg_names")
                    self.codegen(signature["in_spec"], signature["out_spec"], argument_names)
        usable = isinstance(samples, tuple) and len(samples) == 2 and isinstance(samples[0], tuple) and isinstance(samples[1], dict)
        texts = list(program.get("guards_code") or [])
        texts += [f"0 == '{entry['as_string']}'" for entry in module["graph"]["inputs"] if "as_string" in entry]
        self.guards(texts, samples if usable else None, argument_names)
        targets = []
        for spec in module["signature"]["input_specs"]:
            for kind, field in (("parameter", "parameter_name"), ("buffer", "buffer_name"), ("tensor_constant", "tensor_constant_name")):
                if kind in spec:
                    targets.append(spec[kind][field])
        constants = [spec["constant_input"]["name"] for spec in module["signature"]["input_specs"] if "constant_input" in spec]
        self.graph(module["graph"], targets, constants)

    def graph(self, graph, targets, constants):
        constants = iter(constants)
        names = []
        for entry in graph["inputs"]:
            ((kind, value),) = entry.items()
            if kind in ("as_tensor", "as_custom_obj"):
                names.append(value["name"])
            elif kind == "as_sym_int":
                names.append(value["as_name"])
            else:
                names.append(next(constants, "arg") or "arg")
        graphs, keywords = [], []
        for node in graph["nodes"]:
            self.target(node["target"])
            if stack := (node.get("metadata") or {}).get("source_fn_stack"):
                self.stack(stack)
            for argument in node["inputs"]:
                if "higher_order" in node["target"] and argument.get("kind") == 2:
                    keywords.append(argument["name"])
                self.argument(argument["arg"], graphs)
        self.inputs(names, graphs, targets, keywords)
        for text in set(hostile_corpus.strings(graph, "expr_str")):
            self.expression(text)

    def argument(self, argument, graphs):
        ((kind, value),) = argument.items()
        if kind == "as_operator":
            self.target(value)
        elif kind == "as_graph":
            graphs.append(value["name"])
            self.graph(value["graph"], [], [])
        elif kind == "as_string_to_argument":
            for inner in value.values():
                self.argument(inner, graphs)

    def payloads(self, reader, names, model, kind):
        """Weights or constants of a model, as torch loads them: by their config, or the file of torch 2.8."""
        if f"data/{kind}/{model}.pt" in names:
            self.artifact(reader.read_bytes(f"data/{kind}/{model}.pt"))
            return
        load = torch.export.pt2_archive._package._load_state_dict if kind == "weights" else torch.export.pt2_archive._package._load_constants
        self.watch.run(load, reader, model)

    def archive(self, data):
        with PT2ArchiveReader(io.BytesIO(data)) as reader:
            if reader.read_string("archive_version") != "0":
                return
            names = reader.get_file_names()
            for name in names:
                if name.startswith("models/"):
                    model = name[len("models/") : -len(".json")]
                    samples = None
                    try:
                        samples = self.artifact(reader.read_bytes(f"data/sample_inputs/{model}.pt"))
                        program = reader.read_bytes(name)
                        for kind in ("weights", "constants"):
                            self.payloads(reader, names, model, kind)
                    except Exception:  # noqa: BLE001 - as torch fails
                        continue
                    self.program(program, samples)
                elif name.startswith("data/aotinductor/"):
                    self.watch.record("aotinductor", name)

    def old(self, data):
        with zipfile.ZipFile(io.BytesIO(data)) as zipped:
            if "version" not in zipped.namelist():
                return
            zipped.read("version").decode()
            content = {info.filename: zipped.read(info.filename) for info in zipped.infolist()}
        samples = None
        for name in ("state_dict", "constants", "example_inputs"):
            for suffix in (".json", ".pt"):
                if (record := content.get(f"serialized_{name}{suffix}")) is not None:
                    samples = self.artifact(record)
        self.program(content.get("serialized_exported_program.json", b""), samples)

    def file(self, file):
        """The events of a file; empty for one that runs nothing."""
        self.watch.events.clear()
        if file.suffix != ".pt2":
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / f"file{file.suffix}"
                path.write_bytes(file.data)
                for attempt in (str(path), io.BytesIO(file.data)):
                    self.watch.run(lambda attempt=attempt: torch.load(attempt, weights_only=False))
            # torch extracts a tar's members to a temporary folder
            return [event for event in self.watch.events if not event.startswith(("open ", "os.mkdir "))] or (["tar"] if self.watch.events else [])
        try:
            self.archive(file.data)
        except RuntimeError:
            pass
        except Exception:  # noqa: BLE001 - torch stops here
            return list(self.watch.events)
        try:
            self.old(file.data)
        except Exception:  # noqa: BLE001
            pass
        return list(self.watch.events)

    def whole(self, file):
        """The events of torch.export.load itself, and of a call on the sample inputs."""
        self.watch.events.clear()

        def use():
            program = torch.export.load(io.BytesIO(file.data))
            arguments, keywords = program.example_inputs
            program.module()(*arguments, **keywords)

        self.watch.run(use)
        return list(self.watch.events)


class ImportedByName:
    """A module that a treespec names: only its plain types and torch's own enums are given out."""

    def __init__(self, watch, name):
        self.__dict__.update(watch=watch, name=name)

    def __getattr__(self, attribute):
        module = sys.modules.get(self.name)
        found = getattr(module, attribute, None) if module else None
        if module is builtins and attribute in ("list", "dict", "set", "tuple", "int", "float", "str", "bool", "frozenset"):
            return found
        if self.name == "collections" and attribute in ("OrderedDict", "deque", "Counter", "defaultdict"):
            return found
        if self.name.split(".")[0] == "torch" and isinstance(found, type) and issubclass(found, enum.Enum):
            return found
        self.watch.stop("import", self.name, attribute)


LEAF = {"type": None, "context": None, "children_spec": []}
SYMPY_FUNCTIONS = (
    "FloorDiv ModularIndexing Where PythonMod Mod CleanDiv CeilToInt FloorToInt CeilDiv LShift RShift PowByNatural FloatPow FloatTrueDiv IntTrueDiv "
    "IsNonOverlappingAndDenseIndicator TruncToFloat TruncToInt RoundToInt RoundDecimal ToFloat Identity"
).split()
SOUND_EXPRESSIONS = [
    "Symbol('s77', positive=True, integer=True)", "2*s77 + 3", "s77 - 1", "-s77", "s77**2", "s77/2", "3*FloorDiv(s77, 2)", "Mod(s77, 4)",
    "PythonMod(s77, 3)", "Max(1, s77)", "Min(s77, u0)", "Eq(s77, 3)", "Ne(s77, 4)", "s77 < 3", "s77 >= u0", "s77 <= 2", "s77 > 2", "And(s77 < 3, s77 > 1)",
    "Or(s77 < 3, s77 > 1)", "Not(s77 < 3)", "CeilToInt(IntTrueDiv(s77, 2))", "ToFloat(s77)", "FloatTrueDiv(ToFloat(s77), 2.0)",
    "Mul(Integer(2), Symbol('s0', integer=True))", "Add(Symbol('u0', integer=True), Integer(-1))", "Pow(Symbol('s0', integer=True), Integer(2))",
    "Rational(1, 2)", "Float('1.5', precision=53)", "True", "1.5e3", "Equality(Symbol('u0', integer=True), Integer(4))",
    "LessThan(Symbol('u0', integer=True), Integer(4))", "Piecewise((1, s77 < 3), (2, True))", "oo", "int_oo", "PowByNatural(s77, 2)",
    "ModularIndexing(s77, 1, 3)", "Abs(s77)", "sqrt(s77)", "Where(s77 < 3, 1, 2)", "RoundToInt(1.5)", "TruncToInt(ToFloat(s77))", "~(s77 < 3)",
    "(s77 < 3) & (u0 < 2)", "(s77 < 3) | (u0 < 2)", "Xor(s77 < 3, u0 < 2)", "LShift(s77, 1)", "floor(s77/2)", "ceiling(s77/2)", "s77 % 4", "s77 // 2",
    "Identity(s77)", "log(s77)", "StrictGreaterThan(Symbol('u0', integer=True), Integer(4))", "Unequality(Symbol('u0', integer=True), Integer(4))",
    "GreaterThan(s77, 1)", "StrictLessThan(s77, 2)",
]
SOUND_GUARDS = [
    "L['x'].size()[0] >= 3", "L['x'].size()[0] <= 64", "L['x'].size()[0] == L['more']['a'].size()[0] * 2 + 1", "L['more']['a'].size()[1] == 2",
    "len(L['more']) == 1", "isinstance(L['x'], int)", "L['x'].stride()[0] == 4", "L['x'].storage_offset() == 0", "2*L['x'].size()[0] // 2 != 4",
    "L['x'].size()[0] % 2 == 1", "not (L['x'].size()[0] == 3)", "Eq(L['x'].size()[0], 3)", "Max(1, L['x'].size()[0]) > 0", "math.isnan(1.5)",
    "L['x'].dtype == torch.float32", "3 <= L['x'].size()[0] and L['x'].size()[0] <= 64", "L['x'].ndim == 2", "L['x'].shape[0] == 5", "L['x'].dim() == 2",
    "Ne(3, 4)", "Mod(L['x'].size()[0], 2) == 1", "Min(2, 3) == 2", "FloorDiv(5, 2) == 2", "PythonMod(5, 3) == 2", "IntTrueDiv(4, 2) == 2",
    "FloatTrueDiv(4, 2) == 2", "ToFloat(3) == 3.0", "Abs(3) == 3", "abs(3) == 3", "min(1, 2) == 1", "max(1, 2) == 2", "And(True, False)", "Or(True, False)",
    "Not(True)", "math.floor(1.5) == 1", "math.ceil(1.5) == 2", "math.sqrt(4) == 2", "int(1.5) == 1", "float(1) == 1", "bool(1)", "str(1) == '1'",
    "hash(1) == 1", "id(1) == 1", "Pow(2, 3) == 8", "PowByNatural(2, 3) == 8", "Mul(2, 3) == 6", "Add(2, 3) == 5", "CeilToInt(1.5) == 2",
    "FloorToInt(1.5) == 1", "CleanDiv(4, 2) == 2", "Where(True, 1, 2) == 1",
]
PAYLOADS = [
    OPEN, "eval('1')", "exec('1')", "print(1)", "__import__('os')", "getattr(1,'real')", "(lambda:open('M','w'))()", "open(file='./M',mode='w')",
    "globals()", "breakpoint()", "compile('1','','eval')", "type('X',(),{})", "vars()", "input()", "setattr(L,'a',1)", "[].append(1)", "''.join('a')",
    "().__class__.__base__.__subclasses__()", "lambdify([],'1')", "sympify('1')", "S('1+1')",
]



class Mutants:
    """Random changes to all kinds of records of the plain model."""

    def __init__(self, model, seed):
        self.model = model
        self.chance = random.Random(seed)
        self.files = [file for file in hostile_corpus.corpus(model) if len(file.data) < 200_000]
        self.programs = [record for file in self.files if file.kind < 5 and (record := hostile_corpus.records_of(file.data).get(PROGRAM))]
        self.hostile = model.hostile_records()
        self.call = hostile_corpus.saved(hostile_corpus.Runs(), pickle_protocol=2)
        self.pickles = [
            hostile_corpus.CALL,
            hostile_corpus.TEXT_CALL,
            hostile_corpus.legacy(3),
            hostile_corpus.legacy(1, hostile_corpus.TEXT_CALL, 0),
            pickle.dumps([1, (2.5, "a"), {"k": None}], 0),
            hostile_corpus.saved((torch.ones(2), {"a": torch.ones(3)}), _use_new_zipfile_serialization=False),
            hostile_corpus.records_of(model.records[SAMPLES])["data.pkl"],
            pickle.dumps({"a": [True, 3, 1 << 70, b"x"]}, 4),
            hostile_corpus.legacy(4, hostile_corpus.CALL, 2, bytes(20)),
        ]
        self.expressions = SOUND_EXPRESSIONS + sorted({text for record in self.programs for text in hostile_corpus.strings(json.loads(record), "expr_str")})
        self.guards = SOUND_GUARDS + sorted({text for record in self.programs for text in json.loads(record).get("guards_code", [])})
        self.specs = sorted(
            {text for record in self.programs for field in ("in_spec", "out_spec") for text in hostile_corpus.strings(json.loads(record), field)}
        )
        self.targets = sorted(
            {text for record in self.programs for field in ("target", "as_operator") for text in hostile_corpus.strings(json.loads(record), field)}
        )
        self.targets += [
            "torch.sym_max", "torch.nn.Linear", "torch.nn.functional.relu", "math.sqrt", "_operator.floordiv", "torch.os.path.join",
            "torch.ctypes.cdll.libm", "torch.sys.modules",
        ]
        self.kinds = [
            self.name, self.name, self.expression, self.expression, self.guard, self.guard, self.spec, self.spec, self.resolved, self.resolved, self.pickle,
            self.pickle, self.pickle, self.role, self.zip, self.zip, self.text_of_program, self.corpus_file,
        ]

    def make(self, index):
        kind = self.kinds[index % len(self.kinds)]
        return File(0, kind.__name__, *kind())

    def text(self, text, others, tokens):
        """One to four changes to a text."""
        chance = self.chance
        for _ in range(chance.choice([1, 1, 1, 2, 4])):
            at = chance.randrange(len(text) + 1)
            end = min(len(text), at + chance.randrange(1, 6))
            change = chance.randrange(9)
            if change < 3:
                text = text[:at] + chance.choice(tokens) + text[at:]
            elif change == 3:
                text = text[:at] + text[end:]
            elif change == 4:
                other = chance.choice(others)
                cut = chance.randrange(len(other) + 1)
                text = text[:at] + other[cut:]
            elif change == 5:
                text = text[:at] + chance.choice(" \t\n\f\r\v\\#;,.()[]{}'\"=:*@\x00\x1c\x85\u2028\u00a0\u017f") + text[at:]
            elif change == 6 and at < len(text) and "!" <= text[at] <= "~":
                text = text[:at] + chr(ord(text[at]) + 0xFEE0) + text[at + 1 :]
            elif change == 7:
                text = text[:at] + text[at:end].swapcase() + text[end:]
            else:
                text = text[:at] + text[at:end] * 2 + text[end:]
        return text

    def with_program(self, edit):
        program = self.model.json()
        edit(program)
        return (self.model.archive({PROGRAM: json.dumps(program, ensure_ascii=self.chance.random() < 0.5).encode("utf-8", "surrogatepass")}),)

    def name(self):
        chance = self.chance
        places = [
            "p_linear_weight", "b_offset", "c_constant", "x", "more_a", "scale", "scale", "scale", "scale", "linear", "add", "sin", "getitem_1",
            "sym_size_int_1", "true_graph_0", "false_graph_0", "linear.weight", "offset", "constant", "flag", "mode",
        ]
        old = chance.choice(places)
        tokens = ["=", ":", "=0", '",', "))#", ")#", "if 1 else", ";", "\n", " ", ",", "*", "lambda:", "):\n '''#", *PAYLOADS, *PAYLOADS]
        payload = chance.choice(PAYLOADS)
        shapes = [f"{old}={payload}", f"{old}:{payload}", f'{old}",{payload})#', f"{old}{payload}", f"a=({payload},)[0]", payload, old]
        new = shapes[0] if old in hostile_corpus.INPUTS else shapes[2].replace(".", "")
        if chance.random() < 0.4:
            new = chance.choice(shapes)
        if chance.random() < 0.4:
            new = self.text(new, shapes, tokens)

        def edit(program):
            if chance.random() < 0.15:
                names = program["graph_module"]["module_call_graph"][0]["signature"]["forward_arg_names"]
                names[chance.randrange(len(names))] = new
                return
            if old in hostile_corpus.INPUTS and chance.random() < 0.7:
                changed = json.loads(hostile_corpus.with_input_renamed(json.dumps(program), old, new))
            else:
                changed = json.loads(json.dumps(program).replace(json.dumps(old), json.dumps(new)))
            program.clear()
            program.update(changed)

        return self.with_program(edit)

    def expression(self):
        text = self.chance.choice(self.chance.choice([self.expressions, PAYLOADS]))
        tokens = [
            "+", "*", "(", ")", "FloorDiv(", ", ", "s77", "Symbol('s77')", "'", '"', ".subs", "[0]", "lambda x: x", " if True else ", " for i in [1]", "f''",
            "!", "%", "//", "**", "~", "1.5", *PAYLOADS,
        ]
        for _ in range(self.chance.randrange(3)):
            text = self.chance.choice(
                [
                    "FloorDiv({}, 2)", "Max(1, {})", "2*({})", "Symbol({})", "Symbol('s', integer={})", "({})[0]", "[{}]", "Mod({}, {})", "({}).args",
                    "not {}", "({}, 1)",
                ]
            ).replace("{}", text)
        if self.chance.random() < 0.6:
            text = self.text(text, self.expressions, tokens)

        def edit(program):
            graph = program["graph_module"]["graph"]
            entry = {"as_expr": {"expr_str": text, "hint": self.chance.choice([None, {"as_int": 5}])}}
            values = list(graph["tensor_values"].values())
            place = self.chance.randrange(4)
            if place == 0:
                graph["sym_int_values"]["mul_2"] = entry
            elif place == 1:
                self.chance.choice(values)["strides"] = [entry]
            elif place == 2:
                self.chance.choice(values)["storage_offset"] = entry
            else:
                value = self.chance.choice(values)
                value["sizes"] = [entry]

        return self.with_program(edit)

    def guard(self):
        text = self.chance.choice(self.chance.choice([self.guards, PAYLOADS]))
        tokens = [
            "L['x']", ".size()", "[0]", " == ", " >= ", " and ", " or ", "not ", "'", '"', "len(", "isinstance(", ")", ", ", " if ", " else ", "\n",
            "lambda: ", "math.", "torch.", " + str(1) + ", *PAYLOADS,
        ]
        if self.chance.random() < 0.6:
            text = self.text(text, self.guards, tokens)
        if self.chance.random() < 0.3:
            text = f"{text} {self.chance.choice(['or', 'and', '==', '<', '+', ','])} {self.chance.choice(PAYLOADS + self.guards)}"
        if self.chance.random() < 0.15:
            text = self.chance.choice(['True or " + {} + "', "\"' + {} + '\"", "'\" + {} + \"'", "{} == '\\''"]).replace("{}", self.chance.choice(PAYLOADS))

        def edit(program):
            if self.chance.random() < 0.2:
                for argument in program["graph_module"]["graph"]["inputs"]:
                    if "as_string" in argument:
                        argument["as_string"] = self.chance.choice([f"' or {text} or '", text, f"'+{text}#"])
            else:
                program["guards_code"] = self.chance.choice([[text], ["L['x'].size()[0] >= 3", text]])

        return self.with_program(edit)

    def random_spec(self, depth):
        chance = self.chance
        kind = chance.choice(
            [
                "builtins.tuple", "builtins.list", "builtins.dict", "collections.OrderedDict", "collections.defaultdict", "collections.deque",
                "collections.namedtuple", None, "torch.Size", "builtins.set",
            ]
        )
        if kind is None or depth == 0:
            return dict(LEAF)
        children = [self.random_spec(depth - 1) for _ in range(chance.randrange(3))]
        named = {"__enum__": chance.choice([True, False, 1, None]), "fqn": self.module() + ":" + self.attribute(), "name": chance.choice(["x", "./M.so", ""])}
        if kind == "collections.defaultdict":
            context = {"default_factory_module": self.module(), "default_factory_name": self.attribute(), "dict_context": ["k"] * len(children)}
        else:
            context = json.dumps(chance.choice([None, ["k"] * len(children), [named], named, {"a": [named]}, [1, 2], 3, "text", [[["k"]]]]))
        return {"type": kind, "context": context, "children_spec": children}

    def module(self):
        return self.chance.choice(
            ["builtins", "collections", "ctypes", "os", "mark", "torch", "torch.fx", "enum", "torch.utils._pytree", "antigravity", "", ".", "a.b"]
        )

    def attribute(self):
        return self.chance.choice(["list", "dict", "cdll", "CDLL", "Enum", "OrderedDict", "x", "ctypes.cdll", "int", "", "exec", "open", "__import__", "set"])

    def spec(self):
        chance = self.chance
        text = json.dumps([1, self.random_spec(3)]) if chance.random() < 0.6 else chance.choice(self.specs)
        if chance.random() < 0.5:
            text = self.text(
                text,
                self.specs,
                ['"__enum__": true, ', '"fqn": "ctypes:cdll", ', '"name": "x", ', "\\u005f", "{", "}", "[", "]", '"', "null", " ", "\\", '"context": '],
            )

        def edit(program):
            calls = program["graph_module"]["module_call_graph"]
            if chance.random() < 0.2:
                calls.append({"fqn": "linear", "signature": {**calls[0]["signature"], "inputs": [], "outputs": []}})
            calls[-1]["signature"] = {**(calls[-1]["signature"] or calls[0]["signature"]), chance.choice(["in_spec", "out_spec"]): text}

        return self.with_program(edit)

    def resolved(self):
        chance = self.chance
        text = chance.choice(self.targets)
        parts = [
            "torch", "ops", "aten", "os", "ctypes", "cdll", "hub", "system", "sys", "modules", "_operator", "add", "__class__", "__subclasses__",
            "__globals__", "__init__", "default", "higher_order", "cond", "load_library", "", "_dir", "_op", "overloads", "classes", "nn", "functional",
            "math", "sym_max", "tmp/libmark", "_C", "jit", "load", "serialization", "_overload_names", "Tensor",
        ]
        change = chance.randrange(3)
        if change == 0:
            text = self.text(text, self.targets, ["."] + parts)
        elif change == 1:
            split = text.split(".")
            split.insert(chance.randrange(len(split) + 1), chance.choice(parts))
            text = ".".join(split)
        else:
            text = ".".join(
                [chance.choice(["torch", "_operator", "math", "torch.ops", "torchx", "mathx", "_operatorx", "torch.nn"])]
                + [chance.choice(parts) for _ in range(chance.randrange(1, 5))]
            )

        def edit(program):
            nodes = program["graph_module"]["graph"]["nodes"]
            node = chance.choice(nodes)
            place = chance.randrange(4)
            if place == 0:
                node["target"] = text
            elif place == 1:
                node["metadata"]["source_fn_stack"] = chance.choice([f"x,{text}", f"a,torch.add;x,{text}", text, f"x,{text};", f"x, {text}"])
            elif place == 2:
                chance.choice(node["inputs"])["arg"] = {"as_operator": text}
            else:
                node["inputs"].append({"name": "k", "arg": {"as_string_to_argument": {"a": {"as_operator": text}}}, "kind": 1})

        return self.with_program(edit)

    def random_pickle(self):
        chance = self.chance
        integers = [
            b"0", b"1", b"+1", b" 7", b"1_0", b"-0", b"00", b"01", b"7 ", b"\t3", b"0x1", b"1e3", b"", "\u0661".encode(), b"\v1", b"1L", b"9" * 20, b"1\x00",
        ]
        modules = [
            b"posix\nsystem", b"os\nsystem", b"collections\nOrderedDict", b"torch\nSize", b"torch._utils\n_rebuild_tensor_v2", b"builtins\neval",
            b"__builtin__\nset", b"torch\nFloatStorage", b"torch\nos.system", b"torch.storage\nUntypedStorage", b"x\ny", b"copy_reg\n_reconstructor",
            b"numpy\nndarray", b"torch \nSize", b"\xef\xbd\x8fs\nsystem", b"torch\nload", b"_codecs\nencode", b"_codecs\ndecode",
        ]
        out = chance.choice([b"", b"", b"\x80\x02", b"\x80\x04", b"\x80\x00", b"\x80\x05", b"\x80\x03"])
        for _ in range(chance.randrange(1, 14)):
            number, word = chance.choice(integers), chance.choice(modules)
            out += chance.choice(
                [
                    b"I" + number + b"\n", b"L" + number + b"L\n", b"L" + number + b"\n", b"p" + number + b"\n", b"g" + number + b"\n",
                    b"F" + number + b"\n", b"N", b"(", b")", b"]", b"}", b"t", b"l", b"d", b"0", b"1", b"2", b"s", b"a", b"e", b"u", b"b", b"R",
                    b"c" + word + b"\n", b"c" + word + b"\n", b"S'a'\n", b'S"touch M"\n', b"Vab\\u0041\n", b"K\x01", b"M\x01\x00", b"J\x01\x00\x00\x00",
                    b"q\x01", b"h\x01", b"\x94", b"\x85", b"\x86", b"\x87", b"\x8c\x05posix\x8c\x06system\x93", b"(S'touch M'\ni" + word + b"\n",
                    b"\x95\x04\x00\x00\x00\x00\x00\x00\x00", b"\x81", b"\x92", b"o", b"Q", b"P1\n", b"\x88", b"\x89", b"T\x01\x00\x00\x00a", b"U\x01a",
                    b"X\x01\x00\x00\x00a", b"G" + bytes(8), b"\x8a\x01\x01", b"\x8b\x01\x00\x00\x00\x01", b"C\x01a", b"B\x01\x00\x00\x00a", b"\x8f", b"\x90",
                    b"\x91", b"\x96\x01\x00\x00\x00\x00\x00\x00\x00a", b"\x97", b"\x98", b"\x82\x01", b".", b"r\x01\x00\x00\x00", b"j\x01\x00\x00\x00",
                ]
            )
        return out + chance.choice([b".", b".", b"0N.", hostile_corpus.TEXT_CALL, hostile_corpus.TEXT_CALL, b""])

    def bytes(self, data):
        chance = self.chance
        data = bytearray(data)
        for _ in range(chance.randrange(1, 5)):
            at = chance.randrange(len(data) + 1)
            change = chance.randrange(5)
            if change == 0 and at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            elif change == 1 and at < len(data):
                data[at] = chance.randrange(256)
            elif change == 2:
                data[at:at] = bytes(chance.choice([chance.randrange(256), *b"0123456789+_ .\n(tRcN\x80"]) for _ in range(chance.randrange(1, 4)))
            elif change == 3:
                del data[at : at + chance.randrange(1, 6)]
            else:
                end = min(len(data), at + chance.randrange(1, 30))
                data[at:at] = data[chance.randrange(len(data) + 1) :][: end - at]
        return bytes(data)

    def mutated_pickle(self):
        chance = self.chance
        if chance.random() < 0.5:
            return self.random_pickle()
        data = chance.choice(self.pickles)
        if chance.random() < 0.4:
            try:
                starts = [position for _, _, position in pickletools.genops(data)] + [len(data)]
                parts = [data[a:b] for a, b in zip(starts, starts[1:])]
                if chance.random() < 0.5:
                    parts.insert(chance.randrange(len(parts)), self.random_pickle()[:-1])
                else:
                    del parts[chance.randrange(len(parts))]
                return b"".join(parts) + data[starts[-1] :]
            except Exception:  # noqa: BLE001 - a sequence of pickles
                pass
        return self.bytes(data)

    def pickle(self):
        chance = self.chance
        data = self.mutated_pickle()
        shape = chance.randrange(5)
        if shape == 0:
            folder = chance.choice(["archive", "a", "model"])
            data = hostile_corpus.zip_of(
                {
                    chance.choice(["data.pkl", "DATA.PKL", "Data.pkl", "data.pkl"]): data,
                    chance.choice(["version", ".data/version"]): b"3\n",
                    "byteorder": b"little",
                },
                root=folder,
            )
        elif shape == 1:
            data = hostile_corpus.legacy(chance.randrange(5), data, chance.choice([0, 1, 2, 4]), chance.choice([b"", bytes(8), hostile_corpus.TEXT_CALL]))
        place = chance.randrange(6)
        if place == 0:
            return (self.model.archive({SAMPLES: data}),)
        if place == 1:
            return (self.model.archive({"data/weights/model.pt": data}),)
        if place == 2:
            return self.configured(CONSTANTS_CONFIG, "data/constants/", "opaque_obj_" + chance.choice(["0", "", "x.txt"]), data, chance.random() < 0.5)
        if place == 3:
            return self.configured(WEIGHTS_CONFIG, "data/weights/", chance.choice(["weight_0", "w", "a/b"]), data, True)
        if place == 4:
            return data, chance.choice([".pt", ".pth", ".bin", ".pkl"])
        return self.configured(CONSTANTS_CONFIG, "data/constants/", chance.choice(["tensor_0", "tensor_x"]), data, True)

    def configured(self, config, folder, path, data, pickled):
        content = json.loads(self.model.records[config])
        next(iter(content["config"].values())).update(path_name=path, use_pickle=pickled)
        return (self.model.archive({config: json.dumps(content).encode(), folder + path: data}),)

    def role(self):
        """Records under other names, and configs that point to them."""
        chance = self.chance
        records = dict(self.model.records)
        names = list(records)
        payload = chance.choice([self.call, hostile_corpus.CALL, hostile_corpus.TEXT_CALL, hostile_corpus.legacy(3)])
        for _ in range(chance.randrange(1, 4)):
            change = chance.randrange(6)
            name = chance.choice(names)
            config = chance.choice([WEIGHTS_CONFIG, CONSTANTS_CONFIG])
            if change == 0:
                records[
                    self.text(name, names, ["models/", "data/", ".pt", ".json", "../", "weights/", "constants/", "model", "_config", "opaque_obj_", "/"])
                ] = chance.choice([payload, self.hostile[PROGRAM]])
            elif change == 1:
                content = json.loads(records[config])
                entry = chance.choice(list(content["config"].values()))
                entry["use_pickle"] = chance.choice([True, 1, "x", [0], 0.5, False, 0, None, "", {"a": 1}])
                records[config] = json.dumps(content).encode()
                folder = config.rsplit("/", 1)[0]
                records[f"{folder}/{entry['path_name']}"] = payload
            elif change == 2:
                content = json.loads(records[config])
                entry = chance.choice(list(content["config"].values()))
                entry["path_name"] = self.text(
                    chance.choice(["opaque_obj_0", "weight_0", "tensor_0", "../x", "custom_obj_0"]), names, ["opaque_obj_", "tensor_", "/", "../", "."]
                )
                records[config] = json.dumps(content).encode()
                folder = config.rsplit("/", 1)[0]
                records[f"{folder}/{entry['path_name']}"] = payload
            elif change == 3:
                records[config] = (
                    self.bytes(records[config])
                    if chance.random() < 0.5
                    else self.text(
                        records[config].decode(), ['"use_pickle": true'], ['"use_pickle": true,', '"path_name": "opaque_obj_0",', "\\u0061"]
                    ).encode()
                )
                records["data/constants/opaque_obj_0"] = records["data/weights/opaque_obj_0"] = payload
                break
            elif change == 4:
                other = chance.choice(["other", "Model", "m/n", "model.json", "x"])
                records[f"models/{other}{chance.choice(['.json', '.jsox', '.JSON', 'abcde'])}"] = chance.choice(
                    [self.hostile[PROGRAM], self.model.records[PROGRAM]]
                )
                records.update(hostile_corpus.configs_of(self.model, other))
                records[f"data/sample_inputs/{other}.pt"] = chance.choice([payload, self.model.records[SAMPLES]])
            else:
                folder = chance.choice(["", "x/", "model/"])
                records = {folder + name: data for name, data in records.items()}
                old = {
                    "version": b"8.20",
                    "serialized_exported_program.json": self.hostile[PROGRAM],
                    "serialized_state_dict.pt": payload,
                    "serialized_constants.json": payload,
                    "serialized_example_inputs.pt": payload,
                }
                records.update({name: data for name, data in old.items() if chance.random() < 0.8})
                return (hostile_corpus.zip_of(records, root=chance.choice(["", "model"])),)
        return (hostile_corpus.zip_of(records),)

    def zip(self):
        """Zips that different readers take for different things."""
        chance = self.chance
        base = chance.choice([b"", b"", b"{}", b"\x7fELF" + bytes(12), b"PK\3\4" + bytes(26), self.model.archive({})[: chance.randrange(400)]])
        bad = {**self.model.records, **chance.choice([{SAMPLES: self.call}, {PROGRAM: self.hostile[PROGRAM]}])}

        def entries(records, root):
            return [(f"{root}/{name}".encode(), data, {}) for name, data in records.items()]

        plain, hostile = entries(self.model.records, chance.choice(["model", "model", "MODEL", "a"])), entries(bad, "model")
        shape = chance.randrange(6)
        if shape == 0:
            members = hostile
        elif shape == 1:
            members = plain + [entry for entry in hostile if chance.random() < 0.3]
        elif shape == 2:
            members = [entry for entry in hostile if chance.random() < 0.3] + plain
        else:
            members = plain if shape == 3 else hostile
            chance.shuffle(members)
        changed = []
        for name, data, _ in members:
            options = {}
            if chance.random() < 0.05:
                options = chance.choice(
                    [
                        {"method": 8},
                        {"flag": chance.choice([1, 8, 0x800, 0x2000, 0x40])},
                        {"local_name": b"x"},
                        {"local_sizes": (0, 0)},
                        {"local_method": 8},
                        {"extra": struct.pack("<HHQQ", 1, 16, len(data), len(data))},
                        {"local_extra": b"FB" + struct.pack("<H", 4) + bytes(4)},
                        {"sizes": (0xFFFFFFFF, 0xFFFFFFFF), "extra": struct.pack("<HHQQ", 1, 16, len(data), len(data))},
                        {"crc": 0},
                    ]
                )
            if chance.random() < 0.03:
                name = chance.choice(
                    [
                        name.swapcase(),
                        name.replace(b"/", b"\\"),
                        name + b"\0",
                        b"/" + name,
                        name.replace(b"/", b"//"),
                        name.replace(b"model/", b"model/../model/"),
                        name.upper(),
                    ]
                )
            changed.append((name, data, options))
        data = base + hostile_corpus.joined(
            changed,
            base=len(base) if chance.random() < 0.9 else 0,
            between=chance.choice([b"", b"", b"", b"\0\0", b"PK\5\6"]),
            comment=chance.choice([b"", b"", b"", b"c", b"PK\5\6" + bytes(18)]),
        )
        if chance.random() < 0.2:
            data += hostile_corpus.joined(hostile, base=len(data))
        if chance.random() < 0.15:
            data += chance.choice([b"\0", b"\n}", bytes(70), b"x" * 1000])
        if chance.random() < 0.4:
            at = max(0, len(data) - chance.choice([22, 100, 2000]))
            data = data[:at] + self.bytes(data[at:])
        return (data,)

    def text_of_program(self):
        """Changes to the JSON itself, not to its texts."""
        chance = self.chance
        text = chance.choice(self.programs).decode()
        change = chance.randrange(6)
        if change == 0:
            text = self.bytes(text.encode()).decode(errors="surrogateescape")
        elif change == 1:
            places = [index for index, character in enumerate(text) if character in "{,"]
            at = chance.choice(places) + 1
            text = (
                text[:at]
                + chance.choice(
                    [
                        '"guards_code": [],',
                        '"target": "torch.ops.aten.add.Tensor",',
                        '"name": "x",',
                        '"graph_module": {},',
                        '"more": NaN,',
                        '"more": 1e999,',
                        '"a": "\\ud800",',
                    ]
                )
                + text[at:]
            )
        elif change == 2:
            at = chance.randrange(len(text))
            text = text[:at] + (f"\\u{ord(text[at]):04x}" if text[at].isalpha() else text[at]) + text[at + 1 :]
        elif change == 3:
            text = text.replace(
                chance.choice(['"guards_code"', '"name"', '"expr_str"', '"as_operator"', '"target"']),
                chance.choice(['"guards_c\\u006fde"', '"n\\u0061me"', '"\\u0065xpr_str"', '"as_operat\\u006fr"', '"t\\u0061rget"']),
            )
        elif change == 4:
            text = chance.choice([" ", "\n", "\ufeff", "\0", "//\n", ""]) + text + chance.choice([" ", "\n", "\0", "x", "{}", ""])
        else:
            text = text[:-1] + f', "guards_code": {json.dumps([chance.choice(self.guards)])}}}'
        data = text.encode("utf-8", "surrogateescape" if change == 0 else "surrogatepass")
        if chance.random() < 0.15:
            old = {
                "version": b"8.20",
                "serialized_exported_program.json": data,
                **{f"serialized_{name}.pt": hostile_corpus.saved({}) for name in ("state_dict", "constants", "example_inputs")},
            }
            return (hostile_corpus.zip_of(old, root=""),)
        return (self.model.archive({PROGRAM: data}),)

    def corpus_file(self):
        file = self.chance.choice(self.files)
        return (file.data if self.chance.random() < 0.2 else self.bytes(file.data)), file.suffix



def evaluated(oracle, files, whole):
    """Returns the events of each file, or None where torch crashed or hung. Runs in a separate process, which restarts after a crash."""
    results = {}
    while len(results) < len(files):
        first = len(results)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(null, descriptor)
            resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for index in range(first, len(files)):
                try:
                    events = oracle.file(files[index])
                    if not events and whole(index):
                        events = oracle.whole(files[index])
                except BaseException as problem:  # noqa: BLE001 - of the oracle itself
                    events = [f"oracle {type(problem).__name__} {problem}"[:200]] if not isinstance(problem, (MemoryError, RecursionError)) else []
                os.write(write, (json.dumps([index, events]) + "\n").encode())
            os._exit(0)
        os.close(write)
        rest = b""
        while True:
            if not select.select([read], [], [], SECONDS_PER_MUTANT)[0]:
                os.kill(child, signal.SIGKILL)
                break
            part = os.read(read, 1 << 16)
            if not part:
                break
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                index, events = json.loads(line)
                results[index] = events
        os.close(read)
        os.waitpid(child, 0)
        if len(results) < len(files):
            results[len(results)] = None
    return [results[index] for index in range(len(files))]


def scanned(paths):
    """For each file whether pt2 scan finds something in it."""
    done = subprocess.run([PT2, "scan", "--format", "json", *paths], capture_output=True, text=True, errors="replace")
    found = set()
    if done.stdout:
        found = {finding["file"] for finding in json.loads(done.stdout) if finding["level"] == "error"}
    return [str(path) in found for path in paths]


class Run:
    def __init__(self, mutants, seed, keep, every):
        self.count, self.keep, self.every = mutants, keep, every
        self.figures = collections.Counter()
        self.by_kind = collections.defaultdict(collections.Counter)
        self.missed = []
        self.model = hostile_corpus.Model(hostile_corpus.plain_archive())
        self.mutants = Mutants(self.model, seed)
        self.oracle = Oracle()

    def miss(self, file, what, events):
        self.missed.append(f"{file.name}: {what}: {events[:3]}")
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / f"{len(self.missed):04}_{file.name}{file.suffix}").write_bytes(file.data)
            with (self.keep / "misses.txt").open("a") as log:
                log.write(f"{len(self.missed):04}_{file.name}{file.suffix}: {what}: {events[:3]}\n")

    def batch(self, start, size, folder):
        files = [self.mutants.make(start + index) for index in range(size)]
        paths = []
        for index, file in enumerate(files):
            path = folder / f"{index}{file.suffix}"
            path.write_bytes(file.data)
            paths.append(path)
        events = evaluated(self.oracle, files, lambda index: self.every and (start + index) % self.every == 0)
        found = scanned(paths)
        hardened = []
        for file, path, fired, known in zip(files, paths, events, found):
            row = self.by_kind[file.name]
            row["made"] += 1
            if fired is None:
                row["no end"] += 1
                continue
            if not fired:
                row["found"] += known
                continue
            row["fired"] += 1
            if not known and subprocess.run([PT2, "scan", path], capture_output=True).returncode not in (1, 3):
                row["missed"] += 1
                self.miss(file, "scan", fired)
            out = folder / f"{path.name}.hardened.pt2"
            subprocess.run([PT2, "harden", path, "-o", out], capture_output=True)
            if out.exists():
                hardened.append((file, File(0, file.name, out.read_bytes())))
                out.unlink()
            else:
                row["refused"] += 1
        after = evaluated(self.oracle, [file for _, file in hardened], lambda index: self.every and index % 10 == 0)
        for (file, _), fired in zip(hardened, after):
            self.by_kind[file.name]["hardened"] += 1
            if fired:
                self.by_kind[file.name]["fires after"] += 1
                self.miss(file, "harden", fired)
        for path in folder.iterdir():
            path.unlink()

    def run(self):
        begun = time.time()
        plain = File(0, "plain", self.model.archive({}))
        self.oracle.file(plain)
        (events,) = evaluated(self.oracle, [plain], lambda index: True)
        if events:
            sys.exit(f"the plain model fires: {events}")
        with tempfile.TemporaryDirectory() as folder:
            for start in range(0, self.count, BATCH):
                self.batch(start, min(BATCH, self.count - start), pathlib.Path(folder))
                if self.keep:
                    print(f"{start + BATCH} mutants, {len(self.missed)} missed, {time.time() - begun:.0f} s", file=sys.stderr, flush=True)
        columns = ("made", "fired", "missed", "refused", "hardened", "fires after", "found", "no end")
        print(f"{'kind':<18}" + "".join(f"{column:>13}" for column in columns))
        total = collections.Counter()
        for kind, row in sorted(self.by_kind.items()):
            print(f"{kind:<18}" + "".join(f"{row[column]:>13}" for column in columns))
            total += row
        print(f"{'all':<18}" + "".join(f"{total[column]:>13}" for column in columns))
        print(f"{time.time() - begun:.0f} s ('found' counts findings in files that do not fire)")
        return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=random_seed.SEED)
    parser.add_argument("--keep", type=pathlib.Path, help="write what was missed there")
    parser.add_argument("--every", type=int, default=100, help="load every so manieth mutant as a whole (0: none)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    sys.setrecursionlimit(2000)
    print(f"seed {options.seed}, {options.mutants} mutants")
    run = Run(options.mutants, options.seed, options.keep, options.every)
    total = run.run()
    for line in run.missed[:40]:
        print(line)
    if run.missed:
        sys.exit(f"{len(run.missed)} missed")
    if total["fired"] < options.mutants / 10:
        sys.exit("too few of them fire to say anything")


if __name__ == "__main__":
    main()
