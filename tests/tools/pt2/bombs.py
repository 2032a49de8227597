"""Small files that could be expensive to process: a name and a function of a size from 0 to 1, where 1 gives at most 20 MB.

`bombs.py FOLDER [SIZE]` writes them all. Nothing but the standard library is needed.
"""

import json
import pathlib
import pickle
import struct
import sys
import zlib

from places import bombs_of

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
BOMBS = {}


def bomb(extension):
    def add(make):
        BOMBS[f"{make.__name__}.{extension}"] = make
        return make

    return add



def tensor(*sizes, strides=None, dtype=7):
    """Metadata of a tensor; a size is a number or an expression."""
    def size(value):
        return {"as_expr": {"expr_str": value, "hint": {"as_int": 3}}} if isinstance(value, str) else {"as_int": value}

    return {"dtype": dtype, "sizes": [size(s) for s in sizes], "requires_grad": False, "device": {"type": "cpu", "index": None},
            "strides": [size(s) for s in (strides or [1] * len(sizes))], "storage_offset": {"as_int": 0}, "layout": 7}


def ref(name):
    return {"as_tensor": {"name": name}}


def refs(names):
    return {"as_tensors": [{"name": name} for name in names]}


def node(target, outputs, inputs, metadata=None, name=None):
    target = target if target.startswith(("torch.", "_operator.")) else "torch.ops.aten." + target
    return {"target": target, "inputs": [{"name": key, "arg": value, "kind": 1} for key, value in inputs], "outputs": outputs,
            "metadata": metadata or {}, "is_hop_single_tensor_return": None, "name": name}


def relu(given, result, metadata=None):
    return node("relu.default", [ref(result)], [("self", ref(given))], metadata, result)


LEAF = '{"type": null, "context": null, "children_spec": []}'
IN_SPEC = ('[1, {"type": "builtins.tuple", "context": "null", "children_spec": [{"type": "builtins.tuple", "context": "null", "children_spec": ['
           + LEAF + ']}, {"type": "builtins.dict", "context": "[]", "children_spec": []}]}]')
OUT_SPEC = f"[1, {LEAF}]"


def graph(nodes, values, outputs, inputs=("x",), **tables):
    return {"inputs": [ref(name) for name in inputs], "outputs": [ref(name) for name in outputs], "nodes": nodes, "tensor_values": values,
            "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False, "custom_obj_values": {}, "sym_float_values": {}} | tables


def program(nodes, values, outputs, inputs=("x",), tables=None, module=None, **rest):
    signature = {"input_specs": [{"user_input": {"arg": ref(name)}} for name in inputs],
                 "output_specs": [{"user_output": {"arg": ref(name)}} for name in outputs]}
    calls = [{"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": IN_SPEC, "out_spec": OUT_SPEC, "forward_arg_names": ["x"]}}]
    return {"graph_module": {"graph": graph(nodes, values, outputs, inputs, **(tables or {})), "signature": signature, "module_call_graph": calls,
                             "metadata": {}, "treespec_namedtuple_fields": {}} | (module or {}),
            "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20}, "verifiers": ["TRAINING"],
            "torch_version": "2.13.0+cpu", "guards_code": []} | rest


def of_one(made, result="r", **values):
    """A program of one node."""
    return program([made], {"x": tensor(3), result: tensor(3)} | values, [result])


def chain(count, metadata=None, sizes=lambda i: (3,), names=lambda i: f"r{i}", **rest):
    """`count` relus, each of the one before."""
    values, nodes, before = {"x": tensor(3)}, [], "x"
    for i in range(count):
        values[names(i)] = tensor(*sizes(i))
        nodes.append(relu(before, names(i), metadata and metadata(i)))
        before = names(i)
    return program(nodes, values, [before], **rest)


def collide(size, form="*", most=28_000):
    """Texts that `std::hash` of libstdc++ gives the same: 32 letters in place of the star of `form`."""
    pieces = json.loads((DATA / "hash_collisions.json").read_text())
    made = [form.replace("*", a + b) for a in pieces["first"][form] for b in pieces["second"]]
    return made[:int(most * min(1, size * 4))]


def parts(target, inputs):
    values = {"a": tensor(1, 1), "b": tensor(1, 1), "x": tensor(2**33, 1, 1)}
    return program([node(target, [refs("ab")], [("self", ref("x")), *inputs.items()])], values, ["a"])


HUGE = {"as_int": 2**33}
for target, inputs in {
    "split.Tensor": {"split_size": {"as_int": 1}}, "unsafe_split.Tensor": {"split_size": {"as_int": 1}}, "unbind.int": {}, "chunk.default": {"chunks": HUGE},
    "unsafe_chunk.default": {"chunks": HUGE}, "tensor_split.sections": {"sections": HUGE}, "hsplit.int": {"sections": HUGE}, "vsplit.int": {"sections": HUGE},
    "dsplit.int": {"sections": HUGE},
}.items():
    BOMBS[f"parts_{target}.json"] = lambda size, target=target, inputs=inputs: parts(target, inputs)


def in_modules(stack):
    return of_one(relu("x", "r", {"nn_module_stack": stack}))


@bomb("json")
def frames_in_one_stack(size):
    return in_modules(";".join(f"L{i},a.{i},M" for i in range(int(700_000 * size))))


@bomb("json")
def frames_up_to_the_limit(size):
    return in_modules(";".join(f"L{i},a.{i},{'M' * int(70_000 * size)}" for i in range(250)))


@bomb("json")
def frames_in_frames(size):
    """Each frame's module is inside the previous frame's."""
    return in_modules(";".join(f"L{i},{'.'.join(['a'] * i)},M" for i in range(int(4000 * size**0.5))))


@bomb("json")
def frames_of_one_long_path(size):
    path = "a." * int(4_000_000 * size)
    return in_modules(f"L0,,M;L1,{path}a,N;L2,{path}a.b,O")


@bomb("json")
def frames_of_every_node(size):
    return chain(int(4000 * size), lambda i: {"nn_module_stack": ";".join(f"L{i}_{k},a{i}.{k},M" for k in range(200))})


@bomb("json")
def modules_in_modules(size):
    return chain(int(6000 * size), lambda i: {"nn_module_stack": ";".join(f"L{k},{'.'.join('abcdefghij'[j % 10] for j in range(k))},M" for k in range(i % 60))})


@bomb("json")
def modules_in_turn(size):
    """Each module is entered again and again."""
    return chain(int(28_000 * size), lambda i: {"nn_module_stack": f"L,,M;L{i % 3},{'xyz'[i % 3]},M"})


@bomb("json")
def unnamed(size):
    nodes = [node("_assert_scalar.default", [{"as_none": True}], [("self", {"as_bool": True}), ("assert_msg", {"as_string": "m"})]) for _ in range(int(48_000 * size))]
    return program([*nodes, relu("x", "r")], {"x": tensor(3), "r": tensor(3)}, ["r"])


@bomb("json")
def unnamed_without_outputs(size):
    nodes = [node("torch.ops.my.effect.default", [], [("self", ref("x"))]) for _ in range(int(60_000 * size))]
    return program([*nodes, relu("x", "r")], {"x": tensor(3), "r": tensor(3)}, ["r"])


@bomb("json")
def one_name_for_all_nodes(size):
    made = chain(int(28_000 * size))
    for each in made["graph_module"]["graph"]["nodes"]:
        each["name"] = "same"
    return made


@bomb("json")
def flood_of_expressions(size):
    texts = collide(size, "Symbol('*')")
    return chain(len(texts), sizes=lambda i: (texts[i],))


@bomb("json")
def flood_of_symbols(size):
    names = collide(size)
    return chain(len(names), sizes=lambda i: (symbol(names[i]),), range_constraints={name: {"min_val": 2, "max_val": None} for name in names})


