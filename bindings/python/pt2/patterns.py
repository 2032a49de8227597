"""Finds and replaces patterns of nodes."""

from __future__ import annotations

import ast
import inspect
import math
import re
import textwrap
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, cast, get_args, get_type_hints

from pt2 import _pt2
from pt2.graph_edit import names_in, plain_value
from pt2.program import whole

if TYPE_CHECKING:
    from typing_extensions import Self

Plain = str | int | float | bool | complex | list[object] | dict[str, object] | _pt2.GraphArgument | None
_trace: ContextVar[_Trace] = ContextVar("trace")


class PatternValue:
    """The results of an operator in `pt2.ops`. If there are several, unpack them."""

    def __init__(self, target: str, results: list[_pt2.Value]) -> None:
        self._target = target
        self._results = results

    def __iter__(self) -> Iterator[PatternValue]:
        return (PatternValue(self._target, [result]) for result in self._results)

    def __len__(self) -> int:
        return len(self._results)

    @classmethod
    def __torch_function__(
        cls, function: object, types: object, args: tuple[object, ...] = (), kwargs: dict[str, object] | None = None
    ) -> PatternValue:
        """Makes operators of torch.ops accept these values, as torch.fx does."""
        if type(function).__module__ != "torch._ops":
            raise ValueError(f"expected an operator of pt2.ops or torch.ops, got {function!r}")
        return Operators(str(function))(*args, **(kwargs or {}))

    def _one(self) -> _pt2.Value:
        if len(self._results) != 1:
            raise ValueError(f"{self._target} has {len(self._results)} results: unpack them")
        return self._results[0]


class Operators:
    """Operators that patterns and replacements call, e.g. `pt2.ops.aten.relu.default(x)`."""

    def __init__(self, target: str = "") -> None:
        self._target = target

    def __getattr__(self, name: str) -> Self:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(self)(f"{self._target}.{name}" if self._target else name)

    def __call__(self, *arguments: object, **keywords: object) -> PatternValue:
        trace = _trace.get(None)
        if trace is None:
            raise RuntimeError(f"{self._target}: operators of pt2.ops are called only in patterns and replacements")
        return trace.call(self._target, arguments, keywords)


ops = Operators()


class Match:
    """A match of a pattern in a graph."""

    nodes: dict[str, _pt2.Node]
    """The matched nodes by their names in the pattern: in a text, those that it gives to results; otherwise, those
    that torch gives, e.g. "relu" and "relu_1".
    """
    values: dict[str, Plain]
    """The matches of wildcards and results, by name. Each is a literal or the name of a value."""
    graph: str
    """The name of the subgraph, or an empty string for the main graph."""

    def __init__(self, nodes: dict[str, _pt2.Node], values: dict[str, Plain], graph: str) -> None:
        self.nodes, self.values, self.graph = nodes, values, graph

    def __getitem__(self, name: str) -> Plain:
        return self.values[name]

    def __repr__(self) -> str:
        return f"Match({', '.join(f'{name}={value!r}' for name, value in self.values.items())})"


class _Pattern:
    def __init__(self, graph: _pt2.Graph, wildcards: list[str], types: dict[str, list[str]]) -> None:
        self.graph = graph
        self.wildcards = wildcards
        self.types = list(types.items())
        self._names = [_name_of(node) for node in graph.nodes]

    def match(self, nodes: Sequence[_pt2.Node], values: list[tuple[str, _pt2.Argument]], graph: str) -> Match:
        plain = {name: cast(Plain, plain_value(value, str, lambda inner: inner)) for name, value in values if not name.startswith("_")}
        return Match(dict(zip(self._names, nodes, strict=True)), plain, graph)


def _name_of(node: _pt2.Node) -> str:
    return node.name or next(iter(names_in(node.outputs)), node.target)


class _Trace:
    def __init__(self) -> None:
        self._builder = _pt2.PatternBuilder()
        self._wildcards: list[str] = []
        self.types: dict[str, list[str]] = {}

    def wildcard(self, name: str = "") -> PatternValue:
        value = self._builder.any(name)
        self._wildcards.append(value.name)
        return PatternValue(name, [value])

    def call(self, target: str, arguments: Sequence[object], keywords: dict[str, object], names: Sequence[str] = ()) -> PatternValue:
        takes_rest = bool(arguments) and arguments[-1] is ...
        if takes_rest and target.startswith("higher_order."):
            raise ValueError(f"{target} has no schema that says what '...' stands for: write a wildcard for each argument")
        operands = [self._operand(each) for each in (arguments[:-1] if takes_rest else arguments)]
        named = {name: self._operand(each) for name, each in keywords.items()}
        return PatternValue(target, self._builder.call(target, list(names), takes_rest, *operands, **named))

    def _operand(self, given: object) -> object:
        if given is ...:
            given = self.wildcard()
        if isinstance(given, PatternValue):
            return given._one()  # pyright: ignore[reportPrivateUsage]
        if isinstance(given, (list, tuple)):
            return [self._operand(item) for item in cast("list[object]", given)]
        return given

    def finish(self, result: object) -> _Pattern:
        values = cast("Sequence[object]", result) if isinstance(result, (PatternValue, list, tuple)) else [result]
        for value in values:
            if not isinstance(value, PatternValue):
                raise ValueError(f"expected results of calls to be returned, got {value!r}")
            self._builder.output(self._operand(value))
        graph = self._builder.graph()
        unnamed = [name for name in names_in(graph.inputs) if name not in self._wildcards]
        return _Pattern(graph, self._wildcards + unnamed, self.types)


