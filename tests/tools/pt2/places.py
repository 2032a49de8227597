"""Programs that put their bytes into one place: each string, list and map of the schema, with one long value, many short ones, or both."""

import copy
import itertools
import json
import os
import pathlib
import subprocess

SCHEMA = pathlib.Path(__file__).resolve().parents[3] / "schema/pt2.yaml"
ENUMS = {"ScalarType": 7, "Layout": 7}  # float32, strided; others 1
# Values that make the rest valid.
KNOWN = {("Node", "target"): "torch.ops.my.f.default", ("Device", "type"): "cpu", ("SymExpr", "expr_str"): "s0", ("TensorArgument", "name"): "x"}
# Arguments mean different things at these.
SITES = {("Node", "inputs"), ("Node", "outputs"), ("Graph", "inputs")}


class Schema:
    def __init__(self):
        exported = subprocess.run([os.environ["SCHEMAGEN_BINARY"], "export", SCHEMA, "--format", "model", "-o", "-"], capture_output=True, check=True)
        self.types = {each["name"]: each for each in json.loads(exported.stdout)["types"]}

    def parts(self, name):
        return self.types[name].get("fields") or self.types[name].get("members") or []

    def value(self, kind):
        """The smallest value of a type."""
        if kind["kind"] != "named":
            return {"str": "", "int": 1, "float": 1, "bool": True, "List": [], "Optional": None}.get(kind["kind"], {})
        name, parts = kind["name"], self.parts(kind["name"])
        if self.types[name]["kind"] == "enum":
            return ENUMS.get(name, 1)
        if self.types[name]["kind"] == "union":
            part = next((each for each in parts if each["type"]["kind"] in ("int", "bool", "float")), parts[0])
            return {part["name"]: self.value(part["type"])}
        return {each["name"]: copy.deepcopy(each["default"]) if "default" in each else KNOWN.get((name, each["name"]), self.value(each["type"])) for each in parts}

    def places(self):
        """The steps to each place from the program, and its type. A step is a name, `[]`, `{}` or, for a key, `{key}`."""
        seen, queue = set(), [((), {"kind": "named", "name": "ExportedProgram"}, None)]
        for steps, kind, site in queue:
            if kind["kind"] in ("str", "List", "Dict"):
                yield steps, kind
            if kind["kind"] == "Dict":
                yield (*steps, "{key}"), {"kind": "str"}
            if "of" in kind:
                queue.append(((*steps, *{"List": ["[]"], "Dict": ["{}"]}.get(kind["kind"], [])), kind["of"], site))
            if kind["kind"] != "named" or self.types[kind["name"]]["kind"] == "enum":
                continue
            for part in self.parts(kind["name"]):
                here = (kind["name"], part["name"])
                inner = here if here in SITES else site
                if (inner, here) not in seen:
                    seen.add((inner, here))
                    queue.append(((*steps, part["name"]), part["type"], inner))

    def put(self, held, kind, steps, use):
        """`held`, of type `kind`, with use(value, type) at the place, which is in a new item of each list or map on the way."""
        while kind["kind"] == "Optional":
            kind = kind["of"]
        held = self.value(kind) if held is None else held
        if not steps:
            return use(held, kind)
        step, *rest = steps
        if step == "[]":
            held.append(self.put(None, kind["of"], rest, use))
        elif step == "{}":
            held[f"k{len(held)}"] = self.put(None, kind["of"], rest, use)
        elif step == "{key}":
            held[use("", {"kind": "str"})] = self.value(kind["of"])
        else:
            part = next(each for each in self.parts(kind["name"]) if each["name"] == step)
            is_union = self.types[kind["name"]]["kind"] == "union"
            made = self.put(None if is_union else held.get(step), part["type"], rest, use)
            held = {step: made} if is_union else held | {step: made}
        return held

    def long(self, size):
        def fill(held, kind):
            if kind["kind"] == "str":
                return "k" * size
            count = size // (len(json.dumps(self.value(kind["of"]))) + (2 if kind["kind"] == "List" else 12))
            if kind["kind"] == "List":
                return held + [f"t{i}" if kind["of"]["kind"] == "str" else self.value(kind["of"]) for i in range(count)]
            return held | {f"e{i}": self.value(kind["of"]) for i in range(count)}

        return fill

    def short(self):
        numbers = itertools.count()
        return lambda held, kind: f"v{next(numbers)}" if kind["kind"] == "str" else self.long(30)(held, kind)

    def program(self, base, steps, mode, size):
        """`base` with about `size` more bytes at a place; None if there are no lists or maps on the way for many values."""
        top = {"kind": "named", "name": "ExportedProgram"}
        if mode == "long":
            return self.put(base, top, steps, self.long(size))
        inner = max((i for i, step in enumerate(steps) if step[0] in "[{"), default=None)
        if inner is None:
            return None

        def fill(held, kind):
            left, short = size // (2 if mode == "both" else 1), self.short()
            if mode == "both":
                held = self.put(held, kind, steps[inner:], self.long(left))
            one = len(json.dumps(self.put(None, kind, steps[inner:], short)))
            for _ in range(max(1, left // one)):
                held = self.put(held, kind, steps[inner:], short)
            return held

        return self.put(base, top, steps[:inner], fill)


def bombs_of(base, archive_of):
    """Functions of a size, by name, for each place and mode. `base` makes a program, `archive_of` an archive of it."""
    schema, bombs = Schema(), {}
    for steps, _ in schema.places():
        for mode in ("long", "many", "both"):
            if schema.program(base(), steps, mode, 0) is not None:
                bombs[f"{mode}_{'.'.join(steps)}.pt2"] = lambda size, steps=steps, mode=mode: archive_of(schema.program(base(), steps, mode, int(19_000_000 * size)))
    return bombs
