#!/usr/bin/env python3
"""Exports the databases of operators and examples that come with torch, and holds what pt2 makes of the programs to torch.

    tests/interop/operator_database.py FOLDER [--operators PATTERNS] [--passes N] [--minutes N] [--no-export]

Of each program, as torch wrote it: infer() changes nothing, verify() finds nothing, canonical forms do not change when they are
made again, and give the same results in torch, and pt2.torch.load() gives the same code and results as torch.export.load(). After
the types of all results were deleted, infer() gives torch's dtypes, sizes and strides again, where a size is a number for the
sample inputs.

FOLDER keeps the programs, and the reasons why torch cannot export the others in `failed.txt`, so a second run only checks. Prints
what differs, the exceptions by reason, and a summary. Exits with 1 if something differs. Needs torch 2.13.0 and pt2's Python
package.
"""

import argparse
import collections
import fnmatch
import gc
import itertools
import json
import logging
import os
import pathlib
import random
import signal
import sys
import time
import types
import unittest
import warnings

import torch
import torch._export.db.examples
import torch.utils._pytree as pytree

sys.modules.setdefault("expecttest", types.SimpleNamespace(TestCase=unittest.TestCase))  # only torch's own tests need it
from torch.testing._internal import common_methods_invocations, hop_db  # noqa: E402

import pt2  # noqa: E402
import pt2.torch  # noqa: E402

# Sample 0 is the first of an operator, 1 the last, and the others are random.
PASSES = [(torch.float32, 0, False), (torch.float32, 1, True), (torch.int64, 0, False), (torch.complex64, 1, False), (torch.float32, 2, False),
          (torch.float32, 0, True), (torch.float32, 3, True), (torch.bool, 0, False), (torch.int64, 2, True), (torch.float32, 4, False),
          (torch.float32, 5, True), (torch.float16, 1, False), (torch.complex64, 2, True)]
SECONDS = 20
# Results without a rule, by a part of the operator's name.
WITHOUT_RULE = {"to_sparse": "a program's types cannot describe sparse tensors",
                "testlib": "an operator of torch's own tests",
                "torch_nn": "a private operator of torch.nn, not of ATen"}


class Call(torch.nn.Module):
    """A call of a function, whose tensors are the inputs."""

    def __init__(self, function, arguments):
        super().__init__()
        self.function = function
        leaves, self.tree = pytree.tree_flatten(arguments)
        self.leaves = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self.places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
        self.inputs = tuple(leaves[i].detach() for i in self.places)

    def forward(self, *inputs):
        leaves = list(self.leaves)
        for place, given in zip(self.places, inputs, strict=True):
            leaves[place] = given
        args, kwargs = pytree.tree_unflatten(leaves, self.tree)
        return pytree.tree_leaves(self.function(*args, **kwargs))  # torch cannot save its named tuples


def name_of(op):
    return op.name + ("." + op.variant_test_name if op.variant_test_name else "")


def out_of_time(*_):
    raise TimeoutError("the export takes too long")


def sample_of(op, dtype, index):
    """Returns the sample and its number, or None."""
    if dtype not in op.supported_dtypes("cpu"):
        return None
    torch.manual_seed(0)
    samples = list(itertools.islice(op.sample_inputs("cpu", dtype), 24 if index else 1))
    if index >= len(samples):
        return None
    at = [0, len(samples) - 1][index] if index < 2 else random.Random(f"{name_of(op)} {index}").randrange(len(samples))
    return at, samples[at]


def export(path, model, args, kwargs, shapes):
    torch.set_grad_enabled(True)
    gc.disable()  # a sample's generator that ends during the export would leave torch's modes wrong
    signal.alarm(SECONDS)
    try:
        program = torch.export.export(model, args, kwargs, dynamic_shapes=shapes)
        torch.export.save(program, path.with_suffix(".part"))
        path.with_suffix(".part").rename(path)
    finally:
        signal.alarm(0)
        gc.enable()