@bomb("json")
def flood_of_module_stacks(size):
    texts = collide(size, "*,a,M")
    return chain(len(texts), lambda i: {"nn_module_stack": texts[i]})


@bomb("json")
def flood_of_modules(size):
    names = collide(size)
    return chain(len(names), lambda i: {"nn_module_stack": f"L{names[i]},{names[i]},{names[i]}", "torch_fn": f"{names[i]};f.g"})


@bomb("json")
def flood_of_sources(size):
    texts = collide(size, "*,torch.relu")
    return chain(len(texts), lambda i: {"source_fn_stack": texts[i], "stack_trace": texts[i]})


@bomb("json")
def flood_of_names(size):
    names = collide(size)
    return chain(len(names), names=lambda i: names[i])


@bomb("json")
def flood_of_targets(size):
    names = collide(size)
    made = chain(len(names))
    for name, each in zip(names, made["graph_module"]["graph"]["nodes"]):
        each["target"] = name
    return made


@bomb("json")
def flood_of_guards_and_maps(size):
    names = collide(size)
    metadata = {name: name for name in names}
    return of_one(relu("x", "r", metadata)) | {"guards_code": names, "opset_version": dict.fromkeys(names, 1), "verifiers": names}


@bomb("json")
def flood_of_parameters(size):
    return with_parameters({name: {"tensor_meta": tensor(3)} for name in collide(size)})


@bomb("json")
def deep_json(size):
    return b'{"graph_module": ' + b'{"graph": ' * int(1_800_000 * size)


@bomb("json")
def deep_unknown(size):
    return json.dumps(chain(3))[:-1].encode() + b', "new": ' + b"[" * int(9_000_000 * size) + b"]" * int(9_000_000 * size) + b"}"


@bomb("json")
def deep_arguments(size):
    def nested(depth):
        return {"as_int": 1} if depth == 0 else {"as_string_to_argument": {"k": nested(depth - 1)}}

    nodes = [node("torch.ops.my.f.default", [ref(f"r{i}")], [("a", nested(100)), ("b", ref("x"))]) for i in range(max(1, int(4500 * size)))]
    return program(nodes, {"x": tensor(3)} | {f"r{i}": tensor(3) for i in range(len(nodes))}, ["r0"])


def cond(branches, operands, result, metadata=None):
    return {"target": "torch.ops.higher_order.cond", "metadata": metadata or {}, "is_hop_single_tensor_return": False, "name": result, "outputs": [refs([result])],
            "inputs": [{"name": "", "arg": a, "kind": 1} for a in (ref("p"), *({"as_graph": {"name": f"g{i}", "graph": b}} for i, b in enumerate(branches)), refs(operands))]}


def conds(depth, width, both):
    """A graph with a chain of `width` nodes and a cond whose first branch, or `both`, is so again, `depth` deep."""
    made = chain(width)["graph_module"]["graph"]
    made["inputs"] = [ref("p"), ref("x")]
    made["tensor_values"]["p"] = tensor(dtype=12)
    if depth > 0:
        inner = conds(depth - 1, width, both)
        small = graph([relu("x", "s")], {"x": tensor(3), "p": tensor(dtype=12), "s": tensor(3)}, ["s"], ("p", "x"))
        made["nodes"].append(cond([inner, inner if both else small], ["p", made["outputs"][0]["as_tensor"]["name"]], "c"))
        made["tensor_values"]["c"] = tensor(3)
        made["outputs"] = [ref("c")]
    return made


def of_graph(made):
    whole = program([], {}, [each["as_tensor"]["name"] for each in made["outputs"]], ("p", "x"))
    whole["graph_module"]["graph"] = made
    return whole


@bomb("json")
def deep_subgraphs(size):
    return of_graph(conds(25, max(1, int(1200 * size)), False))


@bomb("json")
def binary_subgraphs(size):
    return of_graph(conds(12 if size > 0.5 else 8, 1, True))


@bomb("json")
def too_deep_subgraphs(size):
    return of_graph(conds(60, 1, False))


@bomb("json")
def autocasts(size):
    return json.dumps(of_graph(conds(20, max(1, int(1200 * size)), False))).replace("higher_order.cond", "higher_order.wrap_with_autocast")


@bomb("json")
def many_subgraphs(size):
    inner = graph([relu("x", "s")], {"x": tensor(3), "s": tensor(3)}, ["s"])
    nodes = [cond([inner, inner], ["x"], f"c{i}") for i in range(max(1, int(6000 * size)))]
    return program(nodes, {"x": tensor(3), "p": tensor(dtype=12)} | {f"c{i}": tensor(3) for i in range(len(nodes))}, ["c0"], ("p", "x"))


def with_subgraph(inner, holder="c", metadata=None):
    return program([cond([inner, inner], ["x"], holder, metadata)], {"x": tensor(3), "p": tensor(dtype=12), holder: tensor(3)}, [holder], ("p", "x"))


@bomb("json")
def long_name_of_a_holder(size):
    """Its name is part of the names of all nodes in its subgraphs."""
    return with_subgraph(chain(int(10_000 * size))["graph_module"]["graph"], "c" * int(2_000_000 * size))


@bomb("json")
def long_module_of_a_holder(size):
    stack = ";".join(f"L{i},a.{i},{'M' * 10_000}" for i in range(int(200 * size)))
    return with_subgraph(chain(int(10_000 * size))["graph_module"]["graph"], metadata={"nn_module_stack": stack})


@bomb("json")
def long_names_of_holders(size):
    """Names in names of subgraphs in each other."""
    made = chain(int(10_000 * size))["graph_module"]["graph"]
    for i in range(20):
        made = with_subgraph(made, f"c{i}" + "x" * int(20_000 * size))["graph_module"]["graph"]
        made["nodes"][0]["inputs"].pop(2)
    return of_graph(made)


@bomb("json")
def many_inputs_in_many_modules(size):
    """Each module that a node ran in reads all that the node reads."""
    values = {"x": tensor(3), "r": tensor(3)} | {f"i{i}": tensor(3) for i in range(int(40_000 * size))}
    return program([node("cat.default", [ref("r")], [("tensors", refs([*values]))], {"nn_module_stack": ";".join(f"L{i},a.{i},M" for i in range(250))})],
                   values, ["r"], ["x", *[*values][2:]])


@bomb("json")
def dotted_parameters(size):
    made = with_parameters({"a" + ".b" * int(4_000_000 * size): {"tensor_meta": tensor(3)}})
    made["graph_module"]["graph"]["nodes"][0]["metadata"] = {"nn_module_stack": "L1,a,N"}
    return made


def with_specs(in_spec, out_spec=OUT_SPEC, calls=1):
    made = chain(3)
    calls_of = made["graph_module"]["module_call_graph"]
    calls_of[0]["signature"] |= {"in_spec": in_spec, "out_spec": out_spec}
    calls_of += [{"fqn": f"m{i}", "signature": calls_of[0]["signature"]} for i in range(calls - 1)]
    return made


def spec(depth, width=1):
    return "[1, " + '{"type": "builtins.list", "context": "null", "children_spec": [' * depth + ", ".join([LEAF] * width) + "]}" * depth + "]"


@bomb("json")
def deep_treespec(size):
    return with_specs(spec(int(100_000 * size)), spec(int(20_000 * size)))


@bomb("json")
def wide_treespec(size):
    return with_specs(spec(1, int(110_000 * size)), spec(60, int(100_000 * size)))


@bomb("json")
def many_treespecs(size):
    return with_specs(spec(50, 3), spec(50), int(1500 * size))


@bomb("json")
def treespec_of_a_large_dict(size):
    count = int(120_000 * size)
    keys = json.dumps(json.dumps([f"k{i}" for i in range(count)]))
    return with_specs('[1, {"type": "builtins.dict", "context": ' + keys + ', "children_spec": [' + ", ".join([LEAF] * count) + "]}]")


