"""Some hundred small models of the kinds that people export, in code that torch 2.2 and all later releases can run.

`MODELS` has a function for each, which returns a Sample. A function that needs something that a release of torch lacks fails
there, and the model is skipped. The file is also imported where the exported programs are loaded: it registers the custom
operators and the types of inputs and outputs that they name.
"""

import collections
import dataclasses
import functools
import inspect
import math
import typing

import torch
import torch.ao.quantization.fx._decomposed  # registers its operators
import torch.nn.functional as F
import torch.utils._pytree as pytree
import torch.utils.checkpoint
from torch import nn

MODELS = {}


@dataclasses.dataclass
class Sample:
    module: nn.Module
    args: tuple
    kwargs: dict = dataclasses.field(default_factory=dict)
    dynamic_shapes: typing.Any = None
    preserve: tuple = ()  # preserve_module_call_signature


def model(make):
    """Adds the Sample that the function returns, under its name."""
    MODELS[make.__name__.rstrip("_")] = make
    return make


def module_model(*args, **options):
    """Adds a class whose instance is called with these."""

    def add(kind):
        name = "".join("_" + c.lower() if c.isupper() else c for c in kind.__name__).lstrip("_")
        MODELS[name] = lambda: Sample(kind(), tuple(make() for make in args), **{key: value() for key, value in options.items()})
        return kind

    return add


def function_model(*args, **options):
    """Adds a module whose forward() is the function."""

    def add(function):
        kind = type(function.__name__.title().replace("_", ""), (nn.Module,), {"forward": function, "__module__": __name__})
        globals()[kind.__name__] = kind
        MODELS[function.__name__.rstrip("_")] = lambda: Sample(kind(), tuple(make() for make in args), **{key: value() for key, value in options.items()})
        return function

    return add


def given(value):
    return lambda: value


def floats(*sizes):
    return lambda: torch.randn(sizes)


def integers(high, *sizes):
    return lambda: torch.randint(0, high, sizes)


def dim(name, **limits):
    return torch.export.Dim(name, **limits)



class ConvBlock(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first, self.second = ConvBlock(channels, channels), ConvBlock(channels, channels)
        self.downsample = nn.Sequential(nn.Conv2d(channels, channels, 1), nn.BatchNorm2d(channels))

    def forward(self, x):
        return F.relu(self.second(self.first(x)) + self.downsample(x))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = ConvBlock(3, 4)
        self.stages = nn.Sequential(Residual(4), nn.MaxPool2d(2), Residual(4))
        self.head = nn.Linear(4, 5)

    def forward(self, x):
        return self.head(self.stages(self.stem(x)).mean((2, 3)))


@model
def resnet_eval():
    return Sample(ResNet().eval(), (torch.randn(2, 3, 8, 8),))


@model
def resnet_train():
    return Sample(ResNet().train(), (torch.randn(2, 3, 8, 8),))


@model
def resnet_batch():
    return Sample(ResNet().eval(), (torch.randn(3, 3, 8, 8),), dynamic_shapes=({0: dim("batch", min=2, max=15)},))


@model
def sequential():
    return Sample(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 2)).eval(), (torch.randn(3, 4),))


@model
def sequential_train():
    return Sample(nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.5), nn.Linear(8, 2)), (torch.randn(3, 4),))


@model
def sequential_nested():
    return Sample(nn.Sequential(nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.Tanh(), nn.Linear(4, 4))), nn.GELU()), (torch.randn(3, 4),))


@model
def unet():
    class UNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.down, self.middle = ConvBlock(1, 4), ConvBlock(4, 4)
            self.up = nn.ConvTranspose2d(4, 4, 2, stride=2)
            self.out = nn.Conv2d(8, 1, 1)

        def forward(self, x):
            skip = self.down(x)
            return self.out(torch.cat([self.up(self.middle(F.max_pool2d(skip, 2))), skip], 1))

    return Sample(UNet().eval(), (torch.randn(1, 1, 8, 8),))


@model
def depthwise():
    return Sample(nn.Sequential(nn.Conv2d(4, 4, 3, groups=4, padding="same"), nn.Hardswish(), nn.Conv2d(4, 2, 1)), (torch.randn(1, 4, 6, 6),))


@model
def conv1d3d():
    return Sample(nn.Sequential(nn.Conv1d(2, 3, 3, dilation=2), nn.Unflatten(1, (1, 3)), nn.Flatten(1), nn.LeakyReLU()), (torch.randn(2, 2, 9),))


@model
def circular_padding():
    return Sample(nn.Conv2d(2, 3, 3, padding=1, padding_mode="circular"), (torch.randn(1, 2, 5, 5),))


@model
def norms():
    layers = [nn.GroupNorm(2, 4), nn.InstanceNorm2d(4, affine=True), nn.LocalResponseNorm(2), nn.LayerNorm([4, 3, 3]), nn.BatchNorm2d(4)]
    return Sample(nn.Sequential(*layers), (torch.randn(2, 4, 3, 3),))


@model
def rms_norm():
    return Sample(nn.RMSNorm(4), (torch.randn(2, 4),))


@model
def spectral_norm():
    return Sample(nn.utils.parametrizations.spectral_norm(nn.Linear(3, 4)).eval(), (torch.randn(2, 3),))


@model
def weight_norm():
    return Sample(nn.utils.weight_norm(nn.Linear(3, 4)), (torch.randn(2, 3),))


@model
def activations():
    kinds = [nn.ELU(), nn.SELU(), nn.SiLU(), nn.Mish(), nn.Softplus(), nn.Hardtanh(), nn.PReLU(), nn.GELU("tanh"), nn.Softsign(), nn.LogSigmoid(), nn.GLU()]
    return Sample(nn.Sequential(*kinds), (torch.randn(2, 6),))


@model
def pooling():
    return Sample(nn.Sequential(nn.AvgPool2d(2), nn.AdaptiveAvgPool2d((3, None)), nn.LPPool2d(2, 2), nn.AdaptiveMaxPool2d(1)), (torch.rand(1, 2, 12, 12),))


