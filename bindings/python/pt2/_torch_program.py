# type: ignore  # torch's internals are not typed
"""Builds a torch.export.ExportedProgram equal to the one that torch's deserializer builds.

torch's deserializer evaluates each expression thousands of times, creates each fake tensor through the dispatcher, and
generates the code of the graph twice. This module parses each expression once, computes the size of a storage once per
shape, and makes only one GraphModule.

The order of symbols in the ShapeEnv, their hints, and the node that defines an unbacked symbol depend on the order in
which values are created. As in torch, this is the order of the nodes.

Source: torch/_export/serde/serialize.py of torch 2.11 to 2.15. Importing this module raises ImportError in an older torch. In
a newer one that lacks something, importing it or building a program raises an error.
"""

from __future__ import annotations

import functools
import json
import keyword
import logging
import operator
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

import sympy
import torch
from torch._export.non_strict_utils import _enable_graph_inputs_of_type_nn_module
from torch._export.serde import serialize as _serialize
from torch._export.verifier import load_verifier
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode, extract_tensor_metadata
from torch.export import exported_program as _exported
from torch.fx.experimental import symbolic_shapes
from torch.fx.traceback import NodeSource
from torch.utils import _pytree
from torch.utils._sympy import functions as _functions
from torch.utils._sympy.numbers import int_oo
from torch.utils._sympy.symbol import SymT, prefix_str
from torch.utils._sympy.value_ranges import ValueRanges
from torch.utils._traceback import CapturedTraceback

from pt2 import _pt2
from pt2._torch_dataclasses import tuple_class

if torch.__version__ < "2.11":
    raise ImportError(f"torch {torch.__version__} is older than 2.11")

_log = logging.getLogger(__name__)

_META = torch.device("meta")
_POSITIONAL, _KEYWORD = 1, 2
_UNBACKED = (SymT.UNBACKED_INT, SymT.UNBACKED_FLOAT)


class Unsupported(Exception):
    """Raised if only torch's deserializer can build a program."""


def build(
    program: _pt2.ExportedProgram, state: dict[str, Any], constants: dict[str, Any], inputs: Any
) -> _exported.ExportedProgram:
    """Returns the program with the state dict `state` and the example inputs `inputs`, which can be None.

    Raises Unsupported if only torch's deserializer can build the program.
    """
    if torch._C._len_torch_dispatch_stack() or torch._C._len_torch_function_stack():
        raise Unsupported("a torch mode is active")
    if torch._functorch.config.fake_tensor_propagate_real_tensors:
        raise Unsupported("fake tensors have real ones")
    return _Builder(_pt2.as_tuples(program, tuple_class), constants).program(state, inputs)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "Equality": sympy.Eq,
    "Unequality": sympy.Ne,
    "GreaterThan": sympy.Ge,
    "LessThan": sympy.Le,
    "StrictGreaterThan": sympy.Gt,
    "StrictLessThan": sympy.Lt,
    **{name: getattr(sympy, name) for name in "Add Mul Pow Max Min And Or Not".split()},
    **{
        name: getattr(_functions, name)
        for name in (
            "FloorDiv ModularIndexing Where PythonMod Mod CleanDiv CeilToInt FloorToInt CeilDiv LShift RShift PowByNatural "
            "FloatPow FloatTrueDiv IntTrueDiv IsNonOverlappingAndDenseIndicator TruncToFloat TruncToInt RoundToInt RoundDecimal "
            "ToFloat Identity"
        ).split()
    },
}
_ASSUMPTIONS = {"True": True, "False": False}
_SYMBOL = re.compile(r"(?:zu?f|[a-z])\d+")
# Text that sympy understands as our parser does, with at most one comparison. Excludes `//` (not FloorDiv to sympy), `==` (compares forms
# of expressions) and floats (their precision depends on their text).
_TERM = r"(?:(?:zu?f|[a-z])\d+|\d+|[-+*()]|\s)*"
_PLAIN = re.compile(rf"{_TERM}(?:[<>]=?{_TERM})?")


