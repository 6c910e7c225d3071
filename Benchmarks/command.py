#!/usr/bin/env python3
"""The stop directory as a command, from exec to its end: command.py PROGRAM DIRECTORY QUESTIONS.

The first run of each finds neither the program nor the directory in the kernel's cache, as far as this process may drop
them from it; its libraries are there.
"""
import os
import random
import subprocess
import sys
import time

from common import median_and_max, row

RUNS, GOAL = 31, 60
# What a search ends with that finds nothing.
NOTHING = 1


def forget(paths):
    """Asks the kernel to drop what it keeps of files."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def once(command, environment):
    began = time.monotonic()
    process = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    took = (time.monotonic() - began) * 1000
    if process.returncode not in (0, NOTHING):
        sys.exit(f"command.py: {command}: {process.returncode} {process.stderr}")
    return took


def main(program, directory, questions):
    environment = {**os.environ, "STATE_DIRECTORY": directory, "RUNTIME_DIRECTORY": directory}
    known = subprocess.run([program, "stops", "--help"], capture_output=True)
    if known.returncode != 0:
        row("boardd stops search, from cold", "this boardd has no such command", f"<= {GOAL} ms", False)
        return
    with open(questions) as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    rng = random.Random(1)
    files = [program] + [os.path.join(directory, name) for name in os.listdir(directory)]
    searches = [[line[2]] for line in lines if line[0] == "search" and line[1] in ("name", "prefix", "words", "short code")]
    near = [[line[2], "--radius", line[3] + "m"] for line in lines if line[0] == "near" and line[1] != "far away"]
    for verb, asked in (("search", searches), ("near", near)):
        runs = rng.sample(asked, RUNS)
        forget(files)
        first, *times = [once([program, "stops", verb, *arguments], environment) for arguments in runs]
        row(f"boardd stops {verb}, exec to end ({len(times)} runs)", median_and_max(times), f"<= {GOAL} ms",
            max(times) <= GOAL)
        row("  the run before, with program and directory not in the kernel's cache", f"{first:.1f} ms")


main(*sys.argv[1:4])
