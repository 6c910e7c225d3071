#!/usr/bin/env python3
"""The disk writes of a running board: wear.py PROGRAM BOARDD_BENCH DIRECTORY.

First a day in virtual time (see boardd-bench), with snapshots in a tmpfs. Then real daemons for a minute: one with the
kernel's count of written bytes, and one under strace, with every call checked that changes a file.
Both get API requests and presses meanwhile.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from tfl_server import TfLServer
from common import row
from daemon import MEMORY, Daemon, written

# After 20 s a daemon opens the stop directory as a writer: that is part of its start.
HOURS, CONTROL_HOURS, SETTLE, MINUTE = 24, 1, 30, 60
# Calls that may change the contents of a disk. For an open the flags decide.
CALLS = ("open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,"
         "symlinkat,truncate,ftruncate,fallocate,chmod,fchmod,fchmodat,chown,fchown,fchownat,mknod,mknodat,utimensat,"
         "setxattr,fsetxattr,fsync,fdatasync,msync")


def changes(trace, runtime):
    """The calls of a trace that may have changed something outside `runtime`, with their times."""
    found = []
    with open(trace, errors="replace") as file:
        for line in file:
            call = re.match(r"(?:\d+\s+)?(\d+\.\d+) (\w+)\((.*)", line)
            if not call or " = -1 " in line:
                continue
            moment, name, rest = call.groups()
            if name.startswith("open") and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND", rest):
                continue
            paths = re.findall(r'"((?:[^"\\]|\\.)*)"', rest) or re.findall(r"<([^>]*)>", rest)
            if paths and all(path.startswith((runtime, "/dev/", "/proc/self/")) for path in paths):
                continue
            found.append((float(moment), f"{name} {' '.join(os.path.basename(path) for path in paths)}"))
    return found


def live(daemon, seconds):
    """Sends API requests and presses for `seconds`."""
    control = daemon.connect()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        control.call("GET", "/v1/state")
        control.call("GET", "/v1/stops?query=high%20street")
        control.call("POST", "/v1/press", {"gesture": "short"})
        time.sleep(2)
    control.close()


def start(program, base, name, server, directory, prefix=()):
    folder = os.path.join(base, name)
    os.mkdir(folder)
    daemon = Daemon(
        program, folder, server.url(name), 2, directory, prefix=prefix, options=["--simulate"],
        button='[[button]]\nshort = "next"')
    # Discard the frames.
    subprocess.Popen(["cat"], stdin=daemon.output, stdout=subprocess.DEVNULL)
    daemon.output.close()
    daemon.wait("first responses", lambda: server.polls(name) >= 2)
    return daemon


def main(program, bench, directory):
    for word, hours, place in (("wear", HOURS, MEMORY), ("wear-control", CONTROL_HOURS, os.path.dirname(directory))):
        with tempfile.TemporaryDirectory(dir=place) as folder:
            subprocess.run([bench, word, folder, str(hours)], check=True)
    server = TfLServer()
    with tempfile.TemporaryDirectory() as base:
        trace = os.path.join(base, "trace")
        plain = start(program, base, "plain", server, directory)
        polls = server.polls("plain")
        time.sleep(SETTLE)
        before, logged = written(plain.pid), len(plain.log_text().splitlines())
        live(plain, MINUTE)
        later = len(plain.log_text().splitlines()) - logged
        count = written(plain.pid) - before
        row(f"  a real daemon, {MINUTE} s: written to disks · lines logged (polls, presses and searches meanwhile)",
            f"{count} bytes · {later} ({server.polls('plain') - polls} polls); at its start {before} bytes",
            "0 bytes", count == 0)
        plain.close()
        if not shutil.which("strace"):
            row("  files that it opened for writing or changed", "not checked: strace is not installed")
            server.close()
            return
        watched = start(
            program, base, "traced", server, directory,
            ["strace", "-f", "-qq", "-y", "-ttt", "--seccomp-bpf", "-e", f"trace={CALLS}", "-o", trace])
        time.sleep(SETTLE)
        settled = time.time()
        live(watched, MINUTE)
        found = changes(trace, watched.runtime)
        steady = [what for moment, what in found if moment >= settled]
        row(f"  files outside of the runtime folder that it opened for writing or changed ({MINUTE} s)",
            str(len(steady)) + "".join(f"; {what}" for what in sorted(set(steady))[:5]), "0", not steady)
        first = [what for moment, what in found if moment < settled]
        row("    before that, since its start", str(len(first)) + "".join(f"; {what}" for what in dict.fromkeys(first)))
        child = int(open(f"/proc/{watched.pid}/task/{watched.pid}/children").read().split()[0])
        os.kill(child, signal.SIGTERM)
        watched.process.wait(20)
        watched.close()
    server.close()


main(*sys.argv[1:4])
