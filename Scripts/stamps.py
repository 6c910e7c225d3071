"""Stamps: what a check passed with before, so that it is not repeated while its inputs are exactly the same.

A key is a hash of the contents of files and of facts (versions, the hash of the program). A stamp is one small file below
${XDG_CACHE_HOME:-~/.cache}/boardd/stamps, named after the check and the key, that holds the date. Without CI_STAMPS=1 nothing is read
or written; CI_ALL=1 repeats everything and still records it.

One pass of a test can be luck. The stamp of a suite counts only once the suite, as its files are now, has passed every round of
Scripts/load, or if the row of all suites of its kind in docs/nightly.md is for these files.
"""
import datetime
import functools
import hashlib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORDINGS = os.environ.get("BOARDD_FIXTURES") or os.path.join(ROOT, "..", "shared", "fixtures")
NIGHTLY = os.path.join(ROOT, "docs", "nightly.md")
# The files of all suites of a kind.
LOAD = {"load-test": "Tests/*.swift", "load-page": "Tests/Page Tests/Support", "load-fleet": "Tests/Fleet Tests/Support"}
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "boardd")


def output(*command):
    """What a command prints; the reason if it cannot be started."""
    try:
        return subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
    except OSError as error:
        return str(error)


def files(*paths):
    """The files below these paths that git tracks or does not ignore."""
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard", "--", *paths], cwd=ROOT, capture_output=True, check=True).stdout
    return sorted({name for name in listed.decode().split("\0") if name})


def contents(path):
    """The hash of a file, or of a link's target; empty for a missing file."""
    path = os.path.join(ROOT, path)
    try:
        if os.path.islink(path):
            return os.readlink(path)
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return ""


def key(paths, *facts):
    """The hash of the files below paths and of the facts; without paths, of the facts alone."""
    lines = [f"{name} {contents(name)}" for name in (files(*paths) if paths else [])]
    return hashlib.sha256("\n".join([*lines, *map(str, facts)]).encode()).hexdigest()[:24]


_key = key  # for functions whose parameter has this name


@functools.cache
def machine():
    """Facts of every check: the compiler, the dependencies, the week, the recordings. The week stands for Debian's packages."""
    found = [os.path.join(folder, name) for folder, _, names in os.walk(RECORDINGS) for name in names]
    year, week, _ = datetime.date.today().isocalendar()
    return " ".join([output("swift", "--version"), contents("Package.resolved"), f"{year}-W{week}", *(contents(path) for path in sorted(found))])


def passed(name, key, *suite):
    """The date at which this check passed with this key, or None. suite: the paths of a suite's own files."""
    if os.environ.get("CI_STAMPS") != "1" or os.environ.get("CI_ALL") == "1" or suite and not is_proven(name, suite):
        return None
    try:
        with open(_path(name, key)) as file:
            return file.read().strip()
    except FileNotFoundError:
        return None


def record(name, key, *suite):
    """Records a pass; in a round of Scripts/load, one of the rounds that prove the suite."""
    if rounds := os.environ.get("LOAD_ROUNDS"):
        path = _path("rounds", f"{os.environ['LOAD_ID']}-{name.replace('/', '-')}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a") as file:
            file.write(".")
        if os.path.getsize(path) == int(rounds) >= 5:
            _write(f"{name}/proven", _key(suite))
    elif os.environ.get("CI_STAMPS") == "1":
        _write(name, key)


def is_proven(name, suite):
    row = ledger().get(f"load-{name.partition('/')[0]}", [])
    whole = LOAD.get(f"load-{name.partition('/')[0]}", "")
    return os.path.exists(_path(f"{name}/proven", key(suite))) or row[1:3] and row[2] == "passed" and row[4] == key(whole.split())


def ledger():
    """The rows of docs/nightly.md by piece: date, commit, result, time, key."""
    with open(NIGHTLY) as file:
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in file if line.startswith("|")]
    return {cells[0]: cells[1:] for cells in rows[2:] if len(cells) == 6}


def _write(name, key):
    path = _path(name, key)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(f"{path}.{os.getpid()}", "w") as file:
        file.write(f"{datetime.datetime.now():%Y-%m-%d %H:%M}\n")
    os.replace(file.name, path)


def _path(name, key):
    return os.path.join(CACHE, "stamps", name, key)


if __name__ == "__main__":  # for a suite that is not Python: stamps.py NAME PATH...
    record(sys.argv[1], "", *sys.argv[2:])
