"""A broker that ends, freezes and starts empty, and a network that is divided."""
import json
import time

from daemons import becomes, eventually
from fleets import INTERVAL, PATIENCE, SLACK, Fleet, pause
from proxies import Proxy

SPREAD = 10
NAMES = ["kitchen", "den", "attic"]


def each_polls(context, fleet, what, since, limit):
    """Every board sends its own requests within `limit` seconds."""
    firsts = {}
    for name in NAMES:
        found = eventually(f"a request of {name}", lambda: fleet.operator.between(since, board=name), limit + 20)
        firsts[name] = round(found[0].at - since, 1)
    context.measured(f"{what}: each board polls for itself after", firsts)
    context.check(f"{what}: each board polls for itself within {limit:.0f} s", max(firsts.values()) < limit + SLACK, firsts)
    context.check(f"{what}: they do not begin at one moment", max(firsts.values()) - min(firsts.values()) > 0.05, firsts)


def killed(context):
    with Fleet(context, NAMES) as fleet:
        fleet.wait_for_first()
        pause(INTERVAL)
        topics = {message.topic for message in fleet.watcher.messages if message.topic.split("/")[2] in ("answer", "list")
                  or message.topic.endswith(("/status", "/wants"))}
        fleet.broker.kill()
        since = time.monotonic()
        each_polls(context, fleet, "the broker ends", since, INTERVAL + PATIENCE + SPREAD)
        context.check("the broker ends: all displays show departures", all(board.shows("Mill|Weir", 1) for board in fleet.others))
        context.check("the broker ends: it is in the log", all(board.logged("no connection|connection lost", 1) for board in fleet.others),
                      fleet["den"].text())
        fleet.broker.start()
        started = time.monotonic()
        watcher = fleet.client("watcher-2", user="watcher")
        watcher.subscribe("#")
        there = lambda: {message.topic for message in watcher.messages if message.payload}
        becomes(lambda: topics <= there(), 60)
        context.measured("the broker starts empty: everything is on it again after", f"{time.monotonic() - started:.0f} s")
        context.check("the broker starts empty: status, queries, responses and lists are on it again", topics <= there(), topics - there())
        pause(INTERVAL + PATIENCE)
        since = time.monotonic()
        who = {one.board for one in fleet.operator.between(since, pause(2 * INTERVAL))}
        context.check("the broker starts empty: the hub polls for all again", who == {"hub"}, who)
        statuses = {message.topic: json.loads(message.payload)["state"] for message in watcher.messages if message.topic.endswith("/status") and message.payload}
        context.check("the broker starts empty: all boards are online", set(statuses.values()) == {"online"}, statuses)


def frozen(context):
    with Fleet(context, NAMES) as fleet:
        fleet.wait_for_first()
        pause(INTERVAL)
        fleet.broker.freeze()
        since = time.monotonic()
        each_polls(context, fleet, "the broker freezes", since, INTERVAL + PATIENCE + SPREAD)
        pause(2 * INTERVAL)
        context.check("the broker freezes: all displays show departures", all(board.shows("Mill|Weir", 1) for board in fleet.others))
        # An operator's limit is not passed by boards that poll alone.
        longest, shortest = fleet.gaps(since, time.monotonic())
        fleet.broker.thaw()
        pause(INTERVAL + 2 * PATIENCE)
        since = time.monotonic()
        who = {one.board for one in fleet.operator.between(since, pause(2 * INTERVAL))}
        context.check("the broker continues: the hub polls for all again", who == {"hub"}, who)


def divided(context):
    """One board loses the network to the broker, without a packet: both sides poll, and both change the favourites."""
    with Fleet(context, ["kitchen"], stops=("S1",), board='home = "overview"') as fleet:
        proxy = Proxy(fleet.broker.port)
        try:
            den = fleet.add("den", port=proxy.port)
            fleet.wait_for_first()
            pause(INTERVAL)
            proxy.mode = "hole"
            since = time.monotonic()
            first = eventually("a request of the board behind the hole", lambda: fleet.operator.between(since, board="den"), 60)[0]
            context.measured("the network is divided: the board polls for itself after", f"{first.at - since:.1f} s")
            until = time.monotonic()
            context.check("the network is divided: the other side continues with its hub",
                          {one.board for one in fleet.operator.between(since, until)} <= {"hub", "den"})
            feed = "siri.vale"
            for board, stop in ((fleet["kitchen"], "S7"), (den, "S8")):
                status, text = board.command("favourites", "add", f"{feed}:{stop}")
                context.check(f"the network is divided: a favourite is added on {board.name}", status == 0, text)
            pause(2)
            proxy.mode = "cut"
            pause(2)
            proxy.mode = "pass"
            healed = time.monotonic()
            both = {f"{feed}:{stop}" for stop in ("S1", "S7", "S8")}
            becomes(lambda: set(fleet["kitchen"].favourites()) == set(den.favourites()) == both, 60)
            context.measured("the network heals: the lists are merged after", f"{time.monotonic() - healed:.1f} s")
            context.check("the network heals: both have both favourites", set(fleet["kitchen"].favourites()) == set(den.favourites()) == both,
                          [fleet["kitchen"].favourites(), den.favourites()])
            context.check("in the same order", fleet["kitchen"].favourites() == den.favourites())
        finally:
            proxy.close()
