"""Chromium, led by its driver, for pages that need no network but that of the test itself."""

import pathlib

from selenium import webdriver
from selenium.webdriver.chrome.service import Service


def open_browser(width=1400, height=900, dark=False, traced=None):
    """A separate browser with a readable console. `traced`: categories of Chromium's trace, for the log `performance`."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},{height}",
                     "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", *(["--blink-settings=preferredColorScheme=0"] if dark else [])]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", **({"performance": "ALL"} if traced else {})})
    if traced:
        options.add_experimental_option("perfLoggingPrefs", {"traceCategories": traced})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def requests_of(browser):
    """The addresses that the open page has asked for."""
    names = browser.execute_script("return performance.getEntriesByType('resource').map(({ name }) => name)")
    return [name for name in names if not name.startswith("blob:")]


def drop(browser, element, name, content):
    """Drops a file on an element."""
    browser.execute_script("""
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([Uint8Array.from(arguments[2])], arguments[1]));
        arguments[0].dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer}));""",
        element, name, list(content))  # fmt: skip


AXE = pathlib.Path(__file__).resolve().parents[2] / "build/model_tools/node_modules/axe-core/axe.min.js"


def accessibility_faults(browser):
    """What axe-core finds against WCAG 2.1 AA and its own best practice on the page that is open."""
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    return browser.execute_async_script("""
        const done = arguments[0];
        axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}).then(({violations, passes}) =>
          done(passes.length ? violations.map(({id, nodes}) => `${id}: ${nodes[0].html}`) : ["axe-core checked nothing"]));""")
