#!/usr/bin/env python3
"""Compares what an installed torch does with a program's names and arguments with the table of pt2.

    dev/torch_model.py

Prints the names that the source reads which torch.fx generates, and the arguments that each higher-order operator takes, with
what pt2 knows of them (toolbox/pt2/nodes/evaluated_by_torch.cpp). Exits with 1 if torch reads a name that the table lacks, has an
operator that the table lacks, or takes an argument under another name or at another place.

Needs torch.
"""

import ast
import collections
import inspect
import math
import pathlib
import re
import sys

import port_operators

TABLE = pathlib.Path(__file__).resolve().parents[1] / "toolbox/pt2/nodes/evaluated_by_torch.cpp"


class Used(collections.namedtuple("Used", ["operator", "position", "keyword", "use"])):
    """An argument of a higher-order operator, its position (None: only by keyword), and what the operator does with it."""


def used_arguments():
    rows = re.findall(r'^    \{"([\w ]+)", (\w+), "(\w*)", Use::(\w+)\}', TABLE.read_text(), re.MULTILINE)
    rows = [(name, *row) for names, *row in rows for name in names.split()]
    return [Used(name, int(position) if position.isdigit() else None, keyword, use) for name, position, keyword, use in rows]


def read_names():
    """Returns each name that the source reads, and when."""
    rows = re.findall(r'^    \{"([\w ]+)", When::(\w+)\}', TABLE.read_text(), re.MULTILINE)
    return {name: when for names, when in rows for name in names.split()}


def source_of(inputs, value):
    """The source of a function of a graph with these inputs, a value of this name, and each kind of literal."""
    import torch
    from torch.fx.graph import _PyTreeCodeGen, _PyTreeInfo
    from torch.utils import _pytree as pytree

    graph = torch.fx.Graph()
    nodes = [graph.placeholder(name) for name in inputs]
    root = torch.nn.Module()
    root.layers = torch.nn.ModuleList([torch.nn.Linear(1, 1)])
    weight = graph.get_attr("layers.0.weight")
    full = graph.call_function(torch.ops.aten.full.default, ([1], math.inf), {"device": torch.device("cpu")})
    more = graph.create_node("call_function", torch.ops.aten.clamp.default, (full, math.nan, -math.inf), name=value)
    floor = graph.call_function(math.floor, (2.5,))
    graph.output((more, weight, floor, complex(math.inf, math.nan), *nodes))
    in_spec, out_spec = (pytree.tree_flatten(value)[1] for value in ((tuple(inputs), {}), [0] * (4 + len(inputs))))
    graph.set_codegen(_PyTreeCodeGen(_PyTreeInfo(list(inputs), in_spec, out_spec)))
    return graph.python_code("self").src


def names_of(source):
    """Returns the names that a function's source binds and those that it reads from outside: not its parameters, not its values."""
    (function,) = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    bound = {argument.arg for argument in function.args.args} | {name.id for name in names if isinstance(name.ctx, ast.Store)}
    return bound, {name.id for name in names if isinstance(name.ctx, ast.Load)} - bound


def differences_of_names(table):
    bound, read = names_of(source_of(["x"], "value"))
    read |= bound & {"self"}
    for name in sorted(read | set(table)):
        is_function = name == "math_floor"
        as_input = name in names_of(source_of([name], "value"))[0] if name != "self" else True
        as_value = name in names_of(source_of(["x"], name))[0] - {"self"} or (name == "self" and "self = " in source_of(["x"], name))
        what = [table.get(name, "for its call" if is_function else "not in the table"), *(["an input can take its place"] if as_input else [])]
        print(f"name {name}: read {', '.join(what)}{', a value too' if as_value else ''}")
        if name in read and name not in table and not is_function:
            yield f"the source reads '{name}', which is not in the table"


def arguments_of(operator):
    """Returns the names of an operator's positional arguments in order, those by keyword, and whether it takes any others."""
    parameters = list(inspect.signature(type(operator).__call__).parameters.values())[1:]
    kinds = inspect.Parameter
    positional = [each.name for each in parameters if each.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    return positional, [each.name for each in parameters if each.kind == kinds.KEYWORD_ONLY], {each.kind for each in parameters}


def differences_of_operators(table):
    rows = collections.defaultdict(list)
    for row in table:
        rows[row.operator].append(row)
    for name, operator in sorted(port_operators.higher_order().items()):
        positional, keywords, kinds = arguments_of(operator)
        print(f"{name}({', '.join([*positional, *keywords])}): {', '.join(f'{row.keyword} {row.use}' for row in rows[name]) or 'not in the table'}")
        if not rows[name]:
            yield f"'{name}' is not in the table"
        for row in rows[name]:
            takes_any = inspect.Parameter.VAR_POSITIONAL in kinds
            if row.position is None:
                if row.keyword and row.keyword not in keywords and inspect.Parameter.VAR_KEYWORD not in kinds:
                    yield f"{name}: takes no argument '{row.keyword}'"
            elif row.position >= len(positional) and not takes_any:
                yield f"{name}: takes {len(positional)} arguments, '{row.keyword}' would be number {row.position + 1}"
            elif row.position < len(positional) and all(positional[row.position] != each.keyword for each in rows[name] if each.position == row.position):
                yield f"{name}: argument {row.position + 1} is '{positional[row.position]}', not '{row.keyword}'"


def main():
    import torch

    print(f"torch {torch.__version__}")
    found = [*differences_of_names(read_names()), *differences_of_operators(used_arguments())]
    for difference in found:
        print(f"difference: {difference}")
    print(f"{len(read_names())} names and {len(used_arguments())} arguments in the table, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
