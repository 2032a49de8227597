#!/usr/bin/env python3
"""Turns PyTorch's export schema into a schema that schemagen reads.

The input is a `schema.py` (read with `ast`, never imported or run) or the `schema.yaml` that PyTorch
derives from it. Needs Python 3.9 or newer, and PyYAML where a file to read is YAML.

The stages, in order: read the input into a `Schema`; number fields that have no id; carry over what people
added to older files (docs, reservations); choose boxed members and roots; write. Each stage adds what it
finds wrong to one `Report`, so that one run shows all errors.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import io
import json
import math
import os
import re
import stat
import sys
import tempfile
import tokenize
from dataclasses import dataclass, field

try:
    import yaml
except ImportError:  # schema.py is read without it
    yaml = None

VERSION = "0.2.0"  # of the project, as in CMakeLists.txt

DONE, USAGE, BAD_INPUT, IO_FAILED = 0, 2, 3, 4

MAX_ID = 32767  # Thrift field ids are signed 16-bit; ours begin at 1
ID_STEP = 10  # leaves room to add a field between two
MAX_COLUMNS = 100
MAX_DEPTH = 50  # of nested YAML; the files of this project need 6

INTEGERS = {  # and what comes after the largest
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1)) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits) for bits in (8, 16, 32, 64)},
    "int": (-(2**63), 2**63),
}
SCALARS = ("bool", "float", "float32", "str", "bytes", *INTEGERS)
TYPING = ("List", "Dict", "Optional", "Tuple", "Union", "Any", "Annotated")
BY_HAND = ("since", "deprecated", "cpp_name", "doc")  # field keys that a Python source cannot say
# What a schema of ours can have.
FIELD_KEYS = ("id", "type", "default", "boxed", "states_version", "allow") + BY_HAND
TYPE_KEYS = ("kind", "json", "cpp_name", "doc", "fields", "reserved", "allow")
SCHEMA_KEYS = ("name", "version", "imports", "constants", "roots", "types", "allow")


# ---- messages ------------------------------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class Place:
    """A place in a file. Line and column count from 1, columns in bytes."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Message:
    severity: str  # error, warning or note
    place: Place
    text: str
    hint: str = ""
    notes: tuple = ()  # of (Place, text): other places that explain the message


