"""Inferred types equal the types of torch's fake tensors: for many operators, random shapes, dtypes and
strides, with sizes that are numbers and with symbolic ones.

Needs torch. INFERRED_NODES names the program that compares.
"""

import logging
import operator
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import warnings

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401  registers the operators
import torch.utils._pytree as pytree
from torch._subclasses.fake_tensor import FakeTensorMode

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import random_seed  # noqa: E402

INFERRED_NODES = os.environ["INFERRED_NODES"]
F = torch.nn.functional
aten = torch.ops.aten

# Results whose size depends on data, and rare operators.
WITHOUT_RULE = set()

UNARY = """abs acos acosh angle asin asinh atan atanh bitwise_not ceil conj_physical cos cosh deg2rad digamma erf erfc erfinv exp
    exp2 expm1 floor frac hardsigmoid hardswish isfinite isinf isnan isneginf isposinf lgamma log log10 log1p log2 logical_not logit
    mish neg positive rad2deg reciprocal relu relu6 round rsqrt selu sgn sigmoid sign signbit silu sin sinc sinh softplus softsign
    sqrt square tan tanh tanhshrink trunc elu gelu hardtanh leaky_relu log_sigmoid hardshrink softshrink""".split()
BINARY = """add atan2 bitwise_and bitwise_or bitwise_xor div eq fmax fmin fmod ge gt hypot le logical_and logical_or
    logical_xor lt maximum minimum mul ne pow remainder sub""".split()
DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64]
REDUCTIONS = "sum mean amax amin prod var std all any argmax argmin logsumexp norm var_mean std_mean".split()


def tensor(chance, shape, dtype=None):
    made = torch.ones(shape, dtype=dtype or chance.choice(DTYPES))
    kind = chance.random()
    if kind < 0.25 and made.dim() > 1:
        order = chance.sample(range(made.dim()), made.dim())
        made = made.permute(order).contiguous().permute(sorted(range(len(order)), key=order.__getitem__))
    elif kind < 0.35 and made.dim() > 0:
        made = torch.ones([*shape[:-1], 2 * shape[-1]], dtype=made.dtype)[..., ::2]
    return made


def shape_of(chance, rank=None):
    return [chance.choice([1, 2, 3, 4, 5]) for _ in range(chance.randrange(4) if rank is None else rank)]


def smaller(chance, shape):
    """A shape that can be broadcast to it."""
    return [1 if chance.random() < 0.3 else size for size in shape][chance.randrange(len(shape) + 1) if shape else 0:]


class Case:
    """A function, and the tensors that it takes."""

    def __init__(self, function, *inputs):
        self.function, self.inputs = function, inputs


def pointwise(chance):
    for name in UNARY:
        yield Case(getattr(torch, name, None) or getattr(F, name.replace("log_sigmoid", "logsigmoid")), tensor(chance, shape_of(chance)))
    for name in BINARY:
        for _ in range(3):
            shape = shape_of(chance)
            yield Case(getattr(torch, name), tensor(chance, shape), tensor(chance, smaller(chance, shape)))
        number = chance.choice([2, 1.5, True])
        yield Case(lambda a, name=name, number=number: getattr(torch, name)(a, number), tensor(chance, shape_of(chance)))
    for name in ("copysign", "floor_divide", "xlogy"):  # torch composes these from operators that determine the strides
        yield Case(getattr(torch, name), torch.ones(3, 4), torch.ones(4, dtype=chance.choice(DTYPES[:8])))
    shape = shape_of(chance, 3)
    a, b, c = (tensor(chance, shape, torch.float32) for _ in range(3))
    yield Case(lambda p, x, y: torch.where(p > 0, x, y), a, tensor(chance, shape), tensor(chance, smaller(chance, shape)))
    yield Case(lambda x, y, z: torch.addcmul(x, y, z, value=2), a, b, c)
    yield Case(lambda x, y: torch.lerp(x, y, 0.3), a, b)
    yield Case(lambda x: x.clamp(min=0), tensor(chance, shape, torch.int64))
    yield Case(lambda x: x.clamp(0.5, 2), tensor(chance, shape))
    yield Case(lambda x, y: x.masked_fill(y > 0, 2), tensor(chance, shape, torch.float16), a)
    yield Case(lambda x: torch.div(x, 2, rounding_mode="floor"), tensor(chance, shape))
    yield Case(lambda x: F.dropout(x, 0.5, True), a)
    for dtype in DTYPES:
        yield Case(lambda x, dtype=dtype: x.to(dtype), tensor(chance, shape))


