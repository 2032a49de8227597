#!/usr/bin/env python3
"""Updates schema/operators.txt, the table of PyTorch's operators, and schema/operator_changes.txt for a release.

    dev/port_operators.py schema/operators.txt                     for the installed torch
    dev/port_operators.py schema/operators.txt --package FOLDER    for an unpacked wheel, which is read but not run

Add releases in order: an operator that the table lacks is marked as new in this release, and one that the release lacks as
removed after the previous one. An installed torch provides the schemas and tags of all its operators. An unpacked wheel provides
only their names; it provides schemas only for new operators, and for others until an installed torch was used. Words added by
hand stay (has_effects, may_return_inputs, writes:ARGUMENTS), because PyTorch does not know them.

A line is a schema string, ` # `, and words: tags, words added by hand, since:RELEASE, until:RELEASE.

If a release has an operator with other arguments than the table (names, order, keyword-only, defaults, tuples) or another number
of results, operator_changes.txt has its schema with the releases.
"""

import argparse
import ast
import contextlib
import importlib
import inspect
import io
import operator
import pathlib
import pkgutil
import re
import subprocess
import sys
import warnings

HEADER = """\
# PyTorch's operators, one in a line, by name: what they take, give and do. dev/port_operators.py writes it.
"""
CHANGES_HEADER = """\
# PyTorch's operators with other arguments than in operators.txt, by name and release. dev/port_operators.py writes it.
"""
BY_HAND = ("has_effects", "may_return_inputs", "writes:")

# Functions have no schema: inspect gives their arguments, with these types.
FUNCTION_TYPES = {"sym_not": ("bool", "bool"), "sym_int": ("Scalar", "int"), "sym_float": ("Scalar", "float"),
                  "trunc": ("Scalar", "int"), "_sym_sqrt": ("Scalar", "float"), "truediv": ("Scalar", "float"),
                  **{name: ("Scalar", "bool") for name in ("eq", "ne", "lt", "le", "gt", "ge")}}

# Not operators, but in exported graphs: they enter and leave modes, and pass tensors between functorch's transforms. inspect cannot read
# C++ functions.
FUNCTIONS_OF_MODES = {"torch._C._set_grad_enabled": "(bool enabled) -> ()",
                      "torch.autograd.grad_mode.set_grad_enabled": "(bool mode) -> Any",
                      "torch.amp.autocast_mode._enter_autocast": "(...) -> Any",
                      "torch.amp.autocast_mode._exit_autocast": "(Any mode) -> ()"}
ANNOTATED_TYPES = {"torch.Tensor": "Tensor", "int": "SymInt", "str": "str", "None": "()",
                   "tuple[torch.Tensor, torch.Tensor]": "(Tensor, Tensor)"}

# Only torch 2.6 has `dim` and `reverse`: their defaults stand for other releases.
SCAN_WITH_DIM = {"Any combine_fn, Any init, Any xs, Any dim, Any reverse, Any additional_inputs":
                 "Any combine_fn, Any init, Any xs, int dim=0, bool reverse=False, Any additional_inputs"}

# Included for every torch release. Operators registered in C++ are added by hand.
PACKAGES = ("torchvision", "torchao")

# Not in native_functions.yaml, but in all releases.
ONLY_IN_CPP = ["aten::get_gradients", *(f"aten::quantized_{cell}.{overload}" for cell in ("gru", "lstm")
                                        for overload in ("data", "data_legacy", "input", "input_legacy"))]


def shape(schema: str):
    """Returns an operator's arguments without their types, and its number of results; None if they are unknown."""
    name, arguments, results = re.fullmatch(r"([\w.:]+)\((.*)\) -> (.*)", schema).groups()
    if arguments == "...":
        return None
    arguments = [text.partition("=") for text in re.split(r", (?![^(\[]*[)\]])", arguments) if text]
    # One value of int[2] stands for both. Programs have lists, which are accepted for other types, so only tuples matter.
    sizes = [re.search(r"\[(\d+)\]\?? \w+$", typed) if default[:1].isdigit() else None for typed, _, default in arguments]
    defaults = [f"[{', '.join([default] * int(size[1]))}]" if size else default for (_, _, default), size in zip(arguments, sizes)]
    return [(typed.split()[-1], default, typed.startswith("(")) for (typed, _, _), default in zip(arguments, defaults)], results != "()" and results.count(", ") + 1


def is_other(a: str, b: str):
    """Whether two schemas are known to differ in what calls depend on."""
    return None not in (shape(a), shape(b)) and shape(a) != shape(b)