class Report:
    """Collects messages, so that one run shows everything that is wrong."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def error(self, place: Place, text: str, hint: str = "", notes: tuple = ()) -> None:
        self.messages.append(Message("error", place, text, hint, notes))

    def warning(self, place: Place, text: str, notes: tuple = ()) -> None:
        self.messages.append(Message("warning", place, text, notes=notes))

    def note(self, place: Place, text: str) -> None:
        self.messages.append(Message("note", place, text))

    def has_errors(self) -> bool:
        return any(m.severity == "error" for m in self.messages)

    def render(self) -> str:
        lines = []
        # A file that is read for two purposes has its messages once.
        for m in dict.fromkeys(sorted(self.messages, key=lambda m: m.place)):
            lines.append(f"{m.place}: {m.severity}: {m.text}")
            lines += [f"{place}: note: {text}" for place, text in m.notes]
            if m.hint:
                lines.append(f"hint: {m.hint}")
        return "".join(line + "\n" for line in lines)


# ---- the schema as plain data --------------------------------------------------------------------------


@dataclass(frozen=True)
class Type:
    """A type as the schema language spells it: `Type("List", (Type("int"),))` is `List[int]`.

    The keys of a Dict stand behind what it holds, if they are no str."""

    head: str
    args: tuple = ()
    # Written as a Python forward reference; no part of the type itself.
    quoted: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        if self.head == "Dict":
            return f"Dict[{self.args[1] if len(self.args) > 1 else 'str'}, {self.args[0]}]"
        return f"{self.head}[{self.args[0]}]" if self.args else self.head

    def names(self) -> list[str]:
        """The heads of this type and of the types in it."""
        return [self.head] + [name for arg in self.args for name in arg.names()]

    def without_optional(self) -> Type:
        return self.args[0] if self.head == "Optional" else self


ANY = Type("Any")
UNIT = Type("Tuple[()]")
# What stands for something that was reported and shall cause no further message.
UNKNOWN = Type("?")
WRONG_ID = 0


@dataclass
class Field:
    name: str
    place: Place
    type: Type
    id: int | None = None
    default: str | None = None  # as YAML; None: the field is required
    boxed: bool = False
    states_version: bool = False
    by_hand: dict = field(default_factory=dict)  # the BY_HAND keys
    comment: str = ""


@dataclass
class Definition:
    kind: str  # struct, union or enum
    name: str
    place: Place
    fields: list = field(default_factory=list)  # of Field, of a struct or union
    values: dict = field(default_factory=dict)  # of an enum: name -> (number, Place)
    places: dict = field(default_factory=dict)  # name of each member read so far -> Place
    json: str = ""
    cpp_name: str = ""
    doc: str = ""
    comment: str = ""
    reserved_ids: dict = field(default_factory=dict)  # id -> Place
    reserved_names: dict = field(default_factory=dict)  # name -> Place

    def members(self) -> list[tuple]:
        """(id or number, name, spelling, place) of each field or enum member."""
        if self.kind == "enum":
            return [(number, name, name, place) for name, (number, place) in self.values.items()]
        return [(f.id, f.name, f"{f.name}: {f.type}", f.place) for f in self.fields]


@dataclass
class Schema:
    version: tuple = (0, 0)
    constants: dict = field(default_factory=dict)
    types: list = field(default_factory=list)  # of Definition, in declaration order
    roots: list = field(default_factory=list)

    def find(self, name: str) -> Definition | None:
        return next((d for d in self.types if d.name == name), None)


# ---- types and defaults --------------------------------------------------------------------------------


class NotSayable(Exception):
    """The schema language has no such type; the text says why."""


class TypeReader:
    """Reads types, which are given as Python expressions in both kinds of input."""

    def __init__(self, file: str, kinds: dict, elsewhere: set, report: Report) -> None:
        self.file = file
        self.kinds = kinds  # name of each type of the schema -> its kind
        self.elsewhere = elsewhere  # names that mean something, but not a type of the schema
        self.report = report

    def place(self, node: ast.AST) -> Place:
        return Place(self.file, node.lineno, node.col_offset + 1)

    def read(self, node: ast.AST, owner: str) -> Type:
        """The type of the field `owner`; `Any`, with a note, where the language cannot say it."""
        try:
            return self._read(node, outermost=True)
        except NotSayable as reason:
            self._report_unknown_names(node)
            self.report.note(self.place(node), f"{owner} becomes Any: {reason}")
            return ANY

    def unquote(self, node: ast.AST) -> ast.AST:
        """The expression inside a quoted annotation, placed where the quotes are; others as they are."""
        while isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                inner = ast.parse(node.value.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                raise NotSayable(f"'{node.value}' is not a type") from None
            for child in ast.walk(inner):
                child.lineno, child.col_offset = node.lineno, node.col_offset
            node = inner
        return node

    def _read(self, node: ast.AST, outermost: bool = False) -> Type:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            inner = self._read(self.unquote(node), outermost)
            return Type(inner.head, inner.args, quoted=True)
        if isinstance(node, (ast.Name, ast.Attribute)):
            return self._read_name(node)
        if isinstance(node, ast.Subscript):
            return self._read_subscript(node, outermost)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self._read_alternatives(flatten_or(node), outermost)
        raise NotSayable("it is not a type")

    def _read_name(self, node: ast.AST) -> Type:
        name = last_name(node)
        if name in SCALARS or name in self.kinds or name == "Any":
            return Type(name)
        if isinstance(node, ast.Name) and not self._means_something(name):
            self._report_unknown(node)
            return UNKNOWN
        if name in ("List", "list", "Dict", "dict"):
            raise NotSayable(f"'{name}' does not say what it holds")
        if name in ("Tuple", "tuple"):
            raise NotSayable("the language has no tuples")
        raise NotSayable(f"the language has no '{name}'")

    def _read_subscript(self, node: ast.Subscript, outermost: bool) -> Type:
        head = last_name(node.value)
        args = list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]
        if head in ("List", "list") and len(args) == 1:
            return Type("List", (self._read(args[0]),))
        if head in ("Dict", "dict") and len(args) == 2:
            key = self._read(args[0])
            if key.head not in ("str", *INTEGERS) and self.kinds.get(key.head) != "enum":
                raise NotSayable("the keys of a Dict are str, integers or an enum")
            return Type("Dict", (self._read(args[1]),) + ((key,) if key.head != "str" else ()))
        if head == "Optional" and len(args) == 1:
            return self._read_alternatives([args[0], ast.Constant(value=None)], outermost)
        if head == "Union":
            return self._read_alternatives(args, outermost)
        if head in ("Tuple", "tuple"):
            if not args:
                return UNIT
            raise NotSayable("the language has no tuples")
        raise NotSayable(f"the language has no '{head}[...]'" if head else "it is not a type")

    def _read_alternatives(self, nodes: list, outermost: bool) -> Type:
        choices = [n for n in nodes if not (isinstance(n, ast.Constant) and n.value is None)]
        if len(choices) != 1:
            raise NotSayable("of alternatives, the language has only Optional[T]")
        inner = self._read(choices[0], outermost)
        if len(choices) == len(nodes) or inner.head in ("Optional", "Any"):
            return inner
        if not outermost:
            raise NotSayable("Optional stands only outermost")
        return Type("Optional", (inner,), inner.quoted)

    def _means_something(self, name: str) -> bool:
        known = name in self.kinds or name in self.elsewhere or name in TYPING
        return known or hasattr(builtins, name)

    def _report_unknown(self, node: ast.Name) -> None:
        self.report.error(self.place(node), f"unknown type '{node.id}'")

    def _report_unknown_names(self, node: ast.AST) -> None:
        """Also in a type that becomes Any, a name that nothing defines is a mistake."""
        reported = {m.place for m in self.report.messages}
        for child in ast.walk(node):
            if isinstance(child, ast.Name) and not self._means_something(child.id):
                if self.place(child) not in reported:
                    self._report_unknown(child)


def last_name(node: ast.AST) -> str:
    """`List` of `List`, `typing.List` and `t.List`; empty for what is not a name."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def flatten_or(node: ast.AST) -> list:
    """The operands of `A | B | C`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return flatten_or(node.left) + flatten_or(node.right)
    return [node]


@dataclass(frozen=True)
class EnumMember:
    """A default such as `ScalarType.FLOAT`."""

    type_name: str
    member: str


@dataclass(frozen=True)
class Fields:
    """A default such as `Device(type="cpu")` or, of a union, `SymInt.create(as_int=1)`."""

    type_name: str
    values: dict = field(hash=False)  # name of the field -> value


def default_as_yaml(value: object, type_: Type, enums: dict) -> str | None:
    """The default as YAML; None where it does not fit the type. `enums`: name -> Definition.

    The fields of a struct are taken as they are: `schemagen check` says what does not fit there.
    """
    head = type_.head
    if head in enums:
        return enum_default(value, enums[head])
    if isinstance(value, Fields):
        return value_as_yaml(value) if value.type_name == head else None
    if isinstance(value, (list, dict)) and value:
        if head != ("List" if isinstance(value, list) else "Dict"):
            return None
        items = value if isinstance(value, list) else value.values()
        inner = [inner_as_yaml(item, type_.args[0], enums) for item in items]
        key_type = type_.args[1] if len(type_.args) > 1 else Type("str")
        keys = [default_as_yaml(key, key_type, enums) for key in value] if isinstance(value, dict) else []
        if None in inner + keys:
            return None
        if isinstance(value, list):
            return f"[{', '.join(inner)}]"
        return f"{{{', '.join(f'{key}: {item}' for key, item in zip(keys, inner))}}}"
    smallest, end = INTEGERS.get(head, INTEGERS["int"])
    fits_int = is_int(value) and smallest <= value < end
    fits_float = fits_int or isinstance(value, float) and math.isfinite(value)
    fits = {
        "Optional": value is None,
        "bool": isinstance(value, bool),
        **dict.fromkeys(INTEGERS, fits_int),
        "float": fits_float,
        "float32": fits_float and abs(value) < 2**128 - 2**103,  # from there on it is rounded to infinity
        "str": isinstance(value, str) and is_utf8(value),
        "List": isinstance(value, list) and not value,
        "Dict": isinstance(value, dict) and not value,
    }
    if not fits.get(head, False):
        return None
    return literal_as_yaml(float(value) if head in ("float", "float32") else value)


def inner_as_yaml(value: object, type_: Type, enums: dict) -> str | None:
    """The same of a value in a list or dict, where an Optional can be more than None."""
    if type_.head == "Optional" and value is not None:
        type_ = type_.args[0]
    return default_as_yaml(value, type_, enums)


def value_as_yaml(value: object) -> str:
    """A value in a struct, whose type is not looked at."""
    if isinstance(value, Fields):
        return f"{{{', '.join(f'{name}: {value_as_yaml(one)}' for name, one in value.values.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(value_as_yaml, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{value_as_yaml(key)}: {value_as_yaml(one)}' for key, one in value.items())}}}"
    return value.member if isinstance(value, EnumMember) else literal_as_yaml(value)


def is_utf8(text: str) -> bool:
    """Whether UTF-8 can say it, which is so for all but lone surrogates."""
    try:
        text.encode("utf-8")
        return True
    except UnicodeEncodeError:
        return False


def enum_default(value: object, enum: Definition) -> str | None:
    """The name of the member that a default names, by member or by number."""
    if isinstance(value, EnumMember):
        return value.member if value.type_name == enum.name and value.member in enum.values else None
    if isinstance(value, int) and not isinstance(value, bool):
        return next((name for name, (number, _) in enum.values.items() if number == value), None)
    return None


def literal_as_yaml(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return quoted(value)
    return repr(value)


# ---- schema.py -----------------------------------------------------------------------------------------


class Comments:
    """The comments of a Python file, by line."""

    PRAGMA = re.compile(r"(type|noqa|pylint|pyre-\w+|pyright|fmt|ruff|isort)\b")

    def __init__(self, text: str) -> None:
        self.alone: dict[int, str] = {}  # on lines without code
        self.trailing: dict[int, str] = {}
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                alone = not token.line[: token.start[1]].strip()
                (self.alone if alone else self.trailing)[token.start[0]] = self._clean(token.string)

    def _clean(self, comment: str) -> str:
        text = comment.lstrip("#").strip()
        return "" if self.PRAGMA.match(text) or not re.search(r"\w", text) else text

    def of(self, first: int, last: int) -> str:
        """The block directly above line `first`, then what trails the lines up to `last`."""
        above = first
        while above - 1 in self.alone:
            above -= 1
        lines = [self.alone[n] for n in range(above, first)]
        lines += [self.trailing.get(n, "") for n in range(first, last + 1)]
        return " ".join(" ".join(lines).split())


def class_kind(node: ast.ClassDef) -> str | None:
    """Returns struct, union or enum; None for a class outside of the schema."""
    bases = [last_name(base) for base in node.bases]
    decorators = [last_name(d.func if isinstance(d, ast.Call) else d) for d in node.decorator_list]
    if "Enum" in bases or "IntEnum" in bases:
        return "enum"
    if "_Union" in bases or "_union_dataclass" in decorators:
        return "union"
    return "struct" if "dataclass" in decorators else None


def assignment(node: ast.AST) -> tuple | None:
    """(name, value) of `name = value` and `name: T = value`; None for anything else."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
        return node.targets[0].id, node.value
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
        return node.target.id, node.value
    return None


