"""Edits graphs through an interface modeled on torch.fx."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar, cast

from pt2 import _pt2
from pt2.builder import Array, Builder
from pt2.program import ExportedProgram, text, whole
from pt2.reports import arguments as arguments_of

_T = TypeVar("_T")
_FRAME = re.compile(r'File "(.*)", line (\d+)')
_ARITHMETIC = {"Add": "_operator.add", "Mul": "_operator.mul", "FloorDiv": "_operator.floordiv"}
_WEIGHTS = {"parameter": "parameter_name", "buffer": "buffer_name", "tensor_constant": "tensor_constant_name"}  # their names in the model
_TABLES = ("tensor_values", "sym_int_values", "sym_float_values", "sym_bool_values", "custom_obj_values")


def _values_in(arguments: Iterable[_pt2.Argument]) -> list[_pt2.Value]:
    return [value for argument in arguments for value in _pt2.values_in(argument)]


def names_in(arguments: Iterable[_pt2.Argument]) -> list[str]:
    return [value.name for value in _values_in(arguments)]


class Node:
    """A node of a graph that is being edited. It is an input ("placeholder"), a call ("call_function"), or the outputs
    ("output").

    When a node is passed to Graph.call(), it represents its result. If a node has several results, pass an item of
    `results` instead.
    """

    __slots__ = ("_call", "_names", "_op", "_owner", "_results")

    def __init__(self, graph: Graph, op: str, results: list[_pt2.Value], view: _pt2.Node | None) -> None:
        self._owner: Graph | None = graph  # None if the node was erased
        self._call = view
        self._op = op
        self._set_results(results)

    def _set_results(self, results: list[_pt2.Value]) -> None:
        self._results = results
        self._names = [value.name for value in results]

    def _end(self) -> None:
        self._owner = None
        if self._call is not None:
            _pt2.end_edits(self._call)

    @property
    def _graph(self) -> Graph:
        if self._owner is None:
            raise ValueError(f"node '{', '.join(self._names)}' was erased")
        self._owner.view  # noqa: B018
        return self._owner

    def _live(self, value: _T) -> _T:
        """Returns the value. Raises ValueError after the node was erased or its block has ended."""
        self._graph  # noqa: B018
        return value

    @property
    def _view(self) -> _pt2.Node | None:
        return self._live(self._call)

    @property
    def op(self) -> str:
        """ "placeholder", "call_function" or "output"."""
        return self._live(self._op)

    @property
    def results(self) -> list[_pt2.Value]:
        """The values that the node returns."""
        return self._live(self._results)

    @property
    def name(self) -> str:
        """The name of the node or, if it has none, of its first result."""
        if self.op == "output":
            return "output"
        if self._view is not None and self._view.name is not None:
            return self._view.name
        return self._names[0] if self._names else ""

    @property
    def target(self) -> str:
        """The operator that a call runs, e.g. "torch.ops.aten.relu.default", or the name of an input."""
        return self.name if self._view is None else self._view.target

    @target.setter
    def target(self, target: str) -> None:
        if self._view is None:
            raise ValueError(f"node '{self.name}' calls nothing")
        self._view.target = text("target", target)
        self._graph._is_stale = True  # pyright: ignore[reportPrivateUsage]

    @property
    def view(self) -> _pt2.Node:
        """The node in the program's graph, or None for an input or the outputs."""
        return cast("_pt2.Node", self._view)  # typed as if it were a call, so that calls need no assertion

    @property
    def inputs(self) -> list[Node]:
        """The nodes whose results this node uses, without duplicates."""
        graph = self._graph
        makers = graph._makers()  # pyright: ignore[reportPrivateUsage]
        return list(dict.fromkeys(makers[name] for name in graph._used(self) if name in makers))  # pyright: ignore[reportPrivateUsage]

    @property
    def users(self) -> list[Node]:
        """The nodes that use the results of this node, including the output node."""
        return self._graph.users_of(self)

    @property
    def args(self) -> tuple[object, ...]:
        """The positional arguments, as in torch.fx: nodes and Python values. An item of a node with several results is one
        of its `results`, a subgraph is a Graph, and dtypes, devices, layouts and memory formats are strings, as in
        Graph.call(). The output node has the outputs.
        """
        given = self._graph.view.outputs if self.op == "output" else [each.arg for each in self._inputs() if each.kind != _pt2.ArgumentKind.KEYWORD]
        return tuple(self._graph.plain(given))

    @property
    def kwargs(self) -> dict[str, object]:
        """The keyword arguments, like `args`. Files of torch up to 2.6 do not record which arguments these are; all
        arguments of such files are positional.
        """
        given = [each for each in self._inputs() if each.kind == _pt2.ArgumentKind.KEYWORD]
        return dict(zip([each.name for each in given], self._graph.plain(each.arg for each in given), strict=True))

    def _inputs(self) -> Iterable[_pt2.NamedArgument]:
        return () if self._view is None else self._view.inputs

    @property
    def arguments(self) -> dict[str, _pt2.Argument]:
        """All arguments by name. Omitted arguments have their defaults. If the operator is unknown or does not accept the
        arguments, returns only the arguments in the program. The names of unnamed ones are their positions.
        """
        if self._view is None:
            return {}
        try:
            return arguments_of(self._view)
        except _pt2.DataError:
            return {each.name or str(place): each.arg for place, each in enumerate(self._view.inputs)}

    @property
    def meta(self) -> _pt2.TensorMeta | Any:
        """The type of the first result: a TensorMeta for a tensor, a SymInt, SymFloat or SymBool for a number, and a
        CustomObjArgument for an object. None if there is no result or its type is unknown.
        """
        self._graph._refresh()  # pyright: ignore[reportPrivateUsage]
        tables = [getattr(self._graph.view, table) for table in _TABLES]
        return next((table[name] for name in self._names[:1] for table in tables if name in table), None)

    @property
    def weight(self) -> str | None:
        """The name in the model of the parameter, buffer or constant that this input represents. None for all other
        nodes.
        """
        return self._graph.weight_names.get(self.name) if self.op == "placeholder" else None

    @property
    def module(self) -> str:
        """The path of the module that calls the operator, or an empty string for the model itself."""
        return "" if self._view is None else _pt2.module_of(self._view)

    @property
    def source(self) -> tuple[str, int] | None:
        """The file and line in the model's code where the operator is called, or None if unknown."""
        trace = "" if self._view is None else self._view.metadata.get("stack_trace", "")
        frames = _FRAME.findall(trace or "")
        return (frames[-1][0], int(frames[-1][1])) if frames else None

    @property
    def subgraphs(self) -> dict[str, Graph]:
        """The graphs that the node calls, for example the branches of a `cond`, by name."""
        block = self._graph._block  # pyright: ignore[reportPrivateUsage]
        return {each.arg.value.name: Graph(each.arg.value.graph, block) for each in self._inputs() if each.arg.kind == "as_graph"}

    def replace_all_uses_with(self, other: Node | _pt2.Value) -> list[Node]:
        """Makes all users of the first result, except `other` itself, use `other` instead. Returns these users."""
        return self._graph.replace_uses(self, other)

    def replace_input_with(self, old: Node | _pt2.Value, new: Node | _pt2.Value) -> None:
        """Makes this node use `new` wherever it uses `old`. Raises ValueError if it does not."""
        if _value(old).name not in self._graph._used(self):  # pyright: ignore[reportPrivateUsage]
            raise ValueError(f"node '{self.name}' does not use '{_value(old).name}'")
        used = self._graph._own_value(new)  # pyright: ignore[reportPrivateUsage]
        self._graph.substitute(self, _value(old).name, _pt2.argument_of(used))

    def __repr__(self) -> str:
        is_usable = self._owner is not None and not self._owner._block.has_ended  # pyright: ignore[reportPrivateUsage]
        if not is_usable:
            return f"<former node '{', '.join(self._names)}'>"
        if self._view is not None:
            return repr(self._view)
        if self.op == "output":
            return f"output: {', '.join(node.name for node in self.inputs)}"
        return _pt2.definition_text(self._graph.view, _pt2.argument_of(self._results[0])) if self._results else self.name


