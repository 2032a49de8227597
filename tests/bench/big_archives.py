#!/usr/bin/env python3
"""Times the commands that take archives apart on one with 2 GiB of made-up weights, each in turn with `cp`, with the peak of memory.

    tests/bench/big_archives.py --pt2 build/bench/bin/pt2 [--gib 2] [--rounds 5] [--only strip,harden]

Ratios are of a command to the cp beside it, medians of the rounds: of the time that passed, and of the processors' time, which is not
that of other programs and of the disk. Before each run what is still to be written goes to the disk, what the run will write is removed,
and as much memory as it will fill is touched: a virtual machine gets its memory when it first touches it, from a host that may have taken it back.
Needs torch to make the archives, and three times their size on disk.
"""

import argparse
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
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


def touch_memory(size):
    """Writes to each page of `size` bytes, in a separate process, which then frees them."""
    script = f"import mmap\nm = mmap.mmap(-1, {size})\nfor at in range(0, {size}, 4096): m[at] = 1"
    subprocess.run([sys.executable, "-c", script], check=True)


def timed(command, outputs, size):
    """Returns wall-clock seconds, CPU seconds and peak resident memory in MiB, including pages of mapped files."""
    for output in outputs:
        output.unlink(missing_ok=True)
    os.sync()
    touch_memory(size)
    start = time.monotonic()
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{command} failed")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compared(command, outputs, copy, rounds, size):
    """Returns medians of both commands' seconds, of their ratios and of the CPU seconds, and the peak memory."""
    pairs = []
    for number in range(rounds):
        both = [lambda: timed(*copy, size), lambda: timed(command, outputs, size)]
        pairs.append([both[0](), both[1]()] if number % 2 == 0 else [both[1](), both[0]()][::-1])
    middle = [statistics.median(pair[i][0] for pair in pairs) for i in (1, 0)]
    ratios = [statistics.median(ours[i] / theirs[i] for theirs, ours in pairs) for i in (0, 1)]
    return *middle, *ratios, max(ours[2] for _, ours in pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pt2", required=True, type=pathlib.Path)
    parser.add_argument("--gib", type=float, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", help="names of commands, with commas between them")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        model, pickled = folder / "model.pt2", folder / "pickled.pt2"
        # A separate process: commands inherit the peak memory of their parent.
        making = multiprocessing.get_context("spawn").Process(target=make, args=(model, pickled, arguments.gib))
        making.start()
        making.join()
        if making.exitcode != 0:
            raise SystemExit("the archives could not be made")
        stripped, weights, out, copy = (folder / name for name in ("stripped.pt2", "weights.safetensors", "out.pt2", "copy.pt2"))
        attached = [folder / "to_attach.pt2", folder / "to_attach.safetensors"]
        subprocess.run([arguments.pt2, "strip", model, "-o", attached[0], "--weights", attached[1]], check=True)
        commands = {
            "convert": ["convert", model, out],
            "convert pickled to raw": ["convert", pickled, out],
            "strip": ["strip", model, "-o", stripped, "--weights", weights],
            "attach": ["attach", *attached, "-o", out],
            "harden": ["harden", model, "-o", out],
            "harden pickled to raw": ["harden", pickled, "-o", out],
            "scan": ["scan", model],
            "hash --weights": ["hash", "--weights", model],
            "diff --weights": ["diff", "--weights", model, model],
            "info": ["info", model],
        }
        wanted = arguments.only.split(",") if arguments.only else list(commands)
        print(f"archive of {model.stat().st_size / 2**30:.2f} GiB, {arguments.rounds} rounds")
        for name in wanted:
            seconds, copying, ratio, of_processors, peak = compared(
                [arguments.pt2, *commands[name]], [out, stripped, weights], (["cp", model, copy], [copy]), arguments.rounds,
                2 * model.stat().st_size)
            for path in (out, stripped, weights, copy):
                path.unlink(missing_ok=True)
            print(f"  {name:26} {seconds:7.2f} s, {ratio:5.2f} of cp ({copying:.2f} s), {of_processors:5.2f} of its processor time, "
                  f"peak {peak:.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
