"""Web pages of others: one that rebinds its name to the board, one that sends requests to it; and devices that may not look or change."""
from selenium.webdriver.common.by import By

from board import Board
from browser import Browser
from daemons import Connection, eventually
from page import NARROW, Page
from servers import Server
from tfl import Operator

STOP = "tfl:490008660N"
# What a hostile page tries, as a function body; the result is the status of each request, or the error.
REQUESTS = """
const [base, done] = arguments;
const json = { 'Content-Type': 'application/json' };
const tries = [['GET', '/'], ['GET', '/v1/state'], ['GET', '/v1/events'], ['GET', '/page.js'], ['POST', '/v1/pairings', json, '{}'],
  ['POST', '/v1/press', json, '{"gesture": "short"}'], ['POST', '/v1/press', { 'Content-Type': 'text/plain' }, '{"gesture": "short"}'],
  ['DELETE', '/v1/favourites/tfl:490008660N', {}]];
Promise.all(tries.map(([method, path, headers, body]) => fetch(base + path, { method, headers, body, mode: base ? 'no-cors' : 'same-origin' })
  .then(async response => `${response.status} ${await response.text()}`, error => `${error}`))).then(done);
"""
EMBEDDED = """
const base = arguments[0];
document.body.innerHTML = `<img src="${base}/v1/press?gesture=short"><img src="${base}/icon.svg"><iframe src="${base}/"></iframe>`
  + `<form method="post" enctype="text/plain" action="${base}/v1/press"><input name='{"gesture": "short", "x": "' value='"}'></form>`;
document.querySelector('img:nth-child(2)').onload = () => { document.title = 'read'; };
"""


class Attacker(Server):
    """The web server of an attacker: a page without content."""

    def respond(self, handler):
        handler.protocol_version, handler.close_connection = "HTTP/1.0", True  # no connection outlives the server
        self.send(handler, b"<!doctype html><title>evil</title><body>", kind="text/html")


def rebind(context, operator):
    """A page that was loaded from its own server finds the board under the same name and port afterwards."""
    attacker = Attacker()
    with Browser(context.chromedriver) as browser:
        browser.get(f"http://evil.test:{attacker.port}/")
        attacker.close()
        board = Board(context.program, [STOP], operator.url, port=attacker.port)
        try:
            results = browser.execute_async_script(REQUESTS, "")
            context.check("a page that rebinds its name gets 421 for each request", all(result.startswith("421 ") for result in results), results)
            context.check("and nothing of the board", not any(word in result for result in results for word in ("Oxford", "Archway", "rows")), results)
            browser.events()
            browser.get(f"http://evil.test:{board.port}/")
            responses = [(event["params"]["response"]["url"], event["params"]["response"]["status"]) for event in browser.events()
                         if event["method"] == "Network.responseReceived"]
            context.check("the page itself under another name is 421", responses and all(status == 421 for _, status in responses), responses)
            context.check("and no file of it is loaded", all(url.endswith(("/", "/favicon.ico")) for url, _ in responses), responses)
            context.check("the favourite is still there", board.favourites() == [STOP])
            cross(context, board, browser)
        finally:
            board.close()


def cross(context, board, browser):
    """A page of another origin, with the address of the board."""
    attacker = Attacker()
    try:
        for base in (board.url(), board.url("board.test")):
            browser.get(f"http://evil.test:{attacker.port}/")
            browser.events()
            results = browser.execute_async_script(REQUESTS, base)
            # Without CORS a page sees only that a request was made, or that it was not; the browser itself sees the status.
            events = browser.events()
            changes = {event["params"]["requestId"] for event in events if event["method"] == "Network.requestWillBeSent"
                       and event["params"]["request"]["method"] != "GET" and event["params"]["request"]["url"].startswith(base)}
            statuses = [event["params"]["statusCode"] for event in events if event["method"] == "Network.responseReceivedExtraInfo"
                        and event["params"]["requestId"] in changes]
            context.check("each of its requests that would change something is rejected", statuses and set(statuses) <= {403, 405, 415}, statuses)
            context.check("a page of another origin reads nothing", all(result.startswith(("0 ", "TypeError")) for result in results), results)
            browser.execute_script(EMBEDDED, base)
            browser.execute_script("document.forms[0].submit()")
            eventually("the response to the form", lambda: browser.execute_script("return location.href").startswith(base))
            text = browser.find_element(By.TAG_NAME, "body").text
            context.check("a form of another origin changes nothing", "error" in text, text)
        context.check("the favourite is still there", board.favourites() == [STOP])
        context.check("no pairing of another origin is open", "pair" not in board.display().lower(), board.display())
    finally:
        attacker.close()


