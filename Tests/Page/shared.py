"""Favourites that another board of the fleet has changed: the screen Favourites names the board and the keys, and takes a change back."""
import os
import subprocess
import sys

from board import Board
from daemons import eventually
from page import NARROW, Page
from started import CHECKOUT
from tfl import Operator

sys.path.append(os.path.join(CHECKOUT, "Tests/Fleet"))
from broker import Broker  # noqa: E402

N, S, TUBE = "tfl:490008660N", "tfl:490008660S", "tfl:940GZZLUOXC"


def changes(context, page, kitchen, den):
    kitchen.call("PATCH", f"/v1/favourites/{N}", {"label": "Kitchen <b>", "walk": "4m"})
    kitchen.call("DELETE", f"/v1/favourites/{TUBE}")
    eventually("the changes on the other board", lambda: den.favourites() == [N, S])
    page.reads(page.word("changedBy", word="kitchen", time="").strip())
    text = page.text()
    context.check("a changed favourite names the keys", f"{page.word('labelKey')} · {page.word('walkKey')}" in text, text)
    page.reads(page.word("removedBy", word="kitchen", time="").strip())
    context.check("a removed stop has its name", "Oxford Circus" in page.text(), page.text())
    page.examine("Favourites changed by another board")
    undo = page.word("undo")
    page.one("main button", f"{undo}: Kitchen <b>").centre()
    page.browser.execute_script("[...document.querySelectorAll('main button')].find(({ ariaLabel }) => ariaLabel?.endsWith('Kitchen <b>') && "
                                "ariaLabel.startsWith(arguments[0])).focus()", undo)
    page.browser.press("Enter")
    page.reads(page.word("undone"))

    def label(board):
        return next(item for item in board.call("GET", "/v1/favourites") if item["stop"] == N).get("label")

    eventually("the old label on both boards", lambda: [label(den), label(kitchen)] == ["North", "North"])
    context.check("the keyboard takes a change back on both boards", True)
    eventually("the end of the change", lambda: page.word("labelKey") not in page.text())
    removed = next(item for item in den.call("GET", "/v1/favourites/changes") if item["stop"] == TUBE)
    context.check("the daemon lists the removal", (removed["board"], removed["kind"]) == ("kitchen", "removed"), removed)
    page.one("main section button").centre().tap()
    eventually("the removed stop on both boards", lambda: den.favourites() == kitchen.favourites() == [N, S, TUBE])
    eventually("no removal on the page", lambda: not page.find("main section button"))
    context.check("a removed stop is back at its place on both boards", True)


def run(context):
    found = subprocess.run([os.path.join(CHECKOUT, "Scripts/mosquitto")], stdout=subprocess.PIPE, text=True)
    if found.returncode:
        return context.skip("mosquitto is not there: changes by other boards are not tested")
    os.environ["PATH"] += os.pathsep + found.stdout.strip()
    # A change has a time only where the clock is synchronised.
    clock = os.path.join(context.work, "clock.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", clock, os.path.join(CHECKOUT, "Tests/Fleet/clock.c")], check=True)
    operator, broker, boards = Operator(), Broker(acl=None), []

    def board(name, stops):
        fleet = f'[fleet]\nbroker = "{broker.url}"\nboard = "{name}"\nhome_assistant = false\n'
        boards.append(Board(context.program, stops, operator.url, board=fleet, environment={"LD_PRELOAD": clock, "CLOCK_SYNCHRONISED": "1"}))
        return boards[-1]

    try:
        kitchen = board("kitchen", [f'[[stop]]\nid = "{N}"\nlabel = "North"\n', S, TUBE])
        kitchen.update_directory()
        eventually("the list of the first board", lambda: kitchen.call("GET", "/v1/fleet").get("list", {}).get("isJoined"))
        den = board("den", [])
        den.update_directory()
        eventually("the list on the second board", lambda: den.favourites() == [N, S, TUBE])
        with Page(context, den, NARROW) as page:
            page.open("/about")
            page.open_pairing()
            page.pair()
            page.screen("favourites")
            page.reads(page.word("addedBy", word="kitchen", time="").strip())
            context.check("a favourite that another board added names that board", True)
            changes(context, page, kitchen, den)
            page.is_calm("the screen Favourites of a fleet", ["401"])
    finally:
        for one in boards:
            one.close()
        broker.kill()
        operator.close()