NO_LITERAL = object()
WRONG_DEFAULT = object()  # reported


def literal(node: ast.AST) -> object:
    """The value of a literal; NO_LITERAL for any other expression."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return NO_LITERAL


def is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


class PythonReader:
    """Reads `schema.py`. Ignores classes other than dataclasses, unions and enums."""

    def __init__(self, file: str, report: Report) -> None:
        self.file = file
        self.report = report
        self.comments: Comments | None = None

    def read(self, text: str, with_comments: bool) -> Schema:
        try:
            tree = ast.parse(text)
        except SyntaxError as e:
            place = Place(self.file, e.lineno or 1, max(e.offset or 1, 1))
            self.report.error(place, f"not Python: {e.msg}")
            return Schema()
        except (ValueError, RecursionError, MemoryError) as e:
            self.report.error(Place(self.file, 1, 1), f"not Python: {e or 'nested too deeply'}")
            return Schema()
        if with_comments:
            self.comments = Comments(text)
        self.names = self._names(tree)
        classes = self._classes(tree)
        self.enums = {n.name: self._enum(n) for n in classes.values() if class_kind(n) == "enum"}
        kinds = {name: class_kind(node) for name, node in classes.items()}
        self.types = TypeReader(self.file, kinds, names_defined(tree) - set(kinds), self.report)
        types = [self.enums.get(name) or self._record(node) for name, node in classes.items()]
        if not types:
            self.report.error(Place(self.file, 1, 1), "no dataclass, union or enum in this file")
        for one in types:  # which have found each other by now
            one.name = self._schema_name(one.name)
            for f in one.fields:
                f.type = self._with_schema_names(f.type)
        return Schema(self._version(tree), self._constants(tree), types)

    def _names(self, tree: ast.Module) -> dict:
        """The schema's names of things that have another one in Python, from the comments of `export --format python`."""
        for node in tree.body:
            name, value = assignment(node) or ("", None)
            names = literal(value) if name == "SCHEMA_NAMES" else None
            if isinstance(names, dict) and all(isinstance(text, str) for pair in names.items() for text in pair):
                return names
        return {}

    def _schema_name(self, name: str, owner: str = "") -> str:
        return self.names.get(f"{owner}.{name}" if owner else name, name)

    def _with_schema_names(self, type_: Type) -> Type:
        head = self._schema_name(type_.head) if type_.head in self.types.kinds else type_.head
        return Type(head, tuple(map(self._with_schema_names, type_.args)), type_.quoted)

    def place(self, node: ast.AST) -> Place:
        return Place(self.file, node.lineno, node.col_offset + 1)

    def _classes(self, tree: ast.Module) -> dict:
        classes: dict[str, ast.ClassDef] = {}
        for node in tree.body:
            if not isinstance(node, ast.ClassDef) or not class_kind(node):
                continue
            if node.name in classes:
                first = self.place(classes[node.name])
                text = f"'{node.name}' is defined twice"
                self.report.error(self.place(node), text, notes=((first, "first defined here"),))
                continue
            check_type_name(node.name, self.place(node), self.report)
            classes[node.name] = node
        return classes

    def _version(self, tree: ast.Module) -> tuple:
        for node in tree.body:
            if (assignment(node) or [""])[0] == "SCHEMA_VERSION":
                return version_of(literal(assignment(node)[1]), self.place(node), self.report)
        no_version(self.file, self.report)
        return (0, 0)

    def _constants(self, tree: ast.Module) -> dict:
        constants = {}
        for node in tree.body:
            name, value = assignment(node) or ("", None)
            number = literal(value) if name and name != "SCHEMA_VERSION" else NO_LITERAL
            if is_int(number):
                name = self._schema_name(name)
                constants[name] = number
                check_constant(name, number, self.place(node), self.report)
        return constants

    def _definition(self, kind: str, node: ast.ClassDef) -> Definition:
        first = min([node.lineno] + [d.lineno for d in node.decorator_list])
        comment = self.comments.of(first, node.lineno) if self.comments else ""
        return Definition(kind, node.name, self.place(node), comment=comment)

    def _enum(self, node: ast.ClassDef) -> Definition:
        result = self._definition("enum", node)
        for statement in node.body:
            name, value = assignment(statement) or ("", None)
            if not name or name.startswith("__"):
                continue
            number = literal(value)
            if isinstance(value, ast.Call) and last_name(value.func) == "auto" and not value.args:
                number = max([n for n, _ in result.values.values()], default=0) + 1
            add_enum_value(result, self._schema_name(name, node.name), number, self.place(statement), self.report)
        return result

    def _record(self, node: ast.ClassDef) -> Definition:
        """A struct or a union."""
        result = self._definition(class_kind(node), node)
        for base in node.bases:
            if last_name(base) not in ("_Union", "object"):
                text = f"'{node.name}' has a base class, and the schema language has no inheritance"
                self.report.error(self.place(base), text, "repeat the fields of the base class")
        for statement in node.body:
            if isinstance(statement, ast.ClassDef):
                text = f"class '{statement.name}' is nested in '{node.name}'"
                self.report.error(self.place(statement), text, "types must be at the top level of the file")
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                self._add_field(result, statement)
        return result

    def _add_field(self, owner: Definition, node: ast.AnnAssign) -> None:
        name, place = self._schema_name(node.target.id, owner.name), self.place(node)
        if "ClassVar" in (last_name(node.annotation), last_name(getattr(node.annotation, "value", node))):
            return
        if not can_add(owner, name, place, self.report):
            return
        label = f"'{name}' of '{owner.name}'"
        type_node, id_ = self._split_annotated(node.annotation, label)
        result = Field(name, place, self.types.read(type_node, label), id_)
        if self.comments:
            result.comment = self.comments.of(node.lineno, node.end_lineno)
        if node.value:
            value = self._default_value(node.value, label)
            set_default(result, owner, value, self.place(node.value), self.enums, self.report)
        owner.fields.append(result)

    def _split_annotated(self, node: ast.AST, label: str) -> tuple:
        """The type and the id of `Annotated[T, id]`; of `T`, the type and no id."""
        try:
            inner = self.types.unquote(node)
        except NotSayable:
            return node, None
        if not isinstance(inner, ast.Subscript) or last_name(inner.value) != "Annotated":
            return node, None
        args = inner.slice.elts if isinstance(inner.slice, ast.Tuple) else [inner.slice]
        id_ = literal(args[1]) if len(args) > 1 else None
        if id_ is None:
            return args[0], None
        if not is_int(id_):
            self.report.error(self.place(args[1]), f"the id of {label} is not an integer")
            return args[0], WRONG_ID
        if not 1 <= id_ <= MAX_ID:
            self.report.error(self.place(args[1]), f"id {id_} of {label} is outside 1..{MAX_ID}")
            return args[0], WRONG_ID
        return args[0], id_

    def _default_value(self, node: ast.AST, label: str) -> object:
        """The value of a default; NO_LITERAL where there is none, WRONG_DEFAULT after an error."""
        if isinstance(node, ast.Call) and last_name(node.func) == "field":
            given = {k.arg: k.value for k in node.keywords}
            if "default" in given:
                return self._default_value(given["default"], label)
            if "default_factory" not in given:
                return NO_LITERAL
            factory = last_name(given["default_factory"])
            if factory in ("list", "dict"):
                return [] if factory == "list" else {}
            made = given["default_factory"]
            value = self._made_value(made.body) if isinstance(made, ast.Lambda) else NO_LITERAL
            if value is not NO_LITERAL:
                return value
        elif isinstance(node, ast.Attribute) and last_name(node.value) in self.enums:
            return self._enum_member(node)
        elif literal(node) is not NO_LITERAL:
            return literal(node)
        hint = "it can be None, a bool, number, string or enum member, or field(default_factory=...) of list, dict or a lambda of such"
        self.report.error(self.place(node), f"the default of {label} is not a literal", hint)
        return WRONG_DEFAULT

    def _enum_member(self, node: ast.Attribute) -> EnumMember:
        owner = last_name(node.value)
        return EnumMember(owner, self._schema_name(node.attr, owner))

    def _made_value(self, node: ast.AST) -> object:
        """The value of an expression of literals, members, lists, dicts and calls; else NO_LITERAL."""
        if isinstance(node, ast.List):
            value = [self._made_value(item) for item in node.elts]
            return NO_LITERAL if NO_LITERAL in value else value
        if isinstance(node, ast.Dict):
            keys = [self._made_value(key) for key in node.keys]
            if not all(is_int(key) or isinstance(key, (str, EnumMember)) for key in keys):
                return NO_LITERAL
            value = {key: self._made_value(item) for key, item in zip(keys, node.values)}
            return NO_LITERAL if len(value) < len(keys) or NO_LITERAL in value.values() else value
        if isinstance(node, ast.Call):
            is_member = isinstance(node.func, ast.Attribute) and node.func.attr == "create"
            name = last_name(node.func.value if is_member else node.func)
            values = {self._schema_name(keyword.arg, name): self._made_value(keyword.value) for keyword in node.keywords}
            is_known = name in self.types.kinds and not node.args and None not in values
            return Fields(name, values) if is_known and NO_LITERAL not in values.values() else NO_LITERAL
        if isinstance(node, ast.Attribute) and last_name(node.value) in self.enums:
            return self._enum_member(node)
        return literal(node)