@bomb("json")
def deep_treespec_context(size):
    context = json.dumps("[" * int(4_000_000 * size) + "]" * int(4_000_000 * size))
    return with_specs('[1, {"type": "builtins.dict", "context": ' + context + ', "children_spec": []}]')


@bomb("json")
def dotted_calls(size):
    """Modules that were called, each in the one before."""
    made = chain(3)
    made["graph_module"]["module_call_graph"] += [{"fqn": ".".join(["a"] * i), "signature": None} for i in range(1, int(4300 * size**0.5))]
    return made


@bomb("json")
def many_calls(size):
    made = chain(3)
    made["graph_module"]["module_call_graph"] += [{"fqn": f"a.b{i}", "signature": None} for i in range(int(400_000 * size))]
    return made


@bomb("json")
def one_long_name_among_many_inputs(size):
    names = ["x" * int(6_000_000 * size), *(f"i{i}" for i in range(int(60_000 * size)))]
    return program([relu(names[1], "r")], {name: tensor(3) for name in [*names, "r"]}, ["r"], names)


@bomb("json")
def long_names(size):
    return chain(3, names=lambda i: f"n{i}_" + "x" * int(1_200_000 * size))


@bomb("json")
def long_names_of_many(size):
    return chain(int(400 * size**0.5), names=lambda i: f"n{i}_" + "x" * int(9000 * size**0.5))


@bomb("json")
def long_texts(size):
    text = "\\\"\n\x01é" * int(90_000 * size)
    return chain(2, lambda i: {"stack_trace": text, "nn_module_stack": text, "source_fn_stack": text, "torch_fn": text, "from_node": text})


@bomb("json")
def long_stack_traces(size):
    return of_one(relu("x", "r", {"stack_trace": "".join(f'  File "/a/b{i}.py", line {i}, in forward\n    x = y\n' for i in range(int(250_000 * size)))}))


@bomb("json")
def long_strings(size):
    return of_one(node("torch.ops.my.f.default", [ref("r")], [("a", {"as_string": "\"\\'" * int(1_300_000 * size)}), ("b", {"as_strings": ["s"] * int(1_000_000 * size)}), ("c", ref("x"))]))


@bomb("json")
def long_lists(size):
    return of_one(node("torch.ops.my.f.default", [ref("r")], [
        ("a", {"as_ints": [1] * int(2_000_000 * size)}), ("b", {"as_floats": [1.5] * int(1_000_000 * size)}), ("c", {"as_int_lists": [[]] * int(1_000_000 * size)}), ("d", ref("x"))]))


def symbol(name):
    return f"Symbol('{name}', positive=True, integer=True)"


@bomb("json")
def many_symbols(size):
    count = int(28_000 * size)
    return chain(count, sizes=lambda i: (symbol(f"s{i}"),), range_constraints={f"s{i}": {"min_val": 2, "max_val": 2**40} for i in range(count)})


@bomb("json")
def many_symbols_of_one_tensor(size):
    count = int(100_000 * size)
    return program([relu("x", "r")], {"x": tensor(*(symbol(f"s{i}") for i in range(count))), "r": tensor(3)}, ["r"],
                   range_constraints={f"s{i}": {"min_val": 2, "max_val": None} for i in range(count)})


@bomb("json")
def many_range_constraints(size):
    return chain(3, range_constraints={f"s{i}": {"min_val": 2, "max_val": None} for i in range(int(350_000 * size))})


@bomb("json")
def many_range_constraints_of_expressions(size):
    return chain(3, range_constraints={f"2*s{i} + {i}": {"min_val": 2, "max_val": None} for i in range(int(300_000 * size))})


def sized_by(expression, count=3):
    return chain(count, sizes=lambda i: (expression,))


@bomb("json")
def long_sum(size):
    return sized_by("Add(" + ", ".join(symbol(f"s{i}") for i in range(int(80_000 * size))) + ")")


@bomb("json")
def long_product(size):
    return sized_by("Mul(" + ", ".join(symbol(f"s{i}") for i in range(int(80_000 * size))) + ")")


@bomb("json")
def long_product_of_sums(size):
    return sized_by("Mul(" + ", ".join(f"Add({symbol(f's{i}')}, {symbol(f't{i}')})" for i in range(int(40_000 * size))) + ")")


@bomb("json")
def powers(size):
    return sized_by(f"Pow(Add({symbol('s0')}, {symbol('s1')}, Integer(1)), Integer(1000000000))", int(28_000 * size))


@bomb("json")
def powers_of_powers(size):
    count = int(300_000 * size)
    return sized_by("Pow(" * count + symbol("s0") + ", Integer(3))" * count)


@bomb("json")
def products_of_many_nodes(size):
    """Polynomials at each node, with slightly fewer terms than the limit."""
    return chain(int(6000 * size), sizes=lambda i: ("Mul(" + ", ".join(f"Add({symbol(f's{k}')}, {symbol(f't{k}_{i}')})" for k in range(8)) + ")",))


@bomb("json")
def deep_sum(size):
    depth = int(1_000_000 * size)
    return sized_by("Add(" * depth + symbol("s0") + ", Integer(1))" * depth, 1)


@bomb("json")
def sums_up_to_the_depth(size):
    return chain(int(5000 * size), sizes=lambda i: ("Add(" * 100 + symbol(f"s{i}") + ", Integer(1))" * 100,))


@bomb("json")
def deep_old_texts(size):
    made = sized_by("-" * int(2_000_000 * size) + "s0")
    made["graph_module"]["graph"]["tensor_values"]["r1"] = tensor("(" * int(1_500_000 * size) + "s0" + ")" * int(1_500_000 * size))
    return made | {"schema_version": {"major": 7, "minor": 3}}


@bomb("json")
def long_numbers(size):
    return sized_by("Integer(" + "9" * int(3_000_000 * size) + ")")


@bomb("json")
def ranks(size):
    return chain(int(600 * size**0.5), sizes=lambda i: (1,) * int(700 * size**0.5))


@bomb("json")
def one_large_rank(size):
    """A tensor of many dims, which many nodes are given."""
    count = max(1, int(14_000 * size))
    return program([relu("x", f"r{i}") for i in range(count)], {"x": tensor(*[1] * int(300_000 * size))} | {f"r{i}": tensor(3) for i in range(count)}, ["r0"])


@bomb("json")
def one_large_rank_in_lists(size):
    nodes = [node(f"{target}.default", [ref("r")], [("tensors", refs(["x"] * int(200_000 * size)))]) for target in ("cat", "stack", "meshgrid", "broadcast_tensors")]
    return program(nodes, {"x": tensor(*[1] * int(60_000 * size)), "r": tensor(3)}, ["r"])


@bomb("json")
def small_ranks_in_lists(size):
    nodes = [node(f"{target}.default", [ref("r")], [("tensors", refs(["x"] * int(65_000 * min(1, size * 2))))]) for target in ("cat", "stack", "broadcast_tensors")]
    return program(nodes, {"x": tensor(*[1] * 60), "r": tensor(3)}, ["r"])


@bomb("json")
def views_of_large_rank(size):
    values, nodes = {"x": tensor(3)}, []
    keys = {"view": "size", "reshape": "shape", "expand": "size", "repeat": "repeats", "tile": "dims", "permute": "dims", "as_strided": "size", "new_zeros": "size", "flip": "dims"}
    for i, (target, key) in enumerate(keys.items()):
        values[f"r{i}"] = tensor(3)
        nodes.append(node(f"{target}.default", [ref(f"r{i}")], [("self", ref("x")), (key, {"as_ints": [1] * int(250_000 * size)})]))
    return program(nodes, values, ["r0"])


