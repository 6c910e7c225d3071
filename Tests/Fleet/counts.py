"""How many requests an operator gets from ten boards: with a hub, when it is killed in the middle, and without one."""
import time

from fleets import INTERVAL, PATIENCE, SLACK, Fleet, names, pause
from proxies import Proxy

BOARDS = 10


def report(context, fleet, what, since, until, interval):
    found = fleet.requests(since, until)
    longest, shortest = fleet.gaps(since, until)
    who = {}
    for requests in found.values():
        for one in requests:
            who[one.board] = who.get(one.board, 0) + 1
    counts = [len(requests) for requests in found.values()]
    context.measured(f"{what}: requests for each stop in {until - since:.0f} s with intervals of {interval} s",
                     f"{counts}, longest pause {longest:.1f} s, shortest {shortest:.1f} s, by {who}")
    return counts, longest, shortest, who


# Two boards whose random waits differ by less than the broker's latency send a request each: in 7 % of the intervals. In a short run a few
# of these would be more than the limits.
CHANCE = 2


def period(context):
    """Its seconds, and those of an interval."""
    return (300, 30) if context.isLong else (60, INTERVAL)


def hub(context):
    seconds, interval = period(context)
    intervals, chance = seconds // interval, 0 if context.isLong else CHANCE
    # Every board may send responses; with `acl` each would poll for itself after the end of the hub.
    with Fleet(context, names(BOARDS), acl="acl-without-hub", interval=interval) as fleet:
        began = time.monotonic()
        fleet.wait_for_first()
        context.measured("requests until all of ten boards show departures", len(fleet.operator.between(began - 30)))
        since = pause(2 * interval)
        until = pause(seconds)
        counts, longest, shortest, who = report(context, fleet, "with a hub", since, until, interval)
        context.check("with a hub, all requests are the hub's", set(who) == {"hub"}, who)
        context.check(f"with a hub, each stop gets one request an interval ({intervals})",
                      all(intervals - 1 <= count <= intervals for count in counts) and shortest > interval - SLACK, counts)
        # A poll may be late by a tenth of the interval, as without a fleet.
        context.check("with a hub, no interval is without a request", longest < 1.1 * interval + SLACK, longest)

        fleet["hub"].kill()
        killed = time.monotonic()
        status = "boardd/1/board/hub/status"
        offline = fleet.watcher.wait(lambda message: message.topic == status and b"offline" in message.payload, 5)
        context.check("the status of a board that was killed is offline at once", offline is not None, fleet.watcher.latest(status))
        until = pause(seconds)
        counts, longest, _, who = report(context, fleet, "the hub is killed", killed, until, interval)
        context.check("after the end of the hub, each stop gets at most one request more", sum(counts) <= (intervals + 1) * len(counts) + chance, counts)
        context.check("after the end of the hub, one board takes over within an interval and 3 s", longest < 1.1 * interval + 3 + SLACK, longest)
        context.check("the boards take turns", len(who) > 1 and "hub" not in who, who)
        context.check("all boards show departures", all(board.shows("Mill|Weir", 1) for board in fleet.others))


def no_hub(context):
    seconds, interval = period(context)
    with Fleet(context, names(BOARDS), acl="acl-without-hub", interval=interval) as fleet:
        fleet.wait_for_first()
        fleet["hub"].kill()
        since = pause(2 * interval)
        until = pause(2 * seconds if context.isLong else seconds)
        counts, *_ = report(context, fleet, "without a hub", since, until, interval)
        most = 1.1 * (until - since) / interval * len(counts) + (0 if context.isLong else CHANCE)
        context.check("without a hub, at most 1.1 times the requests of one board", sum(counts) <= most, counts)

        fleet["hub"].start()
        pause(interval + PATIENCE + 5)
        since = time.monotonic()
        until = pause(2 * interval)
        _, _, _, who = report(context, fleet, "the hub is back", since, until, interval)
        context.check("a hub that is back takes over again", set(who) == {"hub"}, who)


def reconnect(context):
    """A hub that loses its connection and connects again does not repeat the requests of all boards."""
    stops = {"kitchen": "S1", "den": "S2", "attic": "S3"}
    with Fleet(context, [], hub=False, acl="acl-without-hub", users=["hub", *stops], interval=30) as fleet:
        proxy = Proxy(fleet.broker.port)
        try:
            fleet.add("hub", stops=(), fleet='patience = "0s"', port=proxy.port)
            for name, stop in stops.items():
                fleet.add(name, stops=(stop,), fleet='patience = "20s"')
            fleet.wait_for_first()
            pause(5)
            # Not when the next requests are due: without the hub another board would send them.
            for wait in (11, 18):
                proxy.mode = "cut"
                pause(1)
                proxy.mode = "pass"
                pause(wait)
            times = {stop: [one.at for one in fleet.operator.between(0, stop=stop)] for stop in stops.values()}
            pauses = {stop: [round(b - a, 1) for a, b in zip(found, found[1:])] for stop, found in times.items()}
            context.measured("pauses between requests while the hub connects again twice", pauses)
            context.check("a hub that connects again repeats no request within the interval", all(pause > 27 for found in pauses.values() for pause in found), pauses)
        finally:
            proxy.close()
