#!/usr/bin/env python3
"""The whole list into the stop directory of a real daemon: importing.py PROGRAM PAGES.

The daemon asks 20 s after its start, page by page; one operator on this machine serves list and departures. Then it is
asked to update, as it does weekly: the list comes again while the directory is open.
"""
import os
import sys
import tempfile
import time

from city import City
from common import row
from daemon import Daemon, forget_peak, memory

GOAL = 32 * 1024
RESIDENT, PRIVATE = 34, 7  # MB, idle
STOPS = 2
# BoardCore/Polling: the interval and a tenth of it as jitter.
LONGEST = 33
PAGES_AT_MOST = 600  # seconds


def update(daemon, city, begin):
    """Follows one update; gives idle and highest memory in kB, how long it took, pages, and the longest gap between two
    questions about the same stop."""
    city.listed.clear()
    begin()
    daemon.wait("the list", lambda: city.listed, 60)
    started = city.listed[0][0]
    daemon.wait("the end of the update", lambda: not is_running(daemon), PAGES_AT_MOST)
    ended = time.monotonic()
    highest = memory(daemon.pid)[2]
    with city.lock:
        asked = {}
        for moment, _, code in city.asked:
            asked.setdefault(code, []).append(moment)
        pages = len(city.listed)
    gaps = [
        later - earlier for moments in asked.values() for earlier, later in zip(moments, moments[1:])
        if later >= started and earlier <= ended]
    return highest, ended - started, pages, gaps


def is_running(daemon):
    time.sleep(0.4)
    state = daemon.ask("GET", "/v1/directory")
    if any(feed["update"]["state"] == "failed" for feed in state):
        sys.exit(f"importing.py: the update failed: {state}")
    return any(feed["update"]["state"] == "running" for feed in state)


def tell(what, idle, outcome):
    highest, took, pages, gaps = outcome
    above = highest - idle
    row(f"{what}: highest resident memory above idle ({idle / 1024:.1f} MB)", f"{above / 1024:.1f} MB",
        f"<= {GOAL // 1024} MB", above <= GOAL)
    row("  how long it took, from the first page's answer", f"{took:.0f} s ({pages} pages)")
    row(f"  longest gap between two questions for a stop's departures ({len(gaps)} gaps)", f"{max(gaps):.1f} s",
        f"<= {LONGEST} s", max(gaps) <= LONGEST + 0.5)


def main(program, pages):
    size = sum(entry.stat().st_size for entry in os.scandir(pages)) / 1e6
    city = City(pages)
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(program, folder, city.url("import"), STOPS)
        daemon.wait("the first answers", lambda: city.polls("import") >= STOPS)
        daemon.ask("GET", "/v1/state")
        time.sleep(15)
        if city.listed:
            sys.exit("importing.py: the list was asked for before idle was measured")
        idle = memory(daemon.pid)[0]
        forget_peak(daemon.pid)
        tell(f"import of the {size:.0f} MB list", idle, update(daemon, city, lambda: None))
        time.sleep(10)
        after = memory(daemon.pid)
        row("  resident · private 10 s after it", f"{after[0] / 1024:.1f} · {after[1] / 1024:.1f} MB",
            f"<= {RESIDENT} · {PRIVATE} MB", after[0] <= RESIDENT * 1024 and after[1] <= PRIVATE * 1024)
        forget_peak(daemon.pid)
        outcome = update(daemon, city, lambda: daemon.ask("POST", "/v1/directory/update"))
        tell("the same again, as weekly", after[0], outcome)
        bytes_kept = sum(entry.stat().st_size for entry in os.scandir(daemon.state))
        stops = sum(feed["stops"] for feed in daemon.ask("GET", "/v1/directory"))
        row(f"  the directory of {stops} stops on the disk", f"{bytes_kept / 1e6:.1f} MB")
        daemon.close()
    city.close()


main(*sys.argv[1:3])
