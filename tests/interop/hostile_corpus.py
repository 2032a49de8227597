"""Files that run code in torch, in all ways that are known, made from a plain model; and whether torch runs them."""

import collections
import dataclasses
import io
import itertools
import json
import os
import pathlib
import pickle
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "dev"))
import torch_model  # noqa: E402

KINDS = {1: "names", 2: "expressions and guards", 3: "treespecs", 4: "resolved names", 5: "roles", 6: "zip", 7: "other", 8: "names and arguments"}
OPEN = "open('./MARKER','w')"
LIBRARY = "./tmp/libmark.so"


@dataclasses.dataclass
class File:
    kind: int
    name: str
    data: bytes
    suffix: str = ".pt2"
    fires_everywhere: bool = True  # if not, it is bad even if this torch does nothing



class Plain(torch.nn.Module):
    """A parameter, a buffer, a constant, a size that varies, subgraphs, an operator of two outputs, a dictionary in and out, and a keyword."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)
        self.register_buffer("offset", torch.ones(3))
        self.constant = torch.arange(3.0)

    def forward(self, x, more, flag, mode, *, scale):
        y = self.linear(x) + self.offset
        first, second = more["a"].split(1, dim=0)
        y = torch.cond(y.sum() > 0, lambda a: a.sin(), lambda a: a.cos(), (y,))
        return {"out": y * self.constant * scale, "more": (first + second, x.shape[0] * 2)}


def plain_arguments():
    return (torch.randn(5, 4), {"a": torch.randn(2, 2)}, 3, "fast"), {"scale": torch.ones(1)}


def plain_archive():
    """The bytes of the plain model as torch.export.save writes it."""
    torch.manual_seed(0)
    arguments, keywords = plain_arguments()
    shapes = {"x": {0: torch.export.Dim("n", min=3, max=64)}, "more": {"a": None}, "flag": None, "mode": None, "scale": None}
    program = torch.export.export(Plain(), arguments, keywords, dynamic_shapes=shapes)
    buffer = io.BytesIO()
    torch.export.save(program, buffer)
    return buffer.getvalue()


def records_of(archive):
    """Returns the records of an archive by name, without their top folder, if there is one."""
    with zipfile.ZipFile(io.BytesIO(archive)) as zipped:
        return {name.split("/", 1)[-1]: zipped.read(name) for name in zipped.namelist()}


def zip_of(records, root="model"):
    """Returns an archive with these records, uncompressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zipped:
        for name, data in records.items():
            zipped.writestr(f"{root}/{name}" if root else name, data)
    return out.getvalue()


PROGRAM = "models/model.json"


class Model:
    """The plain model's parts, and archives of them with some replaced."""

    def __init__(self, archive, library=None):
        self.library = library
        self.records = records_of(archive)
        self.program = self.records[PROGRAM].decode()

    def json(self):
        return json.loads(self.program)

    def with_records(self, changed):
        return {**self.records, **changed}

    def archive(self, changed):
        return zip_of(self.with_records(changed))

    def with_text(self, old, new):
        """Returns a program with all occurrences of a JSON string replaced."""
        changed = self.program.replace(json.dumps(old), json.dumps(new))
        if changed == self.program:
            raise KeyError(old)
        return self.archive({PROGRAM: changed.encode()})

    def edited(self, edit):
        program = self.json()
        edit(program)
        return self.archive({PROGRAM: json.dumps(program).encode()})

    def hostile_records(self):
        """The records of a program that fires on loading, for tricks that show torch these records and others the plain ones."""
        return records_of(self.with_text("scale", f"scale={OPEN}"))


INPUTS = ["p_linear_weight", "p_linear_bias", "b_offset", "c_constant", "x", "more_a", "flag", "mode", "scale"]


def with_input_renamed(program, old, new):
    """Returns a program's text with an input renamed; later inputs get defaults, because Python requires them."""
    for name in INPUTS[INPUTS.index(old) :]:
        program = program.replace(json.dumps(name), json.dumps(new if name == old else f"{name}=0"))
    return program


def names(model):
    def renamed(label, old, new):
        return File(1, label, model.archive({PROGRAM: with_input_renamed(model.program, old, new).encode()}))

    for label, new in {
        "default": f"x={OPEN}",
        "call": "x=exec(\"open('./MARKER','w')\")",
        "import": "x=__import__('os').system('touch ./MARKER')",
        "unicode": f"x=ｏｐｅｎ{OPEN[4:]}",
        "newline": f"x=\\\n {OPEN}",
        "brackets": f"x=[\n{OPEN}\n][0]",
        "lambda": f"x=(lambda:{OPEN})()",
        "walrus": f"x=(y:={OPEN})",
        "form_feed": f"x\f=\f{OPEN}",
        "more": f"y=1,x={OPEN}",
    }.items():
        yield renamed(f"input_{label}", "x", new)
    for old in ("p_linear_weight", "p_linear_bias", "b_offset", "c_constant", "more_a", "scale"):
        yield renamed(old, old, f"{old}={OPEN}")
    for old in ("true_graph_0", "false_graph_0"):
        yield File(1, f"graph_{old}", model.with_text(old, old + "\",open('MARKER','w'))#"))
    yield File(1, "graph_getattr", model.with_text("true_graph_0", "t\" if open('MARKER','w') else \"true_graph_0"))

    def subgraphs(program):
        for node in program["graph_module"]["graph"]["nodes"]:
            for argument in node["inputs"]:
                if "as_graph" in argument["arg"]:
                    yield node, argument["arg"]["as_graph"]["graph"]

    def inner_input(program):
        for _, graph in subgraphs(program):
            bad = f"add={OPEN}"
            text = json.dumps(graph).replace('"add"', json.dumps(bad))
            graph.clear()
            graph.update(json.loads(text))

    def keyword(program):
        for node, _ in subgraphs(program):
            node["inputs"][-1]["name"] = f"more={OPEN}, operands"
            node["inputs"][-1]["kind"] = 2

    yield File(1, "subgraph_input", model.edited(inner_input))
    yield File(1, "subgraph_keyword", model.edited(keyword))

    def argument_names(new):
        def edit(program):
            program["graph_module"]["module_call_graph"][0]["signature"]["forward_arg_names"][-1] = new

        return edit

    # twice: the first opens a string that the second closes
    yield File(1, "forward_default", model.edited(argument_names(f"scale={OPEN}):\n    '''#")))
    yield File(1, "forward_annotation", model.edited(argument_names(f"scale:{OPEN}):\n    '''#")))
    for kind in ("parameter", "buffer", "tensor_constant"):
        fqn = {"parameter": "linear.weight", "buffer": "offset", "tensor_constant": "constant"}[kind]
        bad = "q\",open('MARKER','w'))#"
        changed = {name: data.replace(json.dumps(fqn).encode(), json.dumps(bad).encode()) for name, data in model.records.items() if name.endswith(".json")}
        yield File(1, f"target_{kind}", model.archive(changed))

    def last_constant(program):
        program["graph_module"]["graph"]["inputs"].append({"as_int": 1})
        named = {"name": f"last={OPEN}", "value": {"as_int": 1}}
        program["graph_module"]["signature"]["input_specs"].append({"constant_input": named})

    yield File(1, "constant_input", model.edited(last_constant))
    yield from called_values(model)


def called_values(model):
    """Buffers whose names lead to builtins, called by higher-order operators: get('eval')(OPEN)."""
    wrap = "torch.ops.higher_order.wrap"
    escaped = r"\x5f_init__.\x5f_builtins__.get"

    value, node = tensor, node_of

    def with_calls(buffer, call):
        """The buffer `offset` under another name, which `call(value, text, result)` makes nodes of."""
        program = model.json()
        graph = program["graph_module"]["graph"]
        (spec,) = [spec["buffer"] for spec in program["graph_module"]["signature"]["input_specs"] if "buffer" in spec]
        for result in ("got", "ran"):
            graph["tensor_values"][result] = graph["tensor_values"][spec["arg"]["name"]]
        graph["nodes"][:0] = [call(spec["arg"]["name"], "eval", "got"), call("got", OPEN, "ran")]
        records = {**model.records, PROGRAM: json.dumps(program).encode()}
        return model.archive(
            {name: data.replace(b'"offset"', json.dumps(buffer).encode()) for name, data in records.items() if name.endswith(".json")}
        )

    def wrapped(name, text, result):
        return node(wrap, [value(name), argument("as_string", text)], result)

    names = {
        "low_line": "_\uff3finit\uff3f_._\uff3fbuiltins\uff3f_.get",
        "vertical": "_\ufe33init\ufe33_._\ufe33builtins\ufe33_.get",
        "letters": "forward.__\U0001d41f\U0001d42e\U0001d427\U0001d41c__.__\uff42uiltins__.get",
        "plain": "__init__.__builtins__.get",
        "function": "forward.__func__.__builtins__.get",
        "escape": escaped,
        "octal": r"\137_init__.\137_builtins__.get",
        "unicode_escape": r"\u005f_init__.\U0000005f_builtins__.get",
        "named_escape": r"\N{LOW LINE}_init__.\N{LOW LINE}_builtins__.get",
    }
    for label, name in names.items():
        yield File(1, f"called_buffer_{label}", with_calls(name, wrapped))

    def nested(operator, before=()):
        inner = [*before, argument("as_operator", wrap)]
        return lambda name, text, result: node(operator, [*inner, value(name), argument("as_string", text)], result)

    higher = "torch.ops.higher_order."
    calls = {
        "foreach_map": lambda name, text, result: node(higher + "foreach_map", [value(name), argument("as_string", text)], result),
        "after_keyword": lambda name, text, result: node(
            higher + "foreach_map", [argument("as_int", 1, "more"), value(name), argument("as_string", text)], result
        ),
        "by_keyword": lambda name, text, result: node(higher + "trace_wrapped", [argument("as_string", text), value(name, "fn")], result),
        "by_module": lambda name, text, result: node(
            "torch._higher_order_ops.wrap.wrap", [value(name), argument("as_string", text)], result
        ),
        "symbol": lambda name, text, result: node(
            wrap, [argument("as_sym_int", {"as_name": name}), argument("as_string", text)], result
        ),
        "object": lambda name, text, result: node(
            wrap, [argument("as_custom_obj", {"name": name, "class_fqn": ""}), argument("as_string", text)], result
        ),
        "nested": nested(wrap),
        "nested_with_grad": nested(higher + "wrap_with_set_grad_enabled", [argument("as_bool", True)]),
        "nested_by_module": lambda name, text, result: node(
            wrap, [argument("as_operator", "torch._higher_order_ops.wrap.wrap"), value(name), argument("as_string", text)], result
        ),
    }
    for label, call in calls.items():
        yield File(4, f"called_{label}", with_calls(escaped, call))



