# SPDX-License-Identifier: Apache-2.0
"""Takes the picture of a report that docs/guides/report.md shows.

Usage: python tools/site/plot_report.py PROGRAM FOLDER
"""
import base64
import pathlib
import subprocess
import sys
import tempfile

from selenium import webdriver

EXPRESSION = "gaussian(sigma=1.1) | poisson(rate=256/60000) | compose(14000)"
WIDTH = 980


def make_report(program, folder):
    certificate, page = folder / "certificate.json", folder / "report.html"
    subprocess.run([program, "epsilon", EXPRESSION, "--delta", "1e-5", "--certificate", certificate],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "report", certificate, "-o", page], check=True)
    return page


def picture_of(page):
    """The page down to the first plot, in the light scheme."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(flag)
    with webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver")) as browser:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": WIDTH, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "light"}]})
        browser.get(page.as_uri())
        height = browser.execute_script("return document.querySelector('#profile details').getBoundingClientRect().top")
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": int(height), "scale": 1}
        answer = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
    return base64.b64decode(answer["data"])


def main():
    program, plots = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        (plots / "report.png").write_bytes(picture_of(make_report(program, pathlib.Path(folder))))


if __name__ == "__main__":
    main()
