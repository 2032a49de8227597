#!/usr/bin/env python3
"""Times pt2.torch.load() and save() beside torch.export.load() and save().

    PT2_PYTHON_PACKAGE=build/bindings/python tests/bench/torch_loads.py [--rounds N] [--folder FOLDER] [NAME ...]

Exports transformers of 12 and 24 blocks with static and with dynamic sizes, a ResNet-50, an LSTM, and programs of 5000 and of 20
nodes. NAME: only these. FOLDER keeps the exported programs for the next run; exporting them takes minutes.

In each round, both load one program in the same process, in turn, and then save it. Prints medians, and the median of the ratios
of the rounds.
Needs torch. Nothing else should run meanwhile.
"""

import argparse
import logging
import os
import pathlib
import statistics
import sys
import tempfile
import time
import warnings

import torch
from torch import nn

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, os.environ.get("PT2_PYTHON_PACKAGE", str(ROOT / "build" / "bindings" / "python")))

import pt2.torch  # noqa: E402


class Block(nn.Module):
    """A transformer block. Decomposed, it has 90 nodes."""

    WIDTH, HEADS = 64, 4

    def __init__(self):
        super().__init__()
        self.before_attention, self.before_mlp = nn.LayerNorm(self.WIDTH), nn.LayerNorm(self.WIDTH)
        self.query, self.key, self.value, self.output = (nn.Linear(self.WIDTH, self.WIDTH) for _ in range(4))
        self.mlp = nn.Sequential(nn.Linear(self.WIDTH, 4 * self.WIDTH), nn.GELU(approximate="tanh"), nn.Linear(4 * self.WIDTH, self.WIDTH))

    def forward(self, x):
        y = self.before_attention(x)
        batch, length, _ = y.shape
        query, key, value = (
            each(y).view(batch, length, self.HEADS, -1).transpose(1, 2) for each in (self.query, self.key, self.value)
        )
        weights = torch.softmax(query @ key.transpose(-2, -1) / 4.0, dim=-1)
        x = x + self.output((weights @ value).transpose(1, 2).reshape(batch, length, -1))
        return x + self.mlp(self.before_mlp(x))


class Bottleneck(nn.Module):
    """A ResNet block."""

    def __init__(self, given, width, stride):
        super().__init__()
        layers = []
        for from_, to, size, step in ((given, width, 1, 1), (width, width, 3, stride), (width, 4 * width, 1, 1)):
            layers += [nn.Conv2d(from_, to, size, step, size // 2, bias=False), nn.BatchNorm2d(to), nn.ReLU()]
        self.layers = nn.Sequential(*layers[:-1])
        self.shortcut = nn.Identity()
        if given != 4 * width or stride != 1:
            self.shortcut = nn.Sequential(nn.Conv2d(given, 4 * width, 1, stride, bias=False), nn.BatchNorm2d(4 * width))

    def forward(self, x):
        return torch.relu(self.layers(x) + self.shortcut(x))


def resnet():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    given = 64
    for width, count in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for place in range(count):
            layers.append(Bottleneck(given, width, 2 if place == 0 and width != 64 else 1))
            given = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(given, 1000))


class Chain(nn.Module):
    """Sums and products of two values."""

    def __init__(self, count):
        super().__init__()
        self.count = count

    def forward(self, x, y):
        for number in range(self.count):
            x = x + y if number % 2 else x * y
        return x


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(32, 64, 2, batch_first=True)

    def forward(self, x):
        return self.lstm(x)[0]


def transformer(blocks, is_dynamic):
    sizes = ({0: torch.export.Dim("batch", min=2, max=64), 1: torch.export.Dim("length", min=2, max=512)},) if is_dynamic else None
    program = torch.export.export(nn.Sequential(*(Block() for _ in range(blocks))).eval(), (torch.randn(4, 16, 64),), dynamic_shapes=sizes)
    return program.run_decompositions()


PROGRAMS = {
    "transformer-12": lambda: transformer(12, False),
    "transformer-12-dynamic": lambda: transformer(12, True),
    "transformer-24": lambda: transformer(24, False),
    "transformer-24-dynamic": lambda: transformer(24, True),
    "resnet-50": lambda: torch.export.export(resnet().eval(), (torch.randn(2, 3, 64, 64),)).run_decompositions(),
    "lstm": lambda: torch.export.export(Lstm().eval(), (torch.randn(4, 20, 32),)).run_decompositions(),
    "chain-5000": lambda: torch.export.export(Chain(5000), (torch.randn(4, 4), torch.randn(4, 4))),
    "chain-20": lambda: torch.export.export(Chain(20), (torch.randn(4, 4), torch.randn(4, 4))),
}


def timed(function, *arguments):
    """Returns the time in milliseconds."""
    start = time.perf_counter()
    function(*arguments)
    return (time.perf_counter() - start) * 1e3


def figures(rounds):
    """Returns the median times of torch and pt2, and the median of their ratios."""
    theirs, ours = map(statistics.median, zip(*rounds))
    times = statistics.median(torch_ms / pt2_ms for torch_ms, pt2_ms in rounds)
    return f"{theirs:>11.1f}{ours:>9.1f}{times:>7.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", choices=[*PROGRAMS, []], metavar="NAME")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    columns = f"{'torch, ms':>11}{'pt2, ms':>9}{'times':>7}"
    print(f"{'':<31}{'load':>27}{'save':>27}\n{'':<24}{'nodes':>7}{columns}{columns}")
    with tempfile.TemporaryDirectory() as made:
        folder = arguments.folder or pathlib.Path(made)
        for name in arguments.names or PROGRAMS:
            path = folder / f"{name}.pt2"
            if not path.exists():
                torch.export.save(PROGRAMS[name](), path)
            program = pt2.torch.load(path)  # warms both caches
            torch.export.load(path)
            loads = [(timed(torch.export.load, path), timed(pt2.torch.load, path)) for _ in range(arguments.rounds)]
            to = pathlib.Path(made) / "saved.pt2"
            saves = [(timed(torch.export.save, program, to), timed(pt2.torch.save, program, to)) for _ in range(arguments.rounds)]
            print(f"{name:<24}{len(program.graph.nodes):>7}{figures(loads)}{figures(saves)}", flush=True)


if __name__ == "__main__":
    main()
