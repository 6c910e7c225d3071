"""Sizes of the display, the four languages, the empty board, and the demo with its recording."""
import os
import re
import signal
import subprocess
import tempfile

from board import Board
from daemons import Connection, eventually
from page import NARROW, Page
from started import ADDRESS, CHECKOUT
from tfl import Operator

MINUTES = {"en": "120 minutes", "de": "120 Minuten", "fr": "120 minutes", "es": "120 minutos"}
STOPS = ["tfl:490008660N", "tfl:940GZZLUOXC"]


def languages(context, operator, state):
    for language, size in (("de", "16x2"), ("fr", "20x4"), ("es", "16x2"), ("en", "20x2")):
        board = Board(context.program, STOPS, operator.url, language=language, size=size, state=state)
        try:
            columns, rows = map(int, size.split("x"))
            with Page(context, board, NARROW) as page:
                page.open()
                eventually("the display", page.is_live)
                page.reads("Archway")
                shown = board.call("GET", "/v1/state")["display"]["rows"]
                context.check(f"{language}: the display has {size}", (len(shown), len(shown[0])) == (rows, columns), shown)
                written = page.browser.execute_script("return document.documentElement.lang")
                context.check(f"{language}: the page has its language", written == language)
                page.examine(f"Board {language} {size}", sizes=(NARROW,), appearances=(True,))
                for screen in ("find", "favourites", "about"):
                    page.screen(screen)
                    page.examine(f"{screen} {language}", sizes=(NARROW,), appearances=(False,), picture=False)
                page.open_pairing()
                page.pair("Téléphone")
                page.reads("Téléphone")
                context.check(f"{language}, {size}: the digits are on the display, and pair", True)
                page.screen("favourites")
                page.one("main [data-edit]").centre().tap()
                page.one("#walk").centre().tap()
                page.browser.type("0")
                page.browser.press("Enter")
                page.reads(page.word("walkFault", word="1", time=MINUTES[language]))
                context.check(f"{language}: an error of the board is a sentence of the page", "walk is" not in page.text(), page.text())
                page.one("main button", page.word("cancel")).centre().tap()
                page.open("/nowhere")
                page.reads(page.word("noPage"))
                page.examine(f"No page {language}", sizes=(NARROW,), picture=False)
                page.one("a", page.word("toBoard")).tap()
                eventually("the board", page.is_live)
                context.check(f"{language}: a path that is no page leads to the board", True)
                page.is_calm(language, ["400", "401", "404"])
        finally:
            board.close()


def empty(context):
    board = Board(context.program, [], None)
    try:
        with Page(context, board, NARROW) as page:
            page.open()
            page.reads(page.word("noFavourites"))
            page.examine("Empty board", sizes=(NARROW,), appearances=(False,))
            port = f"{ADDRESS}:{board.port}"
            eventually("the address of the page on the display without favourites", lambda: port in board.display().replace(" ", "")
                       or board.call("POST", "/v1/press", {"gesture": "short"}))
            context.check("the display of an empty board has the address of the page", True)
            page.is_calm("the empty board")
    finally:
        board.close()


def pictures(context, page):
    """The pictures of docs/images: the demo on a telephone of 360 pixels, on a machine that is called boardpi."""
    page.browser.devtools("Emulation.setDeviceMetricsOverride", width=360, height=640, deviceScaleFactor=1, mobile=True)
    page.browser.appearance(False)

    def picture(name):
        page.browser.execute_script(
            "scrollTo(0, 0);"
            "for (const name of document.querySelectorAll('h1 bdi')) if (name.textContent == arguments[0]) name.textContent = 'boardpi';",
            page.name)
        page.browser.save_screenshot(os.path.join(context.work, f"page-{name}.png"))
    page.open("/")
    eventually("departures on the display", lambda: re.search(r"\d+m|due", page.one("#display").accessible_name), 40)
    picture("board")
    page.one("main h2 a").tap()
    page.one("main summary")
    picture("stop")
    page.screen("find")
    eventually("the map", lambda: len(page.find("#map svg a")) > 10)
    page.browser.execute_script("document.activeElement.blur()")
    picture("map")
    page.screen("favourites")
    page.one("main li")
    picture("favourites")


def demo(context):
    """`boardd demo --page`, as `make demo PAGE=1` runs it, but without a terminal, where it ends after a number of frames."""
    folder = tempfile.mkdtemp(prefix="boardd-demo-")
    environment = {**os.environ, "RUNTIME_DIRECTORY": folder, "STATE_DIRECTORY": folder, "BOARDD_SHARE": os.path.join(CHECKOUT, "etc")}
    path = os.path.join(folder, "log")
    with open(path, "wb") as log:
        process = subprocess.Popen([context.program, "demo", "--frames", "1000", "--page", "127.0.0.1:0"], env=environment, stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=log)
    try:
        def address():
            with open(path) as file:
                return re.search(r"http://127\.0\.0\.1:(\d+)", file.read())

        class Demo:
            port = int(eventually("the address of the demo's page", address)[1])

            def url(self, _):
                return f"http://127.0.0.1:{self.port}"
        with Page(context, Demo()) as page:
            page.open()
            eventually("the display", page.is_live)
            page.reads("Stoke Newington")
            page.browser.devtools("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
            top = page.browser.execute_script("return document.querySelector('td.when').getBoundingClientRect().top")
            context.check("the first departure on a phone is within 300 pixels", top <= 300, top)
            page.examine("Demo board")
            cut = page.browser.execute_script(
                "return [...document.querySelectorAll('main .badge')].filter(it => it.scrollHeight > it.clientHeight + 1).map(it => it.innerText)")
            context.check("no name of a line is cut off", not cut, cut)
            page.one("main h2 a").tap()
            page.one("main table")
            page.examine("Demo stop")
            page.screen("find")
            eventually("the map of the demo", lambda: len(page.find("#map svg a")) > 10)
            page.examine("Demo find")
            page.search("tottenham court")
            eventually("a stop of the demo among those found", lambda: page.find('main li[data-key="tfl:910GTOTCTRD"]'))
            context.check("the demo finds stops, and has a map", True)
            page.name = Connection(port=Demo.port).call("GET", "/v1/page")[2]["name"]
            pictures(context, page)
            page.is_calm("the demo")
        context.check("the demo continues while its page is open", process.poll() is None)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def all_languages(context):
    operator = Operator()
    try:
        first = Board(context.program, STOPS, operator.url)
        try:
            first.update_directory()
            languages(context, operator, first.path("state"))
        finally:
            first.close()
    finally:
        operator.close()