@model
def max_pool_indices():
    class Pooled(nn.Module):
        def forward(self, x):
            y, indices = F.max_pool2d(x, 2, return_indices=True)
            return F.max_unpool2d(y, indices, 2), indices

    return Sample(Pooled(), (torch.randn(1, 2, 4, 4),))


@model
def interpolate():
    class Resized(nn.Module):
        def forward(self, x):
            return F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False), F.interpolate(x, size=(3, 3), mode="nearest")

    return Sample(Resized(), (torch.randn(1, 2, 4, 4),))


@model
def pixel_shuffle():
    return Sample(nn.Sequential(nn.PixelShuffle(2), nn.Upsample(scale_factor=2), nn.ReflectionPad2d(1)), (torch.randn(1, 4, 3, 3),))


@model
def grid_sample():
    class Warped(nn.Module):
        def forward(self, x, theta):
            return F.grid_sample(x, F.affine_grid(theta, [1, 2, 4, 4], align_corners=False), align_corners=False)

    return Sample(Warped(), (torch.randn(1, 2, 4, 4), torch.tensor([[[1.0, 0, 0], [0, 1.0, 0]]])))


@model
def embedding():
    return Sample(nn.Sequential(nn.Embedding(10, 4, padding_idx=0), nn.Linear(4, 2)), (torch.randint(0, 10, (2, 3)),))


@model
def embedding_bag():
    class Bag(nn.Module):
        def __init__(self):
            super().__init__()
            self.bag = nn.EmbeddingBag(10, 4, mode="sum")

        def forward(self, tokens, offsets):
            return self.bag(tokens, offsets)

    return Sample(Bag(), (torch.tensor([1, 2, 4, 5]), torch.tensor([0, 2])))


@model
def bilinear():
    class Two(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Bilinear(3, 4, 2)

        def forward(self, a, b):
            return F.cosine_similarity(self.layer(a, b), self.layer(a + 1, b))

    return Sample(Two(), (torch.randn(2, 3), torch.randn(2, 4)))


@model
def losses():
    class Losses(nn.Module):
        def __init__(self):
            super().__init__()
            self.cross, self.smooth = nn.CrossEntropyLoss(label_smoothing=0.1), nn.SmoothL1Loss()

        def forward(self, x, target):
            return self.cross(x, target) + self.smooth(x, x * 2) + F.kl_div(x.log_softmax(1), x.softmax(1), reduction="batchmean")

    return Sample(Losses(), (torch.randn(3, 4), torch.tensor([0, 1, 3])))



class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x, mask=None):
        batch, length, width = x.shape
        q, k, v = self.qkv(x).reshape(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        return self.out(F.scaled_dot_product_attention(q, k, v, mask).transpose(1, 2).reshape(batch, length, width))


class Block(nn.Module):
    def __init__(self, width=8, heads=2):
        super().__init__()
        self.attention, self.norm1, self.norm2 = Attention(width, heads), nn.LayerNorm(width), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 16), nn.GELU(), nn.Linear(16, width))

    def forward(self, x, mask=None):
        x = x + self.attention(self.norm1(x), mask)
        return x + self.mlp(self.norm2(x))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(20, 8), nn.Parameter(torch.randn(16, 8))
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(8, 20, bias=False)
        self.head.weight = self.tokens.weight

    def forward(self, tokens):
        x = self.tokens(tokens) + self.places[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x)
        return self.head(x)


@model
def transformer():
    return Sample(Transformer().eval(), (torch.randint(0, 20, (2, 5)),))


@model
def transformer_length():
    return Sample(Transformer().eval(), (torch.randint(0, 20, (2, 5)),), dynamic_shapes={"tokens": {1: dim("length", min=2, max=15)}})


@model
def causal_attention():
    class Causal(nn.Module):
        def forward(self, q, k, v):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    return Sample(Causal(), tuple(torch.randn(1, 2, 4, 8) for _ in range(3)))


@model
def multihead():
    class Heads(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = nn.MultiheadAttention(8, 2, batch_first=True)

        def forward(self, x):
            return self.attention(x, x, x)

    return Sample(Heads(), (torch.randn(2, 3, 8),))


@model
def encoder_layer():
    return Sample(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).train(), (torch.randn(2, 3, 8),))


@model
def decoder_layer():
    return Sample(nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, batch_first=True), (torch.randn(2, 3, 8), torch.randn(2, 4, 8)))


@model
def rotary():
    class Rotary(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("inv_freq", 1.0 / (10000 ** (torch.arange(0, 8, 2).float() / 8)), persistent=False)

        def forward(self, x):
            angles = torch.outer(torch.arange(x.shape[1], dtype=x.dtype), self.inv_freq)
            a, b = x[..., ::2], x[..., 1::2]
            return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)

    return Sample(Rotary(), (torch.randn(2, 3, 8),))


