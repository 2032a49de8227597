"""`pt2 slim`: what it leaves out, what it says of it, and what it refuses.

PT2_BINARY names the pt2 command. That torch runs what is left is tested in interop/torch_slim_test.py.
"""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
import zipfile

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs"
HEAD = PROGRAMS / "torch-2.13.0"
PT2 = os.environ.get("PT2_BINARY", "build/bin/pt2")
PARTS = "stack-traces,metadata,samples,unused,names"


def records_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


class SlimCommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.out = self.folder / "out.pt2"

    def slim(self, source, *arguments, out=None):
        done = subprocess.run([PT2, "slim", source, "-o", out or self.out, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def archive(self, models, **records):
        """Writes an archive with the given programs as models, by name, and all of their weights."""
        path = self.folder / "several.pt2"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("top/archive_format", "pt2")
            archive.writestr("top/archive_version", "0")
            for name, source in models.items():
                for record, data in records_of(source).items():
                    if not record.startswith((".data", "archive", "byteorder")) and not re.search(r"(weight|tensor)_\d+$", record):
                        data = re.sub(rb'"((?:weight|tensor)_\d+)"', rb'"' + name.encode() + rb'_\1"', data) if "config" in record else data
                        archive.writestr("top/" + record.replace("model", name, 1) if not record.startswith("models/") else f"top/models/{name}.json", data)
                    elif "/" in record and not record.startswith(".data"):
                        folder, _, file = record.rpartition("/")
                        archive.writestr(f"top/{folder}/{name}_{file}", data)
            for record, data in records.items():
                archive.writestr("top/" + record.replace("__", "/"), data)
        return path

    def test_each_part_is_left_out_and_nothing_else(self):
        old = records_of(HEAD / "gpt2.pt2")
        code, out, err = self.slim(HEAD / "gpt2.pt2", "--drop", "samples")
        self.assertEqual((code, err), (0, ""))
        size = len(old["data/sample_inputs/model.pt"])
        self.assertEqual(out, f"  samples  {size:,} bytes\n")
        new = records_of(self.out)
        self.assertEqual({name for name in old if old[name] != new[name]}, {"data/sample_inputs/model.pt", ".data/serialization_id"})
        code, out, _ = self.slim(HEAD / "gpt2.pt2", "--drop", "stack-traces", "--json")
        new = records_of(self.out)
        self.assertEqual({name for name in old if old[name] != new[name]}, {"models/model.json", ".data/serialization_id"})
        self.assertNotIn(b"stack_trace", new["models/model.json"])
        self.assertIn(b"nn_module_stack", new["models/model.json"])
        saved = json.loads(out)["saved"]
        plain = subprocess.run([PT2, "convert", HEAD / "gpt2.pt2", "-"], capture_output=True).stdout
        self.assertEqual(saved, {"stack-traces": len(plain) - len(new["models/model.json"])})

    def test_unused_weights_go_with_their_records_and_their_lines_of_the_table(self):
        self.assertEqual(self.slim(HEAD / "shared_weights.pt2", "--drop", "unused")[0], 0)
        names = [weight["name"] for weight in json.loads(subprocess.run([PT2, "weights", self.out, "--json"], capture_output=True).stdout)]
        self.assertEqual(names, ["o.weight", "view"])
        self.assertEqual(subprocess.run([PT2, "validate", self.out], capture_output=True).returncode, 0)

    def test_all_models_are_slimmed_or_the_one_that_is_chosen(self):
        models = {"one": HEAD / "mlp.pt2", "two": HEAD / "gpt2.pt2"}
        package = self.archive(models, extra__note=b"text", other__thing=b"more")
        for arguments in (["--drop", PARTS], ["--drop", PARTS, "--reproducible"]):
            code, _, err = self.slim(package, *arguments)
            self.assertEqual((code, err), (0, ""))
            new = records_of(self.out)
            self.assertNotIn(b"stack_trace", new["models/one.json"] + new["models/two.json"])
            self.assertEqual((new["extra/note"], new["other/thing"]), (b"text", b"more"))
            self.assertEqual(subprocess.run([PT2, "validate", self.out], capture_output=True).returncode, 0)
        self.assertIn("data/weights/one_weight_0", new)
        self.assertEqual(self.slim(package, "--drop", PARTS, "--model", "one")[0], 0)
        new, old = records_of(self.out), records_of(package)
        self.assertNotIn(b"stack_trace", new["models/one.json"])
        self.assertEqual(new["models/two.json"], old["models/two.json"])
        self.assertEqual(self.slim(package, "--drop", PARTS, "--model", "three")[0], 2)

    def test_json_and_binary_have_programs_alone(self):
        out = self.folder / "out.json"
        code, text, err = self.slim(HEAD / "gpt2.json", "--drop", "metadata,samples", out=out)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(text, r"^  metadata +[\d,]+ bytes\n  samples +0 bytes\n$")
        self.assertEqual({str(node["metadata"]) for node in json.loads(out.read_text())["graph_module"]["graph"]["nodes"]}, {"{}"})
        self.assertEqual(self.slim(HEAD / "gpt2.json", "--drop", "metadata", out="-")[1], out.read_text())

    def test_what_makes_no_sense_is_refused_with_what_to_do(self):
        for source, arguments, code, message in [
            (HEAD / "mlp.pt2", [], 2, "pt2 slim: error: --drop PART,... or --reproducible is required"),
            (HEAD / "mlp.pt2", ["--drop", "traces"], 2,
             "pt2 slim: error: --drop: expected stack-traces, metadata, samples, unused or names, got 'traces'"),
            (HEAD / "mlp.json", ["--drop", "names"], 2, f"pt2 slim: error: cannot write '{self.out}': an archive needs weights, "
                                                        "but IN is not an archive"),
            (PROGRAMS / "torch-2.8.0" / "mlp.pt2", ["--drop", "names"], 3, f"{PROGRAMS}/torch-2.8.0/mlp.pt2: error: the weights are "
             "pickled; convert the archive to raw weights with pt2 convert first"),
        ]:
            done, out, err = self.slim(source, *arguments)
            self.assertEqual((done, out, err.splitlines()[0]), (code, "", message))
        self.assertFalse(self.out.exists())

    def test_a_table_that_names_no_record_is_refused_by_its_name(self):
        broken = self.folder / "broken.pt2"
        with zipfile.ZipFile(HEAD / "mlp.pt2") as old, zipfile.ZipFile(broken, "w") as new:
            for name in old.namelist():
                if not name.endswith("weight_1"):
                    new.writestr(name, old.read(name))
        for arguments in (["--drop", "samples", "--reproducible"], ["--drop", "unused", "--reproducible"]):
            code, _, err = self.slim(broken, *arguments)
            self.assertEqual((code, err), (3, f"{broken}: error: a weights config names the record 'data/weights/weight_1', which is missing\n"))
            self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