def calls(ops, passes, failed):
    """Yields names and what to export."""
    for (dtype, index, is_dynamic), op in itertools.product(PASSES[:passes], ops):
        try:
            found = sample_of(op, dtype, index)
        except Exception as error:  # noqa: BLE001  some samples need packages
            failed.setdefault(f"{name_of(op)}-{str(dtype)[6:]}", f"no samples: {type(error).__name__}: {error}")
            continue
        if found is None:
            continue
        call = Call(op.op, ((found[1].input, *found[1].args), found[1].kwargs))
        shapes = (tuple({d: torch.export.Dim.AUTO for d in range(x.dim())} for x in call.inputs),) if is_dynamic else None
        if not is_dynamic or any(x.dim() for x in call.inputs):
            yield f"{name_of(op)}-{str(dtype)[6:]}_{found[0]}_{'auto' if is_dynamic else 'static'}", (call, call.inputs, {}, shapes)


def programs(options, failed):
    """Yields the paths of the programs, and exports those that are missing."""
    def is_asked(name):
        return any(fnmatch.fnmatch(name, pattern) for pattern in options.operators.split(","))

    ops = [op for op in [*common_methods_invocations.op_db, *hop_db.hop_db] if is_asked(name_of(op))]
    examples = {f"example_{name}": case for name, case in torch._export.db.examples.all_examples().items()
                if is_asked(f"example_{name}")}
    if options.no_export:
        names = {name_of(op) for op in ops} | set(examples)
        yield from (path for path in sorted(options.folder.glob("*.pt2")) if path.name.rpartition("-")[0] in names)
        return
    cases = ((f"{name}-example", (case.model, case.example_args, case.example_kwargs, case.dynamic_shapes))
             for name, case in examples.items())
    for name, given in itertools.chain(cases, calls(ops, options.passes, failed)):
        path = options.folder / f"{name}.pt2"
        if name in failed:
            continue
        if not path.exists():
            try:
                export(path, *given)
            except Exception as error:  # noqa: BLE001  torch raises many kinds
                failed[name] = f"{type(error).__name__}: {str(error).partition(chr(10))[0][:200]}"
                if options.restarts and (torch._C._len_torch_function_stack() or not torch.is_grad_enabled()):
                    (options.folder / "failed.txt").write_text(json.dumps(failed, indent=1))
                    os.execv(sys.executable, [sys.executable, *sys.argv])  # torch left one of its modes on
                continue
        yield path


def named(nodes):
    """The names of results that are tensors."""
    for node in nodes:
        for output in node.outputs:
            held = output.value
            for item in held if isinstance(held, (list, pt2.List)) else [held]:
                item = getattr(item, "value", item)
                if hasattr(item, "name"):
                    yield item.name


def type_of(meta):
    """The dtype, and the sizes and strides as far as they are numbers for the sample inputs."""
    def number(size):
        if size.kind == "as_int":
            return size.value
        return size.value.hint.value if size.value.hint is not None else None
    sizes = [number(size) for size in meta.sizes]
    return meta.dtype, sizes, [number(stride) if size != 1 else None for size, stride in zip(sizes, meta.strides, strict=True)]


def same(a, b):
    return a[0] == b[0] and len(a[1]) == len(b[1]) and all(x == y or x is None or y is None for x, y in zip(a[1] + a[2], b[1] + b[2]))


def run(program):
    """What the program gives for its sample inputs."""
    args, kwargs = pytree.tree_map_only(torch.Tensor, torch.clone, program.example_inputs)
    torch.manual_seed(0)
    return pytree.tree_leaves(program.module()(*args, **kwargs))


def require_same(ours, theirs):
    torch.testing.assert_close(ours, theirs, rtol=0, atol=0, equal_nan=True)


