"""What pt2 says of the operators of a release of torch is what that torch says, and what it ports to it, that torch takes.

The torch that runs this is the release that is asked, which may be any from 2.6 on: another one than the tests' own is run
by hand, with its own Python. Of all fixtures, `pt2 operators --torch` must find missing what the registry lacks, and those
nodes whose arguments its schemas do not take. What `pt2 downgrade` writes for this release must load and have all arguments.
Every operator that schema/operator_changes.txt has is called as other releases have it and ported.

Needs torch. PT2_BINARY names the pt2 command. Prints how much was compared.
"""

import importlib
import inspect
import json
import logging
import os
import pathlib
import pkgutil
import re
import subprocess
import tempfile
import unittest
import warnings

import torch
import torch._higher_order_ops
import torch.ao.quantization.fx._decomposed  # noqa: F401  registers quantized_decomposed
from torch._export.serde import serialize


ROOT = pathlib.Path(__file__).parent.parent.parent
PROGRAMS = ROOT / "tests" / "data" / "programs"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
RELEASE = re.match(r"\d+\.\d+", torch.__version__)[0]
SCHEMAS = re.search(r"# schemas: (.*)", (ROOT / "schema" / "operators.txt").read_text())[1]

# No torch release can load these: unknown operators, and string outputs.
CANNOT = ("custom_op", "lifted_constants")


def number(release):
    return tuple(int(part) for part in release.split("."))


def run(*arguments):
    return subprocess.run([PT2, *map(str, arguments)], capture_output=True, text=True)


def import_all(package):
    for module in pkgutil.iter_modules(package.__path__):
        try:
            importlib.import_module(f"{package.__name__}.{module.name}")
        except (ImportError, RuntimeError):
            pass


FUNCTIONS = {f"{function.__module__}.{function.__name__}" for name, found in vars(serialize).items()
             if re.fullmatch(r"_SYM_\w*OPS", name) for function in found} | {"_operator.getitem"}


def overload(target):
    """Of torch; None: it has none."""
    found = torch.ops
    for part in target.removeprefix("torch.ops.").split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, torch._ops.OpOverload) else None


def takes(target, given):
    """Whether this torch has the operator and takes these arguments: names, empty by position."""
    if target.startswith("torch.ops.higher_order."):
        operator = torch._ops._higher_order_ops.get(target.rpartition(".")[2])
        if operator is None:
            return False
        try:
            inspect.signature(type(operator).__call__).bind(
                None, *[None for name in given if not name], **{name: None for name in given if name})
        except TypeError:
            return False
        return True
    if not target.startswith("torch.ops."):
        return target in FUNCTIONS or target.startswith("torch.")
    operator = overload(target)
    if operator is None:
        return False
    declared = operator._schema.arguments
    return {argument.name for argument in declared if not argument.has_default_value()} <= set(given) <= \
        {argument.name for argument in declared}


def has_cpu_kernel(target):
    """Whether this torch can run an operator on the CPU, where all fixtures are."""
    operator = overload(target)
    return operator is None or torch._C._dispatch_has_computed_kernel_for_dispatch_key(operator.name(), "CPU")


def nodes_of(graph):
    for node in graph["nodes"]:
        yield node
        for item in node["inputs"]:
            if "as_graph" in item["arg"]:
                yield from nodes_of(item["arg"]["as_graph"]["graph"])


class ReleaseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        import_all(torch._higher_order_ops)

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def document(self, path):
        """The program at `path` in the newest schema; None: JSON cannot hold it."""
        text = self.folder / "program.json"
        done = run("convert", path, text)
        if "the program contains the constants" in done.stderr:
            return None
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(text.read_text())


class Operators(ReleaseTest):
    def test_of_the_fixtures_that_are_missing_are_those_that_torch_does_not_take(self):
        verdicts = {True: set(), False: set()}
        for path in sorted(PROGRAMS.glob("torch-*/*.pt2")):
            with self.subTest(path=path):
                done = run("operators", path, "--torch", RELEASE, "--json")
                self.assertIn(done.returncode, (0, 1), done.stderr)
                missing = {use["name"]: len(use["missing"]["nodes"]) if use["missing"] else 0
                           for use in json.loads(done.stdout)["operators"]}
                expected = dict.fromkeys(missing, 0)
                if (document := self.document(path)) is None:
                    continue
                for node in nodes_of(document["graph_module"]["graph"]):
                    is_taken = takes(node["target"], [item["name"] for item in node["inputs"]]) and has_cpu_kernel(node["target"])
                    expected[node["target"].removeprefix("torch.ops.")] += not is_taken
                    verdicts[is_taken].add(node["target"])
                self.assertEqual(missing, expected)
        print(f"torch {RELEASE}: takes {len(verdicts[True])} operators of the fixtures, not {len(verdicts[False])}: "
              f"{sorted(verdicts[False])}")
        self.assertGreater(len(verdicts[True]), 50)