@bomb("json")
def huge_sizes(size):
    return chain(int(28_000 * size), sizes=lambda i: (2**62, 2**62, 2**62))


@bomb("json")
def huge_results(size):
    """Results of huge sizes, by small arguments."""
    big, values, nodes = {"as_int": 2**40}, {"x": tensor(2**40), "l": tensor(2**40, dtype=5)}, []
    for i, (target, inputs) in enumerate({
        "arange.default": [("end", big)], "linspace.default": [("start", {"as_int": 0}), ("end", {"as_int": 1}), ("steps", big)], "eye.default": [("n", big)],
        "repeat_interleave.self_int": [("self", ref("x")), ("repeats", big)], "one_hot.default": [("self", ref("l")), ("num_classes", big)],
        "unfold.default": [("self", ref("x")), ("dimension", {"as_int": 0}), ("size", {"as_int": 1}), ("step", {"as_int": 1})],
        "combinations.default": [("self", ref("x")), ("r", {"as_int": 2**20})], "tril_indices.default": [("row", big), ("col", big)],
        "expand.default": [("self", ref("x")), ("size", {"as_ints": [2**62, 2**40]})], "pixel_unshuffle.default": [("self", ref("x")), ("downscale_factor", big)],
        "unflatten.int": [("self", ref("x")), ("dim", {"as_int": 0}), ("sizes", {"as_ints": [2**20, 2**20]})], "diff.default": [("self", ref("x")), ("n", big)],
        "rot90.default": [("self", ref("x")), ("k", big)], "constant_pad_nd.default": [("self", ref("x")), ("pad", {"as_ints": [2**40, 2**40]})],
    }.items()):
        values[f"r{i}"] = tensor(3)
        nodes.append(node(target, [ref(f"r{i}")], inputs))
    return program(nodes, values, ["r0"])


@bomb("json")
def einsums(size):
    count = int(65_000 * min(1, size * 2))
    equation = ",".join(["a"] * count) + "->a"
    return of_one(node("einsum.default", [ref("r")], [("equation", {"as_string": equation + "b" * int(9_000_000 * size)}), ("tensors", refs(["x"] * count))]))


@bomb("json")
def index_of_many(size):
    return of_one(node("index.Tensor", [ref("r")], [("self", ref("x")), ("indices", {"as_optional_tensors": [ref("i")] * int(450_000 * size)})]), i=tensor(3, dtype=5))


@bomb("json")
def fan_in(size):
    count = max(1, int(15_000 * size))
    made = chain(count)
    made["graph_module"]["graph"]["tensor_values"]["z"] = tensor(3)
    made["graph_module"]["graph"]["nodes"].append(node("cat.default", [ref("z")], [("tensors", refs([f"r{i % count}" for i in range(int(400_000 * size))]))], name="z"))
    return made


@bomb("json")
def fan_out(size):
    count = int(28_000 * size)
    return program([relu("x", f"r{i}") for i in range(count)], {"x": tensor(3)} | {f"r{i}": tensor(3) for i in range(count)}, [f"r{i}" for i in range(count)])


def giving_first(made):
    """Of what only the first node is needed."""
    made["graph_module"]["graph"]["outputs"] = [ref("r0")]
    made["graph_module"]["signature"]["output_specs"] = [{"user_output": {"arg": ref("r0")}}]
    return made


@bomb("json")
def many_dead_nodes(size):
    return giving_first(fan_out(size))


@bomb("json")
def dead_chain(size):
    return giving_first(chain(int(28_000 * size)))


@bomb("json")
def two_chains(size):
    """Two chains that differ only in their last nodes."""
    count = int(14_000 * size)
    made, other = chain(count), chain(count, names=lambda i: f"t{i}")
    inner, second = made["graph_module"]["graph"], other["graph_module"]["graph"]
    inner["nodes"] += second["nodes"]
    inner["tensor_values"] |= second["tensor_values"]
    inner["nodes"][-1]["target"] = "torch.ops.aten.sin.default"
    return made


@bomb("json")
def dead_twins(size):
    """Many similar dead chains of different lengths."""
    nodes, values = [relu("x", "r0")], {"x": tensor(3), "r0": tensor(3)}
    for i in range(int(240 * size**0.5)):
        for k in range(i):
            values[f"t{i}_{k}"] = tensor(3)
            nodes.append(relu(f"t{i}_{k - 1}" if k else "x", f"t{i}_{k}"))
    return program(nodes, values, ["r0"])


@bomb("json")
def dense_graph(size):
    """Each node is given many of those before."""
    width, count = int(700 * size**0.5) + 1, int(1200 * size**0.5) + 2
    nodes = [node("cat.default", [ref(f"r{i}")], [("tensors", refs([f"r{k}" for k in range(max(0, i - width), i)] or ["x"]))], name=f"r{i}") for i in range(count)]
    return program(nodes, {"x": tensor(3)} | {f"r{i}": tensor(3) for i in range(count)}, [f"r{count - 1}"])


@bomb("json")
def wide_outputs(size):
    values = {"x": tensor(3)} | {f"r{i}": tensor(3) for i in range(int(40_000 * size))}
    return program([node("torch.ops.my.f.default", [refs([*values][1:])], [("self", ref("x"))])], values, ["x"] * int(100_000 * size))


@bomb("json")
def many_outputs_of_one_node(size):
    count = int(40_000 * size)
    return program([node("torch.ops.my.f.default", [ref(f"r{i}") for i in range(count)], [("self", ref("x"))])], {"x": tensor(3)} | {f"r{i}": tensor(3) for i in range(count)}, ["r0"])


@bomb("json")
def many_arguments_of_one_node(size):
    return program([node("torch.ops.my.f.default", [ref("r")], [(f"a{i}", {"as_int": i}) for i in range(int(250_000 * size))]),
                    node("relu.default", [ref("s")], [(f"a{i % 1000}", ref("x")) for i in range(int(50_000 * size))])], {"x": tensor(3), "r": tensor(3), "s": tensor(3)}, ["r"])