def _expression_of(text: str, known: dict[str, Any]) -> tuple[Any, set[str]]:
    """Returns an expression and the names of its symbols without assumptions. Such a name refers to the symbol in `known`
    with the same name, if there is one.
    """
    bare: set[str] = set()

    def made(term: Any) -> Any:
        key, head, operands = term
        if key:
            raise ValueError(key)
        if head == "Symbol":
            (_, name, _), *assumptions = operands
            if not _SYMBOL.fullmatch(name) or not all(key for key, _, _ in assumptions):
                raise ValueError(name)
            if not assumptions:
                bare.add(name)
                if name in known:
                    return known[name]
            return sympy.Symbol(name, **{key: _ASSUMPTIONS[value] for key, value, _ in assumptions})
        if head == "Integer":
            return sympy.Integer(int(operands[0][1]))
        if head == "Rational":
            return sympy.Rational(*(int(value) for _, value, _ in operands))
        if head == "Float":
            return sympy.Float(operands[0][1], **{key: int(value) for key, value, _ in operands[1:]})
        return _FUNCTIONS[head](*map(made, operands))

    try:
        if "'" not in text and not _PLAIN.fullmatch(text):
            raise ValueError(text)
        return made(_pt2.parse_expression(text)), bare
    except (KeyError, TypeError, ValueError) as error:
        raise Unsupported(f"expression {text!r}") from error


class _Values:
    """Creates sizes, and fake tensors with these sizes, in one ShapeEnv."""

    def __init__(self, ranges: dict[str, Any]) -> None:
        self.env = symbolic_shapes.ShapeEnv(assume_static_by_default=True)
        self.mode = FakeTensorMode(allow_fallback_kernels=False, allow_non_fake_inputs=True, shape_env=self.env)
        self._hints_expressions = not hasattr(self.env, "name_to_symbol")  # torch 2.15 gives hints only to symbols
        self.known: dict[str, Any] = {}
        self.unbacked: set[Any] = set()
        self._ranges = {name: ValueRanges(given.lower, given.upper) for name, given in ranges.items()}
        self._registered: dict[tuple[str, Any], Any] = {}
        self._shapes: dict[Any, Any] = {}
        self._devices: dict[Any, torch.device] = {}
        self.env.unbacked_symint_counter += self._count(prefix_str[SymT.UNBACKED_INT])
        self.env.unbacked_symfloat_counter += self._count(prefix_str[SymT.UNBACKED_FLOAT])

    def _count(self, prefix: str) -> int:
        return max((int(name[len(prefix) :]) + 1 for name in self._ranges if name.startswith(prefix)), default=0)

    def forget_shapes(self) -> None:
        """Discards cached shapes. Must be called after an assertion, which can replace symbols."""
        self._shapes.clear()

    def _expression(self, text: str, hint: Any) -> Any:
        made = self._registered.get((text, hint))
        if made is None:
            expression, bare = _expression_of(text, self.known)
            made = self._register(expression, hint)
            if bare <= self.known.keys():
                self._registered[text, hint] = made
        return made

    def _register(self, expression: Any, hint: Any) -> Any:
        """Adds an expression and its parts to the ShapeEnv. As in torch, adds neither conditions nor their symbols."""
        if expression.is_Integer or expression.is_Float or expression.is_Boolean:
            return expression
        text = str(expression)
        for part in expression.args:
            self._register(part, None)
        if text in self.known:
            expression = self.known[text]
        else:
            self.known[text] = expression
            if expression.is_Symbol and symbolic_shapes.symbol_is_type(expression, _UNBACKED):
                self.unbacked.add(expression)
        if hint is not None and (self._hints_expressions or expression.is_Symbol) and expression not in self.env.backed_var_to_val:
            self.env.add_backed_var_to_val(expression, hint)
        if text in self._ranges:
            given = self._ranges[text]
            _uncached("constrain_symbol_range")(self.env, expression, compiler_min=given.lower, compiler_max=given.upper)
        if expression.is_Symbol:
            self.env.var_to_stack[expression] = CapturedTraceback.extract(skip=1)
        return expression

    def integer(self, given: Any) -> Any:
        kind, content = given
        if kind == "as_int":
            return content
        # torch's tracers tell sizes apart by their objects, so each place has its own.
        hint = _hint_of(content, "as_int")
        return self.env.create_symintnode(self._expression(content[0], hint), hint=hint)

    def _is_final(self, content: Any) -> bool:
        """Returns whether an expression will be the same again. If the file has no hint, it is computed from the symbols
        known so far.
        """
        hint = _hint_of(content, "as_int")
        known = self._registered.get((content[0], hint))
        return known is not None and (hint is not None or bool(symbolic_shapes.free_unbacked_symbols(known)))

    def real(self, given: Any) -> Any:
        kind, content = given
        if kind == "as_float":
            return content
        hint = _hint_of(content, "as_float")
        return self.env.create_symfloatnode(self._expression(content.expr_str, hint), hint=hint)

    def boolean(self, given: Any) -> Any:
        kind, content = given
        return content if kind == "as_bool" else self.env.create_symboolnode(self._expression(content.expr_str, None))

    def tensor(self, given: Any) -> FakeTensor:
        dtype = _serialize._SERIALIZE_TO_TORCH_DTYPE[given.dtype]
        key = (tuple(given.sizes), tuple(given.strides), dtype)
        sizes, strides = tuple(map(self.integer, given.sizes)), tuple(map(self.integer, given.strides))
        symbolic = [content for kind, content in (*given.sizes, *given.strides) if kind != "as_int"]
        if key in self._shapes:
            # Computing a storage's size from symbols takes ten times as long as all the rest.
            meta = torch.empty(0, dtype=dtype, device=_META).as_strided(sizes, strides)
            torch.ops.inductor.resize_storage_bytes_.default(meta, self._shapes[key])
        else:
            meta = torch.empty_strided(sizes, strides, dtype=dtype, device=_META)
            if symbolic:
                extract_tensor_metadata(meta)  # as FakeTensorMode does, because it adds guards about strides to the ShapeEnv
                if all(map(self._is_final, symbolic)):
                    self._shapes[key] = meta.untyped_storage().nbytes()
        made = FakeTensor(self.mode, meta, self.device(given.device))
        return made.requires_grad_() if given.requires_grad else made

    def device(self, given: Any) -> torch.device:
        if given not in self._devices:
            self._devices[given] = torch.device(*given) if given.index is not None else torch.device(given.type)
        return self._devices[given]


