"""Messages of boards with one value changed: to an extreme number, another type, a long text or nothing."""
import copy
import json
import re

from fleets import Fleet, clock, pause

ROOT = "boardd/1"
EXTREMES = [9223372036854775807, -9223372036854775808, 1e308, -1, 0, 1e-9, 253402300800, True, None, "", "x" * 3000, "\u202e\u0000\n\x1b[2J", [], {}, [[]],
            "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2026-02-30T25:61:61Z"]
# Keys that are left out where they have no value: of a response, of its first departure, of a query.
ADDED = {
    "answer": ["name", "letter", "nextDepartureAt", "nextDepartureIsOnAnotherDay", "timetableEndsAt", "badRows", "zone", "partialFailure", "error"],
    "departure": ["utcOffsetSeconds", "platform", "fare", "isRenewed", "staleAt", "trip"],
    "wants": ["lines", "towards", "latitude", "longitude", "name", "everySeconds"],
}
# After a change of these, a board publishes what it shows.
PAUSE = 0.05
MOST = 1500


def paths(value, path=()):
    """The places in a value, of a list only the first item."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], (*path, key))
    elif isinstance(value, list) and value:
        yield from paths(value[0], (*path, 0))


def changed(value, path, new):
    result = copy.deepcopy(value)
    place = result
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = new
    return result


def mutants(topic, payload):
    value = json.loads(payload)
    levels = topic.split("/")
    kind = levels[4] if levels[2] == "board" else levels[2]
    for key in ADDED.get(kind, []):
        for new in EXTREMES:
            yield {**value, key: new}
    if kind == "answer":
        for key in ADDED["departure"]:
            for new in EXTREMES:
                yield {**value, "departures": [{**value["departures"][0], key: new}, *value["departures"][1:]]}
    for path in paths(value):
        for new in EXTREMES:
            yield changed(value, path, new)


def run(context):
    with Fleet(context, ["kitchen", "den"], stops=("S1",), wrapper=clock(context), board='home = "overview"') as fleet:
        fleet.wait_for_first()
        pause(8)
        before = fleet["den"].favourites()
        latest = {message.topic: message.payload for message in fleet.watcher.messages if message.payload}
        sent = 0
        for topic, payload in sorted(latest.items()):
            if not topic.startswith(tuple(f"{ROOT}/{level}" for level in ("answer/", "asking/", "list/", "board/kitchen/"))):
                continue
            for value in list(mutants(topic, payload))[:MOST]:
                fleet.watcher.publish(topic, value, quality=1, retain=False)
                sent += 1
                if "/answer/" in topic and '"departures"' in json.dumps(value):
                    pause(PAUSE)
            # The last one is correct again.
            fleet.watcher.publish(topic, payload, quality=1, retain="list" in topic or "board" in topic)
            dead = [board.name for board in fleet.boards.values() if board.process.poll() is not None]
            context.check(f"all boards run after changed messages of {re.sub('[0-9a-f]{8}$', 'QUERY', topic)}", not dead, dead)
            if dead:
                return
        # What a board publishes to Home Assistant is computed a moment later.
        topic, payload = next((topic, payload) for topic, payload in latest.items() if "/answer/" in topic)
        value = json.loads(payload)
        for offset in (9223372036854775807, -9223372036854775808, 100_000):
            entries = [{**entry, "line": f"L{offset % 97}", "utcOffsetSeconds": offset} for entry in value["departures"]]
            fleet.watcher.publish(topic, {**value, "departures": entries}, quality=1)
            pause(3)
            sent += 1
        dead = [board.name for board in fleet.boards.values() if board.process.poll() is not None]
        context.check("all boards run after a time zone that does not exist", not dead, dead)
        if dead:
            return
        context.measured("changed messages", sent)
        pause(3)
        for board in fleet.others:
            context.check(f"{board.name} responds to commands", board.command("status")[0] == 0)
            context.check(f"{board.name} has its favourites", set(before) <= set(board.favourites()), board.favourites())
        den = fleet["den"]
        context.check("the display is up to date", fleet.has_next(den, 25) and den.shows("Mill", 25), den.display())
        # What they have stored of it must not end them at the next start.
        for board in fleet.others:
            code = board.stop()
            context.check(f"{board.name} ends well", code == 0, (code, board.text()[-500:]))
            board.start()
        pause(3)
        for board in fleet.others:
            context.check(f"{board.name} starts again", board.process.poll() is None and fleet.has_next(board, 30) and board.shows("Mill|Weir", 30), board.text()[-500:])