def expressions(model):
    symbol = next(s for s in strings(model.json(), "expr_str") if "Symbol" in s or s.startswith("s"))
    payloads = {
        "globals": "Integer.__init_subclass__.__self__.__new__.__globals__['__builtins__']['open']('./MARKER','w')",
        "keywords": "open(file='./MARKER', mode='w')",
        "positional": OPEN,
        "exec": f'exec("{OPEN}")',
        "eval": f'eval("{OPEN}")',
        "import": "__import__('os').system('touch ./MARKER')",
        "compile": f"eval(compile(\"{OPEN}\",'','eval'))",
        "getattr": "getattr(__import__('os'),'system')('touch ./MARKER')",
        "lambda": f"(lambda: {OPEN})()",
        "index": f"[{OPEN}][0]",
        "sum": f"s77 + bool({OPEN})",
        "nested": f'FloorDiv(eval("{OPEN} and 4"), 2)',
        "nested_keyword": f"Symbol('s77', integer=bool({OPEN}))",
        "comprehension": f"[{OPEN} for i in [1]]",
        "conditional": f"1 if {OPEN} else 2",
        "format": "f\"{open('./MARKER','w')}\"",
        "sympify": f'sympify("{OPEN}")',
        "sympify_deep": "S(\"eval('open(\\\\'./MARKER\\\\',\\\\'w\\\\')')\")",
        "lambdify": "lambdify([], \"open('./MARKER','w')\", 'math')()",
        "symbol_chain": "Symbol.__mro__[-1].__subclasses__",
        "subclasses": "[c for c in (1).__class__.__base__.__subclasses__() if c.__name__=='Popen'][0](['touch','./MARKER'])",
        "breakpoint": "Symbol('s77').subs('s77', \"open('./MARKER','w')\")",
        "implicit": "Integer(\"__import__('os').system('touch ./MARKER')\")",
        "equation": f'Eq(s77, "{OPEN}")',
        "max": f'Max(s77, "{OPEN}")',
        "add": f'Add(1, "{OPEN}")',
        "mod": f'Mod("{OPEN}", 2)',
        "piecewise": f'Piecewise((1, "{OPEN}"), (2, True))',
        "starred": f"print(*[{OPEN}])",
        "tabs": f"\t {OPEN}\n",
        "unicode": f"ｏｐｅｎ{OPEN[4:]}",
    }
    for label, payload in payloads.items():
        yield File(2, f"expr_{label}", model.with_text(symbol, payload))

    def sym_value(field, payload):
        def edit(program):
            graph = program["graph_module"]["graph"]
            values = graph["sym_int_values"]
            name = next(iter(values))
            values[name] = {"as_expr": {"expr_str": payload, "hint": {"as_int": 1}}}

        return edit

    yield File(2, "expr_sym_int", model.edited(sym_value("sym_int_values", OPEN)))

    def meta(field):
        def edit(program):
            value = next(iter(program["graph_module"]["graph"]["tensor_values"].values()))
            entry = {"as_expr": {"expr_str": f'eval("{OPEN} and 1")', "hint": None}}
            if field == "storage_offset":
                value[field] = entry
            else:
                value[field][0] = entry

        return edit

    for field in ("sizes", "strides", "storage_offset"):
        yield File(2, f"expr_{field}", model.edited(meta(field)))

    def inner(program):
        text = json.dumps(program["graph_module"]["graph"]["nodes"])
        graph = program["graph_module"]["graph"]
        graph["nodes"] = json.loads(text.replace(json.dumps(symbol), json.dumps(OPEN)))

    yield File(2, "expr_subgraph", model.edited(inner))

    guards = {
        "call": OPEN,
        "and": f"True and {OPEN}",
        "comparison": f"L['x'].size()[0] >= 0 or {OPEN}",
        "comparison_after": f"L['x'].size()[0] >= {OPEN} .close() is None",
        "index": f"L['x'].size()[{OPEN} and 0] >= 0",
        "isinstance": f"isinstance(L['x'], eval(\"{OPEN} and object\"))",
        "len": f"len([{OPEN}]) == 1",
        "attribute": "L['x'].size().__class__.__base__.__base__.__subclasses__",
        "math": "math.__loader__.load_module('os').system('touch ./MARKER') == 0",
        "lambda": f"(lambda: {OPEN})()",
        "newline": f"True)\n  {OPEN}\n  (1",
        "close": f"{OPEN}) or (1",
        "comprehension": f"[{OPEN} for _ in [1]]",
        "conditional": f"0 if {OPEN} else 0",
        "import": "__import__('os').system('touch ./MARKER') == 0",
        "walrus": f"(y := {OPEN})",
        "message": "L['x'].size()[0] >= 0 or \" + str(open('./MARKER','w')) + \"",
        "message_dictionary": "L['more'][\" + str(open('./MARKER','w')) + \"] == 1 if False else True",
        "format": "f\"{open('./MARKER','w')}\" != ''",
        "default": f"(lambda a={OPEN}: a)",
        "unicode": f"ｏｐｅｎ{OPEN[4:]}",
    }
    for label, payload in guards.items():
        yield File(2, f"guard_{label}", model.edited(lambda program, payload=payload: program.update(guards_code=[payload])))

    def text_input(program):
        for spec in program["graph_module"]["signature"]["input_specs"]:
            if "constant_input" in spec and "as_string" in spec["constant_input"]["value"]:
                spec["constant_input"]["value"]["as_string"] = f"' or {OPEN} or '"
        for argument in program["graph_module"]["graph"]["inputs"]:
            if "as_string" in argument:
                argument["as_string"] = f"' or {OPEN} or '"

    yield File(2, "guard_of_text_input", model.edited(text_input))

    key = " + str(open('./MARKER','w')) + "

    def with_key(key, specified=False, **options):
        """Replaces a key of the sample inputs' dictionary, and of the treespec on request: torch makes guards of its path."""
        samples = torch.load(io.BytesIO(model.records[SAMPLES]), weights_only=False)
        samples[0][1][key] = samples[0][1].pop("a")
        program = model.json()
        if specified:
            signature = program["graph_module"]["module_call_graph"][0]["signature"]
            specification = json.loads(signature["in_spec"])
            specification[1]["children_spec"][0]["children_spec"][1]["context"] = json.dumps([key])
            signature["in_spec"] = json.dumps(specification)
        return model.archive({SAMPLES: saved(samples, **options), PROGRAM: json.dumps(program).encode()})

    for label, hostile_key in {"text": key, "tuple": (1, key), "nested": ((key, 2.5),)}.items():
        yield File(2, f"guard_of_sample_key_{label}", with_key(hostile_key))
    yield File(2, "guard_of_sample_key_and_spec", with_key(key, specified=True))
    yield File(2, "guard_of_sample_key_legacy", with_key(key, _use_new_zipfile_serialization=False))
    for protocol in (2, 3, 4, 5):
        yield File(2, f"guard_of_sample_key_bytes_{protocol}", with_key(key.encode(), pickle_protocol=protocol))
        yield File(2, f"guard_of_sample_key_set_{protocol}", with_key(frozenset([key]), pickle_protocol=protocol))

    yield from sample_keys(model, key)

    def integer_as_text(program):
        """JSON of a type that the schema does not allow, which torch does not check."""
        for argument in program["graph_module"]["graph"]["inputs"]:
            if "as_int" in argument:
                argument["as_int"] = f"' or {OPEN} or '"

    yield File(2, "guard_of_integer_that_is_text", model.edited(integer_as_text))