def names_defined(tree: ast.Module) -> set:
    """Names that imports, classes, functions and assignments at the top level bind."""
    names = set()
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            names.add(node.name)
        elif assignment(node):
            names.add(assignment(node)[0])
    return names


# ---- what both kinds of input share --------------------------------------------------------------------


def version_of(value: object, place: Place, report: Report) -> tuple:
    """(major, minor); a single integer is a major."""
    parts = [value] if is_int(value) else value
    if isinstance(parts, (list, tuple)) and 1 <= len(parts) <= 2:
        if all(is_int(part) and 0 <= part < 2**31 for part in parts):
            return (*parts, 0)[:2]
    report.error(place, "SCHEMA_VERSION is neither (major, minor) nor one integer")
    return (0, 0)


def no_version(file: str, report: Report) -> None:
    hint = "write SCHEMA_VERSION = (major, minor) at the top level"
    report.error(Place(file, 1, 1), "no SCHEMA_VERSION in this file", hint)


def check_constant(name: str, number: int, place: Place, report: Report) -> None:
    if not -(2**63) <= number < 2**63:
        report.error(place, f"constant '{name}' does not fit in 64 bits")


IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")  # Python allows more


def check_type_name(name: str, place: Place, report: Report) -> None:
    if name in ("List", "Dict", "Optional", "Tuple", "Any"):
        report.error(place, f"'{name}' is a built-in type of the schema language")
    elif not IDENTIFIER.fullmatch(name) or not name[0].isupper():
        hint = "the name of a type begins with an upper-case letter and has letters, digits and '_' of ASCII"
        report.error(place, f"'{name}' is not a valid name for a type", hint)


def check_not_empty(definition: Definition, report: Report) -> None:
    if definition.kind != "struct" and not definition.members():
        report.error(definition.place, f"the {definition.kind} '{definition.name}' has no members")


def can_add(owner: Definition, name: str, place: Place, report: Report) -> bool:
    """Whether a member of that name can be added; reports why not."""
    if not IDENTIFIER.fullmatch(name):
        report.error(place, f"'{name}' is not a valid name for a field", "a name has letters, digits and '_' of ASCII")
        return False
    first = owner.places.setdefault(name, place)
    if first is not place:
        text = f"'{name}' is defined twice in '{owner.name}'"
        report.error(place, text, notes=((first, "first defined here"),))
    return first is place


def add_enum_value(owner: Definition, name: str, number: object, place: Place, report: Report) -> None:
    if not can_add(owner, name, place, report):
        return
    if not is_int(number):
        report.error(place, f"the value of '{name}' in '{owner.name}' is not an integer")
        return
    if not -(2**31) <= number < 2**31:
        report.error(place, f"the value of '{name}' in '{owner.name}' does not fit in 32 bits")
        return
    for other, (taken, first) in owner.values.items():
        if taken == number:
            text = f"number {number} is used twice in '{owner.name}'"
            report.error(place, text, notes=((first, f"first used by '{other}' here"),))
            return
    owner.values[name] = (number, place)


def set_default(
    f: Field, owner: Definition, value: object, place: Place, enums: dict, report: Report
) -> None:
    """Gives the field a default, if it can have this one. `enums`: name -> Definition."""
    if value in (NO_LITERAL, WRONG_DEFAULT) or f.type == UNKNOWN:
        return
    if owner.kind == "union":
        text = f"'{f.name}' of union '{owner.name}' has a default"
        report.error(place, text, "a member of a union is set or it is not: remove the default")
        return
    if f.type == ANY and value is not None:
        report.warning(place, f"'{f.name}' of '{owner.name}' loses its default: Any can only have null")
        return
    if f.type == ANY:
        f.type = Type("Optional", (ANY,))
    f.default = default_as_yaml(value, f.type, enums)
    if f.default is None:
        text = f"the default of '{f.name}' of '{owner.name}' does not fit its type {f.type}"
        report.error(place, text)


# ---- YAML ----------------------------------------------------------------------------------------------


@dataclass
class Node:
    """A YAML value. `value` is a str, a list of Node, or a dict: key -> (Place of the key, Node)."""

    kind: str  # scalar, list or map
    place: Place
    value: object
    plain: bool = False  # a scalar without quotes


