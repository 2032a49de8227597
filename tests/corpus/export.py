#!/usr/bin/env python3
"""Exports the models of models.py with the torch that runs this, in each mode that it has.

    export.py FOLDER [--models PATTERNS] [--seconds N]

Writes FOLDER/MODEL-MODE.pt2 and, beside it, MODEL-MODE.calls: the inputs of two calls and what this torch computes for them; MODEL-MODE.failed
says why torch could not. Files that exist are kept, so that the next run goes on where one was stopped. Modes: `strict` and `lax`
(strict=False), `dec` (run_decompositions() of what export() gives by default), `train` (export_for_training). Each model is exported in a forked child.
"""

import argparse
import copy
import fnmatch
import io
import os
import pathlib
import signal
import sys
import tempfile
import time
import warnings
import zlib

import models
import torch

RELEASE = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])


def modes():
    yield "strict"
    if RELEASE >= (2, 3):
        yield "lax"
    yield "dec"
    if hasattr(torch.export, "export_for_training") and RELEASE < (2, 9):  # deprecated: it calls export()
        yield "train"


def exported(sample, mode):
    options = {"dynamic_shapes": sample.dynamic_shapes, "preserve_module_call_signature": sample.preserve}
    if RELEASE >= (2, 3) and mode in ("strict", "lax"):
        options["strict"] = mode == "strict"
    given = copy.deepcopy((sample.args, sample.kwargs))
    export = torch.export.export_for_training if mode == "train" else torch.export.export
    program = export(sample.module, *given, **options)
    return program.run_decompositions() if mode == "dec" else program


def calls(module, args, kwargs):
    """The results of two calls and the inputs as they left them, or the error."""
    found = []
    for seed in (1, 2):
        torch.manual_seed(seed)
        given = copy.deepcopy((args, kwargs))
        with torch.no_grad():
            found.append((module(*given[0], **given[1]), given))
    return found


def export(name, mode, path):
    torch.manual_seed(zlib.crc32(name.encode()))
    sample = models.MODELS[name]()
    program = exported(sample, mode)
    buffer = io.BytesIO()
    torch.export.save(program, buffer)
    record = {"args": sample.args, "kwargs": sample.kwargs}
    try:
        record["results"] = calls(program.module(), sample.args, sample.kwargs)
    except Exception as error:  # noqa: BLE001  some releases cannot call what they export
        record["error"] = f"{type(error).__name__}: {error}"[:300]
    torch.save(record, path.with_suffix(".calls"))
    new = path.with_suffix(".new")
    new.write_bytes(buffer.getvalue())
    new.rename(path)


def in_child(name, mode, path, seconds):
    """Exports in a forked child."""
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        signal.alarm(seconds)
        try:
            export(name, mode, path)
        except BaseException as error:  # noqa: BLE001
            path.with_suffix(".failed").write_text(f"{type(error).__name__}: {error}"[:2000])
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if status != 0:
        path.with_suffix(".failed").write_text(f"ended with {os.waitstatus_to_exitcode(status)}")


def warm_up():
    """Does once what torch is slow at the first time, so that no child has to."""
    for mode in modes():
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "warm.pt2")
            torch.export.save(exported(models.Sample(torch.nn.Linear(2, 3), (torch.randn(1, 2),)), mode), path)
            torch.export.load(path).module()


def is_done(path):
    return path.exists() or path.with_suffix(".failed").exists()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--models", default="*", help="patterns of names, separated by commas")
    parser.add_argument("--seconds", type=int, default=120, help="for each model")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    names = [name for name in models.MODELS if any(fnmatch.fnmatchcase(name, pattern) for pattern in options.models.split(","))]
    started = time.time()
    missing = [(name, mode, path) for name in names for mode in modes() if not is_done(path := options.folder / f"{name}-{mode}.pt2")]
    if missing:
        warm_up()
    for name, mode, path in missing:
        in_child(name, mode, path, options.seconds)
    ends = [path.suffix for path in options.folder.iterdir()]
    print(f"torch {torch.__version__}: {len(names)} models, {ends.count('.pt2')} programs, {ends.count('.failed')} not exported, {time.time() - started:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