@model
def kv_cache():
    class Cache(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("keys", torch.zeros(1, 6, 4))
            self.project = nn.Linear(4, 4)

        def forward(self, x, position):
            self.keys.index_copy_(1, position, self.project(x))
            return self.keys.sum(1)

    return Sample(Cache(), (torch.randn(1, 1, 4), torch.tensor([2])))


def recurrent(kind, **options):
    def make():
        class Recurrent(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = kind(4, 5, **options)

            def forward(self, x):
                return self.layer(x)

        return Sample(Recurrent(), (torch.randn(2, 3, 4),))

    return make


MODELS["lstm"] = recurrent(nn.LSTM, batch_first=True)
MODELS["lstm_bidirectional"] = recurrent(nn.LSTM, num_layers=2, bidirectional=True)
MODELS["lstm_projected"] = recurrent(nn.LSTM, proj_size=2)
MODELS["gru"] = recurrent(nn.GRU, batch_first=True)
MODELS["rnn"] = recurrent(nn.RNN, nonlinearity="relu")


@model
def lstm_root():
    return Sample(nn.LSTM(4, 5, batch_first=True), (torch.randn(2, 3, 4),))


@model
def cells():
    class Cells(nn.Module):
        def __init__(self):
            super().__init__()
            self.gru, self.lstm = nn.GRUCell(3, 4), nn.LSTMCell(4, 4)

        def forward(self, x, h, c):
            for step in range(x.shape[0]):
                h = self.gru(x[step], h)
                h, c = self.lstm(h, (h, c))
            return h, c

    return Sample(Cells(), (torch.randn(3, 2, 3), torch.zeros(2, 4), torch.zeros(2, 4)))



class Heads(nn.Module):
    """A ModuleDict with these names."""

    def __init__(self, names):
        super().__init__()
        self.heads = nn.ModuleDict({name: nn.Linear(3, 2) for name in names})

    def forward(self, x):
        return {name: head(x) for name, head in self.heads.items()}


ODD_NAMES = {
    "quote": "it's", "dquote": 'say "hi"', "tab": "tab\t", "backslash": "back\\slash", "unicode": "größe_名前", "number": "0", "negative": "-1",
    "keyword": "class", "space": "two words", "dash": "layer-1", "slash": "a/b", "colon": "a:b", "equals": "a=b", "brackets": "x[0]", "call": "f(x)",
    "hash": "#1", "dollar": "$x", "comma": "a,b", "semicolon": "a;b", "braces": "{x}", "percent": "%s", "at": "@x", "emoji": "🙂", "fullwidth": "ｘ",
    "none": "None", "builtin": "print", "long": "l" * 300, "private": "_hidden", "upper": "HEAD", "escape": "\\n", "accent": "é", "ligature": "ﬁ",
}
for label, odd in ODD_NAMES.items():
    MODELS[f"moddict_{label}"] = lambda odd=odd: Sample(Heads([odd]), (torch.randn(2, 3),))


@model
def moddict_many():
    return Sample(Heads(["a", "0", "it's", "class", "b c"]), (torch.randn(2, 3),))


@model
def modlist_comprehension():
    class Listed(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])

        def forward(self, x):
            return [layer(x) for layer in self.layers]

    return Sample(Listed(), (torch.randn(2, 3),))


@model
def modlist_slice():
    class Sliced(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(4)])

        def forward(self, x):
            for layer in self.layers[1:3]:
                x = layer(x)
            return self.layers[-1](x)

    return Sample(Sliced(), (torch.randn(2, 3),))


@model
def sequential_odd():
    layers = collections.OrderedDict([("it's", nn.Linear(3, 3)), ("two words", nn.ReLU()), ("class", nn.Linear(3, 2))])
    return Sample(nn.Sequential(layers), (torch.randn(2, 3),))


@model
def addmodule_python_list():
    class Added(nn.Module):
        def __init__(self):
            super().__init__()
            self.all = []
            for index in range(2):
                layer = nn.Linear(3, 3)
                self.add_module(f"block {index}", layer)
                self.all.append(layer)

        def forward(self, x):
            for layer in self.all:
                x = layer(x)
            return x

    return Sample(Added(), (torch.randn(2, 3),))


@model
def parameter_list():
    class Parameters(nn.Module):
        def __init__(self):
            super().__init__()
            self.weights = nn.ParameterList([torch.randn(3) for _ in range(3)])

        def forward(self, x):
            for weight in self.weights:
                x = x * weight
            return x

    return Sample(Parameters(), (torch.randn(2, 3),))


@model
def param_dict_odd():
    class Parameters(nn.Module):
        def __init__(self):
            super().__init__()
            self.p = nn.ParameterDict({"it's": torch.randn(3), "two words": torch.randn(3), "ä": torch.randn(3), "0": torch.randn(3)})

        def forward(self, x):
            return x * self.p["it's"] + self.p["two words"] * self.p["ä"] - self.p["0"]

    return Sample(Parameters(), (torch.randn(2, 3),))