class YamlError(Exception):
    def __init__(self, place: Place, text: str) -> None:
        super().__init__(text)
        self.place = place


class YamlParser:
    """Returns PyYAML's events as a Node. Rejects anchors, aliases, tags and several documents, which schemas do not use."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.lines = text.split("\n")
        self.events = yaml.parse(text, Loader=yaml.SafeLoader)
        self.depth = 0

    def parse(self) -> Node:
        try:
            next(self.events)  # of the stream
            if isinstance(next(self.events), yaml.StreamEndEvent):
                raise YamlError(Place(self.file, 1, 1), "the file is empty")
            root = self._node(next(self.events))
            next(self.events)  # the end of the document
            if not isinstance(after := next(self.events), yaml.StreamEndEvent):
                raise YamlError(self._place(after.start_mark), "a schema is one document")
            return root
        except yaml.MarkedYAMLError as e:
            raise YamlError(self._place(e.problem_mark), e.problem) from None
        except yaml.reader.ReaderError as e:
            before = "\n".join(self.lines)[: e.position].split("\n")
            place = Place(self.file, len(before), len(before[-1].encode("utf-8")) + 1)
            raise YamlError(place, f"{e.reason}: U+{e.character:04X}") from None

    def _place(self, mark: yaml.Mark) -> Place:
        before = self.lines[mark.line][: mark.column] if mark.line < len(self.lines) else ""
        return Place(self.file, mark.line + 1, len(before.encode("utf-8")) + 1)

    def _node(self, event: yaml.Event) -> Node:
        place = self._place(event.start_mark)
        if event.anchor or getattr(event, "tag", None):
            raise YamlError(place, "schemas do without anchors, aliases and tags")
        if isinstance(event, yaml.ScalarEvent):
            return Node("scalar", place, event.value, plain=event.style is None)
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise YamlError(place, "nested too deeply")
        is_map = isinstance(event, yaml.MappingStartEvent)
        node = Node("map", place, self._entries()) if is_map else Node("list", place, self._items())
        self.depth -= 1
        return node

    def _items(self) -> list:
        items = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self._node(event))
        return items

    def _entries(self) -> dict:
        entries: dict[str, tuple] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._node(event)
            if key.kind != "scalar":
                raise YamlError(key.place, "a key is not a scalar")
            if key.value in entries:
                raise YamlError(key.place, f"key '{key.value}' stands twice, first in line {entries[key.value][0].line}")
            entries[key.value] = (key.place, self._node(next(self.events)))
        return entries


class NodeReader:
    """Takes values out of YAML nodes; a node of another kind is an error and gives an empty value."""

    def __init__(self, report: Report) -> None:
        self.report = report

    def map(self, node: Node, what: str, known: tuple = ()) -> dict:
        if node.kind != "map":
            self.report.error(node.place, f"{what} is not a map")
            return {}
        for key, (place, _) in node.value.items():
            if known and key not in known:
                self.report.error(place, f"unknown key '{key}' in {what}")
        return node.value

    def items(self, node: Node, what: str) -> list:
        if node.kind != "list":
            self.report.error(node.place, f"{what} is not a list")
            return []
        return node.value

    def text(self, node: Node, what: str) -> str:
        if node.kind != "scalar":
            self.report.error(node.place, f"{what} is not a scalar")
            return ""
        return node.value

    def integer(self, node: Node, what: str) -> int | None:
        if node.kind == "scalar" and node.plain and re.fullmatch(r"-?(0|[1-9][0-9]*)", node.value):
            return int(node.value)
        self.report.error(node.place, f"{what} is not an integer")
        return None


def parse_yaml(file: str, text: str, report: Report) -> Node | None:
    if yaml is None:
        hint = "install PyYAML: python3-yaml of Debian, or pyyaml by pip"
        report.error(Place(file, 1, 1), "YAML cannot be read, as this Python has no module 'yaml'", hint)
        return None
    try:
        return YamlParser(file, text).parse()
    except YamlError as e:
        report.error(e.place, str(e))
        return None


class TorchYamlReader:
    """Reads PyTorch's schema.yaml, which has types by name, no ids, and defaults as Python prints them."""

    def __init__(self, file: str, report: Report) -> None:
        self.file = file
        self.report = report
        self.nodes = NodeReader(report)

    def read(self, text: str) -> Schema:
        root = parse_yaml(self.file, text, self.report)
        if root is None:
            return Schema()
        entries = self.nodes.map(root, "the file")
        if "types" in entries:
            hint = "to write it in the one layout, use schemagen fmt"
            self.report.error(entries["types"][0], "this is a schema of schemagen already", hint)
            return Schema()
        bodies = {name: e for name, e in entries.items() if e[1].kind == "map"}
        kinds = {name: self._kind(name, *entry) for name, entry in bodies.items()}
        self.types = TypeReader(self.file, kinds, set(), self.report)
        self.enums = {n: self._enum(n, *bodies[n]) for n, kind in kinds.items() if kind == "enum"}
        types = [self.enums.get(n) or self._record(n, kinds[n], *bodies[n]) for n in bodies]
        rest = {name: e for name, e in entries.items() if name not in bodies}
        return Schema(self._version(rest), self._constants(rest), types)

    def _kind(self, name: str, place: Place, node: Node) -> str:
        check_type_name(name, place, self.report)
        body = self.nodes.map(node, f"'{name}'", ("kind", "fields"))
        for key in ("kind", "fields"):
            if key not in body:
                self.report.error(node.place, f"'{name}' has no {key}")
        kind = self.nodes.text(body["kind"][1], "kind") if "kind" in body else "struct"
        if kind not in ("struct", "union", "enum"):
            text = f"kind '{kind}' is not struct, union or enum"
            self.report.error(body["kind"][1].place, text)
            return "struct"
        return kind

    def _fields(self, name: str, node: Node) -> dict:
        entry = node.value.get("fields")
        return self.nodes.map(entry[1], f"fields of '{name}'") if entry else {}

    def _enum(self, name: str, place: Place, node: Node) -> Definition:
        result = Definition("enum", name, place)
        for key, (at, value) in self._fields(name, node).items():
            number = self.nodes.integer(value, f"the value of '{key}' in '{name}'")
            if number is not None:
                add_enum_value(result, key, number, at, self.report)
        return result

    def _record(self, name: str, kind: str, place: Place, node: Node) -> Definition:
        result = Definition(kind, name, place)
        for key, (at, value) in self._fields(name, node).items():
            if not can_add(result, key, at, self.report):
                continue
            label = f"'{key}' of '{name}'"
            body = self.nodes.map(value, label, ("type", "default"))
            if "type" not in body:
                self.report.error(at, f"{label} has no type")
                continue
            result.fields.append(Field(key, at, self._type(body["type"][1], label)))
            if "default" in body:
                self._set_default(result.fields[-1], result, body["default"][1])
        return result

    def _type(self, node: Node, label: str) -> Type:
        expression = ast.Constant(value=self.nodes.text(node, f"the type of {label}"))
        expression.lineno, expression.col_offset = node.place.line, node.place.column - 1
        type_ = self.types.read(expression, label)
        return Type(type_.head, type_.args)  # not `quoted`, which means nothing here

    def _set_default(self, f: Field, owner: Definition, node: Node) -> None:
        text = self.nodes.text(node, f"the default of '{f.name}' of '{owner.name}'")
        value = text if f.type.head == "str" else literal(text)
        if value is NO_LITERAL:
            value = text  # of no type but str, so it will not fit
        set_default(f, owner, value, node.place, self.enums, self.report)

    def _version(self, entries: dict) -> tuple:
        if "SCHEMA_VERSION" not in entries:
            no_version(self.file, self.report)
            return (0, 0)
        place, node = entries["SCHEMA_VERSION"]
        parts = node.value if node.kind == "list" else [node]
        numbers = [self.nodes.integer(part, "a part of SCHEMA_VERSION") for part in parts]
        return (0, 0) if None in numbers else version_of(numbers, place, self.report)

    def _constants(self, entries: dict) -> dict:
        constants = {}
        for name, (place, node) in entries.items():
            number = self.nodes.integer(node, f"'{name}'") if name != "SCHEMA_VERSION" else None
            if number is not None:
                constants[name] = number
                check_constant(name, number, place, self.report)
        return constants


