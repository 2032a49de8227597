"""Programs to compare torch and us on: the test data and random programs."""

import pathlib

import torch

PROGRAMS = pathlib.Path(__file__).parent.parent / "data" / "programs"


def files(*releases, suffix=".pt2", without=()):
    """Returns the programs that these releases of torch wrote."""
    for release in releases:
        for path in sorted((PROGRAMS / f"torch-{release}").glob(f"*{suffix}")):
            if path.stem not in without and path.name != "about.json":
                yield path


def register_custom_operator():
    """Registers the operator of the fixture custom_op, close enough to compare two runs."""

    def scale(x, a, *, dims, mode):
        return x * a, [x.clone(), x + len(dims)]

    torch.library.define("fxlib::scale", "(Tensor x, float a, *, int[] dims, str mode) -> (Tensor, Tensor[])")
    torch.library.impl("fxlib::scale", "CompositeExplicitAutograd", scale)


class RandomBlock(torch.nn.Module):
    """Random steps on tensors of 4 columns, in nested blocks."""

    def __init__(self, chance, depth):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4, bias=chance.random() < 0.5)
        self.convolution = torch.nn.Conv1d(1, 2, 3, stride=chance.choice([1, 2]), padding=chance.choice([0, 1]))
        self.norm = torch.nn.LayerNorm(4)
        self.register_buffer("count", torch.zeros(4))
        self.inner = torch.nn.ModuleList([RandomBlock(chance, depth - 1) for _ in range(chance.randrange(1, 3))] if depth else [])
        kinds = [name for name in dir(self) if name.startswith("step_")]
        self.steps = [(chance.choice(kinds), chance.random(), chance.random()) for _ in range(chance.randrange(3, 8))]

    def forward(self, x):
        values = [x]
        for kind, first, second in self.steps:
            a, b = (values[int(at * len(values))] for at in (first, second))
            values += getattr(self, kind)(a, b)
        return sum(values[1:], values[0])

    def step_linear(self, a, b):
        return [self.linear(a)]

    def step_convolution(self, a, b):
        return [a + self.convolution(b.unsqueeze(1)).mean((1, 2)).unsqueeze(1)]

    def step_norm(self, a, b):
        return [self.norm(a + b)]

    def step_product(self, a, b):
        return [a @ (b.transpose(0, 1) @ a)]

    def step_pointwise(self, a, b):
        return [torch.add(a, b, alpha=2), torch.where(a > 0, b, a.clamp(min=0))]

    def step_parts(self, a, b):
        left, right = a.split(2, dim=1)
        return [torch.cat([right, left], 1), torch.stack(list(b.unbind(1)), 1)]

    def step_sorted(self, a, b):
        values, order = a.sort(dim=1, descending=True)
        return [values, b.gather(1, order)]

    def step_no_grad(self, a, b):
        with torch.no_grad():
            made = self.linear(a) * b
        return [made]

    def step_condition(self, a, b):
        return [torch.cond(a.sum() > 0, lambda x, y: x @ y.transpose(0, 1) @ x, lambda x, y: x - y.sin(), (a, b))]

    def step_mutation(self, a, b):
        self.count.add_(1)
        return [a + self.count]

    def step_inner(self, a, b):
        for module in self.inner:
            a = module(a)
        return [a]


def random_program(chance):
    """Exports a program of random blocks, in training form or decomposed, with a batch of 3 or of dynamic size."""
    torch.manual_seed(chance.randrange(2**30))
    is_dynamic = chance.random() < 0.5
    shapes = ({0: torch.export.Dim("batch", min=2, max=64)},) if is_dynamic else None
    program = torch.export.export(RandomBlock(chance, 2), (torch.randn(3, 4),), dynamic_shapes=shapes, strict=chance.random() < 0.3)
    return program.run_decompositions() if chance.random() < 0.4 else program