@model
def buffers_odd():
    class Buffers(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("it's", torch.ones(3))
            self.register_buffer("lambda", torch.ones(3), persistent=False)
            self.register_parameter("my weight", nn.Parameter(torch.randn(3)))

        def forward(self, x):
            return x + getattr(self, "it's") * getattr(self, "lambda") - getattr(self, "my weight")

    return Sample(Buffers(), (torch.randn(2, 3),))


@model
def keyword_names():
    class Keywords(nn.Module):
        def __init__(self):
            super().__init__()
            for name in ("if", "global", "None", "self", "forward_"):
                self.add_module(name, nn.Linear(3, 3))

        def forward(self, x):
            for name in ("if", "global", "None", "self", "forward_"):
                x = getattr(self, name)(x)
            return x

    return Sample(Keywords(), (torch.randn(2, 3),))


@model
def tied_weights():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(3, 3), nn.Linear(3, 3)
            self.second.weight = self.first.weight
            self.register_buffer("view", torch.arange(6.0)[2:5])
            self.register_buffer("same", self.view)

        def forward(self, x):
            return self.second(self.first(x)) + self.view + self.same

    return Sample(Tied(), (torch.randn(2, 3),))


@model
def shared_module():
    class Shared(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 3)
            self.alias, self.group = self.layer, nn.ModuleList([self.layer, self.layer])

        def forward(self, x):
            return self.group[1](self.group[0](self.alias(self.layer(x))))

    return Sample(Shared(), (torch.randn(2, 3),))


@model
def unused_weights():
    class Unused(nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.never = nn.Linear(3, 3), nn.Linear(3, 3)
            self.register_buffer("spare", torch.ones(2))

        def forward(self, x, unused):
            return self.used(x)

    return Sample(Unused(), (torch.randn(2, 3), torch.randn(1)))


@model
def frozen_weights():
    layer = nn.Linear(3, 3)
    layer.weight.requires_grad_(False)
    return Sample(nn.Sequential(layer, nn.Linear(3, 1)), (torch.randn(2, 3),))


@model
def lazy():
    layers = nn.Sequential(nn.LazyConv2d(3, 3), nn.LazyBatchNorm2d(), nn.Flatten(), nn.LazyLinear(2))
    layers(torch.randn(2, 1, 5, 5))
    return Sample(layers, (torch.randn(2, 1, 5, 5),))


@model
def data_parallel():
    return Sample(nn.DataParallel(nn.Sequential(nn.Linear(3, 3), nn.ReLU())), (torch.randn(2, 3),))


@model
def compiled():
    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = torch.compile(nn.Linear(3, 3), backend="eager")

        def forward(self, x):
            return self.inner(x).relu()

    return Sample(Outer(), (torch.randn(2, 3),))


@model
def inherited():
    class Base(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x):
            return self.layer(x)

    class Derived(Base):
        def forward(self, x):
            return super().forward(x).relu()

    return Sample(nn.Sequential(Derived(), Derived()), (torch.randn(2, 3),))


@model
def recursive():
    class Tree(nn.Module):
        def __init__(self, depth):
            super().__init__()
            self.layer = nn.Linear(3, 3)
            self.children_ = nn.ModuleList([Tree(depth - 1) for _ in range(2)] if depth else [])

        def forward(self, x):
            x = self.layer(x)
            for child in self.children_:
                x = x + child(x)
            return x

    return Sample(Tree(3), (torch.randn(2, 3),))


@model
def deep():
    layer = nn.Linear(2, 2)
    for _ in range(40):
        layer = nn.Sequential(layer)
    return Sample(layer, (torch.randn(1, 2),))


@model
def many_layers():
    return Sample(nn.Sequential(*(nn.Linear(2, 2) for _ in range(60))), (torch.randn(1, 2),))


GLOBAL_ACT = nn.PReLU()
GLOBAL_SCALE = torch.tensor(2.0)
TABLE = {"act": nn.Tanh(), "it's": nn.Sigmoid()}


@module_model(floats(2, 3))
class GlobalModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.act = nn.Linear(3, 3), GLOBAL_ACT

    def forward(self, x):
        return GLOBAL_ACT(self.layer(x)) + self.act(x)


@function_model(floats(2, 3))
def global_table(self, x):
    return TABLE["act"](x) + TABLE["it's"](x)


@function_model(floats(2, 3))
def global_tensor(self, x):
    return x * GLOBAL_SCALE


@model
def closure_module():
    body = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    names = ["a", "b"]

    class Closure(nn.Module):
        def __init__(self):
            super().__init__()
            self.mine = body

        def forward(self, x):
            return sum(body(x) for _ in names)

    return Sample(Closure(), (torch.randn(2, 3),))


@model
def fn_module():
    class Called(nn.Module):
        def __init__(self, fn):
            super().__init__()
            self.fn = fn

        def forward(self, x):
            return self.fn(x)

    return Sample(Called(nn.Sequential(nn.Linear(3, 3), nn.ReLU())), (torch.randn(2, 3),))


@model
def lambda_attribute():
    class WithLambda(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 3)
            self.act = lambda x: torch.tanh(x) * 2
            self.partial = functools.partial(torch.clamp, min=-1, max=1)

        def forward(self, x):
            return self.partial(self.act(self.layer(x)))

    return Sample(WithLambda(), (torch.randn(2, 3),))


@model
def hooks():
    layers = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    layers[0].register_forward_hook(lambda module, args, result: result * 2)
    layers[1].register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    return Sample(layers, (torch.randn(2, 3),))


@module_model(floats(2, 3))
class InitInForward(nn.Module):
    def forward(self, x):
        with torch.no_grad():
            weight = torch.full((3, 3), 0.5)
        return F.linear(x, weight) + torch.zeros_like(x) + torch.tensor([1.0, 2.0, 3.0]) + torch.arange(3)


@module_model(floats(2, 3))
class SuperForward(nn.Linear):
    def __init__(self):
        super().__init__(3, 3)

    def forward(self, x):
        return super().forward(x) * 2


@module_model(floats(2, 3))
class Properties(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.options = nn.Linear(3, 3), {"scale": 2.0, "names": ["x"]}

    @property
    def scale(self):
        return self.options["scale"]

    @staticmethod
    def squared(x):
        return x * x

    @classmethod
    def doubled(cls, x):
        return x * 2

    def forward(self, x):
        return self.doubled(self.squared(self.layer(x))) * self.scale


@module_model(floats(2, 3))
class GenericAlias(nn.Module, typing.Generic[typing.TypeVar("T")]):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"a": nn.Linear(3, 3)})

    def forward(self, x: torch.Tensor) -> "dict[str, torch.Tensor]":
        return {"result": self.layers["a"](x)}


@function_model(floats(2, 3))
def asserts(self, x):
    assert x.shape[1] == 3
    torch._assert(x.shape[0] == 2, 'it\'s not "two"')
    return x.sin()


@module_model(floats(2, 3))
class MutatedAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))
        self.register_buffer("mean", torch.zeros(3))

    def forward(self, x):
        self.count += 1
        self.mean.mul_(0.9).add_(x.mean(0) * 0.1)
        return x - self.mean, self.count.clone()


@function_model(floats(2, 3))
def input_mutation(self, x):
    x.add_(1)
    x[0].mul_(2)
    return x * 2


@function_model(floats(2, 3))
def in_place_inner(self, x):
    y = x.clone()
    y[:, 1:] = 0
    y.relu_()
    y[0, 0] = 5
    return y


@function_model(floats(2, 3))
def out_is_input(self, x):
    return x, x + 1, x


@function_model(floats(2, 3))
def out_views(self, x):
    return x.t(), x[0], x.view(-1), x.expand(4, 2, 3)


@function_model(floats(4, 4))
def linear_algebra(self, x):
    positive = x @ x.t() + torch.eye(4)
    return torch.linalg.cholesky(positive), torch.linalg.inv(positive), torch.linalg.norm(x), torch.det(positive), torch.einsum("ij,kj->ik", x, x)


@function_model(floats(3, 4))
def reductions(self, x):
    return x.max(1), x.topk(2), x.sort(descending=True), x.argmin(), x.logsumexp(0), x.std(1), x.cumsum(0), x.median()