class OwnYamlReader:
    """Reads a schema of ours, for its docs and reservations. Types of fields are kept as text."""

    def __init__(self, file: str, report: Report) -> None:
        self.file = file
        self.report = report
        self.nodes = NodeReader(report)

    def read(self, text: str) -> Schema:
        root = parse_yaml(self.file, text, self.report)
        entries = self._entries(root, "the file", SCHEMA_KEYS) if root else {}
        if root and "types" not in entries:
            self.report.error(root.place, "no types in this file")
        if "types" not in entries:
            return Schema()
        types = self.nodes.map(entries["types"][1], "types")
        return Schema(types=[self._definition(name, *entry) for name, entry in types.items()])

    def _entries(self, node: Node, what: str, known: tuple) -> dict:
        entries = self.nodes.map(node, what, known)
        if "imports" in entries:
            self.report.error(entries["imports"][0], "'imports' is not read: give a schema that is one file")
        if "allow" in entries:
            self.report.note(entries["allow"][0], "'allow' stays behind: it was about the changes up to this file")
        return entries

    def _definition(self, name: str, place: Place, node: Node) -> Definition:
        body = self._entries(node, f"'{name}'", TYPE_KEYS)
        kind = self.nodes.text(body["kind"][1], f"kind of '{name}'") if "kind" in body else ""
        if kind not in ("struct", "union", "enum"):
            self.report.error(place, f"'{name}' is not struct, union or enum")
        result = Definition(kind, name, place)
        for key in ("json", "cpp_name", "doc"):
            if key in body:
                setattr(result, key, self.nodes.text(body[key][1], f"{key} of '{name}'"))
        fields = self.nodes.map(body["fields"][1], f"fields of '{name}'") if "fields" in body else {}
        for key, (at, value) in fields.items():
            if kind == "enum":
                number = self.nodes.integer(value, f"the value of '{key}' in '{name}'")
                result.values[key] = (number, at)
            else:
                result.fields.append(self._field(key, at, value, name))
        if "reserved" in body:
            self._read_reserved(result, body["reserved"][1])
        return result

    def _field(self, name: str, place: Place, node: Node, owner: str) -> Field:
        label = f"'{name}' of '{owner}'"
        body = self._entries(node, label, FIELD_KEYS)
        type_ = self.nodes.text(body["type"][1], f"the type of {label}") if "type" in body else ""
        result = Field(name, place, Type(type_))
        if "id" in body:
            result.id = self.nodes.integer(body["id"][1], f"the id of {label}")
        if "states_version" in body:
            result.states_version = self.nodes.text(body["states_version"][1], f"states_version of {label}") == "true"
        for key in BY_HAND:
            if key in body:
                result.by_hand[key] = self.nodes.text(body[key][1], f"{key} of {label}")
        return result

    def _read_reserved(self, owner: Definition, node: Node) -> None:
        what = f"reserved of '{owner.name}'"
        body = self.nodes.map(node, what, ("ids", "names"))
        for item in self.nodes.items(body["ids"][1], f"ids of {what}") if "ids" in body else []:
            number = self.nodes.integer(item, f"a reserved id of '{owner.name}'")
            if number is not None:
                owner.reserved_ids[number] = item.place
        for item in self.nodes.items(body["names"][1], f"names of {what}") if "names" in body else []:
            owner.reserved_names[self.nodes.text(item, f"a reserved name of '{owner.name}'")] = item.place


# ---- ids, docs, reservations, boxes, roots -------------------------------------------------------------


def number_fields(schema: Schema, assign: bool, report: Report) -> None:
    """Checks the members; with `assign`, gives the fields of each type without ids 10, 20, 30 ..."""
    for definition in schema.types:
        check_not_empty(definition, report)
    fields = [f for d in schema.types for f in d.fields]
    if fields and not assign and all(f.id is None for f in fields):
        hint = f"--assign-ids numbers the fields of each type {ID_STEP}, {ID_STEP * 2}, {ID_STEP * 3} ..."
        report.error(fields[0].place, "no field of this file has an id", hint)
        return
    for definition in schema.types:
        if assign and all(f.id is None for f in definition.fields):
            assign_ids(definition, report)
        check_ids(definition, report)


def assign_ids(definition: Definition, report: Report) -> None:
    for position, f in enumerate(definition.fields, 1):
        f.id = position * ID_STEP
        if f.id > MAX_ID:
            report.error(f.place, f"'{definition.name}' has more fields than there are ids up to {MAX_ID}")
            f.id = WRONG_ID
            return


def check_ids(definition: Definition, report: Report) -> None:
    owners: dict[int, Field] = {}
    for f in definition.fields:
        if f.id is None:
            text = f"'{f.name}' of '{definition.name}' has no id"
            report.error(f.place, text, "write Annotated[T, id]")
        elif f.id != WRONG_ID and f.id in owners:
            first = owners[f.id]
            text = f"id {f.id} is used twice in '{definition.name}'"
            report.error(f.place, text, notes=((first.place, f"first used by '{first.name}' here"),))
        else:
            owners[f.id] = f


def carry_docs(schema: Schema, old: Schema) -> None:
    """Copies what people added to `old` wherever `schema` lacks it."""
    for definition in schema.types:
        before = old.find(definition.name)
        if not before:
            continue
        definition.doc = definition.doc or before.doc
        if definition.kind == "enum":
            definition.json = definition.json or before.json
        definition.cpp_name = definition.cpp_name or before.cpp_name
        by_name = {f.name: f for f in before.fields}
        for f in definition.fields:
            if f.name in by_name:
                f.by_hand = {**by_name[f.name].by_hand, **f.by_hand}
                f.states_version = f.states_version or by_name[f.name].states_version


def take_comments(schema: Schema) -> None:
    """Comments of the source become docs where no older file had one."""
    for definition in schema.types:
        definition.doc = definition.doc or definition.comment
        for f in definition.fields:
            if f.comment:
                f.by_hand.setdefault("doc", f.comment)


def reserve_from(schema: Schema, old: Schema, report: Report) -> None:
    """Reserves what `old` reserves, and the ids and names of `old` that the new schema no longer has."""
    for before in old.types:
        now = schema.find(before.name)
        if now is None:
            text = f"'{before.name}' no longer exists: only existing types can reserve ids"
            report.note(before.place, text)
        elif (now.kind == "enum") != (before.kind == "enum"):
            text = f"'{now.name}' is of kind {now.kind} now, so nothing of the old one is reserved"
            report.warning(now.place, text, ((before.place, f"it was of kind {before.kind} here"),))
        else:
            reserve_in(now, before, report)


