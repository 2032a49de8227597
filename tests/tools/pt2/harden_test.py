"""`pt2 harden` writes the same model without what could run code, or refuses by name.

PT2_BINARY names the pt2 command.
"""

import base64
import io
import json
import os
import pathlib
import pickle
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

import scan_test
from scan_test import HOSTILE, PROGRAMS, saved_by_torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import head_schema  # noqa: E402

PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
PICKLED, WHAT = HOSTILE["STACK_GLOBAL"]
HOSTILE_FILES = pathlib.Path(__file__).parent.parent.parent / "data" / "hostile"
ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00" + bytes(44)


def changed(source, **records):
    """The archive of a torch release with some records replaced; `__` in their names stands for `/`."""
    with zipfile.ZipFile(source) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    folder = "" if "version" in members else next(iter(members)).split("/")[0] + "/"
    return scan_test.zipped(members | {folder + name.replace("__", "/"): content for name, content in records.items()})


def records_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}


class HardenCommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def harden(self, content, *arguments):
        """Returns the exit code, standard error, and the archive that was written, or None."""
        (self.folder / "in.pt2").write_bytes(content)
        out = self.folder / "out.pt2"
        out.unlink(missing_ok=True)
        done = subprocess.run([PT2, "harden", self.folder / "in.pt2", "-o", out, *arguments], capture_output=True, text=True)
        return done.returncode, done.stderr, out.read_bytes() if out.exists() else None

    def assert_safe(self, content):
        path = self.folder / "written.pt2"
        path.write_bytes(content)
        for command in ("scan", "validate"):
            done = subprocess.run([PT2, command, path], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_a_plain_archive_keeps_every_record(self):
        source = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        code, error, written = self.harden(source.read_bytes())
        self.assertEqual((code, error), (0, ""))
        before, after = (records_of(content) for content in (source.read_bytes(), written))
        self.assertEqual(after.keys(), before.keys())
        anew = {".data/serialization_id", "data/sample_inputs/model.pt"}
        program = before["models/model.json"].decode()
        self.assertEqual(head_schema.as_torch_wrote(after.pop("models/model.json").decode(), program), program)
        self.assertEqual([name for name in after if before[name] != after[name] and name not in anew], [])

    def test_pickled_weights_of_all_releases_become_raw(self):
        for release in ("2.1.2", "2.4.1", "2.6.0", "2.8.0"):
            with self.subTest(release):
                code, error, written = self.harden((PROGRAMS / f"torch-{release}" / "mlp.pt2").read_bytes())
                self.assertEqual((code, error), (0, ""))
                self.assertIn("data/weights/weight_0", records_of(written))
                self.assert_safe(written)

    def test_programs_are_those_that_upgrade_writes(self):
        for release in ("2.1.2", "2.4.1", "2.6.0", "2.8.0"):
            for name in ("mlp", "cond"):
                source = PROGRAMS / f"torch-{release}" / f"{name}.pt2"
                if source.exists():
                    with self.subTest(release, name=name):
                        self.assertEqual(self.harden(source.read_bytes())[0], 0)
                        subprocess.run([PT2, "upgrade", source, "-o", self.folder / "upgraded.json"], check=True)
                        subprocess.run([PT2, "convert", self.folder / "out.pt2", self.folder / "hardened.json"], check=True)
                        self.assertEqual(*((self.folder / f"{each}.json").read_bytes() for each in ("upgraded", "hardened")))

    def test_calls_that_torch_of_today_cannot_run_are_named(self):
        with zipfile.ZipFile(PROGRAMS / "torch-2.6.0" / "cond.pt2") as archive:
            program = json.loads(archive.read("serialized_exported_program.json"))
        cond = program["graph_module"]["graph"]["nodes"][-1]
        graph = next(each for each in cond["inputs"] if "as_graph" in each["arg"])
        scan = [graph] + [{"name": "", "arg": value} for value in (
            {"as_tensors": []}, {"as_tensors": []}, {"as_int": 1}, {"as_bool": False}, {"as_tensors": []})]
        cond.update(target="torch.ops.higher_order.scan", inputs=scan)
        records = {"serialized_exported_program.json": json.dumps(program).encode()}
        code, error, written = self.harden(changed(PROGRAMS / "torch-2.6.0" / "cond.pt2", **records))
        self.assertEqual(code, 0, error)
        self.assertIn("serialized_exported_program.json: torch may not run it: graph_module.graph.nodes", error)
        self.assertIn("higher_order.scan has no argument 'dim' in torch 2.13, but the call passes 1", error)
        self.assertIsNotNone(written)

    def test_hostile_sample_inputs_are_left_out_with_a_word(self):
        for release, record in (("2.13.0", "data__sample_inputs__model.pt"), ("2.8.0", "data__sample_inputs__model.pt"),
                                ("2.6.0", "serialized_example_inputs.pt")):
            for route, (pickled, _) in HOSTILE.items():
                with self.subTest(release=release, route=route):
                    source = changed(PROGRAMS / f"torch-{release}" / "mlp.pt2", **{record: saved_by_torch(pickled)})
                    code, error, written = self.harden(source)
                    self.assertEqual(code, 0, error)
                    self.assert_safe(written)
                    if route == "a second pickle":
                        continue
                    self.assertIn(f"{record.replace('__', '/')}: dropped: ", error)
                    self.assertEqual(records_of(written)["data/sample_inputs/model.pt"], b"")

    def test_sample_inputs_that_weights_only_refuses_are_left_out(self):
        source = changed(PROGRAMS / "torch-2.13.0" / "mlp.pt2", **{"data__sample_inputs__model.pt": saved_by_torch(b"\x80\x04K\x01\x94.")})
        code, error, written = self.harden(source)
        self.assertEqual((code, "MEMOIZE" in error), (0, True), error)
        self.assert_safe(written)

    def test_sample_inputs_with_keys_that_end_a_guards_message_are_left_out(self):
        pickled = pickle.dumps(({"' + open('x', 'w') + '": 1},), protocol=2)
        source = changed(PROGRAMS / "torch-2.13.0" / "mlp.pt2", **{"data__sample_inputs__model.pt": saved_by_torch(pickled)})
        code, error, written = self.harden(source)
        self.assertEqual((code, "data/sample_inputs/model.pt: dropped: " in error), (0, True), error)
        self.assert_safe(written)

    def test_sample_inputs_are_made_anew(self):
        source = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        code, error, written = self.harden(source.read_bytes())
        self.assertEqual((code, error), (0, ""))
        before, after = (records_of(content)["data/sample_inputs/model.pt"] for content in (source.read_bytes(), written))
        self.assertNotEqual(before, after)
        self.assertEqual(records_of(before)["data/0"], records_of(after)["data/0"])

    def test_what_no_model_has_is_left_out_by_its_name(self):
        source = changed(PROGRAMS / "torch-2.13.0" / "mlp.pt2", extra__notes=b"text", notes=PICKLED, data__weights__more=b"\0" * 4,
                         data__constants__custom_obj_0=PICKLED)
        code, error, written = self.harden(source)
        self.assertEqual(code, 0, error)
        for record in ("notes", "data/weights/more", "data/constants/custom_obj_0"):
            self.assertIn(f" warning: {record}: dropped: it belongs to no model in the output\n", error)
        self.assertIn(" warning: extra/notes: dropped: it is an extra file; --keep-extra keeps extra files\n", error)
        self.assertEqual(records_of(written).keys(), records_of((PROGRAMS / "torch-2.13.0" / "mlp.pt2").read_bytes()).keys())
        self.assert_safe(written)

    def test_extra_files_are_kept_where_they_are_asked_for(self):
        for release, record in (("2.13.0", "extra__a.txt"), ("2.6.0", "extra_files__a.txt")):
            code, error, written = self.harden(changed(PROGRAMS / f"torch-{release}" / "mlp.pt2", **{record: b"text"}), "--keep-extra")
            self.assertEqual((code, error), (0, ""))
            self.assertEqual(records_of(written)["extra/a.txt"], b"text")
            self.assert_safe(written)

    def test_extra_files_whose_names_lead_elsewhere_are_refused(self):
        for name in ("extra/../../a", "extra/a\\b", "extra/A.txt", "extra/a\x01"):
            with self.subTest(name=name):
                code, error, written = self.harden(changed(PROGRAMS / "torch-2.13.0" / "mlp.pt2", **{name: b"", "extra/a.txt": b""}), "--keep-extra")
                self.assertEqual((code, written), (3, None), error)

    def test_all_models_are_kept_or_one(self):
        source = (pathlib.Path(__file__).parent.parent.parent / "data" / "packages" / "multi.pt2").read_bytes()
        models = {name for name in records_of(source) if name.startswith("models/")}
        self.assertGreater(len(models), 1)
        code, error, written = self.harden(source)
        self.assertEqual(code, 0, error)
        self.assertEqual({name for name in records_of(written) if name.startswith("models/")}, models)
        self.assert_safe(written)
        one = sorted(models)[0]
        code, error, written = self.harden(source, "--model", pathlib.Path(one).stem)
        self.assertEqual(code, 0, error)
        self.assertEqual({name for name in records_of(written) if name.startswith("models/")}, {one})
        self.assertIn(f"{sorted(models)[1]}: dropped: ", error)

    def test_what_is_refused_is_written_nowhere(self):
        out = self.folder / "out.pt2"
        for path in sorted(HOSTILE_FILES.glob("J*.pt2")):
            with self.subTest(path.name):
                out.write_bytes(b"old")
                done = subprocess.run([PT2, "harden", path, "-o", out], capture_output=True, text=True)
                self.assertEqual((done.returncode, out.read_bytes()), (3, b"old"), done.stderr)
                self.assertEqual([file.name for file in self.folder.iterdir()], ["out.pt2"])
                done = subprocess.run([PT2, "harden", path, "-o", "-"], capture_output=True)
                self.assertEqual((done.returncode, done.stdout), (3, b""))

    def test_standard_output_gets_the_same_bytes_as_a_file(self):
        source = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        done = subprocess.run([PT2, "harden", source, "-o", "-"], capture_output=True, check=True)
        self.assertEqual(done.stdout, self.harden(source.read_bytes())[2])

    def test_what_the_model_needs_is_refused_by_name(self):
        for release, record, content in (
            ("2.8.0", "data__weights__model.pt", saved_by_torch(PICKLED)),
            ("2.8.0", "data__constants__model.pt", saved_by_torch(HOSTILE["REDUCE, protocol 2"][0])),
            ("2.6.0", "serialized_state_dict.pt", saved_by_torch(HOSTILE["REDUCE, protocol 2"][0])),
        ):
            with self.subTest(release=release, record=record):
                code, error, written = self.harden(changed(PROGRAMS / f"torch-{release}" / "mlp.pt2", **{record: content}))
                self.assertEqual((code, written), (3, None))
                self.assertIn(f"record '{record.replace('__', '/')}': ", error)

    def test_constants_of_torch_2_1_in_the_program_are_refused_by_name_by_all_who_read_it(self):
        with zipfile.ZipFile(PROGRAMS / "torch-2.1.2" / "mlp.pt2") as archive:
            program = json.loads(archive.read("serialized_exported_program.json"))
        for route, (pickled, _) in HOSTILE.items():
            with self.subTest(route=route):
                saved = base64.b64encode(saved_by_torch(pickled)).decode()
                program["graph_module"]["graph"]["constants"] = {"_tensor_constant0": saved}
                source = changed(PROGRAMS / "torch-2.1.2" / "mlp.pt2", **{"serialized_exported_program.json": json.dumps(program).encode()})
                code, error, written = self.harden(source)
                self.assertEqual((code, written), (3, None))
                self.assertIn("the constant '_tensor_constant0', pickled in the program: ", error)
                path, out = self.folder / "in.pt2", self.folder / "out.pt2"
                for command in (["upgrade", path, "-o", out], ["convert", path, out], ["show", path]):
                    done = subprocess.run([PT2, *command], capture_output=True, text=True)
                    self.assertEqual(done.returncode, 3)
                    self.assertIn("the constant '_tensor_constant0', pickled in the program: ", done.stderr)

    def test_a_program_that_reaches_into_python_is_refused_by_name(self):
        source = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        program = json.loads(records_of(source.read_bytes())["models/model.json"])
        program["graph_module"]["graph"]["nodes"][0]["target"] = "torch.os.system"
        code, error, written = self.harden(changed(source, **{"models__model.json": json.dumps(program).encode()}))
        self.assertEqual((code, "'torch.os.system'" in error, written), (3, True, None), error)

    def test_native_code_is_left_out_only_when_asked_for(self):
        records = {"data__aotinductor__model__a.so": ELF, "data__aotinductor__model__a.cpp": b"#include <x>\n",
                   "data__aotinductor__model__a.json": b"{}"}
        source = changed(PROGRAMS / "torch-2.13.0" / "mlp.pt2", **records)
        code, error, written = self.harden(source)
        self.assertEqual((code, written), (3, None))
        self.assertIn("record 'data/aotinductor/model/a.", error)
        self.assertIn("--drop-native", error)
        code, error, written = self.harden(source, "--drop-native")
        self.assertEqual((code, error.count("dropped")), (0, 3), error)
        self.assertEqual([name for name in records_of(written) if "aotinductor" in name], [])
        self.assert_safe(written)

    def test_what_was_written_passes_check(self):
        data = HOSTILE_FILES.parent
        for path in sorted(data.rglob("*.pt2")):
            out = self.folder / f"{path.parent.name}-{path.name}"
            subprocess.run([PT2, "harden", path, "-o", out, "--drop-native"], capture_output=True)
        written = sorted(self.folder.iterdir())
        self.assertGreater(len(written), 100)
        done = subprocess.run([PT2, "check", "--policy", "load", *written], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_program_that_torch_rejects_is_refused_by_name(self):
        source = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        program = json.loads(records_of(source.read_bytes())["models/model.json"])
        program["graph_module"]["graph"]["nodes"][0]["outputs"] = []
        code, error, written = self.harden(changed(source, **{"models__model.json": json.dumps(program).encode()}))
        self.assertEqual((code, written), (3, None), error)
        self.assertIn("record 'models/model.json': graph_module.graph.nodes[0].outputs: the node has no results", error)
        self.assertIn("[RESULT_COUNT]; torch would reject or misread the model", error)

    def test_blocks_without_results_are_removed_and_their_effects_kept(self):
        def block(target, *settings, nodes=(), inputs=(), values=None):
            body = {"inputs": list(inputs), "outputs": [], "nodes": list(nodes), "tensor_values": values or {},
                    "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": False, "custom_obj_values": {}}
            arguments = [*settings, {"as_graph": {"name": "block", "graph": body}}, *inputs]
            return {"target": f"torch.ops.higher_order.{target}", "outputs": [], "metadata": {},
                    "inputs": [{"name": "", "arg": each, "kind": 1} for each in arguments]}

        source = PROGRAMS / "torch-2.13.0" / "mlp.pt2"
        original = json.loads(records_of(source.read_bytes())["models/model.json"])
        graph = original["graph_module"]["graph"]
        name = graph["nodes"][0]["outputs"][0]["as_tensor"]["name"]
        tensor = {"as_tensor": {"name": name}}
        write = {"target": "torch.ops.aten.zero_.default", "outputs": [{"as_tensor": {"name": "written"}}], "metadata": {},
                 "inputs": [{"name": "self", "arg": tensor, "kind": 1}]}
        dead = write | {"target": "torch.ops.aten.relu.default"}
        values = {each: graph["tensor_values"][name] for each in (name, "written")}
        no_grad, autocast = [{"as_bool": False}], [{"as_string": "cpu"}, {"as_int": 15}, {"as_bool": True}, {"as_bool": False}]
        full = {"inputs": [tensor], "values": values}
        for added, targets in (
            (block("wrap_with_set_grad_enabled", *no_grad), []),
            (block("wrap_with_autocast", *autocast), []),
            (block("wrap_with_autocast", *autocast, nodes=[dead], **full), []),
            (block("wrap_with_set_grad_enabled", *no_grad, nodes=[write], **full), ["zero_"]),
            (block("wrap_with_set_grad_enabled", *no_grad, nodes=[block("wrap_with_autocast", *autocast)]), []),
            (block("wrap_with_autocast", *autocast, nodes=[write], **full), None),
        ):
            program = json.loads(json.dumps(original))
            program["graph_module"]["graph"]["nodes"].insert(1, added)
            code, error, written = self.harden(changed(source, **{"models__model.json": json.dumps(program).encode()}))
            if targets is None:  # its node would compute in another dtype without the block
                self.assertEqual((code, "[RESULT_COUNT]" in error), (3, True), error)
                continue
            self.assertEqual((code, error), (0, ""))
            nodes = json.loads(records_of(written)["models/model.json"])["graph_module"]["graph"]["nodes"]
            found = [node["target"].split(".")[-2] for node in nodes]
            expected = [node["target"].split(".")[-2] for node in graph["nodes"]]
            self.assertEqual(found, expected[:1] + targets + expected[1:])

    def test_a_layout_with_tricks_is_written_anew(self):
        source = scan_test.zipped({"m/" + name: content for name, content in
                                           records_of((PROGRAMS / "torch-2.13.0" / "mlp.pt2").read_bytes()).items()})
        directory, = struct.unpack("<I", source[-6:-2])
        gap = source[:directory] + PICKLED + source[directory:-6] + struct.pack("<I", directory + len(PICKLED)) + source[-2:]
        (self.folder / "gap.pt2").write_bytes(gap)
        self.assertEqual(subprocess.run([PT2, "scan", self.folder / "gap.pt2"], capture_output=True).returncode, 1)
        code, error, written = self.harden(gap)
        self.assertEqual((code, error), (0, ""))
        self.assert_safe(written)

    def test_the_same_archive_gives_the_same_bytes(self):
        source = (PROGRAMS / "torch-2.8.0" / "mlp.pt2").read_bytes()
        self.assertEqual(self.harden(source)[2], self.harden(source)[2])

    def test_files_that_are_no_archive_have_nothing_to_take_out(self):
        program = records_of((PROGRAMS / "torch-2.13.0" / "mlp.pt2").read_bytes())["models/model.json"]
        self.assertEqual(self.harden(program)[0], 2)


if __name__ == "__main__":
    unittest.main()