@function_model(floats(3, 4))
def indexing(self, x):
    rows = torch.tensor([0, 2])
    return x[rows], x[:, rows], x[x.shape[0] - 1], x.gather(1, rows.expand(3, 2)), x.index_select(0, rows), torch.where(x > 0, x, 0), x[..., None], x.roll(1)


@function_model(floats(2, 3, 4))
def shapes(self, x):
    parts = x.split([1, 2], dim=1)
    return torch.cat(parts, 1), torch.stack(x.unbind(0)), x.chunk(2, -1), x.permute(2, 0, 1).contiguous(), x.reshape(6, 4), x.unfold(2, 2, 1), x.movedim(0, 2)


@function_model(floats(3))
def random_ops(self, x):
    return torch.rand_like(x) + torch.randn(3) + F.dropout(x, 0.5, True) + torch.randint(0, 5, (3,)) + torch.bernoulli(torch.full((3,), 0.5)) + torch.randperm(3)


@function_model(floats(4))
def fft(self, x):
    return torch.fft.rfft(x), torch.fft.irfft(torch.fft.rfft(x), 4), torch.view_as_real(torch.fft.fft(x))


@function_model(floats(3))
def infinities(self, x):
    return x.masked_fill(x > 0, float("-inf")), torch.full((2,), float("nan")), x.clamp(min=-math.inf), x * float("inf")


@function_model(floats(2, 3))
def complex_numbers(self, x):
    y = torch.complex(x, x + 1)
    return y * (1 + 2j), y.abs(), y.conj().resolve_conj(), y.real, torch.polar(x.abs(), x)


@function_model(floats(2, 3))
def dtypes(self, x):
    return x.half(), x.bfloat16(), x.double(), x.to(torch.int8), x > 0, x.long().to(torch.uint8), x.to(torch.int16)


@model
def half_weights():
    return Sample(nn.Linear(3, 3).to(torch.bfloat16), (torch.randn(2, 3, dtype=torch.bfloat16),))


@model
def double_weights():
    return Sample(nn.Linear(3, 3).double(), (torch.randn(2, 3, dtype=torch.float64),))


@model
def complex_weights():
    class Complex(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(3, 3, dtype=torch.complex64))

        def forward(self, x):
            return x @ self.weight

    return Sample(Complex(), (torch.randn(2, 3, dtype=torch.complex64),))


@model
def float8_weights():
    class Float8(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("weight", torch.randn(3, 3).to(torch.float8_e4m3fn))

        def forward(self, x):
            return x @ self.weight.to(torch.float32)

    return Sample(Float8(), (torch.randn(2, 3),))


@model
def channels_last():
    return Sample(nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last), (torch.randn(1, 3, 5, 5).to(memory_format=torch.channels_last),))


@model
def strided_weights():
    class Strided(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(4, 3).t())
            self.register_buffer("scalar", torch.tensor(2.0))
            self.register_buffer("empty", torch.zeros(0, 3))

        def forward(self, x):
            return torch.cat([x @ self.weight * self.scalar, (self.empty @ self.weight)])

    return Sample(Strided(), (torch.randn(2, 3),))



@module_model(floats(2, 3))
class NoGrad(nn.Module):
    def __init__(self):
        super().__init__()
        self.frozen, self.head = nn.Linear(3, 3), nn.Linear(3, 2)

    def forward(self, x):
        with torch.no_grad():
            x = self.frozen(x)
            with torch.enable_grad():
                x = x + 1
        return self.head(x)


