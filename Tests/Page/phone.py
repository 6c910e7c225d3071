"""A person with only a phone before a fresh board: what both do in each set-up."""
import contextlib

from selenium.common.exceptions import StaleElementReferenceException

from board import Board
from daemons import Connection, Daemon, eventually
from page import Page
from started import free_port

PHONE, SMALL = (390, 844), (320, 568)


class FreshBoard(Board):
    """As after the installation: without favourites, and with no file of the administrator's but what `settings` has."""

    def __init__(self, program, settings="", share=None):
        Daemon.__init__(self, program, "setup", settings, [], environment=share and {"BOARDD_SHARE": share})
        self.configuration, self.port = [], free_port()  # with --config there would be no settings of the board's own
        self.start()

    def setup(self):
        return self.call("GET", "/v1/setup")

    def values(self, table):
        return next((one["values"] for one in self.setup()["tables"] if one["name"] == table), None)


class Phone(Page):
    def __init__(self, context, board, size=PHONE, language="en-GB", **more):
        super().__init__(context, board, size, **more)
        self.browser.begin(f"Object.defineProperty(navigator, 'languages', {{ value: ['{language}'] }});")

    def speaks(self, language):
        """Waits until the page is in a language, and has its words from then on."""
        eventually(f"the page in {language}", lambda: self.browser.execute_script(
            "return document.readyState == 'complete' && document.documentElement.lang == arguments[0]", language))
        self.words = Connection(port=self.board.port).call("GET", "/v1/page")[2]["words"]

    def awaits(self, field):
        """Waits for the focus in a field."""
        eventually(lambda: f"the focus on {field}, on the page, which has: {self.text()}",
                   lambda: self.browser.execute_script("return document.activeElement.id == arguments[0]", field))

    def enters_digits(self):
        self.awaits("code")
        self.type_digits()
        eventually("the end of the form", lambda: not self.find("#code"))

    def step(self, key):
        """Waits for a step by its title."""
        return self.one("main h1", self.word(key))

    def tap(self, key, selector="main button", **values):
        """Taps on what has a text, once the page is not drawn anew meanwhile."""
        before = self.browser.taps

        def tapped():
            with contextlib.suppress(StaleElementReferenceException):
                self.one(selector, self.word(key, **values)).centre().tap()
                return True
            self.browser.taps = before
        eventually(f"a tap on {key}", tapped)

    def begins(self):
        """From the address of the board to the first step."""
        self.open()
        self.tap("setUp", "main a")
        self.enters_digits()

    def seeks(self, town):
        self.step("placeStep")
        self.awaits("place")
        self.browser.type(town)
        self.browser.press("Enter")

    def finds(self, word, stop):
        """The link to a stop in the search of the page."""
        self.one("#query").centre().tap()
        self.browser.type(word)
        return self.one(f'[data-key="{stop}"] a')

    def looks(self, name):
        self.examine(name, sizes=(SMALL, PHONE))

    def fill(self, selector, text):
        field = self.one(selector).centre()
        field.clear()
        field.tap()
        self.browser.type(text)
