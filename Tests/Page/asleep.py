"""A device that sleeps under an open page, so that its steady clock stands and no event arrives; and an estimate that becomes stale
between two events."""
import contextlib
import datetime
import functools
import re
import time
import zoneinfo

from board import Board, Stopped
from daemons import eventually
from moved import MovedPage
from page import NARROW
from tfl import STOPS, Operator, prediction

STOP = "tfl:490008660N"
# Lines, and the seconds until their departures, which expire 30 s later. Some expire during a sleep.
AHEAD = {"73": 75, "390": 290, "n73": 500, "7": 900, "88": 2400}
SLEEP = 600  # seconds
STALE = 180  # the age in seconds at which an estimate of TfL is stale: ExpiryPolicy
# Once `holds` is true, the next event of the display waits before the page's decoder until decode() is called.
DECODER = """
window.decoded = 0;
const fetched = window.fetch;
window.fetch = async (...all) => {
  const response = await fetched(...all);
  if (!all[0].startsWith('/v1/events')) return response;
  return new Response(response.body.pipeThrough(new TransformStream({ async transform(chunk, controller) {
    const isHeld = window.holds && /event: display/.test(new TextDecoder().decode(chunk));
    if (isHeld) await new Promise(done => { holds = false; window.decode = done; });
    controller.enqueue(chunk);
    if (isHeld) decoded += 1;
  } })), response);
};
"""
ROWS = """
return [...document.querySelectorAll('main tbody tr')].map(row => [row.querySelector('.line').innerText.trim(),
  row.querySelector('.mark > [aria-hidden]')?.innerText ?? '', row.querySelector('.when').lastChild.textContent.trim(),
  row.querySelector('.when').innerText.replace(/\\s+/g, ' ').trim()]);
"""


class Departures:
    """The operator's departures, whose estimates were made `age` seconds before `began`, when they were first requested."""

    def __init__(self, age=0):
        self.age, self.began = age, datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)

    def __call__(self):
        pole = STOPS[0]
        rows = [prediction(pole, line, "Archway", seconds, self.began) for line, seconds in AHEAD.items()]
        made = self.began - datetime.timedelta(seconds=self.age)
        return [{**row, "timestamp": f"{made:%Y-%m-%dT%H:%M:%SZ}"} for row in rows]

    def due(self, line):
        return self.began + datetime.timedelta(seconds=AHEAD[line])

    def clock(self, line):
        return f"{self.due(line).astimezone(zoneinfo.ZoneInfo('Europe/London')):%H:%M}"

    def left(self, line):
        return (self.due(line) - datetime.datetime.now(datetime.timezone.utc)).total_seconds()


def lines(page):
    return {row[0].lower() for row in page.browser.execute_script(ROWS)}


def has_display(page):
    return page.browser.execute_script("return getComputedStyle(document.getElementById('display')).visibility") == "visible"


