#!/usr/bin/python3
"""The page in a browser on a telephone of 390 x 844 pixels: browser.py PROGRAM CHECKOUT [SECONDS].

PROGRAM serves the page's files in CHECKOUT/etc. Chromium and chromedriver are those of Tests/Page. CPU times of the browser are counted for
SECONDS (default 120), and scaled to ten minutes.

The operator changes its estimates as in a city. The board polls each stop every 30 s. A response has the next twelve departures, 30 to 240 s apart,
with estimates made now; each has a chance of one in four to be 5 to 50 s earlier or later than in the response before. One that is due is gone
from the next response, and another comes at the end: in about one response of five. Each stop has a seed of its own.
"""
import contextlib
import datetime
import os
import random
import socket
import sys
import tempfile
import time
import types

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "Tests/Page"), os.path.join(ROOT, "Tests/Support")]  # its page and browser, not those of this folder

from browser import Browser  # noqa: E402
from common import iso, row, stop  # noqa: E402
from daemon import Daemon, processor_time  # noqa: E402
from daemons import becomes, eventually  # noqa: E402
from main import browsers  # noqa: E402
from started import free_port  # noqa: E402
from tfl import Operator, pole, prediction  # noqa: E402

PHONE = (390, 844)
# The time of a departure; the notice that the connection is lost; the link to a screen, and what only that screen has.
DEPARTURE, LOST, LINK, FOUND = "td.when", "main > div:first-child > .notice.warn", 'nav a[data-screen="find"]', "#query"
EVENTS = "/v1/events"
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}  # ms and bytes a second: 400 kb/s
os.environ["TFL_APP_KEY"] = "0"  # with a key the quota allows 500 requests a minute

IS_SEEN = """
const isSeen = selector => [...document.querySelectorAll(selector)].some(element =>
  element.checkVisibility() && element.getBoundingClientRect().top < innerHeight && element.getBoundingClientRect().bottom > 0);
"""
# In each document: taps the link as soon as a departure is in view. Times in ms since the first navigation, over all documents.
TAPPER = f"""(() => {{ {IS_SEEN}
  const store = sessionStorage, now = () => performance.timeOrigin + performance.now();
  store.began ??= performance.timeOrigin;
  const look = () => {{
    if (!store.seen && isSeen('{DEPARTURE}')) {{
      store.seen = now() - store.began;
      document.querySelector('{LINK}').click();
    }}
    if (store.seen && isSeen('{FOUND}')) store.answered = now() - store.began;
    else requestAnimationFrame(look);
  }};
  requestAnimationFrame(look);
}})()"""
TOP = f"""const first = [...document.querySelectorAll('{DEPARTURE}')].find(element => element.checkVisibility());
return first && first.getBoundingClientRect().top + scrollY;"""


