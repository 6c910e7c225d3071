#!/usr/bin/env python3
"""From exec to the first byte of the first frame, with no network: start.py PROGRAM."""
import subprocess
import sys
import tempfile
import time

from common import closed_port, median_and_max, row, stop, write_configuration

RUNS = 30
GOAL = 150


def once(program, configuration):
    began = time.monotonic()
    process = subprocess.Popen(
        [program, "run", "--config", configuration, "--frames", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    first = process.stdout.read(1)
    took = time.monotonic() - began
    _, errors = process.communicate(timeout=30)
    if not first:
        sys.exit(f"start.py: no frame came: {errors.decode()}")
    return took * 1000, process.returncode


with tempfile.TemporaryDirectory() as folder:
    configuration = write_configuration(folder, f"http://127.0.0.1:{closed_port()}", [stop(0), stop(1)])
    runs = [once(sys.argv[1], configuration) for _ in range(RUNS)]
times = [took for took, _ in runs]
bad = [code for _, code in runs if code != 0]
row(f"exec to first byte of the first frame, no network ({RUNS} starts)", median_and_max(times),
    f"<= {GOAL} ms", max(times) <= GOAL)
row("  of these, ended with another status than 0", " ".join(map(str, [len(bad), *(f"({code})" for code in bad)])),
    "0", not bad)
