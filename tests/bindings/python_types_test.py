"""Types: stubs are what the modules are, and mypy --strict and pyright take the package and programs that use it.

PT2_PYTHON_PACKAGE is the folder that has the package pt2, EVERYTHING_FOLDER that with the module of everything.yaml, SCHEMAGEN_BINARY
names the command.
pyright is that which `find_model_tools` of dev/install.sh puts into build/model_tools.
"""

import ast
import builtins
import enum
import importlib.util
import json
import keyword
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import python_recipes_test

PACKAGE = pathlib.Path(os.environ["PT2_PYTHON_PACKAGE"])
EVERYTHING = pathlib.Path(os.environ["EVERYTHING_FOLDER"])
PYRIGHT = python_recipes_test.ROOT / "build" / "model_tools" / "node_modules" / ".bin" / "pyright"

# stubtest's known findings: nanobind's classes and functions; the abstract collections of List and Map; constructors that Python does not
# call; classes that only name union members.
OF_NANOBIND = re.compile(r"metaclass differs|is not a function$|"
                         r"\.(List|Map)\.\w+ is inconsistent|\.(View|Size|Value|FileTensor|TensorData)\.__init__ is inconsistent|"
                         r"\.Member is not a Union$|\.\w+\.\w+\.(kind|value) is not present at runtime$|"
                         r"\.__init__ is inconsistent, runtime does not have parameter \"value\"|"
                         r"pt2\.torch\.error is not present at runtime")

