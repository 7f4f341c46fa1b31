#!/usr/bin/env python3
"""The pictures of README.md: two pages of the interface on synthetic data.

usage: pictures.py PROGRAM GENERATOR FOLDER
"""

import os
import sys
import tempfile

import browser
import wire

PICTURES = {
    "web-home": ("/", 1000, 900),
    "web-comparison": ("/diff?from=2&to=3", 1000, 700),
}


def main():
    browser.PROGRAM, browser.GENERATOR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    wire.PROGRAM = browser.PROGRAM
    tests = browser.BrowserTests
    with tempfile.TemporaryDirectory(prefix="healthprobe-pictures-") as folder:
        tests.folder = folder
        archive = folder + "/HealthProbeArchive.sqlite"
        exports = tests.generate(folder + "/exports", "6", "6000")
        tests.run_program("import", "--quiet", "--archive", archive, *exports)
        server = wire.Server(folder, "--port", "0", archive=archive)
        driver = None
        try:
            driver = browser.browser(folder + "/profile")
            tests.login(driver, server)
            for name, (path, width, height) in PICTURES.items():
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
                driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
                driver.get(f"http://{server.name}{path}")
                driver.save_screenshot(f"{sys.argv[3]}/{name}.png")
        finally:
            if driver:
                driver.quit()
            server.close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main()