class Graph:
    """A graph that is being edited; see edit(). After the `with` block, it and its nodes raise ValueError for any use."""

    def __init__(self, view: _pt2.Graph, block: ProgramGraph) -> None:
        self._view = view
        self._block = block
        self._calls: _pt2.GraphCalls | None = None
        self._is_stale = False  # whether types must be inferred again before they are used
        self._at: Node | None = None  # calls are inserted before it
        self.weight_names: dict[str, str] = {}
        """The names of weights in the model, by the names of their nodes."""
        self._nodes: list[Node] = []
        self._load()

    @property
    def view(self) -> _pt2.Graph:
        """The graph in the edited copy of the program."""
        if self._block.has_ended:
            raise ValueError("the `with pt2.edit(...)` block of this graph has ended")
        return self._view

    @property
    def nodes(self) -> list[Node]:
        """The inputs, calls and, last, the outputs, in order."""
        self.view  # noqa: B018
        return self._nodes

    def _load(self) -> None:
        """Reads the nodes from the graph. Keeps the objects of nodes that still exist."""
        before = self._nodes
        known: dict[int | str, Node] = {_key(node): node for node in before[:-1]}
        self._nodes = []
        self._users: dict[str, dict[Node, None]] = {}
        for value in _values_in(self.view.inputs):
            given = known.pop(value.name, None)
            self._nodes.append(given or Node(self, "placeholder", [value], None))
        for view in self.view.nodes:
            node = known.pop(id(view), None) or Node(self, "call_function", [], view)
            node._set_results(_values_in(view.outputs))  # pyright: ignore[reportPrivateUsage]
            self._nodes.append(node)
            self._note_uses(node)
        for node in known.values():
            node._end()  # pyright: ignore[reportPrivateUsage]
        output = before[-1] if before else Node(self, "output", [], None)
        self._nodes.append(output)
        self._note_uses(output)

    def _used(self, node: Node) -> list[str]:
        return names_in(self.view.outputs if node.op == "output" else [each.arg for each in node._inputs()])  # pyright: ignore[reportPrivateUsage]

    def _substitute_output(self, old: str, new: _pt2.Argument) -> None:
        for number, argument in enumerate(self.view.outputs):
            if old in names_in([argument]):
                self.view.outputs[number] = _pt2.substituted(argument, old, new)

    def _first_call(self) -> int:
        """The position of the first node that is not an input."""
        return sum(node.op == "placeholder" for node in self.nodes)

    def _note_uses(self, node: Node) -> None:
        for name in self._used(node):
            self._users.setdefault(name, {})[node] = None

    def node(self, name: str) -> Node:
        """Returns the node that has this name, or a result with this name. Raises KeyError if there is none."""
        for node in self.nodes:
            if node.name == name or name in node._names:  # pyright: ignore[reportPrivateUsage]
                return node
        raise KeyError(name)

    def _makers(self) -> dict[str, Node]:
        return {name: each for each in self.nodes for name in each._names}  # pyright: ignore[reportPrivateUsage]

    def plain(self, arguments: Iterable[_pt2.Argument]) -> list[object]:
        """Returns arguments of one of the nodes as Node.args does."""
        makers = self._makers()

        def named(name: str) -> object:
            if name not in makers:
                return name  # of a token or of an outer graph
            return next((each for each in makers[name].results if each.name == name and len(makers[name].results) > 1), makers[name])

        return [plain_value(argument, named, lambda graph: Graph(graph.graph, self._block)) for argument in arguments]

    def users_of(self, node: Node) -> list[Node]:
        found = dict.fromkeys(user for name in node._names for user in self._users.get(name, {}))  # pyright: ignore[reportPrivateUsage]
        return [each for each in self.nodes if each in found]

    @contextmanager
    def inserting_before(self, node: Node) -> Generator[None]:
        """Makes call() insert nodes before `node` within the block."""
        self.view  # noqa: B018
        before, self._at = self._at, node
        try:
            yield
        finally:
            self._at = before

    @contextmanager
    def inserting_after(self, node: Node) -> Generator[None]:
        """Makes call() insert nodes after `node` within the block."""
        with self.inserting_before(self.nodes[self.nodes.index(node) + 1]):
            yield

    def call(self, target: str, /, *args: object, **kwargs: object) -> Node:
        """Inserts a call to an operator, e.g. "aten.relu.default", and returns the new node. By default, the node is
        inserted after all others. Arguments can be nodes, values and literals; dtypes and shapes are inferred, as in
        Builder.call(). Raises ValueError, with the operator's schema, if the call does not match the schema.
        """
        place = self.nodes[-1] if self._at is None else self._at
        first = self._first_call()
        if self.nodes.index(place) < first:
            raise ValueError(f"cannot insert before the input '{place.name}'")
        self._refresh()
        operands = [self._operand(each) for each in args]
        named = {name: self._operand(value) for name, value in kwargs.items()}
        position = self.nodes.index(place)  # after the nodes of sizes
        if self._calls is None:
            self._calls = _pt2.GraphCalls(self.view)
        part = self._calls.call(text("target", target), *operands, **named)
        made = part.nodes[0]
        if place.op == "call_function" and "nn_module_stack" in place.view.metadata:
            made.metadata["nn_module_stack"] = place.view.metadata["nn_module_stack"]
        self.view.nodes.insert(position - first, made)
        self._take_types(part)
        view = self.view.nodes[position - first]
        node = Node(self, "call_function", _values_in(view.outputs), view)
        self.nodes.insert(position, node)
        self._note_uses(node)
        return node

    def _refresh(self) -> None:
        """Infers types again if a change made some of them stale."""

    def _take_types(self, part: _pt2.Graph) -> list[str]:
        """Copies the types in the tables of a graph. Returns the names of the values."""
        names: list[str] = []
        for table in _TABLES:
            ours = getattr(self.view, table)
            for name, meta in getattr(part, table).items():
                ours[name] = meta
                names.append(name)
        return names

    def _own_value(self, given: Node | _pt2.Value) -> _pt2.Value:
        """Returns the result of a node. Raises ValueError if the node belongs to another graph."""
        if isinstance(given, Node) and given._owner is not self:  # pyright: ignore[reportPrivateUsage]
            raise ValueError(f"node '{given.name}' belongs to another graph")
        return _value(given)

    def _operand(self, given: object) -> object:
        if isinstance(given, Node):
            return self._own_value(given)
        if isinstance(given, _pt2.Size):
            return self._size(_pt2.parse_expression(repr(given)))
        if isinstance(given, (list, tuple)):
            return [self._operand(item) for item in cast("list[object]", given)]
        return given

    def _size(self, term: tuple[str, str, list[Any] | None]) -> object:
        """Returns the value of a size at the place where calls are inserted. Inserts nodes if there is none."""
        _, head, operands = term
        if head == "Integer":
            return int(cast("list[Any]", operands)[0][1])
        before = self.nodes[: self.nodes.index(self.nodes[-1] if self._at is None else self._at)]
        for node in before:
            if isinstance(node.meta, _pt2.SymInt) and _is_size(node.meta, term):
                return _value(node)
        if head in _ARITHMETIC and operands is not None:
            first, *others = [self._size(each) for each in operands]
            for other in others:
                first = _value(self.call(_ARITHMETIC[head], first, other))
            return first
        for node in before:
            sizes = node.meta.sizes if node.op == "placeholder" and isinstance(node.meta, _pt2.TensorMeta) else ()
            for dim, size in enumerate(sizes):
                if _is_size(size, term):
                    return _value(self.call("aten.sym_size.int", node, dim))
        name = cast("list[Any]", operands)[0][1] if head == "Symbol" else head
        raise ValueError(f"no input of the graph has the size {name!r}: call set_shape() first, or pass the node of a size")

    def replace_uses(self, node: Node, other: Node | _pt2.Value) -> list[Node]:
        new = self._own_value(other)
        old = _value(node).name
        if old == new.name:
            return []
        users = [user for user in self.users_of(node) if user is not other]
        for user in users:
            self.substitute(user, old, _pt2.argument_of(new))
        return users

    def _type_key(self, name: str) -> object:
        meta = self.view.tensor_values.get(name)
        return None if meta is None else (meta.dtype, meta.sizes)

    def substitute(self, node: Node, old: str, new: _pt2.Argument) -> None:
        if node.op == "output":
            self._substitute_output(old, new)
        else:
            for argument in node.view.inputs:
                if old in names_in([argument.arg]):
                    argument.arg = _pt2.substituted(argument.arg, old, new)
        self._users.get(old, {}).pop(node, None)
        self._note_uses(node)
        if any(self._type_key(value.name) != self._type_key(old) for value in _pt2.values_in(new)):
            self._is_stale = True

    def erase(self, node: Node) -> None:
        """Removes a node. Raises ValueError if the node has users; the message names them."""
        if node._graph is not self:  # pyright: ignore[reportPrivateUsage]
            raise ValueError(f"node '{node.name}' belongs to another graph")
        if node.op != "call_function":
            raise ValueError(f"cannot erase '{node.name}': it is an input or the output")
        self._require_unused(node)
        position = self.nodes.index(node)
        for used in self._used(node):
            self._users.get(used, {}).pop(node, None)
        del self.view.nodes[position - self._first_call()]
        del self.nodes[position]
        node._end()  # pyright: ignore[reportPrivateUsage]
        for name in node._names:  # pyright: ignore[reportPrivateUsage]
            for table in _TABLES:
                getattr(self.view, table).pop(name, None)

    def _require_unused(self, node: Node) -> None:
        users = self.users_of(node)
        if users:
            raise ValueError(f"cannot erase '{node.name}': it is used by {', '.join(user.name for user in users)}")

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)


