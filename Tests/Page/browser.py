"""Debian's Chromium, driven with Selenium through Debian's chromedriver."""
import json
import os

from selenium.webdriver import ActionChains, ChromeOptions, Keys, Remote
from selenium.webdriver.chromium.remote_connection import ChromiumRemoteConnection
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.remote.webelement import WebElement

from started import ADDRESS

# No name resolves but those of the tests, so that nothing can be fetched from outside.
RULES = ("MAP board.test 127.0.0.1, MAP tiles.test 127.0.0.1, MAP evil.test 127.0.0.1, MAP * ~NOTFOUND, "
         f"EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE {ADDRESS}")
ChromiumRemoteConnection.set_timeout(60)  # chromedriver ends what a page does within 30 s


class Element(WebElement):
    def centre(self):
        """Scrolls the element to the middle, away from the navigation, which covers the edge of the window."""
        self.parent.execute_script("arguments[0].scrollIntoView({ block: 'center' })", self)
        return self

    def tap(self):
        self.parent.taps += 1
        self.click()


class Browser(Remote):
    """A session with a throw-away profile, of the chromedriver at `address`. `taps` counts the clicks."""
    _web_element_cls = Element

    def __init__(self, address, width=1280, height=900, dark=False, script=True):
        self.taps = 0
        options = ChromeOptions()
        for flag in ("headless=new", f"host-resolver-rules={RULES}", "hide-scrollbars", "disable-background-networking",
                     f"window-size={max(width, 500)},{height}", *(["no-sandbox"] if os.geteuid() == 0 else [])):
            options.add_argument(f"--{flag}")
        if not script:
            options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
        options.accept_insecure_certs = True
        options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
        options.timeouts = {"script": 30000, "pageLoad": 30000}
        # Selenium's class for a local Chromium would start a chromedriver for each session.
        super().__init__(ChromiumRemoteConnection(address, vendor_prefix="goog", browser_name="chrome", ignore_proxy=True), options=options,
                         file_detector=UselessFileDetector())  # chromedriver is on this machine, and opens files itself
        # A window cannot be as narrow as a telephone.
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.appearance(dark)

    def devtools(self, command, **parameters):
        return self.execute("executeCdpCommand", {"cmd": command, "params": parameters})["value"]

    def appearance(self, dark):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def begin(self, script):
        """Runs a script in each document that is opened from now on, before those of the page."""
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=script)

    def mouse(self, kind, x, y):
        """An event of the left button, `mousePressed`, `mouseMoved` or `mouseReleased`, at a place in the window."""
        self.devtools("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def press(self, name):
        """Presses a key; "Shift+Tab" holds the first while it presses the second."""
        keys, actions = [getattr(Keys, part.upper(), part) for part in name.split("+")], ActionChains(self)
        for key in keys:
            actions.key_down(key)
        for key in reversed(keys):
            actions.key_up(key)
        actions.perform()

    def type(self, text):
        ActionChains(self).send_keys(text).perform()

    def log(self, kind):
        return [entry["message"] for entry in self.execute(Command.GET_LOG, {"type": kind})["value"]]

    def events(self):
        """The messages of the network and the page (Chrome DevTools protocol) since the last call."""
        return [json.loads(message)["message"] for message in self.log("performance")]

    def complaints(self):
        """What the console has reported since the last call: violations of the content security policy, errors of scripts."""
        return self.log("browser")