PROGRAM = """
import everything
import pt2
from typing_extensions import assert_type

def names(path: str) -> list[str]:
    program = pt2.load(path)
    return [node.target for node in program.graph_module.graph.nodes]

def add_nodes(program: pt2.ExportedProgram) -> None:
    program.graph_module.graph.nodes += [pt2.Node(target="torch.ops.aten.relu.default")]
    pt2.operator_report(program, "2.6")
    pt2.operator_report(program, torch=["aten.relu"])
    pt2.from_pt2b(memoryview(program.to_pt2b()))

def first(program: pt2.ExportedProgram, nodes: pt2.List[pt2.Node]) -> pt2.Value:
    with pt2.open("model.pt2") as file:
        print(pt2.hash(program), file.keys(), nodes[0])
    return pt2.Builder().input("x", "float32", [1])

def widest(tree: everything.Tree) -> int:
    below = [widest(child) for child in tree.children]
    return max([len(tree.children), *below])

def narrowed(argument: pt2.NamedArgument, sizes: pt2.List[pt2.SymInt, pt2.SymInt.Member], given: pt2.Argument) -> None:
    if argument.arg.kind == "as_tensor":
        assert_type(argument.arg.value, pt2.TensorArgument)
    for size in sizes:
        if size.kind == "as_int":
            assert_type(size.value, int)
        elif size.kind == "as_expr":
            assert_type(size.value, pt2.SymExpr)
    numbers = [size.value for _, size in enumerate(sizes) if size.kind == "as_int"]
    assert_type(numbers, list[int])
    if isinstance(argument.arg, pt2.Argument.as_sym_int) and argument.arg.value.kind == "as_name":
        assert_type(argument.arg.value.value, str)
    match given:
        case pt2.Argument.as_string(text):
            assert_type(text, str)
        case pt2.Argument.as_graph(inner):
            assert_type(inner, pt2.GraphArgument)
        case _:
            print(given.kind, given.value)

def is_tensor(argument: pt2.Argument.Member) -> bool:
    return argument.kind == "as_tensor" and argument.value.name != ""

def change(graph: pt2.Graph, argument: pt2.Argument) -> pt2.List[pt2.Argument]:
    graph.inputs.append(argument)
    graph.inputs[0] = pt2.Argument.as_int(3)
    graph.inputs += [argument, pt2.Argument.as_int(3)]
    graph.outputs = [argument]
    graph.sym_int_values["s0"] = pt2.SymInt.as_int(3)
    print(is_tensor(graph.outputs[0]))
    return graph.inputs

level: everything.Level | int = everything.Keyed().level
schema: str = everything.hash
"""


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
class TypesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)  # its cache is for all runs

    def run_mypy(self, module, *arguments):
        environment = os.environ | {"MYPYPATH": f"{PACKAGE}:{EVERYTHING}", "PYTHONPATH": f"{PACKAGE}:{EVERYTHING}",
                                    "MYPY_CACHE_DIR": str(self.folder / "cache")}
        done = subprocess.run([sys.executable, "-m", module, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder,
                              env=environment)
        return done.returncode, done.stdout + done.stderr

    def write_recipes(self, folder):
        names = []
        for number, (_, code) in enumerate(python_recipes_test.recipes()):
            if "import Client" in code:  # Dask's functions have no types
                continue
            names.append(f"recipe_{number}.py")
            (folder / names[-1]).write_text(code)
        return names

    def test_programs_and_the_package_itself_are_strictly_typed(self):
        (self.folder / "program.py").write_text(PROGRAM)
        code, out = self.run_mypy("mypy", "--strict", "-p", "pt2", "-p", "program", "-p", "everything")
        self.assertEqual(code, 0, out)

    def test_the_recipes_are_strictly_typed(self):
        code, out = self.run_mypy("mypy", "--strict", *self.write_recipes(self.folder))
        self.assertEqual(code, 0, out)

    @unittest.skipUnless(PYRIGHT.exists() and shutil.which("node"), "no pyright")
    def test_pyright_takes_all_of_it_strictly(self):
        folder = self.folder / "pyright"
        shutil.copytree(PACKAGE / "pt2", folder / "pt2", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        shutil.copy(EVERYTHING / "everything.pyi", folder)
        (folder / "program.py").write_text(PROGRAM)
        self.write_recipes(folder)
        (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict", "reportMissingModuleSource": False}))
        done = subprocess.run([PYRIGHT, "--pythonpath", sys.executable], cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def generated_stub(self, types):
        """The stub of a schema with these types."""
        schema = {"name": "names", "version": {"major": 1, "minor": 0}, "roots": ["Root"], "types": types}
        (self.folder / "names.yaml").write_text(json.dumps(schema))
        subprocess.run([os.environ["SCHEMAGEN_BINARY"], "generate", "names.yaml", "-o", "names_module", "--python", "names"],
                       cwd=self.folder, check=True)
        return self.folder / "names_module" / "names.pyi"

    def test_types_and_members_may_have_all_names_that_stubs_and_python_use(self):
        """mypy accepts a stub whose types and members have the names that stubs, Python or its builtins use."""
        members = {"many": "List[Hue]", "named": "Dict[str, Any]", "text": "str", "flag": "bool", "none": "Tuple[()]", "data": "bytes",
                   "number": "Optional[int]", "ratio": "float", "hue": "Hue"}

        def fields(names):
            return {name: {"id": number, "type": list(members.values())[number % len(members)]} for number, name in enumerate(names, 1)}

        hue = {"kind": "enum", "fields": {"RED": 0}}
        stub = ast.parse(self.generated_stub({"Hue": hue, "Root": {"kind": "struct", "fields": fields(members)},
                                              "Choice": {"kind": "union", "fields": fields(members)}}).read_text())
        words = {name for node in ast.walk(stub) for name in (getattr(node, key, None) for key in ("id", "name", "arg"))
                 if isinstance(name, str) and name.isidentifier()} - {"Hue", "Root", "Choice"}
        words |= {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *dir(object), *dir(enum.IntEnum), "__match_args__", "__slots__", "_value_"}
        self.assertGreater(len(words), 300)
        capitals = sorted(word for word in words if word[0].isupper() and word not in ("Any", "List"))
        types = {"Hue": hue, "Hue_": hue, "Root": {"kind": "struct", "fields": fields([*words, "Hue", "Root"])},
                 "Choice": {"kind": "union", "fields": fields([*words, "Hue", "Choice"])}}
        types |= {word: {"kind": "struct", "fields": fields(["value"])} for word in capitals}
        types |= {f"{word}_": {"kind": "struct", "fields": {}} for word in capitals[::3]}
        path = self.generated_stub(types)
        made = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)]
        self.assertEqual(sorted(set(made)), sorted(made))
        code, out = self.run_mypy("mypy", "--strict", path)
        self.assertEqual(code, 0, out)

    def test_a_wrong_type_is_found(self):
        (self.folder / "program.py").write_text("import pt2\nargument = pt2.Node(target='x').inputs[0].arg\n"
                                                "pt2.Node(target='x').target = 3\npt2.Node()\n"
                                                "if argument.kind == 'as_int': argument.value.name\nargument.value.name\n")
        code, out = self.run_mypy("mypy", "--strict", "-m", "program")
        self.assertEqual(code, 1, out)
        for message in ('3: error: Incompatible types in assignment', '4: error: Missing named argument "target" for "Node"',
                        '5: error: "int" has no attribute "name"', '6: error: Item "int" of '):
            self.assertIn("program.py:" + message, out)

    def test_stubs_are_what_the_modules_are(self):
        for module in ("everything", "pt2"):
            with self.subTest(module):
                _, out = self.run_mypy("mypy.stubtest", "--concise", "--ignore-missing-stub", "--ignore-disjoint-bases", module)
                self.assertEqual([line for line in out.splitlines() if not OF_NANOBIND.search(line)], [])
                self.assertIn(f"{module}.", out)


if __name__ == "__main__":
    unittest.main()