def reserve_in(now: Definition, before: Definition, report: Report) -> None:
    by_id = {number: (name, spelling, place) for number, name, spelling, place in now.members()}
    by_name = {name: place for _, name, _, place in now.members()}
    id_word = "number" if now.kind == "enum" else "id"
    for number, name, spelling, place in before.members():
        if number not in by_id:
            now.reserved_ids[number] = place
        elif by_id[number][0] != name:
            text = f"'{now.name}' uses {id_word} {number} again, for '{by_id[number][1]}'"
            report.warning(by_id[number][2], text, ((place, f"it was '{spelling}' here"),))
        if name not in by_name:
            now.reserved_names[name] = place
    for number, place in before.reserved_ids.items():
        if number not in by_id:
            now.reserved_ids[number] = place
        else:
            text = f"'{now.name}' uses {id_word} {number} again, for '{by_id[number][1]}'"
            report.warning(by_id[number][2], text, ((place, "it is reserved here"),))
    for name, place in before.reserved_names.items():
        if name not in by_name:
            now.reserved_names[name] = place
        else:
            text = f"'{now.name}' uses the name '{name}' again"
            report.warning(by_name[name], text, ((place, "it is reserved here"),))


def held(schema: Schema, f: Field) -> Definition | None:
    """The struct or union that is the field's type, or that it is an Optional of."""
    inner = schema.find(f.type.without_optional().head)
    return inner if inner and inner.kind != "enum" else None


def held_by_value(schema: Schema, f: Field) -> Definition | None:
    """The struct or union that lies inside the field itself: not behind a List, a Dict or a box."""
    return None if f.boxed else held(schema, f)


def choose_boxes(schema: Schema) -> None:
    """Marks members that must be held on the heap for every type to have a finite size.

    First the recursive members that the source itself marks, by writing them as quoted forward
    references; then, in declaration order, each member that still closes a cycle.
    """
    refers = {d.name: {n for f in d.fields for n in f.type.names()} for d in schema.types}
    for definition in schema.types:
        for f in definition.fields:
            inner = held_by_value(schema, f)
            if inner and f.type.quoted and definition.name in reachable(inner.name, refers):
                f.boxed = True
    finished: set[str] = set()
    for definition in schema.types:
        box_cycles(schema, definition, [], finished)


def reachable(start: str, refers: dict) -> set:
    """The types that values of `start` can hold, at any depth; `start` itself included."""
    found, waiting = set(), [start]
    while waiting:
        name = waiting.pop()
        if name in refers and name not in found:
            found.add(name)
            waiting += refers[name]
    return found


def box_cycles(schema: Schema, definition: Definition, open_names: list, finished: set) -> None:
    if definition.name in finished:
        return
    open_names.append(definition.name)
    for f in definition.fields:
        inner = held_by_value(schema, f)
        if inner and inner.name in open_names:
            f.boxed = True
        elif inner:
            box_cycles(schema, inner, open_names, finished)
    open_names.pop()
    finished.add(definition.name)


def choose_roots(schema: Schema, named: list) -> None:
    """The structs that no other type refers to, and those that the caller named."""
    referred = {n for d in schema.types for f in d.fields for n in f.type.names() if n != d.name}
    schema.roots = [
        d.name for d in schema.types if d.name in named or d.kind == "struct" and d.name not in referred
    ]


# ---- writing -------------------------------------------------------------------------------------------


# What JSON lets stand for itself and the schema language does not.
CONTROL = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
# A plain scalar that means the same in block and flow context and is a string to every YAML reader.
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_ .;'()/=+<>^~$-]*")
WORDS_WITH_MEANING = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")


def quoted(text: str) -> str:
    return CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def scalar(text: str) -> str:
    safe = PLAIN.fullmatch(text) and text == text.strip() and text.lower() not in WORDS_WITH_MEANING
    return text if safe else quoted(text)


def flow_map(entries: list) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in entries) + "}"


def flow_list(items: list) -> str:
    return "[" + ", ".join(str(item) for item in items) + "]"


def write_map(indent: str, key: str, entries: list) -> list[str]:
    """`key` with a map: on one line if it fits, else one entry per line."""
    line = f"{indent}{key}: {flow_map(entries)}"
    if len(line) <= MAX_COLUMNS:
        return [line]
    return [f"{indent}{key}:"] + [f"{indent}  {name}: {value}" for name, value in entries]


def write_list(indent: str, key: str, items: list) -> list[str]:
    line = f"{indent}{key}: {flow_list(items)}"
    if len(line) <= MAX_COLUMNS:
        return [line]
    return [f"{indent}{key}:"] + [f"{indent}  - {item}" for item in items]


def block(text: str) -> list[str]:
    """The lines of a doc that has several, where they can be written one below the other; else none."""
    lines = text.removesuffix("\n").split("\n")
    hidden = any(line and (line[0] == "\t" or line[-1] in " \t") for line in lines)
    plain = not hidden and lines[0] and lines[-1] and lines[0][0] != " " and not NO_TEXT.search(text)
    return lines if len(lines) > 1 and plain else []


def write_block(indent: str, text: str) -> list[str]:
    head = f"{indent}doc: {'|' if text.endswith(chr(10)) else '|-'}"
    return [head] + [f"{indent}  {line}" if line else "" for line in block(text)]


def write_field(f: Field) -> list[str]:
    type_ = str(f.type)
    entries = [("id", f.id), ("type", quoted(type_) if "[" in type_ else type_)]
    if f.default is not None:
        entries.append(("default", f.default))
    if f.boxed:
        entries.append(("boxed", "true"))
    if f.states_version:
        entries.append(("states_version", "true"))
    entries += [(key, scalar(f.by_hand[key])) for key in BY_HAND if f.by_hand.get(key)]
    doc = f.by_hand.get("doc", "")
    if block(doc):
        lines = [f"        {key}: {value}" for key, value in entries if key != "doc"]
        return [f"      {f.name}:"] + lines + write_block("        ", doc)
    return write_map("      ", f.name, entries)


def write_definition(definition: Definition) -> list[str]:
    lines = [f"  {definition.name}:", f"    kind: {definition.kind}"]
    if definition.json:
        lines.append(f"    json: {definition.json}")
    if definition.cpp_name:
        lines.append(f"    cpp_name: {scalar(definition.cpp_name)}")
    if block(definition.doc):
        lines += write_block("    ", definition.doc)
    elif definition.doc:
        lines.append(f"    doc: {scalar(definition.doc)}")
    if definition.kind == "enum":
        numbers = [(name, number) for name, (number, _) in definition.values.items()]
        lines += write_map("    ", "fields", numbers)
    elif not definition.fields:
        lines.append("    fields: {}")
    else:
        lines.append("    fields:")
        for f in definition.fields:
            lines += write_field(f)
    reserved = []
    if definition.reserved_ids:
        reserved.append(("ids", flow_list(sorted(definition.reserved_ids))))
    if definition.reserved_names:
        reserved.append(("names", flow_list(list(definition.reserved_names))))
    if reserved:
        lines += write_map("    ", "reserved", reserved)
    return lines