class Table:
    """The lines of the files: (schema, words) by name, and the releases they cover; and by name the schemas of releases with
    another schema.
    """

    def __init__(self, path: pathlib.Path):
        self.lines, self.changes, self.releases, self.schemas_of, self.opset = {}, {}, [], None, None
        for line in path.read_text().splitlines() if path.exists() else []:
            if line.startswith("# releases: "):
                self.releases = line.split()[2:]
            elif line.startswith("# schemas: "):
                self.schemas_of = line.split()[2]
            elif line.startswith("# aten opset: "):
                self.opset = line.split()[3]
            elif not line.startswith("#"):
                schema, _, words = line.partition(" # ")
                self.lines[schema[:schema.index("(")]] = (schema, words.split())
        changes = path.with_name("operator_changes.txt")
        for line in changes.read_text().splitlines() if changes.exists() else []:
            if not line.startswith("#"):
                schema, _, words = line.partition(" # ")
                forms = self.changes.setdefault(schema[:schema.index("(")], {})
                forms.update(dict.fromkeys(self.having(words.split()), schema))

    def having(self, words: list):
        """Returns the releases between `since:` and `until:` in the words."""
        bounds = dict(word.split(":") for word in words if word.startswith(("since:", "until:")))
        first, last = bounds.get("since", self.releases[0]), bounds.get("until", self.releases[-1])
        return self.releases[self.releases.index(first):self.releases.index(last) + 1]

    def update(self, release: str, found: dict, was_run: bool):
        """`found`: the operators of the release, (schema, tags) by name. Updating a known release replaces only its data."""
        last = self.releases[-1] if self.releases else None
        before = {name: schema for name, (schema, _) in self.lines.items() if release != self.schemas_of}
        had_by = {name: self.having(words) for name, (_, words) in self.lines.items()}
        if release not in self.releases:
            for name, (schema, words) in self.lines.items():
                words = [word for word in words if name not in found or not word.startswith("until:")]
                is_gone = name not in found and not name.startswith(tuple(f"{package}::" for package in PACKAGES)) and not any(word.startswith("until:") for word in words)
                self.lines[name] = (schema, words + [f"until:{last}"] * is_gone)
            self.releases.append(release)
        for name, (schema, tags) in found.items():
            if name not in self.lines:
                words = ["has_effects"] * name.startswith("higher_order::") + [f"since:{release}"] * (last is not None)
                self.lines[name] = (schema, tags + words)
            elif was_run or self.schemas_of is None:
                kept = [word for word in self.lines[name][1] if word.startswith((*BY_HAND, "since:", "until:"))]
                self.lines[name] = (schema, tags + kept)
        if was_run:
            import torch

            self.schemas_of = release
            self.opset = torch._C._get_max_operator_version()
        for name, (schema, words) in self.lines.items():
            forms = self.changes.pop(name, {})
            if is_other(before.get(name, schema), schema):
                forms = {each: forms.get(each, before[name]) for each in had_by[name]}
            if name in found:
                forms[release] = found[name][0]
            if forms := {each: form for each, form in forms.items() if is_other(form, schema)}:
                self.changes[name] = forms

    def changes_text(self):
        lines = []
        for _, forms in sorted(self.changes.items()):
            runs = []
            for at, release in enumerate(self.releases):
                if release not in forms:
                    continue
                if runs and runs[-1][1] == at - 1 and not is_other(forms[self.releases[at - 1]], forms[release]):
                    runs[-1][1] = at
                else:
                    runs.append([at, at])
            for first, last in runs:
                words = [f"since:{self.releases[first]}"] * (first > 0)
                words += [f"until:{self.releases[last]}"] * (last + 1 < len(self.releases))
                lines.append(f"{forms[self.releases[last]]} # {' '.join(words)}\n")
        return CHANGES_HEADER + "".join(lines)

    def text(self):
        head = HEADER + f"# releases: {' '.join(self.releases)}\n# schemas: {self.schemas_of}\n"
        head += f"# aten opset: {self.opset}\n"
        lines = (f"{schema} # {' '.join(words)}".rstrip() for _, (schema, words) in sorted(self.lines.items()))
        return head + "".join(line.removesuffix(" #") + "\n" for line in lines)



def full_name(schema):
    return schema.name + ("." + schema.overload_name if schema.overload_name else "")


def dispatched():
    """Returns operators with a schema in the installed torch: (schema, words) by name."""
    import torch
    import torch.ao.quantization.fx._decomposed  # noqa: F401  registers quantized_decomposed

    known = set(torch._C._dispatch_get_all_op_names())
    for schema in torch._C._jit_get_all_schemas():
        space, base = schema.name.split("::")
        if space in ("aten", "prims", "quantized_decomposed") and full_name(schema) in known:
            overload = getattr(getattr(getattr(torch.ops, space), base), schema.overload_name or "default")
            yield full_name(schema), str(schema), sorted(tag.name for tag in overload.tags)