def _of_function(function: Callable[..., object]) -> _Pattern:
    trace = _Trace()
    try:
        types = get_type_hints(function, include_extras=True)
    except (NameError, TypeError):  # e.g. "float32", or a partial function
        types = getattr(function, "__annotations__", {})
    given = inspect.BoundArguments(inspect.signature(function), OrderedDict())
    for name, parameter in given.signature.parameters.items():
        if parameter.default is not parameter.empty:
            continue
        given.arguments[name] = trace.wildcard(name)
        if kinds := _kinds(types.get(name, object)):
            trace.types[name] = kinds
    token = _trace.set(trace)
    try:
        return trace.finish(function(*given.args, **given.kwargs))
    finally:
        _trace.reset(token)


def _kinds(annotation: Any) -> list[str]:
    """Returns the alternatives of an annotation, e.g. of `int | None`. Returns none for anything."""
    if annotation in (object, "object", PatternValue):
        return []
    if isinstance(annotation, str):
        return [re.sub(r"^(pt2|typing)\.", "", kind.strip()) for kind in annotation.split("|")]
    if isinstance(annotation, _pt2.ScalarType):
        return [next(name for number, name, _ in _pt2.dtypes if number == annotation)]
    parts = getattr(annotation, "__metadata__", get_args(annotation))  # of Annotated, or of a union
    if parts and not isinstance(annotation, type):
        kinds = [_kinds(part) for part in parts]
        return [kind for each in kinds for kind in each] if all(kinds) else []
    if annotation is type(None):
        return ["None"]
    return [annotation.__name__ if isinstance(annotation, type) else str(annotation)]


class _Text:
    """Builds a pattern from the lines of a text."""

    def __init__(self, lines: str, what: str) -> None:
        self._what = what
        self._trace = _Trace()
        self._values: dict[str, PatternValue] = {}
        self._unused: dict[str, int] = {}  # names that only have a type so far, with their lines
        self._text = textwrap.dedent(lines)
        try:
            self._statements = ast.parse(self._text).body
        except SyntaxError as error:
            raise ValueError(f"{what}, line {error.lineno}: {error.msg}") from None

    def build(self) -> _Pattern:
        result: object = None
        for statement in self._statements:
            try:
                result = self._run(statement, result)
            except ValueError as error:
                raise ValueError(f"{self._what}, line {statement.lineno}: {error}") from None
            if isinstance(statement, ast.Return):
                break
        for name, line in self._unused.items():
            raise ValueError(f"{self._what}, line {line}: no call uses '{name}'")
        if result is None:
            raise ValueError(f"{self._what}: expected lines such as 'y = aten.relu.default(x)'")
        return self._trace.finish(result)

    def _run(self, statement: ast.stmt, result: object) -> object:
        match statement:
            case ast.Return(value=ast.expr() as value):
                items = value.elts if isinstance(value, ast.Tuple) else [value]
                for item in items:
                    if self._what == "pattern" and isinstance(item, ast.Name) and item.id not in self._values:
                        raise ValueError(f"no call defines '{item.id}'")
                return [self._value(item) for item in items]
            case ast.Expr(value=ast.Call() as call):
                return self._call(call, [])
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                self._values[name] = self._call(call, [name])
                return self._values[name]
            case ast.Assign(targets=[ast.Tuple(elts=items)], value=ast.Call() as call):
                names = [ast.unparse(item) for item in items]
                results = self._call(call, names)
                self._values.update(zip(names, results, strict=True))
                return results
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=ast.Call() as call):
                self._set_type(name, kind)
                self._values[name] = self._call(call, [name])
                return self._values[name]
            case ast.AnnAssign(target=ast.Name(id=name), annotation=kind, value=None):
                self._set_type(name, kind)
                if name not in self._values:
                    self._unused[name] = statement.lineno
                return result
            case _:
                raise ValueError(f"expected a call of an operator, a type or return, got {ast.unparse(statement)!r}")

    def _set_type(self, name: str, kind: ast.expr) -> None:
        self._trace.types[name] = _kinds(ast.get_source_segment(self._text, kind) or "")

    def _call(self, call: ast.Call, names: list[str]) -> PatternValue:
        target = ast.unparse(call.func).removeprefix("torch.ops.").removeprefix("pt2.ops.")
        keywords = {keyword.arg: self._value(keyword.value) for keyword in call.keywords if keyword.arg is not None}
        return self._trace.call(target, [self._value(each) for each in call.args], keywords, names)

    def _value(self, node: ast.expr) -> object:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -cast(float, self._value(operand))
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return [self._value(item) for item in items]
            case ast.Call():
                return self._call(node, [])
            case ast.Name(id="inf" | "nan" as name):
                return getattr(math, name)
            case ast.Name(id="_"):
                return self._trace.wildcard()
            case ast.Name(id=name):
                self._unused.pop(name, None)
                if name not in self._values:
                    self._values[name] = self._trace.wildcard(name)
                return self._values[name]
            case ast.Attribute(value=ast.Name(id="torch"), attr=name):
                return name  # of a dtype, layout or memory format
            case _:
                raise ValueError(f"expected a name, a literal or a call, got {ast.unparse(node)!r}")


