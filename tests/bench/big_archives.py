#!/usr/bin/env python3
"""Times the commands that take archives apart on one with 2 GiB of made-up weights, each in turn with `cp`, with the peak of memory.

    tests/bench/big_archives.py --pt2 build/bench/tools/pt2 [--gib 2] [--rounds 3]

Ratios are of a command to the cp before it, medians of the rounds. Needs torch to make the archives, and three times their size on disk.
"""

import argparse
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import tempfile
import time
import zipfile


def make(model, pickled, gib):
    """Writes an archive as torch does, with buffers of 64 MiB, and the same as torch 2.8 wrote it, with one pickle for all weights."""
    import torch

    class Layers(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for number in range(int(gib * 16)):
                self.register_buffer(f"layer{number}", torch.full((1 << 24,), float(number)))

        def forward(self, x):
            return sum((buffer[0] for _, buffer in self.named_buffers()), x)

    program = torch.export.export(Layers(), (torch.zeros(1),))
    torch.export.save(program, model)
    with zipfile.ZipFile(model) as source, zipfile.ZipFile(pickled, "w") as target, tempfile.NamedTemporaryFile(dir=pickled.parent) as weights:
        torch.save(dict(program.state_dict), weights.name)
        prefix = source.namelist()[0].split("/")[0]
        for name in source.namelist():
            if "/data/weights/" not in name:
                target.writestr(name, source.read(name))
        target.write(weights.name, f"{prefix}/data/weights/model.pt")


def timed(command):
    """Seconds, and the peak of resident memory in MiB, of which pages of mapped files are part."""
    start = time.monotonic()
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{command} failed")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pt2", required=True, type=pathlib.Path)
    parser.add_argument("--gib", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        model, pickled = folder / "model.pt2", folder / "pickled.pt2"
        # In a process of its own: what this one has had in memory counts for the commands that it starts.
        making = multiprocessing.get_context("spawn").Process(target=make, args=(model, pickled, arguments.gib))
        making.start()
        making.join()
        if making.exitcode != 0:
            raise SystemExit("the archives could not be made")
        stripped, weights, out = folder / "stripped.pt2", folder / "weights.safetensors", folder / "out.pt2"
        subprocess.run([arguments.pt2, "strip", model, "-o", stripped, "--weights", weights], check=True)
        commands = {
            "convert": ["convert", model, out],
            "convert, pickled to raw": ["convert", pickled, out],
            "strip": ["strip", model, "-o", stripped, "--weights", weights],
            "attach": ["attach", stripped, weights, "-o", out],
            "harden": ["harden", model, "-o", out],
            "harden, pickled to raw": ["harden", pickled, "-o", out],
            "scan": ["scan", model],
            "hash --weights": ["hash", "--weights", model],
            "diff --weights": ["diff", "--weights", model, model],
            "info": ["info", model],
        }
        print(f"archive of {model.stat().st_size / 2**30:.2f} GiB, {arguments.rounds} rounds")
        for name, command in commands.items():
            times, copies, peaks = [], [], []
            for _ in range(arguments.rounds):
                out.unlink(missing_ok=True)
                copies.append(timed(["cp", model, out])[0])
                out.unlink()
                seconds, peak = timed([arguments.pt2, *command])
                times.append(seconds)
                peaks.append(peak)
            ratio = statistics.median(time / copy for time, copy in zip(times, copies))
            print(f"  {name:26} {statistics.median(times):7.2f} s, {ratio:5.2f} of cp ({statistics.median(copies):.2f} s), "
                  f"peak {max(peaks):.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