def sample_keys(model, key):
    """Keys in sample inputs that are not literals in the pickle, and dicts made by calls."""

    def text(value):
        return b"X" + struct.pack("<I", len(value.encode())) + value.encode()

    def encoded(codec):
        padded = key + " " * (len(key) % 2)
        return b"c_codecs\nencode\n" + text(padded.encode().decode(codec)) + text(codec) + b"\x86R"

    wide = encoded("utf-16-le")
    quoted = key.replace("'", "\\x27").encode()
    keys = {
        "encoded": wide,
        "encoded_latin": encoded("latin-1"),
        "tuple": wide + b"\x85",
        "tuple_of_mark": b"(" + wide + wide + b"t",
        "tuple_twice": b"K\x01" + wide + b"\x85\x86",
        "set": b"(" + wide + b"\x91",
        "put": wide + b"r\xff\0\0\0" + b"0j\xff\0\0\0",
        "put_text": text(key) + b"r\xff\0\0\0" + b"0j\xff\0\0\0",
        "twice": wide + b"20",
        "string_escape": b"S'" + quoted + b"'\n",
        "string_quotes": b'S"' + key.encode() + b'"\n',
        "unicode_escape": b"V" + quoted.replace(b"\\x", b"\\u00") + b"\n",
        "unicode": b"V" + key.encode() + b"\n",
        "short_string": b"U" + bytes([len(key)]) + key.encode(),
        "short_bytes": b"C" + bytes([len(key)]) + key.encode(),
        "short_unicode": b"\x8c" + bytes([len(key)]) + key.encode(),
        "long_unicode": b"\x8d" + struct.pack("<Q", len(key)) + key.encode(),
        "long_bytes": b"\x8e" + struct.pack("<Q", len(key)) + key.encode(),
    }
    samples = torch.load(io.BytesIO(model.records[SAMPLES]), weights_only=False)
    plain = {container: saved(samples, _use_new_zipfile_serialization=container == "zip") for container in ("zip", "legacy")}

    def of(label, data):
        old = {
            "version": b"8.20",
            "serialized_exported_program.json": model.records[PROGRAM],
            "serialized_state_dict.pt": saved(dict(model_state(model))),
            "serialized_constants.pt": saved({"constant": torch.arange(3.0)}),
            "serialized_example_inputs.pt": data,
        }
        yield File(2, f"guard_of_sample_{label}", model.archive({SAMPLES: data}))
        yield File(2, f"guard_of_sample_{label}_in_old_zip", zip_of(old, root=""))

    for label, code in keys.items():
        inner = records_of(plain["zip"])
        changed = inner["data.pkl"].replace(text("a"), code, 1)
        yield from of(f"key_{label}", zip_of({**inner, "data.pkl": changed}, root="archive"))
        yield from of(f"key_{label}_legacy", plain["legacy"].replace(text("a"), code, 1))

    tensor = samples[0][1]["a"]
    ordered = collections.OrderedDict
    made = {
        "ordered": Runs(ordered, [(key, tensor)]),
        "ordered_bytes": Runs(ordered, [(key.encode(), tensor)]),
        "rebuilt": Runs(torch._tensor._rebuild_from_type_v2, ordered, ordered, ([(key.encode(), tensor)],), {}),
        "rebuilt_twice": Runs(
            torch._tensor._rebuild_from_type_v2, torch._tensor._rebuild_from_type_v2, ordered, (ordered, ordered, ([(key.encode(), tensor)],), {}), {}
        ),
    }
    for label, dictionary in made.items():
        yield from of(f"dict_{label}", saved(((samples[0][0], dictionary, *samples[0][2:]), samples[1])))


def model_state(model):
    """The plain model's weights, by name."""
    program = torch.export.load(io.BytesIO(model.archive({})))
    return program.state_dict


def strings(value, key):
    """Returns all strings under this key, at any depth."""
    if isinstance(value, dict):
        for k, v in value.items():
            if k == key and isinstance(v, str):
                yield v
            yield from strings(v, key)
    elif isinstance(value, list):
        for v in value:
            yield from strings(v, key)



def treespecs(model):
    leaf = {"type": None, "context": None, "children_spec": []}

    def signature(field, specification, entry=0):
        def edit(program):
            graph = program["graph_module"]["module_call_graph"]
            if entry:
                empty = {"inputs": [], "outputs": [], "in_spec": json.dumps([1, leaf]), "out_spec": json.dumps([1, leaf]), "forward_arg_names": None}
                graph.append({"fqn": "linear", "signature": empty})
            graph[-1 if entry else 0]["signature"][field] = specification

        return model.edited(edit)

    def enum(fqn, name):
        return {"__enum__": True, "fqn": fqn, "name": name}

    def of(kind, context, children=(leaf,)):
        return json.dumps([1, {"type": kind, "context": context, "children_spec": list(children)}])

    library = enum("ctypes:cdll", LIBRARY)
    module = enum("mark:x", "y")
    for label, value in {"library": library, "module": module}.items():
        for kind in ("builtins.tuple", "builtins.list", "builtins.dict", "collections.OrderedDict", "collections.deque"):
            yield File(3, f"{label}_{kind}", signature("out_spec", of(kind, json.dumps([value]))))
        yield File(3, f"{label}_in_spec", signature("in_spec", of("builtins.tuple", json.dumps(value))))
        yield File(3, f"{label}_deep", signature("out_spec", of("builtins.tuple", "null", [json.loads(of("builtins.list", json.dumps(value)))[1]])))
        yield File(3, f"{label}_in_context", signature("out_spec", of("builtins.dict", json.dumps([{"k": [[value]]}]))))
        yield File(3, f"{label}_of_submodule", signature("in_spec", of("builtins.tuple", json.dumps(value)), entry=1))
        escaped = json.dumps([value]).replace("__enum__", "\\u005f\\u005fenum\\u005f_")
        yield File(3, f"{label}_escaped", signature("out_spec", of("builtins.dict", escaped)))
        doubled = json.dumps([value])[:-2] + ', "fqn": ' + json.dumps(value["fqn"]) + "}]"
        doubled = doubled.replace('"fqn"', '"fqn": "enum:Enum", "fqn"', 1)
        yield File(3, f"{label}_twice", signature("out_spec", of("builtins.dict", doubled)))
    for label, value in {
        "pydll": enum("ctypes:pydll", LIBRARY),
        "dotted": enum("torch.utils._pytree:importlib.machinery.ctypes", LIBRARY),
        "through_torch": enum("torch:ctypes.cdll", LIBRARY),
        "through_classes": enum("ctypes.util:ctypes.cdll" if hasattr(__import__("ctypes.util").util, "ctypes") else "torch._ops:ctypes.cdll", LIBRARY),
        "false": {**library, "__enum__": False},
        "nothing": {**library, "__enum__": None},
        "more": {**library, "more": [1, 2]},
        "module_only": enum("mark", ""),
        "module_colon": enum("mark:", ""),
        "package": enum("tmp.mark:x", "y"),
    }.items():
        yield File(3, f"enum_{label}", signature("out_spec", of("builtins.dict", json.dumps([value]))))
    factory = {"default_factory_module": "mark", "default_factory_name": "x", "dict_context": ["k"]}
    yield File(3, "factory", signature("out_spec", of("collections.defaultdict", factory)))
    yield File(3, "factory_in", signature("in_spec", of("collections.defaultdict", factory)))
    yield File(3, "factory_deep", signature("out_spec", of("builtins.tuple", "null", [json.loads(of("collections.defaultdict", factory))[1]])))
    yield File(3, "factory_package", signature("out_spec", of("collections.defaultdict", {**factory, "default_factory_module": "tmp.mark"})))
    called = {"default_factory_module": "ctypes", "default_factory_name": "CDLL", "dict_context": ["k"]}
    yield File(3, "factory_called", signature("out_spec", of("collections.defaultdict", called)))
    spaced = of("builtins.dict", " \n" + json.dumps([library]) + "\t").replace("[1, ", " [ 1 ,\n")
    yield File(3, "spaced", signature("out_spec", spaced))
    yield File(3, "real_protocol", signature("out_spec", of("builtins.dict", json.dumps([library])).replace("[1,", "[1.0,", 1)))
    yield File(3, "true_protocol", signature("out_spec", of("builtins.dict", json.dumps([library])).replace("[1,", "[true,", 1)))



