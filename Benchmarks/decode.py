#!/usr/bin/env python3
"""A busy stop's answer against Python's json on the same bytes, in turns: decode.py BOARDD_BENCH."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from common import arrivals, row, stop

ROUNDS, COUNT = 7, 400
GOAL = 3  # times json.loads

body = arrivals(stop(0), 1_772_453_070)
ours, pythons = [], []
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "arrivals.json")
    with open(path, "wb") as file:
        file.write(body)
    for _ in range(ROUNDS):
        output = subprocess.run(
            [sys.argv[1], "decode", path, str(COUNT)], capture_output=True, text=True, check=True).stdout
        departures, each = output.split("\t")
        if int(departures) != 60:
            sys.exit(f"decode.py: {departures} departures of 60")
        ours.append(float(each))
        began = time.process_time()
        for _ in range(COUNT):
            json.loads(body)
        pythons.append((time.process_time() - began) / COUNT * 1e6)
ratio = statistics.median(ours) / statistics.median(pythons)
row(f"60 rows ({len(body) / 1000:.0f} kB) to departures, against Python's json.loads",
    f"{ratio:.2f} x ({statistics.median(ours):.0f} us CPU, json {statistics.median(pythons):.0f})",
    f"<= {GOAL} x", ratio <= GOAL)
