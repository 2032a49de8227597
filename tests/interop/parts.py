"""Programs cut into parts by `pt2 extract`, which torch runs one after the other."""

import copy

import torch
import torch.utils._pytree as pytree
from program_json import cut, names_in, user_values


def results(program, arguments, keywords=()):
    """Returns the leaves of the program's outputs."""
    torch.manual_seed(0)
    return pytree.tree_leaves(program.module()(*copy.deepcopy(arguments), **copy.deepcopy(dict(keywords))))


def equal(given, expected):
    """Held bit for bit. Errors: AssertionError."""
    torch.testing.assert_close(given, expected, rtol=0, atol=0, equal_nan=True)


def extract(pt2, source, target, inputs, outputs):
    """Why the part is refused; None: it is written. `pt2` runs the command and gives the finished process. Errors: AssertionError
    where pt2 fails otherwise, or writes what it does not take for valid."""
    given = ["--inputs", ",".join(inputs)] if inputs else []
    done = pt2("extract", source, "-o", target, *given, "--outputs", ",".join(outputs))
    if done.returncode:
        assert done.returncode == 2, f"extract exits with {done.returncode}: {done.stderr}"
        return done.stderr.strip()
    check = pt2("validate", target)
    assert check.returncode == 0, f"extract --inputs {','.join(inputs)} --outputs {','.join(outputs)}: {check.stdout}"
    return None


def run(source, borders, given):
    """Returns the values at the last border, given those at the first. torch reloads the parts, because running them changes their buffers."""
    values = dict(zip(borders[0], copy.deepcopy(given)))
    torch.manual_seed(0)
    for i, (inputs, outputs) in enumerate(zip(borders, borders[1:])):
        module = torch.export.load(source.with_suffix(f".{i}.pt2")).module()
        values = dict(zip(outputs, pytree.tree_leaves(module(*(values[name] for name in inputs)))))
    return values


def check_cut(pt2, source, program, places, given, expected):
    """Cuts before the nodes at `places`, and runs the parts: of the leaves `given` they make those that are `expected`. Why a part is
    refused; None: all were run. Errors: AssertionError."""
    graph, signature = program["graph_module"]["graph"], program["graph_module"]["signature"]
    users_in = user_values(signature["input_specs"], {"user_input"})
    users_out = user_values(signature["output_specs"], {"user_output"})
    first = {name: value for name, value in zip(users_in, given) if name}
    last = {name: value for name, value in zip(users_out, expected) if name}
    model_values = set(names_in(graph["inputs"])) - set(first)
    borders = [list(first), *filter(None, (cut(graph, model_values, at) for at in places)), list(last)]
    for i, (inputs, outputs) in enumerate(zip(borders, borders[1:])):
        refusal = extract(pt2, source, source.with_suffix(f".{i}.pt2"), inputs, outputs)
        if refusal:
            return refusal
    made = run(source, borders, list(first.values()))
    equal([made[name] for name in last], list(last.values()))
    return None
