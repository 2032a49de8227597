#!/usr/bin/env python3
"""Makes the pictures of README.md: tests/golden/pictures/program.png of `pt2 view`, diff.png of `pt2 diff`.

PT2_BINARY names the command. Needs Chromium, its driver, and selenium (Debian's python3-selenium). Run from anywhere.
"""

import json
import os
import pathlib
import subprocess
import tempfile

from page_browser import open_browser

BINARY = os.environ.get("PT2_BINARY", "build/release/bin/pt2")
TESTS = pathlib.Path(__file__).resolve().parents[1]
GPT2 = TESTS / "data/programs/torch-2.13.0/gpt2"
PICTURES = TESTS / "golden/pictures"
SIZE = (1200, 720)


def changed_program(folder):
    """gpt2.json with a node more and another number."""
    program = json.loads(GPT2.with_suffix(".json").read_text())
    graph = program["graph_module"]["graph"]
    nodes = graph["nodes"]
    at = next(i for i, node in enumerate(nodes) if node["target"] == "torch.ops.aten.gelu.default")
    gelu = nodes[at]
    relu = json.loads(json.dumps(gelu))
    relu.update(target="torch.ops.aten.relu.default", name="relu", outputs=[{"as_tensor": {"name": "relu"}}])
    relu["inputs"] = [{"name": "self", "arg": gelu["outputs"][0], "kind": 1}]
    graph["tensor_values"]["relu"] = graph["tensor_values"][gelu["outputs"][0]["as_tensor"]["name"]]
    nodes[at + 1]["inputs"][0]["arg"] = relu["outputs"][0]
    nodes.insert(at + 1, relu)
    norm = [node for node in nodes if node["target"] == "torch.ops.aten.layer_norm.default"][1]
    next(each for each in norm["inputs"] if each["name"] == "eps")["arg"] = {"as_float": 0.001}
    path = pathlib.Path(folder, "changed.json")
    path.write_text(json.dumps(program))
    return path


def take(page, picture, keys="", click=None):
    browser = open_browser(*SIZE)
    try:
        browser.get(page)
        if click:
            browser.find_elements("css selector", click)[0].click()
        browser.find_element("css selector", "body").send_keys(keys)
        browser.save_screenshot(str(PICTURES / picture))
    finally:
        browser.quit()


def main():
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        subprocess.run([BINARY, "view", GPT2.with_suffix(".pt2"), "-o", page], check=True)
        take(page.as_uri() + "#node=linear", "program.png", keys="-")
        subprocess.run([BINARY, "diff", GPT2.with_suffix(".pt2"), changed_program(folder), "-o", page], check=False)
        take(page.as_uri(), "diff.png", click=".difference")


if __name__ == "__main__":
    main()
