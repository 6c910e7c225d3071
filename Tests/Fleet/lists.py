"""Favourites of several boards that change quickly, and settings that reach the others."""
import threading
import time

from daemons import becomes
from fleets import Fleet, pause

FEED = "siri.vale"
COUNT = 8


def quick(context):
    """Many additions within seconds, on two boards at the same time: none may be lost, and comments of a person stay."""
    with Fleet(context, ["kitchen", "den"], stops=(f'# Of a person.\n[[stop]]\nid = "{FEED}:S1"   # near the door\nlabel = "Door"\n',)) as fleet:
        fleet.wait_for_first()
        pause(8)
        expected = {f"{FEED}:S1"}
        failures = []

        def add(board, letter):
            for index in range(COUNT):
                stop = f"{FEED}:{letter}{index}"
                try:
                    board.call("POST", "/v1/favourites", {"stop": stop})
                    expected.add(stop)
                except AssertionError as error:
                    failures.append(str(error))
                time.sleep(0.3)
        threads = [threading.Thread(target=add, args=(fleet[name], letter)) for name, letter in (("kitchen", "K"), ("den", "D"))]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        context.check("every addition is accepted", not failures, failures[:2])
        boards = fleet.others
        same = lambda: all(set(board.favourites()) == expected for board in boards)
        becomes(same, 30)
        context.measured(f"{2 * COUNT} additions on two boards are on both after", f"{time.monotonic() - began:.1f} s")
        for board in boards:
            context.check(f"no favourite is lost on {board.name}", expected <= set(board.favourites()), sorted(expected - set(board.favourites())))
        pause(6)
        context.check("they stay", same(), [sorted(expected ^ set(board.favourites())) for board in boards])
        context.check("both boards have the same order", boards[0].favourites() == boards[1].favourites())
        for board in boards:
            with open(board.path("etc/favourites.toml")) as file:
                content = file.read()
            context.check(f"the comments in favourites.toml of {board.name} stay", "# Of a person." in content and "# near the door" in content, content[:300])
        # A change of a person in the file.
        with open(boards[0].path("etc/favourites.toml")) as file:
            content = file.read()
        with open(boards[0].path("etc/favourites.toml"), "w") as file:
            file.write(content.replace('label = "Door"', 'label = "Front door"'))
        label = lambda board: next(item.get("label") for item in board.call("GET", "/v1/favourites") if item["stop"] == f"{FEED}:S1")
        becomes(lambda: label(boards[1]) == "Front door", 15)
        context.check("a label that a person changes in the file is on the other board", label(boards[1]) == "Front door", label(boards[1]))


def join(context):
    """A board with favourites of its own does not take the list over, and gives it nothing, until a person decides."""
    with Fleet(context, ["kitchen"], stops=("S1", "S2")) as fleet:
        fleet.wait_for_first()
        pause(8)
        den = fleet.add("den", stops=("S5",))
        pause(10)
        context.check("a board with favourites of its own has these before it joins", den.favourites() == [f"{FEED}:S5"], den.favourites())
        context.check("and the others do not have its favourites", f"{FEED}:S5" not in fleet["kitchen"].favourites())
        status, text = den.command("fleet")
        context.check("boardd fleet names the command to join", "join" in text, text)
        context.measured("its line", [line for line in text.splitlines() if "join" in line])
        status, text = den.command("fleet", "join", "home", "--favourites", "both")
        both = {f"{FEED}:{stop}" for stop in ("S1", "S2", "S5")}
        context.check("boardd fleet join home --favourites both succeeds", status == 0, (status, text))
        context.check("and prints how many favourites the list has", "joined home: 3 favourites" in text, text)
        becomes(lambda: set(den.favourites()) == set(fleet["kitchen"].favourites()) == both, 15)
        context.check("then both have the favourites of both", set(den.favourites()) == set(fleet["kitchen"].favourites()) == both,
                      [den.favourites(), fleet["kitchen"].favourites()])
