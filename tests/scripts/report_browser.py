"""A browser for the tests of the report's page."""

from __future__ import annotations

import json
import shutil
import tempfile
import unittest
from pathlib import Path
from typing import Any

import support  # finds the scripts  # noqa: F401

from frictionbench.report.page import report_page
from frictionbench.results import Results, load

CHROMIUM = shutil.which("chromium")
CHROMEDRIVER = shutil.which("chromedriver")
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError:
    webdriver = By = Keys = None
BROWSER_MISSING = None if CHROMIUM and CHROMEDRIVER and webdriver else (
    "chromium, chromium-driver or python3-selenium is not installed")


class Browser:
    """Headless Chromium with a page from disk, what it logged, and what it asked for."""

    def __init__(self) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        # Without a sandbox: it cannot be had as root, and the pages are ours.
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(CHROMEDRIVER), options=options)
        self.driver.set_script_timeout(120)
        self.messages: list[str] = []
        self.requests: list[str] = []

    def open(self, page: Path, *, width: int = 1280, height: int = 900, dark: bool = False) -> None:
        """Loads a page and waits until its program is done."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600})
        self.prefer(dark)
        self.drain()
        self.messages, self.requests = [], []
        self.driver.get(page.as_uri())
        WebDriverWait(self.driver, 120).until(lambda _: self.run("return document.documentElement.dataset.ready"))

    def prefer(self, dark: bool) -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns in the page."""
        return self.driver.execute_script(script, *arguments)

    def drain(self) -> None:
        """Takes up what the browser has logged since the last time."""
        self.messages += [entry["message"] for entry in self.driver.get_log("browser")]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])

    def choose(self, select: str, value: str) -> None:
        Select(self.driver.find_element(By.ID, select)).select_by_value(value)

    def choose_tolerance(self, tolerance: float) -> None:
        text = f"{tolerance:.0e}".replace("e-0", "e-")
        Select(self.driver.find_element(By.ID, "tolerance")).select_by_visible_text(text)

    def picture(self, plot: str) -> list[dict[str, Any]]:
        """What is drawn: of each trace its name and points; nothing if a text stands in its place."""
        return self.run("""const {hidden, data} = document.getElementById(arguments[0]);
            return hidden ? [] : data.map(({name, x, y}) => ({name, x, y}))""", plot)

    def click(self, element: Any) -> None:
        """A click of the mouse, where the element is in the middle of the window."""
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        ActionChains(self.driver).move_to_element(element).pause(0.3).click().perform()
        self.pause(0.5)  # Plotly waits for a second click

    def pause(self, seconds: float) -> None:
        """Lets the page do what it does later: handle events, redraw after a resize."""
        self.run("return new Promise((done) => setTimeout(done, 1000 * arguments[0]))", seconds)

    def text(self, id: str) -> str:
        return self.driver.find_element(By.ID, id).text

    def close(self) -> None:
        self.driver.quit()


@unittest.skipIf(BROWSER_MISSING, BROWSER_MISSING)
class BrowserTest(unittest.TestCase):
    """Tests with a browser of their own."""

    browser: Browser
    folder: Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp(prefix="frictionbench test "))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)


class PageTest(BrowserTest):
    """Tests of pages, none of which may ask for anything but itself, or complain on the console."""

    def show(self, *documents: dict[str, Any], all_solvers: bool = True, graphs: bool = False,
             **options: Any) -> list[Results]:
        """Opens the page of some documents, see report_page and Browser.open, with solvers of every model; returns them as
        loaded."""
        loaded = []
        for index, document in enumerate(documents):
            path = self.folder / f"run-{chr(ord('a') + index)}.json"
            path.write_text(json.dumps(document), encoding="utf-8")
            loaded.append(load(path))
        page = self.folder / "report.html"
        page.write_text(report_page(loaded, "A report", graphs=graphs), encoding="utf-8")
        self.browser.open(page, **options)
        if all_solvers:
            self.browser.run("document.querySelector('#solver-buttons button').click()")
        return loaded

    def open_everything(self) -> None:
        """Unfolds what is folded."""
        self.browser.run("for (const details of document.querySelectorAll('details')) details.open = true")
        self.browser.pause(0.5)

    def tearDown(self) -> None:
        self.browser.drain()
        self.assertEqual(self.browser.messages, [])
        away = [url for url in self.browser.requests if not url.startswith(("file:", "data:", "blob:"))]
        self.assertEqual(away, [])
        self.assertTrue(any(url.startswith("file:") for url in self.browser.requests))
