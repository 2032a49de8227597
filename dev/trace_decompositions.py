#!/usr/bin/env python3
"""Writes schema/decompositions.txt: the operators that torch's run_decompositions() was seen to turn operators into.

    dev/trace_decompositions.py schema/decompositions.txt

Needs torch, and expecttest for torch's samples of functions and modules. Traces these samples to the operators of an export, and
decomposes each call like run_decompositions(): by its default table, on the CPU, until nothing changes, with fixed and with
symbolic sizes. Takes about seven minutes.

A line is an operator, `->`, and all operators seen for its calls. A call decomposes to some of them, depending on its arguments,
or to nothing. An operator is in its own list if some calls were unchanged; if all were, it has no line. Operators that return
sizes or take only numbers are left out.
"""

import argparse
import collections
import contextlib
import logging
import pathlib
import re
import sys
import warnings

import torch
import torch.utils._pytree as pytree
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch._subclasses.functional_tensor import FunctionalTensorMode, dispatch_functionalize
from torch.export import exported_program
from torch.export.decomp_utils import CustomDecompTable
from torch.fx.experimental.proxy_tensor import make_fx

HEADER = """\
# What torch's run_decompositions() was seen to make of operators, on the CPU. dev/trace_decompositions.py writes it.
"""
SAMPLES = {torch.float32: 4, torch.bfloat16: 1, torch.int64: 1}
CALLS = 30
OF_DATA = {"aten.item.default": {"aten._local_scalar_dense.default"}}
MODULES = re.compile("nn.(GRU|LSTM|RNN|Transformer|MultiheadAttention)")


def is_operator(target):
    return isinstance(target, torch._ops.OpOverload) and not str(target).startswith("aten.sym_")


def traced(function, tensors, **options):
    """Returns the calls in a graph of `function`: (operator, arguments, keyword arguments), with fake tensors."""
    graph = make_fx(function, _allow_non_fake_inputs=True, **options)(*tensors).graph
    graph.eliminate_dead_code()
    for node in graph.nodes:
        if node.op == "call_function" and is_operator(node.target):
            yield node.target, *pytree.tree_map_only(torch.fx.Node, lambda each: each.meta["val"], (node.args, node.kwargs))


def of_tensors(function, arguments):
    """Returns a function of the tensors among `arguments`, and these tensors."""
    leaves, spec = pytree.tree_flatten(arguments)
    places = [at for at, leaf in enumerate(leaves) if isinstance(leaf, (torch.Tensor, torch.SymInt))]

    def of_those(*tensors):
        filled = list(leaves)
        for at, tensor in zip(places, tensors):
            filled[at] = tensor
        args, kwargs = pytree.tree_unflatten(filled, spec)
        return function(*args, **kwargs)

    return of_those, [leaves[at] for at in places]


def spread(items, count):
    """Returns `count` items spread over the list."""
    items = list(items)
    return items if len(items) <= count else [items[at * len(items) // count] for at in range(count)]


def samples():
    """Yields functions with arguments, as torch's own tests call them."""
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.common_modules import module_db

    for op in op_db:
        for dtype, count in SAMPLES.items():
            if dtype in op.supported_dtypes("cpu"):
                for sample in spread(op.sample_inputs("cpu", dtype), count):
                    for function in filter(None, (op.op, op.inplace_variant)):
                        yield function, ((sample.input, *sample.args), sample.kwargs)
    for info in module_db:
        for training in (False, True) if MODULES.match(info.name) else ():
            for made in spread(info.module_inputs_func(info, "cpu", torch.float32, False, training), 10):
                if (forward := made.forward_input) is not None:
                    module = info.module_cls(*made.constructor_input.args, **made.constructor_input.kwargs).train(training)
                    yield module, (forward.args, forward.kwargs)


def key_of(operator, arguments):
    """Returns a key that is equal for calls that decompose alike."""
    return operator, pytree.tree_map(
        lambda leaf: (leaf.dtype, leaf.shape, leaf.stride()) if isinstance(leaf, torch.Tensor) else leaf, arguments)


def is_strided(arguments):
    return all(leaf.layout == torch.strided for leaf in pytree.tree_leaves(arguments) if isinstance(leaf, torch.Tensor))


def calls(failed):
    """Yields calls of operators: (operator, arguments), with tensors of `mode`."""
    known, counts = set(), collections.Counter()
    for function, arguments in samples():
        of_those, tensors = of_tensors(function, arguments)
        mode = FakeTensorMode(allow_non_fake_inputs=True)
        try:
            with mode, torch.no_grad():
                fakes = [mode.from_tensor(each.detach()) for each in tensors]
                found = list(traced(of_those, fakes, pre_dispatch=True))
        except Exception as error:  # depends on data, or does not support fake tensors
            failed[f"{type(error).__name__}: {str(error)[:60]}"] += 1
            continue
        for operator, *call in found:
            if not is_strided(call):
                continue
            if (key := str(key_of(operator, call))) not in known and counts[operator] < CALLS:
                known.add(key)
                counts[operator] += 1
                yield mode, operator, call


def decomposed(mode, operator, call, table):
    """Returns the names of the operators that replace a call, with fixed and with symbolic sizes."""
    of_those, tensors = of_tensors(operator, call)
    function = dispatch_functionalize(of_those, FunctionalTensorMode(_allow_token_discovery=True))
    with torch.no_grad():
        with mode:
            made = {str(target) for target, *_ in traced(function, tensors, decomposition_table=table)}
        if made != {str(operator)} and all(type(each) is FakeTensor and each.dtype == torch.float32 for each in tensors):
            real = [torch.empty_strided(each.shape, each.stride()) for each in tensors]
            with contextlib.suppress(Exception):
                made |= {str(target) for target, *_ in traced(function, real, decomposition_table=table, tracing_mode="symbolic")}
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=pathlib.Path, help="schema/decompositions.txt")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable()
    torch.manual_seed(0)
    failed, seen = collections.Counter(), collections.defaultdict(set, OF_DATA)
    found = list(calls(failed))
    implicit, table = exported_program._split_decomp_table_to_cia_and_python_decomp(CustomDecompTable().materialize())
    with exported_program._override_composite_implicit_decomp(implicit):
        for mode, operator, call in found:
            try:
                made = decomposed(mode, operator, call, table)
                seen[str(operator)].update(made)
            except Exception as error:
                failed[f"{operator}: {type(error).__name__}: {str(error)[:60]}"] += 1
    lines = [f"{name} -> {' '.join(sorted(made))}".rstrip() + "\n" for name, made in sorted(seen.items()) if made != {name}]
    arguments.table.write_text(HEADER + f"# of torch {torch.__version__.partition('+')[0]}\n" + "".join(lines))
    for text, count in failed.most_common():
        print(f"failed {count} times: {text}", file=sys.stderr)


if __name__ == "__main__":
    main()