@bomb("json")
def getitems(size):
    count = int(28_000 * size)
    nodes = [node("torch.ops.higher_order.wrap", [refs([f"r{i}" for i in range(count)])], [("", ref("x"))], name="w")]
    nodes += [node("_operator.getitem", [ref(f"r{i}")], [("", ref("x")), ("", {"as_int": i})], name=f"g{i}") for i in range(count // 2)]
    return program(nodes, {"x": tensor(3)} | {f"r{i}": tensor(3) for i in range(count)}, ["r0"])


@bomb("json")
def mutations_of_one_tensor(size):
    """Views of a tensor, and writes to it, in turn."""
    values, nodes = {"x": tensor(3)}, []
    for i in range(int(24_000 * size)):
        values[f"r{i}"] = tensor(3)
        given = [("self", ref(f"r{i - 2}" if i > 2 and i % 3 else "x")), ("size", {"as_ints": [3]}) if i % 2 else ("other", {"as_int": 1})]
        nodes.append(node("view.default" if i % 2 else "add_.Tensor", [ref(f"r{i}")], given, name=f"r{i}"))
    return program(nodes, values, [f"r{len(nodes) - 1}"])


@bomb("json")
def names_that_are_taken(size):
    """The first candidates for new names are all taken."""
    values = {"x": tensor(3)}
    for stem in ("to", "_to_copy", "getitem", "relu", "r", "_", "view", "clone"):
        values |= {stem if i == 0 else stem + (str(i) if stem == "_" else f"_{i}"): tensor(3) for i in range(int(4000 * size))}
    names = list(values)[1:]
    return program([relu(before, name) for before, name in zip(["x", *names], names)], values, [names[-1]])


@bomb("json")
def inputs_of_one_name(size):
    made, count = chain(3), int(130_000 * size)
    made["graph_module"]["graph"]["inputs"] += [ref("x")] * count
    made["graph_module"]["signature"]["input_specs"] += [{"parameter": {"arg": {"name": "x"}, "parameter_name": "p"}}] * count
    return made


@bomb("json")
def inputs_without_specs(size):
    made = chain(3)
    made["graph_module"]["graph"]["inputs"] += [ref(f"y{i}") for i in range(int(350_000 * size))]
    return made


@bomb("json")
def specs_without_inputs(size):
    made = chain(3)
    made["graph_module"]["signature"]["input_specs"] += [{"buffer": {"arg": {"name": f"b{i}"}, "buffer_name": f"b.{i}", "persistent": True}} for i in range(int(130_000 * size))]
    made["graph_module"]["signature"]["output_specs"] += [{"buffer_mutation": {"arg": {"name": f"b{i}"}, "buffer_name": f"b.{i}"}} for i in range(int(50_000 * size))]
    return made


@bomb("json")
def many_guards(size):
    return chain(3, guards_code=[f"L['x'].size()[0] >= {i}" for i in range(int(400_000 * size))])


@bomb("json")
def long_guards(size):
    count = int(300_000 * size)
    return chain(3, guards_code=["L['x'].size()[0] > 1" + " and L['x'].size()[1] > 1" * (count // 2), "(" * count + "1" + ")" * count, "not " * count + "1",
                                 "L['x']" + "[0]" * count, "-" * count + "1", "1" + " + 1" * count, "L['x']" + ".a" * count, "f(" * count + ")" * count, "1" + " ** 1" * (count // 4)])


@bomb("json")
def many_opsets(size):
    return chain(3, opset_version={f"ns{i}": i for i in range(int(900_000 * size))})


@bomb("json")
def many_metadata(size):
    return chain(100, lambda i: {f"key{k}": "v" for k in range(int(8000 * size))}, module={"metadata": {f"k{i}": "v" for i in range(int(200_000 * size))}})


@bomb("json")
def many_fields(size):
    return chain(3, module={"treespec_namedtuple_fields": {f"a.B{i}": [f"f{k}" for k in range(5)] for i in range(int(250_000 * size))}})


@bomb("json")
def many_values(size):
    return chain(3, tables={"sym_int_values": {f"i{k}": {"as_int": k} for k in range(int(150_000 * size))}, "sym_bool_values": {f"b{k}": {"as_bool": True} for k in range(int(100_000 * size))},
                            "sym_float_values": {f"f{k}": {"as_float": 1.5} for k in range(int(100_000 * size))},
                            "custom_obj_values": {f"o{k}": {"name": f"o{k}", "class_fqn": "a.B"} for k in range(int(60_000 * size))}})


@bomb("json")
def many_unknown_fields(size):
    return chain(3) | {f"new_{i}": i for i in range(int(800_000 * size))}


@bomb("json")
def many_unknown_fields_of_nodes(size):
    made = chain(int(14_000 * size))
    for each in made["graph_module"]["graph"]["nodes"]:
        each |= {f"new_{i}": [i] for i in range(15)}
    return made | {"schema_version": {"major": 8, "minor": 99}}


@bomb("json")
def many_faults(size):
    """Each node breaks several rules."""
    nodes = [node("torch.ops.aten.nothing.default", [ref("x"), {"as_int": 1}], [("self", ref(f"no{i}")), ("a", {"as_sym_int": {"as_name": "no"}})],
                  {"nn_module_stack": ";;,,", "source_fn_stack": "__import__"}, "1 2") for i in range(int(22_000 * size))]
    return program(nodes, {"x": tensor(3)}, ["x"])


@bomb("json")
def faults_of_long_names(size):
    """A name that comes again in each message."""
    name = "n" * int(5000 * size**0.5)
    return program([node("torch.ops.aten.nothing.default", [ref("x")], [("self", ref(name))], None, name) for _ in range(int(1500 * size**0.5))], {"x": tensor(3)}, ["x"])


@bomb("json")
def faults_of_a_long_key(size):
    """Paths to many faults have a long key in them."""
    made = chain(1)
    made["graph_module"]["graph"]["tensor_values"]["k" * int(4_000_000 * size)] = tensor(*["Symbol('" + str(i) for i in range(int(40_000 * size))])
    return made


@bomb("json")
def cyclic(size):
    count = max(1, int(28_000 * size))
    return program([relu(f"r{(i + 1) % count}", f"r{i}") for i in range(count)], {"x": tensor(3)} | {f"r{i}": tensor(3) for i in range(count)}, ["r0"])


@bomb("json")
def backwards(size):
    made = chain(int(28_000 * size))
    made["graph_module"]["graph"]["nodes"].reverse()
    return made


@bomb("json")
def repeats(size):
    """A module again and again, and in it a smaller one."""
    return chain(max(4, int(24_000 * size)), lambda i: {"nn_module_stack": f"L,,M;L{i // 64},layers.{i // 64},B;K{i // 8},layers.{i // 64}.{i // 8 % 8},C"})


@bomb("json")
def repeats_without_modules(size):
    made = chain(int(28_000 * size))
    for i, each in enumerate(made["graph_module"]["graph"]["nodes"]):
        if bin(i).count("1") % 2:
            each["target"] = "torch.ops.aten.sin.default"
    return made


for version in ({"major": 5, "minor": 3}, {"major": 7, "minor": 3}, {"major": 2, "minor": 1}, 1):
    BOMBS[f"old_schema_{version['major'] if isinstance(version, dict) else version}.json"] = lambda size, version=version: chain(
        int(28_000 * size), lambda i: {"nn_module_stack": "L,,M;L1,a,M"}, sizes=lambda i: ("s0 + 1",)) | {"schema_version": version, "dialect": "ATEN", "equality_constraints": []}


@bomb("json")
def old_conds(size):
    return many_subgraphs(size) | {"schema_version": {"major": 7, "minor": 3}, "dialect": "ATEN"}


@bomb("json")
def spaces(size):
    return b" " * int(19_000_000 * size) + json.dumps(chain(3)).encode()


@bomb("json")
def not_json(size):
    return b'{"a": "' + b"\\u0001" * int(3_000_000 * size) + b"\xff"



def deflated(start, repeated, times, end=b""):
    """What `start`, `repeated` so many times (a multiple of 1000) and `end` deflate to: its bytes, checksum and size. A block is deflated once."""
    block = repeated * (times // 1000)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    head = packer.compress(start) + packer.flush(zlib.Z_FULL_FLUSH)
    body = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    tail = packer.compress(end) + packer.flush()
    crc = zlib.crc32(start)
    for _ in range(1000):
        crc = zlib.crc32(block, crc)
    return head + 1000 * body + tail, zlib.crc32(end, crc), len(start) + 1000 * len(block) + len(end)


def zeros(count):
    return deflated(b"", b"\0", max(1, int(count) // 4000) * 4000)


def raw_archive(members, alias=None):
    """A zip archive: {name: bytes, or what deflated() gives}; `alias`: {name: the name of a member whose bytes it has as well}."""
    content, directory, places, at = [], [], {}, 0
    for name, member in members.items():
        method, (packed, crc, size) = (8, member) if isinstance(member, tuple) else (0, (member, zlib.crc32(member), len(member)))
        fields = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, crc, len(packed), size, len(name), 0)
        places[name] = fields, at
        content += [b"PK\3\4" + fields + name.encode(), packed]
        at += 30 + len(name) + len(packed)
    for name, of in ({name: name for name in members} | (alias or {})).items():
        fields, place = places[of]
        directory.append(b"PK\1\2" + struct.pack("<H", 20) + fields[:-4] + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, place) + name.encode())
    length, count = sum(len(each) for each in directory), len(directory)
    end = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, length, at) + b"PK\6\7" + struct.pack("<IQI", 0, at + length, 1)
    end += b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, min(count, 0xFFFF), min(count, 0xFFFF), length, at, 0)
    return b"".join([*content, *directory, end])


def weight(sizes, strides=None, path="weight_0", offset=0, pickled=False):
    meta = tensor(*sizes, strides=strides) | {"storage_offset": {"as_int": offset}}
    return {"path_name": path, "is_param": True, "use_pickle": pickled, "tensor_meta": meta}


def with_parameters(weights):
    made = of_one(relu("x", "r"))
    inner = made["graph_module"]["graph"]
    for i, (name, each) in enumerate(weights.items()):
        inner["inputs"].append(ref(f"p{i}"))
        inner["tensor_values"][f"p{i}"] = each["tensor_meta"]
        made["graph_module"]["signature"]["input_specs"].append({"parameter": {"arg": {"name": f"p{i}"}, "parameter_name": name}})
    return made


def archive(weights=None, records=None, constants=None, alias=None):
    """A PT2 archive of torch 2.13."""
    members = {"archive_format": b"pt2", "archive_version": b"0", "byteorder": b"little", ".data/version": b"3\n",
               "models/model.json": json.dumps(with_parameters(weights or {})).encode(),
               "data/weights/model_weights_config.json": json.dumps({"config": weights or {}}).encode(),
               "data/constants/model_constants_config.json": json.dumps({"config": constants or {}}).encode()} | (records or {})
    return raw_archive({"m/" + name: content for name, content in members.items()}, {"m/" + a: "m/" + b for a, b in (alias or {}).items()})


@bomb("pt2")
def aliases(size):
    """Weights of one record, which statistics and exports read again and again."""
    return archive({f"w{i}": weight([int(2**20 * size)]) for i in range(int(4000 * size))}, {"data/weights/weight_0": bytes(4 * int(2**20 * size))})


@bomb("pt2")
def views_of_one_record(size):
    """The same with other offsets and strides."""
    count = int(2**19 * size)
    return archive({f"w{i}": weight([count - i], [1 + i % 2], offset=i % max(1, count)) for i in range(min(count, int(4000 * size)))}, {"data/weights/weight_0": bytes(8 * count)})


@bomb("pt2")
def transposed_views_of_one_record(size):
    side = int(1024 * size**0.5)
    return archive({f"w{i}": weight([side, side], [1, side]) for i in range(int(4000 * size))}, {"data/weights/weight_0": bytes(4 * side * side)})


@bomb("pt2")
def expanded_weights(size):
    """2^40 elements of four bytes."""
    return archive({"w0": weight([2**20, 2**20], [0, 0]), "w1": weight([2**34], [0]), "w2": weight([2**28], [0]), "w3": weight([2**62, 2], [0, 0])}, {"data/weights/weight_0": bytes(4)})


@bomb("pt2")
def many_expanded_weights(size):
    return archive({f"w{i}": weight([2**20], [0]) for i in range(int(20_000 * size))}, {"data/weights/weight_0": bytes(4)})


@bomb("pt2")
def ranks_of_weights(size):
    return archive({"w0": weight([1] * int(300_000 * size))}, {"data/weights/weight_0": bytes(4)})


@bomb("pt2")
def deep_ranks_of_weights(size):
    return archive({"w0": weight([2] * 60 + [0]), "w1": weight([0] + [2**40] * 3), "w2": weight([2] * 30, [0] * 30)}, {"data/weights/weight_0": bytes(4)})


@bomb("pt2")
def empty_weights(size):
    return archive({f"w{i}": weight([0]) for i in range(int(25_000 * size))}, {"data/weights/weight_0": b""})


@bomb("pt2")
def deflated_weight(size):
    one = zeros(1800 * 2**20 * size)
    return archive({"w0": weight([one[2] // 4])}, {"data/weights/weight_0": one})


@bomb("pt2")
def deflated_weights(size):
    """Each is within the limits, all are 16 GB."""
    one = zeros(1024 * 2**20 * size)
    return archive({f"w{i}": weight([one[2] // 4], path=f"weight_{i}") for i in range(16)}, {f"data/weights/weight_{i}": one for i in range(16)})


@bomb("pt2")
def overlapping_members(size):
    """Names for one member, which is deflated."""
    one, count = zeros(1024 * 2**20 * size), int(20_000 * size)
    return archive({f"w{i}": weight([one[2] // 4], path=f"weight_{i}") for i in range(count)}, {"data/weights/weight_0": one},
                   alias={f"data/weights/weight_{i}": "data/weights/weight_0" for i in range(1, count)})


@bomb("pt2")
def overlapping_stored_members(size):
    count = int(20_000 * size)
    return archive({f"w{i}": weight([1 << 20], path=f"weight_{i}") for i in range(count)}, {"data/weights/weight_0": bytes(4 << 20)},
                   alias={f"data/weights/weight_{i}": "data/weights/weight_0" for i in range(1, count)})


@bomb("pt2")
def overlapping_models(size):
    """One large program under many names."""
    return archive(records={"models/model.json": json.dumps(chain(int(20_000 * size))).encode()}, alias={f"models/m{i}.json": "models/model.json" for i in range(int(3000 * size))})


@bomb("pt2")
def overlapping_pickles(size):
    pickled = pickle.dumps({i: (i, str(i)) for i in range(int(100_000 * size))}, 2)
    return archive(records={"data/sample_inputs/model.pt": pickled}, alias={f"data/weights/w{i}": "data/sample_inputs/model.pt" for i in range(int(5000 * size))})


@bomb("pt2")
def many_members(size):
    return archive(records={f"extra/{i}": b"" for i in range(int(120_000 * size))})


@bomb("pt2")
def long_member_names(size):
    return archive(records={f"extra/{i}" + "x" * 60_000: b"" for i in range(int(150 * size))})


@bomb("pt2")
def many_weights(size):
    count = int(16_000 * size)
    return archive({f"w{i}": weight([1], path=f"weight_{i}") for i in range(count)}, {f"data/weights/weight_{i}": bytes(4) for i in range(count)})


@bomb("pt2")
def flood_of_weights(size):
    names = collide(size, most=16_000)
    return archive({name: weight([1], path=name) for name in names}, {f"data/weights/{name}": bytes(4) for name in names})


@bomb("pt2")
def flood_of_members(size):
    return archive(records={name: b"" for name in collide(size)})


@bomb("pt2")
def many_constants(size):
    return archive(constants={f"c{i}": {"path_name": f"custom_obj_{i}", "is_param": False, "use_pickle": True, "tensor_meta": None} for i in range(int(80_000 * size))},
                   records={f"data/constants/custom_obj_{i}": b"" for i in range(int(20_000 * size))})


@bomb("pt2")
def many_models(size):
    return archive(records={f"models/m{i}.json": json.dumps(chain(1)).encode() for i in range(int(7000 * size))})


def deflated_program_of(repeated, times, size):
    text = json.dumps(chain(1))
    at = text.index('"nodes": [') + len('"nodes": [')
    return archive(records={"models/model.json": deflated(text[:at].encode(), repeated, int(times * size) // 1000 * 1000, text[at:].encode())})


@bomb("pt2")
def deflated_program_of_nodes(size):
    return deflated_program_of(json.dumps(relu("x", "r0")).encode() + b", ", 2_000_000, size)


@bomb("pt2")
def deflated_program_of_small_nodes(size):
    return deflated_program_of(b'{"target":"","inputs":[],"outputs":[],"metadata":{}},', 6_000_000, size)


@bomb("pt2")
def deflated_program_of_unknown_lists(size):
    text = json.dumps(chain(3)).encode()
    return archive(records={"models/model.json": deflated(text[:-1] + b', "a": [0', b",[]", int(300_000_000 * size) // 1000 * 1000, b"]}")})


@bomb("pt2")
def deflated_program_of_unknown_numbers(size):
    text = json.dumps(chain(3)).encode()
    return archive(records={"models/model.json": deflated(text[:-1] + b', "a": [0', b",0", int(450_000_000 * size) // 1000 * 1000, b"]}")})


@bomb("pt2")
def deflated_guards(size):
    text = json.dumps(chain(3, guards_code=["a"])).encode()
    return archive(records={"models/model.json": deflated(text[:-3], b'","', int(24_000_000 * size) // 1000 * 1000, text[-3:])})


@bomb("pt2")
def deflated_config(size):
    return archive(records={"data/weights/model_weights_config.json": deflated(b'{"config": {}, "a": [0', b",[]", int(300_000_000 * size) // 1000 * 1000, b"]}")})


@bomb("pt2")
def deflated_pickle(size):
    return archive(records={"data/sample_inputs/model.pt": deflated(b"\x80\x02(", b"K\x01", int(900_000_000 * size) // 1000 * 1000, b"l.")})


def saved_by_torch(pickled, **records):
    return raw_archive({"archive/data.pkl": pickled, "archive/version": b"3\n", "archive/byteorder": b"little"} | {"archive/" + name: content for name, content in records.items()})


def sample_inputs(pickled):
    return archive(records={"data/sample_inputs/model.pt": saved_by_torch(pickled)})


def binunicode(value):
    return b"X" + struct.pack("<I", len(value)) + value


@bomb("pt2")
def pickle_that_doubles(size):
    """Each tuple has the one before twice: as a tree it has no end."""
    return sample_inputs(b"\x80\x02N" + b"q\x00h\x00\x86" * int(2_500_000 * size) + b".")


@bomb("pt2")
def pickle_that_copies(size):
    return sample_inputs(b"\x80\x02" + binunicode(b"x" * (1 << 20)) + b"q\x00(" + b"h\x00" * int(8_000_000 * size) + b"l.")


@bomb("pt2")
def deep_pickle(size):
    return sample_inputs(b"\x80\x02N" + b"\x85" * int(15_000_000 * size) + b".")


@bomb("pt2")
def pickle_of_marks(size):
    return sample_inputs(b"\x80\x02" + b"(" * int(15_000_000 * size) + b".")


@bomb("pt2")
def pickle_of_imports(size):
    return sample_inputs(b"\x80\x02" + b"cposix\nsystem\n0" * int(1_000_000 * size) + b"N.")


@bomb("pt2")
def pickle_of_other_imports(size):
    return sample_inputs(b"\x80\x02" + b"".join(b"ca%d\nb%d\n0" % (i, i) for i in range(int(1_000_000 * size))) + b"N.")


@bomb("pt2")
def pickle_of_long_imports(size):
    """A long name, imported again and again from the memo."""
    return sample_inputs(b"\x80\x04" + binunicode(b"x" * int(1_000_000 * size)) + b"\x940" + b"h\x00h\x00\x930" * int(1_000_000 * size) + b"N.")


@bomb("pt2")
def pickle_of_long_imports_in_turn(size):
    """Long names, put together in all ways."""
    names = b"".join(binunicode(b"%d" % i + b"x" * 10_000) + b"\x940" for i in range(200))
    return sample_inputs(b"\x80\x04" + names + b"".join(b"h%ch%c\x930" % (i, k) for i in range(200) for k in range(int(200 * size))) + b"N.")


@bomb("pt2")
def pickle_of_dicts(size):
    return sample_inputs(b"\x80\x02}q\x00(" + b"".join(b"J" + struct.pack("<i", i) + b"N" for i in range(int(2_500_000 * size))) + b"u.")


@bomb("pt2")
def pickle_of_sample_keys(size):
    return sample_inputs(pickle.dumps(((), dict.fromkeys(collide(size))), 2))


@bomb("pt2")
def pickle_of_builds(size):
    return sample_inputs(b"\x80\x02ccollections\nOrderedDict\nq\x00)R" + b"}b" * int(6_000_000 * size) + b".")


def legacy(state, weights):
    """An archive of torch.export of torch 2.7 and before."""
    return raw_archive({"serialized_exported_program.json": json.dumps(with_parameters(weights)).encode(), "version": b"8.8", "serialized_state_dict.pt": state,
                        "serialized_constants.pt": saved_by_torch(b"\x80\x02}."), "serialized_example_inputs.pt": saved_by_torch(b"\x80\x02N.")})


def rebuilt(name, key, element_count, sizes, strides):
    """The opcodes that make a tensor of a storage, with its name before it."""
    def numbers(values):
        return b"(" + b"".join(b"\x8a\x08" + struct.pack("<q", value) for value in values) + b"t"

    return (binunicode(name) + b"ctorch._utils\n_rebuild_tensor_v2\n((" + binunicode(b"storage") + b"ctorch\nFloatStorage\n" + binunicode(key) + binunicode(b"cpu") + b"\x8a\x08"
            + struct.pack("<q", element_count) + b"tQK\x00" + numbers(sizes) + numbers(strides) + b"\x89ccollections\nOrderedDict\n)RtR")


def pickled_weights(tensors, weights, **records):
    return legacy(saved_by_torch(b"\x80\x02}(" + b"".join(tensors) + b"u.", **records), weights)


@bomb("pt2")
def pickled_aliases(size):
    """A state dict of many tensors of one storage."""
    count = int((1 << 18) * size)
    return pickled_weights([rebuilt(b"w%d" % i, b"0", count, [count], [1]) for i in range(int(30_000 * size))], {f"w{i}": weight([count]) for i in range(int(10_000 * size))},
                           **{"data/0": bytes(4 * count)})


@bomb("pt2")
def pickled_expansion(size):
    return pickled_weights([rebuilt(b"w%d" % i, b"0", 1, [2**20, 2**20], [0, 0]) for i in range(int(1000 * size))], {"w0": weight([2**20, 2**20])}, **{"data/0": bytes(4)})


@bomb("pt2")
def pickled_storages(size):
    count = int(20_000 * size)
    return pickled_weights([rebuilt(b"w%d" % i, b"%d" % i, 1, [1], [1]) for i in range(count)], {f"w{i}": weight([1]) for i in range(count)}, **{f"data/{i}": bytes(4) for i in range(count)})


@bomb("pt2")
def aliases_of_a_pickle(size):
    inner = saved_by_torch(b"\x80\x02" + b"N0" * int(2_000_000 * size) + rebuilt(b"w", b"0", 1, [1], [1]) + b".", **{"data/0": bytes(4)})
    return archive({f"w{i}": weight([1], pickled=True) for i in range(int(20_000 * size))}, {"data/weights/weight_0": inner})


@bomb("pt2")
def views_of_a_deflated_record(size):
    one = zeros(500 * 2**20 * size)
    return archive({f"w{i}": weight([1], offset=i) for i in range(int(20_000 * size))}, {"data/weights/weight_0": one})


@bomb("pt2")
def zip_in_zip(size):
    inner = raw_archive({"archive/data.pkl": zeros(1024 * 2**20 * size), "archive/version": b"3\n"})
    return archive({f"w{i}": weight([1], path=f"weight_{i}", pickled=True) for i in range(8)}, {f"data/weights/weight_{i}": inner for i in range(8)})


@bomb("pt2")
def tar_of_many(size):
    header = bytearray(512)
    header[:5], header[124:136], header[148:156], header[257:263] = b"a.txt", b"00000000000\0", b"        ", b"ustar\0"
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) * int(38_000 * size) + bytes(1024)


@bomb("pt2")
def native_code(size):
    return archive(records={f"data/aotinductor/m{i}/a{k}.{'so' if k else 'cpp'}": b"\x7fELF" for i in range(int(300 * size)) for k in range(200)})


HEAD = "name: a\nversion: {major: 1, minor: 0}\nroots: [T]\n"
STRUCT = HEAD + "types:\n  T:\n    kind: struct\n    fields:\n"


def struct_type(name, fields):
    return f"  {name}:\n    kind: struct\n    fields:\n" + "".join(f"      {field}: {{id: {i + 1}, type: {kind}}}\n" for i, (field, kind) in enumerate(fields))


def schema(*types):
    return HEAD + "types:\n" + "".join(types)


@bomb("yaml")
def yaml_of_many_types(size):
    count = max(1, int(40_000 * size))
    return schema(struct_type("T", [("a", "int")]), *(struct_type(f"T{i}", [("a", "int"), ("b", f'"List[T{i * 7 % count}]"')]) for i in range(count)))


@bomb("yaml")
def yaml_of_many_fields(size):
    return schema(struct_type("T", [(f"f{i}", "int") for i in range(max(1, int(200_000 * size)))]))


@bomb("yaml")
def yaml_flood_of_types(size):
    return schema(struct_type("T", [("a", "int")]), *(struct_type(name, [(name, "int")]) for name in collide(size)))


@bomb("yaml")
def yaml_flood_of_keys(size):
    return "".join(f"{name}: 1\n" for name in collide(size))


@bomb("yaml")
def yaml_flood_of_fields(size):
    return schema(struct_type("T", [(name, "int") for name in collide(size)]))


@bomb("yaml")
def yaml_of_a_large_enum(size):
    return HEAD + "types:\n  E:\n    kind: enum\n    fields:\n" + "".join(f"      v{i}: {i}\n" for i in range(int(400_000 * size))) + struct_type("T", [("a", "E")])


@bomb("yaml")
def yaml_chain_of_types(size):
    """Each holds the next."""
    count = int(40_000 * size)
    return schema(struct_type("T", [("a", "T0")]), *(struct_type(f"T{i}", [("a", f"T{i + 1}")]) for i in range(count)), struct_type(f"T{count}", [("a", "int")]))


@bomb("yaml")
def yaml_cycle_of_types(size):
    count = int(40_000 * size) + 1
    return schema(struct_type("T", [("a", "T0")]), *(struct_type(f"T{i}", [("a", f"T{(i + 1) % count}")]) for i in range(count)))


@bomb("yaml")
def yaml_that_doubles(size):
    """Each type holds the next twice."""
    count = int(30_000 * size)
    return schema(struct_type("T", [("a", "T0")]), *(struct_type(f"T{i}", [("a", f"T{i + 1}"), ("b", f"T{i + 1}")]) for i in range(count)), struct_type(f"T{count}", [("a", "int")]))


@bomb("yaml")
def yaml_of_a_deep_type(size):
    depth = int(1_500_000 * size)
    return schema(struct_type("T", [("a", '"' + "List[" * depth + "int" + "]" * depth + '"')]))


@bomb("yaml")
def yaml_deep_flow(size):
    return "name: " + "[" * int(9_000_000 * size) + "]" * int(9_000_000 * size)


@bomb("yaml")
def yaml_deep_maps(size):
    return "name: " + "{a: " * int(3_000_000 * size)


@bomb("yaml")
def yaml_deep_blocks(size):
    return "".join(" " * i + "a:\n" for i in range(int(6000 * size**0.5)))


@bomb("yaml")
def yaml_of_a_long_text(size):
    return "name: a\ndoc: |\n" + "  x y z\n" * int(2_000_000 * size) + "version: {major: 1, minor: 0}\n"


@bomb("yaml")
def yaml_of_a_long_line(size):
    return "name: a\ndoc: \"" + "x \\n\\u0001" * int(1_500_000 * size) + "\"\nversion: {major: 1, minor: 0}\n"


@bomb("yaml")
def yaml_of_comments(size):
    return "# x\n" * int(4_000_000 * size) + "name: a\nversion: {major: 1, minor: 0}\n"


@bomb("yaml")
def yaml_of_aliases(size):
    return "a: &a [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1 if i else ''}, *a{i - 1 if i else ''}]\n" for i in range(int(300_000 * size)))


@bomb("yaml")
def yaml_of_faults(size):
    return STRUCT + "".join(f"      f: {{id: 1, type: Nothing{i}, wrong: 2}}\n" for i in range(int(250_000 * size)))


@bomb("yaml")
def yaml_of_similar_names(size):
    """Each missing name needs a search for the nearest of many names."""
    return schema(struct_type("T", [("a", "int")]), *(struct_type(f"Type{i}abcdefgh", [("a", f"Type{i}abcdefgx")]) for i in range(int(60_000 * size))))


@bomb("yaml")
def yaml_of_a_deep_default(size):
    depth = int(2_000_000 * size)
    return STRUCT + "      a: {id: 1, type: \"List[int]\", default: " + "[" * depth + "]" * depth + "}\n"


@bomb("yaml")
def yaml_of_reserved(size):
    return (HEAD + "types:\n  T:\n    kind: struct\n    reserved:\n      ids: [" + ", ".join(str(i + 2) for i in range(int(800_000 * size)))
            + "]\n      names: [" + ", ".join(f"n{i}" for i in range(int(500_000 * size))) + "]\n    fields:\n      a: {id: 1, type: int}\n")


@bomb("yaml")
def yaml_of_constants(size):
    return HEAD + "constants: {" + ", ".join(f"C{i}: {i}" for i in range(int(700_000 * size))) + "}\ntypes:\n" + struct_type("T", [("a", "int")])


@bomb("json")
def long_target_of_many_arguments(size):
    arguments = [(f"a{i}", ref("x")) for i in range(int(130_000 * size))]
    return program([node("k" * int(8_000_000 * size) + ".default", [], arguments), relu("x", "r")], {"x": tensor(3), "r": tensor(3)}, ["r"])


@bomb("json")
def subgraphs_of_many_symbols(size):
    """Each subgraph has dead nodes and can use the symbols around it."""
    count = int(20_000 * size)
    inner = graph([relu("x", "s"), relu("x", "dead")], {"x": tensor(3), "s": tensor(3), "dead": tensor(3)}, ["s"])
    values = {"p": tensor(dtype=12)} | {f"x{i}": tensor(symbol(f"s{i}")) for i in range(count)}
    nodes = [cond([inner, inner], ["x0"], f"c{i}") for i in range(max(1, count // 8))]
    return program(nodes, values | {f"c{i}": tensor(3) for i in range(len(nodes))}, ["c0"], [*values] or ["p"])


@bomb("json")
def faults_in_many_subgraphs_of_one_node(size):
    made = of_one(node("torch.ops.my.f.default", [ref("r")], []))
    empty = {"as_graph": {"name": "", "graph": graph([], {}, [], [])}}
    made["graph_module"]["graph"]["nodes"][0]["inputs"] = [{"name": "", "arg": {"as_string_to_argument": {f"k{i}": empty for i in range(int(60_000 * size))}}, "kind": 1}]
    return made


def places():
    """More bombs: one for each place of the schema. Requires SCHEMAGEN_BINARY."""
    return bombs_of(lambda: chain(3), lambda made: archive(records={"models/model.json": json.dumps(made).encode()}))


def content_of(name, size):
    """The bytes of the bomb of that name."""
    made = BOMBS[name](size)
    return made if isinstance(made, bytes) else made.encode() if isinstance(made, str) else json.dumps(made).encode()


def main():
    folder, size = pathlib.Path(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 1
    folder.mkdir(parents=True, exist_ok=True)
    for name in BOMBS:
        (folder / name).write_bytes(content_of(name, size))
        print(name, (folder / name).stat().st_size)


if __name__ == "__main__":
    main()
