"""Tests of the picture on the page of `schemagen export --format html`, as Chromium draws it. SCHEMAGEN_BINARY names the command."""

import html.parser
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SCHEMAGEN = os.environ["SCHEMAGEN_BINARY"]
CYCLES = """
name: s
version: {major: 1, minor: 0}
types:
  A: {kind: struct, doc: "</script> & <b>", fields: {b: {id: 1, type: "List[B]"}, c: {id: 2, type: "Optional[C]", default: null}}}
  B: {kind: struct, fields: {a: {id: 1, type: A, boxed: true}, b: {id: 2, type: "Dict[str, B]"}, b2: {id: 3, type: "List[B]"}}}
  C: {kind: enum, fields: {N: 0}}
  Alone: {kind: struct, fields: {}}
"""


class Picture(html.parser.HTMLParser):
    """Collects the content of the element #graph-picture."""

    def __init__(self, page):
        super().__init__()
        self.size, self.boxes, self.labels, self.titles, self.arcs = None, [], [], [], []
        self.inside, self.tag = False, None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("id") == "graph-picture":
            self.inside = True
            self.size = [float(number) for number in values["viewbox"].split()]
        self.tag = tag
        if self.inside and tag == "rect":
            self.boxes.append([float(values[name]) for name in ("x", "y", "width", "height")])
        if self.inside and tag == "path" and "class" in values:
            self.arcs.append((values["class"], values["d"]))

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "svg"
        self.tag = None

    def handle_data(self, data):
        if self.inside and self.tag in ("text", "title"):
            (self.labels if self.tag == "text" else self.titles).append(data)


def drawn(schema):
    """The picture of a schema after its page's scripts have run, without a network, and what they wrote to the console."""
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        subprocess.run([SCHEMAGEN, "export", schema, "--format", "html", "-o", page], check=True)
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={folder}/profile",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom",
             page.as_uri()],
            capture_output=True, text=True, timeout=120, check=True)
    return Picture(done.stdout), re.findall(r":CONSOLE.*", done.stderr)


class PictureTest(unittest.TestCase):
    def check(self, picture, types, arcs):
        self.assertEqual(len(picture.boxes), types)
        self.assertEqual(len(picture.arcs), arcs)
        _, _, width, height = picture.size
        for i, (x, y, w, h) in enumerate(picture.boxes):
            self.assertTrue(x >= 0 and y >= 0 and x + w <= width and y + h <= height, picture.labels[i])
            for k, (x2, y2, w2, h2) in enumerate(picture.boxes[:i]):
                apart = x + w <= x2 or x2 + w2 <= x or y + h <= y2 or y2 + h2 <= y
                self.assertTrue(apart, f"{picture.labels[i]} lies on {picture.labels[k]}")
        for _, path in picture.arcs:
            self.assertRegex(path, r"^M[-0-9. ]+([LQ][-0-9. ]+)+$")

    def test_the_head_is_drawn_with_all_of_its_types_apart(self):
        picture, console = drawn("schema/pt2.yaml")
        self.assertEqual(console, [])
        self.assertGreater(len(picture.arcs), 60)
        self.check(picture, 55, len(picture.arcs))
        self.assertIn("ExportedProgram", picture.labels)

    def test_cycles_loops_and_types_alone_are_drawn(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as schema:
            schema.write(CYCLES)
            schema.flush()
            picture, console = drawn(schema.name)
        self.assertEqual(console, [])
        self.assertEqual(picture.labels, ["A", "B", "C", "Alone"])
        self.assertEqual(sorted(kind for kind, _ in picture.arcs), ["boxed", "list", "list", "map", "optional"])
        self.assertIn("</script> & <b>", picture.titles)
        self.assertIn("B \u2192 B: b (map)", picture.titles)
        self.check(picture, 4, 5)


if __name__ == "__main__":
    unittest.main()