def resolved(model):
    loading = {
        "library": "torch.ctypes.cdll.tmp/libmark",
        "pydll": "torch.ctypes.pydll.tmp/libmark",
        "through_hub": "torch.hub.torch.ctypes.cdll.tmp/libmark",
        "through_ops": "torch._ops.ctypes.cdll.tmp/libmark",
        "prefix": "torchxyz.ctypes.cdll.tmp/libmark",
    }

    def first_node(edit_node):
        def edit(program):
            edit_node(program["graph_module"]["graph"]["nodes"][1])

        return model.edited(edit)

    def inner_node(edit_node):
        def edit(program):
            for node in program["graph_module"]["graph"]["nodes"]:
                for argument in node["inputs"]:
                    if "as_graph" in argument["arg"]:
                        edit_node(argument["arg"]["as_graph"]["graph"]["nodes"][0])

        return model.edited(edit)

    for label, name in loading.items():
        yield File(4, f"target_{label}", first_node(lambda node, name=name: node.update(target=name)))
        yield File(4, f"stack_{label}", first_node(lambda node, name=name: node["metadata"].update(source_fn_stack=f"x,{name}")))
        yield File(4, f"operator_{label}", first_node(lambda node, name=name: node["inputs"][0].update(arg={"as_operator": name})))
    name = loading["library"]
    yield File(4, "inner_target", inner_node(lambda node: node.update(target=name)))
    yield File(4, "inner_stack", inner_node(lambda node: node["metadata"].update(source_fn_stack=f"x,{name}")))
    yield File(4, "inner_operator", inner_node(lambda node: node["inputs"][0].update(arg={"as_operator": name})))
    yield File(4, "second_of_stack", first_node(lambda node: node["metadata"].update(source_fn_stack=f"a,torch.add;b,{name}")))
    yield File(4, "stack_nn", first_node(lambda node: node["metadata"].update(source_fn_stack="x,torch.nn.functional.torch.ctypes.cdll.tmp/libmark")))

    def higher_order_operator(program):
        for node in program["graph_module"]["graph"]["nodes"]:
            if "higher_order" in node["target"]:
                node["inputs"].append({"name": "more", "arg": {"as_operator": name}, "kind": 2})

    yield File(4, "operator_of_cond", model.edited(higher_order_operator))

    def in_dictionary(program):
        for node in program["graph_module"]["graph"]["nodes"]:
            if "higher_order" in node["target"]:
                node["inputs"].append({"name": "more", "arg": {"as_string_to_argument": {"k": {"as_operator": name}}}, "kind": 2})

    yield File(4, "operator_in_dictionary", model.edited(in_dictionary))

    def behind_many(program):
        node = program["graph_module"]["graph"]["nodes"][1]
        node["inputs"].insert(0, {"name": "many", "arg": {"as_strings": ["a"] * 300000}, "kind": 1})
        node["target"] = name

    yield File(4, "behind_many_strings", model.edited(behind_many))



class Runs:
    """Pickles as a call."""

    def __init__(self, function=os.system, *arguments):
        self.function, self.arguments = function, arguments or ("touch ./MARKER",)

    def __reduce__(self):
        return self.function, self.arguments


CALL = pickle.dumps(Runs(), protocol=2)
TEXT_CALL = b"cposix\nsystem\n(S'touch ./MARKER'\ntR."
MAGIC = 0x1950A86A20F9469CFC6C


def saved(value, **options):
    out = io.BytesIO()
    torch.save(value, out, **options)
    return out.getvalue()


def legacy(at, payload=CALL, protocol=2, rest=b""):
    """torch's legacy format: five pickles; one is the payload."""
    parts = [pickle.dumps(value, protocol=protocol) for value in (MAGIC, 1001, {"little_endian": True, "protocol_version": 1001, "type_sizes": {}}, (), [])]
    parts[at] = payload
    return b"".join(parts) + rest


def tar_of(members, form):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as tar:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def v7_of(members):
    """The oldest tar format, which has no magic."""
    out = b""
    for name, data in members.items():
        header = bytearray(512)
        header[: len(name)] = name.encode()
        header[100:108], header[108:116], header[116:124] = b"0000644\0", b"0000000\0", b"0000000\0"
        header[124:136], header[136:148], header[148:156] = b"%011o\0" % len(data), b"00000000000\0", b" " * 8
        header[148:156] = b"%06o\0 " % sum(header)
        out += bytes(header) + data + bytes(-len(data) % 512)
    return out + bytes(1024)


SAMPLES = "data/sample_inputs/model.pt"
WEIGHTS_CONFIG, CONSTANTS_CONFIG = "data/weights/model_weights_config.json", "data/constants/model_constants_config.json"


