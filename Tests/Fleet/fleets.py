"""A fleet under test: broker, operator, a hub and boards, which end together."""
import json
import os
import re
import threading
import time

from boards import Board
from broker import Broker
from daemons import becomes
from operators import Operator

STOPS = ("S1", "S2")
INTERVAL = 10
PATIENCE = 5
# Of a machine that does other work meanwhile.
SLACK = 1.5


class Fleet:
    """`with Fleet(context, ["kitchen", "den"]) as fleet`. The broker has TLS, passwords and the shipped rights."""

    def __init__(self, context, names, hub=True, acl=None, patience=f"{PATIENCE}s", stops=STOPS, users=(), **options):
        self.context, self.names, self.hasHub, self.patience, self.stops = context, names, hub, patience, stops
        self.acl, self.users, self.options = acl or ("acl" if hub else "acl-without-hub"), users, options
        self.boards, self.clients, self.closing = {}, [], []

    def __enter__(self):
        self.operator = Operator()
        self.broker = Broker(self.acl, sorted({"hub", "homeassistant", "watcher", "den", *self.names, *self.users}))
        with open(self.broker.path("acl"), "a") as file:
            # The user of the test reads and writes everything.
            file.write("\nuser watcher\ntopic readwrite #\n")
        self.broker.restart()
        try:
            self.watcher = self.client("watcher")
            self.watcher.subscribe("#")
            if self.hasHub:
                self.add("hub", stops=(), fleet='patience = "0s"', board="")
            threads = [threading.Thread(target=self.add, args=(name,), daemon=True) for name in self.names]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            missing = [name for name in self.names if name not in self.boards]
            if missing:
                raise AssertionError(f"not started: {missing}")
        except BaseException:
            self.__exit__()
            raise
        return self

    def add(self, name, **options):
        options = {"stops": self.stops, "fleet": f'patience = "{self.patience}"', **self.options, **options}
        self.boards[name] = Board(self.context.program, name, self.broker, self.operator, **options)
        return self.boards[name]

    def client(self, name, **options):
        client = self.broker.client(name, **options)
        self.clients.append(client)
        return client

    def __getitem__(self, name):
        return self.boards[name]

    @property
    def others(self):
        return [board for name, board in self.boards.items() if name != "hub"]

    def wait_for_first(self, seconds=45):
        """Until every board shows departures."""
        for board in self.others:
            if not board.shows("Mill|Weir", seconds):
                raise AssertionError(f"{board.name} shows no departures: {board.display()}\n{board.text()}")

    def has_next(self, board, seconds):
        """Whether the board has a response that the operator makes from now on: a program that starts shows stored ones at once."""
        count = len(self.operator.requests)
        return becomes(lambda: any(int(number) > count for number in re.findall(r"Mill (\d+)", json.dumps(board.call("GET", "/v1/live")["stops"]))), seconds)

    def requests(self, since, until=None):
        """The times and boards of the requests for each stop."""
        return {stop: self.operator.between(since, until, stop) for stop in self.stops}

    def gaps(self, since, until):
        """The longest time without a request for a stop, with the ends of the period, and the shortest time between two requests."""
        longest, shortest = 0, float("inf")
        for found in self.requests(since, until).values():
            times = [since, *(one.at for one in found), until]
            longest = max([longest, *(b - a for a, b in zip(times, times[1:]))])
            shortest = min([shortest, *(b.at - a.at for a, b in zip(found, found[1:]))])
        return longest, shortest

    def __exit__(self, *failure):
        if failure and failure[0]:
            for board in self.boards.values():
                print(f"log of {board.name}:\n" + "".join(f"  {line}\n" for line in board.text().splitlines()[-12:]), flush=True)
        for client in self.clients:
            client.close()
        codes = {}
        threads = [threading.Thread(target=lambda board=board: codes.update({board.name: board.close()})) for board in self.boards.values()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.broker.close()
        self.operator.close()
        bad = {name: code for name, code in codes.items() if code not in (0, -9)}
        self.context.check("every board ends well", not bad, bad)


def clock(context, shift=0, isSynchronised=True):
    """The command that starts a program with another clock."""
    return ["env", f"LD_PRELOAD={os.path.join(context.common, 'clock.so')}", f"CLOCK_SHIFT={shift}", *(["CLOCK_SYNCHRONISED=1"] if isSynchronised else [])]


def names(count):
    return [f"board-{index}" for index in range(1, count + 1)]


def pause(seconds):
    time.sleep(seconds)
    return time.monotonic()
