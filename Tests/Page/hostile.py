"""1,000 connections that send a byte a second, and eight readers of events that read nothing: display, polls and memory stay as they are.

They come from many addresses of 127.0.0.0/8, so that the limits of one address do not stop them. Twenty seconds, or ten minutes.
And clients that send a request and reset the connection at once, again and again.
"""
import errno
import os
import resource
import socket
import struct
import sys
import threading
import time

from board import Board
from daemons import Connection, eventually
from started import CHECKOUT
from tfl import Operator

sys.path.insert(0, os.path.join(CHECKOUT, "Benchmarks"))
from daemon import memory  # noqa: E402

DRIPPING, READERS = 1000, 8
REQUEST = b"GET /v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Drip: "
# In kB. 12,000 connections that each leave 200 bytes are more; the memory in use is a figure of docs/reliability.md.
ALLOWED = 2048


class Drips(threading.Thread):
    """Holds DRIPPING connections open: one that the board closes is opened again."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.over, self.opened, self.closed = port, threading.Event(), 0, 0

    def open(self, index):
        client = socket.socket()
        client.setblocking(False)
        client.bind((f"127.0.{1 + index // 250}.{1 + index % 250}", 0))
        client.connect_ex(("127.0.0.1", self.port))
        self.opened += 1
        return client

    def run(self):
        clients = [self.open(index) for index in range(DRIPPING)]
        sent = 0
        while not self.over.is_set():
            for index, client in enumerate(clients):
                try:
                    client.send(REQUEST[sent:sent + 1] if sent < len(REQUEST) else b"x")
                    if client.recv(4096) == b"":
                        raise ConnectionResetError
                except BlockingIOError:
                    continue
                except OSError as error:
                    if error.errno != errno.ENOTCONN:
                        self.closed += 1
                        client.close()
                        clients[index] = self.open(index)
            sent += 1
            self.over.wait(1)  # a pace: a byte a second
        for client in clients:
            client.close()


def deaf(port, index):
    """A reader of events with the smallest buffer, which never reads."""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    client.bind((f"127.0.9.{1 + index}", 0))
    client.connect(("127.0.0.1", port))
    client.sendall(f"GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    return client


def run(context):
    seconds = 600 if context.isLong else 20
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    operator = Operator()
    stops = ["tfl:490008660N", "tfl:490008660S", "tfl:940GZZLUOXC"]
    board = Board(context.program, stops, operator.url)
    control = board.socket()
    try:
        eventually("the first responses", lambda: all(operator.polls[stop[4:]] for stop in stops))
        warm = Connection(port=board.port)  # what a first page costs is no matter of this test
        context.check("the page is served before", warm.call("GET", "/")[0] == 200)
        warm.close()
        readers = [deaf(board.port, index) for index in range(READERS)]
        # Polls and presses let the memory of a new process grow, also without these connections.
        for _ in range(4):
            polls = sum(operator.polls.values())
            # Again and again: a poll that is in flight is not repeated.
            eventually("a poll of each stop", lambda: control.call("POST", "/v1/refresh")[0] < 300
                       and sum(operator.polls.values()) >= polls + len(stops))
            for _ in range(6):
                board.press()
        before, polls = memory(board.pid)[1], sum(operator.polls.values())
        drips = Drips(board.port)
        drips.start()
        end, presses, most = time.monotonic() + seconds, 0, before
        while time.monotonic() < end:
            board.press()
            presses += 1
            most = max(most, memory(board.pid)[1])
            time.sleep(0.4)  # a pace: two presses a second for the whole time, as memory is measured over it
        context.measured(f"in {seconds} s", f"{presses} presses, {sum(operator.polls.values()) - polls} polls, {drips.opened} connections "
                         f"opened, {drips.closed} closed by the board; private memory {before} kB, at most {most} kB")
        context.check("each press changed the display", presses > seconds)
        context.check("1,000 connections dripped, and the board has closed some of them", drips.opened >= DRIPPING and drips.closed > 0)
        # Each stop is polled every 30 s.
        wanted = polls + len(stops) * max(1, seconds // 40)
        eventually("the polls continue", lambda: sum(operator.polls.values()) >= wanted, 40)
        context.check("the polls continue", True)
        context.check(f"private memory stays within {ALLOWED // 1024} MB", most - before <= ALLOWED, f"{before} kB, then {most} kB")
        drips.over.set()
        drips.join()

        found = []

        def viewer():
            board.press()  # until what the kernel holds for those that do not read is full
            with_events = Connection(port=board.port)
            with_events.request("GET", "/v1/events")
            response = with_events.getresponse()
            found.append(f"{response.status} {response.readline()[:200]}")
            response.close()
            with_events.close()
            return found[-1].startswith("200 b'event: state")
        # Those that do not read have lost their streams, or a viewer would get 503.
        eventually(lambda: f"events for a viewer, who got {found[-1]}", viewer, 60)
        context.check("a viewer gets events again", True)
        for reader in readers:
            reader.close()
    finally:
        control.close()
        board.close()
        operator.close()


RESETTING = 16
GROWTH = 8192  # kB


def resetting(port, over, count):
    request = f"GET /v1/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
    while not over.is_set():
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            try:
                client.connect(("127.0.0.1", port))
                client.sendall(request)
                count.append(1)
            except OSError:
                continue


def resets(context):
    """Work for clients that have gone does not outlive them: the board responds to others, its memory stays, and it ends at once."""
    seconds = 120 if context.isLong else 10
    operator = Operator()
    board = Board(context.program, ["tfl:490008660N", "tfl:940GZZLUOXC"], operator.url)
    control, over, count = board.socket(), threading.Event(), []
    try:
        eventually("the first responses", lambda: operator.polls["490008660N"])
        for _ in range(20):
            control.call("GET", "/v1/state")
        before, most, slowest = memory(board.pid)[1], 0, 0
        threads = [threading.Thread(target=resetting, args=(board.port, over, count), daemon=True) for _ in range(RESETTING)]
        for thread in threads:
            thread.start()
        end, states = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            began = time.monotonic()
            status = control.call("GET", "/v1/state")[0]
            states, slowest, most = states + (status == 200), max(slowest, time.monotonic() - began), max(most, memory(board.pid)[1])
        context.check("the control socket responds meanwhile", states > seconds / 2, states)
        context.goal("the slowest response of the control socket", f"{slowest:.2f} s", slowest < 1)
        context.measured("connections that were reset", len(count))
        context.check("the connections were opened", len(count) > 1000, len(count))
        context.check(f"private memory grows by less than {GROWTH // 1024} MB", most - before < GROWTH, f"{before} kB, then {most} kB")
        began = time.monotonic()
        context.check("SIGTERM ends the board", board.stop() == 0)
        context.goal("SIGTERM ends it", f"{time.monotonic() - began:.1f} s", time.monotonic() - began < 5)
    finally:
        over.set()
        control.close()
        board.close()
        operator.close()
