#!/usr/bin/env python3
"""viewer.html in Chromium: it shows what the command pt2 says, requests nothing, and no file gets it to run anything.

PT2_BINARY is the command, PT2_NPM_PACKAGE the tarball that dev/npm.sh makes, which has the page.
"""

import ast
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "tests/tools"), str(pathlib.Path(__file__).resolve().parent)]
from npm_test import served  # noqa: E402
from hostile_program import TEXTS, hostile_program  # noqa: E402
from page_browser import AXE, accessibility_faults, drop, open_browser, requests_of  # noqa: E402

PROGRAMS = REPOSITORY / "tests/data/programs"
HEAD = PROGRAMS / "torch-2.13.0"
HOSTILE = REPOSITORY / "tests/data/hostile"
LONGEST = 60  # in seconds


def pt2(*arguments):
    return subprocess.run([os.environ["PT2_BINARY"], *map(str, arguments)], capture_output=True, text=True, check=False)


class ViewerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        with tarfile.open(os.environ["PT2_NPM_PACKAGE"]) as package:
            (cls.folder / "viewer.html").write_bytes(package.extractfile("package/viewer.html").read())
        cls.browser = open_browser()
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        self.browser.get("about:blank")
        self.browser.get((self.folder / "viewer.html").as_uri())

    def tearDown(self):
        self.assertEqual(self.browser.get_log("browser"), [])
        self.assertEqual(requests_of(self.browser), [])

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return "\n".join(element.text for element in self.find(selector))

    def wait(self, selector):
        """Waits for the first element of this kind and returns it."""
        return WebDriverWait(self.browser, LONGEST).until(lambda browser: next(iter(browser.find_elements(By.CSS_SELECTOR, selector)), None))

    def open(self, *paths):
        self.find("body > input[type=file]")[0].send_keys("\n".join(map(str, paths)))

    def open_checked(self, path):
        self.open(path)
        return self.wait(".badge.good, .badge.unsure, .badge.bad")

    def test_programs_of_every_kind_open_with_the_nodes_that_info_counts(self):
        for path in [HEAD / "gpt2.pt2", HEAD / "cond.json", HEAD / "effects.pt2", PROGRAMS / "torch-2.6.0/mlp.pt2"]:
            with self.subTest(path=path.name):
                self.setUp()
                self.open_checked(path)
                info = json.loads(pt2("info", path, "--json").stdout)
                shown = self.browser.execute_script("return JSON.stringify([...document.querySelectorAll('.program h1')].map(({textContent}) => textContent))")
                self.assertEqual(json.loads(shown), [path.name])
                self.find("body")[0].send_keys("z")
                for _ in range(20):
                    if not self.find(".box .triangle[aria-label=unfold]"):
                        break
                    self.find("body")[0].send_keys("e")
                self.assertEqual(len(self.find(".box.operation")), info["nodes"])

    def test_a_program_dropped_on_a_graph_is_compared_and_data_color_the_graph_on_which_they_are_dropped(self):
        data = ("data.csv", b"linear,7\n")
        self.open_checked(HEAD / "mlp.pt2")
        drop(self.browser, self.find(".graph")[0], *data)
        self.wait(".overlay")
        drop(self.browser, self.find(".graph")[0], "mlp.json", (HEAD / "mlp.json").read_bytes())
        self.wait(".differences")
        self.assertEqual(self.find(".fault, .overlay"), [])
        drop(self.browser, self.find(".graph")[1], *data)
        self.wait(".overlay")
        self.assertEqual([side.find_elements(By.CSS_SELECTOR, ".overlay") != [] for side in self.find(".side")], [False, True])
        self.assertEqual(self.find(".fault"), [])

    def test_a_valid_program_is_safe(self):
        badge = self.open_checked(HEAD / "mlp.pt2")
        self.assertIn("good", badge.get_attribute("class"))
        self.assertIn("Safe", badge.text)

    def test_hostile_files_show_what_scan_finds(self):
        seen = 0
        for path in sorted(HOSTILE.glob("*.pt2")):
            found = {finding["rule"] for finding in json.loads(pt2("scan", path, "--format", "json").stdout)}
            with self.subTest(path=path.name):
                self.setUp()
                self.open(path)
                element = self.wait(".badge.good, .badge.unsure, .badge.bad, .fault-card")
                if "fault-card" in element.get_attribute("class"):
                    continue
                seen += 1
                self.assertIn("bad", element.get_attribute("class"))
                self.browser.execute_script("document.querySelectorAll('.badge details').forEach((each) => (each.open = true))")
                self.assertTrue(found <= {rule.text for rule in self.find(".badge strong")}, f"{found} {element.text}")
        self.assertGreater(seen, 3)

    def test_hostile_names_run_nothing_in_any_panel(self):
        for i, text in enumerate(TEXTS):
            with self.subTest(text=text):
                name = f"{i}{text.replace('/', ' ')[:80]}"
                first, other, data, broken = (self.folder / f"{name}{end}" for end in (" a.json", " b.json", ".csv", " broken.pt2"))
                first.write_text(json.dumps(hostile_program(text)))
                other.write_text(json.dumps(hostile_program(text[::-1])))
                data.write_text(f'add,"{text.replace(chr(34), chr(34) * 2)}"\n')
                broken.write_text(text)
                self.setUp()
                self.open(broken)
                self.assertIn(broken.name, self.wait(".fault-card").text)
                self.open_checked(first)
                self.open(data)
                self.wait(".overlay")
                for _ in range(4):
                    self.find("body")[0].send_keys("e")
                self.browser.execute_script("""
                    document.querySelectorAll("details").forEach((each) => (each.open = true));
                    [...document.querySelectorAll(".box > rect")].slice(0, 60).forEach((each) => each.dispatchEvent(new MouseEvent("click", { bubbles: true })));""")
                self.open(other)
                self.wait(".differences")
                self.browser.execute_script("[...document.querySelectorAll('.difference')].slice(0, 20).forEach((each) => each.click())")
                self.find(".weight-differences button")[0].click()
                self.wait(".weight-differences h3")
                self.assertIn("no weight is in both files", self.text(".differences h1"))
                self.open(first)
                self.wait(".models")
                self.assertEqual(self.find("img, iframe, object, embed, link, body [onload], body [onerror]"), [])
                self.assertEqual(self.browser.get_log("browser"), [])
                self.assertEqual(requests_of(self.browser), [])

    def test_a_file_that_is_no_program_says_why_and_what_to_do(self):
        (self.folder / "broken.pt2").write_bytes((HEAD / "mlp.pt2").read_bytes()[:900])
        (self.folder / "empty.json").write_text("{}")
        for name in ("broken.pt2", "empty.json"):
            with self.subTest(name=name):
                self.setUp()
                self.open(self.folder / name)
                card = self.wait(".fault-card")
                self.assertIn(f"{name}: cannot be opened", card.text)
                self.assertIn("Get it again", card.text)
                said = pt2("info", self.folder / name).stderr.splitlines()[0]
                self.assertIn(said.split(": ", 1)[1].split(": ")[-1][:40], card.text)

    def test_a_weight_shows_its_values_and_what_pt2_view_counts(self):
        self.open_checked(HEAD / "mlp.pt2")
        self.browser.execute_script("location.hash = 'node=p_l1_weight'")
        self.wait(".details section button").click()
        self.wait(".heat canvas")
        self.wait(".values")
        rows = dict(row.text.split(" ", 1) for row in self.find(".details section tr") if " " in row.text)
        page = pt2("view", HEAD / "mlp.pt2", "-o", "-").stdout
        data = json.loads(page.split('id="program">', 1)[1].split("</script>", 1)[0])
        weight = next(each for each in data["weights"] if data["strings"][each["name"]] == "l1.weight")
        for name in ("minimum", "maximum", "mean", "deviation"):
            self.assertAlmostEqual(float(rows[name]), weight[name], places=5)
        self.assertEqual(len(self.text(".values").split()), 32)

    def test_the_fault_of_a_file_that_cannot_be_opened_is_named_once(self):
        self.open(HOSTILE / "Z03_json_prefix_trailing.pt2")
        self.wait(".badge.bad")
        self.assertEqual(self.text("main").count("there is text after the end of the document"), 1)

    def test_the_models_of_an_archive_are_offered(self):
        self.open(HEAD.parents[1] / "packages/multi.pt2")
        self.wait("dialog[open]")
        self.assertEqual([button.text for button in self.find("dialog[open] p button")], ["a", "b"])
        self.find("dialog[open] p button")[1].click()
        self.wait(".badge.good, .badge.unsure, .badge.bad")
        self.assertEqual(self.text(".program h1"), "multi.pt2: b")

    def test_a_package_without_a_graph_says_so_and_what_it_would_run(self):
        self.open(HEAD.parents[1] / "packages/aoti.pt2")
        self.assertIn("no graph to show", self.wait(".fault-card").text)
        badge = self.wait(".badge.bad")
        found = {finding["rule"] for finding in json.loads(pt2("scan", HEAD.parents[1] / "packages/aoti.pt2", "--format", "json").stdout) if finding["level"] == "error"}
        self.assertLessEqual(found, {rule.text for rule in self.find(".badge strong")})
        self.assertIn("Unsafe to load", badge.text)

    def test_a_large_weight_is_read_with_progress_and_can_be_cancelled(self):
        elements = 40_000_000
        large = self.folder / "large_weight.pt2"
        with zipfile.ZipFile(HEAD / "mlp.pt2") as before, zipfile.ZipFile(large, "w") as after:
            config = json.loads(before.read("mlp/data/weights/model_weights_config.json"))
            weight = config["config"]["l1.weight"]
            weight["tensor_meta"].update(sizes=[{"as_int": 4000}, {"as_int": elements // 4000}], strides=[{"as_int": elements // 4000}, {"as_int": 1}])
            for member in before.infolist():
                data = before.read(member)
                if member.filename.endswith("model_weights_config.json"):
                    data = json.dumps(config).encode()
                elif member.filename.endswith(weight["path_name"]):
                    data = bytes(4 * elements)
                after.writestr(zipfile.ZipInfo(member.filename), data)
        self.addCleanup(large.unlink)
        self.open_checked(large)
        self.browser.execute_script("""
            location.hash = 'node=p_l1_weight';
            window.said = [];
            new MutationObserver((_, observer) => {
              said.push(document.querySelector(".details [role=status]")?.textContent ?? "");
              if (!said.at(-1).startsWith("counting")) return;
              observer.disconnect();
              document.querySelector(".details [role=status] + button").click();
            }).observe(document.body, {subtree: true, childList: true, characterData: true});""")
        self.wait(".details section button").click()
        self.assertEqual(self.wait(".details .fault").text, "cancelled")
        said = self.browser.execute_script("return said")
        self.assertIn("reading: 16.8 MB of 160.0 MB", said)
        for text in said:
            for done, total in re.findall(r"reading: ([\d.]+) MB of ([\d.]+) MB", text):
                self.assertLessEqual(float(done), float(total), text)
        next(button for button in self.find(".details section button") if button.text == "Read the values").click()
        self.wait(".values")
        self.assertIn("zeros 40,000,000", self.text(".details section"))
        self.assertIn("first 4,000 \u00d7 10,000, each cell the mean of up to 2,528 elements", self.text(".heat figcaption"))  # 32 rows, 79 columns

    def test_a_tensor_is_saved_as_numpy_writes_it(self):
        self.open_checked(HEAD / "mlp.pt2")
        self.browser.execute_script("location.hash = 'node=p_l1_weight'")
        self.wait(".details section button").click()
        self.wait(".values")
        self.browser.execute_script("URL.createObjectURL = (blob) => { window.saved = blob; return '#'; };")
        next(button for button in self.find(".details section button") if button.text == "Save as .npy").click()
        saved = bytes(self.browser.execute_async_script("""
            const done = arguments[0];
            const look = async () => (window.saved ? done([...new Uint8Array(await saved.arrayBuffer())]) : setTimeout(look, 10));
            look();"""))
        with zipfile.ZipFile(HEAD / "mlp.pt2") as archive:
            elements = next(archive.read(name) for name in archive.namelist() if name.endswith("/weight_0"))
        size = int.from_bytes(saved[8:10], "little")
        self.assertEqual((saved[:8], (10 + size) % 64, saved[10 + size:]), (b"\x93NUMPY\1\0", 0, elements))
        self.assertEqual(ast.literal_eval(saved[10:10 + size].decode()), {"descr": "<f4", "fortran_order": False, "shape": (8, 4)})

    def test_a_second_file_is_compared_with_the_first(self):
        changed = json.loads((HEAD / "effects.json").read_text())
        add = next(node for node in changed["graph_module"]["graph"]["nodes"] if node["target"] == "torch.ops.aten.add.Tensor")
        add["inputs"][1]["arg"] = {"as_int": 2}
        other = self.folder / "changed.json"
        other.write_text(json.dumps(changed))
        self.open_checked(HEAD / "effects.json")
        self.open(other)
        self.wait(".differences")
        (difference,) = json.loads(pt2("diff", HEAD / "effects.json", other, "--json").stdout)["differences"]
        for text in (difference["before"], difference["after"]):
            self.assertIn(text, self.text(".differences"))
        self.assertEqual(len(self.find("svg.graph")), 2)

    def test_weights_of_two_files_are_ranked_by_their_largest_difference(self):
        moved = self.folder / "moved.pt2"
        with zipfile.ZipFile(HEAD / "mlp.pt2") as before, zipfile.ZipFile(moved, "w") as after:
            for member in before.infolist():
                data = bytearray(before.read(member))
                if member.filename.endswith("data/weights/weight_2"):
                    data[3] ^= 0x80  # the sign of the first element
                after.writestr(zipfile.ZipInfo(member.filename), bytes(data))
        self.open_checked(HEAD / "mlp.pt2")
        self.open(moved)
        self.wait(".weight-differences button")
        self.assertEqual(self.text(".differences h1"), "graph: no differences; weights: not compared yet")
        self.find(".weight-differences button")[0].click()
        self.wait(".weight-differences table")
        ((name, largest),) = [row.text.split() for row in self.find(".weight-differences section > table tbody tr")]
        self.assertEqual(name, "l2.weight")
        (difference,) = json.loads(pt2("diff", "--weights", "--json", HEAD / "mlp.pt2", moved).stdout)["differences"]
        self.assertAlmostEqual(float(largest), difference["largest_absolute"], delta=1e-4)
        self.assertEqual(self.text(".differences h1"), f"graph: no differences; 1 of 6 weights differ, by up to {largest}")
        self.assertEqual(self.text(".weight-differences summary"), "equal 5")
        self.find(".weight-differences tbody button, .weight-differences tbody a")[0].click()
        self.assertIn("l2.weight", self.wait(".side .details").text)

    @unittest.skipUnless(AXE.is_file(), "no axe-core")
    def test_it_is_accessible(self):
        self.assertEqual(accessibility_faults(self.browser), [])
        self.open_checked(HEAD / "mlp.pt2")
        self.browser.execute_script("document.querySelectorAll('details').forEach((each) => (each.open = true)); location.hash = 'node=p_l1_weight'")
        self.wait(".details section button").click()
        self.wait(".values")
        self.assertEqual(accessibility_faults(self.browser), [])

    def test_three_programs_are_columns_of_one_table(self):
        paths = [HEAD / "mlp.pt2", HEAD / "gpt2.pt2", HEAD / "cond.json"]
        self.open(*paths)
        self.wait(".models")
        rows = {cells[0]: cells[1:] for cells in ([cell.text for cell in row.find_elements(By.CSS_SELECTOR, "td")] for row in self.find(".models tbody tr"))}
        infos = [json.loads(pt2("info", path, "--json").stdout) for path in paths]
        self.assertEqual(rows["nodes"], [str(info["nodes"]) for info in infos])
        self.assertEqual(rows["aten.linear.default"][0], "2")
        self.find(".models thead button")[1].click()
        self.wait(".badge.good")
        self.assertEqual(self.browser.title, "gpt2.pt2")

    def test_data_on_nodes_color_the_program_that_is_open(self):
        (self.folder / "times.csv").write_text("linear,2\nrelu,1\n")
        self.open_checked(HEAD / "mlp.pt2")
        self.open(self.folder / "times.csv")
        self.wait(".overlay")
        self.assertIn("linear 2", self.text(".overlay"))

    def test_a_large_archive_opens_without_its_weights(self):
        large = self.folder / "large.pt2"
        with zipfile.ZipFile(HEAD / "mlp.pt2") as before, zipfile.ZipFile(large, "w") as after:
            for member in before.infolist():
                data = before.read(member)
                if member.filename.endswith("data/weights/weight_0"):
                    data += bytes(300_000_000 - len(data))
                after.writestr(zipfile.ZipInfo(member.filename), data)
        self.browser.execute_script("""
            window.said = [];
            new MutationObserver(() => said.push(document.querySelector(".reading p")?.textContent ?? "")).observe(
              document.body, {subtree: true, childList: true, characterData: true});""")
        self.open(large)
        self.wait(".box")
        read = [text.split(": ")[1] for text in self.browser.execute_script("return said") if ": " in text]
        self.assertRegex(read[-1], r"^\d{1,3} kB$")
        large.unlink()

    def test_the_address_in_url_is_read_and_no_other(self):
        site = self.folder / "site"
        site.mkdir()
        shutil.copy(self.folder / "viewer.html", site)
        shutil.copy(HEAD / "mlp.pt2", site)
        shutil.copy(HEAD / "gpt2.pt2", site)
        with served(site) as (address, sent):
            self.browser.get(f"{address}viewer.html?url=mlp.pt2")
            self.wait(".badge.good")
            self.assertEqual(self.browser.title, "mlp.pt2")
            self.assertGreater(sent["mlp.pt2"], 0)
            blocked = self.browser.execute_async_script("const done = arguments[0]; fetch('gpt2.pt2').then(() => done('read'), () => done('blocked'))")
            self.assertEqual(blocked, "blocked")
            self.assertNotIn("gpt2.pt2", sent)
            self.assertTrue(all("Content Security Policy" in entry["message"] or "favicon" in entry["message"] for entry in self.browser.get_log("browser")))
        self.browser.get("about:blank")


if __name__ == "__main__":
    unittest.main()
