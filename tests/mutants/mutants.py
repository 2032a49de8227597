"""Random changes of honest programs by the grammar that torch reads: odd and harmless ones, and those that try to run code."""

import collections
import copy
import json
import pathlib
import random
import re
import sys
import unicodedata

import torch
import torch.utils._pytree as pytree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/corpus"), str(ROOT / "tests"), str(ROOT / "tests/interop")]
import hostile_corpus  # noqa: E402
import models  # noqa: E402
import torch_scan_oracle_test as scan_oracle  # noqa: E402

# effects.Watch notices the effect of each.
PAYLOADS = [
    "canary()", "open('CANARY','w')", "open(file='CANARY',mode='w')", "__import__('os').system('CANARY')", "__import__('canary_mod')", "exec('canary()')",
    "eval('canary()')", "(lambda:canary())()", "[canary() for i in [1]]", "[open('CANARY','w')][0]", "canary[0]", "canary.a", "f'{canary}'", "(y:=canary())",
    "getattr(__import__('builtins'),'open')('CANARY','w')", "().__class__.__base__.__subclasses__()[0].__init__.__globals__",
    "[c for c in ().__class__.__base__.__subclasses__() if c.__name__=='Popen'][0](['CANARY'])", "lambdify([],\"open('CANARY','w')\",'math')()",
    "sympify(\"open('CANARY','w')\")", "eval(compile(\"open('CANARY','w')\",'','eval'))", "breakpoint()", "torch.os.system('CANARY')", "torch.load('CANARY')",
    "self.to_folder('CANARY')", "math.__loader__.load_module('os').system('CANARY')", "print(canary)", "open('CANARY')", "help('CANARY')", "not canary",
    "torch.ops.load_library('CANARY')", "sys.modules['os'].system('CANARY')", "Symbol('s', integer=open('CANARY','w'))", "canary+1",
]  # fmt: skip
# {p} is a payload, {s} the original text.
WRAPPERS = [
    "{p}", "{s}={p}", "{s}:{p}", '{s}",{p})#', "{s}',{p})#", '{s}"]+{p}+["', "{s}\n {p}", "{s}\n{p}", "{s},{p}", "{p}.{s}", "{s}.{p}", "({p},)[0]", "{s} or {p}",
    "{s} and {p}", "{s} if {p} else 0", "{s};{p}", '" + str({p}) + "', "' + str({p}) + '", "' or {p} or '", "{s}[{p}]", "{s}({p})", "{s}\r{p}", "{s}\\\n{p}",
    "Max(1,{p})", "FloorDiv({p},2)", "{s}=0):\n    '''#", "{s}={p}):\n    '''#", "*{s}", "**{s}", "{s}\t=\t{p}", "{s}\f=\f{p}", "{s}#\n{p}", '{s}"""\n{p}\n"""',
    "{s}\u2028{p}", "{s} == {p}", "x,{p}", "a,{p};b,{p}", '{s}")\n    {p}\n    ("', "{s} + {p}", "[{p}]", "Symbol({p})", "{s}*int(bool({p}))",
]  # fmt: skip
ODD = [
    "'", '"', "\t", "\\", " ", ".", "-", "/", "#", "%", "{}", "[0]", "()", ",", ";", ":", "=", "é", "名前", "ﬁ", "ｘ", "🙂", "\u00a0", "\u200b", "\u2028", "\n", "\r",
    "\0", "\x1b", "\x7f", "e\u0301", "\\n", "\\x41", "$", "@", "!", "''", "..", "__", "_", "0", "class", "None", "True", "ª", "\ufeff",
]  # fmt: skip
WORDS = [
    "class", "None", "lambda", "x", "self", "0", "training", "forward", "__class__", "__init__", "__dict__", "to_folder", "_modules", "_＿init＿_", "ｔo_folder",
    "print", "L", "code", "it's", "two words", "größe", "p_x", "_in_spec", "_codegen", "graph", "register_hook", "a.b", "a..b", ".a", "a.", "x" * 300, "",
    "getattr(L['fn'], '0')", "G['ACT']", "layers.0.forward.__closure__.3.cell_contents", "_guards_fn", "true_graph_0", "import os", "torch", "inf", "nan", "device",
    "s77", "u0", "Symbol('u9', integer=True)", "zuf0", "torch.float16",
]  # fmt: skip
TARGETS = [
    "torch.load", "torch.hub.load", "torch.ops.load_library", "torch.os.system", "torch.utils.cpp_extension.load", "torch.jit.load", "torch.save",
    "torch.package.PackageImporter", "torch.sym_max", "torch.classes.load_library", "torch.ops.aten.from_file.default", "torch.ops.aten.add.Tensor",
    "torch.ops.aten.save", "torch.ops.aten._print.default", "_operator.getitem", "_operator.attrgetter", "_operator.methodcaller", "_operator.add", "math.floor",
    "math.__loader__.load_module", "torch.from_file", "torch.nn.functional.relu", "torch.nn.Linear", "torch.multiprocessing.spawn", "torch.compile", "canary.x",
    "torch.fx._symbolic_trace.symbolic_trace", "torch._higher_order_ops.wrap.wrap", "builtins.exec", "torch._functorch.predispatch._vmap_increment_nesting",
    "torch.autograd.function.FunctionMeta", "torch.ops.shop.scaled.default", "torch._dynamo.eval_frame", "torch.utils._pytree.importlib.import_module",
    "torch.ops.profiler._record_function_enter", *(f"torch.ops.higher_order.{name}" for name in sorted(torch._ops._higher_order_ops)),
]  # fmt: skip
MODULES = ["canary_mod", "builtins", "collections", "ctypes", "os", "torch", "torch.fx", "enum", "torch.utils._pytree", "antigravity", "sys", "", ".", "a.b"]
ATTRIBUTES = ["canary", "open", "list", "dict", "cdll", "Enum", "OrderedDict", "int", "", "exec", "__import__", "set", "system", "a.b", "Path"]
IN_PLACE = ("target", "in_spec", "out_spec", "expr_str", "stack_trace")  # texts that name no value or weight