_Given = _pt2.ExportedProgram | _pt2.Graph | str | Callable[..., object]


def _pattern(given: _Given, what: str = "pattern") -> _Pattern:
    if isinstance(given, _pt2.ExportedProgram):
        given = given.graph_module.graph
    if isinstance(given, _pt2.Graph):
        return _Pattern(given, [], {})
    if callable(given):
        return _of_function(given)
    if not isinstance(given, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"expected a program, a Graph, a function or a text as a {what}, got {given!r}")
    return _Text(given, what).build()


def match(program: _pt2.ExportedProgram, pattern: _Given) -> list[Match]:
    """Returns the matches of a pattern in all graphs of a program. Matches do not overlap.

    pattern: either of these:
        * a function that calls operators in `pt2.ops` or `torch.ops` with its parameters, which are wildcards:

              def pattern(x, weight):
                  return pt2.ops.aten.relu.default(pt2.ops.aten.linear.default(x, weight, ...))

        * a text. Names that it does not define are wildcards; `_` is a wildcard without a name:

              y = aten.linear.default(x, weight, _)
              return aten.relu.default(y)

        * a program or a Graph, whose inputs match values of the same kind.

    A wildcard matches any argument: a value, a literal, a list or None. If it is used twice, both arguments must be equal.
    Its annotation restricts it to one of several types, joined by `|`: the dtype of a tensor, e.g. `x: float32`, its type
    as show() prints it, e.g. `f32[3, 8]`, `Tensor`, `Value` (no literal), `int`, `float`, `bool`, `str`, `list` or `None`.
    In a function, `Annotated[pt2.PatternValue, "float32"]` does the same. In a text, such an annotation is a line of its
    own, or part of the line that defines a result, as in show().

    `...` matches any argument and, as the last argument of a call, also all that the call omits. Otherwise, omitted
    arguments have their defaults. A parameter with a default is a literal.

    Only results that the pattern returns can be used by other nodes. A text without `return` returns the result of its last
    call.

    Raises ValueError if the pattern is not valid; the message names the line of a text, and the operator's schema.
    """
    whole(program)
    wanted = _pattern(pattern)
    return [
        wanted.match([graph.nodes[node] for node in nodes], values, name)
        for name, graph in _graphs("", program.graph_module.graph)
        for nodes, values in _pt2.match(graph, wanted.graph, wanted.wildcards, wanted.types)
    ]


def _graphs(name: str, graph: _pt2.Graph) -> Iterator[tuple[str, _pt2.Graph]]:
    def inner(argument: _pt2.Argument.Member) -> Iterator[tuple[str, _pt2.Graph]]:
        if argument.kind == "as_graph":
            yield from _graphs(argument.value.name, argument.value.graph)
        elif argument.kind == "as_string_to_argument":
            for each in argument.value.values():
                yield from inner(each)

    yield name, graph
    for node in graph.nodes:
        for argument in node.inputs if ".higher_order." in node.target else ():
            yield from inner(argument.arg)


def rewrite(program: _pt2.ExportedProgram, pattern: _Given, replacement: _Given) -> int:
    """Replaces each match of `pattern` in all graphs of `program`. Returns the number of replaced matches.

    pattern: see match().
    replacement: either of the same forms, with wildcards of the pattern and as many results, or a function that has one
        parameter, which is not in the pattern, takes a Match, and returns a replacement, or None to leave the match as it
        is. The nodes of its Match are copies.

    All that is not replaced keeps its name. New results have the names in the replacement, with a number if these were
    used, also by replaced nodes. The types of new results, and of everything that depends on them, are inferred. Nodes and
    graphs that were taken from the program before no longer belong to it, and cannot be changed: take them again.

    Raises ValueError if the pattern or replacement is not valid. Raises DataError if a type cannot be inferred. If an
    exception is raised, the program does not change.
    """
    wanted = _pattern(pattern)
    makes = callable(replacement) and _takes_match(replacement, wanted)

    def make(nodes: list[_pt2.Node], values: list[tuple[str, _pt2.Argument]], graph: str) -> _pt2.Graph | None:
        made = cast("Callable[[Match], _Given | None]", replacement)(wanted.match(nodes, values, graph))
        return None if made is None else _pattern(made, "replacement").graph

    put_in = make if makes else _pattern(replacement, "replacement").graph
    return _pt2.rewrite(whole(program), wanted.graph, wanted.wildcards, wanted.types, put_in)


def _takes_match(function: Callable[..., object], pattern: _Pattern) -> bool:
    names = list(inspect.signature(function).parameters)
    return len(names) == 1 and names[0] not in names_in(pattern.graph.inputs)
