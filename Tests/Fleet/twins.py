"""Two boards of one name, and a board that was off while others changed the list and sent commands."""
import json
import re

from boards import Board
from daemons import becomes, eventually
from fleets import Fleet, pause

FEED = "siri.vale"


def page(display):
    """What a display shows, without the clock, counts and the numbers of responses."""
    return re.sub(r"\d+:\d\d\??|~?(\d+m|due)\b|Mill[\w.]*( \d+)?|\s+", " ", display).split()


def twins(context):
    with Fleet(context, ["kitchen"]) as fleet:
        fleet.wait_for_first()
        old = fleet["kitchen"]
        mark = len(old.text())
        new = Board(context.program, "kitchen", fleet.broker, fleet.operator, stops=("S1",), fleet='patience = "5s"')
        try:
            sentence = old.logged("name of this|same name", 15, mark)
            context.check("the older one of two boards of one name reports it in the log", sentence, old.text(mark))
            context.measured("its sentence", sentence)
            pause(20)
            connects = len(re.findall(r"New client connected from \S+ as boardd-kitchen\S* \(p5", fleet.broker.text()))
            context.measured("connections of both within 20 s", connects)
            context.check("there is no duel of the two", 2 <= connects <= 4, connects)
            status, text = old.command("fleet")
            context.check("boardd fleet on the older one reports it", "name" in text and status in (0, 1), text)
            latest = json.loads(fleet.watcher.latest("boardd/1/board/kitchen/status").payload)
            context.check("the name is online, by the younger one", latest["state"] == "online", latest)
            context.check("the older one shows departures by its own requests", old.shows("Mill|Weir", 20), old.display())
            context.check("the younger one is well", not new.logged("name of this|same name", 0), new.text())
        finally:
            new.close()


def week(context):
    with Fleet(context, ["kitchen", "den"], board='home = "overview"') as fleet:
        fleet.wait_for_first()
        den = fleet["den"]
        # Both boards share the list before one of them is off.
        fleet.watcher.wait("boardd/1/list/home", 20)
        pause(8)
        den.stop()
        homeassistant = fleet.client("homeassistant")
        for _ in range(3):
            homeassistant.publish("boardd/1/board/den/do/press", expiry=1)
        status, text = fleet["kitchen"].command("favourites", "add", f"{FEED}:S9")
        context.check("a favourite is added while the other board is off", status == 0, text)
        pause(4)
        den.start()
        becomes(lambda: f"{FEED}:S9" in den.favourites(), 20)
        context.check("a board that was off takes the list over", f"{FEED}:S9" in den.favourites(), den.favourites())
        # Later starts show them at once: no first response of the new stop arrives between the two pages that are compared.
        eventually(lambda: f"departures of all stops on {den.display()}", lambda: "Mill" in den.display() and "Loading" not in den.display(), 30)
        den.stop()
        den.start()
        den.shows("Mill|Weir", 20)
        before = den.display()
        den.stop()
        # Retained by a program that does it wrong: it would arrive after each connect.
        fleet.watcher.publish("boardd/1/board/den/do/press", b"{}", retain=True)
        den.start()
        den.shows("Mill|Weir", 20)
        pause(4)
        context.check("a command that the broker has stored is not executed", page(den.display()) == page(before), [before, den.display()])
