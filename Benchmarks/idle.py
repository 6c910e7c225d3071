#!/usr/bin/env python3
"""Memory after ten TLS polls, and wake-ups of an idle board: idle.py PROGRAM DIRECTORY.

A TLS server on this machine responds with the 60 rows of a busy stop. Its certificate is made here and trusted through a bundle
that is mounted over the system's in a mount namespace of the program, so the program reads the whole bundle as usual. Each
daemon has its control socket, its snapshot and a stop directory, which is open after one search over the socket.
"""
import collections
import os
import shutil
import subprocess
import sys
import tempfile
import time

from tfl_server import TfLServer
from common import row
from daemon import Daemon, memory

BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
# After a connection to the socket, a timer fires after 30 s.
SETTLE, WINDOW = 35, 120
PRIVATE = 8  # MB; resident memory is mostly pages of files, which the kernel reclaims


def trust(folder):
    """The system's bundle of certificates with that of the server appended."""
    bundle = os.path.join(folder, "bundle.pem")
    with open(bundle, "wb") as file:
        for part in (BUNDLE, os.path.join(folder, "certificate.pem")):
            with open(part, "rb") as source:
                shutil.copyfileobj(source, file)
    return bundle


def trusting(bundle):
    """The command prefix of a program that trusts `bundle`; None if namespaces are not allowed."""
    mount = 'mount --bind "$0" ' + BUNDLE + ' && exec "$@"'
    for options in (["-m"], ["-Urm"]):
        command = ["unshare", *options, "sh", "-c", mount, bundle]
        if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
            return command
    return None


def switches(pid):
    """Voluntary context switches of each thread, by its ID and name."""
    counts = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/status") as file:
                lines = dict(line.split(":", 1) for line in file)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
        counts[task, lines["Name"].strip()] = int(lines["voluntary_ctxt_switches"])
    return counts


def count_wakes(boards, seconds):
    """Wake-ups of each board by thread; sampled every half second, because worker threads start and end."""
    first = [switches(board.pid) for board in boards]
    last = [dict(counts) for counts in first]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.5)
        for board, counts in zip(boards, last):
            counts.update(switches(board.pid))
    return [
        {task: count - before.get(task, 0) for task, count in counts.items()} for before, counts in zip(first, last)
    ]


def report_wakes(what, counts):
    names = collections.Counter()
    for (_, name), count in counts.items():
        names[name] += count
    total = sum(names.values()) / WINDOW
    parts = ", ".join(f"{name} {count / WINDOW:.2f}" for name, count in names.most_common() if count)
    row(f"wake-ups a second over {WINDOW} s, 2 favourites at 30 s, {what}", f"{total:.2f} ({parts})",
        "<= 2", total <= 2)


def main(program, directory):
    with tempfile.TemporaryDirectory() as base:
        server = TfLServer(keys=base)
        prefix = trusting(trust(base))
        if prefix is None:
            sys.exit("idle.py: unshare(1) cannot mount a bundle over the system's: run as root, or allow user namespaces")

        def start(name, stops, options=()):
            folder = os.path.join(base, name)
            os.mkdir(folder)
            daemon = Daemon(program, folder, server.url(name), stops, directory, prefix, options)
            if options:
                daemon.discard_output()
            return daemon

        boards = {"ten": start("ten", 10), "none": start("none", 2), "text": start("text", 2, ["--simulate"])}
        for name, polls in (("ten", 10), ("none", 2), ("text", 2)):
            boards[name].wait(f"{polls} polls of {name}", lambda: server.polls(name) >= polls)
        for board in boards.values():
            if len(board.search("high street")) == 0:
                sys.exit("idle.py: the stop directory is empty")
            board.call("GET", "/v1/state")
        time.sleep(SETTLE)
        resident, private = memory(boards["ten"].pid)
        row(f"resident after {server.polls('ten')} TLS polls (10 favourites, 60 rows each), socket and directory open",
            f"{resident / 1024:.1f} MB")
        row("  of it private (RssAnon)", f"{private / 1024:.1f} MB", f"<= {PRIVATE} MB", private <= PRIVATE * 1024)
        watched = (boards["none"], boards["text"])
        for what, counts in zip(('driver "none"', "frames as text"), count_wakes(watched, WINDOW)):
            report_wakes(what, counts)
        for name in ("none", "ten"):
            resident, private = memory(boards[name].pid)
            row(f"  resident · private after {server.polls(name)} polls ({name})",
                f"{resident / 1024:.1f} · {private / 1024:.1f} MB")
        codes = [board.close() for board in boards.values()]
        row("  status after SIGTERM", " ".join(map(str, codes)), "0 0 0", codes == [0, 0, 0])
        server.close()


if __name__ == "__main__":
    main(*sys.argv[1:3])
