"""What the page shows of responses that are late, old, partial or missing, and where a person opens another screen before they arrive."""
import copy
import datetime
import json
import os

from board import Board, Stopped
from daemons import eventually
from moved import MovedPage
from page import NARROW, Page
from started import CHECKOUT
from tfl import Operator

STOP, OTHER, THIRD = "tfl:490008660N", "tfl:490000111E", "tfl:490777777A"
ALERTS = [
    {"text": "Alert of yesterday", "severity": "minor", "from": "2020-01-01T00:00:00Z", "until": "2020-01-02T00:00:00Z"},
    {"text": "Alert of now", "severity": "minor", "from": "2020-01-01T00:00:00Z", "until": "2099-01-01T00:00:00Z"},
    {"text": "Alert without times", "severity": "minor"},
    {"text": "Alert of next year", "severity": "minor", "from": "2098-01-01T00:00:00Z"},
]


def search(page, text):
    field = page.one("#query")
    field.clear()
    field.tap()
    page.browser.type(text)
    page.browser.press("Enter")


def finds(page, name, seconds=20):
    """Waits for a result of a search. Favourites that are near have no element `strong`."""
    eventually(lambda: f"a result {name} on the page, which has: {page.text()}", lambda: page.browser.execute_script(
        "return [...document.querySelectorAll('main li[data-key] strong')].some(item => item.innerText.startsWith(arguments[0]))", name), seconds)


