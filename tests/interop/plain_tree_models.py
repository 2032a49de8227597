"""Writes programs whose inputs and outputs are of classes that only this process knows.

`plain_tree_models.py FOLDER` writes NAME.pt2 for each, and NAME.pt: what it is called with and gives, with dicts and tuples in place
of the classes, by hand and not by pt2.
"""

import collections
import dataclasses
import pathlib
import sys
from typing import NamedTuple, Optional

import torch
import torch.utils._pytree as pytree


@dataclasses.dataclass
class Batch:
    x: torch.Tensor
    mask: Optional[torch.Tensor]
    scale: torch.Tensor


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


class Output(collections.OrderedDict):
    """Like the model outputs of transformers."""


class Cache:
    """Like the caches of transformers."""

    def __init__(self, keys, values):
        self.items = {"key_cache": keys, "value_cache": values}


class Nameless:
    def __init__(self, parts, note):
        self.parts, self.note = parts, note


torch.export.register_dataclass(Batch, serialized_type_name="models.Batch")
pytree._register_namedtuple(Pair, serialized_type_name="models.Pair")
pytree.register_pytree_node(
    Output, lambda o: (list(o.values()), list(o.keys())), lambda values, names: Output(zip(names, values)),
    flatten_with_keys_fn=lambda o: ([(pytree.MappingKey(k), v) for k, v in o.items()], list(o.keys())),
    serialized_type_name="models.Output")
pytree.register_pytree_node(
    Cache, lambda c: pytree._dict_flatten(c.items), lambda values, names: Cache(*values),
    flatten_with_keys_fn=lambda c: pytree._dict_flatten_with_keys(c.items), serialized_type_name="models.Cache")
pytree.register_pytree_node(
    Nameless, lambda n: (n.parts, {"note": n.note}), lambda parts, context: Nameless(list(parts), context["note"]),
    flatten_with_keys_fn=lambda n: ([(pytree.SequenceKey(i), part) for i, part in enumerate(n.parts)], {"note": n.note}),
    serialized_type_name="models.Nameless")


def plain(value):
    """Returns `value` without classes."""
    if isinstance(value, Batch):
        return {name: plain(field) for name, field in vars(value).items() if field is not None}
    if isinstance(value, Cache):
        return plain(value.items)
    if isinstance(value, Nameless):
        return tuple(map(plain, value.parts))
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return [plain(item) for item in value] if isinstance(value, list) else value


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        return Pair(self.linear(x), x + 1)


class Everything(torch.nn.Module):
    """All kinds of classes, nested in each other, with guarded sizes."""

    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def forward(self, batch, pair, *, cache):
        halves = batch.x.view(batch.x.shape[0] // 2, 2, 4).sum(1)
        made = self.inner(batch.x * batch.scale)
        newer = Cache([cache.items["key_cache"][0] + 1], [halves])
        return Output(logits=made.first - pair.second, pair=Pair(made.second, pair.first), cache=newer,
                      rest=Nameless([made.first.sin(), {"batch": Batch(batch.scale * 2, None, batch.scale)}], "text"))

    arguments = (Batch(torch.randn(6, 4), None, torch.randn(4)), Pair(torch.randn(4), torch.randn(4)))
    keywords = {"cache": Cache([torch.randn(3)], [torch.randn(2)])}

    def sizes(self):
        shapes = torch.export.ShapesCollection()
        shapes[self.arguments[0].x] = {0: torch.export.Dim.DYNAMIC}
        return shapes

    modules = ("inner",)


class Variadic(torch.nn.Module):
    def forward(self, *args, **kwargs):
        a, b = args
        return [Pair(a.x.view(a.x.shape[0] // 2, 2, 4).sum(1), b.x), kwargs["point"].first + a.scale]

    arguments = (Batch(torch.randn(6, 4), None, torch.randn(4)), Batch(torch.randn(3), torch.randn(3), torch.randn(3)))
    keywords = {"point": Pair(torch.randn(4), torch.randn(4))}
    modules = ()

    def sizes(self):
        return None  # torch cannot mark dynamic sizes in objects in *args


class OutputOnly(torch.nn.Module):
    def forward(self, x):
        return Pair(x.sin(), Output(y=x.cos()))

    arguments = (torch.randn(3),)
    keywords = {}
    modules = ()

    def sizes(self):
        return None


def write(folder):
    torch.manual_seed(0)
    for model in (Everything(), Variadic(), OutputOnly()):
        program = torch.export.export(model, model.arguments, model.keywords, dynamic_shapes=model.sizes(),
                                      preserve_module_call_signature=model.modules)
        name = type(model).__name__
        torch.export.save(program, folder / f"{name}.pt2")
        with torch.no_grad():
            result = model(*model.arguments, **model.keywords)
        torch.save({"arguments": plain(model.arguments), "keywords": plain(model.keywords), "result": plain(result)}, folder / f"{name}.pt")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
