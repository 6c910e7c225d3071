#!/usr/bin/env python3
"""What a board that goes on writes to disks: wear.py PROGRAM BOARDD_BENCH DIRECTORY.

First a day in virtual time (see boardd-bench), its snapshots in a tmpfs. Then real daemons for a minute, one as it is,
of which the kernel tells what was written, and one under strace, of which every call that changes a file is looked at.
Both are asked and pressed meanwhile.
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from city import City
from common import row
from daemon import MEMORY, Daemon, written

# After 20 s a daemon looks at the stop directory as a writer would: that is of its start.
HOURS, PROOF_HOURS, SETTLE, MINUTE = 24, 1, 30, 60
# Calls that may change what a disk holds. Of an open it is the flags that tell.
CALLS = ("open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,"
         "symlinkat,truncate,ftruncate,fallocate,chmod,fchmod,fchmodat,chown,fchown,fchownat,mknod,mknodat,utimensat,"
         "setxattr,fsetxattr,fsync,fdatasync,msync")


def changes(trace, runtime):
    """The calls of a trace by which something outside of `runtime` may have been changed: their times and what they did."""
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
    """A minute with somebody who asks and presses."""
    control = daemon.connect()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        control.ask("GET", "/v1/state")
        control.ask("GET", "/v1/stops?query=high%20street")
        control.ask("POST", "/v1/press", {"gesture": "short"})
        time.sleep(2)
    control.close()


def start(program, base, name, city, directory, prefix=()):
    folder = os.path.join(base, name)
    os.mkdir(folder)
    daemon = Daemon(
        program, folder, city.url(name), 2, directory, prefix=prefix, options=["--simulate"],
        button='[[button]]\nshort = "next"')
    # Nobody reads a frame: into nothing with them.
    subprocess.Popen(["cat"], stdin=daemon.output, stdout=subprocess.DEVNULL)
    daemon.output.close()
    daemon.wait("the first answers", lambda: city.polls(name) >= 2)
    return daemon


def main(program, bench, directory):
    for word, hours, place in (("wear", HOURS, MEMORY), ("wear-proof", PROOF_HOURS, os.path.dirname(directory))):
        with tempfile.TemporaryDirectory(dir=place) as folder:
            subprocess.run([bench, word, folder, str(hours)], check=True)
    city = City()
    with tempfile.TemporaryDirectory() as base:
        trace = os.path.join(base, "trace")
        plain = start(program, base, "plain", city, directory)
        polls = city.polls("plain")
        time.sleep(SETTLE)
        before, said = written(plain.pid), len(plain.said().splitlines())
        live(plain, MINUTE)
        later = len(plain.said().splitlines()) - said
        count = written(plain.pid) - before
        row(f"  a real daemon, {MINUTE} s: written to disks · lines logged (polls, presses and searches meanwhile)",
            f"{count} bytes · {later} ({city.polls('plain') - polls} polls); at its start {before} bytes",
            "0 bytes", count == 0)
        plain.close()
        if not shutil.which("strace"):
            row("  files that it opened for writing or changed", "not looked at: there is no strace")
            city.close()
            return
        watched = start(
            program, base, "traced", city, directory,
            ["strace", "-f", "-qq", "-y", "-ttt", "--seccomp-bpf", "-e", f"trace={CALLS}", "-o", trace])
        time.sleep(SETTLE)
        settled = time.time()
        live(watched, MINUTE)
        found = changes(trace, watched.runtime)
        steady = [what for moment, what in found if moment >= settled]
        row(f"  files outside of the runtime folder that it opened for writing or changed ({MINUTE} s)",
            str(len(steady)) + "".join(f"; {what}" for what in sorted(set(steady))[:5]), "0", not steady)
        first = [what for moment, what in found if moment < settled]
        row("    before that, from its start on", str(len(first)) + "".join(f"; {what}" for what in dict.fromkeys(first)))
        child = int(open(f"/proc/{watched.pid}/task/{watched.pid}/children").read().split()[0])
        os.kill(child, signal.SIGTERM)
        watched.process.wait(20)
        watched.close()
    city.close()


main(*sys.argv[1:4])
