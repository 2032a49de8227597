"""Tests of the pages of `pt2 view`, as Chromium shows them: all programs of the test data, one of 5,000 nodes, and hostile names.

PT2_BINARY names the command. Times are printed, and not held against any limit.
"""

import array
import base64
import gzip
import html
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
from xml.etree import ElementTree

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from hostile_program import TEXTS, hostile_program  # noqa: E402
from page_browser import AXE, accessibility_faults, drop, open_browser, requests_of  # noqa: E402

BINARY = os.environ["PT2_BINARY"]
PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "data" / "programs"
HEAD = PROGRAMS / "torch-2.13.0"
NODES = 5000
HOSTILE = ['</script><script>alert(1)</script>', 'quote" and \'quote\'', "new\nline\x1b[31m", "\u202eright to left\u202c", "<!--", "a&lt;b", "日本 語"]


def pt2(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def programs():
    """Returns all programs of the test data, each in one of its formats."""
    files = [path for folder in sorted(PROGRAMS.iterdir()) for path in sorted(folder.iterdir())
             if path.suffix in (".json", ".pt2") and path.name != "about.json" and not path.name.endswith(".head.json")]
    return list({path.with_suffix(""): path for path in files}.values())


def elements(safetensors, name):
    """A tensor of 32-bit floats."""
    data = safetensors.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    first, end = json.loads(data[8:begin])[name]["data_offsets"]
    return array.array("f", data[begin + first:begin + end])


def chain(names, target="torch.ops.aten.relu.default"):
    """A program that repeatedly applies an operator to its input `x`; `names` are the names of the results."""
    program = json.loads((HEAD / "no_inputs.json").read_text())
    meta = {"dtype": 7, "sizes": [{"as_int": 2}], "requires_grad": False, "device": {"type": "cpu", "index": None},
            "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}
    names = ["x", *names]
    tensor = [{"as_tensor": {"name": name}} for name in names]
    graph = program["graph_module"]["graph"]
    graph["inputs"], graph["outputs"] = [tensor[0]], [tensor[-1]]
    graph["tensor_values"] = {name: meta for name in names}
    graph["nodes"] = [{"target": target, "inputs": [{"name": "self", "arg": tensor[i], "kind": 1}], "outputs": [tensor[i + 1]], "metadata": {},
                       "is_hop_single_tensor_return": None, "name": names[i + 1]} for i in range(len(names) - 1)]
    program["graph_module"]["signature"] = {"input_specs": [{"user_input": {"arg": tensor[0]}}],
                                            "output_specs": [{"user_output": {"arg": tensor[-1]}}]}
    return program


class ViewTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.browser = open_browser()
        cls.addClassCleanup(cls.browser.quit)

    def tearDown(self):
        self.assertEqual(self.browser.get_log("browser"), [])

    def write(self, name, program):
        path = self.folder / name
        path.write_text(json.dumps(program), encoding="utf-8")
        return path

    def open(self, program, *arguments, link=""):
        """The page of a program, in the browser."""
        page = self.folder / "page.html"
        pt2("view", program, "-o", page, *arguments)
        self.browser.get("about:blank")
        self.browser.get(page.as_uri() + link)
        return page

    def follow(self, link):
        """Follows another link to the open page; the page's own listener runs before this one."""
        self.browser.execute_async_script(
            "const [link, done] = arguments; addEventListener('hashchange', () => done(), {once: true}); location.hash = link", link)

    def find(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def box(self, name):
        """Returns the element of a box, or None if it is folded away."""
        boxes = self.browser.execute_script("return [...document.querySelectorAll('.box')].filter(box => box.dataset.name === arguments[0])", name)
        return boxes[0] if boxes else None

    def names(self, kind):
        return self.browser.execute_script("return [...document.querySelectorAll('.box.' + arguments[0])].map(box => box.dataset.name)", kind)

    def press(self, key):
        self.find("body")[0].send_keys(key)

    def unfold_all(self):
        for _ in range(200):
            if not self.find(".box .triangle[aria-label=unfold]"):
                return
            self.press("e")
        self.fail("not all can be unfolded")

    def click(self, name):
        """Clicks a box, wherever it is."""
        self.browser.execute_script("arguments[0].querySelector('rect').dispatchEvent(new MouseEvent('click', {bubbles: true}))", self.box(name))

    def details(self):
        return self.find(".details")[0].text

    def search(self, text):
        """Returns the names that a search finds."""
        field = self.find("input[type=search]")[0]
        field.clear()
        field.send_keys(text)
        return [found.text for found in self.find(".results .name")]

    def test_a_page_works_in_a_frame_that_may_do_nothing_but_run_it(self):
        page = self.folder / "page.html"
        pt2("view", HEAD / "mlp.pt2", "-o", page)
        frame = self.folder / "frame.html"
        frame.write_text(f'<iframe sandbox="allow-scripts" width="1000" height="600" srcdoc="{html.escape(page.read_text())}"></iframe>')
        self.browser.get(frame.as_uri())
        self.browser.switch_to.frame(0)
        self.addCleanup(self.browser.switch_to.default_content)
        for name in ("relu", "linear"):
            self.click(name)
            self.assertIn(f"aten.{name}.default", self.details())
        self.assertIn("relu", self.search("relu"))

    def test_every_program_opens_with_all_nodes_that_info_counts_and_is_small(self):
        begin = time.time()
        for program in programs():
            with self.subTest(program=program.relative_to(PROGRAMS)):
                page = self.open(program)
                payload = self.folder / "payload.pt2b"
                pt2("convert", program, payload, "--no-compress")
                self.assertLess(page.stat().st_size, 1.5 * payload.stat().st_size + 400_000)
                info = json.loads(pt2("info", program, "--json"))
                self.press("z")
                self.unfold_all()
                self.assertEqual(len(self.names("operation")), info["nodes"])
                self.assertEqual(self.browser.get_log("browser"), [])
        print(f"{len(programs())} programs: {time.time() - begin:.1f} s")

    def test_the_page_opens_at_the_inputs_however_many_weights_nothing_uses(self):
        program = chain([f"r{i}" for i in range(30)])
        graph = program["graph_module"]["graph"]
        for i in range(40):
            name = f"unused_{i}"
            graph["inputs"].insert(0, {"as_tensor": {"name": name}})
            graph["tensor_values"][name] = graph["tensor_values"]["x"]
            program["graph_module"]["signature"]["input_specs"].insert(
                0, {"buffer": {"arg": {"name": name}, "buffer_name": f"bn.{i}.num_batches_tracked", "persistent": True}})
        self.open(self.write("unused.json", program))
        self.assertEqual(self.names("unused"), ["not used"])
        self.assertEqual(self.names("weight"), [])
        box, frame = self.browser.execute_script("return arguments[0].map(each => each.getBoundingClientRect())", [self.box("x"), self.find(".graph")[0]])
        for low, high in (("left", "right"), ("top", "bottom")):
            self.assertLessEqual(frame[low], box[low])
            self.assertLessEqual(box[high], frame[high])

    def test_colors_stand_for_kinds_of_operators(self):
        kinds = {"aten.convolution.default": "matrix", "aten._native_batch_norm_legit_functional.default": "normalization", "aten.relu.default": "activation",
                 "aten.add.Tensor": "operation"}
        self.open(HEAD / "conv_bn_train.pt2")
        self.press("e")
        for label, kind in kinds.items():
            box = next(each for each in self.find(".box.operation") if each.find_element(By.TAG_NAME, "text").text.startswith(label[:30]))
            color = box.find_element(By.TAG_NAME, "rect").value_of_css_property("stroke")
            wanted = self.browser.execute_script(f"const probe = document.createElement('i'); document.body.append(probe); probe.style.color = "
                                                 f"'var(--{kind}-line)'; const {{ color }} = getComputedStyle(probe); probe.remove(); return color;")
            self.assertEqual(color, wanted, label)

    def lines(self, name):
        return [line.get_attribute("textContent") for line in self.box(name).find_elements(By.CSS_SELECTOR, ":scope > text")]

    def test_nodes_show_their_weights_and_attributes_and_a_switch_shows_weights_in_boxes(self):
        self.open(HEAD / "conv_bn_train.pt2")
        self.unfold_all()
        self.assertEqual(self.lines("convolution"), ["aten.convolution.default", "convolution", "weight 4\u00d73\u00d73\u00d73, bias 4", "stride [1, 1], padding [1, 1]"])
        self.assertEqual(self.names("weight"), [])
        self.find("button[title^='show weights']")[0].click()
        self.assertIn("p_c_weight", self.names("weight"))
        self.assertEqual(self.lines("convolution")[2:], ["stride [1, 1], padding [1, 1]"])
        self.press("w")
        self.assertNotIn("p_c_weight", self.names("weight"))
        self.click("convolution")
        for weight in ("c.weight", "c.bias"):
            self.assertIn(weight, [part.text for part in self.find(".details section p")])

    def test_a_hidden_weight_is_shown_once_it_is_selected(self):
        self.open(HEAD / "gpt2.pt2", link="#node=p_b_0_up_bias")
        self.assertEqual(self.find(".box.chosen")[0].get_attribute("data-name"), "p_b_0_up_bias")

    def test_a_folded_module_of_one_node_shows_what_the_node_does(self):
        self.open(HEAD / "gpt2.pt2", link="#module=b.0.up")
        self.assertEqual(self.lines("b.0.up"), ["up", "Linear, 1 node", "weight 128\u00d732, bias 128"])

    def test_sizes_are_hidden_where_only_shapes_depend_on_them(self):
        self.open(HEAD / "gpt2.pt2")
        self.unfold_all()
        self.assertNotIn("sym_size_int_1", self.names("operation"))
        self.assertIn("size [2, s48, 3, 4, 8]", self.lines("view"))
        self.find("button[title^='show sizes']")[0].click()
        self.assertIn("sym_size_int_1", self.names("operation"))
        self.press("z")
        self.assertNotIn("sym_size_int_1", self.names("operation"))
        program = json.loads((HEAD / "gpt2.json").read_text())
        add = next(node for node in program["graph_module"]["graph"]["nodes"] if node["name"] == "add")
        add["inputs"][1]["arg"] = {"as_sym_int": {"as_name": "sym_size_int_1"}}
        self.open(self.write("size_as_data.json", program))
        self.unfold_all()
        self.assertIn("sym_size_int_1", self.names("operation"))

    def axes(self, names):
        """The middles of boxes, in units of the scene."""
        places = self.browser.execute_script("""
            const scale = new DOMMatrix(getComputedStyle(document.querySelector('.scene')).transform).a;
            return arguments[0].map((box) => { const { left, right } = box.querySelector("rect").getBoundingClientRect(); return (left + right) / 2 / scale; });""", [self.box(name) for name in names])
        return [round(place - places[0], 1) for place in places]

    def test_the_main_path_is_a_straight_line_through_all_modules(self):
        self.open(HEAD / "gpt2.pt2")
        self.unfold_all()
        path = ["embedding", "add", "layer_norm", "linear", "view", "permute", "scaled_dot_product_attention", "reshape", "linear_1", "add_1", "linear_2", "gelu", "add_2", "linear_8", "output 0"]
        self.assertEqual(self.axes(path), [0] * len(path))
        self.assertGreater(abs(self.axes(["add", "arange"])[1]), 50)

    def write_decoder(self):
        """A program where each of 12 sums after the first one adds its first result."""
        program = chain([f"sum_{i}" for i in range(13)], "torch.ops.aten.add.Tensor")
        for node in program["graph_module"]["graph"]["nodes"]:
            node["inputs"].append({"name": "other", "arg": {"as_int": 1} if node["name"] == "sum_0" else {"as_tensor": {"name": "sum_0"}}, "kind": 1})
        return self.write("decoder.json", program)

    def test_a_value_that_is_read_far_away_is_one_line_with_a_port_at_each_reader(self):
        self.open(self.write_decoder())
        self.unfold_all()
        self.assertEqual(self.axes([f"sum_{i}" for i in range(13)]), [0] * 13)
        lines = self.browser.execute_script("return [...document.querySelectorAll('.arrow.shared path:not(.tip)')].map((path) => path.getAttribute('d'))")
        self.assertEqual(len(lines), 11)
        self.assertEqual(len({re.findall(r"L([\d.]+) ", line)[1] for line in lines}), 1)
        self.assertEqual([port.text.split()[0] for port in self.find(".port.in")], ["sum_0"] * 11)
        self.click("sum_12")
        self.assertEqual(len(self.find(".arrow.lit")), 4)  # from its neighbors and its port, and to the port

    def test_labels_are_on_a_ground_of_their_own_that_hides_the_arrow(self):
        self.open(HEAD / "mlp.pt2")
        grounds, labels = self.browser.execute_script(
            "return ['.behind-label', '.label'].map(each => [...document.querySelectorAll(each)].map(box => box.getBoundingClientRect()))")
        self.assertGreater(len(labels), 2)
        for ground, label in zip(grounds, labels, strict=True):
            self.assertLessEqual(ground["left"], label["left"])
            self.assertLessEqual(label["right"], ground["right"])

    def test_numbers_are_those_of_stats_and_bars_are_in_proportion_to_the_whole(self):
        self.open(HEAD / "mlp.pt2")
        facts = dict(tuple(cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")) for row in self.find(".program > table tr"))
        for line in pt2("stats", HEAD / "mlp.pt2").split("\n\n")[0].splitlines():
            name, number = line.strip().split("  ", 1)
            self.assertEqual(facts[name], number.strip())
        costs = json.loads(pt2("stats", HEAD / "mlp.pt2", "--by", "module", "--json"))["by"]
        widths = [float(bar.get_attribute("style").removeprefix("width: ").rstrip("%;")) for bar in self.find(".cost .bar")]
        whole = max(row["multiply_adds"] for row in costs)
        for width, row in zip(widths, costs, strict=True):
            self.assertAlmostEqual(width, 100 * row["multiply_adds"] / whole, delta=0.01)

    def test_costs_are_those_of_stats_for_the_sizes_that_the_reader_enters(self):
        self.open(HEAD / "gpt2.pt2")
        (field,) = self.find(".sizes input")
        for size in ("16", "7", ""):
            with self.subTest(size=size):
                field.send_keys(Keys.CONTROL + "a" + Keys.NULL, Keys.DELETE, size)
                bound = ["--bind", f"s48={size}"] if size else []
                costs = json.loads(pt2("stats", HEAD / "gpt2.pt2", "--by", "module", "--json", *bound))["by"]
                expected = {row["name"] or "whole program": row["multiply_adds"] for row in costs}
                shown = dict([cell.text.replace(",", "") for cell in row.find_elements(By.CSS_SELECTOR, "td")] for row in self.find(".costs tbody tr"))
                self.assertEqual(shown, {key: str(cost) for key, cost in expected.items()})
        field.send_keys("7")
        self.follow("module=b.0.qkv")
        self.assertIn("multiply-adds 43,008", self.details())

    def test_a_module_shows_its_parameters(self):
        self.open(HEAD / "mlp.pt2", link="#module=l1")
        weights = [weight for weight in json.loads(pt2("weights", HEAD / "mlp.pt2", "--json")) if weight["name"].startswith("l1.")]
        self.assertIn(f"tensors {len(weights)}\nelements {sum(weight['bytes'] // 4 for weight in weights)}", self.details())

    def open_tables(self):
        for detail in self.find(".program details"):
            self.browser.execute_script("arguments[0].open = true", detail)

    def weight_rows(self):
        return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "td")] for row in self.find(".weights tbody tr")]

    def test_weights_sort_and_filter_and_lead_to_their_nodes(self):
        self.open(HEAD / "mlp.pt2")
        self.open_tables()
        listed = {weight["name"]: weight for weight in json.loads(pt2("weights", HEAD / "mlp.pt2", "--json"))}
        self.assertEqual({row[0].split("\n")[0] for row in self.weight_rows()}, set(listed))
        self.find(".weights .sort")[3].click()
        sizes = [int(row[3].replace(",", "")) for row in self.weight_rows()]
        self.assertEqual(sizes, sorted((weight["bytes"] for weight in listed.values()), reverse=True))
        self.find(".weights .sort")[3].click()
        self.assertEqual([int(row[3].replace(",", "")) for row in self.weight_rows()], sizes[::-1])
        self.find(".weights input")[0].send_keys("l1 bias")
        self.assertEqual([row[0].split("\n")[0] for row in self.weight_rows()], ["l1.bias"])
        self.find(".weights tbody a")[0].click()
        self.assertEqual(self.find(".box.chosen")[0].get_attribute("data-name"), "p_l1_bias")

    def test_tied_weights_name_each_other(self):
        self.open(HEAD / "shared_weights.pt2")
        self.open_tables()
        tied = [row[0] for row in self.weight_rows() if "tied to" in row[0]]
        self.assertEqual(len(tied), 2, self.weight_rows())

    def saved(self, position):
        """The picture that a button of the dialog saves."""
        folder = self.folder / "saved"
        shutil.rmtree(folder, ignore_errors=True)
        self.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
        self.press("s")
        self.find("dialog[open] button")[position].click()
        for _ in range(100):
            files = [path for path in folder.glob("*") if path.suffix in (".svg", ".png")]
            if files:
                return files[0]
            time.sleep(0.05)
        return self.fail("nothing was saved")

    def test_the_graph_is_saved_as_svg_and_png(self):
        self.open(HEAD / "gpt2.pt2")
        self.unfold_all()
        whole = self.saved(2)
        self.assertEqual(whole.name, "gpt2.pt2.svg")
        drawn = ElementTree.parse(whole).getroot()
        boxes = [one.get("data-name") for one in drawn.iter("{http://www.w3.org/2000/svg}g") if one.get("data-name")]
        self.assertEqual(len(boxes), len(self.find(".box")))
        picture = self.saved(3).read_bytes()
        self.assertEqual(picture[:8], b"\x89PNG\r\n\x1a\n")
        width, height = (int.from_bytes(picture[at:at + 4], "big") for at in (16, 20))
        scale = min(2, 8192 / float(drawn.get("width")), 8192 / float(drawn.get("height")))
        self.assertAlmostEqual(width, scale * float(drawn.get("width")), delta=2)
        self.assertAlmostEqual(height, scale * float(drawn.get("height")), delta=2)
        part = self.saved(0)
        self.assertEqual(part.name, "gpt2.pt2 (visible part).svg")
        self.assertNotEqual(ElementTree.parse(part).getroot().get("viewBox"), drawn.get("viewBox"))

    def test_a_saved_picture_contains_all_that_is_drawn(self):
        long_names = chain(["a", "b"])
        for node in long_names["graph_module"]["graph"]["nodes"]:
            node["metadata"] = {"nn_module_stack": f"L__self__,,M;L__self__m,{'m' * 60},m.{'M' * 60}"}
        for program, key in ((HEAD / "gpt2.pt2", ""), (HEAD / "gpt2.pt2", "e"), (self.write("long_names.json", long_names), "e")):
            self.open(program)
            self.press(key)
            place, size = self.browser.execute_script("""
                const { x, y, width, height } = document.querySelector(".scene").getBBox();
                const whole = document.querySelector(".minimap").viewBox.baseVal;
                return [[-x, -y, x + width, y + height], [0, 0, whole.width, whole.height]];""")
            for inner, outer in zip(place, size, strict=True):
                self.assertLessEqual(inner, outer + 0.5)

    def difference(self, *pictures):
        """The mean difference of two PNGs of the same size, of 255."""
        self.browser.get("about:blank")
        return self.browser.execute_async_script("""
            const [pictures, done] = arguments;
            Promise.all(pictures.map(async (data) => {
              const image = new Image();
              image.src = "data:image/png;base64," + data;
              await image.decode();
              const context = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
              context.drawImage(image, 0, 0);
              return context.getImageData(0, 0, image.width, image.height).data;
            })).then(([a, b]) => done(a.length === b.length ? a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length : [a.length, b.length]));""",
            [base64.b64encode(picture).decode() for picture in pictures])

    def test_a_saved_picture_needs_nothing_that_only_browsers_have(self):
        values = self.folder / "values.csv"
        values.write_text("add,1\nlinear,2\n")
        self.open(HEAD / "gpt2.pt2", "--overlay", values, link="#node=add")
        self.press("e")
        whole = self.saved(2)
        picture, drawn = whole.read_text(), self.saved(3).read_bytes()
        self.assertNotRegex(picture, r"var\(|::|<style|class=|style=|color\(|color-mix|rgb")
        self.assertIn("#d9480f", picture)  # the selection
        if shutil.which("rsvg-convert"):
            width = str(int.from_bytes(drawn[16:20], "big"))
            height = str(int.from_bytes(drawn[20:24], "big"))
            whole = self.saved(2)
            other = subprocess.run(["rsvg-convert", "-w", width, "-h", height, whole], capture_output=True, check=True).stdout
            self.assertLess(self.difference(drawn, other), 6)

    def overlay(self, name, text, *arguments):
        """The legend of data on the nodes of gpt2, as text."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        self.open(HEAD / "gpt2.pt2", "--overlay", path, *arguments)
        return self.find(".legend")[0].text

    def fill(self, name):
        return self.browser.execute_script("return arguments[0].querySelector('rect').style.fill", self.box(name))

    def test_numbers_of_a_file_color_nodes_and_add_up_in_modules(self):
        values = {"add": 1, "linear": 9.5, "linear_1": 0.5, "gone": 3}
        files = {"a.csv": "node,time (ms)\n" + "".join(f"{name},{value}\n" for name, value in values.items()),
                 "a.json": json.dumps({"title": "time (ms)", "values": values}), "plain.json": json.dumps(values),
                 "explorer.json": json.dumps({"graph": {"results": {f"a/b/{name}": {"value": value} for name, value in values.items()}}})}
        for name, text in files.items():
            with self.subTest(file=name):
                legend = self.overlay(name, text)
                self.assertIn("time (ms)" if name.startswith("a.") else name, legend)
                self.assertIn("linear 9.5\nadd 1\nlinear_1 0.5", legend)
                self.assertIn("1 name is not in the program: gone", legend)
                self.assertNotEqual(self.fill("add"), "")
                self.assertIn(": 10", self.box("b.0").find_element(By.CSS_SELECTOR, "title").get_attribute("textContent"))
        self.find(".legend option")[1].click()
        self.assertIn(": 9.5", self.box("b.0").find_element(By.CSS_SELECTOR, "title").get_attribute("textContent"))
        self.find(".legend button")[0].click()
        self.assertEqual((self.fill("add"), self.find(".legend")[0].text), ("", ""))

    def test_texts_of_a_file_group_nodes(self):
        legend = self.overlay("device.csv", 'add,cpu\nlinear,"gpu, ""0"""\nlinear_1,cpu\n')
        self.assertIn('cpu 2\ngpu, "0" 1', legend)

    def test_data_that_cannot_be_read_say_why_and_are_shown_as_text(self):
        for name, text, fault in [("a.json", "{", "a.json: "), ("b.json", '{"add": [1]}', "b.json: add: expected a number or a string, got [1]"),
                                  ("c.csv", "add\n", "c.csv: row 1: expected a name and a value, got 1 field"), ("d.csv", "", "d.csv: the file contains no values"),
                                  ("e.csv", "<img src=x onerror=alert(1)>,<b>1</b>\n", "1 name is not in the program: <img src=x onerror=alert(1)>")]:
            with self.subTest(file=name):
                self.assertIn(fault, self.overlay(name, text))
        broken = subprocess.run([BINARY, "view", HEAD / "gpt2.pt2", "-o", "-", "--overlay", self.folder / "none.csv"], capture_output=True, text=True)
        self.assertEqual((broken.returncode, "none.csv" in broken.stderr), (4, True))
        (self.folder / "bytes.csv").write_bytes(b"add,\xff\n")
        broken = subprocess.run([BINARY, "view", HEAD / "gpt2.pt2", "-o", "-", "--overlay", self.folder / "bytes.csv"], capture_output=True, text=True)
        self.assertEqual(broken.returncode, 3)
        self.assertIn("bytes.csv: not UTF-8 at byte 4", broken.stderr)

    def test_a_file_of_data_can_be_dropped(self):
        self.open(HEAD / "gpt2.pt2")
        drop(self.browser, self.find(".graph")[0], "dropped.csv", b"add,7")
        WebDriverWait(self.browser, 10).until(lambda browser: self.find(".overlay"))
        self.assertIn("dropped.csv", self.find(".legend")[0].text)
        self.assertNotEqual(self.fill("add"), "")

    def test_names_targets_source_lines_and_python_are_copied(self):
        self.open(HEAD / "gpt2.pt2", link="#node=add")
        self.browser.execute_script("window.copied = []; navigator.clipboard.writeText = async (text) => { window.copied.push(text); }")
        for button in self.find(".copy"):
            button.click()
        name, target, source, python = self.browser.execute_script("return window.copied")
        self.assertEqual((name, target), ("add", "aten.add.Tensor"))
        self.assertRegex(source, r"\.py:\d+$")
        self.assertEqual(python, 'import pt2\n\nwith pt2.edit(pt2.load("gpt2.pt2")) as g:\n    node = g.node("add")\n')

    def test_modules_unfold_and_fold_by_click_and_key(self):
        self.open(HEAD / "gpt2.pt2")
        self.assertIsNone(self.box("b.0.qkv"))
        self.box("b.0").find_element(By.CSS_SELECTOR, ".triangle").click()
        self.assertIsNotNone(self.box("b.0.qkv"))
        self.click("b.0")
        self.press(Keys.ENTER)
        self.assertIsNone(self.box("b.0.qkv"))
        self.press("c")
        self.assertEqual(self.find(".box.open"), [])

    def test_folding_keeps_the_zoom_and_the_place_of_the_module(self):
        self.open(HEAD / "gpt2.pt2")
        place = "const {left, top} = arguments[0].querySelector('rect').getBoundingClientRect(); return [left, top]"
        scale = "return new DOMMatrix(getComputedStyle(document.querySelector('.scene')).transform).a"
        for key in "++-":
            self.press(key)
        self.press(Keys.ARROW_LEFT)
        before = [*self.browser.execute_script(place, self.box("b.1")), self.browser.execute_script(scale)]
        triangle = lambda: self.box("b.1").find_element(By.CSS_SELECTOR, ".triangle").click()
        for action, act in [("unfold", triangle), ("fold", triangle), ("unfold all", lambda: self.press("e"))]:
            with self.subTest(action=action):
                if action == "unfold all":  # keeps what is in the middle
                    self.follow("module=b.1")
                    before = [*self.browser.execute_script(place, self.box("b.1")), self.browser.execute_script(scale)]
                act()
                after = [*self.browser.execute_script(place, self.box("b.1")), self.browser.execute_script(scale)]
                if action == "unfold":  # moves as far as necessary to show all of it
                    before[:2] = after[:2]
                for was, now in zip(before, after, strict=True):
                    self.assertAlmostEqual(was, now, delta=0.5)

    def open_layers(self, link=""):
        """A program of 60 equal layers, each with a part `act` that is called twice and a part `out`."""
        program = chain([f"layer{i}_{part}" for i in range(60) for part in ("act", "act_again", "out")])
        for node in program["graph_module"]["graph"]["nodes"]:
            layer, part = node["name"].removeprefix("layer").split("_", 1)
            path, part, call = f"layers.{layer}", part.removesuffix("_again"), "@1" if part.endswith("_again") else ""
            node["metadata"] = {"nn_module_stack": f"L__self__,,M;L__self___{path},{path},Layer;L__self___{path}.{part}{call},{path}.{part}{call},Part"}
        self.open(self.write("layers.json", program), link=link)

    def layers(self):
        return [name for name in self.names("module") if name.count(".") == 1]

    def test_a_stack_of_equal_modules_opens_to_its_first_and_can_be_walked(self):
        stack = "layers 0\u201359: 60 \u00d7 Layer"
        self.open_layers()
        self.assertIn("3 nodes each", self.box(stack).text)
        if self.box("layers.0") is None:
            self.box(stack).find_element(By.CSS_SELECTOR, ".triangle").click()
        self.assertEqual(self.layers(), ["layers.0"])
        self.click("layers.0.out")
        self.press(".")
        self.assertEqual((self.layers(), self.details().split("\n")[0]), (["layers.1"], "layers.1.out"))
        self.assertTrue(self.browser.current_url.endswith("#module=layers.1.out"))
        self.press(".")
        self.press(",")
        self.assertEqual(self.layers(), ["layers.1"])
        self.find(".triangle[aria-label^=next]")[0].click()
        self.assertEqual((self.layers(), self.find(".box.chosen")[0].get_attribute("data-name")), (["layers.2"], "layers.2.out"))
        self.press("g")
        self.browser.switch_to.active_element.send_keys("57", Keys.ENTER)
        self.assertEqual((self.layers(), self.find(".box.chosen")[0].get_attribute("data-name")), (["layers.57"], "layers.57.out"))
        for _ in range(5):
            self.press(".")
        self.assertEqual(self.layers(), ["layers.59"])

    def test_a_link_and_a_search_find_a_module_in_a_stack(self):
        self.open_layers("#node=layer33_out")
        self.assertEqual((self.layers(), self.find(".box.chosen")[0].get_attribute("data-name")), (["layers.33"], "layer33_out"))
        self.assertEqual(self.search("layers.41")[0], "layers.41")
        self.find("input[type=search]")[0].send_keys(Keys.ENTER)
        self.assertEqual(self.layers(), ["layers.41"])

    def test_stacks_of_two_linked_graphs_are_walked_together(self):
        self.open_layers()
        page = self.folder / "diff.html"
        subprocess.run([BINARY, "diff", self.folder / "layers.json", self.folder / "layers.json", "-o", page], check=True)
        self.browser.get(page.as_uri() + "#module=layers.7.out")
        self.press(".")
        self.assertEqual(self.layers(), ["layers.8"] * 2)
        self.assertEqual([box.get_attribute("data-name") for box in self.find(".box.chosen")], ["layers.8.out"] * 2)

    def test_a_module_that_differs_from_its_neighbor_says_how(self):
        program = chain([f"layer{i}_{j}" for i in range(7) for j in range(3 if i == 4 else 2)])
        for node in program["graph_module"]["graph"]["nodes"]:
            path = f"layers.{node['name'][5]}"
            node["metadata"] = {"nn_module_stack": f"L__self__,,M;L__self___{path},{path},Layer"}
        self.open(self.write("unequal.json", program), link="#module=layers.4")
        said = {name: self.box(name).find_element(By.CSS_SELECTOR, ".more").get_attribute("textContent") for name in ("layers.4", "layers.5", "layers.6")}
        self.assertEqual(said, {"layers.4": "Layer, 3 nodes, +1 relu", "layers.5": "Layer, 2 nodes, \u22121 relu", "layers.6": "Layer, 2 nodes"})
        self.assertIn("from layers.3: +1 relu", self.details())
        self.assertEqual(self.names("stack"), ["layers 0\u20133: 4 \u00d7 Layer"])

    def test_each_call_of_a_module_is_a_box_with_its_number(self):
        self.open_layers("#module=layers.5.act")
        self.assertIn("act (call 1)", self.box("layers.5.act").text)
        self.assertIn("act (call 2)", self.box("layers.5.act (call 2)").text)

    def test_narrow_screens_have_every_button_a_usable_search_and_a_panel_that_can_be_pulled_up(self):
        self.addCleanup(self.browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        view, difference = self.open(HEAD / "gpt2.pt2"), self.folder / "diff.html"
        subprocess.run([BINARY, "diff", HEAD / "effects.pt2", self.changed_effects(), "-o", difference], check=False)
        for width, height in ((390, 844), (900, 700)):
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
            for page in (view, difference):
                with self.subTest(width=width, page=page.name):
                    self.browser.get(page.as_uri())
                    places = "return [...document.querySelectorAll(arguments[0])].map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0)"
                    for place in self.browser.execute_script(places, "header button, header input, .canvas, .minimap"):
                        self.assertGreaterEqual(place["left"], 0)
                        self.assertLessEqual(place["right"], width)
                        self.assertLessEqual(place["bottom"], height)
                    for field in self.browser.execute_script(places, "header input"):
                        self.assertGreaterEqual(field["width"], 150)
                    for canvas, minimap in zip(*(self.browser.execute_script(places, each) for each in (".canvas", ".minimap")), strict=True):
                        self.assertLessEqual(minimap["width"] * minimap["height"], canvas["width"] * canvas["height"] / 5)
                    if width > 700:
                        continue
                    handle = self.find(".handle")[0]
                    ActionChains(self.browser).drag_and_drop_by_offset(handle, 0, -300).perform()
                    (panel,) = self.browser.execute_script(places, "aside")
                    self.assertGreater(panel["height"], 500)
                    handle.send_keys(Keys.ENTER)
                    (panel,) = self.browser.execute_script(places, "aside")
                    self.assertLess(panel["height"], 300)

    def test_two_fingers_zoom_around_their_middle_and_one_drags(self):
        self.open(HEAD / "gpt2.pt2")
        touched = self.browser.execute_script("""
            const graph = document.querySelector(".graph");
            const { left, top } = graph.getBoundingClientRect();
            const send = (name, pointerId, x, y) => graph.dispatchEvent(new PointerEvent(name, { pointerId, clientX: left + x, clientY: top + y, bubbles: true, pointerType: "touch" }));
            const view = () => {
              const { a, e, f } = new DOMMatrix(getComputedStyle(document.querySelector(".scene")).transform);
              return [a, e, f];
            };
            const views = [view()];
            send("pointerdown", 1, 200, 200); send("pointermove", 1, 260, 230); send("pointerup", 1, 260, 230);
            views.push(view());
            send("pointerdown", 1, 300, 300); send("pointerdown", 2, 400, 300);
            for (let i = 1; i <= 10; ++i) { send("pointermove", 1, 300 - 5 * i, 300); send("pointermove", 2, 400 + 5 * i, 300); }
            send("pointerup", 1, 250, 300); send("pointerup", 2, 450, 300);
            return [...views, view()];""")
        (scale, x, y), (same, moved_x, moved_y), (twice, new_x, new_y) = touched
        self.assertAlmostEqual(same, scale)
        self.assertAlmostEqual(moved_x - x, 60, delta=0.1)
        self.assertAlmostEqual(moved_y - y, 30, delta=0.1)
        self.assertAlmostEqual(twice, 2 * scale, delta=0.01)
        for at, before, after in ((350, moved_x, new_x), (300, moved_y, new_y)):  # what was in the middle
            self.assertAlmostEqual((at - before) / same, (at - after) / twice, delta=6)

    def test_tab_reaches_the_graph_and_arrows_walk_through_its_boxes(self):
        self.open(HEAD / "mlp.pt2")
        self.find("header button")[-1].send_keys(Keys.TAB)
        walked = [self.find(".box.chosen")[0].get_attribute("data-name")]
        for key in (Keys.ARROW_UP, Keys.ARROW_DOWN):
            for _ in range(20):
                self.browser.switch_to.active_element.send_keys(key)
                name = self.find(".box.chosen")[0].get_attribute("data-name")
                if name == walked[-1]:
                    break
                walked.append(name)
        places = self.browser.execute_script("return [...document.querySelectorAll('.box')].map((box) => [box.dataset.name, box.querySelector('rect').getBoundingClientRect().top])")
        self.assertEqual(walked[-1], max(places, key=lambda place: place[1])[0])
        self.assertGreater(len(set(walked)), 4)

    def test_a_click_shows_arguments_with_defaults_users_types_and_the_stack(self):
        self.open(HEAD / "gpt2.pt2")
        self.click("add")
        text = self.details()
        for part in ["aten.add.Tensor", "alpha", "default", "f32[2, s48, 32]", "used by", "models.py"]:
            self.assertIn(part, text)
        [link] = self.find(".details .kind a")
        self.assertTrue(link.get_attribute("href").endswith("?q=add"))

    def test_a_weight_shows_the_statistics_that_python_counts(self):
        pt2("weights", HEAD / "mlp.pt2", "-o", self.folder / "weights.safetensors")
        weight = elements(self.folder / "weights.safetensors", "l1.weight")
        self.open(HEAD / "mlp.pt2", link="#node=p_l1_weight")
        rows = dict(row.text.split(" ", 1) for row in self.find(".details section tr") if " " in row.text)
        for name, count in {"minimum": min, "maximum": max, "mean": statistics.fmean, "deviation": statistics.pstdev}.items():
            self.assertAlmostEqual(float(rows[name]), count(weight), places=5)
        self.assertEqual(sum(int(bar.get_attribute("textContent").replace(",", "")) for bar in self.find(".histogram rect title")), len(weight))
        self.open(HEAD / "mlp.pt2", "--no-weights", link="#node=p_l1_weight")
        self.assertIn("l1.weight", self.details())
        self.assertNotIn("deviation", self.details())

    def test_a_module_that_unfolds_is_visible_and_so_are_the_details_of_a_selection(self):
        self.open(HEAD / "gpt2.pt2")
        seen = "const {left, top, right} = arguments[0].getBoundingClientRect(), all = arguments[1].getBoundingClientRect(); return [left - all.left, top - all.top, all.right - right]"
        for move in (Keys.ARROW_RIGHT, Keys.ARROW_LEFT):
            self.press("c")
            for _ in range(9):
                self.press(move)
            self.click("b.1")
            self.press(Keys.ENTER)
            for distance in self.browser.execute_script(seen, self.box("b.1").find_element(By.CSS_SELECTOR, "rect"), self.find(".graph")[0]):
                self.assertGreaterEqual(distance, 0)
        panel = self.find("aside")[0]
        self.browser.execute_script("arguments[0].scrollTop = 10000", panel)
        self.click("b.0")
        self.assertTrue(self.browser.execute_script(
            "const {top} = arguments[0].getBoundingClientRect(); return top >= -1 && top < innerHeight / 2", self.find(".details")[0]))

    def test_search_finds_modules_before_repeats_and_unfolds_the_module_that_is_taken(self):
        targets = ["sin", "cos", "tan", "neg", "abs", "relu"]
        program = chain([f"n{i}" for i in range(60)])
        for i, node in enumerate(program["graph_module"]["graph"]["nodes"]):
            node["target"] = f"torch.ops.aten.{targets[i % 6]}.default"
        self.open(self.write("repeats.json", program))
        found = self.search("sin")
        self.assertEqual([name.startswith("n") for name in found], sorted((name.startswith("n") for name in found), reverse=True))
        self.assertGreater(len([name for name in found if not name.startswith("n")]), 1)
        self.open(HEAD / "gpt2.pt2")
        self.search("b.1")
        self.find("input[type=search]")[0].send_keys(Keys.ENTER)
        self.assertIsNotNone(self.box("b.1.qkv"))

    def test_search_finds_names_operators_modules_and_weights_and_goes_there(self):
        self.open(HEAD / "gpt2.pt2")
        self.assertEqual(self.search("gelu_1"), ["gelu_1"])
        self.assertIn("scaled_dot_product_attention", self.search("aten.scaled_dot"))
        self.assertEqual(self.search("b.1.qkv")[0], "b.1.qkv")
        self.assertEqual(self.search("b.1.qkv.weight"), ["p_b_1_qkv_weight"])
        self.assertEqual(self.search("no such thing"), [])
        self.search("b.1.qkv.weight")
        self.find("input[type=search]")[0].send_keys(Keys.ENTER)
        self.assertEqual(self.find(".box.chosen")[0].get_attribute("data-name"), "p_b_1_qkv_weight")

    def test_a_link_leads_to_a_node_or_module_in_folded_modules_and_subgraphs(self):
        for program, link, name in [("gpt2", "#node=gelu_1", "gelu_1"), ("gpt2", "#module=b.1.qkv", "b.1.qkv"),
                                    ("cond", "#node=getitem%2Ftrue_graph_0%2Fsin", "getitem/true_graph_0/sin")]:
            self.open(HEAD / f"{program}.pt2", link=link)
            self.assertEqual(self.find(".box.chosen")[0].get_attribute("data-name"), name)
        self.click("p")
        self.assertTrue(self.browser.current_url.endswith("#node=p"))
        self.follow("node=x")
        self.assertEqual(self.find(".box.chosen")[0].get_attribute("data-name"), "x")
        self.follow("node=%E0%A4%A")  # invalid UTF-8

    def test_tables_have_what_show_prints(self):
        self.open(HEAD / "sym_values.pt2")
        shown = pt2("show", HEAD / "sym_values.pt2")
        self.open_tables()
        text = self.find(".program")[0].text
        ranges = [line.strip() for line in shown.split("symbols\n")[1].split("\n\n")[0].splitlines()]
        self.assertGreater(len(ranges), 0)
        for each in ranges:
            self.assertIn(each, text)
        guards = json.loads((HEAD / "sym_values.json").read_text())["guards_code"]
        self.assertIn(f"Guards {len(guards)}", text)
        for guard in guards:
            self.assertIn(guard, text)

    def test_a_difference_is_in_colour_in_both_graphs_and_a_click_goes_there(self):
        old, new = HEAD / "effects.pt2", self.changed_effects()
        page = self.folder / "diff.html"
        self.assertEqual(subprocess.run([BINARY, "diff", old, new, "-o", page]).returncode, 1)
        self.browser.get(page.as_uri())
        said = subprocess.run([BINARY, "diff", old, new, "--json"], capture_output=True, text=True).stdout
        (difference,) = json.loads(said)["differences"]
        (entry,) = self.find(".difference")
        for text in [difference["before"], difference["after"], *difference["details"]]:
            self.assertIn(text, entry.text)
        entry.click()
        self.assertEqual([box.get_attribute("data-name") for box in self.find(".box.chosen")], ["add", "add_7"])
        self.assertEqual([box.get_attribute("data-name") for box in self.find(".box.changed")], ["add", "add_7"])

    def test_two_graphs_show_the_same_place_and_the_same_choice(self):
        page = self.folder / "diff.html"
        changed = json.loads((HEAD / "gpt2.json").read_text())
        graph = changed["graph_module"]["graph"]
        at = next(i for i, node in enumerate(graph["nodes"]) if node["target"] == "torch.ops.aten.gelu.default")
        relu = json.loads(json.dumps(graph["nodes"][at]))
        relu.update(target="torch.ops.aten.relu.default", name="relu", outputs=[{"as_tensor": {"name": "relu"}}], inputs=[{"name": "self", "arg": relu["outputs"][0], "kind": 1}])
        graph["tensor_values"]["relu"] = graph["tensor_values"]["gelu"]
        graph["nodes"][at + 1]["inputs"][0]["arg"] = relu["outputs"][0]
        graph["nodes"].insert(at + 1, relu)
        subprocess.run([BINARY, "diff", HEAD / "gpt2.pt2", self.write("relu.json", changed), "-o", page], check=False)
        self.browser.get("about:blank")
        self.browser.get(page.as_uri())
        self.assertIn("f32[2, s48, 128]", self.find(".differences")[0].text)
        self.assertNotIn("s0", self.find(".differences")[0].text)

        def places(name):
            """Returns where a box is in each graph, relative to the graph's corner."""
            return self.browser.execute_script("""
                return [...document.querySelectorAll(".graph")].map((graph) => {
                  const box = [...graph.querySelectorAll(".box")].find((each) => each.dataset.name === arguments[0]);
                  const [frame, place] = [graph, box.querySelector("rect")].map((each) => each.getBoundingClientRect());
                  return [place.left + place.width / 2 - frame.left, place.top - frame.top, place.width];
                });""", name)

        def assert_same(name):
            for a, b in zip(*places(name), strict=True):
                self.assertAlmostEqual(a, b, delta=1)

        self.find(".box[data-name='b.1'] .triangle")[0].click()
        self.assertEqual(len(self.find(".box.open[data-name='b.1']")), 2)
        self.browser.execute_script("arguments[0].querySelector('rect').dispatchEvent(new MouseEvent('click', {bubbles: true}))", self.find(".box[data-name='b.1.qkv']")[1])
        self.assertEqual([box.get_attribute("data-name") for box in self.find(".box.chosen")], ["b.1.qkv"] * 2)
        assert_same("b.1.qkv")
        self.press("f")
        for key in "+-" + Keys.ARROW_DOWN:
            self.press(key)
            assert_same("b.1.qkv")
        self.find("aside button[aria-pressed]")[0].click()
        for _ in range(5):
            self.press(Keys.ARROW_LEFT)
        self.assertNotAlmostEqual(*(place[0] for place in places("b.1.qkv")), delta=100)

    def test_programs_that_are_the_same_have_a_page_that_says_so(self):
        page = self.folder / "same.html"
        self.assertEqual(subprocess.run([BINARY, "diff", HEAD / "gpt2.pt2", HEAD / "gpt2.json", "-o", page]).returncode, 0)
        self.browser.get(page.as_uri())
        self.assertEqual(self.find(".differences h1")[0].text, "no differences")
        self.assertEqual(len(self.find("svg.graph")), 2)

    def changed_effects(self):
        """effects.json with a number and a node name changed in the main graph."""
        program = json.loads((HEAD / "effects.json").read_text())
        add = next(node for node in program["graph_module"]["graph"]["nodes"] if node["target"] == "torch.ops.aten.add.Tensor")
        add["inputs"][1]["arg"] = {"as_int": 2}
        path = self.folder / "changed.json"
        path.write_text(json.dumps(program).replace('"add"', '"add_7"'))
        return path

    def test_the_path_through_a_node_leaves_out_what_it_does_not_touch(self):
        self.open(HEAD / "conv_bn_train.pt2", link="#module=")
        self.unfold_all()
        chosen = self.names("operation")[0]
        self.click(chosen)
        self.assertEqual(self.find(".box.aside"), [])
        self.press("p")
        self.assertGreater(len(self.find(".box.aside")), 0)
        self.assertGreater(len(self.find(".arrow.lit")), 0)
        colors = self.browser.execute_script(
            "return [...document.querySelectorAll('.arrow.lit')].map((arrow) => [getComputedStyle(arrow.querySelector('path')).stroke, getComputedStyle(arrow.querySelector('.tip')).fill])")
        self.assertEqual(len({color for pair in colors for color in pair}), 1)

    def test_the_path_through_a_node_leaves_out_arrows_that_pass_it_by(self):
        self.open(HEAD / "gpt2.pt2", link="#module=b.0.up")
        self.press("p")
        arrows = self.browser.execute_script("return [...document.querySelectorAll('.arrow')].map((arrow) => [arrow.textContent.split(':')[0], arrow.classList.contains('aside')])")
        self.assertEqual({is_aside for value, is_aside in arrows if value == "add_1"}, {False, True})  # to the module, and past it to the next sum
        dimmed = self.browser.execute_script("return [...document.querySelectorAll('.aside > .label')].map((label) => label.textContent)")
        self.assertIn("f32[2, s48, 32]", dimmed)

    def test_all_shows_all_of_a_very_high_graph(self):
        self.open(self.write_blocks())
        self.press("e")
        WebDriverWait(self.browser, 60).until(lambda _: len(self.find(".box")) > 800)
        self.press("0")
        scene, frame = self.browser.execute_script("return ['.scene', '.graph'].map((each) => document.querySelector(each).getBoundingClientRect())")
        self.assertLess(scene["height"] - 1, frame["height"])
        self.assertGreaterEqual(scene["top"], frame["top"])

    @unittest.skipUnless(AXE.is_file(), "no axe-core")
    def test_pages_are_accessible_in_light_and_dark(self):
        page = self.open(HEAD / "gpt2.pt2", link="#node=add")
        difference = self.folder / "diff.html"
        subprocess.run([BINARY, "diff", HEAD / "effects.pt2", self.changed_effects(), "-o", difference], check=False)
        dark = open_browser(dark=True)
        self.addCleanup(dark.quit)
        for browser in (self.browser, dark):
            for path in (page, difference):
                browser.get(path.as_uri())
                browser.execute_script("document.querySelectorAll('details').forEach((each) => (each.open = true))")
                with self.subTest(page=path.name, dark=browser is dark):
                    self.assertEqual(accessibility_faults(browser), [])

    def test_hostile_names_are_shown_as_text(self):
        names = [f"{name}{i}" for i, name in enumerate(HOSTILE)]
        self.open(self.write("hostile.json", chain(names)))
        self.unfold_all()
        self.assertEqual(len(self.find("script")), len(self.find("head script, body > script")))
        shown = "\n".join(self.names("operation"))
        for text in ["</script><script>alert(1)</script>0", 'quote" and \'quote\'1', "new\\nline\\x1b[31m2", "\\u202eright to left\\u202c3", "<!--4", "a&lt;b5", "日本 語6"]:
            self.assertIn(text, shown)
            self.assertIn(text, self.find(".graph")[0].get_attribute("textContent"))
        for raw in "\n\x1b\u202e\u202c":
            self.assertFalse(any(raw in name for name in self.names("operation")))
        self.open(self.folder / "hostile.json", link="#node=" + urllib.parse.quote(names[0]))
        self.assertEqual(self.find(".details h2")[0].text, names[0])

    def show_everything(self):
        """Unfolds and opens everything, and selects each box of the page."""
        self.unfold_all()
        self.open_tables()
        self.browser.execute_script("""
            [...document.querySelectorAll(".box > rect")].slice(0, 60).forEach((each) => each.dispatchEvent(new MouseEvent("click", {bubbles: true})));
            document.querySelectorAll(".copy").forEach((each) => each.click());""")
        self.browser.execute_script("document.querySelectorAll('.badge details').forEach((each) => (each.open = true))")
        for link in self.find(".badge a")[:1]:
            link.click()

    def test_hostile_files_and_names_run_nothing_in_any_panel(self):
        overlay = self.folder / "overlay.json"
        for i, text in enumerate(TEXTS):
            overlay.write_text(json.dumps({"title": text, "values": {text: text, "add": text}}), encoding="utf-8")
            with self.subTest(text=text):
                self.open(self.write(f"names{i}.json", hostile_program(text)), "--overlay", overlay)
                self.show_everything()
                self.assertTrue(any(text in name for name in self.names("operation")))
                for word in (text.split()[0], "e"):
                    self.assertNotEqual(self.search(word), [])
                self.assertEqual(requests_of(self.browser), [])
                self.assertEqual(self.find("img, iframe, object, embed, link, body [onload], body [onerror]"), [])
                self.browser.get(self.saved(2).as_uri())  # alone, without the page's policy
        opened = 0
        for path in sorted((PROGRAMS.parent / "hostile").glob("*.pt2")):
            page = self.folder / "page.html"
            if subprocess.run([BINARY, "view", path, "-o", page], capture_output=True, check=False).returncode != 0:
                continue
            opened += 1
            with self.subTest(path=path.name):
                self.browser.get("about:blank")
                self.browser.get(page.as_uri())
                self.show_everything()
                scanned = subprocess.run([BINARY, "scan", path, "--format", "json"], capture_output=True, text=True, check=False).stdout
                self.assertLessEqual({finding["rule"] for finding in json.loads(scanned)}, {rule.text for rule in self.find(".badge strong")})
                self.assertEqual(requests_of(self.browser), [])
        self.assertGreater(opened, 8)

    def test_the_badge_says_whether_the_file_is_safe_and_leads_to_the_nodes(self):
        self.open(HEAD / "mlp.pt2")
        self.assertIn("Safe: ", self.find(".badge.good")[0].text)
        program = json.loads((HEAD / "gpt2.json").read_text())
        nodes = program["graph_module"]["graph"]["nodes"]
        at = next(i for i, node in enumerate(nodes) if node["target"] == "torch.ops.aten.gelu.default")
        nodes[at]["inputs"].append({"name": "no_such", "arg": {"as_int": 1}, "kind": 2})
        self.open(self.write("faulty.json", program))
        self.assertIn("Safe to load, but invalid: 1 error", self.find(".badge.bad h2")[0].text)
        self.find(".badge a")[0].click()
        self.assertEqual(self.find(".box.chosen")[0].get_attribute("data-name"), nodes[at]["name"])

    def test_each_fault_is_named_once_with_its_places(self):
        self.open(PROGRAMS.parent / "hostile/L01_value_self.pt2")
        (fault,) = [entry.text for entry in self.find(".badge p") if "torch's source reads 'self' as another object" in entry.text]
        self.assertTrue(fault.startswith("NAME_CODE in "), fault)
        self.open(PROGRAMS.parent / "hostile/J20_guard_call.pt2")
        (fault,) = [entry.text for entry in self.find(".badge p") if "expected an expression" in entry.text]
        self.assertTrue(fault.startswith("GUARD_CODE in guards_code[0]: "), fault)

    def test_a_name_that_is_too_long_is_cut_at_its_end(self):
        name = "a_long_name_" * 8
        self.open(self.write("long_name.json", chain([name])))
        shown = self.box(name).find_element(By.CSS_SELECTOR, ".more").text
        self.assertTrue(len(shown) < len(name) and shown.endswith("\u2026") and name.startswith(shown[:-1]), shown)

    def test_a_script_that_is_brought_along_is_not_run(self):
        path = self.folder / "brought.html"
        page = pt2("view", HEAD / "mlp.json", "-o", "-")
        path.write_text(page.replace("</head>", "<script>document.title = 'run'</script></head>").replace("<body>", "<body onload=\"document.title = 'run'\">"))
        self.browser.get(path.as_uri())
        self.assertEqual(self.browser.title, "mlp.json")
        blocked = self.browser.get_log("browser")
        self.assertEqual(len(blocked), 2, blocked)
        for entry in blocked:
            self.assertIn("Content Security Policy", entry["message"])

    def test_a_program_of_5000_nodes_is_folded_into_parts_that_unfold_at_once(self):
        self.open(self.write("long.json", chain([f"relu_{i}" for i in range(NODES)])))
        self.assertLess(len(self.find(".box")), 100)
        self.report_times("5,000 nodes in a row")
        self.search(f"relu_{NODES // 2}")
        self.find("input[type=search]")[0].send_keys(Keys.ENTER)
        self.assertIsNotNone(self.box(f"relu_{NODES // 2}"))
        self.assertLess(len(self.find(".box")), 300)

    def write_blocks(self):
        """Writes a program of 16,000 nodes in 40 modules of 20 modules each. Their names have no numbers at the end, so that they are no stacks."""
        program = chain([f"b{i}_{j}_relu_{k}" for i in range(40) for j in range(20) for k in range(20)])
        for node in program["graph_module"]["graph"]["nodes"]:
            i, j = node["name"][1:].split("_")[:2]
            node["metadata"] = {"nn_module_stack": f"L__self__,,M;L__self__b{i}_,b{i}_,B;L__self__b{i}_.c{j}_,b{i}_.c{j}_,C"}
        return self.write("blocks.json", program)

    def cancel_unfolding(self):
        """Clicks Unfold twice, the second time as on a machine that takes 0.1 s for each module. Clicks Cancel as soon as the dialog is open,
        and returns what the dialog said.
        """
        return self.browser.execute_async_script("""
            const done = arguments[0];
            new MutationObserver((_, observer) => {
              const dialog = document.querySelector("dialog[open] [role=status]");
              if (dialog === null) return;
              observer.disconnect();
              dialog.nextElementSibling.click();
              setTimeout(() => done(dialog.textContent), 300);
            }).observe(document.body, { subtree: true, childList: true, attributes: true });
            const unfold = [...document.querySelectorAll("header button")].find((each) => each.textContent === "Unfold");
            unfold.click();
            setTimeout(() => {
              const now = performance.now.bind(performance);
              let late = 0;
              performance.now = () => now() + (late += 100);
              unfold.click();
            }, 1000);""")

    def test_unfolding_all_of_a_large_program_can_be_cancelled_and_draws_a_bounded_number_of_boxes(self):
        self.open(self.write_blocks())
        before = self.names("module")
        self.assertRegex(self.cancel_unfolding(), r"laid out \d+ of \d+ modules")
        self.assertEqual(self.find("dialog[open]"), [])
        self.assertLess(len(self.find(".box")), 1000)
        self.press("c")
        self.assertEqual(self.names("module"), [name for name in before if "." not in name])
        for _ in range(100):
            if self.find(".notice:not([hidden])"):
                break
            self.press("e")
            time.sleep(0.1)
        self.assertRegex(self.find(".notice")[0].text, r"^Only 4,000 boxes are drawn at once: \d+ of \d+ boxes stay folded")
        self.assertLessEqual(len(self.find(".box")), 4000)

    def test_unfolding_two_linked_graphs_can_be_cancelled(self):
        blocks, page = self.write_blocks(), self.folder / "diff.html"
        subprocess.run([BINARY, "diff", blocks, blocks, "-o", page], check=True)
        self.browser.get(page.as_uri())
        (of_both,) = re.fullmatch(r"laid out \d+ of (\d+) modules", self.cancel_unfolding().replace(",", "")).groups()
        self.assertIn(int(of_both), [2 * (1 + 40), 2 * (1 + 8 + 157)])  # of the program, its modules and as many of theirs as may be drawn
        modules = [len(self.find(f"{page} .box.module")) for page in (".page:first-of-type", ".page + .page")]
        self.assertEqual(modules[0], modules[1])
        self.assertLess(modules[0], 1000)

    def test_large_program_opens_and_unfolds_soon(self):
        large = self.folder / "large.json"
        large.write_bytes(gzip.decompress((PROGRAMS / "large" / "gpt24_decomposed.json.gz").read_bytes()))
        self.open(large)
        self.report_times("large fixture")
        self.assertEqual(self.names("stack"), ["b 1\u201323: 23 \u00d7 Block"])

    def report_times(self, what):
        """Prints when something was first painted, and how long unfolding the first group takes."""
        self.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        paint = self.browser.execute_script("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        unfolding = self.browser.execute_async_script("""
            const done = arguments[0], begin = performance.now();
            document.querySelector('.box .triangle[aria-label=unfold]').dispatchEvent(new MouseEvent('click', {bubbles: true}));
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - begin)));""")
        print(f"{what}: first paint {paint} ms, unfolding {unfolding:.0f} ms")


if __name__ == "__main__":
    unittest.main()
