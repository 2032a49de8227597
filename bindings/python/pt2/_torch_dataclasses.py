# type: ignore  # torch's internals are not typed
"""Makes the dataclasses of torch._export.serde.schema, which torch's deserializer reads."""

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import typing
from collections.abc import Callable
from typing import Any

from torch._export.serde import schema as _schema
from torch._export.serde.union import _Union, _UnionTag

from pt2 import _pt2

tuple_class = functools.cache(collections.namedtuple)


def as_dataclasses(program: _pt2.ExportedProgram) -> _schema.ExportedProgram:
    """Returns the program as torch's deserializer reads it. Drops what this release of torch does not have."""
    return _converter(_schema.ExportedProgram)(_pt2.as_tuples(program, tuple_class))


@functools.cache
def _converter(kind: Any) -> Callable[[Any], Any]:
    """Returns a function that makes values of a type in torch's schema from what _pt2.as_tuples() returns."""
    parts = [part for part in typing.get_args(kind) if part is not type(None)]
    if parts:
        convert = _converter(parts[-1])
        if typing.get_origin(kind) is list:
            return lambda given: [convert(each) for each in given]
        if typing.get_origin(kind) is dict:
            return lambda given: {key: convert(each) for key, each in given.items()}
        return lambda given: None if given is None else convert(given)
    if issubclass(kind, enum.Enum):
        return lambda number: kind._value2member_map_.get(number, number)
    if not dataclasses.is_dataclass(kind):
        return lambda given: given
    fields = {field.name: field for field in dataclasses.fields(kind)}
    hints = typing.get_type_hints(kind)

    @functools.cache  # on demand, because types are recursive
    def converter(name: str) -> Callable[[Any], Any]:
        return _converter(hints[name])

    def union(given: tuple[str, Any]) -> Any:
        name, value = given
        if name not in fields:
            raise _pt2.DataError(f"this version of torch has no {kind.__name__}.{name}")
        made = object.__new__(kind)
        vars(made).update(dict.fromkeys(fields), _type=_UnionTag.create(name, kind), **{name: converter(name)(value)})
        return made

    def struct(given: Any) -> Any:
        values = {name: converter(name)(value) for name, value in given._asdict().items() if name in fields}
        for name, field in fields.items():
            if name not in values and field.default is field.default_factory:  # both MISSING
                raise TypeError(f"unknown field in this version of torch: {kind.__name__}.{name}; update pt2")
        return kind(**values)

    return union if issubclass(kind, _Union) else struct