def alone(context, operator, state):
    """`read = "paired"`: a stranger sees nothing of the board, the page pairs, and a removed device is a stranger."""
    board = Board(context.program, [STOP], operator.url, state=state, page='read = "paired"')
    try:
        connection = Connection(port=board.port)
        _, _, text = connection.call("GET", "/")
        context.check('read = "paired": the page has no departures', b"Archway" not in text and b"Oxford" not in text)
        for path in ("/v1/state", "/v1/live", "/v1/events", "/v1/stops?query=oxford", f"/v1/stops/{STOP}/departures", "/v1/favourites",
                     "/v1/map.svg?near=51.5152,-0.1419&scale=2&size=320x320"):
            status, headers, value = connection.call("GET", path)
            context.check(f'read = "paired": {path.partition("?")[0]} is 401 with what to do', status == 401 and value["error"]["message"], f"{status} {value}")
        connection.close()
        with Page(context, board, NARROW) as page:
            page.open()
            page.one("main button", page.word("pair")).tap()
            page.one("#code")
            page.examine("Pairing to look", sizes=(NARROW,))
            page.pair()
            eventually("the display", page.is_live)
            page.reads("Archway")
            context.check('read = "paired": a paired device sees the board', True)
            board.call("DELETE", "/v1/devices/Sofa%20phone")
            board.call("POST", "/v1/press", {"gesture": "short"})
            page.one("main button", page.word("pair"))
            context.check('read = "paired": a device that is removed sees nothing any longer, and the button that pairs it', "Archway" not in page.text(), page.text())
            page.is_calm('read = "paired"', ["401", "ERR_INCOMPLETE_CHUNKED_ENCODING"])
    finally:
        board.close()


def unchanged(context, operator, state):
    """`change = "nobody"`: no device changes anything, and none is offered to."""
    board = Board(context.program, [STOP], operator.url, state=state, page='change = "nobody"')
    try:
        connection = Connection(port=board.port)
        for method, path, body in (("POST", "/v1/press", {"gesture": "short"}), ("POST", "/v1/refresh", None), ("DELETE", f"/v1/favourites/{STOP}", None),
                                   ("POST", "/v1/favourites", {"stop": "tfl:940GZZLUOXC"}), ("POST", f"/v1/stops/{STOP}/look", None)):
            status, _, value = connection.call(method, path, body)
            context.check(f'change = "nobody": {method} {path} is 403', status == 403, f"{status} {value}")
        connection.close()
        with Page(context, board, NARROW) as page:
            page.open()
            eventually("the display", page.is_live)
            context.check('change = "nobody": the board has no buttons', not page.find("main button"))
            page.screen("favourites")
            page.reads("Oxford Street")
            page.examine("Favourites without change", sizes=(NARROW,), picture=False)
            context.check('change = "nobody": favourites have no buttons', not page.find("main button"))
            page.screen("about")
            page.reads(page.word("readOnly"))
    finally:
        board.close()


def looking(context, operator, state):
    """`read = "paired"` with `change = "nobody"`: a paired device looks, requests nothing of an operator, and sees that it is paired."""
    board = Board(context.program, [STOP], operator.url, state=state, page='read = "paired"\nchange = "nobody"')
    try:
        with Page(context, board, NARROW) as page:
            page.open()
            page.one("main button", page.word("pair")).tap()
            page.pair()
            eventually("the display", page.is_live)
            page.browser.execute_script(
                "window.reported = []; new MutationObserver(() => reported.push(document.querySelector('#toast p').textContent))"
                ".observe(document.querySelector('#toast p'), { childList: true });")
            page.screen("find")
            page.browser.execute_script("history.pushState(null, '', '/stop?id=tfl:940GZZLUOXC'); dispatchEvent(new PopStateEvent('popstate'));")
            page.reads(page.word("notPolled"))
            page.screen("about")
            page.reads(page.word("readOnly"))
            page.reads_pairing()
            reported = [text for text in page.browser.execute_script("return reported") if text]
            context.check('change = "nobody": a stop that the board does not poll causes no error', not reported and not operator.polls["940GZZLUOXC"], reported)
            page.is_calm('read = "paired", change = "nobody"', ["401"])
    finally:
        board.close()


def run(context):
    operator = Operator()
    try:
        first = Board(context.program, [STOP], operator.url)
        try:
            first.update_directory()
            rebind(context, operator)
            alone(context, operator, first.path("state"))
            unchanged(context, operator, first.path("state"))
            looking(context, operator, first.path("state"))
        finally:
            first.close()
    finally:
        operator.close()
