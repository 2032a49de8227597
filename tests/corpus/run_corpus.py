#!/usr/bin/env python3
"""Exports small models with many releases of torch, and compares what pt2 says of the programs and writes of them with what torch does.

    tests/corpus/run_corpus.py FOLDER [--torch ENVIRONMENTS] [--releases R,...] [--models PATTERNS]

Each release in ENVIRONMENTS (see dev/torch_releases.py) and the torch that runs this export the models of models.py. All programs are honest, so
`pt2 scan`, `check` and `validate` must find nothing, `harden` and `upgrade` must write a file, and of both files this torch must compute
what the exporting torch computed. Prints a table by release, and a line for each program that is not so.

Programs and results stay in FOLDER: a run that is stopped goes on where it was, and results are used again while neither the
program nor the pt2 command changes. Needs torch 2.13. PT2_BINARY names the pt2 command.
"""

import argparse
import collections
import copy
import fnmatch
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import warnings

import export
import models
import torch
import torch.utils._pytree as pytree

PT2 = os.environ.get("PT2_BINARY", "build/dev/bin/pt2")
HERE = pathlib.Path(__file__).parent
OPERATORS = HERE / "operators.txt"
SECONDS = 120

# scan is right to report these.
SOURCE = "torch 2.13 makes source code of a text, which says another thing there"
PICKLED = "sample inputs that weights_only does not take: torch imports and calls what their pickle names"
REPORTED = {
    "moddict_dquote": SOURCE,  # torch.export.unflatten() pastes names between double quotes
    "global_table": SOURCE,  # old releases quote it's in paths with double quotes
    "moddict_many": SOURCE,  # torch 2.12 writes the path of "it's" as heads._modules["it's"]
    "moddict_quote": SOURCE,
    "preserve_odd": SOURCE,
    "sequential_odd": SOURCE,
    "moddict_fullwidth": SOURCE,  # Python normalizes identifiers
    "moddict_ligature": SOURCE,
    "in_dict_odd": SOURCE,  # ExportedProgram.module() pastes keys and strings into guards
    "in_dict_dquote": SOURCE,
    "in_dict_floats": SOURCE,
    "in_dict_tuples": SOURCE,
    "in_none_str": SOURCE,
    "in_str_odd": SOURCE,
    "in_defaultdict": PICKLED,
    "in_dataclass": PICKLED,
    "in_namedtuple": PICKLED,
    "in_typed_namedtuple": PICKLED,
    "in_deque": PICKLED,
    "dynamic_quantized": "its weights are objects that only a pickle holds",
}

# Their generators differ between releases, so only types of results are compared.
RANDOM = {"random_ops", "encoder_layer", "sequential_train"}