def _hint_of(given: Any, kind: str) -> Any:
    if given.hint is None:
        return None
    found, value = given.hint
    if found != kind:
        raise Unsupported(f"hint {found}")
    return value


def _require(found: Iterable[str], supported: Collection[str], what: str) -> None:
    for kind in found:
        if kind not in supported:
            raise Unsupported(f"{what} {kind}")


def _uncached(method: str) -> Callable[..., Any]:
    """Returns a method of ShapeEnv without its cache. The cache would keep the method's arguments alive: the ShapeEnv
    and nodes.
    """
    return getattr(symbolic_shapes.ShapeEnv, method).__wrapped__


class _Operator(NamedTuple):
    target: Any
    call: str  # the _GraphBuilder method that makes its nodes
    is_single_tensor: bool = False


def _resolved(name: str) -> Any:
    """Returns torch's object with this name, or the name itself if there is none."""
    if name.startswith("#"):
        raise Unsupported(f"operator {name!r}")
    return _serialize.GraphModuleDeserializer.deserialize_operator(None, name)


def _operator_of(name: str) -> _Operator:
    target = _resolved(name)
    if isinstance(target, str) or isinstance(target, _serialize._registered_extension_types()):
        raise Unsupported(f"operator {name!r}")
    if target in _serialize._SYM_OPS or target == torch.ops.aten.item.default:
        return _Operator(target, "symbolic_node")
    if target is torch._higher_order_ops.triton_kernel_wrap.triton_kernel_wrapper_functional:
        raise Unsupported(f"operator {name!r}")
    if isinstance(target, torch._ops.HigherOrderOperator):
        return _Operator(target, "higher_order_node")
    if isinstance(target, torch._ops.OpOverload):
        returns = target._schema.returns
        return _Operator(target, "operator_node", len(returns) == 1 and isinstance(returns[0].real_type, torch.TensorType))
    if callable(target):
        return _Operator(target, "function_node")
    raise Unsupported(f"operator {name!r}")


