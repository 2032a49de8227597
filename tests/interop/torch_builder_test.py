"""torch loads programs that were built in C++, and they compute what the same models in torch do.

Needs torch and safetensors. BUILT_PROGRAMS names the program that writes them.
"""

import logging
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings

import safetensors.torch
import torch
import torch.utils._pytree as pytree

BUILT_PROGRAMS = os.environ["BUILT_PROGRAMS"]


class Mlp(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(4, 8)
        self.second = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))

    inputs = [lambda: (torch.randn(3, 4),), lambda: (torch.randn(50, 4),)]


class ConvBn(torch.nn.Module):
    """A module in training mode, so that it writes to its buffers."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3, stride=2, padding=(1, 0))
        self.norm = torch.nn.BatchNorm2d(4)

    def forward(self, x):
        return torch.max_pool2d(torch.relu(self.norm(self.conv(x))), 2).flatten(1)

    inputs = [lambda: (torch.randn(2, 3, 9, 8),), lambda: (torch.randn(7, 3, 9, 8),)]


class Transformer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = torch.nn.LayerNorm(16), torch.nn.LayerNorm(16)
        self.query, self.key, self.value, self.out = (torch.nn.Linear(16, 16) for _ in range(4))
        self.up, self.down = torch.nn.Linear(16, 64), torch.nn.Linear(64, 16)

    def forward(self, x):
        normed = self.norm1(x)
        query, key, value = (layer(normed).view(2, -1, 4, 4).transpose(1, 2) for layer in (self.query, self.key, self.value))
        attended = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        y = x + self.out(attended.transpose(1, 2).reshape(2, -1, 16))
        return y + self.down(torch.nn.functional.gelu(self.up(self.norm2(y))))

    inputs = [lambda: (torch.randn(2, 5, 16),), lambda: (torch.randn(2, 33, 16),)]


class Cond(torch.nn.Module):
    def forward(self, p, x):
        return x.sin() + 1 if p else x.cos() - 1

    inputs = [lambda: (torch.tensor(True), torch.randn(3)), lambda: (torch.tensor(False), torch.randn(3))]


class Map(torch.nn.Module):
    def forward(self, xs, y):
        return xs * y, xs.sum(1)

    inputs = [lambda: (torch.randn(5, 3), torch.randn(3))]


class WhileLoop(torch.nn.Module):
    def forward(self, steps, x, w):
        while steps > 0:
            steps, x = steps - 1, x * w
        return steps, x

    inputs = [lambda: (torch.tensor(4), torch.randn(3), torch.randn(3)), lambda: (torch.tensor(0), torch.randn(3), torch.randn(3))]


class Outputs(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("offset", torch.randn(4))
        self.register_buffer("table", torch.randn(2, 2))

    def forward(self, x, y, scale):
        y += self.offset
        rows = x.shape[0]
        return (x * scale, x, self.table, 2 * rows + 1, rows / 2, *y.split(3), *x.max(1),
                torch.full((rows, 2), 0.5), None, 7, 0.25, True)

    inputs = [lambda: (torch.randn(3, 4), torch.randn(4), 3), lambda: (torch.randn(9, 4), torch.randn(4), 3)]


MODELS = {"mlp": Mlp, "conv_bn": ConvBn, "transformer": Transformer, "cond": Cond, "map": Map, "while_loop": WhileLoop,
          "outputs": Outputs}


class TorchRunsBuilt(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.models = {name: model() for name, model in MODELS.items()}
        for name, model in cls.models.items():
            safetensors.torch.save_file(model.state_dict(), cls.folder / f"{name}.safetensors")
        subprocess.run([BUILT_PROGRAMS, cls.folder], check=True)

    def test_built_programs_compute_what_the_models_do(self):
        for name, model in self.models.items():
            program = torch.export.load(self.folder / f"{name}.pt2")
            built = program.module()
            for make in type(model).inputs:
                with self.subTest(name):
                    inputs = make()
                    ours, theirs = (pytree.tree_map_only(torch.Tensor, torch.clone, inputs) for _ in range(2))
                    torch.testing.assert_close(built(*ours), model(*theirs))
                    torch.testing.assert_close(ours, theirs)
            if name == "conv_bn":
                torch.testing.assert_close(dict(built.named_buffers()), dict(model.named_buffers()))


if __name__ == "__main__":
    unittest.main()