def roles(model):
    hostile_zip = saved(Runs(), pickle_protocol=2)
    texts = {
        "put_plus": b"(I1\np+0\ng0\n0" + TEXT_CALL,
        "put_space": b"(I1\np 7\ng7\n0" + TEXT_CALL,
        "put_underscore": b"(I1\np1_0\ng10\n0" + TEXT_CALL,
        "get_plus": b"I1\np0\n0g+0\n0" + TEXT_CALL,
        "int_plus": b"I+0\n0" + TEXT_CALL,
        "int_underscore": b"I1_0\n0" + TEXT_CALL,
        "int_space": b"I 7 \n0" + TEXT_CALL,
        "long_underscore": b"L1_0L\n0" + TEXT_CALL,
        "long_space": b"L 7\n0" + TEXT_CALL,
        "float_text": b"F1_0.0\n0" + TEXT_CALL,
        "float_nan": b"Fnan\n0" + TEXT_CALL,
        "int_carriage": b"I7\r\n0" + TEXT_CALL,
        "int_arabic": "I\u0667\n0".encode() + TEXT_CALL,
        "put_arabic": "I1\np\u0667\n0".encode() + TEXT_CALL,
        "put_huge": b"I1\nr\xff\xff\xff\x00" + b"0" + TEXT_CALL,
        "frame": b"\x80\x04\x95\x02\x00\x00\x00\x00\x00\x00\x00N0" + b"cposix\nsystem\n(S'touch ./MARKER'\ntR.",
        "memoize": b"N\x940h\x000" + TEXT_CALL,
        "string_escape": b"S'\\x41'\n0" + TEXT_CALL,
        "unicode_text": b"Va\\u0041\n0" + TEXT_CALL,
        "stack_global": b"\x8c\x05posix\x8c\x06system\x93\x8c\x0etouch ./MARKER\x85R.",
        "inst": b"(S'touch ./MARKER'\niposix\nsystem\n.",
        "obj": b"(cposix\nsystem\nS'touch ./MARKER'\no.",
        "build": b"ctorch\nSize\n(tR}S'a'\nI1\nsb0" + TEXT_CALL,
        "dotted": b"\x80\x04\x8c\x05torch\x8c\x09os.system\x93\x8c\x0etouch ./MARKER\x85R.",
        "dotted_allowed": b"\x80\x04\x8c\x0ctorch._utils\x8c\x0ccopy.copyreg\x930" + b"cposix\nsystem\n\x8c\x0etouch ./MARKER\x85R.",
    }

    def configured(path, config, data, prefix, pickled=True, label=None):
        content = json.loads(model.records[config])
        entry = next(iter(content["config"].values()))
        entry.update(path_name=path, use_pickle=pickled)
        return File(5, label or f"{prefix.strip('/').split('/')[-1]}_{path}", model.archive({config: json.dumps(content).encode(), prefix + path: data}))

    for path in ("weight_0", "x.txt", "sub/deeper", "..", "weight_0.json", "ünïcode", "../sample_inputs/other.pt", "weights.safetensors", "model.so", " "):
        yield configured(path, WEIGHTS_CONFIG, hostile_zip, "data/weights/")
    yield configured("weight_9", WEIGHTS_CONFIG, legacy(3), "data/weights/", label="weights_legacy")
    yield configured("weight_9", WEIGHTS_CONFIG, TEXT_CALL, "data/weights/", label="weights_bare")
    for path in ("tensor_0", "tensor_", "tensor_x.json", "tensor_../x"):
        yield configured(path, CONSTANTS_CONFIG, hostile_zip, "data/constants/")
    for path in ("opaque_obj_0", "opaque_obj_", "opaque_obj_weights.txt", "opaque_obj_../weights/x"):
        yield configured(path, CONSTANTS_CONFIG, CALL, "data/constants/", pickled=False)
    yield configured("opaque_obj_1", CONSTANTS_CONFIG, TEXT_CALL, "data/constants/", label="opaque_text")
    yield configured("opaque_obj_2", CONSTANTS_CONFIG, CALL + b"more", "data/constants/", label="opaque_and_more")
    for label, text in texts.items():
        yield configured("opaque_obj_0", CONSTANTS_CONFIG, text, "data/constants/", label=f"opaque_{label}")
    yield File(5, "samples_zip", model.archive({SAMPLES: hostile_zip}))
    inner = records_of(hostile_zip)
    for name in ("DATA.PKL", "Data.pkl", "data.PKL"):
        renamed = {name if key == "data.pkl" else key: data for key, data in inner.items()}
        yield File(5, f"samples_{name}", model.archive({SAMPLES: zip_of(renamed, root="archive")}))
    yield File(5, "samples_no_version", model.archive({SAMPLES: zip_of({"data.pkl": inner["data.pkl"], "version": b"3\n"}, root="archive")}))
    twice = zip_of({"data.pkl": inner["data.pkl"], "version": b"3\n"}, root="a")
    yield File(5, "samples_nested", model.archive({SAMPLES: twice}))
    for at in range(5):
        for protocol in (0, 2, 4):
            yield File(5, f"samples_legacy_{at}_protocol_{protocol}", model.archive({SAMPLES: legacy(at, TEXT_CALL if protocol == 0 else CALL, protocol)}))
        yield File(5, f"samples_legacy_{at}_mixed", model.archive({SAMPLES: legacy(at, TEXT_CALL)}))
    tensors = saved((torch.ones(3), torch.ones(70)), _use_new_zipfile_serialization=False)
    yield File(5, "samples_legacy_storage_then_call", model.archive({SAMPLES: tensors[:-8] + CALL}))
    yield File(5, "samples_bare", model.archive({SAMPLES: CALL}))
    for label, text in texts.items():
        yield File(5, f"samples_{label}", model.archive({SAMPLES: text}))
    yield File(5, "weights_of_2_8", model.archive({"data/weights/model.pt": hostile_zip}))
    yield File(5, "constants_of_2_8", model.archive({"data/constants/model.pt": hostile_zip}))
    yield File(5, "weights_of_2_8_legacy", model.archive({"data/weights/model.pt": legacy(2)}))
    for name in ("models/model.jsox", "models/other.json", "models/model.PICKL", "models/sub/deep.json"):
        model_name = name[len("models/") : -len(".json")]
        more = {name: model.records[PROGRAM], f"data/sample_inputs/{model_name}.pt": hostile_zip, **configs_of(model, model_name)}
        yield File(5, f"model_{name}", model.archive(more))
    hostile = model.hostile_records()
    for name in ("models/model.text", "models/other.json", "models/a.b.c.d"):
        model_name = name[len("models/") : -len(".json")]
        more = {name: hostile[PROGRAM], f"data/sample_inputs/{model_name}.pt": model.records[SAMPLES], **configs_of(model, model_name)}
        yield File(5, f"program_{name}", model.archive(more))

    old = {
        "version": b"8.20",
        "serialized_exported_program.json": model.records[PROGRAM],
        "serialized_state_dict.pt": saved({}),
        "serialized_constants.pt": saved({}),
        "serialized_example_inputs.pt": saved(((), {})),
    }
    yield File(5, "old_program", zip_of({**old, "serialized_exported_program.json": hostile[PROGRAM]}, root=""))
    for name in ("serialized_state_dict.pt", "serialized_constants.pt", "serialized_example_inputs.pt"):
        for label, data in {"zip": hostile_zip, "legacy": legacy(3), "bare": TEXT_CALL}.items():
            yield File(5, f"old_{name}_{label}", zip_of({**old, name: data}, root=""))
    for kind in ("state_dict", "constants"):
        without = {name: data for name, data in old.items() if name != f"serialized_{kind}.pt"}
        yield File(5, f"old_{kind}.json", zip_of({**without, f"serialized_{kind}.json": hostile_zip}, root=""))

    compiled = {
        "w.wrapper_metadata.json": {"AOTI_DEVICE_KEY": "cpu", "AOTI_MODEL_NAME": "model"},
        "w.wrapper_compile_flags.json": flags("touch ./MARKER #", True),
        "w.wrapper_linker_flags.json": flags("touch ./MARKER #", False),
    }

    def aotinductor(changed, folder="data/aotinductor/model/", code=b"int x;\n"):
        content = {**compiled, **changed}
        more = {folder + name: json.dumps(value).encode() for name, value in content.items()}
        return zip_of({**model.records, **more, folder + "w.wrapper.cpp": code})

    yield File(5, "aoti_compiler", aotinductor({}))
    yield File(5, "aoti_other_model", aotinductor({}, "data/aotinductor/other/"))
    for field in ("cflags", "definitions", "include_dirs", "ldflags", "libraries_dirs", "libraries", "passthrough_args"):
        change = flags("g++", True)
        change[field] = ["x; touch ./MARKER #"]
        link = flags("g++", False)
        link[field] = ["x; touch ./MARKER #"]
        yield File(5, f"aoti_{field}", aotinductor({"w.wrapper_compile_flags.json": change, "w.wrapper_linker_flags.json": link}))
    if model.library:
        folder = "data/aotinductor/model/"
        more = {folder + "w.wrapper_metadata.json": json.dumps(compiled["w.wrapper_metadata.json"]).encode()}
        yield File(5, "aoti_so", zip_of({**model.records, **more, folder + "w.wrapper.so": model.library.read_bytes()}))

    parts = {"storages": pickle.dumps(0, 2) + pickle.dumps([], 2), "tensors": pickle.dumps(0, 2), "pickle": CALL}
    for label, form in {"ustar": tarfile.USTAR_FORMAT, "gnu": tarfile.GNU_FORMAT, "pax": tarfile.PAX_FORMAT}.items():
        yield File(5, f"tar_{label}", tar_of(parts, form), ".pt")
        yield File(5, f"tar_{label}_storages", tar_of({**parts, "storages": CALL, "pickle": pickle.dumps(1)}, form), ".pt")
    yield File(5, "tar_v7", v7_of(parts), ".pt")
    yield File(5, "tar_as_pt2_name", v7_of(parts), ".pth")
    yield File(5, "file_zip", hostile_zip, ".pt")
    yield File(5, "file_bare", CALL, ".pt")
    yield File(5, "file_legacy", legacy(1), ".pt")
    yield File(5, "file_text", TEXT_CALL, ".bin")


def configs_of(model, name):
    """The plain model's payload configs for a model of another name."""
    return {f"data/{kind}/{name}_{kind}_config.json": model.records[f"data/{kind}/model_{kind}_config.json"] for kind in ("weights", "constants")}


def flags(compiler, only):
    lists = ("cflags", "definitions", "include_dirs", "ldflags", "libraries_dirs", "libraries", "passthrough_args")
    return {"compiler": compiler, "compile_only": only, **{name: [] for name in lists}}



def entry_bytes(
    name, data, *, method=0, flag=0, local_name=None, extra=b"", local_extra=b"", sizes=None, local_sizes=None, offset=0, crc=None, local_method=None
):
    """A local header with its data, and the central header for it."""
    packed = zlib.compress(data)[2:-4] if method == 8 else data
    crc = zlib.crc32(data) if crc is None else crc
    stored, plain = sizes or (len(packed), len(data))
    local_stored, local_plain = local_sizes or (stored, plain)
    shown = name if local_name is None else local_name
    local = struct.pack(
        "<IHHHHHIIIHH", 0x04034B50, 20, flag, method if local_method is None else local_method, 0, 33, crc, local_stored, local_plain, len(shown),
        len(local_extra),
    )
    central = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, flag, method, 0, 33, crc, stored, plain, len(name), len(extra), 0, 0, 0, 0, offset)
    return local + shown + local_extra + packed, central + name + extra


def end_bytes(count, size, offset, comment=b"", total=None, disk=0):
    return struct.pack("<IHHHHIIH", 0x06054B50, disk, disk, count, count if total is None else total, size, offset, len(comment)) + comment


def joined(entries, base=0, between=b"", comment=b"", **options):
    """A zip of these (name, data, options of entry_bytes) that begins at this offset."""
    body, directory = b"", b""
    for name, data, options_ in entries:
        local, central = entry_bytes(name, data, **{"offset": base + len(body), **options_})
        body += local
        directory += central
    end = end_bytes(len(entries), len(directory), base + len(body), comment, **options)
    return body + directory + between + end


