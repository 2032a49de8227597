#!/usr/bin/env python3
"""Exports models of timm, torchvision and transformers, small and with random weights, and holds what pt2 makes of them to torch.

Of each: the program's JSON comes back byte for byte from JSON, .pt2b and archives; canonical forms do not change when they are made
again, the form `torch` is torch's, the hash is the same in all formats; the weights are torch's, bit for bit; validate and scan find
nothing; the types inferred are those that torch recorded; stats counts the flops that torch counts; what convert, slim, strip with
attach, harden, canonicalize and convert --plain-tree write computes the same, bit for bit, as does what a downgrade to torch 2.9 and an
upgrade leave; as bfloat16 it computes nearly the same; the operators are those of torch; and of random cuts torch runs the parts to the
outputs of the whole, or the command says why it refuses to write one.

Packages that are not installed are passed over. Prints a line for each model and a summary, with the seconds of each command. Exits
with 1 if something is wrong. Needs torch 2.13.0. PT2_BINARY names the pt2 command; INFERRED_NODES the program of that name in
build/*/tests, without which types are not compared.
"""

import argparse
import collections
import copy
import fnmatch
import importlib.util
import itertools
import json
import logging
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
import zipfile

import corpus_models
import cut_models
import numpy
import parts
import torch
import torch.utils._pytree as pytree
import weights_model
from torch_canonical_test import torch_canonicalized
from torch_stats_test import symbols_of, torch_flops

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from random_seed import SEED  # noqa: E402

PT2 = os.environ.get("PT2_BINARY", "build/dev/bin/pt2")
INFERRED_NODES = os.environ.get("INFERRED_NODES")
INFERRED_GOAL = 0.999
BFLOAT16_ERROR = 0.1


class Totals:
    """Returns the summary of all models."""

    def __init__(self):
        self.seconds = collections.defaultdict(list)
        self.refusals = collections.Counter()
        self.refused = collections.defaultdict(list)
        self.bytes = collections.Counter()
        self.cuts = 0
        self.inferred = collections.Counter()
        self.without_rule = collections.Counter()

    def share(self, part, whole):
        return self.inferred[part] / max(self.inferred[whole], 1)

    def lines(self):
        yield f"cuts: {self.cuts} run, {self.refusals.total()} refused"
        for reason, count in self.refusals.most_common():
            yield f"  {count} {reason}"
        for command, names in self.refused.items():
            yield f"pt2 {command} refuses {len(names)}: {', '.join(names)}"
        if self.bytes:
            yield "sizes: " + ", ".join(f"{part} {count / 1e6:.1f} MB" for part, count in self.bytes.items())
        if self.inferred:
            yield (f"inferred: of {self.inferred['nodes']} nodes {self.share('known', 'nodes'):.2%} have a rule, "
                   f"of these {self.share('right', 'known'):.2%} are right")
        for target, count in self.without_rule.most_common(10):
            yield f"  {count} have none: {target}"
        for command, found in self.seconds.items():
            slowest, name = max(found)
            yield f"  pt2 {command}: {len(found)} times, on average {sum(s for s, _ in found) / len(found):.3f} s, at most {slowest:.3f} s ({name})"


