"""Messages that no board sends: nonsense, foreign versions, times of the future, and what a broker has stored of them."""
import json
import random
import re
import signal
import time

from daemons import becomes
from fleets import Fleet, clock, pause

FEED = "siri.vale"
ROOT = "boardd/1"
LARGEST = 65536


def nonsense():
    rng = random.Random(6)
    yield "bytes", rng.randbytes(LARGEST)
    yield "zeros", bytes(LARGEST)
    yield "nothing", b""
    yield "a text", b'"hello"'
    yield "a number", b"1e999"
    yield "not closed", b'{"departures": [' * 2000
    yield "deep", b"[" * 30000 + b"]" * 30000
    yield "many keys", json.dumps({f"k{index}": [index] * 5 for index in range(2500)}).encode()
    yield "more than permitted", b'{"a": "' + b"x" * (2 * LARGEST - 100000 + 30000) + b'"}'
    yield "an array", b"[[],[],{}]"
    yield "an empty object", b"{}"
    yield "wrong types", b'{"departures": "no", "asked": {}, "sent": [], "by": 7, "entries": 3, "state": [], "queries": {"a": 1}}'


def topics(fleet):
    """The topics that a board reads, as the boards of the fleet have used them."""
    used = {message.topic for message in fleet.watcher.messages}
    found = sorted(topic for topic in used if re.match(rf"{ROOT}/(answer|list|board/[^/]+/(status|wants))\b", topic))
    return found + [f"{ROOT}/board/den/do/press", f"{ROOT}/board/den/do/refresh", f"{ROOT}/board/den/do/unknown", f"{ROOT}/asking/{FEED}/S1/0a1b2c3d",
                    f"{ROOT}/list/home", "homeassistant/status"]


def live(context, fleet):
    den = fleet["den"]
    before, frames, mark = den.favourites(), len(den.frames()), len(den.text())
    sent = 0
    for topic in topics(fleet):
        for what, payload in nonsense():
            # An empty message of a board removes what it has stored; only the board itself may send it.
            if payload or not topic.endswith(("/wants", "/status")):
                fleet.watcher.publish(topic, payload, quality=1, retain=False)
                sent += 1
    for topic in ("boardd/2/list/home", "boardd/1/board", "boardd/1/answer/a", "boardd/1/answer/%zz/%zz/xyz", "boardd/1/list/UPPER", "boardd/1/board//wants"):
        fleet.watcher.publish(topic, b"{}", quality=1)
    pause(4)
    context.measured("messages of nonsense", sent)
    for board in fleet.boards.values():
        context.check(f"{board.name} runs after nonsense", board.process.poll() is None, board.text()[-2000:])
    context.check("the favourites are unchanged", den.favourites() == before, den.favourites())
    shown = "\n".join("\n".join(rows) for rows in den.frames()[frames:])
    context.check("no nonsense is on the display", not re.search("hello|xxxx", shown), shown[-400:])
    lines = den.text(mark).splitlines()
    # The lines about messages are limited, and some were about the list before.
    context.check("the log reports messages that are not used", re.search("unreadable|malformed|not JSON|not used|too (long|large)", den.text()), den.text()[-1500:])
    context.check("with a limited number of lines", len(lines) <= 40, len(lines))
    context.measured("lines in the log", len(lines))
    for line in lines[:8]:
        context.measured("  line", line[:200])
    status, text = den.command("fleet")
    context.check("boardd fleet reports them", re.search("unreadable|malformed|not JSON|larger|too (long|large)", text), (status, text))
    since = time.monotonic()
    pause(25)
    context.check("the fleet continues: the hub polls", fleet.operator.between(since, board="hub"), fleet.operator.between(since))
    context.check("the display is up to date", fleet.has_next(den, 15) and den.shows("Mill", 15), den.display())


def future(context, fleet):
    """A response of tomorrow, and one of a hub whose clock is 5 minutes ahead."""
    den = fleet["den"]
    latest = next(message for message in reversed(fleet.watcher.messages)
                  if message.topic.startswith(f"{ROOT}/answer/{FEED}/S1/") and b"Mill" in message.payload)

    def moved(seconds, destination):
        def move(value):
            if isinstance(value, dict):
                return {key: move(item) for key, item in value.items()}
            if isinstance(value, list):
                return [move(item) for item in value]
            match = isinstance(value, str) and re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z", value)
            if not match:
                return value
            import calendar
            at = calendar.timegm(time.strptime(match[1], "%Y-%m-%dT%H:%M:%S")) + seconds
            return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + (match[2] or "") + "Z"
        return json.dumps(move(json.loads(re.sub(rb"Mill \d+", destination.encode(), latest.payload)))).encode()

    mark = len(den.text())
    fleet.watcher.publish(latest.topic, moved(300, "Ahead 5"), quality=1)
    sentence = den.logged("clock|ahead|future", 5, mark)
    context.check("a response that was sent 5 minutes ahead of the clock is reported", sentence, den.text(mark))
    context.measured("the sentence", sentence)
    status, text = den.command("fleet")
    context.check("boardd fleet reports the clock", re.search("clock|ahead|future", text), (status, text))
    fleet.watcher.publish(latest.topic, moved(86400, "Tomorrow"), quality=1)
    fleet.watcher.publish(latest.topic, moved(-86400, "Yesterday"), quality=1)
    pause(1)
    context.check("a response of yesterday has no rows", "Yesterday" not in den.display(), den.display())
    context.check("the hub's next response is drawn", fleet.has_next(den, 25) and den.shows("Mill", 25), den.display())


