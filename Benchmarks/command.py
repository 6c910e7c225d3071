#!/usr/bin/env python3
"""Commands that search the stop directory, from exec to exit: command.py PROGRAM DIRECTORY SEARCHES.

The first run of each has neither the program nor the directory in the page cache, as far as this process can drop
them from it; its libraries are cached.
"""
import os
import random
import subprocess
import sys
import time

from common import median_and_max, row

RUNS, GOAL = 31, 60
# The exit status of a search without results.
NO_RESULT = 1


def forget(paths):
    """Drops files from the page cache."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def once(command, environment):
    began = time.monotonic()
    process = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    took = (time.monotonic() - began) * 1000
    if process.returncode not in (0, NO_RESULT):
        sys.exit(f"command.py: {command}: {process.returncode} {process.stderr}")
    return took


def main(program, directory, searches_file):
    environment = {**os.environ, "STATE_DIRECTORY": directory, "RUNTIME_DIRECTORY": directory}
    supported = subprocess.run([program, "stops", "--help"], capture_output=True)
    if supported.returncode != 0:
        row("boardd stops search, from cold", "this boardd has no such command", f"<= {GOAL} ms", False)
        return
    with open(searches_file) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    rng = random.Random(1)
    files = [program] + [os.path.join(directory, name) for name in os.listdir(directory)]
    searches = [[line[2]] for line in lines if line[0] == "search" and line[1] in ("name", "prefix", "words", "short code")]
    near = [[line[2], "--radius", line[3] + "m"] for line in lines if line[0] == "near" and line[1] != "far away"]
    for verb, chosen in (("search", searches), ("near", near)):
        runs = rng.sample(chosen, RUNS)
        forget(files)
        first, *times = [once([program, "stops", verb, *arguments], environment) for arguments in runs]
        row(f"boardd stops {verb}, exec to end ({len(times)} runs)", median_and_max(times), f"<= {GOAL} ms",
            max(times) <= GOAL)
        row("  the run before, with program and directory not in the page cache", f"{first:.1f} ms")


main(*sys.argv[1:4])