class ProgramGraph(Graph):
    """The top-level graph of a program that is being edited; see edit()."""

    def __init__(self, before: ExportedProgram) -> None:
        program = copy.deepcopy(before)
        self._before = before
        self._program = program
        self._early: list[str] = []  # the names of values whose types were inferred before the end
        self.tensors: dict[str, Array] = {}
        """The arrays of added and replaced weights, by name, for save()."""
        self._symbols: dict[str, tuple[int, int | None, int | None]] = {}
        self.has_ended = False
        super().__init__(program.graph_module.graph, self)
        weights = [cast(Any, spec) for spec in self._specs if spec.kind in _WEIGHTS]
        self.weight_names = {spec.value.arg.name: getattr(spec.value, _WEIGHTS[spec.kind]) for spec in weights}

    @property
    def _specs(self) -> _pt2.List[_pt2.InputSpec, _pt2.InputSpec.Member]:
        return self._program.graph_module.signature.input_specs

    @property
    def weights(self) -> dict[str, Node]:
        """Maps the names of parameters, buffers and constants in the model to their nodes."""
        return {node.weight: node for node in self.nodes if node.weight is not None}

    def replace_weight(self, name: str, array: Array | Sequence[Any] | float) -> Node:
        """Replaces the array of a weight and adds the new array, which can have a different shape or dtype, to
        `tensors`. Returns the weight's node. At the end of the block, all users of the node must accept the new
        type. Raises KeyError if there is no such weight.
        """
        node = self.weights[name]
        builder = Builder()
        builder.output(builder.parameter(name, array))
        [meta] = builder.finish().graph_module.graph.tensor_values.values()
        meta.requires_grad = meta.requires_grad and node.meta.requires_grad
        meta.device = node.meta.device
        self._set_meta(node, meta)
        self.tensors |= builder.tensors
        return node

    def symbol(self, name: str, min: int = 1, max: int | None = None, *, example: int | None = None) -> _pt2.Size:
        """Returns a dynamic size for set_shape(). This is either an existing symbol of the program or a new symbol, as
        in Builder.symbol().
        """
        self.view  # noqa: B018
        range = self._program.range_constraints.get(name)
        if range is not None:
            if (min, max) not in ((1, None), (range.min_val, range.max_val)):
                raise ValueError(f"the program's symbol {name!r} has the range {range.min_val} to {range.max_val}")
            min, max = range.min_val or 0, range.max_val
        self._symbols[name] = (min, max, example)
        return Builder().symbol(name, min, max, example=example)

    def set_shape(self, node: Node, shape: Iterable[int | _pt2.Size]) -> None:
        """Changes the shape of an input tensor. The types of values that depend on it change at once, as far as they
        can be inferred, but arguments that contain a size do not.
        """
        if node.op != "placeholder":
            raise ValueError(f"cannot set the shape of '{node.name}': it is not an input")
        meta = self._new_meta(node.name, node.meta.dtype, shape)
        meta.requires_grad, meta.device = node.meta.requires_grad, node.meta.device
        self._set_meta(node, meta)

    def _new_meta(self, name: str, dtype: Any, shape: Iterable[int | _pt2.Size]) -> _pt2.TensorMeta:
        """Returns the type of an input and adds its symbols to the program."""
        builder = Builder()
        for symbol, (min, max, example) in self._symbols.items():
            builder.symbol(symbol, min, max, example=example)
        builder.output(builder.input(name, dtype, shape))
        made = builder.finish()
        self._program.range_constraints.update(made.range_constraints)
        [meta] = made.graph_module.graph.tensor_values.values()
        return meta

    def input(self, name: str, dtype: Any, shape: Iterable[int | _pt2.Size], *, replace: Node | None = None) -> Node:
        """Adds a tensor input after the other positional inputs, or in the place of the input `replace`, whose users then
        use the new input. Returns its node. For `dtype` and `shape`, see Builder.input(); for variable sizes, use
        symbol(). Sample inputs are dropped when the program is saved.

        Raises ValueError if the name is taken or is not a valid name in Python.
        """
        program = self._edited()
        if replace is None:
            self._change(_pt2.with_input(program, text("name", name), self._new_meta(name, dtype, shape)))
            return self.node(name)
        if replace.op != "placeholder" or replace.weight is not None:
            raise ValueError(f"cannot replace '{replace.name}': it is not an input of the user")
        meta = self._new_meta(name, dtype, shape)
        if name != replace.name:
            self._change(_pt2.rename(program, [(replace.name, name)]))
        node = self.node(name)
        self._set_meta(node, meta)
        return node

    def output(self, value: Node | _pt2.Value, name: str = "", *, replace: Node | _pt2.Value | None = None) -> None:
        """Adds a user output after the others, or replaces all user outputs that are `replace`, which keep their positions
        and keys.

        name: the key, if the program returns a dict; by default, the name of the value. Otherwise, the new name of the
            value, which must not be an input.

        A program that returned a single value returns a tuple afterwards. Raises ValueError if the name is taken, if
        `replace` is not an output, or if the container of the outputs has a fixed size, as a dataclass does.
        """
        if replace is None:
            made = _pt2.with_output(self._edited(), self._own_value(value).name, text("name", name))
        elif name:
            raise ValueError("output: expected a name or an output to replace, got both; a replaced output keeps its name or key")
        else:
            made = _pt2.with_output_replaced(self._edited(), _value(replace).name, self._own_value(value).name)
        self._change(made)

    def remove_output(self, value: Node | _pt2.Value) -> None:
        """Removes all outputs that are `value`, including mutations of weights and inputs. The node remains. Raises
        ValueError if there is none, or if the container of the outputs has a fixed size.
        """
        self._change(_pt2.without_output(self._edited(), _value(value).name))

    def _change(self, made: _pt2.ExportedProgram) -> None:
        """Takes over what differs in a changed copy of the program: nodes, inputs, outputs and signatures. Views of nodes
        that still exist stay valid.
        """
        ours, theirs = self._program.graph_module, made.graph_module
        nodes, place = ours.graph.nodes, 0
        if len(nodes) != len(theirs.graph.nodes):
            for node in theirs.graph.nodes:
                while (nodes[place].target, nodes[place].outputs) != (node.target, node.outputs):
                    del nodes[place]
                place += 1
            del nodes[place:]
        for node, other in zip(nodes, theirs.graph.nodes, strict=True):
            _assign(node, other, ("name", "inputs", "outputs"))
        for table in _TABLES:
            now, new = getattr(ours.graph, table), getattr(theirs.graph, table)
            for name in [name for name in now if name not in new]:
                del now[name]
            now.update({name: new[name] for name in new if name not in now})
        self._take_interface(made)
        self._calls = None  # its copy of the graph has other values
        self._load()

    def _take_interface(self, made: _pt2.ExportedProgram) -> None:
        ours, theirs = self._program.graph_module, made.graph_module
        _assign(ours.graph, theirs.graph, ("inputs", "outputs"))
        _assign(ours, theirs, ("signature", "module_call_graph"))

    def _set_meta(self, node: Node, meta: _pt2.TensorMeta) -> None:
        self.view.tensor_values[node.name] = meta
        self._is_stale = True

    def _refresh(self) -> None:
        if self._is_stale:
            self._is_stale = False
            self._early = self._take_types(_pt2.early_types(self._program, self._before, self._early))
            self._calls = None  # its copy of the graph has the old types

    def erase(self, node: Node) -> None:
        """Removes a call, an input or a weight. Raises ValueError if it has users (the message names them), or if an input
        is in a container of a fixed size.
        """
        if node.op != "placeholder":
            return super().erase(node)
        self._require_unused(node)
        self.weight_names.pop(node.name, None)
        self._change(_pt2.without_input(self._edited(), node.name))
        return None

    def parameter(self, name: str, array: Array | Sequence[Any] | float, *, requires_grad: bool = True) -> Node:
        """Adds a parameter as Builder.parameter() does, and adds its array to `tensors`."""
        return self._add_weight(lambda builder: builder.parameter(name, array, requires_grad=requires_grad), ("token", "parameter"))

    def buffer(self, name: str, array: Array | Sequence[Any] | float, *, persistent: bool = True) -> Node:
        """Adds a buffer as Builder.buffer() does, and adds its array to `tensors`."""
        return self._add_weight(lambda builder: builder.buffer(name, array, persistent=persistent), ("token", "parameter", "buffer"))

    def _add_weight(self, make: Callable[[Builder], _pt2.Value], earlier: tuple[str, ...]) -> Node:
        """Adds the weight that `make` adds to a builder, at the position that torch expects: after inputs of the kinds
        `earlier`.
        """
        builder = Builder()
        builder.output(make(builder))
        made = builder.finish().graph_module
        [spec], [(built_name, meta)] = made.signature.input_specs, made.graph.tensor_values.items()
        [name] = builder.tensors
        specs = self._specs
        if name in self.weight_names.values():
            raise ValueError(f"the program already has a weight {name!r}")
        taken = {name for each in self.nodes for name in each._names}  # pyright: ignore[reportPrivateUsage]
        node_name = built_name
        while node_name in taken:
            node_name += "_1"
        if spec.kind == "parameter" or spec.kind == "buffer":
            spec.value.arg.name = node_name
        place = next((at for at, each in enumerate(specs) if each.kind not in earlier), len(specs))
        specs.insert(place, spec)
        argument = _pt2.Argument.as_tensor(_pt2.TensorArgument(name=node_name))
        self.view.inputs.insert(place, argument)
        self.view.tensor_values[node_name] = meta
        node = Node(self, "placeholder", _values_in([argument]), None)
        self.nodes.insert(place, node)
        self._calls = None  # its copy of the graph lacks the new value
        self.weight_names[node_name] = name
        self.tensors |= builder.tensors
        return node

    def _substitute_output(self, old: str, new: _pt2.Argument) -> None:
        self._take_interface(_pt2.replaced_output_uses(self._program, old, new))

    def eliminate_dead_code(self) -> int:
        """Removes the nodes that no output depends on, including nodes in subgraphs, but keeps nodes with effects.
        Returns the number of removed nodes.
        """
        made = copy.deepcopy(self._edited())
        count = _pt2.drop_dead_nodes(made)
        self._change(made)
        return count

    def _edited(self) -> ExportedProgram:
        self.view  # noqa: B018
        return self._program


