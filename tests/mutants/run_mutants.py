#!/usr/bin/env python3
"""Compares the verdicts of pt2 on changed programs with what torch does when it loads and calls them.

    tests/mutants/run_mutants.py FOLDER [--seed N] [--mutants N] [--minutes N] [--programs PATTERN ...]

Honest programs, of the corpus's models (tests/corpus) and of --programs, are changed as mutants.py says. This torch loads, unflattens and calls each
mutant in a forked child, where effects are seen and stopped (effects.py), and pt2 judges it. What disagrees is a finding:

    missed    it has an effect, and scan passes it; or what harden wrote of it has one, or pt2.torch.load
    accused   scan says that it could run code, nothing in it tries to, and torch loads and calls it without an effect
    failed    torch cannot load or call it, and check --policy load passes it: often the change broke what check cannot know

Those mutants are kept in FOLDER, at most --keep of a sort, with a line in findings.txt; the table is in table.md. The seed and the
number of a mutant make it again (--first NUMBER --mutants 1). Exits with 1 if anything was missed. tests/interop/torch_scan_oracle_test.py
tries more texts in the same time, as it calls torch's readers one by one.

Needs torch. PT2_BINARY names the pt2 command; with the Python package in PYTHONPATH, pt2.torch.load is tried as well.
"""

import argparse
import collections
import glob
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import warnings

import effects
import mutants
import torch

import export  # of tests/corpus, where mutants looks
import hostile_corpus

try:
    import pt2.torch
except ImportError:
    pt2 = None

PT2 = os.environ.get("PT2_BINARY", "build/dev/bin/pt2")
OPERATORS = mutants.ROOT / "tests/corpus/operators.txt"
BATCH = 60
MODELS = (
    "resnet_eval,transformer,lstm,moddict_many,tied_weights,mutated_attribute,cond,cond_modules,map_op,while_loop,autocast_nested,checkpoint,custom_op,"
    "custom_mutating,in_dict,in_dict_plain,in_none_str,in_dataclass,in_namedtuple,in_kwargs,in_bool,in_str_unicode,in_lists,nested_out,out_namedtuple,"
    "dynamic_two,dynamic_nested,dynamic_arithmetic,unbacked_item,unbacked_nonzero,preserve_calls,preserve_odd,random_ops,input_mutation"
)
COLUMNS = ("made", "runs", "fired", "found", "missed", "hardened", "harden fires", "loaded", "load fires", "accused", "harmless", "failed", "no end")


def base_of(path):
    record = torch.load(path.with_suffix(".calls"), weights_only=False)
    return mutants.Base(path.stem, path.read_bytes(), (record["args"], record["kwargs"]))


def honest_programs(watch, names, patterns):
    """Returns the programs to change: those that this torch can export, load and call."""
    found = [mutants.Base("plain", hostile_corpus.plain_archive(), hostile_corpus.plain_arguments())]
    with tempfile.TemporaryDirectory() as folder:
        for index, name in enumerate(names):
            path = pathlib.Path(folder, f"{name}.pt2")
            try:
                export.export(name, ("lax", "strict")[index % 2], path)
                found.append(base_of(path))
            except Exception as error:  # noqa: BLE001
                print(f"{name}: not exported: {error}"[:150], file=sys.stderr)
        for path in sorted(path for pattern in patterns for path in glob.glob(pattern)):
            try:
                found.append(base_of(pathlib.Path(path)))
            except StopIteration:  # an archive from before torch 2.8
                pass
        paths = [pathlib.Path(folder, f"{index}.pt2") for index in range(len(found))]
        for base, path in zip(found, paths):
            path.write_bytes(base.data)
        outcomes = effects.in_children(watch, [(torch.export.load, path, base.calls, True) for base, path in zip(found, paths)])
    good = [base for base, outcome in zip(found, outcomes) if outcome == ([], None)]
    for base, outcome in zip(found, outcomes):
        if base not in good:
            print(f"{base.name} skipped: {outcome}"[:300], file=sys.stderr)
    return good


def judged(paths, *command):
    """For each path the (level, rule, place) that a pt2 command finds; None where it crashed."""
    done = subprocess.run([PT2, *command, "--format", "json", *paths], capture_output=True, text=True, errors="replace")
    if done.returncode not in (0, 1, 3, 4):
        return {path: judged([path], *command)[path] for path in paths} if len(paths) > 1 else {paths[0]: None}
    found = {path: [] for path in paths}
    for entry in json.loads(done.stdout or "[]"):  # scan: a finding; check: a file and its findings
        for finding in entry.get("findings", [entry]):
            found[entry["file"]].append((finding["level"], finding["rule"], finding.get("path") or finding.get("record") or ""))
    for line in done.stderr.splitlines():
        path, _, text = line.partition(": error: ")
        if path in found:
            found[path].append(("error", "NOT_UNDERSTOOD", text))
    return found


def errors(findings):
    return [(rule, place) for level, rule, place in findings if level == "error"]