def list_of_the_future(context, fleet):
    """A list with stamps of the year 2100, and one that would not load."""
    den = fleet["den"]
    message = fleet.watcher.wait(f"{ROOT}/list/home", 20)
    if message is None:
        context.check("a list is on the bus", False)
        return
    before = den.favourites()
    context.measured("a list on the bus", message.payload[:700])
    century = 4102444800000
    # A stamp is milliseconds, a counter and the board.
    ahead = re.sub(rb"(?<!\d)1[6-9]\d{11}(?!\d)", str(century).encode(), message.payload)
    ahead = ahead.replace(b"S1", b"S6")
    mark = len(den.text())
    context.check("the test has changed the stamps", ahead != message.payload and ahead.replace(b"S6", b"S1") != message.payload, message.payload[:300])
    fleet.watcher.publish(f"{ROOT}/list/home", ahead, retain=True)
    sentence = den.logged("ahead|future|clock|rejected", 6, mark)
    context.check("stamps of the future are reported", sentence, den.text(mark))
    context.measured("the sentence", sentence)
    fleet.watcher.publish(f"{ROOT}/list/home", b"", retain=True)
    fleet.watcher.publish(f"{ROOT}/list/home", b"{}", retain=True)
    fleet.watcher.publish(f"{ROOT}/list/home", b'{"version": 99, "stops": {}}', retain=True)
    fleet.watcher.publish(f"{ROOT}/list/home", b'{"version": 2, "stops": {}}', retain=True)
    pause(4)
    context.check("no favourite is lost", set(before) <= set(den.favourites()), [before, den.favourites()])
    context.check("none of the future is added", f"{FEED}:S6" not in den.favourites(), den.favourites())
    latest = fleet.watcher.latest(f"{ROOT}/list/home")
    context.check("the boards publish the list again", latest and b"S1" in latest.payload, latest and latest.payload[:200])
    status, text = den.command("fleet")
    context.check("boardd fleet reports the stamps", re.search("ahead|future|clock|rejected", text), (status, text))


def stored(context, fleet):
    """Rubbish that the broker has stored before a board starts."""
    den = fleet["den"]
    status = json.loads(next(message.payload for message in fleet.watcher.messages if message.topic == f"{ROOT}/board/hub/status"))
    den.stop()
    payloads = dict(nonsense())
    for topic in topics(fleet):
        # The hub's own status remains: only the hub may write it.
        if "/do/" in topic or "/hub/" in topic:
            continue
        fleet.watcher.publish(topic, payloads["wrong types"] if "status" in topic else payloads["bytes"], retain=True)
    # A hub that ended without a trace, and of which the broker still has everything.
    fleet.watcher.publish(f"{ROOT}/board/ghost/status", {**status, "session": "1"}, retain=True)
    fleet.watcher.publish(f"{ROOT}/board/ghost/wants", payloads["many keys"], retain=True)
    den.start()
    context.check("a board starts with rubbish on the broker", fleet.has_next(den, 45) and den.shows("Mill|Weir", 45), den.display() + den.text()[-1500:])
    context.check("and has its favourites", f"{FEED}:S1" in den.favourites(), den.favourites())
    becomes(lambda: "ghost" in den.command("fleet")[1], 20)  # it shows the departures of before its start at once, and connects soon after
    status, text = den.command("fleet")
    context.check("boardd fleet lists a board that is not there", "ghost" in text, text)
    status, text = den.command("fleet", "forget", "ghost")
    context.check("boardd fleet forget without the right reports that", status != 0 and re.search("does not let this board", text), (status, text))
    status, text = fleet["hub"].command("fleet", "forget", "ghost")
    context.check("boardd fleet forget with the right removes it", status == 0, text)
    left = fleet.client("watcher-3", user="watcher")
    left.subscribe(f"{ROOT}/board/ghost/#")
    context.check("its stored messages are gone", left.wait(lambda message: message.payload, 2) is None)


def run(context):
    with Fleet(context, ["kitchen", "den"], stops=("S1",), wrapper=clock(context)) as fleet:
        with open(fleet.broker.path("acl")) as file:
            content = file.read()
        with open(fleet.broker.path("acl"), "w") as file:
            file.write(content.replace("\n#topic", "\ntopic"))
        fleet.broker.process.send_signal(signal.SIGHUP)  # mosquitto reads the rights again
        fleet.wait_for_first()
        pause(3)
        future(context, fleet)
        list_of_the_future(context, fleet)
        live(context, fleet)
        stored(context, fleet)