class City(Operator):
    """`alerts`: how many each stop has."""
    PLACES = ["Stoke Newington", "Archway", "Walthamstow Central", "King's Cross", "Victoria", "Oxford Circus", "Hackney Downs", "Euston"]
    LINES = ["7", "73", "390", "n73", "88", "139"]
    STREETS = ["High Street", "Station Road", "Church Lane", "Market Place", "Park Avenue"]

    def __init__(self, alerts=0, stops=25):
        self.alerts, self.expected = alerts, {}
        super().__init__(stops=[
            pole(stop(index), f"{self.STREETS[index % 5]} {index + 1}", "ABCDE"[index // 5], "Euston", f"5{index:04d}", 51.5 + index / 500, -0.14,
                 *self.LINES) for index in range(stops)])

    def response(self, steps, query):
        if steps[2:] == ["Disruption"]:
            begin, end = iso(time.time() - 3600), iso(time.time() + 86400)
            return [{"atcoCode": steps[1], "fromDate": begin, "toDate": end, "type": "Information", "appearance": "Information", "description":
                     f"Until further notice buses on route {index} do not stop here, because a water company works in the street. Walk to the next stop "
                     "in the direction of travel, 200 metres past the traffic lights, where all routes call as usual, at night too."}
                    for index in range(self.alerts)]
        response = super().response(steps, query)
        return self.departures_of(self.stops[steps[1]]) if response and steps[2:] == ["Arrivals"] else response

    def departures_of(self, place):
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        rng, coming = self.expected.setdefault(place["id"], (random.Random(place["id"]), []))
        coming[:] = [one for one in coming if one["due"] > now.timestamp()]
        for one in coming:
            if rng.random() < 0.25:
                one["due"] += rng.choice([-1, 1]) * rng.randint(5, 50)
        while len(coming) < 12:
            last = coming[-1]["due"] if coming else int(now.timestamp()) + 30
            coming.append({"due": last + rng.randint(30, 240), "line": rng.choice(self.LINES), "to": rng.choice(self.PLACES), "id": f"{rng.randrange(10**9)}"})
        return [{**prediction(place, one["line"], one["to"], one["due"] - int(now.timestamp()), now), "id": one["id"], "vehicleId": f"V{one['id']}"}
                for one in coming]


class Board(Daemon):
    """A daemon with its page, and the operator of its stops."""

    def __init__(self, program, folder, stops, alerts=0):
        os.mkdir(folder)
        self.city, self.port = City(alerts), free_port()
        self.arguments = (program, folder, self.city.url, stops)
        self.start()
        self.wait("first responses", lambda: len(self.city.polls) == stops)

    def start(self):
        super().__init__(*self.arguments, options=("--page", f"127.0.0.1:{self.port}", "--simulate"))
        self.discard_output()
        self.wait("page", self.accepts)

    def accepts(self):
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", self.port)):
            return True

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.port}{path}"

    def close(self):
        super().close()
        self.city.close()


class Phone(Browser):
    """A browser with an empty profile."""

    def __init__(self, context):
        super().__init__(context.chromedriver, *PHONE)

    def has(self, selector):
        return self.execute_script(f"{IS_SEEN} return isSeen(arguments[0])", selector)

    def open(self, board, path="/"):
        self.get(board.url(path))
        eventually("a departure in view", lambda: self.has(DEPARTURE))


def first_load(context, board):
    sizes, kinds = {}, {}
    with Phone(context) as phone:
        phone.open(board)
        time.sleep(1)
        for event in phone.events():
            parameters, kind = event["params"], event["method"]
            name = parameters.get("requestId")
            if kind == "Network.responseReceived":
                kinds[name] = parameters["response"]["url"].removeprefix(board.url(""))
                sizes[name] = parameters["response"]["encodedDataLength"]  # of its headers
            elif kind == "Network.dataReceived":
                sizes[name] = sizes.get(name, 0) + parameters["dataLength"]  # for a stream, which has no end and is not compressed
            elif kind == "Network.loadingFinished":
                sizes[name] = parameters["encodedDataLength"]
    names = [name for name in kinds if "icon" not in kinds[name] and kinds[name].startswith("/")]
    total = sum(sizes[name] for name in names)
    row(f"first load, {board.arguments[3]} favourites, {len(names)} responses, without icons", f"{total / 1000:.1f} kB", "<= 30 kB", total <= 30_000)
    row("  of it", ", ".join(f"{kinds[name].split('?')[0]} {sizes[name] / 1000:.1f}" for name in names))


def streams(boards):
    """The bytes of a stream in the 60 s after its first event, from several boards at once."""
    found = []
    for board in boards:
        connection = socket.create_connection(("127.0.0.1", board.port))
        connection.sendall(f"GET {EVENTS} HTTP/1.1\r\nHost: 127.0.0.1:{board.port}\r\nAccept: text/event-stream\r\n\r\n".encode())
        received = b""
        while b"\n\n" not in received.partition(b"\r\n\r\n")[2]:
            if not (part := connection.recv(65536)):
                sys.exit(f"browser.py: a stream begins with {received[:200]}")
            received += part
        connection.setblocking(False)
        found.append([board, connection, time.monotonic(), 0, sum(board.city.polls.values())])
    while time.monotonic() < found[-1][2] + 60:
        time.sleep(0.05)
        for stream in found:
            with contextlib.suppress(BlockingIOError):
                while time.monotonic() < stream[2] + 60 and (part := stream[1].recv(65536)):
                    stream[3] += len(part)
    for (board, connection, _, count, polls), goal in zip(found, (40, 150)):
        connection.close()
        row(f"a minute of stream, {board.arguments[3]} stops, {sum(board.city.polls.values()) - polls} polls", f"{count / 1000:.1f} kB", f"<= {goal} kB",
            count <= goal * 1000)