def write_schema(schema: Schema, name: str) -> str:
    major, minor = schema.version
    lines = [f"name: {name}", f"version: {{major: {major}, minor: {minor}}}"]
    if schema.constants:
        lines += write_map("", "constants", list(schema.constants.items()))
    if schema.roots:
        lines += write_list("", "roots", schema.roots)
    lines.append("types:")
    for position, definition in enumerate(schema.types):
        lines += ([""] if position else []) + write_definition(definition)
    return "\n".join(lines) + "\n"


# ---- command line --------------------------------------------------------------------------------------


EXAMPLES = """\
examples:
  port_schema.py schema.py -o pt2.yaml
      a schema.py with ids, as torch 2.6 and later have it
  port_schema.py schema.py --assign-ids -o 5.3.yaml
      one without ids: its fields get 10, 20, 30 ... in each type
  port_schema.py schema.py --docs-from pt2.yaml --reserve-from pt2.yaml -o pt2.yaml
      port a newer schema.py over the file at hand; its docs stay, and what is gone becomes reserved
  port_schema.py schema.yaml --assign-ids --box GraphArgument.graph -o -
      PyTorch's schema.yaml, to stdout

A field whose type the schema language cannot say becomes Any, and a note says so.

exit codes: 0 done; 2 usage; 3 an input has errors, nothing is written; 4 a file cannot be read or written
"""


class UsageError(Exception):
    pass


class Unreadable(Exception):
    pass


def command_line() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="port_schema.py",
        usage="port_schema.py SCHEMA.py|SCHEMA.yaml [options] -o SCHEMA.yaml",
        description="Turns PyTorch's export schema into a schema that schemagen reads. The input is parsed, "
        "never imported or run; torch is not needed.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("input", metavar="SCHEMA",
        help="PyTorch's schema.py or, by its extension, schema.yaml; '-' is schema.py on stdin")
    add("-o", dest="output", metavar="FILE", required=True, help="the schema to write; '-' is stdout")
    add("--version", action="version", version=f"port_schema.py {VERSION}", help="print the version and exit")
    add("--name", default="pt2", help="name of the schema, also the C++ namespace (default: pt2)")
    add("--assign-ids", action="store_true", help="number the fields of types without ids 10, 20, 30 ...")
    add("--comments", action="store_true", help="comments above and behind classes and fields become docs")
    add("--docs-from", metavar="OLD", action="append", default=[],
        help="carry over doc, since, deprecated, json, cpp_name and states_version by name; repeatable, the first to say it wins")
    add("--reserve-from", metavar="OLD", action="append", default=[],
        help="carry over reservations, and reserve removed ids and names; repeatable")
    add("--box", metavar="TYPE.FIELD", action="append", default=[], help="box this member too; repeatable")
    add("--root", metavar="TYPE", action="append", default=[], help="list this type in roots too; repeatable")
    return parser


def read_text(path: str, report: Report) -> str:
    """The content of a file; an empty text after an error about its encoding."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except OSError as e:
        raise Unreadable(f"{path}: error: cannot read: {e.strerror}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        before = data[: e.start]
        place = Place(path, before.count(b"\n") + 1, e.start - before.rfind(b"\n"))
        report.error(place, "not UTF-8")
        return ""


def read_input(options: argparse.Namespace, report: Report) -> Schema:
    text = read_text(options.input, report)
    if report.has_errors():
        return Schema()
    if options.input.endswith((".yaml", ".yml")):
        return TorchYamlReader(options.input, report).read(text)
    file = "<stdin>" if options.input == "-" else options.input
    return PythonReader(file, report).read(text, options.comments)


def read_own(path: str, report: Report) -> Schema:
    errors_before = len(report.messages)
    text = read_text(path, report)
    return OwnYamlReader(path, report).read(text) if len(report.messages) == errors_before else Schema()


def apply_choices(schema: Schema, options: argparse.Namespace) -> None:
    """--box and --root. They name parts of the schema, so they can be checked only now."""
    for text in options.box:
        type_name, _, field_name = text.partition(".")
        owner = schema.find(type_name)
        f = next((f for f in owner.fields if f.name == field_name), None) if owner else None
        if f is None:
            raise UsageError(f"--box {text}: no such field; write TYPE.FIELD")
        if held(schema, f) is None:
            raise UsageError(f"--box {text}: only a member that holds a struct or union can be boxed")
        f.boxed = True
    for name in options.root:
        if schema.find(name) is None:
            raise UsageError(f"--root {name}: no such type")


def port(options: argparse.Namespace, report: Report) -> str:
    """The text of the new schema; empty after errors."""
    schema = read_input(options, report)
    docs = [read_own(path, report) for path in options.docs_from]
    earlier = [read_own(path, report) for path in options.reserve_from]
    number_fields(schema, options.assign_ids, report)
    if report.has_errors():
        return ""
    apply_choices(schema, options)
    for old in docs:
        carry_docs(schema, old)
    take_comments(schema)
    for old in earlier:
        reserve_from(schema, old, report)
    choose_boxes(schema)
    choose_roots(schema, options.root)
    return write_schema(schema, options.name)


def current_umask() -> int:
    mask = os.umask(0)  # there is no way to read it but to set it
    os.umask(mask)
    return mask


def mode_of(path: str) -> int | None:
    """The kind and the permissions of what is at the path; None where there is nothing."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def replace_file(path: str, data: bytes, permissions: int) -> None:
    """Writes a file whole or not at all: under a new name in the same folder, which then takes its place."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path) or ".", prefix=".port_schema-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, permissions)
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise


def write_directly(destination: str | int, data: bytes) -> None:
    """Writes to the file at a path, or to a file descriptor, which stays open."""
    with open(destination, "wb", closefd=isinstance(destination, str)) as file:
        file.write(data)


def write_output(path: str, text: str) -> None:
    """Replaces the target of a symbolic link. Writes directly to files that are not regular."""
    data = text.encode("utf-8")
    if path == "-":
        # Not sys.stdout, which at the exit would try again what has failed.
        write_directly(sys.stdout.fileno(), data)
        return
    mode = mode_of(path)
    if mode is None:
        replace_file(os.path.realpath(path), data, 0o666 & ~current_umask())
    elif stat.S_ISREG(mode):
        with open(path, "r+b"):  # a rename asks for the right to change the folder only
            pass
        replace_file(os.path.realpath(path), data, stat.S_IMODE(mode))
    else:
        write_directly(path, data)


def main(arguments: list | None = None) -> int:
    parser = command_line()
    options = parser.parse_args(arguments)
    if not IDENTIFIER.fullmatch(options.name):
        parser.error(f"--name {options.name}: not an identifier")
    report = Report()
    text = ""
    try:
        text = port(options, report)
    except RecursionError:
        report.error(Place(options.input, 1, 1), "nested too deeply")
    except UsageError as e:
        parser.error(str(e))
    except Unreadable as e:
        print(e, file=sys.stderr)
        return IO_FAILED
    sys.stderr.write(report.render())
    if report.has_errors():
        return BAD_INPUT
    try:
        write_output(options.output, text)
    except OSError as e:
        print(f"{options.output}: error: cannot write: {e.strerror}", file=sys.stderr)
        return IO_FAILED
    return DONE


if __name__ == "__main__":
    sys.exit(main())
