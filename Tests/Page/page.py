"""The page of a board in a browser: its screens, its words, and what holds on each of them."""
import os

from browser import Browser
from daemons import Connection, eventually
from started import ADDRESS

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
NARROW, WIDE = (320, 640), (1280, 900)


class Page:
    def __init__(self, context, board, size=WIDE, dark=False, script=True, host=ADDRESS):
        self.context, self.board, self.host = context, board, host
        self.browser = Browser(context.chromedriver, *size, dark, script)
        connection = Connection(port=board.port)
        self.words = connection.call("GET", "/v1/page")[2].get("words", {})
        connection.close()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self.browser.save_screenshot(os.path.join(self.context.work, "failed.png"))
        self.browser.quit()

    def open(self, path="/"):
        self.browser.get(self.board.url(self.host) + path)
        return self

    def word(self, key, **values):
        text = self.words[key]
        for name, value in values.items():
            text = text.replace(f"%{name}", value)
        return text

    def find(self, selector, name=None):
        """The elements in view that `selector` matches, with this label or text."""
        return self.browser.execute_script(
            "const [selector, name] = arguments; return [...document.querySelectorAll(selector)].filter(element => element.checkVisibility() && "
            "(name == null || (element.getAttribute('aria-label') ?? element.textContent).trim() == name));", selector, name)

    def one(self, selector, name=None):
        return eventually(lambda: f"{selector} {name or ''} on the page, which has: {self.text()}", lambda: self.find(selector, name))[0]

    def text(self):
        return self.browser.execute_script("return document.body.innerText")

    def reads(self, what, seconds=20):
        """Waits for a text on the page."""
        eventually(lambda: f"“{what}” on the page, which has: {self.text()}", lambda: what in self.text(), seconds)

    def has_picture(self):
        """Whether the rows that the display has now are the label of its picture."""
        label = " ".join(self.one("#display").accessible_name.split())
        return all(" ".join(row.split()) in label for row in self.board.call("GET", "/v1/state")["display"]["rows"])

    def is_live(self):
        """Whether the page shows the display as a picture, which its script draws."""
        return self.find('#display[aria-label] canvas')

    def screen(self, key):
        """Opens a screen by its link in the navigation."""
        self.one("nav a", self.word(key)).tap()
        eventually(f"the screen {key}", lambda: self.find(f'nav a[data-screen="{key}"][aria-current="page"]'))

    def search(self, text):
        self.screen("find")
        field = self.one("#query")
        field.tap()
        field.clear()
        self.browser.type(text)
        self.browser.press("Enter")
        eventually(f"the results of {text}",
                   lambda: self.browser.execute_script("return location.search.includes('query')") and self.find("main li a"))

    def star(self, stop):
        return self.one(f'[data-key="{stop}"] .star')

    def type_digits(self):
        """Types the digits on the display, once the page has the response that begins the pairing."""
        digits = "".join(self.board.digits().groups())
        eventually("the response that begins a pairing", lambda: self.browser.execute_script(
            "return performance.getEntriesByName(`${origin}/v1/pairings`).length"))
        self.browser.type(digits)

    def pair(self, name="Sofa phone"):
        """Fills the form of pairing, which is open, with a name and the digits on the display; the sixth digit sends it."""
        device, code = self.one("#device"), self.one("#code")
        if device.get_property("value") != name:
            device.clear()
            device.tap()
            self.browser.type(name)
        code.tap()
        self.type_digits()
        eventually("the end of the form", lambda: not self.find("#code"))

    def open_pairing(self):
        """Opens the form of pairing on the screen About, once all is there that is above its button."""
        self.one("main > section:first-of-type dd")
        self.one("main button", self.word("pair")).centre().tap()
        self.one("#code")

    def reads_pairing(self):
        """Waits until the list of paired devices has this one."""
        eventually(lambda: f"this device in the list, on the page, which has: {self.text()}", lambda: self.browser.execute_script(
            "return [...document.querySelectorAll('main li .grow')].some(item => item.textContent.includes(arguments[0]))", self.word("thisDevice")))

    def is_within(self):
        """Whether nothing is cut off at the side."""
        return self.browser.execute_script("const root = document.documentElement; return root.scrollWidth <= root.clientWidth")

    def violations(self):
        """What axe-core finds on the page as it is."""
        if not self.browser.execute_script("return !!window.axe"):
            with open(os.path.join(self.context.common, "axe.min.js")) as file:
                self.browser.execute_script(file.read())
        return self.browser.execute_async_script(
            "const done = arguments[1]; axe.run(document, { runOnly: arguments[0], resultTypes: ['violations'] }).then(result => "
            "done(result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html.slice(0, 120)).join(' ')}`)),"
            " error => done([`${error}`]))", RULES)

    def examine(self, name, sizes=(NARROW, WIDE), appearances=(False, True), picture=True):
        """Checks the screen in each size, light and dark, and takes pictures."""
        cut, violations = [], []
        for size in sizes:
            self.browser.devtools("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1], deviceScaleFactor=1, mobile=size[0] < 500)
            for dark in appearances:
                self.browser.appearance(dark)
                variant = f"{size[0]}-{'dark' if dark else 'light'}"
                if not self.is_within():
                    cut.append(variant)
                if self.context.has_axe:
                    violations += [f"{variant}: {found}" for found in self.violations()]
                if picture:
                    self.browser.save_screenshot(os.path.join(self.context.work, f"{name.replace(' ', '-')}-{variant}.png"))
        self.context.check(f"{name}: no sideways scrolling", not cut, cut)
        if self.context.has_axe:
            self.context.check(f"{name}: axe-core finds nothing", not violations, "\n    ".join(violations))

    def requested(self):
        """The URLs that the browser has requested since the last call."""
        return [event["params"]["request"]["url"] for event in self.browser.events() if event["method"] == "Network.requestWillBeSent"]

    def is_calm(self, name, expected=()):
        """Checks that nothing came from outside, and that the console reports nothing but errors with these texts."""
        outside = [url for url in self.requested() if not url.startswith((self.board.url(self.host) + "/", "data:", "blob:"))]
        self.context.check(f"{name}: nothing is requested from outside", not outside, outside)
        reported = [line for line in self.browser.complaints() if not any(text in line for text in expected)]
        self.context.check(f"{name}: the console reports nothing", not reported, reported)
