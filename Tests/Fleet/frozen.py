"""A hub that is connected and does nothing, and an operator that rejects the hub's key."""
import time

from daemons import eventually
from fleets import INTERVAL, PATIENCE, SLACK, Fleet, pause

# Of the random wait while a hub is online.
SPREAD = 10


def hub(context):
    with Fleet(context, ["kitchen", "den"], acl="acl-without-hub") as fleet:
        fleet.wait_for_first()
        pause(INTERVAL)
        fleet["hub"].freeze()
        stopped = time.monotonic()
        # The operator may receive one of the hub's own meanwhile.
        first = eventually("a request of another board", lambda: [one for one in fleet.operator.between(stopped) if one.board != "hub"], 60)[0]
        context.measured("a frozen hub is replaced after", f"{first.at - stopped:.1f} s by {first.board}")
        context.check("a frozen hub is overtaken within the interval, patience and 10 s",
                      first.at - stopped < INTERVAL + PATIENCE + SPREAD + SLACK, first.at - stopped)
        context.check("a frozen hub stays online by its status", fleet.watcher.latest("boardd/1/board/hub/status").payload.find(b"online") >= 0)
        # Three times in a row, then it counts as none.
        pause(3 * (INTERVAL + PATIENCE + SPREAD) - (time.monotonic() - stopped))
        since = time.monotonic()
        until = pause(3 * INTERVAL)
        longest, _ = fleet.gaps(since, until)
        context.measured("the longest pause once the hub counts as none", f"{longest:.1f} s")
        context.check("then the pauses are the interval and 3 s at most", longest < INTERVAL + 3 + SLACK, longest)
        fleet["hub"].thaw()
        thawed = time.monotonic()
        # Without a hub the first board of a round polls, which may be another one a few times more.
        polls = [eventually(f"the hub's third request for {stop}", lambda: (
            found := fleet.operator.between(thawed, stop=stop, board="hub"))[2:] and found, 12 * INTERVAL) for stop in fleet.stops]
        context.measured("a hub that continues takes over after", f"{max(found[0].at for found in polls) - thawed:.1f} s")
        who = {one.board for found in polls for one in fleet.operator.between(found[1].at, found[2].at, found[1].stop)}
        context.check("a hub that continues takes over again", who == {"hub"}, who)


def rejected(context):
    """The hub's key is rejected: the others receive that, boards with a key of their own poll, and one without shows why it has nothing."""
    with Fleet(context, ["kitchen"], acl="acl-without-hub") as fleet:
        fleet.add("den", fleet='patience = "never"')
        fleet.wait_for_first()
        pause(INTERVAL)
        fleet.operator.failing["hub"] = 401
        since = time.monotonic()
        first = eventually("a request of a board with a key", lambda: fleet.operator.between(since, board="kitchen"), 60)[0]
        context.measured("the hub's key is rejected: a board with a key polls after", f"{first.at - since:.1f} s")
        context.check("a board with a key of its own polls within patience and 10 s of the failure",
                      first.at - since < INTERVAL + PATIENCE + SPREAD + SLACK, first.at - since)
        failure = fleet.watcher.wait(lambda message: message.topic.startswith("boardd/1/answer/") and b"reject" in message.payload.lower(), 1)
        context.check("the failure is on the bus", failure is not None, [
            message.payload[:300] for message in fleet.watcher.messages if message.topic.startswith("boardd/1/answer/")][-2:])
        context.check("the board that sends no requests has sent none", not fleet.operator.between(0, board="den"))
        context.check("it shows departures of the other one", fleet["den"].shows("Mill|Weir", 15), fleet["den"].display())
        # No key is accepted now: rows of an old response expire, and the reason is shown.
        fleet.operator.failing[""] = 401
        context.check("a board whose key is rejected as well reports that", fleet["kitchen"].logged("key rejected|401|rejects", 60), fleet["kitchen"].text())
        fleet.operator.failing.clear()
        since = time.monotonic()
        context.check("all show departures again once the key is accepted", fleet["den"].shows("Mill|Weir", 60), fleet["den"].display())
        if context.isLong:
            # A rejected key is not tried again for 15 minutes (docs/decisions/fleet.md).
            context.check("the hub polls again once its key is accepted", eventually(
                "a request of the hub", lambda: fleet.operator.between(since, board="hub"), 900 + INTERVAL + SLACK))