def browser_time(context, board, seconds, goal):
    """The CPU time of all processes of the browser, without that of loading the page."""
    with Phone(context) as phone:
        phone.open(board)
        time.sleep(5)
        phone.devtools("Network.disable")  # so that the events of the stream are not also reported to chromedriver
        root = phone.capabilities["goog:processID"]
        before = processor_time(root)
        time.sleep(seconds)
        took = processor_time(root) - before
    row(f"CPU time of the browser, {board.arguments[3]} favourites: {seconds} s · ten minutes", f"{took:.2f} · {took * 600 / seconds:.1f} s", f"<= {goal} s",
        took * 600 / seconds <= goal)


def usable(context, board):
    with Phone(context) as phone:
        phone.devtools("Network.emulateNetworkConditions", **SLOW)
        phone.begin(TAPPER)
        phone.get(board.url())
        eventually("an answer to a tap", lambda: phone.execute_script("return sessionStorage.answered"), 60)
        seen, answered = (float(phone.execute_script(f"return sessionStorage.{name}")) / 1000 for name in ("seen", "answered"))
    row(f"usable at 400 kb/s, 400 ms, {board.arguments[3]} favourites: departure · tap answered", f"{seen:.2f} · {answered:.2f} s", "<= 2.5 s", answered <= 2.5)


def restart(context, board, pause, goal):
    """From the first connection that is accepted to a page that has heard the board again, without a notice and with a departure."""
    with Phone(context) as phone:
        phone.open(board)
        time.sleep(5)
        if phone.has(LOST):
            sys.exit(f"browser.py: {LOST} before the connection is lost")
        Daemon.close(board)
        time.sleep(pause)
        phone.events()
        if pause > 10 and not phone.has(LOST):
            sys.exit(f"browser.py: no {LOST} while the board is away")
        board.start()
        began = time.monotonic()

        def is_back():
            heard.update(event["method"] for event in phone.events() if event["method"] == "Network.responseReceived"
                         and EVENTS in event["params"]["response"]["url"] and event["params"]["response"]["status"] == 200)
            return heard and not phone.has(LOST) and phone.has(DEPARTURE)
        heard = set()
        is_there = becomes(is_back, 90)
        took = time.monotonic() - began
    row(f"back after a restart of {pause} s", f"{took:.1f} s" if is_there else "not within 90 s", f"<= {goal} s", bool(is_there) and took <= goal)


def below_alerts(context, board):
    tops = {}
    with Phone(context) as phone:
        for name, path in (("the screen of the stop", f"/stop?id=tfl:{stop(0)}"), ("the board", "/")):
            phone.get(board.url(path))
            tops[name] = eventually("a departure", lambda: phone.execute_script(TOP))
    for name, top in tops.items():
        row(f"first departure with 100 alerts, {name}", f"y = {top:.0f}", "<= 300", top <= 300)


def main(program, checkout, seconds=120):
    os.environ["BOARDD_SHARE"] = os.path.join(os.path.abspath(checkout), "etc")
    with tempfile.TemporaryDirectory() as base:
        context = types.SimpleNamespace(common=base, work=base, skip=lambda _: None)
        boards = {stops: Board(program, os.path.join(base, f"{stops}"), stops) for stops in (3, 5, 25)}
        alerted = Board(program, os.path.join(base, "alerts"), 3, alerts=100)
        time.sleep(35)  # until each stop was polled again
        streams([boards[5], boards[25]])
        boards[5].close()
        with browsers(context):
            first_load(context, boards[3])
            usable(context, boards[25])
            below_alerts(context, alerted)
            alerted.close()
            browser_time(context, boards[3], int(seconds), 4)
            browser_time(context, boards[25], int(seconds), 12)
            restart(context, boards[3], 3, 4)
            restart(context, boards[3], 45, 5)
        boards[3].close()
        boards[25].close()


main(*sys.argv[1:])
