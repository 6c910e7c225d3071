"""Boards with wrong clocks: each takes the time from live responses of a board whose clock is synchronised."""
import re
import time

from daemons import becomes
from fleets import Fleet, clock, pause

HOUR = 3600


def minutes(board):
    """The minutes of the row with the operator's first departure, which is 4 minutes ahead when it is made."""
    found = re.search(r"Mill \d+ +(\d+)m", board.display())
    return found and int(found[1])


def is_right(board):
    """Whether the display has the departure with its minutes, the time of the day in UTC, and no mark of an uncertain time."""
    shown = re.search(r"(\d\d):(\d\d)(\?)?", board.display())
    if not shown or minutes(board) not in (3, 4):
        return False
    now = time.gmtime()
    return not shown[3] and abs(int(shown[1]) * 60 + int(shown[2]) - now.tm_hour * 60 - now.tm_min) <= 1


def run(context):
    with Fleet(context, [], stops=("S1",), users=["ahead", "behind", "attic"], wrapper=clock(context)) as fleet:
        boards = {name: fleet.add(name, stops=("S1",), wrapper=clock(context, shift, False))
                  for name, shift in (("ahead", HOUR), ("behind", -HOUR))}
        began = time.monotonic()
        for name, board in boards.items():
            becomes(lambda: is_right(board), 75)
            context.measured(f"a board whose clock is an hour {name} shows the right time after", f"{time.monotonic() - began:.0f} s")
            context.check(f"a board whose clock is an hour {name} takes the time from the hub", is_right(board), board.display())
            # A row with minutes that are wrong by an hour must not have been shown.
            wrong = [rows for rows in board.frames() if re.search(r"Mill \d+ +(5\d|6\d)m", "\n".join(rows))]
            context.check(f"no wrong minutes were on the display of the board that is an hour {name}", not wrong, wrong[:1])
        # Without the time, a stored response has no age: a board may send one request before the hub's next response.
        own = [(round(one.at - began, 1), one.board) for one in fleet.operator.between(0) if one.board != "hub"]
        context.check("each sent one request of its own at most", len(own) <= 2 and len(set(own)) == len({board for _, board in own}), own)
        # 5 minutes ahead, and believed to be right: every estimate is old for it.
        wrong = fleet.add("attic", stops=("S1",), wrapper=clock(context, 300, True))
        pause(25)
        context.check("a board whose synchronised clock is wrong marks all estimates as old", not re.search(r"(?<!~)\b\d+m", wrong.display()), wrong.display())