def _arrangement(target: Any, names: Sequence[str], kinds: Sequence[int | None]) -> tuple[list[int], dict[str, int]]:
    """Returns the positional arguments, and the other arguments by name."""
    places = {name: place for place, name in enumerate(names)}
    positional: list[int] = []
    named: dict[str, int] = {}
    for argument in target._schema.arguments:
        name = argument.name
        is_keyword = keyword.iskeyword(name)
        kind = kinds[places[name]] if name in places else None
        if kind == _POSITIONAL:
            positional.append(places[name])
        elif kind == _KEYWORD and not is_keyword:
            named[name] = places[name]
        elif not argument.has_default_value() and not argument.kwarg_only:
            positional.append(places[name])
        elif is_keyword:
            named.clear()
            positional.append(places[name])
        elif name in places:
            named[name] = places[name]
    return positional, named


def _source_function(text: str) -> tuple[str, Any]:
    name, target = text.split(",")
    return name, _resolved(target)


def _module_stack(text: str) -> dict[str, tuple[str, str]]:
    return {key: (path, kind) for key, path, kind in _pt2.parse_module_stack(text)}


_LITERALS = {"as_int", "as_float", "as_bool", "as_string"}
_REFERENCES = {"as_sym_int", "as_sym_float", "as_sym_bool"}
_INPUTS = {"as_tensor", "as_sym_int", "as_none", *_LITERALS}
_OUTPUT_LITERALS = {"as_none", "as_int", "as_float", "as_bool"}
_OUTPUTS = {"as_tensor", *_REFERENCES, *_OUTPUT_LITERALS}