def higher_order_schema(name, call, tuples=()):
    """`call`: the operator's method; `tuples`: names of arguments that must be tuples."""
    arguments = []
    for parameter in list(inspect.signature(call).parameters.values())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            arguments.append("...")
            break
        if parameter.kind == parameter.KEYWORD_ONLY and "*" not in arguments:
            arguments.append("*")
        # Many of torch's default values fit no schema, and nodes contain all arguments.
        plain = f"Any {parameter.name}" if parameter.default is parameter.empty else f"Any? {parameter.name}=None"
        arguments.append(f"(Any) {parameter.name}" if parameter.name in tuples else plain)
    text = ", ".join(arguments)
    return f"higher_order::{name}({SCAN_WITH_DIM.get(text, text) if name == 'scan' else text}) -> ..."


def higher_order():
    """Returns schemas by name from the installed torch, without types, as far as signatures show them."""
    import torch._higher_order_ops

    modules = [f"torch._higher_order_ops.{module.name}" for module in pkgutil.iter_modules(torch._higher_order_ops.__path__)]
    modules += ["torch._dynamo._trace_wrapped_higher_order_op", "torch._inductor.fx_passes.control_dependencies"]
    for module in modules:
        with contextlib.suppress(ImportError), contextlib.redirect_stderr(io.StringIO()):
            importlib.import_module(module)
    for name, op in torch._ops._higher_order_ops.items():
        yield f"higher_order::{name}", higher_order_schema(name, type(op).__call__)


def functions(names):
    """Returns schemas by target of the functions on numbers and symbols with these names."""
    import math
    import torch

    yield "_operator.getitem", "_operator.getitem(t[] a, int b) -> t"
    modules = {"operator": operator, "math": math, "torch": torch}
    for module, name in sorted(names):
        function = getattr(modules[module], name)
        name = function.__name__  # torch.sym_sqrt is _sym_sqrt
        takes, gives = FUNCTION_TYPES.get(name, ("Scalar", "Scalar"))
        parameters = list(inspect.signature(function).parameters)
        types = ["bool" if name == "sym_ite" and i == 0 else takes for i in range(len(parameters))]
        arguments = ", ".join(f"{type_} {parameter}" for type_, parameter in zip(types, parameters))
        target = f"{function.__module__}.{name}"
        yield target, f"{target}({arguments}) -> {gives}"


def functions_of_modes():
    """Returns schemas by target from the installed torch."""
    import torch._functorch.predispatch as predispatch

    for name, function in inspect.getmembers(predispatch, inspect.isfunction):
        if function.__module__ != predispatch.__name__:
            continue
        signature, arguments = inspect.signature(function), []
        for parameter in signature.parameters.values():
            if parameter.kind == parameter.KEYWORD_ONLY and "*" not in arguments:
                arguments.append("*")
            default = "" if parameter.default is parameter.empty else f"={parameter.default}"
            arguments.append(f"{ANNOTATED_TYPES[parameter.annotation]} {parameter.name}{default}")
        target = f"{predispatch.__name__}.{name}"
        yield target, f"{target}({', '.join(arguments)}) -> {ANNOTATED_TYPES[signature.return_annotation]}"
    yield from ((target, target + schema) for target, schema in FUNCTIONS_OF_MODES.items())


def native_schemas(package: pathlib.Path):
    """Yields name, schema and tags of aten's native_functions.yaml with everything that torchgen adds, by the package's own
    torchgen.
    """
    script = """if True:
        import pathlib, sys
        sys.path.insert(0, sys.argv[1])
        from torchgen.gen import parse_native_yaml
        folder = pathlib.Path(sys.argv[1]) / "torchgen/packaged/ATen/native"
        parsed = parse_native_yaml(str(folder / "native_functions.yaml"), str(folder / "tags.yaml"))
        for function in parsed.native_functions:
            print(" ".join(sorted(function.tags)), "aten::" + str(function.func), sep=";")
    """
    result = subprocess.run([sys.executable, "-c", script, package], capture_output=True, text=True, check=True)
    import torch

    for line in result.stdout.splitlines():
        tags, text = line.split(";")
        schema = torch._C.parse_schema(text.replace("Dimname", "str"))  # as torch up to 2.12 did
        yield full_name(schema), str(schema), tags.split()


PRIM = r'(?:"|name="|_prim\(\s*")(\w+(?:\.\w+)?)(?=\((?:Tensor|SymInt|Scalar|int|\*|\))|",)'


