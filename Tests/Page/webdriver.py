"""A client of W3C WebDriver (https://www.w3.org/TR/webdriver2/), as far as the tests of the page need it, for Debian's chromedriver."""
import base64
import http.client
import json
import os
import signal
import subprocess

from started import ADDRESS

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element's identifier, defined by W3C WebDriver
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Space": " ", "Escape": "\ue00c", "Home": "\ue011", "Backspace": "\ue003",
        "Shift": "\ue008", "Control": "\ue009", "Down": "\ue015", "Right": "\ue014"}
# No name resolves but those of the tests, so that nothing can be fetched from outside.
RULES = "MAP board.test 127.0.0.1, MAP tiles.test 127.0.0.1, MAP evil.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE " + ADDRESS


class WebDriverError(Exception):
    pass


class Driver:
    """A chromedriver process in a process group of its own; its sessions are browsers with throw-away profiles."""

    def __init__(self, log):
        self.process = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True)
        line = next((line for line in self.process.stdout if "started successfully on port" in line), None)
        if line is None:
            raise WebDriverError("chromedriver did not start")
        self.port = int(line.rstrip(".\n").split()[-1])

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(20)


class Browser:
    """One session. `taps` counts the clicks, `requests` are the URLs that the page has requested since the last call."""

    def __init__(self, driver, width=1280, height=900, dark=False, script=True, arguments=()):
        self.driver, self.taps = driver, 0
        flags = ["--headless=new", f"--host-resolver-rules={RULES}", "--hide-scrollbars", "--disable-background-networking",
                 f"--window-size={max(width, 500)},{height}", *arguments]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        options = {"args": flags}
        if not script:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        capabilities = {"acceptInsecureCerts": True, "goog:chromeOptions": options, "goog:loggingPrefs": {"performance": "ALL", "browser": "ALL"},
                        "timeouts": {"script": 30000, "pageLoad": 30000, "implicit": 0}}
        self.path = ""
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.path = "/session/" + session["sessionId"]
        # A window cannot be as narrow as a telephone.
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.appearance(dark)

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.driver.port, timeout=60)
        connection.request(method, self.path + path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise WebDriverError(f'{value["error"]}: {value["message"].splitlines()[0]}')
        return value

    def devtools(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def appearance(self, dark):
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def begin(self, script):
        """Runs a script in each document that is opened from now on, before those of the page."""
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=script)

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """The result of a function body; `arguments` are in it."""
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """The value with which the script calls its last argument."""
        return self.call("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def all(self, selector):
        using = "xpath" if selector.startswith(("/", "(")) else "css selector"
        return [Element(self, found[ELEMENT]) for found in self.call("POST", "/elements", {"using": using, "value": selector})]

    @property
    def focused(self):
        return Element(self, self.call("GET", "/element/active")[ELEMENT])

    def mouse(self, kind, x, y):
        """An event of the left button, `mousePressed`, `mouseMoved` or `mouseReleased`, at a place in the window."""
        self.devtools("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def press(self, *keys):
        """Presses keys one after the other; "Shift+Tab" holds the first while it presses the second."""
        actions = []
        for key in keys:
            parts = [KEYS.get(part, part) for part in key.split("+")]
            actions += [{"type": "keyDown", "value": part} for part in parts]
            actions += [{"type": "keyUp", "value": part} for part in reversed(parts)]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def type(self, text):
        self.press(*text)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def events(self):
        """The messages of the network and the page (Chrome DevTools protocol) since the last call."""
        return [json.loads(entry["message"])["message"] for entry in self.call("POST", "/se/log", {"type": "performance"})]

    def complaints(self):
        """What the console has reported since the last call: violations of the content security policy, errors of scripts."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def close(self):
        self.call("DELETE", "")


class Element:
    def __init__(self, browser, identifier):
        self.browser, self.identifier = browser, identifier

    def call(self, method, path, body=None):
        return self.browser.call(method, f"/element/{self.identifier}{path}", body)

    def __eq__(self, other):
        return isinstance(other, Element) and self.identifier == other.identifier

    @property
    def reference(self):
        return {ELEMENT: self.identifier}

    @property
    def text(self):
        return self.call("GET", "/text")

    @property
    def name(self):
        """The accessible name, as a screen reader has it."""
        return self.call("GET", "/computedlabel")

    @property
    def role(self):
        return self.call("GET", "/computedrole")

    @property
    def is_displayed(self):
        return self.call("GET", "/displayed")

    def attribute(self, name):
        return self.call("GET", f"/attribute/{name}")

    def property(self, name):
        return self.call("GET", f"/property/{name}")

    def centre(self):
        """Scrolls the element to the middle, away from the navigation, which covers the edge of the window."""
        self.browser.run("arguments[0].scrollIntoView({ block: 'center' })", self.reference)
        return self

    def tap(self):
        self.browser.taps += 1
        self.call("POST", "/click", {})

    def clear(self):
        self.call("POST", "/clear", {})