def views(chance):
    for _ in range(3):
        x = tensor(chance, shape_of(chance, 3))
        d, e = chance.randrange(-3, 3), chance.randrange(-3, 3)
        first, second, third = x.shape
        at = chance.randrange(x.shape[d])
        yield Case(lambda x, d=d, e=e: x.transpose(d, e), x)
        yield Case(lambda x, order=chance.sample(range(3), 3): x.permute(order), x)
        yield Case(lambda x, d=d: x.unsqueeze(d), x)
        yield Case(lambda x, d=d: x.squeeze(d), x)
        yield Case(lambda x: x.squeeze(), x)
        yield Case(lambda x, shape=(first * second, third): x.reshape(shape), x)
        yield Case(lambda x, shape=(first, -1): x.reshape(shape), x)
        yield Case(lambda x: x.contiguous().view(-1), x)
        yield Case(lambda x: x.flatten(chance.randrange(1), 1), x)
        yield Case(lambda x, size=x.shape[d], d=d: x.unflatten(d, (size, 1)), x)
        yield Case(lambda x: x[:1].expand(4, -1, -1), x)
        yield Case(lambda x: x.sum(0, keepdim=True).expand(2, 4, -1, -1), x)
        yield Case(lambda x, d=d, at=at: x.select(d, at), x)
        yield Case(lambda x, d=d, at=at: x.select(d, at - x.shape[d]), x)
        yield Case(lambda x, d=d, at=at: aten.slice(x, d, at, None, 2), x)
        yield Case(lambda x, d=d, at=at: aten.slice(x, d, -2, 100), x)
        yield Case(lambda x, d=d, at=at: x.narrow(d, at, 1), x)
        yield Case(lambda x, d=d: x.split(2, d), x)
        yield Case(lambda x, d=d, at=at: x.split([at, x.shape[d] - at], d), x)
        yield Case(lambda x, d=d: x.chunk(2, d), x)
        yield Case(lambda x, d=d: x.unbind(d), x)
        yield Case(lambda x: x.repeat(2, 1, 3, 1), x)
        yield Case(lambda x: x.mT, x)
        yield Case(lambda x: x[0].t(), x)
        yield Case(lambda x: x.clone(), x)
        yield Case(lambda x: x.detach(), x)
        yield Case(lambda x: x.contiguous(), x)


def reductions(chance):
    for name in REDUCTIONS:
        for _ in range(2):
            x = tensor(chance, shape_of(chance, 3), chance.choice(DTYPES[:4] if name not in ("all", "any", "sum", "prod") else DTYPES))
            d, keep = chance.randrange(-3, 3), chance.random() < 0.5
            yield Case(lambda x, name=name, d=d, keep=keep: getattr(torch, name)(x, dim=d, keepdim=keep), x)
            if name not in ("amax", "amin", "logsumexp"):
                yield Case(getattr(torch, name), x)
    x = tensor(chance, shape_of(chance, 3), torch.float32)
    for name in ("max", "min"):
        yield Case(lambda x, name=name: getattr(torch, name)(x, 1), x)
        yield Case(getattr(torch, name), x)
    yield Case(lambda x: x.sum((0, 2)), x)
    yield Case(lambda x: x.mean((0, -1), keepdim=True), x)
    yield Case(lambda x: x.sum(1, dtype=torch.float64), x)
    yield Case(lambda x: torch.linalg.vector_norm(x, dim=1), x)
    for name in ("cumsum", "cumprod", "softmax", "log_softmax", "sort", "argsort"):
        yield Case(lambda x, name=name: getattr(torch, name)(x, dim=1), x)
    yield Case(lambda x: x.to(torch.bool).cumsum(0), x)
    yield Case(lambda x: x.topk(1, dim=2), x)


def products(chance):
    for a_rank in (1, 2, 3, 4):
        for b_rank in (1, 2, 3, 4):
            batch = shape_of(chance, 2)
            a = ([*batch, 3, 4])[-a_rank:]
            b = ([*batch, 4, 5] if b_rank > 1 else [4])[-b_rank:]
            yield Case(torch.matmul, torch.ones(a), torch.ones(b))
    a, b, c = torch.ones(3, 4), torch.ones(4, 5), torch.ones(5)
    yield Case(lambda a, b, c: torch.addmm(c, a, b, beta=2), a, b, c)
    yield Case(torch.mm, a, b)
    yield Case(torch.bmm, torch.ones(2, 3, 4), torch.ones(2, 4, 5))
    yield Case(torch.baddbmm, torch.ones(3, 5), torch.ones(2, 3, 4), torch.ones(2, 4, 5))
    yield Case(torch.mv, a, torch.ones(4))
    yield Case(torch.dot, torch.ones(4), torch.ones(4))
    yield Case(F.linear, torch.ones(2, 3, 4), torch.ones(5, 4), torch.ones(5))
    yield Case(F.linear, torch.ones(4), torch.ones(5, 4))
    yield Case(F.scaled_dot_product_attention, *(torch.ones(2, 3, 6, 4) for _ in range(3)))


