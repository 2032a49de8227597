"""`schemagen export --format model`."""

import json
import os
import subprocess
import sys
import unittest

from schemagen_command import CommandTest, HEAD, REPOSITORY


try:
    import yaml
except ImportError:
    yaml = None

class ModelTest(CommandTest):
    """`export --format model`, and what an example makes of it."""

    SCHEMAS = [HEAD, *HEAD.parent.glob("released/*.yaml"), *(REPOSITORY / "tests/schemas").glob("*.yaml")]
    GOLDEN = REPOSITORY / "tests/golden/model"
    EXAMPLE = REPOSITORY / "docs/examples/model_to_typescript.py"

    def model_of(self, path):
        return json.loads(self.run_command("export", path, "--format", "model", "-o", "-")[0])

    def cpp_name(self, thing):
        return {"cpp_name": thing["cpp_name"]} if thing["cpp_name"] != thing["name"] else {}

    def schema_of(self, model):
        """The schema that the model describes, as YAML (JSON is valid YAML)."""
        types = {}
        for one in model["types"]:
            if one["kind"] == "enum":
                fields = {value["name"]: value["number"] for value in one["values"]}
                extra = {"json": one["json"]}
            else:
                extra = {}
                keys = ("id", "default", "boxed", "states_version", "doc", "deprecated", "since", "allow")
                fields = {
                    field["name"]: {"type": field["spelled"], **self.cpp_name(field), **{
                        key: field[key] for key in keys if key in field and (key == "default" or field[key])}}
                    for field in one["fields"]
                }  # fmt: skip
            types[one["name"]] = {key: one[key] for key in ("kind", "doc", "reserved", "allow")} | self.cpp_name(one) | extra | {"fields": fields}
        document = {key: model[key] for key in ("name", "version", "allow")}
        document["constants"] = {one["name"]: one["value"] for one in model["constants"]}
        document["roots"] = [one["type"] for one in model["roots"]]
        text = json.dumps(document | {"types": types}, ensure_ascii=False)
        return text.replace('"type": "float32", "id": 16, "default": "-Infinity"', '"type": "float32", "id": 16, "default": -.inf')

    def without_places(self, value):
        if isinstance(value, dict):
            return {key: self.without_places(inner) for key, inner in value.items() if key != "place"}
        return [self.without_places(inner) for inner in value] if isinstance(value, list) else value

    def test_all_of_a_schema_can_be_made_of_it_again(self):
        for path in self.SCHEMAS:
            with self.subTest(schema=path.name):
                model = self.model_of(path)
                schema = self.schema_of(model)
                self.write("again.yaml", schema)
                self.assertEqual(self.run_command("hash", "again.yaml")[0], model["hash"] + "\n")
                self.assertEqual(self.without_places(self.model_of("again.yaml")), self.without_places(model))

    def test_hashes_are_those_of_the_command_and_spellings_those_of_the_types(self):
        def spelled(type_):
            if "of" not in type_:
                return {"named": type_.get("name"), "Tuple": "Tuple[()]"}.get(type_["kind"], type_["kind"])
            key = spelled(type_.get("key", {"kind": "str"})) + ", " if type_["kind"] == "Dict" else ""
            return f"{type_['kind']}[{key}{spelled(type_['of'])}]"

        for path in self.SCHEMAS:
            model = self.model_of(path)
            for root in model["roots"][:1]:
                for key, arguments in {"hash": (), "binary_hash": ("--projection", "bin"), "json_hash": ("--projection", "json")}.items():
                    self.assertEqual(self.run_command("hash", path, "--root", root["type"], *arguments)[0], root[key] + "\n")
            for one in model["types"]:
                for field in one.get("fields", []):
                    self.assertEqual(spelled(field["type"]), field["spelled"])

    def test_places_are_those_of_the_names(self):
        folder = REPOSITORY / "tests/schemas"
        model = self.model_of(folder / "everything.yaml")
        things = [*model["constants"], *model["types"]]
        things += [inner for one in model["types"] for inner in one.get("fields", []) + one.get("values", [])]
        self.assertGreater(len(things), 60)
        for thing in things:
            place = thing["place"]
            begin = place["column"] - 1
            line = (folder / place.get("file", "everything.yaml")).read_text(encoding="utf-8").splitlines()[place["line"] - 1]
            self.assertEqual(line[begin : begin + place["length"]], thing["name"])
        self.assertEqual({thing["place"].get("file") for thing in things}, {None, "in/colors.yaml"})

    def test_types_come_after_what_they_hold_by_value(self):
        model = self.model_of(HEAD)
        types = {one["name"]: one for one in model["types"]}
        order = model["definition_order"]
        self.assertEqual(sorted(order), sorted(types))
        for name in order:
            for field in types[name].get("fields", []):
                held = field["type"]["of"] if field["type"]["kind"] == "Optional" else field["type"]
                if held["kind"] == "named" and not field["boxed"]:
                    self.assertLess(order.index(held["name"]), order.index(name), f"{name}.{field['name']}")

    def test_the_example_is_short_and_writes_typescript(self):
        self.assertLessEqual(len(self.EXAMPLE.read_text().splitlines()), 60)
        for path in self.SCHEMAS:
            model, _ = self.run_command("export", path, "--format", "model", "-o", "-")
            done = subprocess.run([sys.executable, self.EXAMPLE], input=model.encode(), capture_output=True)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            if path.stem != "everything":
                continue
            for name, text in {"everything.json": model, "everything.ts": done.stdout.decode()}.items():
                if os.environ.get("UPDATE_GOLDEN"):
                    self.GOLDEN.mkdir(exist_ok=True)
                    (self.GOLDEN / name).write_text(text, encoding="utf-8")
                self.assertEqual(text, (self.GOLDEN / name).read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
