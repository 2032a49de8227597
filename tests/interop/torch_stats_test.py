"""`pt2 stats` counts the multiply-adds that torch.utils.flop_counter counts.

Programs are run under the counter, with attention taken apart into matrix products, on their example inputs; symbols are bound to
what these inputs make of them. The counter has two operations for each multiply-add.

Needs torch. PT2_BINARY names the pt2 command.
"""

import json
import logging
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import warnings

import programs
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")

# String outputs, a missing operator, a joint graph.
NOT_RUN = {"lifted_constants", "custom_op", "joint"}


class Layers(torch.nn.Module):
    """One of each operator with a separate formula."""

    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(4, 6, 3, stride=2, padding=1, groups=2)
        self.line = torch.nn.Conv1d(6, 5, 3)
        self.up = torch.nn.ConvTranspose2d(6, 4, 3, stride=2)
        self.linear = torch.nn.Linear(5, 7)

    def forward(self, x):
        y = self.up(self.conv(x))
        z = self.linear(self.line(self.conv(x).flatten(2)).transpose(1, 2))
        a = torch.nn.functional.scaled_dot_product_attention(z[:, None], z[:, None], z[:, None])
        return y, torch.baddbmm(z[:, :7, :], z[:, :7, :], z[:, :7, :]), a, z @ z.transpose(1, 2), torch.addmm(z[0, :7], z[0, :7], z[0, :7])


class Products(torch.nn.Module):
    """Other operators that are products of matrices to the counter, which does not know addmv."""

    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(5, 6, num_layers=2, bidirectional=True)
        self.gru = torch.nn.GRU(5, 4, batch_first=True)
        self.rnn = torch.nn.RNN(5, 4)
        self.cell = torch.nn.LSTMCell(5, 3)

    def forward(self, x, m):  # [3, 4, 5], [5, 7]
        return (torch.einsum("bij,jk->bik", x, m), torch.einsum("bij,bkj,kl->il", x, x, m[:4]), torch.einsum("bij,bij->b", x, x),
                torch.tensordot(x, m, 1), torch.inner(x, m.t()), torch.linalg.multi_dot([x[0], m, m.t(), m]),
                x[0].clone() @ m,
                self.lstm(x), self.gru(x), self.rnn(x), self.cell(x[0]))


def stats(path, bindings):
    options = [option for name, value in bindings.items() for option in ("--bind", f"{name}={value}")]
    done = subprocess.run([PT2, "stats", str(path), "--json", *options], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def symbols_of(program):
    """Returns the values of symbols, from the sizes of placeholders and example inputs."""
    tensors = torch.utils._pytree.tree_leaves(program.example_inputs)
    names = [value for value in program.graph_signature.user_inputs]
    values = {}
    nodes = {node.name: node for node in program.graph.nodes}
    for name, tensor in zip(names, tensors):
        if not isinstance(tensor, torch.Tensor):
            continue
        for size, real in zip(nodes[name].meta["val"].shape, tensor.shape):
            if isinstance(size, torch.SymInt) and size.node.expr.is_symbol:
                values[str(size.node.expr)] = real
    return values


def torch_flops(program):
    """Returns torch's count while the program runs."""
    arguments, keywords = program.example_inputs
    counter = FlopCounterMode(display=False)
    # The counter does not know oneDNN's recurrent layers.
    with counter, sdpa_kernel(SDPBackend.MATH), torch.no_grad(), torch.backends.mkldnn.flags(enabled=False):
        program.module()(*arguments, **keywords)
    return counter.get_total_flops()


class StatsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")

    def check(self, path):
        program = torch.export.load(path)
        counted = stats(path, symbols_of(program))
        self.assertEqual(2 * counted["multiply_adds"], torch_flops(program))
        parameters = {(each.untyped_storage().data_ptr(), each.shape): each for each in program.parameters()}.values()
        self.assertEqual(counted["parameters"], sum(parameter.numel() for parameter in parameters))
        self.assertEqual(counted["parameter_bytes"], sum(parameter.nbytes for parameter in parameters))
        self.assertEqual(counted["buffer_bytes"], sum(buffer.nbytes for buffer in program.buffers()))

    def test_programs_of_the_test_data(self):
        ran = 0
        for path in programs.files("2.13.0", without=NOT_RUN):
            with self.subTest(path.stem):
                self.check(path)
                ran += 1
        self.assertGreater(ran, 10)

    def test_random_programs(self):
        chance = random.Random(random_seed.SEED)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "random.pt2"
            for _ in range(5):
                torch.export.save(programs.random_program(chance), path)
                with self.subTest(seed=random_seed.SEED):
                    self.check(path)

    def test_each_operator_with_a_formula(self):
        torch.manual_seed(0)
        x = torch.randn(3, 4, 9, 11)
        with tempfile.TemporaryDirectory() as folder:
            for strict, decompose in ((False, False), (False, True)):
                program = torch.export.export(Layers(), (x,), strict=strict)
                if decompose:
                    with sdpa_kernel(SDPBackend.MATH):
                        program = program.run_decompositions()
                path = pathlib.Path(folder) / "layers.pt2"
                torch.export.save(program, path)
                with self.subTest(decompose=decompose):
                    self.check(path)

    def test_other_products(self):
        torch.manual_seed(0)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "products.pt2"
            torch.export.save(torch.export.export(Products(), (torch.randn(3, 4, 5), torch.randn(5, 7))), path)
            counted = {row["name"] for row in stats(path, {})["by"]}
            for operator in ("einsum", "tensordot", "inner", "linalg_multi_dot", "lstm.input", "gru.input", "rnn_tanh.input"):
                self.assertTrue(any(f"aten.{operator}" in key for key in counted), (operator, counted))
            self.check(path)

    def test_the_same_with_a_dynamic_batch_size_left_as_a_symbol(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "linear.pt2"
            torch.export.save(torch.export.export(torch.nn.Linear(4, 8), (torch.randn(3, 4),),
                                                  dynamic_shapes=({0: torch.export.Dim("batch")},)), path)
            self.check(path)
            self.assertRegex(str(stats(path, {})["multiply_adds"]), r"^32\*s\d+$")


if __name__ == "__main__":
    unittest.main()