@module_model(floats(2, 3))
class NoGradDecorated(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    @torch.no_grad()
    def forward(self, x):
        return self.layer(x)


@function_model(floats(2, 3))
def set_grad(self, x):
    torch._C._set_grad_enabled(False)
    y = x * 2
    torch._C._set_grad_enabled(True)
    return y + 1


@function_model(floats(2, 3))
def inference_mode(self, x):
    with torch.inference_mode():
        return x.sin()


@module_model(floats(2, 3, 5, 5))
class AutocastConv(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.conv(x).relu()


@module_model(floats(2, 3))
class AutocastNested(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            x = self.a(x)
            with torch.autocast("cpu", enabled=False):
                x = self.b(x.float())
        return x


@module_model(floats(2, 3))
class Checkpoint(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        return torch.utils.checkpoint.checkpoint(lambda y: self.layer(y).sin(), x, use_reentrant=False)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        context.save_for_backward(x)
        return x * 3

    @staticmethod
    def backward(context, gradient):
        return gradient * 3


@function_model(floats(2, 3))
def autograd_fn(self, x):
    return Scaled.apply(x) + 1


@function_model(floats(2, 3))
def record_function(self, x):
    with torch.profiler.record_function("it's mine"):
        return x.cos()



@function_model(floats(2, 3))
def cond(self, x):
    return torch.cond(x.sum() > 0, lambda y: y.sin(), lambda y: y.cos(), (x,))


@module_model(floats(2, 3))
class CondModules(nn.Module):
    def __init__(self):
        super().__init__()
        self.yes, self.no = nn.Linear(3, 3), nn.Linear(3, 3)

    def forward(self, x):
        return torch.cond(x.mean() > 0, self.yes, self.no, [x])


@function_model(floats(3, 3), dynamic_shapes=lambda: ({0: dim("rows", min=2, max=9)},))
def cond_shape(self, x):
    return torch.cond(x.shape[0] > 4, lambda y: y + 1, lambda y: y - 1, [x])


@function_model(floats(2, 3))
def cond_nested(self, x):
    def inner(y):
        return torch.cond(y.sum() > 2, lambda z: z * 2, lambda z: z / 2, (y,))

    return torch.cond(x.sum() > 0, inner, lambda y: y.clone(), (x,))


@function_model(floats(3, 2), floats(2))
def map_functorch(self, xs, y):
    from functorch.experimental import control_flow

    return control_flow.map(lambda x, y: x.sin() + y, xs, y)


@function_model(floats(3, 2), floats(2))
def map_op(self, xs, y):
    from torch._higher_order_ops.map import map as map_

    return map_(lambda x, y: x.cos() + y, xs, y)


@function_model(floats(3, 2))
def scan_op(self, xs):
    from torch._higher_order_ops.scan import scan

    return scan(lambda carry, x: (carry + x, carry * x), torch.zeros(2), xs, dim=0)


@function_model(floats(3, 2))
def associative_scan(self, xs):
    from torch._higher_order_ops.associative_scan import associative_scan as run

    return run(lambda a, b: a + b, xs, 0, combine_mode="generic")


@function_model(floats(2))
def while_loop(self, x):
    from torch._higher_order_ops.while_loop import while_loop as loop

    return loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2), (torch.tensor(0), x))


@module_model(floats(2, 3))
class WhileModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)

    def forward(self, x):
        from torch._higher_order_ops.while_loop import while_loop as loop

        return loop(lambda i, y: i.sum() < 3, lambda i, y: (i + 1, self.layer(y)), (torch.zeros(1), x))


@function_model(floats(3, 2), floats(2))
def vmap(self, xs, y):
    return torch.vmap(lambda x: torch.dot(x, y))(xs), torch.vmap(torch.sin, in_dims=1, out_dims=1)(xs)


@function_model(floats(1, 1, 16, 8), floats(1, 1, 16, 8), floats(1, 1, 16, 8))
def flex_attention(self, q, k, v):
    from torch.nn.attention.flex_attention import flex_attention as flex

    return flex(q, k, v, score_mod=lambda score, b, h, i, j: score + (i - j))


@function_model(floats(2, 3))
def functorch_grad(self, x):
    return torch.func.grad(lambda y: (y * y).sum())(x)


@function_model(floats(2, 3))
def foreach(self, x):
    return torch._foreach_add([x, x * 2], 1.0)


LIBRARY = torch.library.Library("shop", "DEF")
LIBRARY.define("scaled(Tensor x, float factor=2.0, *, str mode='plain') -> Tensor")
LIBRARY.define("pair(Tensor x, int[] sizes, Tensor? bias=None) -> (Tensor, Tensor)")
LIBRARY.define("increase_(Tensor(a!) x, Tensor y) -> ()")
LIBRARY.define("parts(Tensor x) -> Tensor[]")


def scaled(x, factor=2.0, *, mode="plain"):
    return x * factor


def pair(x, sizes, bias=None):
    return x.reshape(sizes) + 0, x + (1 if bias is None else bias)


def increase_(x, y):
    x.add_(y)


def parts(x):
    return [x + 0, x + 1]


for operator in (scaled, pair, increase_, parts):
    LIBRARY.impl(operator.__name__, operator, "CompositeExplicitAutograd")
    if operator is not increase_:
        LIBRARY.impl(operator.__name__, operator, "Meta")
LIBRARY.impl("increase_", lambda x, y: None, "Meta")
SHOP = torch.ops.shop


@function_model(floats(2, 3))
def custom_op(self, x):
    return SHOP.scaled(x, 3.0, mode="it's") + SHOP.scaled(x)


@function_model(floats(2, 3))
def custom_pair(self, x):
    a, b = SHOP.pair(x, [3, 2], x)
    return a, b, SHOP.parts(b)


@function_model(floats(2, 3))
def custom_mutating(self, x):
    y = x.clone()
    SHOP.increase_(y, x)
    return y * 2


@module_model(floats(2, 3))
class CustomMutatesBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2, 3))

    def forward(self, x):
        SHOP.increase_(self.total, x)
        return self.total + 1


if hasattr(torch.library, "custom_op"):

    def decorated(x: torch.Tensor, name: str, factor: float = 1.5) -> torch.Tensor:
        return x * factor

    decorated = torch.library.custom_op("shop::decorated", decorated, mutates_args=())
    decorated.register_fake(lambda x, name, factor=1.5: torch.empty_like(x))


@function_model(floats(2, 3))
def custom_op_decorated(self, x):
    return decorated(x, "two words") - decorated(x, "it's", 2.0)


Pair = collections.namedtuple("Pair", ["left", "right"])


class Typed(typing.NamedTuple):
    x: torch.Tensor
    scale: float


@dataclasses.dataclass
class Batch:
    images: torch.Tensor
    labels: typing.Optional[torch.Tensor] = None
    names: typing.Any = None


if hasattr(torch.export, "register_dataclass"):
    if "serialized_type_name" in inspect.signature(torch.export.register_dataclass).parameters:
        torch.export.register_dataclass(Batch, serialized_type_name="models.Batch")
    else:
        torch.export.register_dataclass(Batch)
else:
    pytree._register_pytree_node(
        Batch, lambda batch: ([batch.images, batch.labels], None), lambda values, context: Batch(*values), serialized_type_name="models.Batch"
    )
for kind in (Pair, Typed):
    if hasattr(pytree, "_register_namedtuple"):  # upgrade gives older releases' classes this name
        pytree._register_namedtuple(kind, serialized_type_name=kind.__name__)


def applied(x, *others):
    """A result that depends on all numbers in the inputs."""
    for other in pytree.tree_leaves(others):
        if isinstance(other, (int, float, torch.Tensor)):
            x = x + other
    return x


@function_model(floats(3), given(2))
def in_int(self, x, n):
    return applied(x, n)


@function_model(floats(3), given(1.5))
def in_float(self, x, factor):
    return applied(x, factor)


@function_model(floats(3), given(True))
def in_bool(self, x, flag):
    return x + 1 if flag else x


@function_model(floats(3), given(False))
def in_false(self, x, flag):
    return x + 1 if flag else x


@function_model(floats(3), given("fast"))
def in_str(self, x, mode):
    return x + 1 if mode == "fast" else x


@function_model(floats(3), given(None))
def in_none(self, x, bias):
    return x if bias is None else x + bias


@function_model(floats(3), given(None), given("it's"))
def in_none_str(self, x, bias, mode):
    return x + len(mode)


@function_model(floats(3), given('say "hi"\tnow\\'))
def in_str_odd(self, x, mode):
    return x + len(mode)


