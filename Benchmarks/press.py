#!/usr/bin/env python3
"""From a press to the first changed byte, through the program's threads: press.py PROGRAM CHECKOUT.

A key of a pseudo-terminal replaces the debounced edge (the simulated button has no debounce), and the terminal replaces
the bus. In between are the threads of the button, the board and the display, as on a Pi. The measurement is of the press, not
the release: the position mark acknowledges it and disappears before the next press, and the release has no action,
so that the page stays. Four boards share the work.
"""
import os
import pty
import random
import select
import subprocess
import sys
import tempfile
import threading
import time

from common import drain, median_and_max, row, write_configuration

BOARDS, PRESSES = 4, 15
GOAL = 15
STOPS = ["490008660N", "490098765S"]  # of the recording in etc/demo


def watch(index, program, checkout, folder, times, lost):
    configuration = write_configuration(
        folder, "https://api.tfl.gov.uk", STOPS, 'turns = false\nhome = "first"\nrotate = "off"\nreturn_home = "never"',
        button='[[button]]\nshort = "none"')
    terminal, side = pty.openpty()
    process = subprocess.Popen(
        [program, "run", "--config", configuration, "--simulate", "--replay", f"{checkout}/etc/demo/recording"],
        stdin=side, stdout=side, stderr=subprocess.DEVNULL)
    os.close(side)
    rng = random.Random(index)
    drain(terminal, 4 + index * 0.7)
    for _ in range(PRESSES):
        began = time.monotonic()
        os.write(terminal, b" ")
        if select.select([terminal], [], [], 1)[0]:
            times.append((time.monotonic() - began) * 1000)
        else:
            lost.append(began)
        drain(terminal, rng.uniform(3.6, 4.4))
    os.write(terminal, b"q")
    drain(terminal, 10)
    process.wait(10)
    os.close(terminal)


program, checkout = sys.argv[1:3]
times, lost = [], []
with tempfile.TemporaryDirectory() as base:
    threads = []
    for index in range(BOARDS):
        folder = os.path.join(base, str(index))
        os.mkdir(folder)
        threads.append(threading.Thread(target=watch, args=(index, program, checkout, folder, times, lost)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
if not times:
    sys.exit("press.py: no press changed the display")
row(f"key to first changed byte on a pseudo-terminal, no debounce ({len(times)} presses)",
    median_and_max(times) + (f"; {len(lost)} WITHOUT CHANGE" if lost else ""), f"<= {GOAL} ms",
    max(times) <= GOAL and not lost)