class Checks:
    """Checks programs, and counts the checks and the reasons why some are not done."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.counts = collections.Counter()
        self.exceptions = collections.Counter()
        self.expected = None

    def run(self, path):
        """Yields what is wrong with the program."""
        program = pt2.load(path)
        try:
            self.expected = run(torch.export.load(path))
        except Exception as error:  # noqa: BLE001  some programs cannot be loaded or run
            self.expected = None
            self.exceptions[f"torch cannot run its own program: {type(error).__name__}"] += 1
        for check in (self.unchanged, self.inferred, self.verified, self.canonical, self.loaded):
            self.counts[check.__name__] += 1
            try:
                wrong = check(path, program)
            except Exception as error:  # noqa: BLE001
                wrong = f"{type(error).__name__}: {error}"
            if wrong:
                self.counts["wrong"] += 1
                yield f"{check.__name__}: {wrong}"

    def unchanged(self, path, program):
        copy = pt2.ExportedProgram.from_json(program.to_json())
        changed = pt2.infer(copy)
        return f"infer() changes {changed}" if changed or copy != program else None

    def inferred(self, path, program):
        copy = pt2.ExportedProgram.from_json(program.to_json())
        graph = copy.graph_module.graph
        names = [name for name in named(graph.nodes) if name in graph.tensor_values]
        for name in names:
            del graph.tensor_values[name]
        try:
            pt2.infer(copy)
        except pt2.Error as error:
            operator = next((word for word in WITHOUT_RULE if word in str(error)), None)
            if operator is None:
                raise
            self.exceptions[f"no rule for {operator}: {WITHOUT_RULE[operator]}"] += 1
            return None
        recorded = program.graph_module.graph.tensor_values
        for name in names:
            ours, theirs = type_of(copy.graph_module.graph.tensor_values[name]), type_of(recorded[name])
            if not same(ours, theirs):
                return f"{name} is {ours}, torch has {theirs}"
        return None

    def verified(self, path, program):
        return "; ".join(str(finding) for finding in pt2.verify(program) if finding.level != "note") or None

    def canonical(self, path, program):
        for form in ("torch", "names", "normal"):
            once = pt2.canonicalize(program, form=form)
            if pt2.canonicalize(once, form=form) != once:
                return f"the form {form} of the form {form} is another"
            if self.expected is not None and form != "torch":  # torch's own form moves writes in place
                pt2.save(once, self.scratch, like=path)
                require_same(run(torch.export.load(self.scratch)), self.expected)
        return None

    def loaded(self, path, program):
        if self.expected is None:
            self.counts["loaded"] -= 1
            return None
        ours, theirs = pt2.torch.load(path), torch.export.load(path)
        if ours.example_inputs is None:
            self.exceptions["pt2.torch.load() leaves out sample inputs that are lazy conjugate or negative views"] += 1
            ours.example_inputs = theirs.example_inputs
        require_same(run(ours), self.expected)
        return None if ours.graph_module.code == theirs.graph_module.code else "pt2.torch.load() gives other code"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--operators", default="*", help="patterns of names, separated by commas (%(default)s)")
    parser.add_argument("--passes", type=int, default=len(PASSES), help="how many samples of each operator, at most (%(default)s)")
    parser.add_argument("--minutes", type=float, default=600, help="stop after that time (%(default)s)")
    parser.add_argument("--no-export", action="store_true", help="check only the programs that are in FOLDER")
    options = parser.parse_args(arguments)
    options.restarts = arguments is None
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, out_of_time)
    options.folder.mkdir(parents=True, exist_ok=True)
    log = options.folder / "failed.txt"
    failed = json.loads(log.read_text()) if log.exists() else {}
    torch.use_deterministic_algorithms(True, warn_only=True)  # also gives values to memory that no one wrote
    checks, count, operators, started = Checks(options.folder / "scratch.pt2"), 0, set(), time.monotonic()
    for path in programs(options, failed):
        count += 1
        operators.add(path.name.rpartition("-")[0])
        for wrong in checks.run(path):
            print(f"{path.stem}: {wrong}", flush=True)
        if time.monotonic() - started > 60 * options.minutes:
            break
    log.write_text(json.dumps(failed, indent=1))
    wrong = checks.counts.pop("wrong", 0)
    for reason in failed.values():
        checks.exceptions["torch cannot export: " + ("no samples" if reason.startswith("no samples") else reason.partition(":")[0])] += 1
    for reason, times in checks.exceptions.most_common():
        print(f"{times} {reason}")
    print(f"{count} programs of {len(operators)} operators, {checks.counts.total()} checks, {wrong} failed, {checks.exceptions.total()} exceptions")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
