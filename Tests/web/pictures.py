#!/usr/bin/env python3
"""The pictures of README.md: pages of the interface on synthetic data.

usage: pictures.py PROGRAM GENERATOR FOLDER
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

import browser
import wire

#: The page, and its width and height.
PICTURES = {
    "web-home": ("/", 1000, 900),
    "web-workout": ("/workout?workout={run}&from=1&to=3", 1000, 1000),
    "web-ecg": ("/ecg?ecg=latest", 1000, 720),
}


def merged_run(program, archive):
    """The identity of the longest merged run with a route, as the latest export shows it."""
    lines = program("workouts", "--archive", archive, "--type", "Running", "--limit", "1000", "--json").splitlines()
    runs = [run for run in map(json.loads, lines) if run.get("route") and run["consolidated"] == "yes"]
    return max(runs, key=lambda run: run["distance"])["identity"]


def main():
    browser.PROGRAM, browser.GENERATOR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    wire.PROGRAM = browser.PROGRAM
    tests = browser.BrowserTests
    with tempfile.TemporaryDirectory(prefix="healthprobe-pictures-") as folder:
        tests.folder = folder
        archive = folder + "/HealthProbeArchive.sqlite"
        subprocess.run(
            [browser.GENERATOR, "phone", "--seed", "11", "--athlete", "40", "--days", "200", "--records", "40000",
             "--dumps", "3", "--new-days", "60", "--form", "zip", "--changes", "condense=0.7,revise=3", "--output",
             folder + "/exports"], check=True, capture_output=True)
        exports = sorted(glob.glob(folder + "/exports/dump-*.zip"))
        tests.run_program("import", "--quiet", "--archive", archive, *exports)
        run = merged_run(tests.run_program, archive)
        server = wire.Server(folder, "--port", "0", archive=archive)
        driver = None
        try:
            driver = browser.browser(folder + "/profile")
            tests.login(driver, server)
            for name, (path, width, height) in PICTURES.items():
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                    "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
                driver.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})
                driver.get(f"http://{server.name}{path.format(run=run)}")
                driver.save_screenshot(f"{sys.argv[3]}/{name}.png")
        finally:
            if driver:
                driver.quit()
            server.close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main()
