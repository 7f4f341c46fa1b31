#!/usr/bin/env python3
"""The pages of `healthprobe serve` in a real browser: Debian's chromium, driven by selenium, looked at by axe.

usage: browser.py PROGRAM GENERATOR [TEST...]

`$HEALTHPROBE_SCREENSHOTS` names a folder for a picture of every page, for those who want to look at them. Pages are
examined narrow and light, wide and dark; with `HEALTHPROBE_PROOF=1` at all widths in both schemes, the short pages too.
"""

import base64
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

import html5lib
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import wire

PROGRAM = ""
GENERATOR = ""
WIDTHS = [320, 768, 1280]
SCHEMES = ["light", "dark"]
#: Which widths of which schemes are looked at.
LOOKS = {"light": WIDTHS, "dark": WIDTHS} if wire.PROOF else {"light": WIDTHS[:1], "dark": WIDTHS[-1:]}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def axe_source():
    found = importlib.util.find_spec("axe_playwright_python")
    return wire.read(os.path.join(os.path.dirname(found.origin), "axe.min.js")).decode()


def browser(profile, script=True):
    """A browser with a profile of its own, without the browser's own requests."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                     "--disable-background-networking", "--window-size=1280,900", f"--user-data-dir={profile}"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    preferences = {"download.default_directory": profile + "-downloads"}
    if not script:
        preferences["profile.managed_default_content_settings.javascript"] = 2
    options.add_experimental_option("prefs", preferences)
    os.environ["SE_OFFLINE"] = "true"
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_page_load_timeout(60)
    driver.set_script_timeout(120)
    return driver


#: Where a login ends.
HOME = "/"


class BrowserTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="healthprobe-browser-")
        # These run where there is no browser, too: no server is left.
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        os.makedirs(cls.folder + "/archive")
        cls.archive = cls.folder + "/archive/archive.sqlite"
        cls.exports = cls.generate(cls.folder + "/exports", "4", "1500")
        cls.run_program("import", "--quiet", "--archive", cls.archive, *cls.exports[:3])
        cls.server = wire.Server(cls.folder, "--port", "0", archive=cls.archive)
        cls.addClassCleanup(cls.server.close)
        cls.axe = axe_source()
        cls.driver = browser(cls.folder + "/profile")
        cls.addClassCleanup(cls.driver.quit)
        cls.login(cls.driver, cls.server)

    @classmethod
    def generate(cls, folder, dumps, records):
        subprocess.run(
            [GENERATOR, "phone", "--dumps", dumps, "--form", "zip", "--records", records, "--days", "200", "--changes",
             "2: rename:watch,unit:BodyMass:lb", "--changes", "3: condense=0.5,delete:HeartRate=0.02", "--output",
             folder], check=True, capture_output=True)
        return sorted(glob.glob(folder + "/dump-*.zip"))

    @classmethod
    def run_program(cls, *arguments):
        done = subprocess.run([PROGRAM, *arguments], env=wire.environment(cls.folder), capture_output=True)
        if done.returncode not in (0, 3):
            raise AssertionError(done.stderr.decode())
        return done.stdout.decode()

    @classmethod
    def login(cls, driver, server):
        driver.get(server.new_login())
        cls.wait(driver, lambda: driver.current_url == f"http://{server.name}{HOME}")

    @staticmethod
    def wait(driver, condition, seconds=20):
        """Waits until the condition holds. While one page replaces another there may be nothing to read: not yet."""
        failure = None
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if condition():
                    return
                failure = None
            except WebDriverException as error:
                failure = error
            time.sleep(0.05)
        raise AssertionError("waited in vain at " + re.sub("token=.*", "", driver.current_url)) from failure

    def url(self, path):
        return f"http://{self.server.name}{path}"

    def open(self, path, driver=None):
        driver = driver or self.driver
        driver.get(self.url(path))
        self.computed(driver)
        if path.startswith("/report"):
            # No script may run in it as it is served, not even that of axe: it is looked at as the file that it is.
            with open(self.folder + "/report.html", "wb") as file:
                file.write(self.fetch(path.replace("/report", "/report.html", 1)))
            driver.get(f"file://{self.folder}/report.html")

    def fetch(self, path):
        """The bytes of an answer, whatever its status, once it is computed."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.port}{path}", headers={"Authorization": f"Bearer {self.server.token}"})
        try:
            while True:
                with urllib.request.urlopen(request) as answer:
                    found = answer.read()
                if answer.status != 202:
                    return found
                time.sleep(1)
        except urllib.error.HTTPError as error:
            return error.read()

    @classmethod
    def computed(cls, driver):
        """Waits while the page says that its answer is being computed."""
        cls.wait(driver, lambda: not driver.title.startswith("Being computed"), 60)

    def follow(self, driver, text):
        """Clicks the first link whose text begins so."""
        for link in driver.find_elements(By.CSS_SELECTOR, "main a, header a"):
            if link.text.startswith(text) and link.is_displayed():
                before = driver.current_url
                link.click()
                self.wait(driver, lambda: driver.current_url != before)
                return self.computed(driver)
        raise AssertionError(f"no link {text} on {driver.current_url}")

    def text(self, driver=None):
        return (driver or self.driver).find_element(By.TAG_NAME, "body").text

    @classmethod
    def identity(cls):
        line = cls.run_program("records", "--archive", cls.archive, "--json", "--limit", "1", "--type", "HeartRate")
        return re.search(r'"identity":"([0-9a-f]+)"', line)[1]

    @classmethod
    def pages(cls):
        return [
            "/", "/day?date=2023-03-07&at=3", "/nights?at=3", "/ecg?at=3", "/ecg?ecg=latest&at=3", "/more", "/go?q=heart",
            "/timeline", "/show?at=3", "/records?at=3&type=HeartRate", "/records?at=3", "/types", "/sources",
            "/type?type=StepCount", "/type?type=HeartRate", "/aggregates?at=3&type=StepCount",
            "/aggregates?at=3&type=HeartRate&by=month", "/aggregates?at=3", f"/history?identity={cls.identity()}",
            "/diff?from=2&to=3", "/diff/records?from=2&to=3&limit=20",
            "/diff/records?from=1&to=2&change=representationChanged&limit=20",
            "/consolidation?from=2&to=3", "/consolidation/groups?from=2&to=3", "/exports", "/export?kind=records",
            "/health", "/health/log", "/jobs", "/settings", "/help", "/quarantine?at=3", "/workouts?at=3",
            f"/workout?workout={cls.workout()}&from=2&to=3", "/metrics?at=3", "/impact?from=2&to=3",
            "/report?from=2&to=3", "/import", "/nothing",
        ]

    @classmethod
    def workout(cls):
        """One that two observations show."""
        listed = cls.run_program("workouts", "--archive", cls.archive, "--at", "2", "--json", "--limit", "1")
        return re.search(r'"identity":"([0-9a-f]+)"', listed)[1]

    def look(self, width, scheme):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def tearDown(self):
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_every_page_in_both_schemes(self):
        pictures = os.environ.get("HEALTHPROBE_SCREENSHOTS")
        self.addCleanup(self.run_program, "settings", "reset")
        for path in self.pages():
            for simplify in ["off", "on"] if wire.PROOF else ["off"]:
                if simplify == "on" and path.startswith(("/nothing", "/report")):
                    continue
                self.run_program("settings", "set", "display.simplify", simplify)
                for scheme in SCHEMES:
                    # Short pages have parts of the same elements: the narrowest is looked at.
                    for width in WIDTHS[:1] if simplify == "on" else LOOKS[scheme]:
                        self.look(width, scheme)
                        if width == LOOKS[scheme][0]:
                            self.open(path)
                        with self.subTest(path, width=width, scheme=scheme, simplify=simplify):
                            self.inspect()
                        if pictures and simplify == "off":
                            name = re.sub(r"[^a-z0-9]+", "-", path[1:], flags=re.I)[:60]
                            self.picture(f"{pictures}/{name}-{width}-{scheme}.png")

    def inspect(self):
        room = self.driver.execute_script("return [document.scrollingElement.scrollWidth, window.innerWidth]")
        self.assertLessEqual(room[0], room[1], "the page scrolls sideways")
        self.driver.execute_script(self.axe)
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, {runOnly: {type: 'tag', values: arguments[0]}}).then(r => done(r.violations.map("
            "v => v.id + ': ' + v.nodes.map(n => n.html.slice(0, 200) + ' ' + n.failureSummary).slice(0, 3).join(' | '))))",
            TAGS)
        self.assertEqual(found, [])

    def picture(self, path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shot = self.driver.execute_cdp_cmd(
            "Page.captureScreenshot", {"captureBeyondViewport": True, "format": "png"})
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def test_pages_parse_strictly(self):
        for path in self.pages():
            with self.subTest(path):
                html5lib.HTMLParser(strict=True).parse(self.fetch(path).decode())

    def test_no_page_breaks_its_own_policy(self):
        self.driver.get_log("browser")
        for path in self.pages():
            if path == "/nothing":
                continue
            self.open(path)
            with self.subTest(path):
                # A server that a test has ended no longer answers the page that was open then.
                self.assertEqual([line["message"] for line in self.driver.get_log("browser")
                                  if "/state.json - Failed to load resource: net::" not in line["message"]], [])

    def flow(self, driver):
        """From the timeline to a changed record and back."""
        self.open("/timeline", driver)
        Select(driver.find_element(By.NAME, "from")).select_by_value("1")
        Select(driver.find_element(By.NAME, "to")).select_by_value("2")
        driver.find_element(By.XPATH, "//button[contains(., 'Compare')]").click()
        self.wait(driver, lambda: "/diff?" in driver.current_url)
        self.assertIn("from=1&to=2", driver.current_url)
        self.assertIn("changed representation", self.text(driver).lower())
        self.follow(driver, "BodyMass")
        self.wait(driver, lambda: "type=" in driver.current_url)
        self.open("/diff/records?from=1&to=2&change=representationChanged", driver)
        driver.find_element(By.CSS_SELECTOR, "main a[href*='/history']").click()
        self.wait(driver, lambda: "/history?" in driver.current_url)
        self.assertIn("Representations", self.text(driver))
        driver.back()
        self.wait(driver, lambda: "/diff/records" in driver.current_url)

    def test_from_the_timeline_to_a_record_and_back(self):
        self.flow(self.driver)

    def test_the_same_without_script(self):
        driver = browser(self.folder + "/no-script", script=False)
        try:
            self.login(driver, self.server)
            self.flow(driver)
            driver.get(self.url("/health"))
            driver.find_element(By.XPATH, "//button[contains(., 'Check')]").click()
            self.wait(driver, lambda: "/jobs/" in driver.current_url)
            self.wait(driver, lambda: "done" in self.text(driver), 60)
        finally:
            driver.quit()

    def test_by_keyboard_alone(self):
        self.open("/show?at=2")
        body = self.driver.find_element(By.TAG_NAME, "body")
        body.send_keys(Keys.TAB)
        self.assertEqual(self.driver.switch_to.active_element.text, "Skip to the content")
        self.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertTrue(self.driver.current_url.endswith("#main"))
        self.driver.find_element(By.TAG_NAME, "body").send_keys("j")
        self.wait(self.driver, lambda: "at=3" in self.driver.current_url)
        self.driver.find_element(By.TAG_NAME, "body").send_keys("k")
        self.wait(self.driver, lambda: "at=2" in self.driver.current_url)
        self.driver.find_element(By.TAG_NAME, "body").send_keys("t")
        self.wait(self.driver, lambda: self.driver.current_url == self.url(HOME))
        self.open("/diff?from=1&to=2")
        reached = set()
        for _ in range(60):
            self.driver.switch_to.active_element.send_keys(Keys.TAB)
            active = self.driver.switch_to.active_element
            reached.add(active.get_attribute("name") or active.text)
        self.assertTrue({"from", "to", "Compare"} <= reached, reached)

    def test_on_paper(self):
        self.open("/show?at=3")
        pdf = base64.b64decode(self.driver.print_page())
        self.assertTrue(pdf.startswith(b"%PDF") and len(pdf) > 10_000)
        # The widest table, of an observation between two others, on A4 with the margins of the browser.
        self.open("/show?at=2")
        width = {"width": 733, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", width)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        over = self.driver.execute_script(
            "return [...document.querySelectorAll('table')].map(t => t.offsetWidth - t.parentElement.clientWidth)")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.assertTrue(over and max(over) <= 0, over)

    def test_the_link_of_a_file_ends_on_the_home_page(self):
        path = self.folder + "/open.html"
        with open(path, "w") as file:
            file.write("<!DOCTYPE html><meta http-equiv=refresh content=\"0;url="
                       f"{self.server.new_login()}\">")
        driver = browser(self.folder + "/fresh")
        try:
            driver.get("file://" + path)
            self.wait(driver, lambda: driver.current_url == self.url(HOME))
        finally:
            driver.quit()

    def test_two_servers_in_one_browser(self):
        other = wire.Server(self.folder, "--port", "0", archive=self.archive)
        try:
            self.login(self.driver, other)
            self.open("/timeline")
            self.assertIn("Exports of the phone", self.driver.title)
            self.driver.get(f"http://{other.name}/types")
            self.assertIn("Kinds", self.driver.title)
        finally:
            other.close()

    def test_a_server_at_another_port_is_sent_no_cookie(self):
        import http.server
        import threading
        seen = []

        class Other(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append(self.headers.get("Cookie"))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                # The second request is of the same site, wherever the first one came from.
                self.wfile.write(b"<script>if(!location.hash)location='/again#1'</script>")

            def log_message(self, *_):
                pass

        # A browser opens connections that it does not use at once.
        other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        try:
            self.open("/timeline")
            for host in ["127.0.0.1", "localhost"]:
                self.driver.get(f"http://{host}:{other.server_port}/")
                self.wait(self.driver, lambda: self.driver.current_url.endswith("/again#1"))
            self.assertGreaterEqual(len(seen), 4)
            self.assertEqual([cookie for cookie in seen if cookie], [])
            self.open("/timeline")
            self.assertIn("Exports of the phone", self.driver.title)
        finally:
            other.shutdown()

    def test_nothing_of_the_archive_is_in_the_browsers_folder(self):
        profile = self.folder + "/kept"
        driver = browser(profile)
        self.login(driver, self.server)
        name = re.search(r'"name":"([^"]{6,})"', self.run_program("sources", "--archive", self.archive, "--json"))[1]
        driver.get(self.url("/sources"))
        self.assertIn(name.replace("\u00a0", " "), self.text(driver).replace("\u00a0", " "))
        driver.quit()
        for path in glob.glob(profile + "/**/*Cache*/**", recursive=True):
            if os.path.isfile(path):
                self.assertNotIn(name.encode(), wire.read(path), path)

    def test_an_export_is_downloaded_and_verified(self):
        downloads = self.folder + "/profile-downloads"
        self.open("/export?kind=records&type=BodyMass")
        self.driver.find_element(By.XPATH, "//button[contains(., 'Download')]").click()
        path = downloads + "/records-3.zip"
        self.assertTrue(wire.wait_until(lambda: os.path.exists(path), 30))
        self.assertIn("valid", self.run_program("verify-export", path))
        self.open("/exports")
        self.assertIn("records", self.text())

    def test_an_import_while_reading(self):
        folder = self.folder + "/growing"
        os.makedirs(folder)
        archive = folder + "/archive.sqlite"
        self.run_program("import", "--quiet", "--archive", archive, *self.exports[:2])
        server = wire.Server(self.folder, "--port", "0", archive=archive)
        try:
            self.login(self.driver, server)
            self.driver.get(f"http://{server.name}/show?at=1")
            self.run_program("import", "--quiet", "--archive", archive, self.exports[3])
            self.wait(self.driver, lambda: "new export" in self.text(), 30)
            self.assertTrue(self.driver.current_url.endswith("/show?at=1"))
        finally:
            server.close()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    PROGRAM, GENERATOR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    wire.PROGRAM = PROGRAM
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
