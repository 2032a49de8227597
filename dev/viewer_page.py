#!/usr/bin/env python3
"""Makes viewer.html, one file that opens programs in a browser: the modules of `pt2 view`, and the package of npm in a worker.

viewer_page.py PACKAGE OUT.html

PACKAGE is the folder that dev/npm.sh fills; dev/bundle.sh must have run. The page's Content-Security-Policy allows no request; with ?url=, one to that address.
"""

import base64
import gzip
import hashlib
import html
import pathlib
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
PAGE = REPOSITORY / "toolbox/pt2/page"
VIEWER = REPOSITORY / "bindings/wasm/viewer"
ESBUILD = REPOSITORY / "build/model_tools/node_modules/.bin/esbuild"

# Policies add up: only the file's address remains to fetch.
ADDRESS = """
const url = new URLSearchParams(location.search).get("url");
const policy = document.createElement("meta");
policy.httpEquiv = "Content-Security-Policy";
const address = url === null ? null : new URL(url, location.href);
policy.content = "connect-src " + (address === null || !/^https?:$/.test(address.protocol) ? "'none'" : address.origin + address.pathname.replace(/[;,\\s]/g, encodeURIComponent));
document.head.append(policy);
"""


def bundled(name, *options):
    """Returns a module of the viewer, and all that it imports, as a script, because pages from disk cannot load modules."""
    return subprocess.run([ESBUILD, VIEWER / name, "--bundle", "--minify", "--format=iife",
                           f"--tsconfig={REPOSITORY / 'dev/tsconfig.json'}", "--define:import.meta.url=location.href", *options], check=True, capture_output=True, text=True).stdout


def source_of(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def data(name, text):
    return f'<script type="text/plain" id="{name}">{text}</script>\n'


def main(package, out):
    package = pathlib.Path(package)
    worker = bundled("worker.js")
    wasm = base64.b64encode(gzip.compress((package / "libpt2.wasm").read_bytes(), 9, mtime=0)).decode()
    style = (PAGE / "page.css").read_text(encoding="utf-8")
    licence = (REPOSITORY / "generator/dagre_licence.txt").read_text(encoding="utf-8")
    scripts = [ADDRESS, bundled("app.js", f"--inject:{REPOSITORY / 'build/javascript/dagre.js'}", f"--banner:js={licence}")]
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
