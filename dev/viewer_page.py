#!/usr/bin/env python3
"""Makes viewer.html, one file that opens programs in a browser: the scripts of `pt2 view`, and the package of npm in a worker.

viewer_page.py PACKAGE OUT.html

PACKAGE is the folder that dev/npm.sh fills. Its Content-Security-Policy allows no request; with ?url=, one to that address.
"""

import base64
import gzip
import hashlib
import html
import pathlib
import re
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
PAGE = REPOSITORY / "toolbox/pt2/page"
VIEWER = REPOSITORY / "bindings/wasm/viewer"
DAGRE = ["usr/share/nodejs/dagre/dist/dagre.min.js", "build/packages/usr/share/nodejs/dagre/dist/dagre.min.js"]

# Policies add up: only the file's address remains to fetch.
ADDRESS = """
const url = new URLSearchParams(location.search).get("url");
const policy = document.createElement("meta");
policy.httpEquiv = "Content-Security-Policy";
const address = url === null ? null : new URL(url, location.href);
policy.content = "connect-src " + (address === null || !/^https?:$/.test(address.protocol) ? "'none'" : address.origin + address.pathname.replace(/[;,\\s]/g, encodeURIComponent));
document.head.append(policy);
"""


def module_text(path):
    """Returns a module of the package as a function in a script, because pages from disk cannot start module workers."""
    text = path.read_text(encoding="utf-8").replace("import.meta.url", "location.href")
    text = re.sub(r"^export (\* from .*|\{.*\});\n", "", text, flags=re.MULTILINE)
    text = re.sub(r'^import (\{[^}]*\}) from "\./(\w+)\.js";', r"const \1 = modules.\2;", text, flags=re.MULTILINE)
    exported = re.findall(r"^export (?:async )?(?:const|class|function) (\w+)", text, re.MULTILINE)
    text = re.sub(r"^export ", "", text, flags=re.MULTILINE)
    return f"modules.{path.stem} = (() => {{\n{text}return {{ {', '.join(exported)} }};\n}})();\n"


def page_scripts():
    """Returns the scripts of `pt2 view` pages in order, with app.js instead of start.js."""
    order = re.search(r"kScripts\[\] = \{(.*?)\};", (PAGE / "view_page.cpp").read_text(encoding="utf-8"), re.DOTALL)[1]
    names = [name for name in re.findall(r'"([\w.]+)"', order) if name != "start.js"]
    paths = [REPOSITORY / "generator/text/curve.js", *(PAGE / name for name in names), VIEWER / "app.js"]
    return '(() => {\n"use strict";\n' + "".join(path.read_text(encoding="utf-8") for path in paths) + "})();"


def dagre():
    for root, path in ((pathlib.Path("/"), DAGRE[0]), (REPOSITORY, DAGRE[1])):
        if (root / path).is_file():
            licence = (REPOSITORY / "generator/dagre_licence.txt").read_text(encoding="utf-8")
            return licence + (root / path).read_text(encoding="utf-8")
    sys.exit("viewer_page.py: dagre.min.js was not found: install node-dagre-layout, or run dev/test.sh once")


def source_of(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def data(name, text):
    return f'<script type="text/plain" id="{name}">{text}</script>\n'


def main(package, out):
    package = pathlib.Path(package)
    modules = "".join(module_text(package / name) for name in ("library.js", "sources.js", "index.js"))
    worker = "const modules = {};\n" + modules + (VIEWER / "worker.js").read_text(encoding="utf-8")
    assert "</script" not in worker
    wasm = base64.b64encode(gzip.compress((package / "libpt2.wasm").read_bytes(), 9, mtime=0)).decode()
    style = (PAGE / "page.css").read_text(encoding="utf-8")
    scripts = [ADDRESS, dagre(), page_scripts()]
    policy = (f"default-src 'none'; style-src {source_of(style)}; img-src blob:; worker-src blob:; connect-src *; "
              f"script-src 'wasm-unsafe-eval' {' '.join(map(source_of, scripts))}")
    body = data("worker", worker) + data("wasm", wasm) + "".join(f"<script>{text}</script>\n" for text in scripts[1:])
    pathlib.Path(out).write_text(
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n'
        f'<script>{scripts[0]}</script>\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n'
        f"<title>libpt2 viewer</title>\n<style>{style}</style>\n</head>\n<body>\n<noscript>This page is drawn by JavaScript.</noscript>\n{body}</body>\n</html>\n",
        encoding="utf-8")
    print(f"made {out}: {pathlib.Path(out).stat().st_size} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
