#!/usr/bin/env python3
"""Files that run code in torch are errors of pt2 scan; what pt2 harden writes of them runs nothing, or it refuses; nor does what pt2.torch loads.

Each is run in torch first, in an empty folder and a process of its own: one that does not leave a file MARKER there is not counted.

    torch_hostile_test.py [--all] [--only TEXT] [--list] [--keep FOLDER]

Names and arguments that torch evaluates are bad in any release, so those files are judged even if this torch runs nothing.

--all runs all files, not every eighth of each kind; --only those whose names have TEXT; --list prints a line for each; --keep writes those that were missed there. Needs torch and a
C compiler. PT2_BINARY names the pt2 command, PT2_PYTHON_PACKAGE the folder that has the package pt2.
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

import torch

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", "build/bindings/python"))
import pt2.torch  # noqa: E402
from hostile_corpus import KINDS, Model, compiled_library, corpus, fires, plain_archive  # noqa: E402

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
EIGHTH = 8


def verdict(file, path, library):
    """The exit code of scan, and what harden does: "refused", "clean", or "fires" where torch runs what it wrote."""
    path.write_bytes(file.data)
    scan = subprocess.run([PT2, "scan", path], capture_output=True)
    out = path.with_name("hardened.pt2")
    out.unlink(missing_ok=True)
    subprocess.run([PT2, "harden", path, "-o", out], capture_output=True)
    if not out.exists():
        return scan.returncode, "refused"
    return scan.returncode, "fires" if fires(out.read_bytes(), ".pt2", library) else "clean"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="all files")
    parser.add_argument("--only", default="", help="only files whose names have this text")
    parser.add_argument("--list", action="store_true", help="a line for each file")
    parser.add_argument("--keep", type=pathlib.Path, help="write what was missed there")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    table = collections.defaultdict(collections.Counter)
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        library = compiled_library(folder)
        archive = plain_archive()
        if fires(archive, ".pt2", library):
            sys.exit("the plain model leaves a MARKER")
        for file in corpus(Model(archive, library)):
            if options.only not in file.name:
                continue
            row = table[file.kind]
            row["made"] += 1
            is_run = options.all or row["made"] % EIGHTH == 0
            has_fired = is_run and fires(file.data, file.suffix, library)
            if is_run and not has_fired and options.list:
                print(f"{file.kind} {file.name}: does not fire")
            if not has_fired and file.fires_everywhere:
                continue
            row["fired"] += has_fired
            code, hardened = verdict(file, folder / f"file{file.suffix}", library)
            row["found"] += code in (1, 3)
            row[hardened] += 1
            loaded = has_fired and file.suffix == ".pt2" and fires(file.data, file.suffix, library, pt2.torch.load)
            row["loaded"] += loaded
            bad = code not in (1, 3) or hardened == "fires" or loaded
            missed += bad
            if options.list or bad:
                print(f"{file.kind} {file.name}: scan {code}, harden {hardened}{', fires in pt2.torch' if loaded else ''}{'  MISSED' if bad else ''}", flush=True)
            if bad and options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                (options.keep / f"{file.kind}_{file.name.replace('/', '_')}{file.suffix}").write_bytes(file.data)
    print(f"{'kind':<28}{'made':>6}{'fired':>7}{'found':>7}{'refused':>9}{'clean':>7}{'fires after':>13}{'in pt2.torch':>14}")
    for kind, row in sorted(table.items()):
        figures = f"{row['made']:>6}{row['fired']:>7}{row['found']:>7}{row['refused']:>9}{row['clean']:>7}{row['fires']:>13}{row['loaded']:>14}"
        print(f"{kind} {KINDS[kind]:<26}{figures}")
    if missed:
        sys.exit(f"{missed} missed")
    if not options.only and any(row["fired"] < (10 if options.all else 1) for row in table.values()):
        sys.exit("too few of a kind fire to say anything of it")


if __name__ == "__main__":
    main()