def zips(model):
    plain, hostile = model.records, model.hostile_records()
    good, bad = zip_of(plain), zip_of(hostile)

    def entries(records, root="model", **options):
        return [(f"{root}/{name}".encode(), data, dict(options)) for name, data in records.items()]

    def file(label, data):
        return File(6, label, data)

    # torch takes the last end record, here in the comment of another
    body = joined(entries(plain))
    shifted = joined(entries(hostile), base=len(body))
    yield file("end_in_comment", body[:-2] + struct.pack("<H", len(shifted)) + shifted)
    yield file("end_in_comment_short", body + shifted)
    yield file("end_after_garbage", body + b"\0" * 100 + joined(entries(hostile), base=len(body) + 100))
    yield file("comment", joined(entries(hostile), comment=b"nothing to see"))
    yield file("tail", bad + b"\0" * 30)
    yield file("tail_of_json", bad + b'{"graph_module": null}')
    yield file("tail_nearly_64k", bad + b"x" * 60000)
    for label, prefix in {
        "json": model.program.encode(),
        "json_object": b"{}\n",
        "elf": b"\x7fELF" + bytes(60),
        "script": b"#!/bin/sh\nexit 0\n",
        "safetensors": struct.pack("<Q", 2) + b"{}",
        "zeros": bytes(16),
        "gzip": b"\x1f\x8b\x08\0\0\0\0\0",
    }.items():
        yield file(f"prefix_{label}", prefix + joined(entries(hostile), base=len(prefix)))
        yield file(f"prefix_{label}_and_tail", prefix + joined(entries(hostile), base=len(prefix)) + b"\n}")
    yield file("prefix_zip", good + joined(entries(hostile), base=len(good)))
    yield file("local_magic_then_prefix", b"PK\3\4" + bytes(26) + joined(entries(hostile), base=30))

    # the same name for some readers
    both = entries(plain) + [(b"MODEL/models/model.json", hostile[PROGRAM], {})]
    yield file("folder_case", joined(both))
    for old, twin in {PROGRAM: "models/MODEL.json", SAMPLES: "data/sample_inputs/Model.pt", WEIGHTS_CONFIG: "DATA/weights/model_weights_config.json"}.items():
        content = hostile[PROGRAM] if old == PROGRAM else saved(Runs(), pickle_protocol=2)
        yield file(f"case_{twin.replace('/', '_')}_first", joined([(f"model/{twin}".encode(), content, {}), *entries(plain)]))
        yield file(f"case_{twin.replace('/', '_')}_last", joined([*entries(plain), (f"model/{twin}".encode(), content, {})]))
    yield file("twice_first", joined([*entries({PROGRAM: hostile[PROGRAM]}), *entries(plain)]))
    yield file("twice_last", joined([*entries(plain), *entries({PROGRAM: hostile[PROGRAM]})]))
    yield file("samples_twice_last", joined([*entries(plain), *entries({SAMPLES: saved(Runs(), pickle_protocol=2)})]))
    yield file("samples_twice_first", joined([*entries({SAMPLES: saved(Runs(), pickle_protocol=2)}), *entries(plain)]))
    yield file("two_roots_first", joined([*entries(hostile, root="a"), *entries(plain)]))
    yield file("no_folder_first", joined([(b"readme", b"", {}), *entries(hostile)]))
    yield file(
        "nul_in_name", joined([(b"model/models/model.json\0x" if name.endswith(b"model.json") else name, data, o) for name, data, o in entries(hostile)])
    )
    yield file("backslash", joined([(name.replace(b"/models/", b"\\models\\"), data, o) for name, data, o in entries(hostile)]))
    yield file("absolute", joined(entries(hostile, root="/model")))
    yield file("dot_dot", joined(entries(hostile, root="../model")))
    yield file("drive", joined(entries(hostile, root="C:")))
    yield file("control", joined(entries(hostile, root="mo\x1bdel")))
    yield file("long_s", joined([(name.replace(b"/models/", "/model\u017f/".encode()), data, o) for name, data, o in entries(hostile)]))

    def with_program(**options):
        return [(name, data, options if name == b"model/models/model.json" else {}) for name, data, _ in entries(hostile)]

    yield file("local_name", joined(with_program(local_name=b"model/extra/readme.txt")))
    yield file("local_name_empty", joined(with_program(local_name=b"")))
    yield file("local_size", joined(with_program(local_sizes=(0, 0))))
    yield file("local_size_one", joined(with_program(local_sizes=(1, 1))))
    yield file("local_method", joined(with_program(local_method=8)))
    yield file("local_extra", joined(with_program(local_extra=struct.pack("<HH", 0x7075, 5) + b"\1abcd")))
    yield file("data_descriptor", joined(with_program(flag=8, local_sizes=(0, 0))))
    yield file("deflated", joined(with_program(method=8)))
    yield file("utf8_flag", joined(with_program(flag=0x800)))
    yield file("odd_flag", joined(with_program(flag=0x4000)))
    yield file("crc_local", joined(with_program()))
    size = len(hostile[PROGRAM])
    big = struct.pack("<HHQQ", 1, 16, size, size)
    yield file("zip64_sizes", joined(with_program(extra=big, sizes=(0xFFFFFFFF, 0xFFFFFFFF), local_extra=big)))
    yield file("zip64_twice", joined(with_program(extra=struct.pack("<HHQQ", 1, 16, 1, 1) + big, sizes=(size, size))))
    yield file("zip64_unneeded", joined(with_program(extra=struct.pack("<HHQQ", 1, 16, 1, 1))))
    unicode_path = struct.pack("<HHBI", 0x7075, 5 + 12, 1, zlib.crc32(b"model/models/model.json")) + b"model/readme"
    yield file("unicode_path", joined(with_program(extra=unicode_path)))

    yield file("between", joined(entries(hostile), between=b"\0" * 7))
    yield file("between_zip", joined(entries(hostile), between=b"PK\5\6"))
    yield file("count_small", joined(entries(hostile), total=3))
    yield file("disks", joined(entries(hostile), disk=1))
    yield file("overlap", overlapping(entries(hostile)))
    locator = zip64_end(entries(hostile), entries(plain))
    yield file("zip64_end", locator)
    yield file("gap_before_directory", gap(entries(hostile)))
    yield file("hidden_between_members", hidden(entries(plain), entries(hostile)))
    yield file("directory_first", directory_first(entries(hostile)))


def zip64_end(bad, good):
    """A directory that only the zip64 end record points to; the old end record points to a different one."""

    def part(entries, base):
        body, directory = b"", b""
        for name, data, _ in entries:
            local, central = entry_bytes(name, data, offset=base + len(body))
            body += local
            directory += central
        return body, directory

    good_body, good_directory = part(good, 0)
    bad_body, bad_directory = part(bad, len(good_body) + len(good_directory))
    start = len(good_body) + len(good_directory) + len(bad_body)
    end64 = struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, len(bad), len(bad), len(bad_directory), start)
    at = start + len(bad_directory)
    locate = struct.pack("<IIQI", 0x07064B50, 0, at, 1)
    return good_body + good_directory + bad_body + bad_directory + end64 + locate + end_bytes(len(good), len(good_directory), len(good_body))


def overlapping(entries):
    """A second name for the bytes of the first member."""
    body, directory = b"", b""
    for name, data, _ in entries:
        local, central = entry_bytes(name, data, offset=len(body))
        body += local
        directory += central
    again = entry_bytes(b"model/data/weights/twin", entries[0][1], offset=0)[1]
    return body + directory + again + end_bytes(len(entries) + 1, len(directory + again), len(body))


def gap(entries):
    body, directory = b"", b""
    for name, data, _ in entries:
        local, central = entry_bytes(name, data, offset=len(body))
        body += local
        directory += central
    body += b"\0" * 40
    return body + directory + end_bytes(len(entries), len(directory), len(body))


def hidden(good, bad):
    """Local headers of plain records precede the headers that the directory names."""
    body = b"".join(entry_bytes(name, data)[0] for name, data, _ in good)
    return body + joined(bad, base=len(body))


def directory_first(entries):
    sizes = [len(entry_bytes(name, data)[1]) for name, data, _ in entries]
    at, body, directory = sum(sizes), b"", b""
    for name, data, _ in entries:
        local, central = entry_bytes(name, data, offset=at + len(body))
        body += local
        directory += central
    return directory + body + end_bytes(len(entries), len(directory), 0)



