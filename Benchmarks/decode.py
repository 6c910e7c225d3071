#!/usr/bin/env python3
"""Decoding of large responses, compared with Python's parsers on the same bytes, alternating: decode.py BOARDD_BENCH."""
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import xml.parsers.expat

import motis
from common import arrivals, row, stop
from lists import predictions, trips
from rail import bodies
import siri

ROUNDS, COUNT = 7, 400
NOW = 1_772_453_070


def expat(body):
    """expat alone, without handlers."""
    xml.parsers.expat.ParserCreate().Parse(body, True)


def measure(program, what, kind, body, count, name, parse, goal):
    """Prints the row of one body: this program's CPU time to departures as a multiple of that of `parse`."""
    ours, pythons = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "body")
        with open(path, "wb") as file:
            file.write(body)
        for _ in range(ROUNDS):
            output = subprocess.run(
                [program, "decode", kind, path, str(COUNT)], capture_output=True, text=True, check=True).stdout
            departures, each = output.split("\t")
            if int(departures) != count:
                sys.exit(f"decode.py: {departures} departures of {count} ({kind})")
            ours.append(float(each))
            began = time.process_time()
            for _ in range(COUNT):
                parse(body)
            pythons.append((time.process_time() - began) / COUNT * 1e6)
    ratio = statistics.median(ours) / statistics.median(pythons)
    row(f"{what} ({len(body) / 1000:.0f} kB) to departures, against Python's {name}",
        f"{ratio:.2f} x ({statistics.median(ours):.0f} us CPU, {name} {statistics.median(pythons):.0f})",
        f"<= {goal} x", ratio <= goal)


def main(program):
    measure(program, "60 rows", "tfl", arrivals(stop(0), NOW), 60, "json.loads", json.loads, 3)
    soap, as_json, count = bodies(NOW, 90_000)
    measure(program, f"SOAP board of {count} trains", "soap", soap, count, "expat", expat, 2)
    measure(program, "the same board in JSON", "rdm", as_json, count, "json.loads", json.loads, 3)
    body, count = siri.as_json(NOW, 100_000)
    measure(program, f"SIRI in JSON, {count} visits", "siri", body, count, "json.loads", json.loads, 3)
    body, count = siri.as_soap(NOW, 800_000)
    measure(program, f"a day of SIRI in SOAP, {count} visits", "siri", body, count, "expat", expat, 3)
    body, count = motis.body(NOW, 100_000)
    measure(program, f"MOTIS's stop of {count} departures", "motis", body, count, "json.loads", json.loads, 3)
    body, count = predictions()
    measure(program, f"{count} predictions of LA Metro", "lametro", body, count, "json.loads", json.loads, 3)
    body, count = trips(NOW)
    measure(program, f"{count} trips", "trips", body, count, "json.loads", json.loads, 3)


main(sys.argv[1])