@function_model(floats(3), given(""), given("größe"))
def in_str_unicode(self, x, a, b):
    return x + len(a) + len(b)


@function_model(lambda: {"a": torch.randn(3), "b": torch.randn(3)})
def in_dict(self, given):
    return given["a"] * given["b"]


@function_model(lambda: {"it's": torch.randn(3), "two words": torch.randn(3), "größe": torch.randn(3)})
def in_dict_odd(self, given):
    return given["it's"] * given["two words"] + given["größe"]


@function_model(lambda: {"two words": torch.randn(3), "a-b": torch.randn(3), "größe": torch.randn(3), "class": torch.randn(3), "": torch.randn(3)})
def in_dict_plain(self, given):
    return sum(given.values())


@function_model(lambda: {0: torch.randn(3), 17: torch.randn(3)})
def in_dict_ints(self, given):
    return given[0] + given[17]


@function_model(lambda: {True: torch.randn(3), None: torch.randn(3)})
def in_dict_bool_none(self, given):
    return given[True] + given[None]


@function_model(lambda: {("a", 1): torch.randn(3), ("b", 2): torch.randn(3)})
def in_dict_tuples(self, given):
    return given[("a", 1)] + given[("b", 2)]


@function_model(lambda: {1.5: torch.randn(3)})
def in_dict_floats(self, given):
    return given[1.5] * 2


@function_model(lambda: {'say "hi"': torch.randn(3)})
def in_dict_dquote(self, given):
    return given['say "hi"'] * 2


@function_model(lambda: collections.OrderedDict(b=torch.randn(3), a=torch.randn(3)))
def in_ordered_dict(self, given):
    return given["a"] - given["b"]


@function_model(lambda: collections.defaultdict(list, a=torch.randn(3)))
def in_defaultdict(self, given):
    return given["a"] * 2


@function_model(lambda: [torch.randn(3), [torch.randn(3), (torch.randn(3), [])]])
def in_lists(self, given):
    return applied(given[0], given[1])


@function_model(lambda: Pair(torch.randn(3), (torch.randn(3), 2)))
def in_namedtuple(self, given):
    return applied(given.left, given.right)


@function_model(lambda: Typed(torch.randn(3), 2.0))
def in_typed_namedtuple(self, given):
    return given.x * given.scale


@function_model(lambda: Batch(torch.randn(3), torch.ones(3)))
def in_dataclass(self, given):
    return given.images + given.labels


@function_model(lambda: collections.deque([torch.randn(3), torch.randn(3)], maxlen=5))
def in_deque(self, given):
    return given[0] + given[1]


@function_model(lambda: torch.Size([2, 3]), floats(6))
def in_size(self, size, x):
    return x.reshape(size)


@function_model(floats(3), kwargs=lambda: {"scale": torch.ones(3), "offset": 2})
def in_kwargs(self, x, *, scale, offset=1):
    return x * scale + offset


@function_model(floats(3), floats(3), floats(3))
def in_varargs(self, *xs):
    return sum(xs)


@function_model(floats(3), kwargs=lambda: {"b": torch.ones(3), "a": torch.randn(3)})
def in_varkwargs(self, x, **more):
    return applied(x, more)


@function_model(lambda: torch.tensor(3), lambda: torch.tensor(True), lambda: torch.tensor(2.5))
def in_scalars(self, a, b, c):
    return a * c + b


@function_model()
def in_nothing(self):
    return torch.ones(3)


@function_model(given(3), given(4))
def in_only_ints(self, a, b):
    return a + b


@function_model(lambda: (), lambda: {}, floats(2))
def in_empty(self, a, b, x):
    return x * 2


@model
def in_parameter():
    return Sample(nn.ReLU(), (nn.Parameter(torch.randn(3)),))


@function_model(floats(3))
def nested_out(self, x):
    return {"a'b": [x + 1, (x * 2, {"c\td": x.sum()})], "e": None, "back\\slash": x, 'say "hi"': x, "größe": x}


@function_model(floats(3))
def out_ints(self, x):
    return x, 3, None, True, 2.5


@function_model(floats(3))
def out_str(self, x):
    return x, "it's"


@function_model(floats(3))
def out_dict_ints(self, x):
    return {0: x, 1: {True: x * 2}, None: x}


@function_model(floats(3))
def out_dict_tuples(self, x):
    return {("a", 1): x, ("b'", 2): x + 1}


@function_model(floats(3))
def out_namedtuple(self, x):
    return Pair(x + 1, [x, x * 2])


@function_model(floats(3))
def out_dataclass(self, x):
    return Batch(x + 1, x * 2)


@function_model(floats(3))
def out_nothing(self, x):
    return None


@function_model(floats(3))
def out_constant(self, x):
    return torch.ones(2), x


@function_model(floats(3))
def out_empty(self, x):
    return [], {}, (), x * 1



@function_model(floats(4, 3), floats(4, 3), dynamic_shapes=lambda: (lambda b: ({0: b}, {0: b}))(dim("batch", max=64)))
def dynamic_shared(self, x, y):
    return x + y, x.shape[0]


@function_model(floats(4, 3), floats(5, 3), dynamic_shapes=lambda: ({0: dim("first", max=64)}, {0: dim("second", max=64)}))
def dynamic_two(self, x, y):
    return torch.cat([x, y]), x.shape[0] * 2 + y.shape[0], x.reshape(-1)