def other(model):
    hostile = model.hostile_records()
    program = hostile[PROGRAM].decode()
    bad_name = json.dumps(f"scale={OPEN}")

    def of(label, text):
        return File(7, label, model.archive({PROGRAM: text if isinstance(text, bytes) else text.encode()}))

    yield of("escaped", program.replace(bad_name, '"' + "".join(f"\\u{ord(c):04x}" for c in json.loads(bad_name)) + '"'))
    yield of("escaped_keys", program.replace('"name"', '"n\\u0061me"'))
    yield of("spaces", "\n\t " + program + " \n")
    yield of("nan", program.replace('"as_int": 0', '"as_int": 0', 1)[:-1] + ', "more": NaN}')
    yield of("infinity", program[:-1] + ', "more": [-Infinity, 1e999, 1E+3]}')
    yield of("huge_integer", program[:-1] + ', "more": ' + "9" * 4000 + "}")
    yield of("unknown_fields", program[:-1] + ', "more": {"a": [null, true]}}')
    yield of("twice_program", '{"graph_module": ' + json.dumps(model.json()["graph_module"]) + "," + program[1:])
    yield of("twice_inner", program.replace('"guards_code": ', '"guards_code": [], "guards_code": '))
    guard = json.dumps([OPEN])
    yield of("twice_guards", model.program[:-1] + f', "guards_code": [], "guards_code": {guard}}}')
    yield of("twice_guards_escaped", model.program[:-1] + f', "guards_c\\u006fde": {guard}}}')
    yield of("lone_surrogate", program[:-1] + ', "more": "\\ud800"}')
    yield of("schema_zero", json.dumps({**json.loads(program), "schema_version": {"major": 0, "minor": 0}}))
    yield of("schema_new", json.dumps({**json.loads(program), "schema_version": {"major": 8, "minor": 999}}))
    yield of("schema_version_real", json.dumps({**json.loads(program), "schema_version": {"major": 8.0, "minor": 1.5}}))
    yield of("control_in_string", program.replace(bad_name, json.dumps(f"scale={OPEN}#\x7f")))
    yield of(
        "without_optional",
        json.dumps({k: v for k, v in json.loads(program).items() if k not in ("torch_version", "guards_code", "verifiers")} | {"verifiers": ["TRAINING"]}),
    )
    yield of("deep_unknown", program[:-1] + ', "more": ' + "[" * 500 + "]" * 500 + "}")
    config = json.loads(model.records[WEIGHTS_CONFIG])
    first = next(iter(config["config"]))
    pickled = {**config["config"][first], "use_pickle": True, "path_name": "w"}
    payload = saved(Runs(), pickle_protocol=2)

    def configured(label, text, path="data/weights/w"):
        return File(7, label, model.archive({WEIGHTS_CONFIG: text.encode(), path: payload}))

    plain = json.dumps(config["config"][first])
    yield configured(
        "config_twice_entry",
        json.dumps(config).replace(json.dumps(first) + ": ", f"{json.dumps(first)}: {plain}, {json.dumps(first)}: ", 1).replace(plain, json.dumps(pickled)),
    )
    yield configured(
        "config_twice_field",
        json.dumps(config)
        .replace('"use_pickle": false', '"use_pickle": false, "use_pickle": true', 1)
        .replace('"path_name": "weight_0"', '"path_name": "w"', 1),
    )
    for label, value in {"one": 1, "text": "yes", "list": [0], "real": 0.1, "text_false": "false"}.items():
        changed = {**config, "config": {**config["config"], first: {**pickled, "use_pickle": value}}}
        yield configured(f"config_truth_{label}", json.dumps(changed))
    yield configured(
        "config_escaped",
        json.dumps({**config, "config": {**config["config"], first: pickled}}).replace('"w"', '"\\u0077"').replace("use_pickle", "use\\u005fpickle"),
    )
    yield configured("config_nan", json.dumps({**config, "config": {**config["config"], first: pickled}, "more": float("nan")}))
    yield File(
        7,
        "config_without_tensor",
        model.archive(
            {WEIGHTS_CONFIG: json.dumps({"config": {first: {"path_name": "w", "is_param": True, "use_pickle": True}}}).encode(), "data/weights/w": payload}
        ),
    )
    yield File(
        7, "config_more", model.archive({WEIGHTS_CONFIG: json.dumps({"config": {**config["config"], "more": pickled}}).encode(), "data/weights/w": payload})
    )
    old = {
        "version": b"8.0.1"[:3],
        "serialized_exported_program.json": hostile[PROGRAM],
        "serialized_state_dict.pt": saved({}),
        "serialized_constants.pt": saved({}),
        "serialized_example_inputs.pt": saved(((), {})),
    }
    both = {**{f"m/{name}": data for name, data in model.records.items() if name != SAMPLES}, **old}
    yield File(7, "archive_that_fails_then_old", zip_of(both, root=""))
    yield File(7, "archive_of_version_then_old", zip_of({**both, "m/" + SAMPLES: b"", "m/" + PROGRAM: b"{}"}, root=""))
    for encoding in ("utf-16", "utf-8-sig", "utf-32"):
        yield of(f"encoding_{encoding}", program.encode(encoding))
    yield File(7, "extra_record_of_hostile_zip", model.archive({SAMPLES: payload, "extra/readme.txt": b"text"}))
    trick = pickle.dumps(Runs(exec, f"import builtins; builtins.{OPEN}"), protocol=4)
    yield File(7, "samples_exec", model.archive({SAMPLES: trick}))
    for label, function in {
        "import": ("importlib", "import_module", "mark"),
        "dlopen": ("ctypes", "CDLL", LIBRARY),
        "load_library": ("torch.ops", "load_library", LIBRARY),
        "runpy": ("runpy", "run_path", "./mark.py"),
        "jit": ("torch._utils", "_rebuild_device_tensor_from_numpy", "x"),
    }.items():
        module, name, argument = function
        yield File(7, f"samples_{label}", model.archive({SAMPLES: f"c{module}\n{name}\n(V{argument}\ntR.".encode()}))


FORMAT = "{0.register_hook.__globals__[torch].ctypes.cdll[" + LIBRARY + "]}"
HIGHER = "torch.ops.higher_order."


def argument(kind, value, keyword=""):
    return {"name": keyword, "arg": {kind: value}, "kind": 2 if keyword else 1}


def tensor(name, keyword=""):
    return argument("as_tensor", {"name": name}, keyword)


def node_of(target, inputs, output):
    outputs = [{"as_tensor": {"name": output}}]
    return {"target": target, "inputs": inputs, "outputs": outputs, "metadata": {}, "is_hop_single_tensor_return": True, "name": output}


def graph_of(names, nodes, result):
    """A subgraph; its values have the metadata `META`, which the program's replace."""
    bound = [*names, *(node["name"] for node in nodes)]
    return {
        "inputs": [{"as_tensor": {"name": name}} for name in names], "outputs": [{"as_tensor": {"name": result}}], "nodes": nodes,
        "tensor_values": dict.fromkeys(bound, "META"), "sym_int_values": {}, "sym_bool_values": {}, "sym_float_values": {}, "custom_obj_values": {},
        "is_single_tensor_return": True,
    }  # fmt: skip


def subgraph(name, graph):
    return argument("as_graph", {"name": name, "graph": graph})


def identity(name):
    return subgraph(name, graph_of(["i"], [], "i"))


def with_nodes(program, nodes):
    """Puts nodes before the others of the program. `X` is the first tensor that the user passes."""
    module = program["graph_module"]
    graph = module["graph"]
    users = [spec["user_input"]["arg"]["as_tensor"]["name"] for spec in module["signature"]["input_specs"] if "as_tensor" in spec.get("user_input", {}).get("arg", {})]
    if not users:
        return
    meta = json.dumps(graph["tensor_values"][users[0]])
    text = json.dumps(nodes).replace('"META"', meta).replace(json.dumps({"name": "X"}), json.dumps({"name": users[0]}))
    made = json.loads(text)
    for node in made:
        for output in node["outputs"]:
            graph["tensor_values"][output["as_tensor"]["name"]] = json.loads(meta)
    graph["nodes"][:0] = made


def values():
    """Nodes whose values are the operator print, and a format that opens a library."""
    yield node_of(HIGHER + "wrap", [identity("give_print"), argument("as_operator", HIGHER + "print")], "PRINT")
    yield node_of(HIGHER + "wrap", [identity("give_format"), argument("as_string", FORMAT)], "FORMAT")


def bad_arguments(use):
    """Arguments that an operator must not have where it does this with them."""
    value = {"as_tensor": {"name": "FORMAT" if use in ("formatted", "looked_up", "compiled") else "PRINT"}}
    yield "value", value
    yield "dict", {"as_string_to_argument": {"k": value}}
    if use == "formatted":
        yield "text", {"as_string": FORMAT}
        yield "operator", {"as_operator": FORMAT}
    elif use == "compiled":
        yield "text", {"as_string": "mov.b32 $0, $1;"}
    elif use in ("called", "called_with_rest", "called_or_numbers"):
        yield "text", {"as_string": FORMAT}
        yield "constant", {"as_custom_obj": {"name": "constant", "class_fqn": ""}}
    elif use in ("called_by_name", "reached"):
        yield "operator", {"as_operator": HIGHER + "print"}
        given = node_of(HIGHER + "wrap", [identity("give"), argument("as_operator", HIGHER + "print")], "p")
        module = node_of(HIGHER + "wrap", [subgraph("module", graph_of([], [given], "p"))], "m")
        original = node_of(HIGHER + "wrap", [subgraph("original_module", graph_of([], [module], "m"))], "o")
        yield "graph", subgraph("reached", graph_of(["i"], [original], "o"))["arg"]


def use_edits():
    """Returns (label, function of a program) for each line of the table of arguments, in several calls each."""
    rows = torch_model.used_arguments()
    enabled = argument("as_bool", True)
    autocast = [argument("as_string", "cpu"), argument("as_none", True), enabled, enabled]
    before = {("wrap_with_autocast", position): given for position, given in enumerate(autocast)}
    before |= {("wrap_with_set_grad_enabled", 0): enabled, ("control_deps", 0): argument("as_tensors", [{"name": "X"}])}
    for row in rows:
        if row.use == "nothing":
            continue
        others = {other.position: other for other in rows if other.operator == row.operator}
        given_to_print = [tensor("FORMAT"), tensor("X")]
        listed = argument("as_tensors", [value["arg"]["as_tensor"] for value in given_to_print])
        tails = {"rest": [tensor("X")] if row.use == "formatted" else given_to_print, "list": [listed], "lists": [listed, argument("as_ints", [])]}

        def fill(position):
            if position in others and others[position].use.startswith("called"):
                return identity(f"callee_{position}")
            return before.get((row.operator, position), tensor("X"))

        for (kind, bad), (tail, rest) in itertools.product(bad_arguments(row.use), tails.items()):
            if kind != "value" and tail != "rest":
                continue
            later = [fill(position) for position in others if position is not None and row.position is not None and position > row.position]
            calls = {}
            if row.position is not None:
                given = [*map(fill, range(row.position)), {"name": "", "arg": bad, "kind": 1}, *later, *rest]
                calls["call"] = (row.operator, given)
                if kind == "value" and tail == "rest" or row.use == "formatted":
                    calls["nested"] = ("wrap", [argument("as_operator", HIGHER + row.operator), *given])
                    calls["nested_twice"] = ("with_effects", [tensor("X"), argument("as_operator", HIGHER + "wrap"), *calls["nested"][1]])
            if tail == "rest":
                keyword = {"name": row.keyword, "arg": bad, "kind": 2}
                calls["keyword"] = (row.operator, [*map(fill, range(row.position or 0)), keyword] if row.position is not None else [*rest, keyword])
            for how, (operator, given) in calls.items():
                made = [*values(), node_of(HIGHER + operator, given, "evil")]
                yield f"{row.operator}_{row.keyword}_{kind}_{tail}_{how}", lambda program, made=made: with_nodes(program, made)