def named_in_sources(package: pathlib.Path):
    """Operators and functions that Python sources define: names, and (module, name) of functions."""
    names, called = set(), set()
    serializer = (package / "torch/_export/serde/serialize.py").read_text()
    for path in (package / "torch").rglob("*.py"):
        text = path.read_text()
        if "HigherOrderOperator" in text or "BaseHOP" in text:
            for found in re.findall(r"""(?:super\(\).__init__|HigherOrderOperator)\(\s*["'](\w+)["']""", text):
                names.add("higher_order::" + found)
        if path.match("torch/_prims/__init__.py"):
            calls = re.findall(r"^\w+ = _make_\w*prim\((?:.*?)^\)", text, re.M | re.S)
            names |= {"prims::" + name for call in calls for name in re.findall(PRIM, call)[:1]}
        for name in re.findall(r'quantized_decomposed_lib.define\(\s*"(\w+(?:\.\w+)?)', text):
            names.add("quantized_decomposed::" + name)
        # In graphs since 2.9. Before 2.13, torch could not save or load these calls.
        if path.match("torch/_functorch/predispatch.py") and "callable(target)" in serializer:
            names |= {f"torch._functorch.predispatch.{name}" for name in re.findall(r"^def (\w+)", text, re.M)}
        for block in re.findall(r"^_SYM_\w*OPS = \{(.*?)^\}", text, re.M | re.S):
            called |= set(re.findall(r"(operator|torch|math)\.(\w+)", block))
    return names, called


def without_values(arguments: ast.arguments):
    """Returns a function with parameters of these names, with None for all defaults."""
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    arguments.defaults = [ast.Constant(None) for _ in arguments.defaults]
    arguments.kw_defaults = [default and ast.Constant(None) for default in arguments.kw_defaults]
    function = ast.Expression(ast.Lambda(arguments, ast.Constant(None)))
    return eval(compile(ast.fix_missing_locations(function), "<signature>", "eval"))


def schemas_in_sources(package: pathlib.Path):
    """Returns schemas by name if Python sources have them in one place: higher-order operators that are classes, prims,
    quantized_decomposed.
    """
    import torch

    for path in (package / "torch").rglob("*.py"):
        text = path.read_text()
        if not re.search(r"HigherOrderOperator|quantized_decomposed_lib|_make_prim", text):
            continue
        for item in ast.walk(ast.parse(text)):
            if isinstance(item, ast.ClassDef):
                names = re.findall(r"""super\(\).__init__\(\s*["'](\w+)["']""", ast.unparse(item))
                calls = [inner for inner in item.body if isinstance(inner, ast.FunctionDef) and inner.name == "__call__"]
                if len(names) == len(calls) == 1:
                    # Up to 2.6, torch exports only while_loop of these.
                    tuples = re.findall(r"if not isinstance\((\w+), tuple\):", ast.unparse(calls[0])) if names == ["while_loop"] else ()
                    yield f"higher_order::{names[0]}", higher_order_schema(names[0], without_values(calls[0].args), tuples)
            if isinstance(item, ast.Call):
                function = ast.unparse(item.func)
                schemas = item.args[:1] if function == "quantized_decomposed_lib.define" else [
                    keyword.value for keyword in item.keywords if function == "_make_prim" and keyword.arg == "schema"]
                for schema in schemas:
                    if isinstance(schema, ast.Constant):
                        space = "prims" if function == "_make_prim" else "quantized_decomposed"
                        parsed = torch._C.parse_schema(f"{space}::{schema.value}")
                        yield full_name(parsed), str(parsed)


def of_package(package: pathlib.Path):
    """Returns the operators of an unpacked wheel: (schema, words) by name."""
    found = {name: (schema, tags) for name, schema, tags in native_schemas(package)}
    names, called = named_in_sources(package)
    found.update({name: (f"{name}(...) -> ...", []) for name in [*names, *ONLY_IN_CPP, *FUNCTIONS_OF_MODES]})
    found.update({name: (schema, []) for name, schema in schemas_in_sources(package) if name in found})
    found.update({name: (schema, []) for name, schema in functions(called)})
    return found


def of_installed():
    """Returns the operators of the installed torch, which is run, with tags."""
    import torch

    found = of_package(pathlib.Path(torch.__file__).parent.parent)
    run = {name: (schema, tags) for name, schema, tags in dispatched()}
    run.update({name: (schema, []) for name, schema in [*higher_order(), *functions_of_modes()]})
    if untold := sorted(set(run) - set(found)):
        sys.exit(f"no source names {untold}: are they in ONLY_IN_CPP?")
    return {**found, **run}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=pathlib.Path, help="schema/operators.txt")
    parser.add_argument("--package", type=pathlib.Path, help="folder of an unpacked wheel of torch; else the installed one")
    arguments = parser.parse_args()
    import torch

    warnings.simplefilter("ignore")
    package = arguments.package or pathlib.Path(torch.__file__).parent.parent
    version = re.search(r"__version__ = '(\d+\.\d+)", (package / "torch" / "version.py").read_text())[1]
    table = Table(arguments.table)
    table.update(version, of_package(package) if arguments.package else of_installed(), was_run=not arguments.package)
    arguments.table.write_text(table.text())
    arguments.table.with_name("operator_changes.txt").write_text(table.changes_text())


if __name__ == "__main__":
    main()
