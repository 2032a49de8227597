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


MODELS = {"mlp": Mlp}


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
                    ours, theirs = pytree.tree_map(torch.clone, inputs), pytree.tree_map(torch.clone, inputs)
                    torch.testing.assert_close(built(*ours), model(*theirs))
                    torch.testing.assert_close(ours, theirs)  # inputs that are written to
            torch.testing.assert_close(dict(built.named_buffers()), dict(model.named_buffers()))


if __name__ == "__main__":
    unittest.main()
