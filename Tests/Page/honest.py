"""The page where its script does not load or has stopped, where a press has no answer, and where a person does not want to wait."""
import contextlib

from board import Board, Stopped
from daemons import eventually
from moved import MovedPage
from page import NARROW, Page
from tfl import Operator

STOP = "tfl:490008660N"
STOPPED = "return getComputedStyle(document.getElementById('stopped')).visibility == 'visible'"
# A file that the page does not get: the first in its index.html, one that this loads, one that another loads.
FILES = ["page.js", "dom.js", "time.js"]


def fast(page):
    """The 15 s of the style sheet's animation pass in less than a second; so do the 5 s after which the script starts it anew."""
    page.browser.devtools("Animation.enable")
    page.browser.devtools("Animation.setPlaybackRate", playbackRate=20)


def stopped(context, board):
    for file in FILES:
        with Page(context, board, NARROW) as page:
            page.browser.devtools("Network.enable")
            page.browser.devtools("Network.setBlockedURLs", urls=[f"*/{file}"])
            fast(page)
            page.open()
            eventually(f"the sentence of a page without {file}", lambda: page.browser.execute_script(STOPPED))
            context.check(f"without {file} the page says that it is not up to date", page.word("stopped") in page.text(), page.text())
            context.check(f"without {file} it shows no departure as live", not page.find("td.when"))
            page.browser.devtools("Network.setBlockedURLs", urls=[])
            page.browser.devtools("Animation.setPlaybackRate", playbackRate=1)
            page.one("#stopped a").tap()
            eventually("the display after the page was loaded again", page.is_live)
            context.check("a tap loads it again", not page.browser.execute_script(STOPPED))
            page.browser.complaints()
    with MovedPage(context, board, NARROW) as page:
        page.open()
        eventually("the display", page.is_live)
        # An error in the tick, as a fault of the script would cause.
        page.browser.execute_script("time.steady = null; time.every = null; Object.defineProperty(document, 'hidden', { get() { throw new Error('a fault'); } })")
        fast(page)
        eventually("the sentence of a page whose script has stopped", lambda: page.browser.execute_script(STOPPED), 30)
        context.check("a page whose script has stopped says so", True)
        page.browser.complaints()


def unanswered(context, board):
    with MovedPage(context, board, NARROW) as page:
        page.open()
        eventually("the display", page.is_live)
        page.passes(30)
        context.check("a page that runs does not say that it has stopped", not page.browser.execute_script(STOPPED))
        page.screen("about")
        page.open_pairing()
        page.pair("Presser")
        page.screen("board")
        for key in ("next", "refresh"):
            with Stopped(board):
                page.one("main button", page.word(key)).tap()
                eventually(f"the request of {key}", lambda: page.sent(f"POST /v1/{'press' if key == 'next' else key}"))
                page.browser.execute_script("time.pass(3000)")
                page.reads(page.word("unreachable"), 5)
                context.check(f"{key}: three seconds without an answer are reported", True)
            eventually("the end of the message", lambda: page.browser.execute_script("time.pass(1000)") or page.word("unreachable") not in page.text())


def again(context, board):
    """Without a connection the page tries again at most 3 s apart, and at once on a tap."""
    with MovedPage(context, board, NARROW) as page:
        page.open()
        eventually("the display", page.is_live)
        board.stop()
        page.reads(page.word("offline").partition("%time")[0], 30)
        tries = []
        for _ in range(4):
            before = page.sent("GET /v1/events")
            page.browser.execute_script("time.pass(3100)")
            tries.append(eventually("another try", lambda: page.sent("GET /v1/events") - before))
        context.check("it tries again at most 3 s apart", all(tries), tries)
        page.hold(["GET /v1/events"])
        page.browser.execute_script("time.pass(3100)")
        page.holds()
        page.hold()
        before = page.sent("GET /v1/events")
        page.one("main h1").tap()
        eventually("a try on a tap", lambda: page.sent("GET /v1/events") > before)
        context.check("a tap is a try at once, without the one that waits", True)
        # A connection that brings no state, as over a weak network.
        page.stub({"GET /v1/events": {"body": {}}})
        before = page.sent("GET /v1/events")
        page.browser.execute_script("time.pass(65000)")
        eventually("some tries", lambda: page.browser.execute_script("time.pass(3100)") or page.sent("GET /v1/events") > before + 3)
        context.check("bytes alone are not the board: the page still reports that it is old", page.word("offline").partition("%time")[0] in page.text()
                      and page.browser.execute_script("return document.documentElement.classList.contains('uncertain')"), page.text())
        page.stub({})
        board.start()
        eventually("the end of the report", lambda: page.browser.execute_script("time.pass(1000)") or page.word("offline").partition("%time")[0] not in page.text(), 45)
        context.check("the page has the board again", True)
        page.browser.complaints()


def kept(context, board):
    """What a person types stays while lines above it come and go."""
    with MovedPage(context, board, NARROW) as page:
        page.open()
        live = board.call("GET", "/v1/live")
        calm, faulty = ({"GET /v1/events": {"status": 503, "body": {}}, "GET /v1/live": {"body": {**live, "faults": faults}}} for faults in ({}, {"display": "no response"}))
        page.stub(calm)
        page.open()
        page.one(".more summary").centre().tap()
        field = page.one("#message")
        field.tap()
        page.browser.type("Back at six")
        for stub, is_shown in ((faulty, True), (calm, False)):
            page.stub(stub)
            eventually("the next state", lambda: page.browser.execute_script("time.pass(1000)") or ("no response" in page.text()) == is_shown)
            text, has_focus = page.browser.execute_script("const field = document.getElementById('message'); return [field?.value, field == document.activeElement]")
            context.check(f"a text is kept, with its focus, {'under' if is_shown else 'without'} a new line above it", text == "Back at six" and has_focus, (text, has_focus))
        page.stub({})
        page.browser.complaints()


def run(context):
    with contextlib.closing(Operator()) as operator, contextlib.closing(Board(context.program, [STOP], operator.url)) as board:
        eventually("the first response", lambda: operator.polls["490008660N"])
        stopped(context, board)
        unanswered(context, board)
        kept(context, board)
        again(context, board)
