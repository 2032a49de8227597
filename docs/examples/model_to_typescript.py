#!/usr/bin/env python3
"""Writes the types of a schema's JSON in TypeScript.

    schemagen export schema.yaml --format model -o - | python3 model_to_typescript.py > schema.ts

An example of what a program makes of a resolved schema, whose keys schema/README.md describes.
"""

import json
import sys

FLOAT = 'number | "NaN" | "Infinity" | "-Infinity"'
BUILT_IN = {"bool": "boolean", "float": FLOAT, "float32": FLOAT, "str": "string", "bytes": "string", "Any": "unknown", "Tuple": "[]"}


def spelled(type_):
    kind = type_["kind"]
    if kind == "named":
        return type_["name"]
    if kind == "List":
        return f"Array<{spelled(type_['of'])}>"
    if kind == "Dict":
        return f"Record<string, {spelled(type_['of'])}>"
    if kind == "Optional":
        return f"{spelled(type_['of'])} | null"
    return "number" if kind.startswith(("int", "uint")) else BUILT_IN[kind]


def comment(thing, indent=""):
    text = thing["doc"] + (f"\n@deprecated {thing['deprecated']}" if thing.get("deprecated") else "")
    lines = text.strip().replace("*/", "* /").splitlines()
    return f"{indent}/** " + f"\n{indent} * ".join(lines) + " */\n" if lines else ""


def members(type_, separator):
    for field in type_["fields"]:
        optional = "?" if "default" in field else ""
        yield f"{comment(field, '  ')}  {separator[0]}{field['name']}{optional}: {spelled(field['type'])}{separator[1]}\n"


def definition(type_):
    name = type_["name"]
    if type_["kind"] == "enum":
        key = type_["json"]  # which of them JSON has
        values = "".join(f"  {value['name']} = {json.dumps(value[key])},\n" for value in type_["values"])
        return f"export enum {name} {{\n{values}}}\n"
    if type_["kind"] == "union":
        return f"export type {name} =\n{''.join(members(type_, ('| { ', ' }'))).rstrip()};\n"
    return f"export interface {name} {{\n{''.join(members(type_, ('', ';')))}}}\n"


model = json.load(sys.stdin)
assert model["format"] == "schemagen-model 1", model["format"]
print(f"// {model['name']} {model['version']['major']}.{model['version']['minor']}, schema={model['hash']}")
for one in model["types"]:
    print("\n" + comment(one) + definition(one), end="")