def windows(chance):
    for rank, conv, transposed in ((1, F.conv1d, F.conv_transpose1d), (2, F.conv2d, F.conv_transpose2d), (3, F.conv3d, F.conv_transpose3d)):
        for _ in range(3):
            groups = chance.choice([1, 2])
            image = torch.ones([2, 4, *(chance.randrange(6, 9) for _ in range(rank))])
            kernel = [chance.choice([1, 2, 3]) for _ in range(rank)]
            stride, padding, dilation = chance.choice([1, 2]), chance.choice([0, 1]), chance.choice([1, 2])
            yield Case(lambda x, w, conv=conv, s=stride, p=padding, d=dilation, g=groups: conv(x, w, None, s, p, d, g),
                       image, torch.ones([6, 4 // groups, *kernel]))
            yield Case(lambda x, w, conv=transposed, s=stride, p=padding, d=dilation, g=groups: conv(x, w, None, s, p, 0, g, d),
                       image, torch.ones([4, 6 // groups, *kernel]))
            yield Case(lambda x, w, conv=conv: conv(x[0], w, padding="same"), image, torch.ones([6, 4, *kernel]))
    image = torch.ones(2, 4, chance.randrange(6, 9), chance.randrange(6, 9))
    last = image.contiguous(memory_format=torch.channels_last)
    for x in (image, last, image[0]):
        yield Case(lambda x: F.conv2d(x, torch.ones(6, 4, 3, 3)), x)
        yield Case(lambda x, ceil=chance.random() < 0.5: F.max_pool2d(x, 3, 2, 1, ceil_mode=ceil), x)
        yield Case(lambda x: F.max_pool2d(x, 2, return_indices=True), x)
        yield Case(lambda x: F.avg_pool2d(x, (2, 3), padding=(1, 0)), x)
        yield Case(lambda x: F.adaptive_avg_pool2d(x, (3, 1)), x)
    yield Case(lambda x: F.max_pool1d(x[0], 2), image)
    yield Case(lambda x: F.avg_pool1d(x[0], 2), image)
    yield Case(lambda x: x.contiguous(memory_format=torch.channels_last), image)
    yield Case(lambda x: torch.relu(x) + 1, last)
    yield Case(lambda x: torch.zeros_like(x), last)


def norms(chance):
    x, c = torch.ones(2, 4, 5, 3), torch.ones(4)
    yield Case(lambda x: F.layer_norm(x, (5, 3)), x)
    yield Case(lambda x: F.layer_norm(x.half(), (3,)), x)
    yield Case(lambda x, c: F.batch_norm(x, c, c), x, c)
    yield Case(lambda x, c: F.batch_norm(x, None, None, c, c, True), x, c)
    yield Case(lambda x: F.group_norm(x, 2), x)
    yield Case(lambda x, c: F.batch_norm(x.half(), c.half(), c.half(), training=True), x, c)
    yield Case(lambda x: F.group_norm(x.bfloat16(), 2), x)
    yield Case(lambda x: F.rms_norm(x, (3,)), x)
    yield Case(lambda x: F.instance_norm(x), x)
    yield Case(lambda x: F.instance_norm(x), x.contiguous(memory_format=torch.channels_last))


def indexing(chance):
    x, y = tensor(chance, [3, 4]), tensor(chance, [3, 2])
    rows = torch.tensor([0, 2, 1, 1])
    yield Case(lambda x, y: torch.cat([x, y], -1), x, y)
    yield Case(lambda x, y: torch.stack([x, x + x], chance.randrange(-3, 3)), tensor(chance, [3, 4], torch.float32), y)
    yield Case(lambda x, i: x.gather(0, i.view(2, 2)), x, rows)
    yield Case(lambda x, i: x.index_select(1, i), x, rows)
    yield Case(lambda x, i: x[i], x, rows)
    yield Case(lambda x, i: x[:, i.view(2, 2)], x, rows)
    yield Case(lambda x, i: torch.stack([x, x])[i[:2] * 0, :, i[:2]], tensor(chance, [3, 4], torch.float32), rows)
    yield Case(lambda w, i: F.embedding(i.view(2, 2), w), torch.ones(3, 4), rows)
    for n in (0, 1, 2, 3, 4, 9):
        given = tensor(chance, shape_of(chance, 3))
        d = chance.randrange(-3, 3)
        yield Case(lambda x, n=n, d=d: torch.diff(x, n, d), given)
        yield Case(lambda x, n=n: torch.diff(x, n, 0), given.new_ones(2, 0, 3))
        yield Case(lambda x, n=n: torch.diff(x, n), given.new_ones(2, 3, 0))
        yield Case(lambda x, n=n: torch.diff(x, n, 1), given.new_ones(2, 3, 4, 5).to(memory_format=torch.channels_last))
        shape = list(given.shape)
        shape[d] = chance.choice([0, 1, 3])
        yield Case(lambda x, p, n=n, d=d: torch.diff(x, n, d, p), given, tensor(chance, shape))
        yield Case(lambda x, p, n=n, d=d: torch.diff(x, n, d, append=p), given, tensor(chance, shape))
        yield Case(lambda x, p, n=n, d=d: torch.diff(x, n, d, p, p), given, tensor(chance, shape))
        yield Case(lambda x, n=n: torch.diff(x, n, prepend=x[:0], append=x), torch.ones(3))
    yield Case(lambda x: x.tril(), tensor(chance, [3, 4], torch.float32))
    yield Case(lambda x: F.pad(x, (1, 2)), tensor(chance, [3, 4], torch.float32))
    yield Case(lambda x: x.flip(0), x)
    yield Case(lambda x: x.roll(1, 0), x)


def images(chance):
    image = torch.ones(2, 4, chance.randrange(5, 8), chance.randrange(5, 8))
    last = image.contiguous(memory_format=torch.channels_last)
    gaps = last.permute(0, 2, 3, 1)[:, 1:, 1:].permute(0, 3, 1, 2)
    for x in (image, last, gaps):
        for mode in ("nearest", "nearest-exact", "bilinear", "bicubic"):
            yield Case(lambda x, mode=mode: F.interpolate(x, scale_factor=2, mode=mode), x)
            yield Case(lambda x, mode=mode: F.interpolate(x, size=(3, 7), mode=mode), x)
        yield Case(lambda x: F.interpolate(x, scale_factor=1.5, mode="area"), x)
        yield Case(lambda x: F.interpolate(x, scale_factor=(0.7, 1.5)), x)
        yield Case(lambda x, g: F.grid_sample(x, g, align_corners=False), x, torch.ones(2, 3, 5, 2))
        yield Case(lambda x: F.unfold(x, (2, 3), padding=1, stride=2), x)
        yield Case(lambda x: F.pixel_unshuffle(F.pixel_shuffle(x, 2), 2), x)
        yield Case(lambda x, w: F.conv2d(x, w, padding=1), x, torch.ones(6, 4, 3, 3))
        yield Case(lambda x, w: F.conv2d(x, w), x, torch.ones(6, 4, 1, 1))
        yield Case(lambda x, w: F.conv2d(x, w, groups=4), x, torch.ones(4, 1, 3, 3))
        yield Case(lambda x, w: F.conv_transpose2d(x, w), x, torch.ones(4, 6, 2, 2))
        yield Case(lambda x: torch.cat([x, x], 1), x)
        yield Case(lambda x, y: torch.cat([x, y], 1), x, torch.ones_like(x).contiguous())
        yield Case(lambda x: F.max_pool2d(x, 2), x)
        yield Case(lambda x: F.adaptive_avg_pool2d(x, 1), x)
        for pad in ((0, 0, 0, 0), (1, 2, 0, 1), (-1, 0, 1, 0)):
            yield Case(lambda x, pad=pad: F.pad(x, pad), x)
        for mode in ("reflect", "replicate", "circular")[:2 if x is last else 3]:  # torch's decomposition drops the offset
            yield Case(lambda x, mode=mode: F.pad(x, (1, 2, 0, 1), mode=mode), x)
    yield Case(lambda t: F.affine_grid(t, (2, 4, 3, 5), align_corners=False), torch.ones(2, 2, 3))
    yield Case(lambda x: F.fold(x, (6, 7), (2, 3)), torch.ones(2, 12, 25))
    yield Case(lambda x: F.interpolate(x, scale_factor=3, mode="linear"), torch.ones(2, 3, 5))
    yield Case(lambda x: F.interpolate(x, scale_factor=2, mode="trilinear"), torch.ones(1, 2, 3, 4, 5))


def recurrent(chance):
    for batch_first in (False, True):
        for layers, bidirectional in ((1, False), (2, True)):
            for kind in (torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN):
                layer = kind(4, 6, layers, bidirectional=bidirectional, batch_first=batch_first)
                yield Case(layer, torch.ones(2, 3, 4))
    for kind in (torch.nn.LSTMCell, torch.nn.GRUCell, torch.nn.RNNCell):
        yield Case(kind(4, 6), torch.ones(3, 4))


def matrices(chance):
    square = torch.eye(3).expand(2, 3, 3).contiguous()
    wide, b = torch.ones(2, 3, 5), torch.ones(2, 3, 4)
    linalg = torch.linalg
    for function in (linalg.inv, linalg.det, linalg.slogdet, linalg.cholesky, linalg.eigh, linalg.eigvalsh, linalg.eig, linalg.matrix_exp,
                     linalg.inv_ex, linalg.cholesky_ex, linalg.lu_factor, linalg.lu, linalg.svdvals, linalg.eigvals, torch.logdet):
        yield Case(function, square)
    for function in (linalg.qr, lambda a: linalg.qr(a, "complete"), linalg.svd, lambda a: linalg.svd(a, full_matrices=False), linalg.pinv,
                     linalg.matrix_rank, linalg.matrix_norm, linalg.norm, linalg.vector_norm):
        yield Case(function, wide)
    yield Case(linalg.solve, square, b)
    yield Case(linalg.solve, square, b[:, :, 0].contiguous())
    yield Case(lambda a: linalg.matrix_power(a, 3), square)
    yield Case(torch.trace, square[0])
    yield Case(torch.outer, torch.ones(3), torch.ones(4))
    yield Case(torch.kron, torch.ones(2, 3), torch.ones(4))
    yield Case(torch.cdist, torch.ones(2, 3, 5), torch.ones(2, 4, 5))
    yield Case(torch.inner, torch.ones(2, 3, 5), torch.ones(4, 5))
    yield Case(linalg.vecdot, torch.ones(2, 3, 5), torch.ones(3, 5))
    yield Case(linalg.cross, torch.ones(2, 3), torch.ones(1, 3))
    yield Case(lambda a, b, c: linalg.multi_dot([a, b, c]), torch.ones(2, 3), torch.ones(3, 4), torch.ones(4, 5))


def transforms(chance):
    x = tensor(chance, [4, 5, 6], torch.float32)
    for name in ("fft", "ifft", "rfft", "ihfft"):
        for d in range(3):
            yield Case(lambda x, f=getattr(torch.fft, name), d=d: f(x, dim=d), x)
        yield Case(lambda x, f=getattr(torch.fft, name): f(x, n=8), x)
    for name in ("fft2", "ifft2", "rfft2", "fftn", "ifftn", "rfftn"):
        yield Case(getattr(torch.fft, name), x)
        yield Case(lambda x, f=getattr(torch.fft, name): f(x, dim=(0, 2)), x)
    for name in ("irfft", "hfft", "irfft2", "irfftn", "fft", "fftn"):
        yield Case(getattr(torch.fft, name), x.to(torch.complex64))
    yield Case(torch.fft.fftshift, x)
    yield Case(lambda x: (torch.fft.rfftfreq(9), torch.fft.fftfreq(8)), x)


def others(chance):
    x, y = tensor(chance, [4, 6], torch.float32), tensor(chance, [6, 4], torch.float32)
    wide = torch.ones(4, 9)[:, :6]
    for a in (x, wide):
        yield Case(lambda a, y: (a.reshape_as(y), a & (a > 0) if a.dtype == torch.bool else a > 0), a, y)
        yield Case(lambda a: (a.slice_scatter(a[:2] + 1, 0, 0, 2), a.select_scatter(a[0] + 1, 0, 1), a.diagonal(1)), a)
        yield Case(lambda a, y: (aten.copy(a, y.t()), F.dropout(a, 0.5, False), a.unfold(1, 3, 2), a.movedim(0, 1)), a, y)
        yield Case(lambda a: (torch.histc(a, 7), a.tile(2, 3), a.repeat_interleave(2, 1), a.repeat_interleave(3)), a)
        yield Case(lambda a: torch.fliplr(a), a)
        yield Case(lambda a: a.tensor_split(4, 1), a)
        yield Case(lambda a: a.hsplit(2), a)
        yield Case(lambda a, y: torch.broadcast_tensors(a, y[0, 0]), a, y)
    # Twice, because the second comes from torch's cache; with an offset, and with all elements in one place.
    for _ in range(2):
        yield Case(lambda a, y: (aten.copy(a[1:, 2:], y.t()[1:, 2:]), a[1:].slice_scatter(a[:1] + 1, 0, 0, 1), a[1:].select_scatter(a[0], 0, 1),
                                 a[1:].diagonal_scatter(a[:3, 0]), aten.copy(a[:1].expand(5, -1), a[0]), a[1].expand(5, 6).select_scatter(a[0], 0, 1)),
                   x, y)
    m = torch.ones(4, 6, dtype=torch.bool)
    for name in ("__and__", "__or__", "__xor__"):
        yield Case(lambda a, name=name: getattr(a, name)(a), m)
        yield Case(lambda a, name=name: getattr(a, name)(a), torch.ones(2, 3, dtype=torch.int32).t())
    for indexing in ("ij", "xy"):
        yield Case(lambda a, b, indexing=indexing: torch.meshgrid(a, b, indexing=indexing), torch.ones(3), torch.ones(8)[::2])
    yield Case(lambda i: F.one_hot(i, 5), torch.ones(3, dtype=torch.int64))
    yield Case(lambda z: (torch.view_as_real(z), z.real, z.imag, z.conj()), torch.ones(3, 4, dtype=torch.complex64))
    yield Case(torch.view_as_complex, torch.ones(3, 4, 2))
    yield Case(lambda a, b: (torch.hstack([a, b]), torch.vstack([a, b])), torch.ones(3, 4), torch.ones(3, 4))
    yield Case(lambda a, i: torch.take_along_dim(a, i, 1), x, torch.zeros(4, 2, dtype=torch.int64))
    yield Case(lambda a, b: torch.bucketize(a, b), x, torch.ones(5))
    yield Case(lambda a, b: torch.searchsorted(b, a), x, torch.ones(5))
    for q, mask in ((torch.ones(2, 6, 3, 4).transpose(1, 2), None), (torch.ones(2, 3, 6, 4), torch.ones(6, 6)), (torch.ones(3, 6, 4), None)):
        yield Case(lambda q, mask: F.scaled_dot_product_attention(q, q, q, mask), q, mask)


def quantized(chance):
    ops = torch.ops.quantized_decomposed
    x, scales, zeros = tensor(chance, [4, 6], torch.float32), torch.ones(4), torch.zeros(4, dtype=torch.int64)
    yield Case(lambda x: ops.dequantize_per_tensor(ops.quantize_per_tensor(x, 0.1, 0, -128, 127, torch.int8), 0.1, 0, -128, 127, torch.int8), x)
    yield Case(lambda x, s, z: ops.dequantize_per_channel(ops.quantize_per_channel(x, s, z, 0, -128, 127, torch.int8), s, z, 0, -128, 127,
                                                          torch.int8), x, scales, zeros)
    yield Case(lambda x: ops.choose_qparams.tensor(x, -128, 127, 1e-5, torch.int8), x)
    yield Case(lambda x: ops.choose_qparams_per_token(x, torch.int8), x)
    yield Case(lambda x: ops.choose_qparams_per_token_asymmetric(x, torch.int8), x)


class Autocast(torch.nn.Module):
    """Bodies with and without gradients, and of other dtypes."""

    def __init__(self):
        super().__init__()
        self.linear, self.convolution = torch.nn.Linear(4, 4), torch.nn.Conv2d(1, 2, 3)
        self.mask = torch.nn.Parameter(torch.ones(4, 4))

    def forward(self, x, image):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x.t())
            made = [y, y.softmax(-1), torch.cat([y, x]), self.convolution(image), y + x, y @ x.t(), F.layer_norm(y, (4,)), F.mse_loss(y, x)]
            heads = x[None, None]
            made += [F.scaled_dot_product_attention(heads, heads, heads), torch.stack([x, y]), torch.bmm(x[None], y[None]), y.prod()]
        with torch.no_grad():
            made += [y + 1, y.t()]
        heads = x.view(1, 4, 2, 2).transpose(1, 2)
        made.append(F.scaled_dot_product_attention(heads, heads, heads, self.mask))
        return made


def factories(chance):
    x = tensor(chance, [3, 4])
    for dtype in (None, torch.float16, torch.int64):
        yield Case(lambda x, dtype=dtype: (torch.zeros(2, 3, dtype=dtype), torch.full((2,), 1, dtype=dtype),
                                           torch.arange(chance.randrange(9), dtype=dtype), torch.arange(1, 9, 3, dtype=dtype),
                                           torch.zeros_like(x, dtype=dtype), torch.full_like(x, 1, dtype=dtype),
                                           x.new_ones(2, 3, dtype=dtype), torch.eye(3, 4, dtype=dtype)), x)
    yield Case(lambda x: (torch.arange(0, 1, 0.3), torch.full((2,), True), torch.full((2,), 1.5), torch.randn(2, 3),
                          torch.randint(5, (2, 3)), torch.rand_like(x.float()), torch.linspace(0, 1, 7)), x)


def symbolic(x, y, image):
    """A tensor of unknown size."""
    n = x.shape[0]
    w = torch.ones(4, 6)
    flat = x.reshape(-1)
    return [x + y[0], x * n, x.t() @ x, x @ w, flat, x.view(n, 2, 2), x.unsqueeze(1).expand(-1, 3, -1), torch.cat([x, y, x]),
            torch.stack([x, x], 1), x.sum(0), x.sum(1), x.softmax(1), x[:, 1:3], x[1:], x.transpose(0, 1) + 1, x.split(2, 1)[1],
            torch.zeros(n, 3), torch.arange(n), torch.full((2 * n + 1,), 1.0), F.conv2d(image, torch.ones(4, 3, 3, 3), padding=1),
            F.conv2d(image, torch.ones(4, 3, 3, 3), stride=2), F.max_pool2d(image, 2), image.permute(0, 2, 3, 1).contiguous(),
            image.flatten(1), F.layer_norm(x, (4,)), F.linear(x, w.t()), x.view(n, 2, 2).transpose(1, 2).reshape(n, 4), x.chunk(2, 1)[0],
            x.repeat(2, 1), n * 2, n + 1 - 3, n // 2, n / 2, n % 4, -n, y.view(-1, 2), x.max(1)[1], x[0], x.mean(), F.pad(x, (1, 1)),
            torch.diff(x, dim=0), torch.diff(x, 2, 0), torch.diff(x, 3, 1), torch.diff(x, 2, 0, x, y), torch.diff(x, 1, 1, x), torch.diff(x, 9)]


class Many(torch.nn.Module):
    def __init__(self, cases):
        super().__init__()
        self.cases = cases

    def forward(self, inputs):
        results = [case.function(*given) for case, given in zip(self.cases, inputs)]
        return [leaf for leaf in pytree.tree_leaves(results) if isinstance(leaf, torch.Tensor)]


def works(case):
    try:
        case.function(*case.inputs)
        return True
    except (RuntimeError, NotImplementedError, IndexError, TypeError):
        return False


class TorchInfersAlike(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.file = pathlib.Path(folder.name) / "program.pt2"
        cls.chance = random.Random(random_seed.SEED)

    def check(self, program, at_least):
        torch.export.save(program, self.file)
        lines = subprocess.run([INFERRED_NODES, self.file], check=True, capture_output=True, text=True).stdout.splitlines()
        unknown = {line.split()[1] for line in lines if line.startswith("unknown: ")}
        known = [int(line.removeprefix("known: ")) for line in lines if line.startswith("known: ")]
        self.assertEqual([line for line in lines if not line.startswith(("unknown: ", "known: ", "nodes: ", "right: "))], [])
        self.assertGreater(known[0], at_least)
        self.assertEqual(unknown - WITHOUT_RULE, set())

    def test_of_known_sizes(self):
        for make in (pointwise, views, reductions, products, windows, norms, indexing, factories, images, recurrent, matrices, transforms,
                     others, quantized):
            with self.subTest(make.__name__):
                cases = [case for case in make(self.chance) if works(case)]
                inputs = [case.inputs for case in cases]
                program = torch.export.export(Many(cases), (inputs,), strict=False)
                self.check(program, len(cases) // 2)
                if make in (windows, norms, products, images, others):
                    self.check(program.run_decompositions(), len(cases) // 2)

    def test_of_the_bodies_of_modes(self):
        program = torch.export.export(Autocast(), (torch.ones(4, 4), torch.ones(1, 1, 5, 5)), strict=False)
        self.check(program, 20)

    def test_of_symbolic_sizes(self):
        class Symbolic(torch.nn.Module):
            def forward(self, x, y, image):
                return symbolic(x, y, image)

        rows, size = torch.export.Dim("rows", min=4, max=64), torch.export.Dim("size", min=8, max=64)
        program = torch.export.export(Symbolic(), (torch.ones(6, 4), torch.ones(5, 4), torch.ones(2, 3, 12, 9)),
                                      dynamic_shapes=({0: rows}, None, {2: size}), strict=False)
        self.check(program, 40)

    def test_of_windows_that_go_beyond_symbolic_sizes(self):
        class Pools(torch.nn.Module):
            def forward(self, image):
                return [F.avg_pool2d(image, 2, ceil_mode=True), F.max_pool2d(image, 3, 2, 1, ceil_mode=True), F.avg_pool2d(image, 3, 4, ceil_mode=True)]

        for height, width in ((12, 13), (9, 15), (10, 11)):
            shapes = ({2: torch.export.Dim.AUTO, 3: torch.export.Dim.AUTO},)
            program = torch.export.export(Pools(), (torch.ones(2, 3, height, width),), dynamic_shapes=shapes)
            with self.subTest(height=height, width=width):
                self.check(program, 2)


class CallText:
    """The calls and types of inferred_call.h, with numbers for the symbols."""

    SYMBOLS = {"s0": 5, "s1": 7, "Max": max, "Min": min}
    DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64, "i8": torch.int8, "i16": torch.int16,
              "i32": torch.int32, "i64": torch.int64, "u8": torch.uint8, "bool": torch.bool, "c64": torch.complex64, "c128": torch.complex128}
    WORDS = {"none": None, "true": True, "false": False, "channels_last": torch.channels_last, "contiguous_format": torch.contiguous_format}
    TENSOR = re.compile(r"\b(" + "|".join(DTYPES) + r")(\[[^\]]*\])(\[[^\]]*\])?(?:\+([^,\])]+))?")

    @classmethod
    def row_major(cls, sizes):
        strides = [1]
        for size in reversed(sizes[1:]):
            strides.insert(0, strides[0] * (size or 1))
        return strides[:len(sizes)]

    @classmethod
    def layout(cls, match):
        sizes, strides, offset = (part and eval(part, cls.SYMBOLS) for part in match.groups()[1:])
        return sizes, strides or cls.row_major(sizes), offset or 0

    @classmethod
    def tensor(cls, match):
        sizes, strides, offset = cls.layout(match)
        count = 1 + sum((size - 1) * stride for size, stride in zip(sizes, strides)) if all(sizes) else 0
        return torch.zeros(offset + count, dtype=cls.DTYPES[match[1]]).as_strided(sizes, strides, offset)

    @classmethod
    def call(cls, text):
        name, arguments = text.removesuffix(")").split("(", 1)
        tensors = []

        def put_aside(match):
            tensors.append(cls.tensor(match))
            return f"tensors[{len(tensors) - 1}]"

        root = {"_operator": operator, "torch": torch}.get(name.split(".")[0])
        function = operator.attrgetter(name.split(".", 1)[1])(root) if root else operator.attrgetter(name)(torch.ops)
        arguments = cls.TENSOR.sub(put_aside, arguments)
        return eval(f"function({arguments})", {**cls.SYMBOLS, **cls.DTYPES, **cls.WORDS, "function": function, "tensors": tensors})

    @classmethod
    def type_of(cls, value):
        if isinstance(value, torch.Tensor):
            dtype = next(name for name, dtype in cls.DTYPES.items() if dtype == value.dtype)
            return cls.type_text(dtype, list(value.shape), list(value.stride()), value.storage_offset())
        if isinstance(value, (list, tuple)):
            return ", ".join(map(cls.type_of, value))
        return {bool: "bool", float: "float"}.get(type(value), f"int {value}")

    @classmethod
    def type_text(cls, dtype, sizes, strides, offset):
        return f"{dtype}{sizes}{[stride for size, stride in zip(sizes, strides) if size != 1]}+{offset}"

    @classmethod
    def types(cls, text):
        text = cls.TENSOR.sub(lambda match: cls.type_text(match[1], *cls.layout(match)), text)
        return re.sub(r"int ((?:[^,(]|\([^)]*\))+)", lambda match: f"int {eval(match[1], cls.SYMBOLS)}", text)


class TheTestsExpectWhatTorchInfers(unittest.TestCase):
    CHECK = re.compile(r'CHECK\((inferred|inference_error)\(\s*((?:"[^"]*"\s*)+)(?:,\s*"(\w+)")?\) ==\s*((?:"[^"]*"\s*)+)\)')

    def test_all_calls(self):
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)
        folder = pathlib.Path(__file__).resolve().parents[1] / "toolbox/pt2/infer"
        count = 0
        for path in sorted(folder.glob("*_test.cpp")):
            for kind, call, mode, expected in self.CHECK.findall(path.read_text()):
                call, expected = ("".join(re.findall('"([^"]*)"', text)) for text in (call, expected))
                count += 1
                with self.subTest(file=path.name, call=call), FakeTensorMode(), torch.no_grad(), torch.backends.mkldnn.flags(enabled=False), \
                        torch.autocast("cpu", dtype=CallText.DTYPES.get(mode), enabled=bool(mode)):
                    if kind == "inferred":
                        self.assertEqual(CallText.types(expected), CallText.type_of(CallText.call(call)))
                    else:
                        with self.assertRaises(Exception):
                            CallText.type_of(CallText.call(call))
        self.assertEqual(count, sum(len(re.findall(r"CHECK\(inf\w+\(", path.read_text())) for path in folder.glob("*_test.cpp")))


if __name__ == "__main__":
    unittest.main()
