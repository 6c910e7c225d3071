"""Every screen with a mouse: in two sizes, light and dark, at 200 %, with the weight of the page, and with hostile names."""
import glob
import os

from selenium.webdriver.common.by import By

from board import Board
from daemons import Connection, eventually
from page import NARROW, Page
from started import CHECKOUT
from tfl import MARKUP, RIGHT_TO_LEFT, Operator

FAVOURITES = ['[[stop]]\nid = "tfl:490008660N"\nlabel = "Oxford St"\nwalk = "4m"\n', "tfl:490008660S", "tfl:940GZZLUOXC"]
HOSTILE = ["tfl:490777777A", "tfl:490777777B", "tfl:490777777C"]


def files(context, board):
    connection = Connection(port=board.port)
    for path in sorted(glob.glob(os.path.join(CHECKOUT, "etc/page/*.*"))):
        name = os.path.basename(path)
        if name == "index.html":  # filled with the departures of the moment
            continue
        status, _, body = connection.call("GET", "/" + name)
        with open(path, "rb") as file:
            content = file.read()
        served = body if isinstance(body, bytes) else None
        context.check(f"/{name} is served", status == 200 and (served is None or served == content), status)
    connection.close()


def walk(context, board):
    with Page(context, board) as page:
        page.open()
        eventually("the display", page.is_live)
        eventually("the rows of the display as the label of its picture", page.has_picture)
        display = page.one("#display")
        context.check("the display is one image with its rows as its label", display.aria_role in ("image", "img"), display.aria_role)
        page.examine("Board")
        page.one("main h2 a").tap()
        page.reads("Archway")
        page.examine("Stop")
        page.one("main a.button", page.word("byLine")).tap()
        lines = eventually("lines in order", lambda: page.browser.execute_script(
            "return [...document.querySelectorAll('td.line')].map(cell => cell.innerText.trim())"))
        context.check("a stop's departures are sorted by line", lines == sorted(lines, key=lambda line: (line[0] > "9", line.zfill(5))), lines)
        page.one("main a.button", page.word("map")).tap()
        eventually("the map", lambda: page.find("#map svg"))
        context.check("the map is an image with links to stops", page.find("#map svg a"))
        page.examine("Map")
        page.search("oxford street")
        page.examine("Find")
        page.one("main li a").tap()
        page.one("main h1")
        page.screen("favourites")
        page.examine("Favourites")
        page.screen("about")
        page.one("main > section:first-of-type dd")
        page.examine("About")
        # The form opens with the first change.
        page.open_pairing()
        board.digits()
        page.examine("Pairing")
        page.pair()
        page.reads_pairing()
        page.examine("About paired")
        # A request that fails is no reason to forget the token.
        page.browser.execute_script(
            "const send = fetch; window.fetch = (...all) => /devices$/.test(all[0]) ? Promise.reject(new TypeError()) : send(...all);")
        page.screen("board")
        page.screen("about")
        page.one("main > section:first-of-type dd")
        context.check("a paired device whose list cannot be read is not offered to pair", not page.find("main button", page.word("pair")), page.text())
        page.screen("favourites")
        page.one("main button", page.word("editOf", word="Oxford St")).tap()
        page.one("#label")
        page.examine("Favourite form")
        page.browser.get(board.url() + "/line?id=tfl:73")
        page.one("main ol li")
        page.examine("Line")
        page.is_calm("all screens", ["401"])
        twice(context, page)


def twice(context, page):
    """The zoom of 200 % of a window of 1280 px, and text of 200 % in it."""
    for what, style in (("zoom of 200 %", ""), ("zoom and text of 200 %", "200%")):
        page.browser.devtools("Emulation.setDeviceMetricsOverride", width=640, height=450, deviceScaleFactor=2, mobile=False)
        page.browser.execute_script("document.documentElement.style.fontSize = arguments[0]", style)
        for screen in ("board", "find", "favourites", "about"):
            page.screen(screen)
            context.check(f"{screen}, {what}: no sideways scrolling", page.is_within())


def hostile(context, operator, state):
    board = Board(context.program, HOSTILE, operator.url, state=state)
    try:
        with Page(context, board, NARROW) as page:
            page.open()
            eventually("the display", page.is_live)
            for name in (MARKUP, RIGHT_TO_LEFT):
                page.reads(name)
            context.check("names are no markup on the screen Board", not page.find("main b")
                          and not page.browser.execute_script("return window.hacked"))
            page.examine("Hostile names", sizes=(NARROW,), appearances=(False,))
            page.browser.get(board.url() + "/find?near=51.5129,-0.1445&scale=1")
            eventually("the map", lambda: page.find("#map svg"))
            page.reads(MARKUP)
            context.check("names are no markup on the map and in the list", not page.find("main b"))
            context.check("the map has the name as text", page.browser.execute_script(
                "return [...document.querySelectorAll('#map title')].some(title => title.textContent.includes(arguments[0]))", 'Yard <b'))
            page.examine("Hostile names on the map", sizes=(NARROW,), appearances=(False,))
            page.is_calm("hostile names")
        with Page(context, board, NARROW, script=False) as page:
            page.open()
            context.check("names are no markup without script", not page.browser.find_elements(By.CSS_SELECTOR, "main b")
                          and MARKUP in page.browser.find_element(By.TAG_NAME, "main").text)
            context.check("hostile names without script: no sideways scrolling", page.is_within())
        # After a start the display shows the address for 20 s. The overview has the first words of a stop's name alone.
        eventually("the stop on the display", lambda: "from Tom" in board.display(), 40)
        board.call("POST", "/v1/show", {"page": HOSTILE[0]})
        context.check("the display has the name as text", eventually("the page of the stop", lambda: "Tom & " in board.display()), board.display())
    finally:
        board.close()


def run(context):
    operator = Operator()
    board = Board(context.program, FAVOURITES, operator.url)
    try:
        board.update_directory()
        files(context, board)
        walk(context, board)
        hostile(context, operator, board.path("state"))
    finally:
        board.close()
        operator.close()
