"""Small models of many kinds, each with the sizes that are dynamic and two calls: to be exported with the first one."""

import torch
from torch import nn
from torch.export import Dim
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, given, made, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(given, made, 3, stride, 1, bias=False), nn.BatchNorm2d(made)
        self.conv2, self.bn2 = nn.Conv2d(made, made, 3, 1, 1, bias=False), nn.BatchNorm2d(made)
        self.down = nn.Sequential(nn.Conv2d(given, made, 1, stride, bias=False), nn.BatchNorm2d(made))
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.relu(self.bn2(self.conv2(self.relu(self.bn1(self.conv1(x))))) + self.down(x))


class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 7, 2, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1))
        self.blocks = nn.Sequential(Block(4, 8, 2), Block(8, 8, 1))
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        return self.head(F.adaptive_avg_pool2d(self.blocks(self.stem(x)), 1).flatten(1))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.middle, self.up = nn.Conv2d(1, 4, 3, padding=1), nn.Conv2d(4, 8, 3, 2, 1), nn.ConvTranspose2d(8, 4, 2, 2)
        self.last = nn.Conv2d(8, 2, 1)

    def forward(self, x):
        a = self.down(x).relu()
        b = F.gelu(self.middle(a))
        c = F.interpolate(self.up(b), size=a.shape[2:], mode="bilinear", align_corners=False)
        return self.last(torch.cat([a, c], 1)), F.max_pool2d(b, 2).mean((2, 3))


class Mobile(nn.Module):
    """Depthwise convolutions, squeeze and excitation, padding by hand."""

    def __init__(self):
        super().__init__()
        self.expand, self.depth, self.project = nn.Conv2d(3, 12, 1), nn.Conv2d(12, 12, 3, 2, groups=12), nn.Conv2d(12, 4, 1)
        self.squeeze, self.excite = nn.Conv2d(12, 3, 1), nn.Conv2d(3, 12, 1)

    def forward(self, x):
        x = F.hardswish(self.expand(x))
        x = self.depth(F.pad(x, (1, 1, 1, 1))).relu_()
        x = x * F.hardsigmoid(self.excite(self.squeeze(x.mean((2, 3), keepdim=True)).relu()))
        return F.pixel_shuffle(self.project(x), 2)


class Causal(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.places = nn.Embedding(20, 8), nn.Embedding(32, 8)
        self.qkv, self.out, self.norm = nn.Linear(8, 24), nn.Linear(8, 8), nn.LayerNorm(8)
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)

    def forward(self, ids, mask):
        batch, length = ids.shape
        x = self.tokens(ids) + self.places(torch.arange(length))
        q, k, v = (part.reshape(batch, length, 2, 4).transpose(1, 2) for part in self.qkv(self.norm(x)).chunk(3, -1))
        seen = torch.ones(length, length, dtype=torch.bool).tril() & mask[:, None, None, :]
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, seen).transpose(1, 2).reshape(batch, length, 8))
        x = x + self.down(F.silu(self.up(self.norm(x))))
        return x[:, -1] @ self.tokens.weight.t(), {"keys": k, "values": v}


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)

    def forward(self, x):
        return self.layer(x).mean(1)