def run(*arguments):
    """Returns the exit code of a pt2 command, and its first line."""
    try:
        done = subprocess.run([PT2, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return -1, f"did not end in {SECONDS} s"
    lines = (done.stdout + done.stderr).splitlines()
    return done.returncode, lines[0][:300] if lines and done.returncode else ""


def difference(ours, theirs, is_random):
    """Returns the difference between two values, or None. For random tensors, compares only types."""
    ours, theirs = pytree.tree_leaves(ours), pytree.tree_leaves(theirs)
    if len(ours) != len(theirs):
        return f"{len(ours)} values, expected {len(theirs)}"
    for index, (mine, other) in enumerate(zip(ours, theirs)):
        if not isinstance(other, torch.Tensor):
            if type(mine) is not type(other) or (mine != other and not (mine != mine and other != other)):
                return f"value {index} is {mine!r}, expected {other!r}"[:200]
            continue
        if not isinstance(mine, torch.Tensor) or (mine.dtype, mine.shape) != (other.dtype, other.shape):
            return f"value {index} is {type(mine).__name__} {getattr(mine, 'dtype', '')} {list(getattr(mine, 'shape', []))}, expected {other.dtype} {list(other.shape)}"
        if is_random:
            continue
        if mine.is_quantized or mine.dtype.itemsize == 1:
            same = torch.equal(mine.float(), other.float())
        else:
            rough = other.dtype in (torch.bfloat16, torch.float16)
            same = torch.allclose(mine, other, rtol=2e-2 if rough else 1e-4, atol=2e-2 if rough else 1e-5, equal_nan=True)
        if not same:
            return f"value {index} differs"
    return None


def loaded(path, record, is_random):
    """Loads and calls a program with this torch. Returns the error of the load, and the error or difference of the calls; both
    None on success.
    """
    try:
        module = torch.export.load(path).module()
    except Exception as error:  # noqa: BLE001
        return f"{type(error).__name__}: {error}"[:400], None
    if "error" in record:
        return None, None
    try:
        return None, difference(export.calls(module, record["args"], record["kwargs"]), record["results"], is_random)
    except Exception as error:  # noqa: BLE001
        return None, f"{type(error).__name__}: {error}"[:400]


def loaded_in_child(paths, calls):
    """Calls loaded() for each path in a forked child, which may crash or hang."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        signal.alarm(SECONDS)
        is_random = calls.stem.rpartition("-")[0] in RANDOM
        with os.fdopen(write, "w") as out:
            for name, path in paths.items():
                record = torch.load(calls, weights_only=False)
                print(json.dumps([name, loaded(path, record, is_random), "error" not in record]), file=out, flush=True)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answers:
        found = {name: (load, call, has_calls) for name, (load, call), has_calls in map(json.loads, answers)}
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {name: found.get(name, (f"torch ended with {status}", None, True)) for name in paths}


def examined(path, folder):
    """Returns the verdicts of pt2 and this torch on a program."""
    upgraded, hardened = folder / "upgraded.pt2", folder / "hardened.pt2"
    for old in (upgraded, hardened):
        old.unlink(missing_ok=True)
    result = {
        "scan": run("scan", path),
        "load": run("check", "--policy", "load", "--operators", OPERATORS, path),
        "strict": run("check", "--operators", OPERATORS, path),
        "validate": run("validate", "--operators", OPERATORS, path),
        "harden": run("harden", path, "-o", hardened),
        "upgrade": run("upgrade", path, "-o", upgraded),
    }
    paths = {"original": path}
    if upgraded.exists():
        paths["upgraded"] = upgraded
        result["load after"] = run("check", "--policy", "load", "--operators", OPERATORS, upgraded)
    if hardened.exists():
        paths["hardened"] = hardened
    return json.loads(json.dumps({**result, **loaded_in_child(paths, path.with_suffix(".calls"))}))


COMMANDS = ("scan", "load", "strict", "validate", "harden", "upgrade")
TITLES = {"scan": "scan accuses", "load": "check load", "strict": "check strict", "validate": "validate", "harden": "harden refuses", "upgrade": "upgrade fails"}
COLUMNS = ("programs", *TITLES.values(), "rightly reported", "loads", "upgraded loads", "hardened loads", "called", "upgraded differs", "hardened differs")


def summary(results):
    """Returns the table's rows by release, and the disagreements: failures that are not known to be correct."""
    rows, disagreements = collections.defaultdict(collections.Counter), []
    for name, result in sorted(results.items()):
        release, _, file = name.partition("/")
        row = rows[release]
        row["programs"] += 1
        is_reported = file.rpartition("-")[0] in REPORTED and result["scan"][0] == 1
        kinds = {kind: result.get(kind, ("not written", None, False)) for kind in ("original", "upgraded", "hardened")}
        load, call, has_calls = kinds["upgraded"]
        fault = load or call
        is_reported = is_reported or bool(fault and result["load"][0] and not result["scan"][0])
        row["rightly reported"] += is_reported
        row["loads"] += kinds["original"][0] is None
        row["upgraded loads"] += load is None
        row["hardened loads"] += kinds["hardened"][0] is None
        row["called"] += load is None and has_calls
        if is_reported:
            continue
        cannot_run = kinds["original"][0] is None and kinds["original"][1] is not None
        for command in COMMANDS:
            code, line = result[command]
            if code != 0 and not (cannot_run and command in ("load", "strict", "validate")):
                row[TITLES[command]] += 1
                disagreements.append((TITLES[command], name, line))
        for kind in ("upgraded", "hardened"):
            load, call, _ = kinds[kind]
            if load is not None and kind in result:
                disagreements.append((f"{kind} does not load", name, load))
            elif call is not None:
                row[f"{kind} differs"] += 1
                disagreements.append((f"{kind} differs", name, call))
        if "load after" in result:
            passes, line = result["load after"][0] == 0, result["load after"][1]
            if passes and fault:
                disagreements.append(("check load passes the upgraded", name, fault))
            elif not passes and not fault and has_calls:
                disagreements.append(("check load refuses the upgraded", name, line))
    return rows, disagreements


def cause_of(text):
    """Returns the rule in a line of pt2, or the beginning of an error of torch."""
    rule = re.search(r"\[([A-Z_]+)\]", text)
    return rule[1] if rule else re.sub(r"^/\S+: ", "", text)[:60]


def table(rows):
    """A table in Markdown."""
    yield "| torch | " + " | ".join(COLUMNS) + " |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    total = collections.Counter()
    for release in sorted(rows, key=lambda release: [int(part) for part in release.split(".")]):
        yield f"| {release} | " + " | ".join(str(rows[release][column]) for column in COLUMNS) + " |"
        total += rows[release]
    yield "| all | " + " | ".join(str(total[column]) for column in COLUMNS) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--torch", type=pathlib.Path, help="the folder of the environments that dev/torch_releases.py made")
    parser.add_argument("--releases", help="only these, separated by commas")
    parser.add_argument("--models", default="*", help="patterns of names, separated by commas")
    parser.add_argument("--no-export", action="store_true", help="only what is there")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    mine = torch.__version__.split("+")[0]
    pythons = {mine: sys.executable}
    if options.torch:
        pythons |= {path.parents[1].name: path for path in sorted(options.torch.glob("*/bin/python"))}
    if options.releases:
        pythons = {release: pythons[release] for release in options.releases.split(",")}

    def progress(text):
        if not options.quiet:
            print(text, file=sys.stderr, flush=True)

    files = options.folder / "files"
    if not options.no_export:
        for release, python in pythons.items():
            done = subprocess.run([python, HERE / "export.py", files / release, "--models", options.models], capture_output=True, text=True)
            progress(done.stdout.strip() if done.returncode == 0 else f"torch {release}: {done.stderr}")
    digest = hashlib.sha256(pathlib.Path(PT2).read_bytes()).hexdigest()[:16]
    log = options.folder / f"results-{digest}.jsonl"
    results = dict(map(json.loads, log.read_text().splitlines())) if log.exists() else {}
    patterns = options.models.split(",")
    paths = {
        f"{release}/{path.stem}": path
        for release in pythons
        for path in sorted((files / release).glob("*.pt2"))
        if any(fnmatch.fnmatchcase(path.stem.rpartition("-")[0], pattern) for pattern in patterns)
    }
    if not paths.keys() <= results.keys():
        export.warm_up()
    with tempfile.TemporaryDirectory() as folder, log.open("a") as out:
        for index, (name, path) in enumerate(paths.items()):
            if name not in results:
                results[name] = examined(path, pathlib.Path(folder))
                print(json.dumps([name, results[name]]), file=out, flush=True)
            if index % 200 == 199:
                progress(f"{index + 1} of {len(paths)} programs")
    rows, disagreements = summary({name: results[name] for name in paths})
    print(*table(rows), sep="\n")
    print(f"\n{len(disagreements)} disagreements")
    causes = collections.Counter((what, cause_of(text)) for what, _, text in disagreements)
    for (what, cause), count in sorted(causes.items()):
        print(f"{count:5} {what}: {cause}")
    print()
    for what, name, text in sorted(disagreements):
        print(f"{what}: {name}: {text}")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
