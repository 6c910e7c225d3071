#!/usr/bin/env python3
"""From exec to the first byte of the first frame, without a network: start.py PROGRAM DIRECTORY.

First a new board; then a restarted one with the snapshot of its last run, its favourites and the complete stop directory.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

from common import median_and_max, row, stop, write_configuration
from daemon import Daemon
from started import free_port
from tfl_server import TfLServer

RUNS = 30
GOAL = 150
# A row of departures: a line, a destination, and minutes or "due" at its end.
DEPARTURE = re.compile(r"^[^\w\n]*(73|390|N73|55|476|94|C2) +\S.* (\d+m|due|\d\d:\d\d)[^\w\n]*$", re.MULTILINE)


def once(program, configuration, environment=None):
    """Milliseconds to the first byte, the frame, and the exit status."""
    began = time.monotonic()
    process = subprocess.Popen(
        [program, "run", "--config", configuration, "--frames", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment, bufsize=0)
    first = process.stdout.read(1)
    took = time.monotonic() - began
    rest, errors = process.communicate(timeout=30)
    if not first:
        sys.exit(f"start.py: no frame: {errors.decode()}")
    return took * 1000, (first + rest).decode(), process.returncode


def report(what, runs):
    times = [took for took, _, _ in runs]
    bad = [code for _, _, code in runs if code != 0]
    row(f"{what} ({len(runs)} starts)", median_and_max(times), f"<= {GOAL} ms", max(times) <= GOAL)
    row("  of these, with another exit status than 0", " ".join(map(str, [len(bad), *(f"({code})" for code in bad)])),
        "0", not bad)


def first_start(program):
    with tempfile.TemporaryDirectory() as folder:
        configuration = write_configuration(folder, f"http://127.0.0.1:{free_port()}", [stop(0), stop(1)])
        report("exec to first byte of the first frame, no network",
               [once(program, configuration) for _ in range(RUNS)])


def restart(program, directory):
    server = TfLServer()
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(program, folder, server.url("again"), 2, directory, preservesRuntime=True)
        daemon.wait("first responses", lambda: server.polls("again") >= 2)
        time.sleep(1)
        daemon.close()
        server.close()
        path = os.path.join(daemon.runtime, "board.json")
        with open(path, "rb") as file:
            snapshot = file.read()
        runs = []
        for _ in range(RUNS):
            with open(path, "wb") as file:  # each start writes its own
                file.write(snapshot)
            # The same configuration; the server is closed.
            runs.append(once(program, daemon.configuration, daemon.environment))
        daemon.forget()
    report(f"the same after a restart, with a snapshot of {len(snapshot) / 1000:.0f} kB, favourites and directory", runs)
    right = sum(len(DEPARTURE.findall(frame)) >= 3 for _, frame, _ in runs)
    row("  of these, with a page of departures in the first frame", str(right), str(RUNS), right == RUNS)


first_start(sys.argv[1])
restart(*sys.argv[1:3])