class Windows(nn.Module):
    """Windows of 4 rows and columns, as in Swin."""

    def __init__(self):
        super().__init__()
        self.norm, self.mix = nn.GroupNorm(2, 6), nn.Linear(6, 6)

    def forward(self, x):
        batch, channels, height, width = x.shape
        y = self.norm(x).view(batch, channels, height // 4, 4, width // 4, 4).permute(0, 2, 4, 3, 5, 1)
        y = self.mix(y.reshape(-1, 16, channels)).softmax(1)
        y = y.view(batch, height // 4, width // 4, 4, 4, channels).permute(0, 5, 1, 3, 2, 4)
        return torch.roll(y.reshape(x.shape), (1, 1), (2, 3)) + x


class Sizes(nn.Module):
    """Sizes that are sums, products and quotients."""

    def forward(self, x, y):
        a = torch.cat([x, y], 0)
        b = torch.cat([a, a.flip(0), x[1:]], 0)
        c = b[::2].cumsum(0)
        d = x.repeat(2, 1).view(-1)
        e = d.unfold(0, 3, 2).amax(1)
        f = y.new_zeros(x.shape[0] * 2, y.shape[0] // 2 + 1) + x.shape[0] / 2
        g = (x[:, None] * y[None]).flatten(0, 1).relu_()
        return c.sum(1), e, f, g, x.shape[0] + y.shape[0], F.avg_pool1d(g.t(), 3, ceil_mode=True)


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm, self.gru = nn.LSTM(4, 6, batch_first=True), nn.GRU(6, 3, batch_first=True)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        z, last = self.gru(y)
        return z * 2, h + c, last


class InPlace(nn.Module):
    """Writes to what it is given, to what it holds, and to views of what it makes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        a = x.sin()
        b = a[:, :2]
        b.add_(1)
        c = a * 2
        b.mul_(c[:, 2:])
        self.total.add_(a.sum(0).detach())
        x.mul_(2)
        d = self.norm(x + a + self.total)
        a.t().div_(3)
        return d.clamp_(-1, 1) + x, a


class Unbacked(nn.Module):
    def forward(self, x, n):
        found = x.nonzero()
        count = n.item()
        torch._check(count >= 2)
        torch._check(count <= 8)
        rows = torch.ones(count, 3)
        picked = torch.masked_select(x, x > 0)
        return found * 2, torch.cat([rows, rows + 1]).sum(1), rows[1:].t(), picked.exp(), found.shape[0] + count


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.yes, self.no = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        y = torch.cat([x, x.sin()])
        y = torch.cond(y.sum() > 0, lambda t: self.yes(t).relu(), lambda t: self.no(t) - 1, (y,))
        values, order = y[1:].sort(0)
        return values.gather(0, order), y.topk(2, 1)[0]


class Custom(nn.Module):
    """Operators that are in no table; one writes and returns nothing."""

    def forward(self, x, y):
        a = torch.ops.pt2cuts.twice(x)
        torch.ops.pt2cuts.increase(a)
        b = a * y
        torch.ops.pt2cuts.increase(b)
        c = b.sin()
        first, second = torch.ops.pt2cuts.parts(c)
        torch.ops.pt2cuts.increase(a)
        return first + 1, second, a, b


def register_operators():
    def increase(x):
        x.add_(1)

    library = torch.library.Library("pt2cuts", "DEF")
    library.define("twice(Tensor x) -> Tensor")
    library.define("increase(Tensor(a!) x) -> ()")
    library.define("parts(Tensor x) -> (Tensor, Tensor)")
    library.impl("twice", lambda x: x * 2, "CompositeExplicitAutograd")
    library.impl("increase", increase, "CompositeExplicitAutograd")
    library.impl("parts", lambda x: (x[:1].clone(), x[1:].clone()), "CompositeExplicitAutograd")
    return library


def images(*sizes):
    return tuple((torch.randn(size),) for size in sizes)


def models():
    """Names, models, dynamic shapes, and two calls: with the sizes to export, and with others."""
    batch, height, width = Dim("batch", min=3, max=64), Dim("height", min=16, max=256), Dim("width", min=16, max=256)
    length, auto = Dim("length", min=3, max=32), Dim.AUTO
    floats = lambda *sizes: torch.randn(sizes)  # noqa: E731
    ids = lambda *sizes: (torch.randint(20, sizes), torch.ones(sizes, dtype=torch.bool))  # noqa: E731
    return [
        ("resnet", ResNet().eval(), ({0: batch, 2: height, 3: width},), images((3, 3, 40, 48), (4, 3, 33, 65))),
        ("resnet_train", ResNet().train(), None, images((2, 3, 32, 32), (2, 3, 32, 32))),
        ("unet", UNet().eval(), ({0: batch, 2: auto, 3: auto},), images((3, 1, 16, 24), (4, 1, 20, 18))),
        ("mobile", Mobile().eval(), ({2: auto, 3: auto},), images((1, 3, 16, 24), (1, 3, 21, 9))),
        ("causal", Causal().eval(), ({0: batch, 1: length}, {0: batch, 1: length}), (ids(4, 7), ids(3, 5))),
        ("encoder", Encoder().eval(), ({0: batch, 1: length},), ((floats(4, 5, 8),), (floats(3, 9, 8),))),
        ("windows", Windows().eval(), ({2: 4 * Dim("rows", max=16)},),
         images((1, 6, 8, 12), (1, 6, 20, 12))),
        ("sizes", Sizes(), ({0: batch}, {0: length}), ((floats(4, 3), floats(6, 3)), (floats(5, 3), floats(9, 3)))),
        ("recurrent", Recurrent().eval(), None, ((floats(2, 5, 4),), (floats(2, 5, 4),))),
        ("in_place", InPlace().train(), ({0: batch},), ((floats(3, 4),), (floats(5, 4),))),
        ("unbacked", Unbacked(), ({0: batch}, None),
         ((floats(5), torch.tensor(3)), (floats(7), torch.tensor(6)))),
        ("branches", Branches().eval(), ({0: batch},), ((floats(3, 4),), (floats(5, 4),))),
        ("custom", Custom(), ({0: batch}, {0: batch}), ((floats(4, 4), floats(4, 4)), (floats(5, 4), floats(5, 4)))),
    ]