class Ported(ReleaseTest):
    def check_loads(self, path):
        done = run("downgrade", path, "-o", self.folder / "older.pt2", "--to", f"torch-{RELEASE}")
        if done.returncode or "lacks the operator" in done.stderr:
            self.assertIn(done.returncode, (0, 3), done.stderr)
            return False
        expected = [node for node in nodes_of(self.document(self.folder / "older.pt2")["graph_module"]["graph"])]
        for node in expected:
            with self.subTest(node=node["target"]):
                self.assertTrue(takes(node["target"], [item["name"] for item in node["inputs"]]), node)
        torch.export.load(self.folder / "older.pt2")
        return True

    def test_programs_of_later_releases_load(self):
        loaded = 0
        paths = [path for path in sorted(PROGRAMS.glob("torch-*/*.pt2")) if path.stem not in CANNOT
                 and number(RELEASE) < number(path.parent.name.removeprefix("torch-").rpartition(".")[0])]
        for path in paths:
            with self.subTest(path=path):
                loaded += self.check_loads(path)
        print(f"torch {RELEASE}: loads {loaded} of {len(paths)} programs of later releases")
        self.assertGreater(loaded, 0)

    def port(self, schema, source):
        """Returns pt2's result for a minimal call of release `source`: names, or None and the reason."""
        parsed = torch._C.parse_schema(schema)
        name = parsed.name.replace("::", ".") + "." + (parsed.overload_name or "default")
        document = json.loads((PROGRAMS / "torch-2.13.0" / "no_inputs.json").read_text())
        document["torch_version"] = source + ".0"
        document["graph_module"]["graph"]["nodes"] = [
            {"target": f"torch.ops.{name}", "outputs": [], "metadata": {}, "is_hop_single_tensor_return": None, "name": None,
             "inputs": [{"name": argument.name, "arg": {"as_none": True}, "kind": 2 if argument.kwarg_only else 1}
                        for argument in parsed.arguments if not argument.has_default_value()]}]
        program, ported = self.folder / "program.json", self.folder / "ported.json"
        program.write_text(json.dumps(document))
        done = run("downgrade", program, "-o", ported, "--to", f"torch-{RELEASE}")
        if done.returncode:
            self.assertIn(": error: graph_module.graph.nodes[0]: ", done.stderr)
            return f"torch.ops.{name}", None, done.stderr
        node = json.loads(ported.read_text())["graph_module"]["graph"]["nodes"][0]
        return node["target"], [item["name"] for item in node["inputs"]], done.stderr

    def test_every_operator_that_changed_is_taken_or_refused(self):
        counts = {"taken": 0, "refused": 0, "not there": 0}
        table = {line[:line.index("(")]: line for line in (ROOT / "schema" / "operators.txt").read_text().splitlines()
                 if not line.startswith("#")}
        for line in (ROOT / "schema" / "operator_changes.txt").read_text().splitlines():
            if line.startswith(("#", "higher_order::")):
                continue
            schema, _, words = line.partition(" # ")
            bounds = dict(word.split(":") for word in words.split())
            today = table[schema[:schema.index("(")]].partition(" # ")[0]
            sources = {bounds.get("until") or bounds["since"]: schema, SCHEMAS: today}
            for source, called in sources.items():
                if source == RELEASE:
                    continue
                with self.subTest(schema=called, source=source):
                    target, given, why = self.port(called, source)
                    if overload(target) is None:
                        counts["not there"] += 1
                    elif given is None:
                        counts["refused"] += 1
                        print(why.strip())
                    else:
                        counts["taken"] += 1
                        self.assertTrue(takes(target, given), (called, given, str(overload(target)._schema)))
        print(f"torch {RELEASE}: calls as other releases have them: {counts}")
        self.assertGreater(counts["taken"], 0)


if __name__ == "__main__":
    unittest.main()
