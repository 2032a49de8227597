"""A program whose weights are laid out in every way that torch knows: views of one storage at offsets, transposed, channels
last, expanded, empty and 0-dimensional ones, all dtypes, tied weights."""

import torch

DTYPES = [torch.bfloat16, torch.float16, torch.float64, torch.complex64, torch.complex128, torch.int8, torch.uint8, torch.int16,
          torch.int32, torch.int64, torch.bool, torch.uint16, torch.uint32, torch.uint64, torch.float8_e4m3fn,
          torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz, torch.float8_e8m0fnu]


def bits(dtype, shape, seed):
    """A tensor of random bits, for dtypes in which all bit patterns are values."""
    generator = torch.Generator().manual_seed(seed)
    size = torch.empty(0, dtype=dtype).element_size()
    numbers = torch.randint(0, 2 if dtype == torch.bool else 120, (*shape, size), dtype=torch.uint8, generator=generator)
    return numbers.view(dtype).reshape(shape)


class Layouts(torch.nn.Module):
    def __init__(self, dtypes):
        super().__init__()
        self.dtypes = dtypes
        self.first = torch.nn.Linear(4, 4)
        self.tied = torch.nn.Linear(4, 4)
        self.tied.weight = self.first.weight
        self.conv = torch.nn.Conv2d(3, 8, 3).to(memory_format=torch.channels_last)
        self.turned = torch.nn.Parameter(torch.arange(12.0).reshape(3, 4).t())
        base = torch.arange(24.0)
        self.register_buffer("base", base)
        self.register_buffer("middle", base[5:13].reshape(2, 4))
        self.register_buffer("steps", base[1::3])
        self.register_buffer("wide", torch.tensor([1.5]).expand(3, 4))
        self.register_buffer("empty", torch.empty(0, 3))
        self.register_buffer("scalar", torch.tensor(2.5))
        self.register_buffer("passing", torch.arange(3.0), persistent=False)
        self.register_buffer("passing_view", self.passing[1:], persistent=False)
        for number, dtype in enumerate(dtypes):
            self.register_buffer("of_" + str(dtype).rpartition(".")[2], bits(dtype, (2, 3), number))
        self.constant = torch.tensor([[1, 2], [3, 4]], dtype=torch.int16)

    def forward(self, x):
        y = self.tied(self.first(x)) @ self.turned
        y = y + self.middle.sum() + self.steps.sum() + self.wide.sum() + self.scalar + self.passing.sum()
        y = y + self.passing_view.sum() + self.constant.sum() + self.base[0] + self.empty.sum()
        for dtype in self.dtypes:
            y = y + getattr(self, "of_" + str(dtype).rpartition(".")[2]).size(0)
        return y + self.conv(torch.ones(1, 3, 4, 4)).sum()


def save(path, dtypes=tuple(DTYPES)):
    """Writes the program, as torch.export.save does, and returns it."""
    torch.manual_seed(0)
    program = torch.export.export(Layouts(dtypes).eval(), (torch.arange(4.0).reshape(1, 4),))
    torch.export.save(program, path)
    return program


def tensors_of(program):
    """Returns all tensors of the program by name: the state dict, then the constants."""
    named = dict(program.state_dict)
    named.update({name: value for name, value in program.constants.items() if isinstance(value, torch.Tensor)})
    return named


def bytes_of(tensor):
    """The elements in row-major order."""
    tensor = tensor.detach().contiguous()
    return tensor.flatten().view(torch.uint8).numpy().tobytes() if tensor.numel() else b""
