#!/usr/bin/env python3
"""A real daemon asked over its control socket: control.py PROGRAM DIRECTORY QUESTIONS.

Each client keeps its connection. Between press and frame are the socket's thread, the board's and the display's; the
frame comes as text through a pipe.
"""
import os
import random
import select
import sys
import tempfile
import time
import urllib.parse

from city import City
from common import row
from daemon import Daemon

STATES, PRESSES, QUESTIONS = 500, 120, 2000


def spread(times):
    times = sorted(times)
    return f"p50 {times[len(times) // 2]:.2f}, p99 {times[len(times) * 99 // 100]:.2f}, max {times[-1]:.2f} ms"


def timed(action):
    began = time.monotonic()
    action()
    return (time.monotonic() - began) * 1000


def drain(pipe, seconds):
    """Reads for as long as `seconds`: what comes is no answer to a press."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([pipe], [], [], left)[0]:
            os.read(pipe, 65536)


def press(control, pipe):
    """Milliseconds from the request to the first byte of the changed frame; nil: none came."""
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


def main(program, directory, questions):
    city = City()
    rng = random.Random(1)
    with open(questions) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(
            program, folder, city.url("control"), 2, directory, options=["--simulate"],
            board='refresh_bar = "off"\nrotate = "off"\nreturn_home = "never"', button='[[button]]\nshort = "next"')
        pipe = daemon.output.fileno()
        daemon.wait("the first answers", lambda: city.polls("control") >= 2)
        drain(pipe, 4)
        control = daemon.connect()
        control.ask("GET", "/v1/state")
        row(f"GET /v1/state over the socket ({STATES})",
            spread([timed(lambda: control.ask("GET", "/v1/state")) for _ in range(STATES)]))
        for kind in ("search", "near"):
            asked = rng.sample([line for line in lines if line[0] == kind], QUESTIONS)
            times = [timed(lambda: control.ask("GET", target(line))) for line in asked]
            row(f"GET /v1/stops?{'query' if kind == 'search' else 'near'}= over the socket ({QUESTIONS})", spread(times))
        drain(pipe, 1)
        presses = []
        for _ in range(PRESSES):
            presses.append(press(control, pipe))
            drain(pipe, rng.uniform(0.1, 0.3))
        lost = sum(took is None for took in presses)
        row(f"POST /v1/press to the first byte of the changed frame ({PRESSES})",
            spread([took for took in presses if took is not None]) + (f"; {lost} UNANSWERED" if lost else ""))
        control.close()
        daemon.close()
    city.close()


main(*sys.argv[1:4])
