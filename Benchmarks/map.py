#!/usr/bin/env python3
"""Maps of a real daemon over its control socket: map.py PROGRAM DIRECTORY SEARCHES.

The places are those of the searches by position, one request after another over one connection.
"""
import random
import sys
import tempfile
import time

from common import closed_port, row
from control import spread
from daemon import Daemon

MAPS = 2000
# Metres per pixel, and sizes: a telephone's, and the largest.
SCALES = ["0.5", "1", "2", "5", "10", "20"]
SIZES = ["360x480", "1024x1024"]
# The goals of a map with up to 150 stops: milliseconds, and bytes.
SLOWEST, LARGEST = 20, 40_000


def fetched(control, target):
    """Milliseconds, and the document."""
    began = time.monotonic()
    control.request("GET", target)
    response = control.getresponse()
    text = response.read()
    if response.status != 200:
        sys.exit(f"map.py: GET {target}: {response.status} {text.decode()}")
    return (time.monotonic() - began) * 1000, text


def main(program, directory, searches):
    rng = random.Random(1)
    with open(searches) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    places = [line[2] for line in lines if line[0] == "near" and line[1] in ("beside a stop", "anywhere in the city")]
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(program, folder, f"http://127.0.0.1:{closed_port()}", 2, directory)
        control = daemon.connect()
        stops = sum(feed["stops"] for feed in control.call("GET", "/v1/directory"))
        times = []
        for number in range(MAPS):
            scale, size = SCALES[number % len(SCALES)], SIZES[number // len(SCALES) % len(SIZES)]
            took, text = fetched(control, f"/v1/map.svg?near={rng.choice(places)}&scale={scale}&size={size}")
            times.append((took, len(text), text.count(b"<a href=")))
        # The most stops that one picture shows: of 100 to 150.
        full = [found for found in times if found[2] >= 100]
        if not full:
            sys.exit("map.py: no map has 100 stops or more")
        slowest = sorted(took for took, _, _ in times)[len(times) * 99 // 100]
        row(f"{MAPS} maps over {stops} stops, at every scale, over the socket", spread([took for took, _, _ in times]),
            f"p99 <= {SLOWEST} ms", slowest <= SLOWEST)
        largest = max(length for _, length, _ in times)
        row(f"  the largest of them, with up to {max(count for _, _, count in times)} stops", f"{largest / 1000:.1f} kB",
            f"<= {LARGEST // 1000} kB", largest <= LARGEST)
        row(f"  the {len(full)} with 100 stops or more", spread([took for took, _, _ in full]))
        control.close()
        daemon.close()


if __name__ == "__main__":
    main(*sys.argv[1:4])