class Fuzz:
    def __init__(self, options):
        self.folder, self.keep, self.seed = options.folder, options.keep, options.seed
        self.watch = effects.Watch()
        self.mutants = mutants.Mutants(honest_programs(self.watch, options.models.split(","), options.programs), options.seed)
        self.rows = collections.defaultdict(collections.Counter)
        self.sorts = collections.Counter()

    def report(self, what, sort, mutant, text):
        """Counts a disagreement, and keeps the mutant unless there are enough of its sort."""
        self.sorts[what, sort] += 1
        if self.sorts[what, sort] <= self.keep:
            name = f"{what}-{re.sub('[^A-Za-z_.]+', '_', sort)[:60]}-{mutant.number}.pt2"
            (self.folder / name).write_bytes(mutant.data)
            with (self.folder / "findings.txt").open("a") as log:
                log.write(f"seed {self.seed} {name}: {mutant.where}: {' '.join(str(text).split())[:300]}\n")

    def compare(self, mutant, outcome, scan, check):
        """Records what a mutant shows by itself. Returns whether it has an effect."""
        row = self.rows[mutant.kind]
        row["made"] += 1
        if scan is None:
            self.report("crash", mutant.kind, mutant, "pt2 scan crashed")
            return False
        if outcome is None:
            row["no end"] += 1
            return False
        events, error = outcome
        found = errors(scan)
        if events:
            row["fired"] += 1
            row["found" if found else "missed"] += 1
            if not found:
                self.report("missed", f"{mutant.kind}/{mutant.where}", mutant, events[:2])
            return True
        runs_code = [rule for rule, _ in found if rule != "NOT_UNDERSTOOD"]
        row["accused"] += bool(runs_code)
        row["runs"] += error is None
        if runs_code and mutant.is_harmless and error is None:
            row["harmless"] += 1
            self.report("accused", f"{found[0][0]}/{mutant.where}", mutant, found[0])
        if error is not None and check is not None and not errors(check):
            row["failed"] += 1
            self.report("failed", f"{mutant.where}/{error.partition(':')[0]}", mutant, error)
        return False

    def batch(self, numbers, folder):
        made = [self.mutants.make(number) for number in numbers]
        paths = [str(folder / f"{mutant.number}.pt2") for mutant in made]
        for mutant, path in zip(made, paths):
            pathlib.Path(path).write_bytes(mutant.data)
        outcomes = effects.in_children(self.watch, [(torch.export.load, path, mutant.calls, mutant.number % 3 == 0) for mutant, path in zip(made, paths)])
        scans, checks = judged(paths, "scan"), judged(paths, "check", "--policy", "load", "--operators", OPERATORS)
        again = []
        for mutant, path, outcome in zip(made, paths, outcomes):
            if not self.compare(mutant, outcome, scans[path], checks[path]) and mutant.number % 5:
                continue
            out = f"{path}.hardened.pt2"
            subprocess.run([PT2, "harden", path, "-o", out], capture_output=True)
            if os.path.exists(out):
                again.append(("hardened", "harden fires", mutant, (torch.export.load, out, mutant.calls, True)))
            if pt2:
                again.append(("loaded", "load fires", mutant, (pt2.torch.load, path, mutant.calls, True)))
        for (works, fires, mutant, _), outcome in zip(again, effects.in_children(self.watch, [job for *_, job in again])):
            self.rows[mutant.kind][works] += outcome is not None and outcome[1] is None
            if outcome and outcome[0]:
                self.rows[mutant.kind][fires] += 1
                self.report(f"missed_{fires.split()[0]}", f"{mutant.kind}/{mutant.where}", mutant, outcome[0][:2])
        for path in folder.iterdir():
            path.unlink()

    def table(self):
        yield "| change | " + " | ".join(COLUMNS) + " |"
        yield "|---" * (len(COLUMNS) + 1) + "|"
        for kind, row in [*sorted(self.rows.items()), ("all", sum(self.rows.values(), collections.Counter()))]:
            yield f"| {kind} | " + " | ".join(str(row[column]) for column in COLUMNS) + " |"

    def run(self, options):
        begun, number, end = time.time(), options.first, options.first + options.mutants
        with tempfile.TemporaryDirectory() as folder:
            while number < end and time.time() - begun < options.minutes * 60:
                numbers = range(number, min(number + BATCH, end))
                self.batch(numbers, pathlib.Path(folder))
                number = numbers.stop
                summary = [f"seed {options.seed}, {number - options.first} mutants, {time.time() - begun:.0f} s", "", *self.table(), ""]
                summary += [f"{what}: {count} of {sort}" for (what, sort), count in sorted(self.sorts.items())]
                (self.folder / "table.md").write_text("\n".join(summary) + "\n")
        print("\n".join(summary))
        return 1 if any(what.startswith(("missed", "crash")) for what, _ in self.sorts) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    parser.add_argument("--mutants", type=int, help="how many; 1000 if --minutes does not say when to stop")
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--models", default=MODELS, help="models of the corpus, separated by commas")
    parser.add_argument("--programs", nargs="*", default=[], help="more programs of the corpus, with their .calls beside them")
    parser.add_argument("--keep", type=int, default=2, help="mutants of each sort of finding")
    options = parser.parse_args()
    if options.mutants is None:
        options.mutants = 1000 if options.minutes == float("inf") else sys.maxsize
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    sys.setrecursionlimit(2000)
    options.folder.mkdir(parents=True, exist_ok=True)
    print(f"seed {options.seed}", flush=True)
    export.warm_up()
    return Fuzz(options).run(options)


if __name__ == "__main__":
    sys.exit(main())