def wrong(page, departures, asleep=0):
    """Rows that show another time than that of their departure `asleep` seconds from now, and rows that have expired by then."""
    found = []
    for line, _, _, text in page.browser.execute_script(ROWS):
        left = departures.left(line.lower()) - asleep
        minutes = re.search(rf"(\d+) {page.word('minutes')}", text)
        if minutes:  # computed in the last tick
            isRight = max(1, (left - 2) // 60) <= int(minutes[1]) <= max(1, (left + 5) // 60)
        else:
            isRight = departures.clock(line.lower()) in text or page.word("due") in text and left < 31
        if not isRight or left < -30.5:
            found.append(f"{line} {text!r}, {left:.0f} s before it departs")
    return found


def is_by_clock(page):
    """Whether every row has the time of its departure, and none has minutes."""
    rows = page.browser.execute_script(ROWS)
    return rows and all(re.search(r"\d\d:\d\d", text) and page.word("minutes") not in text for *_, text in rows)


def after(context, page, departures, what):
    """What the page shows after a sleep of `SLEEP` seconds, before the board has sent anything."""
    later = {line for line, seconds in AHEAD.items() if seconds > SLEEP}
    eventually(lambda: f"{what}: only departures that have not expired, on the page, which has: {page.text()}", lambda: lines(page) == later, 10)
    context.check(f"{what}: no departure is on the page past its expiry", True)
    eventually(lambda: f"{what}: clock times, on the page, which has: {page.text()}", lambda: is_by_clock(page), 10)
    context.check(f"{what}: the picture of the display, with minutes from before the sleep, is not shown", not has_display(page))
    found = wrong(page, departures, SLEEP)
    context.check(f"{what}: no row has minutes, and each has its right time", not found, found)
    marks = {row[1] for row in page.browser.execute_script(ROWS)}
    context.check(f"{what}: estimates from before the sleep have the mark of old ones", marks == {"~"}, page.text())
    shown = page.one("main header time").text
    now = datetime.datetime.now().astimezone() + datetime.timedelta(seconds=SLEEP)
    times = {f"{now + datetime.timedelta(seconds=step):%H:%M}" for step in (-20, 0, 20)}
    context.check(f"{what}: the clock of the page does not show the time at which it fell asleep", shown in times | {""}, f"{shown}, not {times}")


def awake(context, page, departures, what):
    """The page has the state of the board again: all departures, in minutes by the board's clock, which has not jumped."""
    here = {line for line in AHEAD if departures.left(line) > 0}
    eventually(lambda: f"{what}: all departures again, on the page, which has: {page.text()}", lambda: lines(page) >= here and not is_by_clock(page), 45)
    found = wrong(page, departures)
    context.check(f"{what}: the page has the board's state again, with all departures and in minutes", not found and has_display(page), found)
    context.check(f"{what}: no row has a mark", not any(row[1] for row in page.browser.execute_script(ROWS)), page.text())
    eventually(f"{what}: the end of the report", lambda: page.word("offline").partition("%time")[0] not in page.text())


def opened(page):
    page.open()
    eventually("the display", page.is_live)
    eventually(lambda: f"all departures on the page, which has: {page.text()}", lambda: lines(page) == set(AHEAD))


def with_departures(age=0):
    """A scenario with a board and departures whose estimates are `age` seconds old."""
    def decorate(scenario):
        @functools.wraps(scenario)
        def run(context):
            departures = Departures(age)
            with contextlib.closing(Operator(departures)) as operator, contextlib.closing(Board(context.program, [STOP], operator.url)) as board:
                scenario(context, board, departures)
        return run
    return decorate


@with_departures()
def unreachable(context, board, departures):
    """The device wakes where it has no connection to the board, and the board returns later."""
    with MovedPage(context, board, NARROW) as page:
        opened(page)
        board.stop()
        page.suspends(SLEEP)
        after(context, page, departures, "without a connection")
        page.reads(page.word("offline").partition("%time")[0])
        board.start()
        awake(context, page, departures, "with a connection again")
        page.browser.complaints()


@with_departures()
def reachable(context, board, departures):
    """The board is there, and its response takes long: until then the page has nothing newer."""
    with MovedPage(context, board, NARROW) as page:
        opened(page)
        context.check("while nothing happens, each row has its right time", not wrong(page, departures), wrong(page, departures))
        page.requested()
        with Stopped(board):
            page.suspends(SLEEP)
            after(context, page, departures, "before the board responds")
            eventually("a new stream", lambda: board.url() + "/v1/events" in page.requested())
            context.check("the page connects again after a sleep", True)
        awake(context, page, departures, "after the response")
        # A second sleep is one again.
        with Stopped(board):
            page.suspends(SLEEP)
            after(context, page, departures, "after a second sleep")
        awake(context, page, departures, "after the second response")
        page.is_calm("sleep with a connection")


@with_departures()
def unresponsive(context, board, _):
    """The board sends nothing while its connections stay open."""
    with MovedPage(context, board, NARROW) as page:
        opened(page)
        words = page.word("offline").partition("%time")
        with Stopped(board):
            began = time.monotonic()
            page.reads(words[0])
            context.measured("a board that sends nothing is reported", f"after {time.monotonic() - began:.1f} s")
            context.check("a board that sends nothing is reported within 9 s", time.monotonic() - began < 9)
        eventually("the end of the report", lambda: words[0] not in page.text(), 45)
        context.check("the page recovers by itself from a board that sent nothing", True)
        page.browser.complaints()


def hold_press(page, board):
    page.browser.execute_script("window.holds = true")
    board.call("POST", "/v1/press", {"gesture": "short"})
    eventually("the event in the decoder", lambda: page.browser.execute_script("return !!window.decode"))


@with_departures()
def buffered(context, board, departures):
    """An event from before the sleep, which the page reads only after it, is not news."""
    with MovedPage(context, board, NARROW) as page:
        page.browser.begin(DECODER)
        opened(page)
        hold_press(page, board)
        with Stopped(board):
            page.browser.execute_script(f"time.asleep += {SLEEP * 1000}; decode()")
            eventually("the event from the decoder", lambda: page.browser.execute_script("return decoded"))
            after(context, page, departures, "with an event from before the sleep")
        awake(context, page, departures, "after the event and a response")
        eventually("the picture of the display as it is now", page.has_picture)


@with_departures()
def decoded(context, board, departures):
    """An event that is in the decoder when the device falls asleep, and leaves it after the page has connected again, is not news either."""
    with MovedPage(context, board, NARROW) as page:
        page.browser.begin(DECODER)
        opened(page)
        hold_press(page, board)
        streams = page.sent("GET /v1/events")
        with Stopped(board):
            page.suspends(SLEEP)
            eventually("a new stream", lambda: page.sent("GET /v1/events") > streams)
            page.browser.execute_script("decode()")
            eventually("the event from the decoder", lambda: page.browser.execute_script("return decoded"))
            page.passes(1)
            after(context, page, departures, "with an event from before the sleep in the decoder")
        page.browser.complaints()


@with_departures()
def hidden(context, board, departures):
    """A telephone hides the page before it sleeps, and shows it before anything else."""
    shows = """Object.defineProperty(document, 'hidden', { value: arguments[0], configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));"""
    with MovedPage(context, board, NARROW) as page:
        opened(page)
        with Stopped(board):
            page.browser.execute_script(shows, True)
            page.browser.execute_script(shows, False)
            eventually(lambda: f"clock times, on the page, which has: {page.text()}", lambda: is_by_clock(page), 10)
            context.check("a page that was hidden without a sleep shows clock times until the board responds", True)
        awake(context, page, departures, "a page that was hidden without a sleep")
        page.browser.execute_script(shows, True)
        with Stopped(board):
            page.browser.execute_script(f"time.asleep += {SLEEP * 1000}; {shows}", False)
            after(context, page, departures, "a page that was hidden")
        awake(context, page, departures, "a page that was hidden, after the response")


@with_departures(STALE - 30)
def stale(context, board, departures):
    """An estimate becomes stale while the board sends nothing: the page marks it by itself."""
    with MovedPage(context, board, NARROW) as page:
        opened(page)
        due = (departures.began + datetime.timedelta(seconds=STALE - departures.age)).timestamp() * 1000
        stated = {datetime.datetime.fromisoformat(row["staleAt"]).timestamp() * 1000
                  for stop in board.call("GET", "/v1/live")["stops"] for row in stop["departures"]}
        context.check("the board states when its estimates become stale", stated == {due}, f"{stated}, not {due}")
        page.browser.execute_script("""
            const seen = () => window.marked ??= document.querySelector('.mark') && Date.now();
            new MutationObserver(seen).observe(document.getElementById('main'), { childList: true, subtree: true });
            seen();""")
        with Stopped(board):
            context.check("before that no row has a mark", not page.find("main .mark") and time.time() * 1000 < due, page.text())
            marked = eventually("the mark", lambda: page.browser.execute_script("return window.marked"), 60)
            context.measured("the mark of an old estimate", f"{(marked - due) / 1000:.1f} s after it became stale")
            context.check("an estimate has its mark once it is stale, without an event", marked >= due, f"{marked - due} ms")
            rows = page.browser.execute_script(ROWS)
            found = wrong(page, departures)
            context.check("every row has the mark, and its minutes", {row[1] for row in rows} == {"~"} and not is_by_clock(page) and not found, rows + found)
            page.reads(f"~ {page.word('roughly')}")
        page.is_calm("a mark without an event")


@with_departures()
def uncaught(context, board, departures):
    """What a person no longer catches even at a run: the page drops it by itself, while the board sends nothing."""
    board.call("PATCH", f"/v1/favourites/{STOP}", {"walk": "1m"})
    # At a run the walk takes two thirds of its minute.
    caught = lambda: {line for line in AHEAD if departures.left(line) > 40}
    with MovedPage(context, board, NARROW) as page:
        page.open()
        eventually("the display", page.is_live)
        eventually(lambda: f"what can be caught on the page, which has: {page.text()}", lambda: lines(page) == caught())
        with Stopped(board):
            soonest = min(caught(), key=departures.left)
            page.passes(int(departures.left(soonest) - 35))
            eventually(lambda: f"no line {soonest} on the page, which has: {page.text()}", lambda: soonest not in lines(page), 10)
            context.check("a departure that can no longer be caught is not on the page, before it expires", departures.left(soonest) > 0 and lines(page))