def alerts(context, page, board):
    page.open()
    live = board.call("GET", "/v1/live")
    live["stops"][0]["alerts"] = ALERTS
    page.stub({"GET /v1/events": {"status": 503, "body": {}}, "GET /v1/live": {"body": live}})
    page.open()
    page.reads(page.word("alerts", code="2"))
    context.check("Board counts the alerts that are active", True)
    page.one("main h2 a").centre().tap()
    eventually("the stop", lambda: page.browser.execute_script("return document.title").startswith("Oxford"))
    page.one("main summary").centre().tap()
    page.reads("Alert of now")
    text = page.text()
    context.check("a stop has the alerts that are active, and no other", "Alert without times" in text and "yesterday" not in text and "next year" not in text, text)
    live["stops"][0]["alerts"] = [{"text": f"Works, part {number}", "severity": "minor", "until": "2099-03-01T12:00:00Z"} for number in range(99)] + [
        {"text": "No service", "severity": "severe", "from": "2020-01-01T12:00:00Z", "until": "2099-01-02T12:00:00Z"}]
    page.stub({"GET /v1/events": {"status": 503, "body": {}}, "GET /v1/live": {"body": live}})
    page.browser.devtools("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    for path in ("/", f"/stop?id={STOP}"):
        page.open(path)
        page.reads(page.word("alerts", code="100"))
        first, line, alerts, isOpen = page.browser.execute_script(
            "const [first, line] = ['td.when', 'summary'].map(one => document.querySelector(one).getBoundingClientRect());"
            "return [first.top, line.top > first.top && line.height < 60, document.querySelector('summary').innerText, document.querySelector('details').open]")
        context.check(f"{path}: the alerts are one line below the departures", line and not isOpen, (first, line, isOpen))
        context.check(f"{path}: the first departure is where a glance finds it", first < 844 / 2, first)
        context.check(f"{path}: the line has the severest alert", "⚠" in alerts and "No service" in alerts, alerts)
    page.one("main summary").centre().tap()
    page.reads("No service")
    dated = page.browser.execute_script("return document.querySelector('details li').innerText")
    context.check("an alert has the days of its validity", "2020" in dated and "2099" in dated, dated)
    page.stub({})


def written(page, departure, count):
    """What the time column has for a count of counts.json."""
    kind, _, number = count.removeprefix("about ").partition(" ")
    time, leave = (departure.get(key, "")[11:16] for key in ("scheduled", "leaveBy"))  # in an offset of 0
    about = f"~ {page.word('roughly')} " if count.startswith("about ") else ""
    minutes = f"{about}{number} {page.word('minutes')}"
    booked = datetime.datetime.fromisoformat(departure["scheduled"])
    day = f"{page.word('dayNames').split()[booked.isoweekday() % 7]} {booked.day}"
    return {
        "due": about + page.word("due"), "minutes": minutes, "time": time, "delayed": f"{time} {page.word('delayed')}", "cancelled": f"{time} {page.word('cancelled')}",
        "leaveIn": f"{page.word('goIn')} {minutes}", "leaveAt": f"{page.word('goAt')} {leave}", "leaveNow": about + page.word("goNow"), "run": about + page.word("run"),
        "day": f"{day} {time}",
    }[kind]


def counts(context, page, board):
    """counts.json, which Tests/BoardCoreTests/Freshness/CountTests.swift shows on the display."""
    with open(os.path.join(CHECKOUT, "Tests/Page/counts.json")) as file:
        cases = json.load(file)
    live = board.call("GET", "/v1/live")
    sample, now = live["stops"][0]["departures"][0], datetime.datetime.fromisoformat(live["time"])
    at = lambda seconds: (now + datetime.timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")

    def departure(line, case):
        departs, walk, status = case["departs"], case.get("walk"), case.get("status", "expected")
        kept = {key: sample[key] for key in ("stop", "madeAt", "passesFilters")}
        gone = departs + 30 if not walk else min(departs + 30, departs - walk * 2 / 3)
        isTimed = status not in ("delayed", "cancelled")
        held = {"hold": {"minutes": case["held"], "until": at(60)}} if "held" in case else {}
        return {
            **kept, **held, "line": f"{line}", "lineID": f"{line}", "destination": case["shows"], "status": status, "scheduled": at(departs), "facts": [],
            **({"expected": at(departs)} if status == "expected" else {}), **({"leaveBy": at(departs - walk)} if walk is not None and isTimed else {}),
            "staleAt": at(-1 if case.get("isStale") else 180), "expiresAt": at(departs + 30), "goneAt": at(gone if isTimed else departs + 30), "utcOffsetSeconds": 0,
        }
    departures = [departure(line, case) for line, case in enumerate(cases)]
    live["stops"][0]["departures"] = departures
    page.stub({"GET /v1/events": {"status": 503, "body": {}}, "GET /v1/live": {"body": live}})
    page.open(f"/stop?id={STOP}")
    page.reads("leaveIn 4")
    rows = page.browser.execute_script("""return Object.fromEntries([...document.querySelectorAll('main tbody tr')].map(row => [
        row.querySelector('.line').innerText.trim(), row.querySelector('.when').innerText.replace(/\\s+/g, ' ').trim()]))""")
    expected = {made["line"]: written(page, made, case["shows"]) for case, made in zip(cases, departures) if case["shows"] != "gone"}
    wrong = [(line, rows.get(line), expected.get(line)) for line in rows | expected if rows.get(line) != expected.get(line)]
    context.check("a row counts as on the display, for every case of counts.json", not wrong, wrong)
    page.stub({})


def lines(context, page, board):
    """Lines in the operator's colours, with the signs of their modes."""
    page.open()
    live = board.call("GET", "/v1/live")
    sample = live["stops"][0]["departures"][0]
    colours = ["000000", "0019A8", "757575", "767676", "777777", "DC241F", "FA7B05", "FFC80A", "FEFEFE", "039BE5", None]
    modes = ["bus", "tram", "metro", "train", "ferry", None]

    def departure(index, colour):
        kept = {key: value for key, value in sample.items() if key not in ("lineColour", "mode", "shortDestination")}
        mode = modes[index % len(modes)]
        return {**kept, "line": f"{index}", **({"lineColour": colour} if colour else {}), **({"mode": mode} if mode else {})}
    departures = [departure(index, colour) for index, colour in enumerate(colours)]
    live["stops"][0]["departures"] = departures
    page.stub({"GET /v1/events": {"status": 503, "body": {}}, "GET /v1/live": {"body": live}})
    page.open(f"/stop?id={STOP}")
    page.one('td svg[aria-label]', page.word("ferry"))
    # The colours of the badges, the contrast by the formula of WCAG 2, and what the signs are called.
    badges = page.browser.execute_script("""
        const numbers = colour => colour.match(/\\d+/g).slice(0, 3).map(Number);
        const luminance = colour => numbers(colour).map(value => value / 255).map(value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4)
            .reduce((sum, value, at) => sum + value * [.2126, .7152, .0722][at], 0);
        return Object.fromEntries([...document.querySelectorAll('td.line .badge')].map(badge => {
            const style = getComputedStyle(badge), both = [style.color, style.backgroundColor].map(luminance).sort((one, other) => other - one);
            const hex = numbers(style.backgroundColor).map(value => value.toString(16).padStart(2, '0')).join('').toUpperCase();
            return [badge.innerText.trim(), [hex, (both[0] + .05) / (both[1] + .05), badge.querySelector('svg')?.getAttribute('aria-label') ?? null]];
        }))""")
    wrong = [(index, colour, badges.get(f"{index}")) for index, colour in enumerate(colours) if colour and badges[f"{index}"][0] != colour]
    context.check("a badge has the colour of its line", not wrong, wrong)
    context.check("its text has a contrast of at least 4.5:1", all(contrast >= 4.5 for _, contrast, _ in badges.values()), badges)
    signs = [badges[f"{index}"][2] for index in range(len(modes))]
    context.check("the signs are named after the modes", signs == [mode and page.word(mode) for mode in modes], signs)
    for departure in live["stops"][0]["departures"]:
        departure.update(mode="bus", destination="Long Name Underground Station", shortDestination="Long Name")
    live["stops"] = live["stops"][:1]
    page.stub({"GET /v1/events": {"status": 503, "body": {}}, "GET /v1/live": {"body": live}})
    page.open(f"/stop?id={STOP}")
    page.reads("Long Name Underground Station")
    context.check("one mode alone has no sign", not page.find("td svg"))
    page.screen("board")
    page.reads("Long Name")
    context.check("Board has the short destination, and the stop the whole one", "Underground" not in page.text(), page.text())
    page.stub({})


def requested(context, page, board):
    """A stop that the board does not poll."""
    page.open(f"/stop?id={OTHER}")
    page.browser.execute_script("localStorage.setItem('boardd-token', 'A'.repeat(43))")
    look = board.call("POST", f"/v1/stops/{OTHER}/look")
    withheld = {**look, "departures": [], "withheld": True, "notice": "Withheld now"}
    page.stub({f"POST /v1/stops/{OTHER}/look": {"body": withheld}})
    page.open(f"/stop?id={OTHER}")
    page.reads(look["attribution"])
    context.check("withheld departures are reported, and not as none", "Withheld now" in page.text() and page.word("nothing") not in page.text(), page.text())
    page.stub({f"POST /v1/stops/{OTHER}/look": {"body": {**look, "partialFailure": {"kind": "status", "detail": "The board's own words", "at": look["time"]}}}})
    page.open(f"/stop?id={OTHER}")
    page.reads(page.word("incomplete"))
    context.check("an incomplete response is reported in the words of the page", "own words" not in page.text(), page.text())
    expired = copy.deepcopy(look)
    for departure in expired["departures"]:
        departure["expiresAt"] = departure["goneAt"] = "2020-01-01T00:00:00Z"
    page.stub({f"POST /v1/stops/{OTHER}/look": {"body": expired}})
    page.open(f"/stop?id={OTHER}")
    page.reads(look["attribution"])
    context.check("expired departures are not reported as none", look["departures"] and page.word("nothing") not in page.text(), page.text())
    page.stub({f"POST /v1/stops/{OTHER}/look": {"body": look}})
    page.screen("board")
    page.browser.execute_script("history.back()")
    eventually("the stop", lambda: page.browser.execute_script("return location.pathname") == "/stop")
    page.reads(look["departures"][0]["destination"])
    context.check("a stop whose departures have expired is requested again when it is opened", page.sent(f"POST /v1/stops/{OTHER}/look") == 2)
    page.hold([f"POST /v1/stops/{OTHER}/look"])
    page.stub({f"POST /v1/stops/{OTHER}/look": {"body": {**look, "notice": "Late notice"}}, f"POST /v1/stops/{THIRD}/look": {"body": {**look, "stop": THIRD}}})
    page.open(f"/stop?id={OTHER}")
    page.holds()
    page.browser.execute_script(f"history.pushState(null, '', '/stop?id={THIRD}'); dispatchEvent(new PopStateEvent('popstate'))")
    page.reads(look["departures"][0]["destination"])
    page.release()
    context.check("a late response of a stop that was left does not replace that of the stop in view",
                  look["departures"][0]["destination"] in page.text() and not any(text in page.text() for text in (page.word("notPolled"), "Late notice")), page.text())
    page.stub({})
    page.open(f"/stop?id={OTHER}")
    page.reads(page.word("notPaired"))
    context.check("a link to a stop opens no form where the token is invalid, and no digits are on the display",
                  not page.find("dialog") and not page.sent("POST /v1/pairings") and "pair" not in board.display().lower(), board.display())
    page.browser.execute_script("localStorage.clear()")


def sentences(context, page, board):
    """Errors of the board that a person can meet, as the page writes them; the board's own sentence is "board"."""
    def value(key, rule, **more):
        return {"kind": "invalid", "value": {"key": key, "rule": rule, "allowed": [], **more}}

    word, busy = page.word, {"kind": "rate-limited"}
    cases = [
        ("POST", "favourites", 404, {"kind": "not-found"}, word("noSuchStop")), ("POST", "favourites", 409, {"kind": "conflict"}, word("alreadyFavourite")),
        ("PATCH", "favourites/tfl%3A1", 404, {"kind": "not-found"}, word("notFavourite")), ("POST", "favourites/undo", 404, {"kind": "not-found"}, word("noUndo")),
        ("POST", "favourites/tfl%3A1/revert", 409, {"kind": "conflict"}, word("noUndo")), ("POST", "favourites", 403, {"kind": "not-allowed"}, word("notAllowed")),
        ("POST", "favourites", 422, {"kind": "invalid", "faults": [{}]}, word("faultyFile")), ("GET", "lines/tfl%3A1", 404, {"kind": "not-found"}, word("noSuchLine")),
        ("GET", "stops?query=a", 503, {"kind": "no-directory"}, word("noDirectory")), ("POST", "stops/tfl%3A1/look", 502, {"kind": "unreadable"}, word("notNow")),
        ("POST", "pairings", 429, busy, word("pairingPaused", time="1 hour 5 minutes")), ("POST", "press", 429, busy, word("manyRequests", time="1 hour 5 minutes")),
        ("GET", "pairings/a", 404, {"kind": "not-found"}, word("pairingOver")), ("POST", "pairings/a", 409, {"kind": "conflict"}, word("manyDevices")),
        ("POST", "pairings/a", 403, value("code", "wrong", tries=0), word("noTries")),
        ("POST", "pairings/a", 422, value("name", "length", minimum="1", maximum="40"), word("nameFault", word="1", code="40")),
        ("DELETE", "devices/a", 404, {"kind": "not-found"}, word("noDevice")),
        ("PATCH", "favourites/a", 422, value("walk", "range", minimum="30s", maximum="2h"), "Between 1 and 120 minutes"),
        ("PATCH", "favourites/a", 422, value("label", "length", minimum="1", maximum="60"), word("lengthFault", word="1", code="60")),
        ("PATCH", "favourites/a", 422, value("towards", "not-found"), word("towardsFault")), ("PATCH", "favourites/a", 422, value("towards", "format"), word("towardsFormat")),
        ("PATCH", "favourites/a", 400, value("when", "format"), word("whenFault")), ("PATCH", "favourites/a", 400, value("platforms", "format"), word("valueFault")),
        ("GET", "state", 500, {"kind": "failed"}, word("unexpected", word="board")),
    ]
    written = page.browser.execute_async_script(
        "const [cases, done] = arguments; import('/errors.js').then(({ sentence }) => done(cases.map(([method, path, status, error]) => "
        "sentence(method, path, status, { message: 'board', ...error }, 3900))))", cases)
    wrong = [(case, text) for case, text in zip(cases, written) if text != case[-1]]
    context.check("every error that a person can meet has a sentence of the page", not wrong, wrong)


def late(context, page, board):
    """Screens that were left before their responses arrived."""
    page.open()
    eventually("the display", page.is_live)
    with Stopped(board):
        page.one("nav a", page.word("about")).tap()
        eventually("the request for the file", lambda: board.url() + "/about.js" in page.requested())
        page.one("nav a", page.word("board")).tap()
    page.browser.execute_async_script("import('/about.js').then(arguments[0])")
    context.check("a file that arrives late does not replace the screen that was opened after it",
                  page.browser.execute_script("return location.pathname") == "/" and page.find("#display")
                  and page.find('nav a[data-screen="board"][aria-current="page"]'), page.text())
    page.hold([f"GET /v1/stops/{OTHER}"])
    page.open(f"/find?stop={OTHER}")
    page.one("#query")
    page.screen("about")
    page.release()
    address, message = page.browser.execute_script("return [location.pathname + location.search, document.querySelector('#toast p').textContent]")
    context.check("a position that arrives late changes neither the screen nor the address", (address, message) == ("/about", ""), f"{address} {message}")
    page.hold(["GET /v1/stops?query=Euston"])
    page.stub({"GET /v1/stops?query=Euston": {"body": []}})
    page.open("/find")
    search(page, "Euston")
    search(page, "Oxford")
    finds(page, "Oxford Street", 5)
    context.check("a second search does not wait for the first", "query=Oxford" in page.browser.execute_script("return location.search"))
    page.release()
    finds(page, "Oxford Street", 0)
    context.check("the results of the first do not replace those of the second", page.word("notFound", word="Euston") not in page.text())
    search(page, "Regent")
    finds(page, "Regent Street")
    page.browser.execute_script("history.back()")
    finds(page, "Oxford Street")
    text = page.one("#query").get_property("value")
    context.check("after Back the field has the search whose results are there", text == "Oxford", text)
    page.stub({"GET /v1/stops?query": {"status": 500, "body": {"error": {"kind": "failed", "message": "a failed search"}}}})
    search(page, "Wigmore")
    page.reads("a failed search")
    page.hold(["GET /v1/stops/"])
    page.browser.execute_script(f"history.pushState(null, '', '/find?stop={OTHER}'); dispatchEvent(new PopStateEvent('popstate'))")
    page.passes(2)
    context.check("the error of a search is not on the screen after it", "a failed search" not in page.text(), page.text())
    page.release()
    page.stub({})


def dead(context, page, board):
    """About while the board does not run."""
    page.open("/favourites")
    page.one("main li")
    page.screen("about")
    page.reads(page.word("healthy"))
    page.screen("board")
    board.stop()
    page.screen("about")
    page.reads(page.word("offline").partition("%time")[0], 30)
    context.check("About reports no health of a board that does not respond, and the lost connection", page.word("healthy") not in page.text(), page.text())
    page.screen("favourites")
    context.check("Favourites reports the lost connection", page.word("offline").partition("%time")[0] in page.text(), page.text())
    board.start()
    eventually("the end of the report", lambda: page.word("offline").partition("%time")[0] not in page.text(), 45)
    page.browser.complaints()


def pairing(context, board):
    """A device that may only look once it is paired: the page has no time of the board."""
    with Page(context, board, NARROW) as page:
        def begins():
            page.one("main button", page.word("pair")).tap()
            page.one("#code")
        page.open()
        page.browser.execute_script("history.replaceState({ pairing: { id: 'gone', expiresAt: '2020-01-01T00:00:00Z' } }, '')")
        page.browser.refresh()
        begins()
        board.digits()
        context.check("a pairing that has expired is not continued", True)
        field = page.one("#code")
        eventually("the response that begins a pairing", lambda: not page.find("dialog button", page.word("newDigits")))
        digits = "".join(board.digits().groups())
        field.tap()
        wrong = ["".join(str((int(digit) + by) % 10) for digit in digits) for by in (1, 2)]
        page.browser.type(wrong[0])
        eventually("the error", lambda: field.get_dom_attribute("aria-invalid") == "true")
        page.browser.press("Enter")
        page.reads(page.word("wrongCode", code="2"))
        page.browser.type(wrong[1])
        page.reads(page.word("wrongCode", code="1"))
        context.check("a wrong code costs one try, also where Enter follows its last digit", True)
        context.check("after a wrong code new digits can be requested", page.find("dialog button", page.word("newDigits")))
        board.call("POST", "/v1/press", {"gesture": "short"})
        page.one("dialog button", page.word("cancel")).tap()
        eventually("the end of the form", lambda: not page.find("#code"))
        begins()
        context.check("after a pairing that was declined new digits can be requested", page.find("dialog button", page.word("newDigits")))


def run(context):
    operator = Operator()
    board = Board(context.program, [STOP], operator.url)
    closed = None
    try:
        board.update_directory()
        eventually("the first response", lambda: operator.polls["490008660N"])
        with MovedPage(context, board, NARROW) as page:
            for part in (alerts, counts, lines, requested, sentences, late, dead):
                part(context, page, board)
        closed = Board(context.program, [STOP], operator.url, page='read = "paired"')
        pairing(context, closed)
    finally:
        board.close()
        if closed:
            closed.close()
        operator.close()
