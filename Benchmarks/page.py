#!/usr/bin/env python3
"""The page on loopback: events, wake-ups and memory, and the map: page.py PROGRAM DIRECTORY [SECONDS].

Between a press over the control socket and its event are the threads of the socket, the board and the page; the frame is text from
a pipe. The board's stops are polled every 30 s, and a viewer is a stream of events that is read. The goals are those of docs/reliability.md.
"""
import http.client
import os
import random
import re
import select
import socket
import sys
import tempfile
import threading
import time

from common import drain, row
from daemon import Daemon, memory, processor_time
from idle import count_wakes
from tfl_server import TfLServer

PRESSES, MAPS, STREAMS = 120, 300, 8
# After a first response, a connection is closed after 30 s of idleness.
SETTLE = 35
WIDE = "1000x1000"  # pixels of the map: 150 stops and more within


def p50_and_p99(times):
    times = sorted(times)
    return f"p50 {times[len(times) // 2]:.1f}, p99 {times[len(times) * 99 // 100]:.1f}, max {times[-1]:.1f} ms"


def p99(times):
    return sorted(times)[len(times) * 99 // 100]


class Reader(threading.Thread):
    """A stream of events; `at` are the times at which its display events arrived. From an address of its own."""

    def __init__(self, port, index=0):
        super().__init__(daemon=True)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600, source_address=(f"127.0.3.{1 + index}", 0))
        self.connection.request("GET", "/v1/events")
        self.socket = self.connection.sock
        self.response = self.connection.getresponse()
        if self.response.status != 200 or self.response.readline() != b"event: state\n":
            sys.exit(f"page.py: a stream of events begins with {self.response.status}")
        self.at, self.arrived = [], threading.Condition()
        self.start()

    def run(self):
        try:
            for line in self.response:
                if line == b"event: display\n":
                    with self.arrived:
                        self.at.append(time.monotonic())
                        self.arrived.notify()
        except (OSError, ValueError, http.client.HTTPException):
            pass  # closed

    def next(self, count):
        """When the event after `count` events arrived; None: not within two seconds."""
        with self.arrived:
            self.arrived.wait_for(lambda: len(self.at) > count, 2)
            return self.at[count] if len(self.at) > count else None

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)


def port_of(daemon):
    """The port that the program has reported for its page."""
    found = []

    def is_found():
        found[:] = re.findall(r"http://127\.0\.0\.1:(\d+)", daemon.log_text())
        return found
    daemon.wait("address of the page", is_found)
    return int(found[-1])


def events(daemon, port):
    pipe = daemon.output.fileno()
    reader, control = Reader(port), daemon.connect()
    rng = random.Random(1)
    late, whole = [], []

    drain(pipe, 3)
    for _ in range(PRESSES):
        count, began = len(reader.at), time.monotonic()
        control.request("POST", "/v1/press", '{"gesture": "short"}', {"Content-Type": "application/json"})
        framed = time.monotonic() if select.select([pipe], [], [], 2)[0] else None
        arrived = reader.next(count)
        control.getresponse().read()
        if framed and arrived:
            late.append(max(0, arrived - framed) * 1000)
            whole.append((arrived - began) * 1000)
        drain(pipe, rng.uniform(0.3, 0.5))  # at most four events a second
    lost = PRESSES - len(late)
    row(f"display changed to event read on loopback ({len(late)})", p50_and_p99(late) + (f"; {lost} LOST" if lost else ""), "p99 <= 50 ms",
        p99(late) <= 50 and not lost)
    row("  POST /v1/press to event read", p50_and_p99(whole))
    control.close()
    reader.close()


def maps(port):
    rng = random.Random(2)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    times, sizes = [], []
    for index in range(MAPS):
        near = f"{rng.uniform(51.45, 51.55):.5f},{rng.uniform(-0.2, 0):.5f}"
        if index % 15 == 0:
            time.sleep(1)  # 20 requests a second are allowed
        began = time.monotonic()
        connection.request("GET", f"/v1/map.svg?near={near}&scale=10&size={WIDE}")
        response = connection.getresponse()
        body = response.read()
        times.append((time.monotonic() - began) * 1000)
        if response.status != 200:
            sys.exit(f"page.py: the map: {response.status} {body[:200]}")
        sizes.append(len(body))
    connection.close()
    row(f"map of 150 stops from a directory of 50,000 ({MAPS})", p50_and_p99(times), "p99 <= 20 ms", p99(times) <= 20)
    row("  its size", f"max {max(sizes) / 1000:.1f} kB", "<= 40 kB", max(sizes) <= 40_000)


def main(program, directory, seconds=60):
    seconds = int(seconds)
    server = TfLServer()
    with tempfile.TemporaryDirectory() as base:
        def start(name, *options):
            folder = os.path.join(base, name)
            os.mkdir(folder)
            daemon = Daemon(program, folder, server.url(name), 2, directory, options=options)
            daemon.wait("first responses", lambda: server.polls(name) >= 2)
            return daemon

        page = ("--page", "127.0.0.1:0", "--simulate")
        folder = os.path.join(base, "events")
        os.mkdir(folder)
        board = Daemon(program, folder, server.url("events"), 2, directory, options=page, button='[[button]]\nshort = "next"',
                       board='turns = false\nhome = "first"\nrotate = "off"\nreturn_home = "never"')
        board.wait("first responses", lambda: server.polls("events") >= 2)
        events(board, port_of(board))
        board.discard_output()
        maps(port_of(board))
        board.close()

        boards = {"without": start("without", "--simulate"), "none": start("none", *page), "one": start("one", *page), "eight": start("eight", *page)}
        for daemon in boards.values():
            daemon.discard_output()
            daemon.call("GET", "/v1/state")
        readers = [Reader(port_of(boards["one"]))] + [Reader(port_of(boards["eight"]), index) for index in range(STREAMS)]
        time.sleep(SETTLE)
        before = processor_time(boards["eight"].pid)
        counted = count_wakes(list(boards.values()), seconds)
        percent = (processor_time(boards["eight"].pid) - before) * 100 / seconds
        rates = {name: sum(counts.values()) / seconds for name, counts in zip(boards, counted)}
        private = {name: memory(daemon.pid)[1] / 1024 for name, daemon in boards.items()}
        row(f"wake-ups a second over {seconds} s, no page · page, no viewer", f"{rates['without']:.2f} · {rates['none']:.2f}", "as without, <= 2",
            rates["none"] <= max(2, rates["without"]))
        row("  one viewer", f"{rates['one']:.2f}", "<= 3", rates["one"] <= 3)
        row("  eight viewers", f"{rates['eight']:.2f}")
        row(f"CPU time over {seconds} s, eight viewers", f"{percent:.1f} %", "<= 1.4 %", percent <= 1.4)
        row("private memory (RssAnon), no page · page, no viewer", f"{private['without']:.2f} · {private['none']:.2f} MB", "+ 0.3 MB",
            private["none"] - private["without"] <= 0.3)
        row("  eight viewers", f"{private['eight']:.2f} MB", "+ 1 MB", private["eight"] - private["without"] <= 1)
        for reader in readers:
            reader.close()
        for daemon in boards.values():
            daemon.close()
    server.close()


main(*sys.argv[1:])
