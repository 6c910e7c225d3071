#!/usr/bin/env python3
"""Requests to a real daemon over its control socket: control.py PROGRAM DIRECTORY SEARCHES.

Each client uses one connection. Between press and frame are the threads of the socket, the board and the display; the
frame is text from a pipe.
"""
import os
import random
import select
import sys
import tempfile
import time
import urllib.parse

from tfl_server import TfLServer
from common import row
from daemon import Daemon

STATES, PRESSES, SEARCHES = 500, 120, 2000


def spread(times):
    times = sorted(times)
    return f"p50 {times[len(times) // 2]:.2f}, p99 {times[len(times) * 99 // 100]:.2f}, max {times[-1]:.2f} ms"


def timed(action):
    began = time.monotonic()
    action()
    return (time.monotonic() - began) * 1000


def drain(pipe, seconds):
    """Reads for `seconds` and discards output that no press caused."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([pipe], [], [], left)[0]:
            os.read(pipe, 65536)


def press(control, pipe):
    """Milliseconds from the request to the first byte of the changed frame; None if there was no frame."""
    began = time.monotonic()
    control.request("POST", "/v1/press", '{"gesture": "short"}', {"Content-Type": "application/json"})
    took = (time.monotonic() - began) * 1000 if select.select([pipe], [], [], 2)[0] else None
    control.getresponse().read()
    return took


def target(line):
    if line[0] == "search":
        return "/v1/stops?query=" + urllib.parse.quote(line[2])
    modes = f"&modes={line[4]}" if line[4] else ""
    return f"/v1/stops?near={line[2]}&radius={line[3]}{modes}"


def main(program, directory, searches):
    server = TfLServer()
    rng = random.Random(1)
    with open(searches) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(
            program, folder, server.url("control"), 2, directory, options=["--simulate"],
            board='refresh_bar = "off"\nrotate = "off"\nreturn_home = "never"', button='[[button]]\nshort = "next"')
        pipe = daemon.output.fileno()
        daemon.wait("the first responses", lambda: server.polls("control") >= 2)
        drain(pipe, 4)
        control = daemon.connect()
        control.call("GET", "/v1/state")
        row(f"GET /v1/state over the socket ({STATES})",
            spread([timed(lambda: control.call("GET", "/v1/state")) for _ in range(STATES)]))
        for kind in ("search", "near"):
            chosen = rng.sample([line for line in lines if line[0] == kind], SEARCHES)
            times = [timed(lambda: control.call("GET", target(line))) for line in chosen]
            row(f"GET /v1/stops?{'query' if kind == 'search' else 'near'}= over the socket ({SEARCHES})", spread(times))
        drain(pipe, 1)
        presses = []
        for _ in range(PRESSES):
            presses.append(press(control, pipe))
            drain(pipe, rng.uniform(0.1, 0.3))
        lost = sum(took is None for took in presses)
        row(f"POST /v1/press to the first byte of the changed frame ({PRESSES})",
            spread([took for took in presses if took is not None]) + (f"; {lost} WITHOUT FRAME" if lost else ""))
        control.close()
        daemon.close()
    server.close()


if __name__ == "__main__":
    main(*sys.argv[1:4])