def edit(program: ExportedProgram) -> AbstractContextManager[ProgramGraph]:
    """Edits a program in place through an interface modeled on torch.fx. For example:

        with pt2.edit(program) as g:
            node = g.node("relu")
            with g.inserting_before(node):
                new = g.call("aten.gelu.default", node.inputs[0])
            node.replace_all_uses_with(new)
            g.erase(node)

    At the end of the block, the types of all values that depend on the changes are inferred, and the program is
    verified. If this fails, edit() raises DataError, with the first new finding or the node whose type cannot be
    inferred. In that case, or if the block raises an exception, the program does not change.

    The block works on a copy: do not change the program itself meanwhile. Nodes and graphs that were taken from the
    program before no longer belong to it afterwards: take them again.
    """
    return _editing(whole(program))


@contextmanager
def _editing(program: ExportedProgram) -> Generator[ProgramGraph]:
    before = copy.deepcopy(program)
    graph = ProgramGraph(program)
    try:
        yield graph
        if program != before:
            raise ValueError("the program was changed within the block of pt2.edit(), which edits a copy: change the block's graph instead")
        _pt2.commit_edit(program, graph._edited(), graph._early)  # pyright: ignore[reportPrivateUsage]
    finally:
        graph.has_ended = True
        _pt2.end_edits(graph._program)  # pyright: ignore[reportPrivateUsage]


