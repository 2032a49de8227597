#!/usr/bin/env python3
"""Measures viewer.html with a program of 100,000 nodes, in headless Chromium: when it is open, and how many frames a second it draws while
it is moved and zoomed, as Chromium's own trace counts them.

    PT2_NPM_PACKAGE=build/npm/libpt2-VERSION.tgz tests/bench/viewer_frames.py [--repeats 56] [PROGRAM]

The program is the large one of tests/data, its blocks repeated. Needs Chromium, its driver, and Debian's python3-selenium.
"""

import argparse
import gzip
import json
import os
import pathlib
import sys
import tarfile
import tempfile

from selenium.webdriver.support.ui import WebDriverWait

import cold_loads

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from page_browser import open_browser  # noqa: E402

LONGEST = 300  # in seconds
SECONDS = 2  # of each movement

# Wheel events move the graph with each frame, as a hand would.
MOVE = """
const [name, kind, seconds, done] = arguments;
const graph = document.querySelector(".graph");
const { left, top, width, height } = graph.getBoundingClientRect();
const begin = performance.now();
const steps = [];
performance.mark(`${name} begin`);
let last = begin;
const step = (now) => {
  steps.push(now - last);
  last = now;
  if (now - begin > 1000 * seconds) {
    performance.mark(`${name} end`);
    return done(steps.slice(1));
  }
  const phase = Math.sin((now - begin) / 300);
  graph.dispatchEvent(new WheelEvent("wheel", { deltaY: 40 * phase, shiftKey: kind === "pan", clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true }));
  requestAnimationFrame(step);
};
requestAnimationFrame(step);
"""

UNFOLD = """
for (const each of [...document.querySelectorAll(".box .triangle[aria-label=unfold]")].slice(0, 3)) each.dispatchEvent(new MouseEvent("click", { bubbles: true }));
"""


def write_program(path, repeats):
    path.write_text(json.dumps(cold_loads.repeated(json.loads(gzip.decompress(cold_loads.PROGRAM.read_bytes())), repeats)))


def frames_between(traced, name):
    """Returns how many frames Chromium displayed between the marks of a movement."""
    begin, end = (next(each["ts"] for each in traced if each["name"] == f"{name} {which}") for which in ("begin", "end"))
    return sum(each["name"] == "EndCommitToActivation" and each["ph"] == "e" and begin <= each["ts"] <= end for each in traced) / (end - begin) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=56, help="of 24 blocks of 75 nodes (default: 100,000 nodes)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "viewer.html")
        with tarfile.open(os.environ["PT2_NPM_PACKAGE"]) as package:
            page.write_bytes(package.extractfile("package/viewer.html").read())
        program = arguments.program or pathlib.Path(folder, "program.json")
        if arguments.program is None:
            write_program(program, arguments.repeats)
        browser = open_browser(traced="blink.user_timing,disabled-by-default-devtools.timeline.frame")
        try:
            browser.set_script_timeout(LONGEST)
            browser.get(page.as_uri())
            show(browser, program.resolve())
        finally:
            browser.quit()


def show(browser, program):
    browser.execute_script("""
        document.querySelector("input[type=file]").addEventListener("change", () => (window.chosen = performance.now()), true);
        new MutationObserver(() => document.querySelector(".box") && (window.opened ??= performance.now())).observe(document.body, { subtree: true, childList: true });""")
    browser.find_element("css selector", "body > input[type=file]").send_keys(str(program))
    WebDriverWait(browser, LONGEST).until(lambda each: each.find_elements("css selector", ".badge.good, .badge.unsure, .badge.bad"))
    print(f"opened after {browser.execute_script('return opened - chosen') / 1000:.1f} s")
    longest = {}
    for unfolded in range(3):
        if unfolded:
            browser.execute_script(UNFOLD)
        boxes = len(browser.find_elements("css selector", ".box"))
        for kind in ("pan", "zoom"):
            name = f"{boxes} boxes, {kind}"
            longest[name] = max(browser.execute_async_script(MOVE, name, kind, SECONDS))
    # The driver returns the trace only once.
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    traced = [each["params"] for each in messages if each["method"] == "Tracing.dataCollected"]
    for name, most in longest.items():
        print(f"{name}: {frames_between(traced, name):.0f} frames/s, the longest {most:.0f} ms")


if __name__ == "__main__":
    main()
