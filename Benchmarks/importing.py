#!/usr/bin/env python3
"""The import of a complete list into the stop directory of a real daemon: importing.py PROGRAM PAGES.

The daemon requests the list 20 s after its start, page by page; a server on this machine serves list and departures. A second
update, like the weekly one, imports the list again while the directory is open.
"""
import os
import sys
import tempfile
import time

from tfl_server import TfLServer
from common import row
from daemon import Daemon, forget_peak, memory

GOAL = 32 * 1024
PRIVATE = 8  # MB, idle
STOPS = 2
# BoardCore/Polling: the interval and a tenth of it as jitter.
LONGEST = 33
PAGES_AT_MOST = 600  # seconds


def update(daemon, server, begin):
    """Follows one update. Returns the peak memory in kB, the time, the pages, and the gaps between polls of the same stop."""
    server.listed.clear()
    begin()
    daemon.wait("request for the list", lambda: server.listed, 60)
    started = server.listed[0][0]
    daemon.wait("end of the update", lambda: not is_running(daemon), PAGES_AT_MOST)
    ended = time.monotonic()
    peak = memory(daemon.pid)[2]
    with server.lock:
        polls = {}
        for moment, _, code in server.polled:
            polls.setdefault(code, []).append(moment)
        pages = len(server.listed)
    gaps = [
        later - earlier for moments in polls.values() for earlier, later in zip(moments, moments[1:])
        if later >= started and earlier <= ended]
    return peak, ended - started, pages, gaps


def is_running(daemon):
    time.sleep(0.4)
    state = daemon.call("GET", "/v1/directory")
    if any(feed["update"]["state"] == "failed" for feed in state):
        sys.exit(f"importing.py: the update failed: {state}")
    return any(feed["update"]["state"] == "running" for feed in state)


def report(what, idle, outcome):
    peak, took, pages, gaps = outcome
    above = peak - idle
    row(f"{what}: peak resident memory above idle ({idle / 1024:.1f} MB)", f"{above / 1024:.1f} MB",
        f"<= {GOAL // 1024} MB", above <= GOAL)
    row("  time from the response with the first page", f"{took:.0f} s ({pages} pages)")
    row(f"  longest gap between two polls of a stop ({len(gaps)} gaps)", f"{max(gaps):.1f} s",
        f"<= {LONGEST} s", max(gaps) <= LONGEST + 0.5)


def main(program, pages):
    size = sum(entry.stat().st_size for entry in os.scandir(pages)) / 1e6
    server = TfLServer(pages)
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(program, folder, server.url("import"), STOPS)
        daemon.wait("first responses", lambda: server.polls("import") >= STOPS)
        daemon.call("GET", "/v1/state")
        time.sleep(15)
        if server.listed:
            sys.exit("importing.py: the list was requested before the idle memory was measured")
        idle = memory(daemon.pid)[0]
        forget_peak(daemon.pid)
        report(f"import of the {size:.0f} MB list", idle, update(daemon, server, lambda: None))
        time.sleep(10)
        after = memory(daemon.pid)
        row("  resident · private 10 s after it", f"{after[0] / 1024:.1f} · {after[1] / 1024:.1f} MB",
            f"private <= {PRIVATE} MB", after[1] <= PRIVATE * 1024)
        forget_peak(daemon.pid)
        outcome = update(daemon, server, lambda: daemon.call("POST", "/v1/directory/update"))
        report("the same again, as weekly", after[0], outcome)
        bytes_stored = sum(entry.stat().st_size for entry in os.scandir(daemon.state))
        stops = sum(feed["stops"] for feed in daemon.call("GET", "/v1/directory"))
        row(f"  the directory of {stops} stops on the disk", f"{bytes_stored / 1e6:.1f} MB")
        daemon.close()
    server.close()


main(*sys.argv[1:3])
