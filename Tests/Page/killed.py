"""A board that is killed before each of the file calls of three changes by phone: settings, a key and a favourite.

Tests/FileCalls ends the program before its file call number N. The next start has the old or the new of each, as a whole, and makes the next changes.
"""
import http.client
import os
import pathlib
import subprocess

from board import Board
from daemons import eventually
from started import CHECKOUT
from tfl import Operator

STOP = "tfl:490008660N"


class Killed:
    def __init__(self, context, operator):
        library = os.path.join(context.work, "calls.so")
        calls = os.path.join(CHECKOUT, "Tests/FileCalls")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-DFILE_CALLS_PRELOADED", f"-I{calls}/include", "-o", library, f"{calls}/FileCalls.c"], check=True)
        self.board = Board(context.program, [STOP], operator.url)
        self.board.stop()
        os.mkdir(self.board.path("etc/settings"))
        self.board.environment |= {"LD_PRELOAD": library, "FILE_CALLS_FOLDER": self.board.path("etc/")}

    def start(self, count):
        """Starts the board, which dies before its file call number `count`."""
        self.board.environment["FILE_CALLS_KILL"] = str(count)
        pathlib.Path(self.board.path("run/control.sock")).unlink(missing_ok=True)  # of the one that was killed
        began = os.path.getsize(self.board.path("log"))
        self.board.start()
        return began

    def held(self):
        """The hours, the keys and the labels of the favourites that the board has."""
        hours = [table["values"][0]["from"] for table in self.board.call("GET", "/v1/setup")["tables"] if table["name"] == "quiet"]
        try:
            with open(self.board.path("etc/settings/keys.env")) as file:
                keys = file.read()
        except FileNotFoundError:
            keys = None
        return [hours, keys, [item.get("label") for item in self.board.call("GET", "/v1/favourites")]]

    def change(self, number):
        """Makes the three changes, one after another; returns what a board that lives has after them, and whether it lives."""
        hours, key, label = f"{number // 60 % 24}:{number % 60:02}", f"key-{number}", f"Stop {number}"
        after = [[hours], f"TFL_APP_KEY={key}\n", [label]]
        try:
            self.board.call("PUT", "/v1/settings/quiet", {"tables": [{"from": hours, "to": "23:59"}]})
            self.board.call("PUT", "/v1/keys/TFL_APP_KEY", {"value": key})
            self.board.call("PATCH", f"/v1/favourites/{STOP}", {"label": label})
        except (OSError, http.client.HTTPException):
            return after, False
        return after, True


def run(context):
    operator = Operator()
    killed = Killed(context, operator)
    board = killed.board
    kills, mixed, call = 0, [], 1
    try:
        killed.start(0)
        before, _ = killed.change(0)
        context.check("a board that is not killed makes all three changes", killed.held() == before, killed.held())
        while True:
            board.stop()
            killed.start(call)
            after, lives = killed.change(2 * call + 1)
            if lives and board.process.poll() is None:
                break
            if board.process.wait(20) != -9:
                mixed.append((call, "ended with", board.process.returncode, board.text()[-500:]))
            board.log.close()
            kills += 1
            began = killed.start(0)
            held = killed.held()
            isNew = [new == now for new, now in zip(after, held)]
            if not all(now in (old, new) for old, new, now in zip(before, after, held)) or isNew != sorted(isNew, reverse=True) \
                    or "set aside" in board.text(began):
                mixed.append((call, before, after, held))
            before, _ = killed.change(2 * call + 2)
            if killed.held() != before:
                mixed.append((call, "the next changes", before, killed.held()))
            call += 1 if context.isLong else 3
        context.check("a board that is killed later makes all three changes", killed.held() == after, killed.held())
        context.measured("kills", kills)
        context.check("after each kill the old or the new holds, in the order of the changes, and the next changes are made", not mixed, mixed)
        context.check("there were file calls to be killed before", kills >= (30 if context.isLong else 10), kills)
        eventually("no leftover", lambda: not [name for _, _, names in os.walk(board.path("etc")) for name in names if ".new-" in name])
    finally:
        board.close()
        operator.close()