class _GraphBuilder:
    """Builds one graph, including its subgraphs."""

    def __init__(self, program: _Builder, given: Any) -> None:
        self._program = program
        self._given = given
        self.values = program.values
        self._metadata = program.metadata
        self.nodes: dict[str, torch.fx.Node] = {}
        self._made: dict[str, Any] = {}
        values = program.values
        tables: list[tuple[Callable[[Any], Any], dict[str, Any]]] = [
            (values.boolean, given.sym_bool_values),
            (values.real, given.sym_float_values),
            (values.integer, given.sym_int_values),
            (values.tensor, given.tensor_values),
        ]
        self._tables = [each for each in tables if each[1]]
        self.graph = torch.fx.Graph()
        self.module = torch.nn.Module()

    def build(self) -> torch.fx.Graph:
        given = self._given
        if given.custom_obj_values:
            raise Unsupported("custom objects")
        _require({kind for kind, _ in given.inputs}, _INPUTS, "graph input")
        _require({kind for kind, _ in given.outputs}, _OUTPUTS, "graph output")
        outer = self.values.unbacked
        self.values.unbacked = set()
        for place, argument in enumerate(given.inputs):
            self._input(place, argument)
        for node in given.nodes:
            self._node(node)
        self._output()
        self._bind_unbacked()
        self.values.unbacked = outer
        return self.graph

    def _value(self, name: str) -> Any:
        if name in self._made:
            return self._made[name]
        for make, table in self._tables:
            if name in table:
                made = self._made[name] = make(table[name])
                return made
        raise KeyError(name)

    def _add(self, name: str, node: torch.fx.Node) -> None:
        """Sets a node's value and its name, which fx might have changed (e.g. `input`)."""
        if name in self.nodes:
            raise ValueError(f"two nodes are named {name!r}")
        node.name = name
        self.nodes[name] = node
        node.meta["val"] = self._value(name)

    def _input(self, place: int, argument: Any) -> None:
        if argument[0] in ("as_tensor", "as_sym_int"):
            name = _name_of(argument)
            self._add(name, self.graph.placeholder(name))
        else:
            name = self._program.signature.input_specs[place].arg.name or f"arg{place}"
            self.graph.placeholder(name).meta["val"] = self.argument(argument)

    def _output(self) -> None:
        given = self._given
        outputs: Any = tuple(
            self.argument(each) if each[0] in _OUTPUT_LITERALS else self.nodes[_name_of(each)]
            for each in given.outputs
        )
        if given.is_single_tensor_return:
            (outputs,) = outputs
            self.graph.output(outputs).meta["val"] = outputs.meta["val"]
        else:
            self.graph.output(outputs).meta["val"] = tuple(
                each.meta["val"] if isinstance(each, torch.fx.Node) else each for each in outputs
            )

    def _bind_unbacked(self) -> None:
        pending = self.values.unbacked
        for node in self.graph.nodes:
            if not pending:
                return
            value = node.meta.get("val")
            bindings = value is not None and symbolic_shapes._free_unbacked_symbols_with_path(
                value, (), shape_env=self.values.env, pending=pending, simplify=True
            )
            if bindings:
                node.meta["unbacked_bindings"] = bindings
        if pending:
            raise ValueError(f"no value defines {pending}")

    def argument(self, given: Any) -> Any:
        kind, value = given
        if kind == "as_tensor":  # most are
            return self.nodes[value[0]]
        if kind not in _ARGUMENTS:
            raise Unsupported(f"argument {kind}")
        return _ARGUMENTS[kind](self, value)

    def reference(self, given: Any) -> Any:
        kind, value = given
        return self.nodes[value] if kind == "as_name" else value

    def subgraph(self, given: Any) -> torch.fx.Node:
        builder = _GraphBuilder(self._program, given.graph)
        graph = builder.build()
        self.module.register_module(given.name, _exported._create_graph_module_for_export(builder.module, graph))
        return self.graph.create_node("get_attr", given.name, name=given.name)

    def _node(self, given: Any) -> None:
        called = self._program.operator_of(given.target)
        node = getattr(self, called.call)(given, called)
        node.meta.update(self._metadata(given.metadata))
        target = called.target
        if target is torch.ops.aten._assert_scalar.default:
            self._assert(node)
        elif target is torch.ops.aten.sym_constrain_range_for_size.default:
            size = node.args[0].meta["val"]
            if isinstance(size, torch.SymInt):
                self.values.env._constrain_range_for_size(size.node.expr)
                self.values.forget_shapes()
        if "nn_module_stack" not in node.meta:
            node.meta["nn_module_stack"] = {}

    def _assert(self, node: torch.fx.Node) -> None:
        condition = node.args[0]
        if isinstance(condition, bool):
            return
        value = condition.meta["val"]
        if isinstance(value, torch.SymBool):
            _uncached("guard_or_defer_runtime_assert")(self.values.env, value.node.expr, "", node)
            self.values.forget_shapes()

    def _create(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None) -> torch.fx.Node:
        return self.graph.create_node("call_function", target, args, kwargs, name)

    def symbolic_node(self, given: Any, called: _Operator) -> torch.fx.Node:
        result = _name_of(given.outputs[0])
        args = tuple([self.argument(each.arg) for each in given.inputs])
        node = self._create(called.target, args, {}, given.name or result)
        self._add(result, node)
        return node

    def operator_node(self, given: Any, called: _Operator) -> torch.fx.Node:
        name = given.name or (_name_of(given.outputs[0]) if called.is_single_tensor else None)
        values = [self.argument(each.arg) for each in given.inputs]
        names, kinds = tuple([each.name for each in given.inputs]), tuple([each.kind for each in given.inputs])
        positional, named = self._program.arrangement(called.target, names, kinds)
        args = tuple([values[place] for place in positional])
        kwargs = {key: values[place] for key, place in named.items()} if named else {}
        node = self._create(called.target, args, kwargs, name)
        self._results(given, node)
        return node

    def function_node(self, given: Any, called: _Operator) -> torch.fx.Node:
        args, kwargs = self._untyped_arguments(given)
        node = self._create(called.target, args, kwargs, given.name or None)
        self._results(given, node)
        return node

    def higher_order_node(self, given: Any, called: _Operator) -> torch.fx.Node:
        args, kwargs = self._untyped_arguments(given)
        metadata = self._metadata(given.metadata)
        for each in (*args, *kwargs.values()):
            if isinstance(each, torch.fx.Node) and each.op == "get_attr":
                each.meta.update(metadata)  # the file has none for nodes of subgraphs
        name = given.name or None
        if name is None and given.is_hop_single_tensor_return and len(given.outputs) == 1:
            name = given.outputs[0][1].name if given.outputs[0][0] == "as_tensor" else None
        node = self._create(called.target, args, kwargs, name)
        self._results(given, node)
        node.meta.update(metadata)
        return node

    def _untyped_arguments(self, given: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Returns the arguments of a call without a schema."""
        args, kwargs = [], {}
        for each in given.inputs:
            value = self.argument(each.arg)
            if each.kind == _POSITIONAL or each.name == "":
                args.append(value)
            else:
                kwargs[each.name] = value
        return tuple(args), kwargs

    def _results(self, given: Any, node: torch.fx.Node) -> None:
        outputs = given.outputs
        kind = outputs[0][0] if outputs else None
        if len(outputs) > 1:
            self._items(given, node, outputs)
        elif kind == "as_none":
            node.meta["val"] = None
            node._rename(f"{self.graph._target_to_str(node.target)}_unused")
        elif kind == "as_tensor" or kind in _REFERENCES:
            if "torch.ops.higher_order" in given.target and not given.is_hop_single_tensor_return:
                self._items(given, node, outputs)
            else:
                self._add(_name_of(outputs[0]), node)
        elif kind == "as_tensors" and outputs[0][1] and "torch.ops.higher_order" not in given.target:
            self._items(given, node, [("as_tensor", each) for each in outputs[0][1]])
        elif kind is not None:
            raise ValueError(f"{kind} is not the result of {given.target}")

    def _items(self, given: Any, node: torch.fx.Node, outputs: Sequence[Any]) -> None:
        """Adds a node for each item of the result. These nodes share the values of their metadata."""
        node.meta["val"] = tuple(self._item_values(node, outputs, self._metadata(given.metadata)))
        self.nodes[node.name] = node

    def _item_values(self, node: torch.fx.Node, outputs: Sequence[Any], metadata: dict[str, Any]) -> list[Any]:
        values: list[Any] = []
        for place, output in enumerate(outputs):
            kind, content = output
            if kind in ("as_tensor", "as_sym_int", "as_sym_float"):
                name = _name_of(output)
                item = self._create(operator.getitem, (node, place), {}, name)
                self._add(name, item)
                item.meta.update(metadata)
            elif kind == "as_none":
                item = self._create(operator.getitem, (node, place), {}, "as_none")
                item.meta.update({"val": None, **metadata})
            elif kind in ("as_tensors", "as_sym_ints", "as_sym_floats"):
                item = self._create(operator.getitem, (node, place), {}, None)
                items = self._item_values(item, [(kind[:-1], each) for each in content], metadata)
                item.meta.update({**metadata, "val": items})
            else:
                raise ValueError(f"{kind} is not an item of a result")
            values.append(item.meta["val"])
        return values


_ARGUMENTS: dict[str, Callable[[_GraphBuilder, Any], Any]] = {
    **dict.fromkeys((*_LITERALS, "as_ints", "as_floats", "as_bools", "as_strings", "as_float_lists"), lambda _, value: value),
    **dict.fromkeys(_REFERENCES, _GraphBuilder.reference),
    **dict.fromkeys(("as_sym_ints", "as_sym_floats", "as_sym_bools"), lambda builder, value: [builder.reference(each) for each in value]),
    "as_none": lambda _, value: None,
    "as_tensor": lambda builder, value: builder.nodes[value.name],
    "as_tensors": lambda builder, value: [builder.nodes[each.name] for each in value],
    "as_optional_tensors": lambda builder, value: [None if kind == "as_none" else builder.nodes[each.name] for kind, each in value],
    "as_nested_tensors": lambda builder, value: [[builder.nodes[each.name] for each in inner] for inner in value],
    "as_scalar_type": lambda _, value: _serialize._SERIALIZE_TO_TORCH_DTYPE[value],
    "as_device": lambda builder, value: builder.values.device(value),
    "as_layout": lambda _, value: _serialize._SERIALIZE_TO_TORCH_LAYOUT[value],
    "as_memory_format": lambda _, value: _serialize._SERIALIZE_TO_TORCH_MEMORY_FORMAT[value],
    "as_complex": lambda _, value: complex(value.real, value.imag),
    "as_int_lists": lambda _, value: [tuple(each) for each in value],
    "as_string_to_argument": lambda builder, value: {name: builder.argument(each) for name, each in value.items()},
    "as_operator": lambda _, value: _resolved(value),
    "as_graph": _GraphBuilder.subgraph,
}


def _name_of(argument: Any) -> str:
    """Returns the name of the value that an argument refers to."""
    kind, content = argument
    if kind == "as_tensor":
        return content.name
    if kind in _REFERENCES and content[0] == "as_name":
        return content[1]
    raise ValueError(f"expected the name of a value, got {kind} {content!r}")


def _target_of(spec: Any) -> str | None:
    """Returns the name in the model, or of the input that an output changes."""
    names = ("parameter_name", "buffer_name", "tensor_constant_name", "user_input_name")
    return next((getattr(spec, name) for name in names if hasattr(spec, name)), None)


_VERIFIERS = {"ATEN", "TRAINING"}


class _Builder:
    """Builds one program."""

    def __init__(self, given: Any, constants: dict[str, Any]) -> None:
        self._given = given
        self._constants = constants
        self.operator_of = functools.cache(_operator_of)
        self.arrangement = functools.cache(_arrangement)
        self._module_stack = functools.cache(_module_stack)
        if given.schema_version.major != _serialize.SCHEMA_VERSION[0]:
            raise Unsupported(f"schema version {given.schema_version.major}")
        for name in given.verifiers:
            # Other verifiers may look at metadata of the graph module, which is added after they ran.
            if name not in _VERIFIERS or load_verifier(name).__module__ != "torch._export.verifier":
                raise Unsupported(f"verifier {name!r}")

    def metadata(self, given: dict[str, str]) -> dict[str, Any]:
        """Decodes Node.metadata. Each node has its own objects."""
        made: dict[str, Any] = {}
        if text := given.get("stack_trace"):
            made["stack_trace"] = text
        if text := given.get("nn_module_stack"):
            made["nn_module_stack"] = self._module_stack(text).copy()
        if text := given.get("source_fn_stack"):
            made["source_fn_stack"] = [_source_function(each) for each in text.split(";")]
        if text := given.get("torch_fn"):
            made["torch_fn"] = tuple(text.split(";"))
        if text := given.get("custom"):
            made["custom"] = json.loads(text)
        if text := given.get("from_node"):
            sources = json.loads(text)
            made["from_node"] = sources and [NodeSource._from_dict(each) for each in sources if each is not None]
        return made

    def program(self, state: dict[str, Any], inputs: Any) -> _exported.ExportedProgram:
        given = self._given
        ranges = {
            name: ValueRanges(
                _serialize._int_to_sympy_int(each.min_val, -int_oo), _serialize._int_to_sympy_int(each.max_val, int_oo)
            )
            for name, each in given.range_constraints.items()
        }
        self.values = _Values(ranges)
        self.signature = self._signature(given.graph_module.signature)
        if not inputs:
            inputs = None
        builder = _GraphBuilder(self, given.graph_module.graph)
        graph = builder.build()
        with _enable_graph_inputs_of_type_nn_module(inputs):
            calls = [self._module_call(builder, each) for each in given.graph_module.module_call_graph]
        program = _exported.ExportedProgram(
            root=builder.module,
            graph=graph,
            graph_signature=self.signature,
            state_dict=state,
            range_constraints=self._constraints(ranges),
            module_call_graph=calls,
            example_inputs=inputs,
            constants=self._constants,
            verifiers=[load_verifier(name) for name in given.verifiers],
        )
        program.graph_module.meta.update(self._module_metadata())
        program._guards_code = given.guards_code
        return program

    def _module_metadata(self) -> dict[str, Any]:
        given = self._given.graph_module
        custom = given.metadata.get("custom")
        fields = {name: each.field_names for name, each in given.treespec_namedtuple_fields.items()}
        return {**({"custom": json.loads(custom)} if custom else {}), "treespec_namedtuple_fields": fields}

    def _constraints(self, ranges: dict[str, Any]) -> dict[Any, Any]:
        constraints = {}
        for name, each in ranges.items():
            if name in self.values.known:
                constraints[self.values.known[name]] = each
            else:
                _log.warning("Symbol %s did not appear in the graph that was deserialized", name)
        return constraints

    def _signature(self, given: Any) -> Any:
        return _exported.ExportGraphSignature(
            input_specs=[self._input_spec(*each) for each in given.input_specs],
            output_specs=[self._output_spec(*each) for each in given.output_specs],
        )

    def _input_spec(self, kind: str, given: Any) -> Any:
        if kind == "constant_input":
            argument = _exported.ConstantArgument(name=given.name, value=None if given.value[0] == "as_none" else given.value[1])
            return _exported.InputSpec(kind=_exported.InputKind.USER_INPUT, arg=argument, target=None)
        if kind == "custom_obj":
            raise Unsupported("custom objects")
        return _exported.InputSpec(
            kind=_exported.InputKind["CONSTANT_TENSOR" if kind == "tensor_constant" else kind.upper()],
            arg=_spec_argument(kind, given),
            target=_target_of(given),
            persistent=given.persistent if kind == "buffer" else None,
        )

    def _output_spec(self, kind: str, given: Any) -> Any:
        return _exported.OutputSpec(kind=_exported.OutputKind[kind.upper()], arg=_spec_argument(kind, given), target=_target_of(given))

    def _module_call(self, builder: _GraphBuilder, given: Any) -> Any:
        signature = given.signature
        if signature is not None:
            signature = _exported.ModuleCallSignature(
                inputs=[_argument_spec(each, builder) for each in signature.inputs],
                outputs=[_argument_spec(each, builder) for each in signature.outputs],
                in_spec=_pytree.treespec_loads(signature.in_spec),
                out_spec=_pytree.treespec_loads(signature.out_spec),
                forward_arg_names=signature.forward_arg_names or None,
            )
        return _exported.ModuleCallEntry(fqn=given.fqn, signature=signature)


def _spec_argument(kind: str, given: Any) -> Any:
    if kind in ("user_input", "user_output"):
        return _argument_spec(given.arg, None)
    made = _exported.TokenArgument if kind == "token" else _exported.TensorArgument
    return made(name=given.arg.name)


def _argument_spec(given: Any, builder: _GraphBuilder | None) -> Any:
    kind, content = given
    if kind == "as_tensor":
        return _exported.TensorArgument(name=content.name)
    if kind in ("as_sym_int", "as_sym_float"):
        made = _exported.SymIntArgument if kind == "as_sym_int" else _exported.SymFloatArgument
        return made(name=_name_of(given))
    if kind == "as_none":
        return _exported.ConstantArgument(name="", value=None)
    if kind in _LITERALS:
        return _exported.ConstantArgument(name="", value=content)
    if builder is None:
        raise ValueError(f"{kind} in the signature")
    return _exported.ConstantArgument(name="", value=builder.argument(given))