def name_edits():
    """Returns (label, function of a program) for each line of the table of names, for all that can have the name."""

    def literal(when):
        return {
            "for_device": {"as_device": {"type": "cpu", "index": None}},
            "for_special_number": {"as_complex": {"real": "Infinity", "imag": "NaN"}},
            "for_complex": {"as_complex": {"real": 1.0, "imag": 2.0}},
            "for_constant": {"as_custom_obj": {"name": "constant", "class_fqn": ""}},
        }.get(when, {"as_int": 1})

    for name, when in torch_model.read_names().items():
        read = node_of(HIGHER + "wrap", [identity("inner"), {"name": "", "arg": literal(when), "kind": 1}], "read")
        if when != "for_quoted_part":  # subgraphs have no weights
            body = subgraph("body", graph_of([name], [read], "read"))
            yield f"{name}_subgraph_input", lambda program, body=body: with_nodes(program, [node_of(HIGHER + "wrap", [body, tensor("X")], "evil")])
            given = [node_of(HIGHER + "wrap", [identity("given"), tensor("v")], name), read]
            body = subgraph("body", graph_of(["v"], given, "read"))
            yield f"{name}_subgraph_value", lambda program, body=body: with_nodes(program, [node_of(HIGHER + "wrap", [body, tensor("X")], "evil")])
        if when != "for_device":  # only the caller chooses the value of a parameter

            def parameter(program, name=name, read=read, when=when):
                if when == "for_quoted_part":
                    quoted_weight(program)
                elif when != "always":
                    with_nodes(program, [read])
                signature = program["graph_module"]["module_call_graph"][0]["signature"]
                signature["forward_arg_names"] = [*(signature.get("forward_arg_names") or [])[:-1], name]

            yield f"{name}_parameter", parameter
    for new in ("self", "Self", "SELF", "SElf"):
        yield f"self_weight_{new}", lambda program, new=new: rename_weight(program, new)
    for new in ("self", "Self", "a.SELF"):

        def module(program, new=new):
            for node in program["graph_module"]["graph"]["nodes"][:1]:
                node.setdefault("metadata", {})["nn_module_stack"] = f"k,{new},t"

        yield f"self_module_{new}", module
    yield "self_subgraph", lambda program: with_nodes(program, [node_of(HIGHER + "wrap", [identity("self"), tensor("X")], "evil")])
    # Reads a method of a tensor instead of a subgraph, and then one of the array that it returns.
    array = [
        node_of(HIGHER + "wrap", [identity("to_self"), tensor("v")], "self"),
        node_of(HIGHER + "wrap", [subgraph("numpy", graph_of([], [node_of("torch.ops.aten.ones.default", [argument("as_ints", [1], "size")], "n")], "n"))], "array"),
        node_of("torch.ops.aten.sin.default", [tensor("self", "self")], "keeps_self"),
    ]
    written = [
        node_of(HIGHER + "wrap", [identity("to_self"), tensor("w")], "self"),
        node_of(HIGHER + "wrap", [identity("tofile"), argument("as_string", "MARKER")], "file"),
        node_of("torch.ops.aten.sin.default", [tensor("self", "self")], "keeps_self"),
    ]
    nodes = [
        node_of(HIGHER + "wrap", [subgraph("first", graph_of(["v"], array, "array")), tensor("X")], "ARRAY"),
        node_of(HIGHER + "wrap", [subgraph("second", graph_of(["w"], written, "file")), tensor("ARRAY")], "FILE"),
    ]
    yield "self_chain", lambda program: with_nodes(program, nodes)


def rename_weight(program, new):
    for spec in program["graph_module"]["signature"]["input_specs"]:
        for kind in ("buffer", "parameter", "tensor_constant"):
            if kind in spec:
                spec[kind][f"{kind}_name"] = new
                return


def quoted_weight(program):
    rename_weight(program, "layers.0.offset")


def operator_edits():
    """Returns (label, function of a program) for operators that open files or leave a tensor's memory."""
    size = [argument("as_ints", [3, 4], "size"), argument("as_ints", [100000000, 1], "stride")]
    text = argument("as_string", "MARKER", "filename")
    calls = {
        "inductor._reinterpret_tensor.default": ([tensor("X", "self"), *size], "OUT"),
        "inductor._alloc_from_pool.default": (
            [tensor("X", "self"), argument("as_int", 0, "offset_bytes"), argument("as_scalar_type", 7, "dtype"), *size], "OUT",
        ),
        "inductor.resize_storage_bytes_.default": ([tensor("X", "variable"), argument("as_int", 0, "new_size")], "X"),
        "aten._reshape_alias.default": ([tensor("X", "self"), *size], "OUT"),
        "aten._reshape_alias_copy.default": ([tensor("X", "self"), *size], "OUT"),
        "aten.from_file.default": ([text, argument("as_bool", True, "shared"), argument("as_int", 4, "size")], "OUT"),
        "debugprims.load_tensor.default": ([argument("as_string", "MARKER", "name"), *size], "OUT"),
    }  # fmt: skip
    for target, (inputs, filled) in calls.items():
        inputs = [{**each, "kind": 1} for each in inputs]
        fill = node_of("torch.ops.aten.fill_.Scalar", [{**tensor(filled, "self"), "kind": 1}, {**argument("as_int", 7, "value"), "kind": 1}], "filled")
        operator = argument("as_operator", f"torch.ops.{target}")
        made = [node_of(f"torch.ops.{target}", inputs, "OUT"), fill]
        nested = [node_of(HIGHER + "wrap", [operator, *({**each, "name": ""} for each in inputs)], "OUT"), fill]
        yield target, lambda program, made=made: with_nodes(program, made)
        yield f"{target}_nested", lambda program, nested=nested: with_nodes(program, nested)


def edits():
    """Returns (label, function of a program) for each line of what torch does with names and arguments."""
    for kind, made in (("use", use_edits), ("name", name_edits), ("operator", operator_edits)):
        for label, edit in made():
            yield f"{kind}_{label}", edit


def used_by_torch(model):
    for label, edit in edits():
        yield File(8, label, model.edited(edit), fires_everywhere=False)


MAKERS = (names, expressions, treespecs, resolved, roles, zips, other, used_by_torch)


def corpus(model):
    """Returns the files of all makers. Raises if a maker does not suit this model."""
    return list(itertools.chain.from_iterable(maker(model) for maker in MAKERS))



def prepare(folder, library):
    """An attacker's library and module, which a file may name."""
    (folder / "tmp").mkdir(parents=True)
    if library:
        for name in ("libmark.so", "libmark"):
            shutil.copy(library, folder / "tmp" / name)
    (folder / "mark.py").write_text(f"{OPEN}\n")
    (folder / "tmp" / "mark.py").write_text(f"{OPEN}\n")


def compiled_library(folder):
    """Builds a shared library that writes the file when it is opened."""
    source = folder / "mark.c"
    source.write_text('#include <stdio.h>\n__attribute__((constructor)) static void mark(void) { fclose(fopen("./MARKER", "w")); }\n')
    library = folder / "libmark.so"
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
    return library


def use(path, load=torch.export.load):
    """Loads a model as a user would, and calls it on its sample inputs and on the plain model's."""
    if path.suffix != ".pt2":
        torch.load(path, weights_only=False)
        return
    program = load(str(path))
    module = program.module()
    for given, named in (program.example_inputs or ((), {}), plain_arguments()):
        try:
            module(*given, **named)
        except Exception:  # noqa: BLE001 - the inputs of one are not for the other
            pass


def run_in_child(folder, action, seconds):
    """Calls `action` in a separate process in `folder`, without input and output, and returns whether it crashed. Ignores failures, and kills it after some seconds."""
    child = os.fork()
    if child == 0:
        try:
            os.chdir(folder)
            null = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(null, descriptor)
            signal.alarm(seconds)
            action()
        except BaseException:  # noqa: BLE001 - that it fails is of no interest, only what it did before
            pass
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGALRM


def fires(data, suffix, library, load=torch.export.load):
    """Whether torch leaves a file MARKER, or crashes, when it uses this, which `load` loads. Runs in a separate process, in a folder with only the attacker's library and module."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        prepare(folder, library)
        path = folder / f"file{suffix}"
        path.write_bytes(data)

        def run():
            sys.path.insert(0, "")
            use(path, load)

        has_crashed = run_in_child(folder, run, 120)
        return has_crashed or (folder / "MARKER").exists()