def operator(schema: str, *, infer: str | None = None) -> None:
    """Declares a custom operator for Builder, edit(), infer(), verify(), arguments() and stats(). `schema` is the
    operator's schema, e.g. "my::op(Tensor x, int n=3) -> Tensor".

    infer: how to infer the types of the operator's results. "pointwise" broadcasts and promotes the inputs. To use the
        rule of another operator whose arguments have the same names, give its name, e.g. "aten.linear.default". Without
        `infer`, no types are inferred.

    If the operator is already declared, the new declaration replaces the old one. Raises DataError for a malformed
    schema, and ValueError for an unknown `infer`.
    """
    _pt2.declare_operator(text("schema", schema), infer if infer is None else text("infer", infer))


def _key(node: Node) -> int | str:
    """Returns what identifies a node: the name of an input, or the view of a call."""
    return id(node._call) if node._call is not None else node._names[0]  # pyright: ignore[reportPrivateUsage]


def _assign(to: Any, given: Any, fields: Iterable[str]) -> None:
    """Assigns the fields that differ, so that views of all others stay valid."""
    for field in fields:
        if getattr(to, field) != getattr(given, field):
            setattr(to, field, getattr(given, field))


def plain_value(value: Any, named: Callable[[str], object], graph: Callable[[_pt2.GraphArgument], object]) -> object:
    """Returns an argument as Node.args does. `named` and `graph` convert values and subgraphs."""
    kind = getattr(value, "kind", None)
    if kind == "as_name":
        return named(value.value)
    if isinstance(value, (_pt2.TensorArgument, _pt2.CustomObjArgument)):
        return named(value.name)
    if isinstance(value, _pt2.Union):
        return None if kind == "as_none" else plain_value(value.value, named, graph)
    if isinstance(value, _pt2.List):
        return [plain_value(item, named, graph) for item in cast("Iterable[Any]", value)]
    if isinstance(value, _pt2.Map):
        return {key: plain_value(item, named, graph) for key, item in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, _pt2.ScalarType):
        return next((name for number, name, _ in _pt2.dtypes if number == value), value.name)
    if isinstance(value, (_pt2.Layout, _pt2.MemoryFormat)):
        return re.sub("(?<=[a-z])(?=[A-Z])", "_", value.name).lower()
    if isinstance(value, _pt2.GraphArgument):
        return graph(value)
    if isinstance(value, _pt2.Device):
        return value.type if value.index is None else f"{value.type}:{value.index}"
    return complex(value.real, value.imag) if isinstance(value, _pt2.ComplexValue) else value


def _value(given: Node | _pt2.Value) -> _pt2.Value:
    if isinstance(given, _pt2.Value):
        return given
    if not isinstance(given, Node):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"expected a node or one of its results, got {given!r}")
    results = given.results
    if len(results) != 1:
        raise ValueError(f"node '{given.name}' has {len(results)} results: use one of node.results")
    return results[0]


def _is_size(meta: _pt2.SymInt, term: object) -> bool:
    return isinstance(meta, _pt2.SymInt.as_expr) and _pt2.parse_expression(meta.value.expr_str) == term
