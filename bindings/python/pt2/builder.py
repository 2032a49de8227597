"""Builds programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from pt2 import _pt2
from pt2._pt2 import ScalarType, Size, Value
from pt2.arrays import plain
from pt2.program import ExportedProgram, text

DTYPES = {name: ScalarType(number) for number, name, _ in _pt2.dtypes}


class Array(Protocol):
    """An array from numpy, torch or another library, which has a shape and a dtype."""

    @property
    def shape(self) -> Iterable[int]: ...
    @property
    def dtype(self) -> Any: ...


def _dtype(dtype: object) -> ScalarType:
    if isinstance(dtype, ScalarType):
        return dtype
    # numpy.float32 is a class; dtypes of numpy and torch have the same name as text.
    name = dtype.__name__ if isinstance(dtype, type) else str(dtype).removeprefix("torch.")
    if name not in DTYPES:
        raise ValueError(f"dtype: expected one of {', '.join(DTYPES)}, got {dtype!r}")
    return DTYPES[name]


class Builder:
    """Builds a program. For example:

        builder = pt2.Builder()
        batch = builder.symbol("s0", 1, 64)
        x = builder.input("x", "float32", [batch, 4])
        weight = builder.parameter("linear.weight", numpy.ones((2, 4), "float32"))
        builder.output(builder.call("aten.relu.default", builder.call("aten.linear.default", x, weight)))
        program = builder.finish()
        pt2.save(program, "linear.pt2", tensors=builder.tensors)

    Values get the same names as in torch. Numbers can be numpy numbers.

    Methods raise ValueError if a call does not match the operator's schema (the message contains the schema), if a name
    is taken, if an integer exceeds 64 bits, or if the builder is used after finish(). They raise TypeError, with the
    argument's name, if an argument has the wrong type.
    """

    def __init__(self) -> None:
        self._open: _pt2.ProgramBuilder | None = _pt2.ProgramBuilder()
        self.tensors: dict[str, Any] = {}
        """The arrays of parameters, buffers and constants, by their names in the model, for save()."""

    def symbol(self, name: str, min: int = 1, max: int | None = None, *, example: int | None = None) -> Size:
        """Adds a dynamic size between `min` and `max`. If `max` is None, there is no upper bound. `name` has the same
        form as in torch, e.g. "s0".
        """
        return self._builder.symbol(text("name", name), min, max, example)

    def input(self, name: str, dtype: Any, shape: Iterable[int | Size]) -> Value:
        """Adds a tensor input. `dtype` is a name such as "float32", a ScalarType, or a numpy or torch dtype."""
        try:
            sizes = list(shape)
        except TypeError:
            raise TypeError(f"shape: expected a list of ints and sizes, got {shape!r}") from None
        return self._builder.input(text("name", name), int(_dtype(dtype)), sizes)

    def parameter(self, name: str, array: Array | Sequence[Any] | float, *, requires_grad: bool = True) -> Value:
        """Adds a parameter with this name in the model, e.g. "linear.weight". A list of numbers becomes a numpy array."""
        return self._weight("parameter", name, array, requires_grad, True)

    def buffer(self, name: str, array: Array | Sequence[Any] | float, *, persistent: bool = True) -> Value:
        """Adds a buffer. The state dict does not contain non-persistent buffers."""
        return self._weight("buffer", name, array, False, persistent)

    def constant(self, name: str, array: Array | Sequence[Any] | float) -> Value:
        """Adds a tensor that is part of the model's code."""
        return self._weight("constant", name, array, False, True)

    def call(self, target: str, /, *arguments: object, **keywords: object) -> Value | list[Value] | None:
        """Calls an operator, e.g. "aten.relu.default". Returns its result, which is a Value or a list of Values. Types
        are inferred.
        """
        return self._builder.call(text("target", target), *arguments, **keywords)

    def output(self, value: object) -> None:
        """Makes a value or a literal the next output."""
        self._builder.output(value)

    def finish(self) -> ExportedProgram:
        """Returns the program. After this call, only `tensors` can be used."""
        program = self._builder.finish()
        self._open = None
        return program

    @property
    def _builder(self) -> _pt2.ProgramBuilder:
        if self._open is None:
            raise ValueError("finish() was called on this builder: create a new one")
        return self._open

    def _weight(
        self, kind: str, name: str, given: Array | Sequence[Any] | float, requires_grad: bool, persistent: bool
    ) -> Value:
        array = _as_array(text("name", name), given)
        wants_grad = requires_grad and any(part in str(array.dtype) for part in ("float", "complex"))
        value = self._builder.weight(
            kind, name, int(_dtype(array.dtype)), [int(size) for size in array.shape], wants_grad, persistent
        )
        self.tensors[name] = array
        return value


def _as_array(name: str, given: Any) -> Array:
    """Returns an array. Numbers and lists of numbers become numpy arrays. As in torch, floats become float32."""
    if hasattr(given, "dtype") and hasattr(given, "shape"):
        found: Array = plain(name, given)
        return found
    try:
        import numpy
    except ImportError as error:
        raise ImportError("lists as weights need numpy: pip install libpt2[numpy]", name="numpy") from error
    made: Any = numpy.asarray(given)
    if made.dtype.kind not in "bifc":
        raise TypeError(f"{name}: expected an array or a list of numbers, got {given!r}")
    narrow = {"f": "float32", "c": "complex64"}.get(made.dtype.kind)
    array: Array = made.astype(narrow) if narrow else made
    return array