@function_model(floats(6, 4), dynamic_shapes=lambda: ({0: 2 * dim("half", min=2, max=32)},))
def dynamic_even(self, x):
    return x.reshape(x.shape[0] // 2, -1)


@function_model(floats(4), floats(5), dynamic_shapes=lambda: (lambda n: ({0: n}, {0: n + 1}))(dim("n", min=2, max=32)))
def dynamic_derived(self, x, y):
    return x + y[1:]


@function_model(lambda: {"a": torch.randn(4), "b": [torch.randn(4)]}, dynamic_shapes=lambda: ({"a": {0: (n := dim("n", max=99))}, "b": [{0: n}]},))
def dynamic_nested(self, given):
    return given["a"] + given["b"][0]


@function_model(floats(4, 6), dynamic_shapes=lambda: ({0: torch.export.Dim.AUTO, 1: torch.export.Dim.DYNAMIC},))
def dynamic_auto(self, x):
    return x.sum(0) * x.shape[0], x.t().reshape(-1, 2)


@function_model(floats(8, 3), dynamic_shapes=lambda: ({0: dim("n", min=4, max=1024)},))
def dynamic_arithmetic(self, x):
    n = x.shape[0]
    return x.repeat(2, 1), torch.zeros(n * n + 1), x.new_ones(2 * n + 3), torch.arange(n), F.pad(x, (0, 0, 0, n))


@function_model(floats(4, 3), given(2), dynamic_shapes=lambda: (None, torch.export.Dim.DYNAMIC))
def dynamic_int_input(self, x, n):
    return x * n


@function_model(lambda: torch.tensor(3), floats(6))
def unbacked_item(self, n, x):
    size = n.item()
    torch._check_is_size(size)
    torch._check(size <= 6)
    return torch.zeros(size), x * size


@function_model(floats(6))
def unbacked_nonzero(self, x):
    return x.nonzero(), (x > 0).nonzero().shape[0] * 2


@function_model(floats(6))
def unbacked_mask(self, x):
    return x[x > 0] * 2


@function_model(lambda: torch.tensor([2, 3]), floats(5, 2))
def unbacked_split(self, sizes, x):
    a, b = sizes.tolist()
    torch._check_is_size(a)
    torch._check_is_size(b)
    return x.new_zeros(a, 2), x.new_zeros(b, 2)


@function_model(lambda: torch.tensor([1, 2, 2]))
def unbacked_unique(self, x):
    return torch.unique(x), torch.bincount(x)


@function_model(lambda: torch.tensor(2.5), floats(3))
def unbacked_float(self, factor, x):
    return x * factor.item()


@function_model(lambda: torch.tensor(3), lambda: torch.tensor(4))
def unbacked_arithmetic(self, a, b):
    n, m = a.item(), b.item()
    torch._check(n >= 2)
    torch._check(m >= 2)
    torch._check(n < 100)
    torch._check(m < 100)
    return torch.ones(n + m, n * m), n - m, n // m



@model
def quantized_decomposed():
    class Quantized(nn.Module):
        def forward(self, x):
            q = torch.ops.quantized_decomposed.quantize_per_tensor(x, 0.1, 3, 0, 255, torch.uint8)
            return torch.ops.quantized_decomposed.dequantize_per_tensor(q, 0.1, 3, 0, 255, torch.uint8)

    return Sample(Quantized(), (torch.randn(2, 3),))


@model
def fake_quantize():
    from torch.ao import quantization

    fake = quantization.FakeQuantize(observer=quantization.MovingAverageMinMaxObserver, quant_min=0, quant_max=255)
    return Sample(nn.Sequential(nn.Linear(3, 3), fake), (torch.randn(2, 3),))


@model
def qat_modules():
    from torch.ao import quantization

    layers = nn.Sequential(quantization.QuantStub(), nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.ReLU(), quantization.DeQuantStub()).train()
    layers.qconfig = quantization.get_default_qat_qconfig("fbgemm", version=0)
    return Sample(quantization.prepare_qat(layers).eval(), (torch.randn(1, 2, 5, 5),))


@model
def quantizable_lstm():
    return Sample(torch.ao.nn.quantizable.LSTM(3, 4), (torch.randn(2, 1, 3),))


@model
def quantizable_attention():
    class Heads(nn.Module):
        def __init__(self):
            super().__init__()
            self.attention = torch.ao.nn.quantizable.MultiheadAttention(4, 2)

        def forward(self, x):
            return self.attention(x, x, x)[0]

    return Sample(Heads(), (torch.randn(3, 1, 4),))


@model
def dynamic_quantized():
    return Sample(torch.ao.quantization.quantize_dynamic(nn.Sequential(nn.Linear(3, 3), nn.ReLU()), {nn.Linear}, torch.qint8), (torch.randn(2, 3),))


@model
def observed():
    from torch.ao import quantization

    layers = nn.Sequential(nn.Linear(3, 3), nn.ReLU()).eval()
    layers.qconfig = quantization.get_default_qconfig("fbgemm")
    return Sample(quantization.prepare(layers), (torch.randn(2, 3),))


@function_model(floats(2, 3))
def fake_quantize_op(self, x):
    return torch.fake_quantize_per_tensor_affine(x, 0.1, 0, 0, 255), torch.fake_quantize_per_channel_affine(
        x, torch.ones(3), torch.zeros(3, dtype=torch.int32), 1, -128, 127
    )



@model
def preserve_calls():
    class Inner(nn.Module):
        def forward(self, x, scale=2):
            return {"it's": x * scale, "b": [x]}

    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner, self.layers = Inner(), nn.ModuleList([nn.Linear(3, 3), nn.Linear(3, 3)])

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            found = self.inner(x, scale=3)
            return found["it's"] + found["b"][0]

    return Sample(Outer(), (torch.randn(2, 3),), preserve=("inner", "layers.0"))


@model
def preserve_numbers():
    layers = nn.Sequential(nn.Linear(3, 3), nn.Sequential(nn.ReLU(), nn.Linear(3, 2)))
    return Sample(layers, (torch.randn(2, 3),), preserve=("0", "1", "1.1"))


@model
def preserve_odd():
    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.add_module("it's", nn.Linear(3, 3))
            self.add_module("two words", nn.Linear(3, 3))

        def forward(self, x):
            return getattr(self, "two words")(getattr(self, "it's")(x))

    return Sample(Outer(), (torch.randn(2, 3),), preserve=("it's", "two words"))


@model
def preserve_twice():
    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x):
            return self.layer(self.layer(x))

    return Sample(Outer(), (torch.randn(2, 3),), preserve=("layer",))
