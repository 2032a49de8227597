"""Chromium, led by its driver, for pages that need no network."""

from selenium import webdriver
from selenium.webdriver.chrome.service import Service


def open_browser(width=1400, height=900, dark=False):
    """A separate browser with a readable console."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},{height}",
                     "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND", *(["--blink-settings=preferredColorScheme=0"] if dark else [])]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