class Checked:
    """A model, exported to a file, and its checks: the methods whose names begin with `check_`."""

    def __init__(self, name, folder, totals, cuts, chance):
        self.name, self.folder, self.totals, self.cuts, self.chance = name, folder, totals, cuts, chance
        self.source = folder / "model.pt2"
        model, arguments, shapes = corpus_models.MODELS[name]()
        arguments, keywords = ((), arguments) if isinstance(arguments, dict) else (arguments, {})
        program = torch.export.export(model, copy.deepcopy(arguments), copy.deepcopy(keywords), dynamic_shapes=shapes)
        if name.endswith("_decomposed"):
            program = program.run_decompositions()
        torch.export.save(program, self.source)
        self.program, self.given = program, (arguments, keywords)
        self.expected = parts.results(torch.export.load(self.source), *self.given)
        with zipfile.ZipFile(self.source) as archive:
            self.json = archive.read(next(member for member in archive.namelist() if "/models/" in member))
        self.document = json.loads(self.json)
        self.nodes = len(self.document["graph_module"]["graph"]["nodes"])

    def run(self, *arguments):
        started = time.perf_counter()
        done = subprocess.run([PT2, *map(str, arguments)], capture_output=True, text=True)
        self.totals.seconds[arguments[0]].append((time.perf_counter() - started, self.name))
        return done

    def pt2(self, *arguments):
        """Returns the command's output. Errors: AssertionError if it does not exit with 0."""
        done = self.run(*arguments)
        assert done.returncode == 0, f"pt2 {' '.join(map(str, arguments))} exits with {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout

    def file(self, name):
        return self.folder / name

    def written(self, *arguments):
        """Whether the command writes something: it may refuse what it names."""
        done = self.run(*arguments)
        if done.returncode == 0:
            return True
        assert done.returncode in (2, 3) and "'" in done.stderr, f"pt2 {' '.join(map(str, arguments))} exits with {done.returncode}: {done.stderr}"
        self.totals.refused[arguments[0]].append(self.name)
        return False

    def results_of(self, path, given):
        try:
            return parts.results(torch.export.load(path), *given)
        except Exception as error:
            raise AssertionError(f"torch on {path.name}: {type(error).__name__}: {error}") from error

    def same_results(self, path):
        given = self.results_of(path, self.given)
        try:
            parts.equal(given, self.expected)
        except AssertionError as error:
            raise AssertionError(f"torch on {path.name}: {error}") from error

    def check_bytes(self):
        """The program's text survives all containers."""
        written = [self.file(name) for name in ("a.json", "b.pt2b", "c.json", "d.pt2", "e.json", "f.pt2", "g.json")]
        for source, target in itertools.pairwise([self.source, *written]):
            into = ["--into", self.source] if target.suffix == ".pt2" and source.suffix != ".pt2" else []
            self.pt2("convert", source, target, *into)
            if target.suffix == ".json":
                assert target.read_bytes() == self.json, f"{target.name} differs from what torch wrote"

    def check_forms(self):
        for form in ("names", "normal"):
            once, again = self.file(f"{form}.json"), self.file(f"{form}_again.json")
            self.pt2("canonicalize", self.source, "--form", form, "-o", once)
            self.pt2("canonicalize", once, "--form", form, "-o", again)
            assert once.read_bytes() == again.read_bytes(), f"the form {form} of the form {form} is another"
        hashes = {self.pt2("hash", self.file(name)).split()[0] for name in ("model.pt2", "a.json", "b.pt2b", "d.pt2", "names.json", "normal.json")}
        assert len(hashes) == 1, f"hashes {hashes}"
        expected = torch_canonicalized(self.json)
        done = self.run("canonicalize", self.source, "--form", "torch", "-o", self.file("torch.json"))
        assert done.returncode == (3 if expected is None else 0), f"form torch: exit {done.returncode}: {done.stderr}"
        assert expected is None or self.file("torch.json").read_bytes() == expected, "the form torch is not torch's"

    def check_weights(self):
        tensors = weights_model.tensors_of(self.program)
        listed = {entry["name"]: entry for entry in json.loads(self.pt2("weights", "--json", self.source))}
        self.pt2("weights", self.source, "-o", self.file("all.npz"))
        with numpy.load(self.file("all.npz")) as read:
            assert set(read.files) == set(listed) == set(tensors), set(listed) ^ set(tensors)
            for name, tensor in tensors.items():
                stated = (listed[name]["dtype"], listed[name]["shape"], listed[name]["stride"])
                assert stated == (str(tensor.dtype).removeprefix("torch."), list(tensor.shape), list(tensor.stride())), (name, stated)
                assert read[name].tobytes() == weights_model.bytes_of(tensor), f"{name} has other bytes"

    def check_rules(self):
        self.pt2("validate", self.source)
        self.pt2("check", self.source)
        self.pt2("scan", self.source)

    def check_types(self):
        if not INFERRED_NODES:
            return
        lines = subprocess.run([INFERRED_NODES, self.source], check=True, capture_output=True, text=True).stdout.splitlines()
        counts = {word: int(line.partition(": ")[2]) for line in lines for word in ("nodes", "known", "right") if line.startswith(word + ": ")}
        self.totals.inferred.update(counts)
        for line in lines:
            if line.startswith("unknown: "):
                self.totals.without_rule[line.split()[1]] += int(line.split()[2])
        if counts["right"] != counts["known"]:
            print("\n".join(f"  {line}" for line in lines if not re.match("(nodes|known|right|unknown): ", line)))

    def check_flops(self):
        bindings = itertools.chain(*(("--bind", f"{symbol}={value}") for symbol, value in symbols_of(self.program).items()))
        counted = json.loads(self.pt2("stats", self.source, "--json", *bindings))
        assert counted["parameters"] == sum(parameter.numel() for parameter in self.program.parameters())
        theirs = torch_flops(self.program)
        assert 2 * counted["multiply_adds"] == theirs, f"{counted['multiply_adds']} multiply-adds, torch has {theirs} flops"

    def check_copies(self):
        slim, stripped, weights, attached, hard = (self.file(f"{name}.pt2") for name in ("slim", "stripped", "weights", "attached", "hard"))
        self.pt2("slim", self.source, "-o", slim, "--drop", "stack-traces,metadata,samples,unused,names")
        weights = weights.with_suffix(".npz")
        self.pt2("strip", self.source, "-o", stripped, "--weights", weights)
        self.pt2("attach", stripped, weights, "-o", attached)
        self.pt2("harden", self.source, "-o", hard)
        forms = [self.file(f"{form}.pt2") for form in ("names", "normal")]
        for form in forms:
            self.pt2("convert", form.with_suffix(".json"), form, "--into", self.source)
        for path in (slim, attached, hard, self.file("d.pt2"), *forms):
            self.same_results(path)
        weighed = {self.pt2("hash", "--weights", path).split()[0] for path in (self.source, attached, self.file("f.pt2"))}
        assert len(weighed) == 1, f"hashes with weights {weighed}"

    def check_retyped(self):
        half, slim = self.file("half.pt2"), self.file("half_slim.pt2")
        if not self.written("retarget", self.source, "-o", half, "--dtype", "bfloat16"):
            return
        self.pt2("validate", half)
        self.pt2("slim", half, "-o", slim, "--drop", "stack-traces,metadata,samples,unused,names")
        self.totals.bytes.update({"exported": self.source.stat().st_size, "slim": self.file("slim.pt2").stat().st_size,
                                  "slim as bfloat16": slim.stat().st_size})
        given = pytree.tree_map_only(torch.Tensor, lambda value: value.bfloat16() if value.is_floating_point() else value, self.given)
        for ours, theirs in zip(self.results_of(slim, given), self.expected, strict=True):
            if not isinstance(theirs, torch.Tensor) or not theirs.is_floating_point() or theirs.numel() == 0:
                continue
            assert ours.dtype == torch.bfloat16, f"a result is {ours.dtype}, not bfloat16"
            error = (ours.float() - theirs.float()).abs().max() / theirs.float().abs().max().clamp(min=1e-6)
            assert error <= BFLOAT16_ERROR, f"as bfloat16, results are off by {error:.3f} of the largest"

    def check_plain(self):
        self.pt2("convert", self.source, self.file("plain.pt2"), "--plain-tree")
        self.same_results(self.file("plain.pt2"))

    def check_releases(self):
        self.pt2("operators", self.source, "--torch", "2.13")
        older, again = self.file("older.pt2"), self.file("again.pt2")
        if not self.written("downgrade", self.source, "-o", older, "--to", "torch-2.9"):
            return
        self.pt2("validate", older)
        self.pt2("upgrade", older, "-o", again)
        self.pt2("validate", again)
        self.same_results(again)

    def check_cuts(self):
        leaves = pytree.tree_leaves(self.given)
        for _ in range(self.cuts if self.nodes > 2 else 0):
            places = sorted(self.chance.sample(range(1, self.nodes), self.chance.randrange(1, 3)))
            try:
                refusal = parts.check_cut(self.run, self.source, self.document, places, leaves, self.expected)
            except Exception as error:
                raise AssertionError(f"at nodes {places}: {type(error).__name__}: {error}") from error
            self.totals.cuts += refusal is None
            if refusal:
                self.totals.refusals[re.sub("'[^']*'", "'...'", refusal)] += 1


