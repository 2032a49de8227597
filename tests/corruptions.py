"""Programs with one place made wrong: what `pt2 validate` has to find whatever the program is."""

import copy


def graphs_of(graph):
    yield graph
    for node in graph["nodes"]:
        for argument in node["inputs"]:
            if "as_graph" in argument["arg"]:
                yield from graphs_of(argument["arg"]["as_graph"]["graph"])


class Places:
    """Chooses random places in a program. A kind of corruption that finds no place raises IndexError."""

    def __init__(self, program, chance):
        self.program, self.chance = program, chance
        self.graph_module = program["graph_module"]
        self.graphs = list(graphs_of(self.graph_module["graph"]))

    def choice(self, found):
        return self.chance.choice(list(found))

    def graph(self):
        return self.choice(graph for graph in self.graphs if graph["nodes"])

    def node(self, has=lambda node: True):
        return self.choice(node for graph in self.graphs for node in graph["nodes"] if has(node))

    def argument(self, has=lambda argument: True, of=("torch.ops.aten.", "torch.ops.higher_order.")):
        """Chooses among operators whose targets have this prefix; the arguments of custom operators are unknown."""
        nodes = [node for graph in self.graphs for node in graph["nodes"] if node["target"].startswith(of)]
        return self.choice(argument for node in nodes for argument in node["inputs"] if has(argument))

    def spec(self, side):
        """Returns the name of a tensor there."""
        specs = [next(iter(spec.values())) for spec in self.graph_module["signature"][side]]
        arguments = [spec["arg"] for spec in specs if "arg" in spec]
        named = [argument for argument in [*arguments, *(argument.get("as_tensor", {}) for argument in arguments)] if "name" in argument]
        return self.choice(named)


def is_operator(node):
    return node["target"].startswith("torch.ops.aten.")


def of_tensor(argument):
    return "as_tensor" in argument["arg"]


def drop_an_argument(places):
    places.node(lambda node: is_operator(node) and node["inputs"])["inputs"].pop(0)


def rename_an_argument(places):
    places.argument()["name"] += "_x"


def change_the_type_of_an_argument(places):
    argument = places.argument(lambda argument: not {"as_string", "as_none", "as_device"} & set(argument["arg"]), "torch.ops.aten.")
    argument["arg"] = {"as_string": "x"}


def use_what_nothing_defines(places):
    places.argument(of_tensor)["arg"]["as_tensor"]["name"] += "_x"


def use_what_comes_later(places):
    graph = places.graph()
    made = {argument["as_tensor"]["name"] for node in graph["nodes"] for argument in node["outputs"] if "as_tensor" in argument}
    users = [node for node in graph["nodes"] if any(of_tensor(each) and each["arg"]["as_tensor"]["name"] in made for each in node["inputs"])]
    node = places.choice(users)
    graph["nodes"].remove(node)
    graph["nodes"].insert(0, node)


def define_a_value_twice(places):
    graph = places.graph()
    outputs = [argument["as_tensor"] for node in graph["nodes"] for argument in node["outputs"] if "as_tensor" in argument]
    first, second = places.chance.sample(outputs, 2) if len(outputs) > 1 else places.choice([])
    second["name"] = first["name"]


def give_a_dtype_that_is_none(places):
    places.choice(places.graph()["tensor_values"].values())["dtype"] = places.chance.choice([99, -1, 41])


def give_a_layout_that_is_none(places):
    places.choice(places.graph()["tensor_values"].values())["layout"] = 77


def give_more_sizes_than_strides(places):
    places.choice(places.graph()["tensor_values"].values())["sizes"].append({"as_int": 2})


def give_a_negative_size(places):
    sizes = places.choice(meta["sizes"] for graph in places.graphs for meta in graph["tensor_values"].values() if meta["sizes"])
    sizes[places.chance.randrange(len(sizes))] = {"as_int": -2}


def forget_a_value(places):
    table = places.choice(graph["tensor_values"] for graph in places.graphs if graph["tensor_values"])
    del table[places.choice(table)]


def call_what_is_no_operator(places):
    places.node(is_operator)["target"] += "_x"


def drop_a_result(places):
    places.node(lambda node: is_operator(node) and node["outputs"])["outputs"].pop()


def add_a_result(places):
    places.node(lambda node: is_operator(node) and node["outputs"])["outputs"].append({"as_tensor": {"name": "x_more"}})


def give_what_nothing_defines(places):
    places.choice(argument["as_tensor"] for graph in places.graphs for argument in graph["outputs"] if "as_tensor" in argument)["name"] += "_x"


def name_another_input(places):
    places.spec("input_specs")["name"] += "_x"


def name_another_output(places):
    places.spec("output_specs")["name"] += "_x"


def forget_an_input_of_the_signature(places):
    places.graph_module["signature"]["input_specs"].pop(places.chance.randrange(len(places.graph_module["signature"]["input_specs"])))


def leave_a_field_out(places):
    places.node().pop(places.chance.choice(["target", "inputs", "outputs", "metadata"]))


def add_a_field(places):
    places.node()["colour"] = 1


def set_two_members(places):
    places.argument(of_tensor)["arg"]["as_int"] = 1


def give_null(places):
    places.node()[places.chance.choice(["target", "inputs", "outputs", "metadata"])] = None


def take_an_input_from_a_subgraph(places):
    places.choice(graph["inputs"] for graph in places.graphs[1:] if graph["inputs"]).pop()


def give_a_size_that_nothing_tells(places):
    sizes = places.choice(meta["sizes"] for graph in places.graphs for meta in graph["tensor_values"].values() if meta["sizes"])
    sizes[0] = {"as_expr": {"expr_str": "u9999 + 1", "hint": None}}


KINDS = [drop_an_argument, rename_an_argument, change_the_type_of_an_argument, use_what_nothing_defines, use_what_comes_later,
         define_a_value_twice, give_a_dtype_that_is_none, give_a_layout_that_is_none, give_more_sizes_than_strides, give_a_negative_size,
         forget_a_value, call_what_is_no_operator, drop_a_result, add_a_result, give_what_nothing_defines, name_another_input,
         name_another_output, forget_an_input_of_the_signature, leave_a_field_out, add_a_field, set_two_members, give_null,
         take_an_input_from_a_subgraph, give_a_size_that_nothing_tells]


def corrupted(program, chance):
    """Yields (kind, program) for each kind that has a place in the program."""
    for kind in KINDS:
        changed = copy.deepcopy(program)
        try:
            kind(Places(changed, chance))
        except IndexError:
            continue
        yield kind.__name__, changed
