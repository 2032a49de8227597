#!/usr/bin/env python3
"""Programs for Protocol Buffers, to compare its speed with ours.

protobuf_program.py proto SCHEMA.yaml                  a .proto of the schema, to standard output
protobuf_program.py json SCHEMA.yaml PROGRAM.json      the program as JSON for that .proto, to standard output

Ids stay. A union is a message with a oneof; what a oneof or a list cannot hold, a list or a map, is a message of its own
with one field `items`. Enums are int32, which they are on the wire.
"""

import json
import sys

import yaml

SCALARS = {"bool": "bool", "int": "int64", "float": "double", "str": "string", "bytes": "bytes"}


def argument_of(type_text, kind):
    """The T of `kind[T]`; None if `kind` differs. For a Dict, T is the value type."""
    if not type_text.startswith(kind + "["):
        return None
    inner = type_text[len(kind) + 1:-1]
    return inner.split(",", 1)[1].strip() if kind == "Dict" else inner


class Schema:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.types = yaml.safe_load(file)["types"]
        self.wrappers = {}

    def field_type(self, type_text):
        """The type of a field of a message."""
        optional = argument_of(type_text, "Optional")
        if optional is not None:
            spelled = self.field_type(optional)
            is_scalar = spelled in SCALARS.values() or spelled == "int32"
            return "optional " + spelled if is_scalar else spelled
        if (item := argument_of(type_text, "List")) is not None:
            return "repeated " + self.single_type(item)
        if (value := argument_of(type_text, "Dict")) is not None:
            return "map<string, %s>" % self.single_type(value)
        return self.single_type(type_text)

    def single_type(self, type_text):
        """Returns the element type: of a list's items, a map's values or a union's member."""
        if type_text in SCALARS:
            return SCALARS[type_text]
        if type_text in self.types:
            return "int32" if self.types[type_text]["kind"] == "enum" else type_text
        name = "".join(c if c.isalnum() else "_" for c in type_text)
        self.wrappers[name] = self.field_type(type_text)
        return name

    def proto(self):
        text = ""
        for name, definition in self.types.items():
            if definition["kind"] == "enum":
                continue
            is_union = definition["kind"] == "union"
            text += "message %s {\n%s" % (name, "  oneof value {\n" if is_union else "")
            for field, attributes in definition["fields"].items():
                spelled = self.single_type(attributes["type"]) if is_union else self.field_type(attributes["type"])
                text += "  %s %s = %d;\n" % (spelled, field, attributes["id"])
            text += "%s}\n" % ("  }\n" if is_union else "")
        done = set()
        while set(self.wrappers) - done:
            name = sorted(set(self.wrappers) - done)[0]
            done.add(name)
            text += "message %s {\n  %s items = 1;\n}\n" % (name, self.wrappers[name])
        return 'syntax = "proto3";\npackage pt2_protobuf;\noption cc_enable_arenas = true;\n' + text

    def field_json(self, type_text, value):
        optional = argument_of(type_text, "Optional")
        if optional is not None:
            return None if value is None else self.field_json(optional, value)
        if (item := argument_of(type_text, "List")) is not None:
            return [self.single_json(item, one) for one in value]
        if (inner := argument_of(type_text, "Dict")) is not None:
            return {key: self.single_json(inner, one) for key, one in value.items()}
        return self.single_json(type_text, value)

    def single_json(self, type_text, value):
        definition = self.types.get(type_text)
        if definition is None:
            return value if type_text in SCALARS else {"items": self.field_json(type_text, value)}
        if definition["kind"] == "enum":
            return value
        convert = self.single_json if definition["kind"] == "union" else self.field_json
        return {key: convert(definition["fields"][key]["type"], one) for key, one in value.items()}


def main():
    mode, schema, *rest = sys.argv[1:]
    if mode == "proto":
        print(Schema(schema).proto(), end="")
    else:
        with open(rest[0], encoding="utf-8") as file:
            json.dump(Schema(schema).single_json("ExportedProgram", json.load(file)), sys.stdout)


if __name__ == "__main__":
    main()