class Reduced:
    """Imports a module when it is unpickled."""

    PICKLE = b"\x80\x02c__builtin__\n__import__\nX\x0a\x00\x00\x00canary_mod\x85R."

    def __reduce__(self):
        return __import__, ("canary_mod",)


class Base:
    """An honest program's records and the inputs of a call."""

    def __init__(self, name, data, calls):
        self.name, self.data, self.calls = name, data, calls
        self.records = hostile_corpus.records_of(data)
        self.member = next(key for key in self.records if key.startswith("models/"))
        self.model = self.member[len("models/") : -len(".json")]
        self.program = json.loads(self.records[self.member])

    def archive(self, changed):
        return hostile_corpus.zip_of({**self.records, **changed})

    def edited(self, program, changed=()):
        return self.archive({**dict(changed), self.member: json.dumps(program).encode()})

    def copy(self):
        return copy.deepcopy(self.program)


def places(value, path=()):
    """All (container, key, path) whose item is a string."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, str):
            yield value, key, (*path, key)
        elif isinstance(inner, (dict, list)):
            yield from places(inner, (*path, key))


def field(path):
    """The name of a place, without numbers and the names of values."""
    return ".".join([part for part in path if isinstance(part, str) and re.fullmatch(r"[a-z_]+", part)][-2:])


def spec_nodes(node):
    yield node
    for child in node["children_spec"]:
        yield from spec_nodes(child)


def dicts(value):
    """All dicts in sample inputs that have items."""
    if isinstance(value, dict):
        if value:
            yield value
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for inner in value:
            yield from dicts(inner)


def renamed_keys(value, old, new):
    if isinstance(value, dict):
        return {(new if key == old else key): renamed_keys(inner, old, new) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed_keys(inner, old, new) for inner in value]
    return value


class Mutant(collections.namedtuple("Mutant", ["number", "kind", "where", "is_harmless", "data", "calls"])):
    """A changed program: how and where, whether nothing in it tries to run code, and the inputs of a call."""


class Mutants:
    """Makes each mutant from the seed and its number alone."""

    def __init__(self, bases, seed):
        self.bases, self.seed = bases, seed
        plain = hostile_corpus.Model(hostile_corpus.plain_archive())
        self.plain = Base("plain", plain.archive({}), hostile_corpus.plain_arguments())
        self.of_oracle = scan_oracle.Mutants(plain, seed)
        self.kinds = [self.odd] * 5 + [self.text] * 5 + [self.defaults] * 2 + [self.evaluated] * 2 + [self.treespec] * 2 + [self.node] * 4 + [self.metadata] * 2
        self.kinds += [self.config] * 2 + [self.samples] * 4 + [self.records] * 2 + [self.pickle, self.zip] + [self.used_by_torch] * 3
        self.edits = list(hostile_corpus.edits())

    def make(self, number):
        self.chance = self.of_oracle.chance = random.Random(f"{self.seed}:{number}")
        make = self.chance.choice(self.kinds)
        self.base = self.chance.choice(self.bases)
        where, is_harmless, data = make()
        return Mutant(number, make.__name__, where, is_harmless, data, self.base.calls)

    def odd_text(self, text):
        chance = self.chance
        if chance.random() < 0.3:
            return chance.choice(WORDS)
        if chance.random() < 0.2 and "." in text:
            parts = text.split(".")
            parts[chance.randrange(len(parts))] = chance.choice(WORDS)
            return ".".join(parts)
        at = chance.randrange(len(text) + 1)
        return text[:at] + chance.choice(ODD) + text[at + chance.choice([0, 0, 1]) :]

    def payload(self):
        text = self.chance.choice([PAYLOADS[0], PAYLOADS[1], self.chance.choice(PAYLOADS)])
        if self.chance.random() < 0.15:  # Python normalizes identifiers, so it is the same
            text = re.sub(r"[A-Za-z_]{3,}", lambda found: self.fullwidth(found[0]), text, count=self.chance.choice([0, 1]))
        return text

    def fullwidth(self, word):
        at = self.chance.randrange(len(word))
        wide = chr(ord(word[at]) + 0xFEE0) if word[at] != "_" else "＿"
        return word if at == 0 and unicodedata.category(wide) == "Pc" else word[:at] + wide + word[at + 1 :]

    def hostile_text(self, text):
        return self.chance.choice(WRAPPERS).replace("{s}", text).replace("{p}", self.payload())

    def with_text(self, change, everywhere):
        """A random text of the program changed; a name of a value or weight at all places that have it, if `everywhere`."""
        program, changed = self.base.copy(), {}
        by_field = collections.defaultdict(list)
        for container, key, path in places(program):
            by_field[field(path)].append((container, key))
        where = self.chance.choice(sorted(by_field))
        container, key = self.chance.choice(by_field[where])
        old = container[key]
        new = change(old)
        if everywhere and old and where.rpartition(".")[2] not in IN_PLACE:
            for other, place, _ in list(places(program)):
                if other[place] == old:
                    other[place] = new
            program = renamed_keys(program, old, new)
            for name, data in self.base.records.items():
                if name.endswith("_config.json"):
                    changed[name] = json.dumps(renamed_keys(json.loads(data), old, new)).encode()
        else:
            container[key] = new
        changed[self.base.member] = json.dumps(program, ensure_ascii=self.chance.random() < 0.5).encode("utf-8", "surrogatepass")
        return where, self.base.archive(changed)

    def odd(self):
        where, data = self.with_text(self.odd_text, True)
        return where, True, data

    def text(self):
        where, data = self.with_text(self.hostile_text, self.chance.random() < 0.8)
        return where, False, data

    def defaults(self):
        """A name of an input, as a default of a parameter; the later ones get defaults, without which Python takes none before them."""
        text = self.base.records[self.base.member].decode()
        names = [value["name"] for entry in self.base.program["graph_module"]["graph"]["inputs"] for value in entry.values() if isinstance(value, dict) and "name" in value]
        at = self.chance.randrange(len(names)) if names else 0
        for index, name in enumerate(names[at:]):
            new = f"{name}{self.chance.choice(['=', '=', ' = ', ':', '=[', ':x='])}{self.payload()}" if index == 0 else f"{name}=0"
            text = text.replace(json.dumps(name), json.dumps(new))
        return "inputs", False, self.base.archive({self.base.member: text.encode()})

    def evaluated(self):
        """Guards, and expressions of sizes."""
        chance, program = self.chance, self.base.copy()
        graph = program["graph_module"]["graph"]
        if chance.random() < 0.4:
            program["guards_code"] = [self.hostile_text(chance.choice(["True", "1", "L['x'].size()[0]", "''"])), "True"][: chance.randrange(1, 3)]
            return "guards_code", False, self.base.edited(program)
        entry = {"as_expr": {"expr_str": self.hostile_text(chance.choice(["1", "s77", "2*s0"])), "hint": chance.choice([None, {"as_int": 5}])}}
        values = list(graph["tensor_values"].values())
        if values and chance.random() < 0.8:
            chance.choice(values)[chance.choice(["sizes", "strides"])] = [entry]
        else:
            graph["sym_int_values"]["s0"] = entry
        return "expr_str", False, self.base.edited(program)

    def random_spec(self, depth):
        chance = self.chance
        kinds = "tuple list dict set slice".split()
        kind = chance.choice(
            [*(f"builtins.{name}" for name in kinds), "collections.OrderedDict", "collections.defaultdict", "collections.deque", "collections.namedtuple", None]
            + ["torch.Size", "models.Batch", "Pair", "canary_mod.x"]
        )
        if kind is None or depth == 0:
            return {"type": None, "context": None, "children_spec": []}
        children = [self.random_spec(depth - 1) for _ in range(chance.randrange(3))]
        enum = {"__enum__": chance.choice([True, True, False, 1]), "fqn": f"{chance.choice(MODULES)}:{chance.choice(ATTRIBUTES)}", "name": chance.choice(["x", "CANARY.so", ""])}
        keys = [self.hostile_text("k") if chance.random() < 0.5 else chance.choice(ODD) for _ in children]
        if kind == "collections.defaultdict":
            context = {"default_factory_module": chance.choice(MODULES), "default_factory_name": chance.choice(ATTRIBUTES), "dict_context": keys}
        else:
            context = json.dumps(chance.choice([None, keys, keys, [enum], enum, {"a": [enum]}, [1, 2], 3, "text", [[["k"]]]]))
        return {"type": kind, "context": context, "children_spec": children}

    def treespec(self):
        chance, program = self.chance, self.base.copy()
        signature = chance.choice([call["signature"] for call in program["graph_module"]["module_call_graph"] if call.get("signature")])
        which = chance.choice(["in_spec", "out_spec"])
        spec = json.loads(signature[which])
        nodes = list(spec_nodes(spec[1]))
        keyed = [node for node in nodes if node["type"] in ("builtins.dict", "collections.OrderedDict") and node["children_spec"]]
        is_odd = False
        if keyed and chance.random() < 0.5:
            node = chance.choice(keyed)
            keys = json.loads(node["context"])
            is_odd = chance.random() < 0.5
            keys[chance.randrange(len(keys))] = self.odd_text("key") if is_odd else self.hostile_text("key")
            node["context"] = json.dumps(keys)
        else:
            node = chance.choice(nodes)
            node.update(self.random_spec(2))
        text = json.dumps(spec)
        if chance.random() < 0.15:
            text = text.replace("__enum__", "\\u005f_enum__").replace('"type"', '"typ\\u0065"')
        signature[which] = text
        return which, is_odd and which == "out_spec", self.base.edited(program)

    def value(self, graph, depth=0):
        """An argument of any kind."""
        chance = self.chance
        names = [value["name"] for entry in graph["inputs"] for kind, value in entry.items() if kind == "as_tensor"]
        names += [output["as_tensor"]["name"] for node in graph["nodes"] for output in node["outputs"] if "as_tensor" in output]
        graphs = [argument["arg"] for node in graph["nodes"] for argument in node["inputs"] if "as_graph" in argument["arg"]]
        choices = [
            {"as_tensor": {"name": chance.choice(names or ["x"])}}, {"as_tensors": [{"name": chance.choice(names or ["x"])}]}, {"as_operator": chance.choice(TARGETS)},
            {"as_string": chance.choice(["CANARY", "canary()", "x", "os", "open", self.payload()])}, {"as_strings": ["CANARY", "x"]}, {"as_int": chance.randrange(3)},
            {"as_none": True}, {"as_custom_obj": {"name": "x", "class_fqn": "canary.x"}}, *copy.deepcopy(graphs),
        ]  # fmt: skip
        if depth < 2:
            choices.append({"as_string_to_argument": {chance.choice(["a", "fn", self.payload()]): self.value(graph, depth + 1)}})
        return chance.choice(choices)

    def node(self):
        """Other operators, and arguments of other kinds."""
        chance, program = self.chance, self.base.copy()
        graph = program["graph_module"]["graph"]
        if not graph["nodes"]:
            return self.text()
        node = chance.choice(graph["nodes"])
        change = chance.randrange(4)
        if change == 0:
            node["target"] = chance.choice(TARGETS)
        elif change == 1 and node["inputs"]:
            chance.choice(node["inputs"])["arg"] = self.value(graph)
        elif change == 2:
            node["target"] = chance.choice(TARGETS)
            kinds = [None, 1, 1, 2]
            node["inputs"] = [
                {"name": chance.choice(["", "f", "fn", "self", "func", self.payload()]), "arg": self.value(graph), "kind": chance.choice(kinds)}
                for _ in range(chance.randrange(1, 5))
            ]
        else:  # a weight named like an attribute, in place of a callee
            names = [spec[kind] for spec in program["graph_module"]["signature"]["input_specs"] for kind in ("parameter", "buffer") if kind in spec]
            node["target"] = f"torch.ops.higher_order.{chance.choice(sorted(torch._ops._higher_order_ops))}"
            node["inputs"] = [{"name": "", "arg": self.value(graph), "kind": 1} for _ in range(chance.randrange(1, 4))]
            if names:
                weight = chance.choice(names)
                node["inputs"][0]["arg"] = {"as_tensor": weight["arg"]}
                key = next(key for key in weight if key.endswith("_name"))
                old, new = weight[key], chance.choice(["to_folder", "ｔo_folder", "__init__", "_＿init＿_", "_＿init＿_._＿globals＿_.get", "_＿init＿_._＿builtins＿_.get", "a.b"])
                weight[key] = new
                configs = {name: json.loads(data) for name, data in self.base.records.items() if name.endswith("_config.json")}
                return "callee", False, self.base.edited(program, {name: json.dumps(renamed_keys(content, old, new)).encode() for name, content in configs.items()})
        return "node", False, self.base.edited(program)

    def used_by_torch(self):
        """A line of the table of what torch does with names and arguments."""
        label, edit = self.chance.choice(self.edits)
        program = self.base.copy()
        edit(program)
        return label.partition("_")[0], False, self.base.edited(program)

    def metadata(self):
        chance, program = self.chance, self.base.copy()
        nodes = program["graph_module"]["graph"]["nodes"]
        if not nodes:
            return self.text()
        target = chance.choice([*TARGETS, "torch.nn.modules.linear.Linear", "torch._dynamo.variables.misc.trampoline_autograd_apply"])
        where = chance.choice(["source_fn_stack", "source_fn_stack", "nn_module_stack", "torch_fn", "from_node", "custom", "x"])
        text = [f"x,{target}", "k,canary()", target, f"L__self__,{self.odd_text('a.b')},{target}", f"a,b,c;{self.hostile_text('a')}", f"a,torch.add;x,{target}"]
        chance.choice(nodes).setdefault("metadata", {})[where] = chance.choice(text)
        return f"metadata.{where}", False, self.base.edited(program)

    def config(self):
        chance = self.chance
        name = chance.choice([name for name in self.base.records if name.endswith("_config.json")])
        content, folder = json.loads(self.base.records[name]), name.rpartition("/")[0] + "/"
        payload = hostile_corpus.saved(Reduced(), pickle_protocol=2)
        entries = content["config"]
        if not entries:
            entries["extra"] = {"path_name": "w", "is_param": True, "use_pickle": True, "tensor_meta": None}
        entry = chance.choice(list(entries.values()))
        path = entry["path_name"]
        twins = [path + "\0x", path + ".x", "../weights/" + path, path.upper(), "opaque_obj_0", "opaque_obj_9", "tensor_0", "x/" + path, path + " ", "./" + path, path + "\n", ""]
        twin, changed, change = chance.choice([path, *twins]), {}, chance.randrange(4)
        pickles = chance.choice([True, True, 1, "yes", [0], 0.5])
        if change == 0:
            entry.update(path_name=twin, use_pickle=pickles)
            changed[folder + chance.choice([twin, path])] = payload
        elif change == 1:
            entry["use_pickle"] = pickles
            changed[folder + path] = payload
        elif change == 2:
            entries[chance.choice(ODD)] = {**entry, "path_name": twin, "use_pickle": pickles}
            changed[folder + twin] = payload
        else:
            content["config"] = {self.odd_text(key) if chance.random() < 0.3 else key: value for key, value in entries.items()}
        text = json.dumps(content)
        if chance.random() < 0.2:
            text = text.replace("use_pickle", "use\\u005fpickle").replace("}", ', "use_pickle": true}', chance.choice([0, 1]))
        return "config", False, self.base.archive({**changed, name: text.encode()})

    def key(self, depth=0):
        """A key of a dict of sample inputs."""
        chance = self.chance
        pasted = [f'" + str({self.payload()}) + "', f"' + str({self.payload()}) + '", f'"] or {self.payload()} or L["', f"'] or {self.payload()} or L['"]
        text = chance.choice([chance.choice(ODD), "key", pasted[0], pasted[0], chance.choice(pasted)])
        plain = [text] * 4 + [chance.choice([None, True, False, 7, 2.5, 1j, 1 << 80])]
        if depth > 1:
            return chance.choice(plain)
        enums = [torch.float32, torch.Size([2]), torch.device("cpu"), torch.strided, models.Pair(text, text)]
        return chance.choice([*plain, text.encode(), frozenset([text]), (1, self.key(depth + 1)), frozenset([self.key(depth + 1)]), chance.choice(enums)])

    def samples(self):
        """Sample inputs with another key or value, in the containers that torch.load takes, mostly with the treespec to match."""
        chance, key = self.chance, self.key()
        if chance.random() < 0.8:
            self.base = chance.choice([base for base in self.bases if list(dicts(base.calls[0]))])
        program, value = self.base.copy(), copy.deepcopy(self.base.calls)
        found = list(dicts(value[0])) or list(dicts(value[1]))
        is_harmless = type(key) in (int, bool, type(None)) or (type(key) is str and not re.search("canary|CANARY|[\"'\\\\\x00-\x1f\x7f-\x9f\u2028]", key))
        if found and chance.random() < 0.8:
            inner = chance.choice(found)
            if inner is value[1] and type(key) is not str:
                key, is_harmless = "key", True
            old = chance.choice(list(inner))
            inner[key] = inner.pop(old)
        else:
            shape = chance.choice([{key: torch.ones(2)}, [{key: torch.ones(2), "z": {key: torch.ones(2)}}], key])
            value = ((*value[0], shape), value[1])
            is_harmless = False
        options = chance.choice([{}, {}, {"_use_new_zipfile_serialization": False}, {"pickle_protocol": chance.randrange(2, 6)}])
        if chance.random() < 0.7:
            signature = program["graph_module"]["module_call_graph"][0]["signature"]
            try:
                signature["in_spec"] = pytree.treespec_dumps(pytree.tree_structure(value))
            except Exception:  # noqa: BLE001  JSON has no such key
                pass
        if not program.get("guards_code"):
            program["guards_code"] = chance.choice([[], ["True"]])
        return "samples", is_harmless, self.base.edited(program, {f"data/sample_inputs/{self.base.model}.pt": hostile_corpus.saved(value, **options)})

    def records(self):
        chance, base, records = self.chance, self.base, dict(self.base.records)
        payload = chance.choice([hostile_corpus.saved(Reduced(), pickle_protocol=2), Reduced.PICKLE, b"canary()", b""])
        for _ in range(chance.randrange(1, 3)):
            name = chance.choice(list(records))
            new = chance.choice([
                name + "\0x", name.upper(), name + "/", "extra/" + name, name.replace("/", "//"), f"data/constants/{base.model}.pt", f"data/weights/{base.model}.pt",
                "data/aotinductor/m/x.so", "extra/x.py", ".data/serialization_id", "code/x.py", "constants.pkl", "data.pkl", "models/", "data/aotinductor/",
                f"models/{base.model}.pt", "data/sample_inputs/", "../x", "models/x.json/y", f"data/sample_inputs/{base.model}.pt",
            ])  # fmt: skip
            records[new] = chance.choice([payload, payload, records[name]])
            if chance.random() < 0.3:
                del records[name]
        return "records", False, hostile_corpus.zip_of(records, root=chance.choice(["model", "model", "", "a/b", "m\\n", "é"]))

    def borrowed(self, make):
        self.base = self.plain
        data, *suffix = make()
        return (make.__name__, False, data) if suffix in ([], [".pt2"]) else self.text()

    def pickle(self):
        return self.borrowed(self.of_oracle.pickle)

    def zip(self):
        return self.borrowed(self.chance.choice([self.of_oracle.zip, self.of_oracle.role, self.of_oracle.text_of_program]))
