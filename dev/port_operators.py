#!/usr/bin/env python3
"""Updates schema/operators.txt, the table of PyTorch's operators, and schema/operator_changes.txt for a release.

    dev/port_operators.py schema/operators.txt

Reads the schemas and tags of all operators of the installed torch; dev/torch_releases.py installs any release. Add releases in order:
an operator that the table lacks is marked as new in this release, and one that the release lacks as removed after the previous
one. Words added by hand stay (has_effects, may_return_inputs, writes:ARGUMENTS), because PyTorch does not know them.

A line is a schema string, ` # `, and words: tags, words added by hand, since:RELEASE, until:RELEASE.

If a release has an operator with other arguments than the table (names, order, keyword-only, defaults, tuples) or another number
of results, operator_changes.txt has its schema with the releases.
"""

import argparse
import contextlib
import importlib
import inspect
import io
import pathlib
import pkgutil
import re
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

MODULES_OF_HIGHER_ORDER = ("torch._dynamo._trace_wrapped_higher_order_op torch._export.wrappers torch._functorch.autograd_function "
                           "torch._inductor.fx_passes.control_dependencies torch._prims.rng_prims")

# Included for every torch release. Operators registered in C++ are added by hand.
PACKAGES = ("torchvision", "torchao")

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

    def update(self, release: str, found: dict):
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
            else:
                kept = [word for word in self.lines[name][1] if word.startswith((*BY_HAND, "since:", "until:"))]
                self.lines[name] = (schema, tags + kept)
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


def higher_order_schema(name, call):
    """Returns a schema without types, as far as the signature of the operator's method shows it."""
    arguments = []
    for parameter in list(inspect.signature(call).parameters.values())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            arguments.append("...")
            break
        if parameter.kind == parameter.KEYWORD_ONLY and "*" not in arguments:
            arguments.append("*")
        # Many of torch's default values fit no schema, and nodes contain all arguments.
        arguments.append(f"Any {parameter.name}" if parameter.default is parameter.empty else f"Any? {parameter.name}=None")
    text = ", ".join(arguments)
    return f"higher_order::{name}({SCAN_WITH_DIM.get(text, text) if name == 'scan' else text}) -> ..."


def higher_order():
    """Returns the higher-order operators of the installed torch by name."""
    import torch._higher_order_ops

    modules = [f"torch._higher_order_ops.{module.name}" for module in pkgutil.iter_modules(torch._higher_order_ops.__path__)]
    for module in modules + MODULES_OF_HIGHER_ORDER.split():
        with contextlib.suppress(ImportError), contextlib.redirect_stderr(io.StringIO()):
            importlib.import_module(module)
    return getattr(torch._ops, "_higher_order_ops", None) or {
        name: value for name, value in vars(torch.ops.higher_order).items() if isinstance(value, torch._ops.HigherOrderOperator)
    }


def functions(found):
    """Returns schemas by target of the functions on numbers and symbols."""
    yield "_operator.getitem", "_operator.getitem(t[] a, int b) -> t"
    for function in found:
        name = function.__name__
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


def of_installed():
    """Returns the operators of the installed torch: (schema, tags) by name."""
    from torch._export.serde import serialize

    found = {name: (schema, tags) for name, schema, tags in dispatched()}
    others = [(f"higher_order::{name}", higher_order_schema(name, type(op).__call__)) for name, op in higher_order().items()]
    others += [*functions(serialize._SYM_OPS), *functions_of_modes()]
    return found | {name: (schema, []) for name, schema in others}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=pathlib.Path, help="schema/operators.txt")
    arguments = parser.parse_args()
    import torch

    warnings.simplefilter("ignore")
    table = Table(arguments.table)
    table.update(re.match(r"\d+\.\d+", torch.__version__)[0], of_installed())
    arguments.table.write_text(table.text())
    arguments.table.with_name("operator_changes.txt").write_text(table.changes_text())


if __name__ == "__main__":
    main()
