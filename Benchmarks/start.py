#!/usr/bin/env python3
"""From exec to the first byte of the first frame, with no network: start.py PROGRAM DIRECTORY.

First a board that was never there; then one that is started again, with the snapshot that its last run left, its favourites
and the whole stop directory.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

from city import City
from common import closed_port, median_and_max, row, stop, write_configuration
from daemon import Daemon

RUNS = 30
GOAL = 150
# A row of departures: a line, where it goes, and minutes or "due" at its end.
DEPARTURE = re.compile(r"^[^\w\n]*(73|390|N73|55|476|94|C2) +\S.* (\d+m|due|\d\d:\d\d)[^\w\n]*$", re.MULTILINE)


def once(program, configuration, environment=None):
    """Milliseconds to the first byte, the frame, and how it ended."""
    began = time.monotonic()
    process = subprocess.Popen(
        [program, "run", "--config", configuration, "--frames", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment, bufsize=0)
    first = process.stdout.read(1)
    took = time.monotonic() - began
    rest, errors = process.communicate(timeout=30)
    if not first:
        sys.exit(f"start.py: no frame came: {errors.decode()}")
    return took * 1000, (first + rest).decode(), process.returncode


def report(what, runs):
    times = [took for took, _, _ in runs]
    bad = [code for _, _, code in runs if code != 0]
    row(f"{what} ({len(runs)} starts)", median_and_max(times), f"<= {GOAL} ms", max(times) <= GOAL)
    row("  of these, ended with another status than 0", " ".join(map(str, [len(bad), *(f"({code})" for code in bad)])),
        "0", not bad)


def anew(program):
    with tempfile.TemporaryDirectory() as folder:
        configuration = write_configuration(folder, f"http://127.0.0.1:{closed_port()}", [stop(0), stop(1)])
        report("exec to first byte of the first frame, no network",
               [once(program, configuration) for _ in range(RUNS)])


def again(program, directory):
    city = City()
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(program, folder, city.url("again"), 2, directory, keepsRuntime=True)
        daemon.wait("the first answers", lambda: city.polls("again") >= 2)
        time.sleep(1)
        daemon.close()
        city.close()
        path = os.path.join(daemon.runtime, "board.json")
        with open(path, "rb") as file:
            kept = file.read()
        runs = []
        for _ in range(RUNS):
            with open(path, "wb") as file:  # each start leaves one of its own
                file.write(kept)
            # The same configuration: nobody listens there any more.
            runs.append(once(program, daemon.configuration, daemon.environment))
        daemon.forget()
    report(f"the same after a restart, with a snapshot of {len(kept) / 1000:.0f} kB, favourites and directory", runs)
    right = sum(len(DEPARTURE.findall(frame)) >= 3 for _, frame, _ in runs)
    row("  of these, whose first frame shows a page of departures", str(right), str(RUNS), right == RUNS)


anew(sys.argv[1])
again(*sys.argv[1:3])
