"""`schemagen export --format python`."""

import ast
import math
import sys
import types
import typing
import unittest

from schemagen_command import BAD_INPUT, CommandTest, DATA, HEAD, NUMBERS, REPOSITORY, SMALL, USAGE
import head_schema


try:
    import yaml
except ImportError:
    yaml = None

class PythonTest(CommandTest):
    """`export --format python`, compared with torch's schema.py, and read back."""

    def python_of(self, path):
        return self.run_command("export", path, "--format", "python", "-o", "-")[0]

    def module_of(self, text):
        """Executes the text of a module and returns its namespace."""
        module = types.ModuleType("made")
        sys.modules["made"] = module
        self.addCleanup(sys.modules.pop, "made", None)
        exec(compile(text, "made", "exec"), module.__dict__)
        return module

    def assert_comes_back(self, path, *options):
        self.write("schema.py", self.python_of(path))
        self.run_command("import", "schema.py", "-o", "again.yaml", *options)
        self.assertEqual(self.run_command("hash", "again.yaml"), self.run_command("hash", path))

    def test_it_is_what_torch_has_but_for_comments_layout_and_tables(self):
        theirs = ast.parse((DATA / f"torch_schemas/{head_schema.VERSION}.py").read_text(encoding="utf-8"))
        theirs.body = [node for node in theirs.body if not ast.unparse(node).partition(":")[0].endswith("_TO_C10")]
        self.assertEqual(ast.unparse(ast.parse(self.python_of(HEAD))), ast.unparse(theirs))

    def test_what_reads_torchs_gives_the_schema_back(self):
        self.write("numbers.yaml", NUMBERS)
        for path in [HEAD, *HEAD.parent.glob("released/*.yaml"), self.folder / "numbers.yaml"]:
            with self.subTest(schema=path.name):
                self.assert_comes_back(path)

    def test_python_runs_it(self):
        for path in (REPOSITORY / "tests/schemas").glob("*.yaml"):
            with self.subTest(schema=path.name):
                module = self.module_of(self.python_of(path))
                classes = [one for one in vars(module).values() if hasattr(one, "__dataclass_fields__")]
                self.assertTrue(classes)
                for one in classes:
                    for name, (kind, number) in {
                        name: (hint, hint.__metadata__[0]) for name, hint in typing.get_type_hints(one, include_extras=True).items()
                    }.items():
                        self.assertIn(name, one.__dataclass_fields__)
                        self.assertTrue(1 <= number <= 32767, kind)

    def test_composed_defaults_are_made_anew_for_each_object_and_read_back(self):
        schema = SMALL.replace("a: {id: 1, type: int}", """a: {id: 1, type: int, default: 0}
      list: {id: 2, type: "List[E]", default: [X]}
      map: {id: 3, type: "Dict[str, float]", default: {b: 1, c: -.inf}}
      p: {id: 4, type: P, default: {x: 7}}
      nan: {id: 9, type: float, default: .nan}
      u: {id: 5, type: "List[U]", default: [{p: {x: 1, s: "t"}}]}
  E: {kind: enum, fields: {X: 3}}
  P: {kind: struct, fields: {x: {id: 1, type: int}, s: {id: 2, type: "Optional[str]", default: null}}}
  U: {kind: union, fields: {p: {id: 1, type: P}}}""").replace("      p: {id: 4", """      by_int: {id: 6, type: "Dict[int, uint8]", default: {-1: 2}}
      by_e: {id: 7, type: "Dict[E, List[str]]", default: {X: ["a"]}}
      nested: {id: 8, type: "List[K]", default: [{by_e: {X: 1}}]}
      p: {id: 4""") + """
  K: {kind: struct, fields: {by_e: {id: 1, type: "Dict[E, int]"}}}"""
        path = self.write("small.yaml", schema)
        module = self.module_of(self.python_of(path))
        a = module.A()
        a.list_.append(1)
        self.assertEqual(module.A().list_, [module.E.X])
        self.assertEqual((a.by_int, a.by_e, a.nested), ({-1: 2}, {module.E.X: ["a"]}, [module.K({module.E.X: 1})]))
        self.assertEqual((a.map, a.p, a.u), ({"b": 1.0, "c": float("-inf")}, module.P(x=7), [module.U.create(p=module.P(x=1, s="t"))]))
        self.assertTrue(math.isnan(a.nan))
        self.assert_comes_back(path, "--name", "small")

    def test_torchs_yaml_refuses_a_default_that_torch_has_not(self):
        schema = SMALL.replace("a: {id: 1, type: int}", 'a: {id: 1, type: "List[int]", default: [1]}')
        errors = self.run_command("export", "-", "--format", "torch-yaml", "-o", "-", stdin=schema, code=BAD_INPUT)[1]
        self.assertIn("-: error: PyTorch's schemas cannot express the default of 'A.a': [1]\n", errors)

    def test_a_module_of_python_has_a_name_that_python_can_import(self):
        for name in ("class", "None", "a-b", "1a", "a.b"):
            out, errors = self.run_command("generate", HEAD, "-o", "made", "--python", name, code=USAGE)
            self.assertIn(f"'{name}' is not the name of a Python module", errors)

    def test_names_of_python_are_evaded_and_docs_stay_comments(self):
        schema = SMALL.replace("a: {id: 1, type: int}", """class: {id: 1, type: int, doc: "x\\ny = 1"}
      class_: {id: 2, type: int}
      list: {id: 3, type: "List[int]", default: []}
      more: {id: 4, type: "List[E]", default: []}
      late: {id: 5, type: "Optional[E]"}
      text: {id: 6, type: str, default: "a\\\\'\\"b\\n"}
  E: {kind: enum, fields: {None: 0, mro: 1}}""")
        python = self.run_command("export", "-", "--format", "python", "-o", "-", stdin=schema)[0]
        self.assertIn("    # x\n    # y = 1\n    class__: Annotated[int, 1]\n    class_: Annotated[int, 2]\n"
                      "    list_: Annotated[list[int], 3] = field(default_factory=list)\n", python)
        self.assertIn('    late: Annotated["E | None", 5]\n', python)
        self.assertIn("    None_ = 0\n    mro_ = 1\n", python)
        module = {}
        exec(python, module)
        self.assertEqual(module["A"](class__=1, class_=2, late=None).text, "a\\'\"b\n")

    def test_an_enum_can_be_declared_after_a_struct_that_has_a_member_of_it_as_default(self):
        path = self.write("small.yaml", SMALL.replace("type: int}", """type: E, default: X}
      b: {id: 2, type: B}
  B: {kind: struct, fields: {x: {id: 1, type: "Optional[A]", default: null, boxed: true}}}
  E: {kind: enum, fields: {X: 3}}"""))
        module = self.module_of(self.python_of(path))
        self.assertIs(module.A(b=module.B()).a, module.E.X)
        self.assertIs(typing.get_type_hints(module.A)["b"], module.B)
        self.assert_comes_back(path, "--name", "small")

    def test_names_that_python_or_the_module_needs_mean_what_the_schema_says_and_come_back(self):
        names = ("int", "list", "dict", "str", "field", "dataclass", "Annotated", "IntEnum", "len", "classmethod", "SCHEMA_VERSION",
                 "SCHEMA_NAMES", "_Union", "E", "None", "int_")
        constants = ", ".join(f"{name}: {i}" for i, name in enumerate(names))
        path = self.write("small.yaml", SMALL.replace("types:", "constants: {" + constants + "}\ntypes:").replace("a: {id: 1, type: int}", """E: {id: 1, type: E, default: X}
      again: {id: 2, type: E, default: None}
      Map: {id: 3, type: "Optional[Map]", default: null}
      field: {id: 4, type: "List[Map]", default: []}
      Annotated: {id: 5, type: "List[Annotated]", default: []}
      Annotated_: {id: 6, type: "Dict[str, Annotated]", default: {}}
      int: {id: 7, type: "List[int]", default: [1]}
      __x: {id: 8, type: int, default: 8}
      __init__: {id: 9, type: int, default: 9}
      default: {id: 10, type: "List[Map]", default: [{__x: 3, list: 4}]}
      cls: {id: 11, type: "Optional[IntEnum]", default: null}
  E: {kind: enum, fields: {X: 3, None: 1, __y: 2, _z_: 4, int: 5}}
  Map: {kind: struct, fields: {__x: {id: 1, type: int}, list: {id: 2, type: int, default: 0}}}
  Annotated: {kind: struct, fields: {}}
  IntEnum: {kind: union, fields: {cls: {id: 1, type: int}, __x: {id: 2, type: E}}}"""))
        module = self.module_of(self.python_of(path))
        a = module.A()
        hints = typing.get_type_hints(module.A)
        renamed = {name: here.rpartition(".")[2] for here, name in module.SCHEMA_NAMES.items() if here.startswith("A.")}
        self.assertEqual({name: getattr(a, renamed.get(name, name)) for name in ("E", "again", "int", "__x", "__init__", "default")}, {
            "E": module.E.X, "again": module.E.None_, "int": [1], "__x": 8, "__init__": 9, "default": [module.Map(3, 4)]})
        self.assertEqual({name: hints[renamed.get(name, name)] for name in ("E", "again", "Map", "field", "Annotated", "Annotated_", "int")}, {
            "E": module.E, "again": module.E, "Map": module.Map | None, "field": list[module.Map], "Annotated": list[module.Annotated_],
            "Annotated_": dict[str, module.Annotated_], "int": list[int]})
        self.assertEqual(len(module.E), 5)
        self.assertEqual(module.IntEnum_.create(cls=1).cls, 1)
        values = {module.SCHEMA_NAMES.get(name, name): value for name, value in vars(module).items() if type(value) is int}
        self.assertEqual(values, {name: i for i, name in enumerate(names)})
        self.assert_comes_back(path, "--name", "small")


if __name__ == "__main__":
    unittest.main()
