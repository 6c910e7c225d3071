#!/usr/bin/env python3
"""CPU time from the bytes of large responses to departures: decode.py BOARDD_BENCH."""
import os
import statistics
import subprocess
import sys
import tempfile

import motis
from common import arrivals, row, stop
from lists import predictions, trips
from rail import bodies
import siri

ROUNDS, COUNT = 7, 400
# Milliseconds of CPU time for 100 kB.
GOAL = 10
NOW = 1_772_453_070


def measure(program, what, kind, body, count):
    """Prints the row of one body: its CPU time to departures, for 100 kB."""
    times = []
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
            times.append(float(each))
    each = statistics.median(times) / 1000 / (len(body) / 100_000)
    row(f"{what} ({len(body) / 1000:.0f} kB) to departures, for 100 kB", f"{each:.2f} ms CPU", f"<= {GOAL} ms", each <= GOAL)


def main(program):
    measure(program, "60 rows", "tfl", arrivals(stop(0), NOW), 60)
    soap, as_json, count = bodies(NOW, 90_000)
    measure(program, f"SOAP board of {count} trains", "soap", soap, count)
    measure(program, "the same board in JSON", "rdm", as_json, count)
    body, count = siri.as_json(NOW, 100_000)
    measure(program, f"SIRI in JSON, {count} visits", "siri", body, count)
    body, count = siri.as_soap(NOW, 800_000)
    measure(program, f"a day of SIRI in SOAP, {count} visits", "siri", body, count)
    body, count = motis.body(NOW, 100_000)
    measure(program, f"MOTIS's stop of {count} departures", "motis", body, count)
    body, count = predictions()
    measure(program, f"{count} predictions of LA Metro", "lametro", body, count)
    body, count = trips(NOW)
    measure(program, f"{count} trips", "trips", body, count)


main(sys.argv[1])