def check(name, folder, totals, cuts, chance):
    """Returns what is wrong with the model, by check."""
    started = time.perf_counter()
    try:
        checked = Checked(name, folder, totals, cuts, chance)
    except Exception as error:  # noqa: BLE001  torch and the packages raise many kinds
        traceback.print_exc()
        return {"export": f"{type(error).__name__}: {error}"}
    wrong = {}
    for check in ("bytes", "forms", "weights", "rules", "types", "flops", "copies", "retyped", "plain", "releases", "cuts"):
        try:
            getattr(checked, f"check_{check}")()
        except (AssertionError, subprocess.CalledProcessError) as error:
            wrong[check] = str(error)
    print(f"{name}: {'FAILED' if wrong else 'ok'}, {checked.nodes} nodes, {checked.source.stat().st_size / 1e6:.1f} MB, "
          f"{time.perf_counter() - started:.1f} s", flush=True)
    return wrong


def installed(name):
    return importlib.util.find_spec(name.partition("/")[0]) is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="timm/*,torchvision/*,transformers/*", help="patterns of names, separated by commas (%(default)s)")
    parser.add_argument("--cuts", type=int, default=12, help="how many of each model (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="of weights, inputs and cuts (%(default)s)")
    parser.add_argument("--keep", metavar="FOLDER", help="where the programs are kept that torch exported")
    parser.add_argument("--list", action="store_true", help="print the names of the models")
    options = parser.parse_args()
    names = [name for name in corpus_models.MODELS if any(fnmatch.fnmatch(name, pattern) for pattern in options.models.split(","))]
    if options.list:
        print(*names, sep="\n")
        return 0
    if not names:
        parser.error(f"no model is called {options.models}; --list prints the names")
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    operators = cut_models.register_operators()
    totals, failed, skipped = Totals(), 0, collections.Counter()
    for name in names:
        if not installed(name):
            skipped[name.partition("/")[0]] += 1
            continue
        # By name only, so the selection of models does not change it.
        seed = f"{options.seed} {name}"
        torch.manual_seed(random.Random(seed).getrandbits(32))
        with tempfile.TemporaryDirectory() as folder:
            wrong = check(name, pathlib.Path(folder), totals, options.cuts, random.Random(seed))
            source = pathlib.Path(folder, "model.pt2")
            if options.keep and source.exists():
                shutil.copy(source, pathlib.Path(options.keep, name.replace("/", "_") + ".pt2"))
        failed += bool(wrong)
        for part, message in wrong.items():
            print(f"  {part}: {message}")
    del operators
    print(f"{len(names) - skipped.total()} models, {failed} failed; seed {options.seed}")
    for package, count in skipped.items():
        print(f"skipped: {count} of {package}, which is not installed")
    print(*totals.lines(), sep="\n")
    is_below = totals.inferred and min(totals.share("known", "nodes"), totals.share("right", "known")) < INFERRED_GOAL
    if is_below:
        print(f"the goal is that {INFERRED_GOAL:.1%} of nodes have a rule, and of these as many are right")
    return 1 if failed or is_below else 0


if __name__ == "__main__":
    sys.exit(main())
