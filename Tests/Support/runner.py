"""Runs scenarios of scripted checks, some at a time, each in a process of its own, and prints each check.

A scenario is a function of a module beside main.py: "module", of which `run` is called, or "module.function". It gets a `Context`.
Environment: JOBS=N: N scenarios at a time. STRICT=1: goals of real time are checks, and the scenarios that measure them run one by one
at the end. CI=true: what is skipped fails, unless CI_SKIPS has a part of it. CI_STAMPS=1: a scenario that has passed with the same program and
files before is not run again (Scripts/stamps.py). SHUFFLE=N: another order for each N.
"""
import argparse
import concurrent.futures
import contextlib
import glob
import hashlib
import importlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback

from started import CHECKOUT

SUPPORT = os.path.dirname(os.path.abspath(__file__))
STRICT = os.environ.get("STRICT") == "1"
# Parts of what may be skipped in CI (.ci/run).
ACCEPTED = [part for part in os.environ.get("CI_SKIPS", "").splitlines() if part]
LONGEST = 1800  # seconds of a scenario, to end a hang; ten times as many with --long


class Context:
    """What a scenario needs: the program, a folder for its files, one that all share, and where checks are reported."""

    def __init__(self, name, program, common, isLong):
        self.name, self.program, self.common, self.isLong = name, program, common, isLong
        self.work = os.path.join(common, name)
        self.checks, self.failures, self.skipped = 0, [], []

    def check(self, what, isTrue, detail=""):
        self.checks += 1
        print(f"{'ok' if isTrue else 'FAILED'}: {what}" + (f": {detail}" if detail != "" and not isTrue else ""), flush=True)
        if not isTrue:
            self.failures.append(" ".join(f"{what}: {detail}".split()))

    def measured(self, what, value):
        print(f"measured: {what}: {value}", flush=True)

    def goal(self, what, value, isMet):
        """A limit of real time, which also depends on the other programs of the machine: a check only where STRICT=1."""
        self.measured(what, f"{value}: {'met' if isMet else 'NOT MET'}")
        if STRICT:
            self.check(what, isMet, value)

    def skip(self, why):
        print(f"skipped: {why}", flush=True)
        self.skipped.append(why)


def version(*command):
    """The first line that a command prints; None: there is no such command."""
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout.partition("\n")[0]
    except OSError:
        return None


class Runner:
    def __init__(self, name, main, scenarios, jobs, apart=0, alone=(), facts=(), around=None):
        """`main`: the path of main.py. `scenarios`: their names, the longest first, each with further paths of the checkout that it uses.

        `apart`: seconds between two starts. `alone`: those that measure real time. `facts`: versions that a stamp depends on. `around`: a context manager around each scenario.
        """
        self.name, self.main, self.folder, self.scenarios = name, os.path.abspath(main), os.path.dirname(os.path.abspath(main)), scenarios
        self.jobs, self.apart, self.alone = int(os.environ.get("JOBS") or jobs), apart, alone if STRICT else ()
        self.facts, self.around = [sys.version, STRICT, *facts], around or contextlib.nullcontext
        self.lock, self.starting, self.children, self.results, self.ended = threading.Lock(), threading.Lock(), set(), {}, False
        self.stamps = None
        if os.environ.get("CI_STAMPS") == "1" or "LOAD_ROUNDS" in os.environ:
            sys.path.append(os.path.join(CHECKOUT, "Scripts"))
            with contextlib.suppress(ImportError):
                self.stamps = importlib.import_module("stamps")

    def run(self):
        parser = argparse.ArgumentParser(description=f"Runs the scenarios of Tests/{os.path.basename(self.folder)}.")
        parser.add_argument("program")
        parser.add_argument("work")
        parser.add_argument("--long", action="store_true", help="the long form of the scenarios that have one")
        parser.add_argument("--one", action="store_true", help="runs one scenario in this process")
        parser.add_argument("scenario", nargs="*", help=f"a module or a function; default: all of {', '.join(self.scenarios)}")
        # A scenario may stand after an option.
        arguments = parser.parse_intermixed_args()
        self.program, self.work, self.isLong = os.path.abspath(arguments.program), os.path.abspath(arguments.work), arguments.long
        wrong = [name for name in arguments.scenario if not any(name in (one, one.partition(".")[0]) for one in self.scenarios)]
        if wrong:
            parser.error(f"no such scenario: {' '.join(wrong)}")
        if arguments.one:
            return self.run_here(arguments.scenario[0])
        return self.run_all([one for one in self.scenarios if not arguments.scenario or {one, one.partition(".")[0]} & set(arguments.scenario)])

    # In the process of one scenario

    def run_here(self, name):
        def end(*_):  # what was started ends, once
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            sys.exit(143)
        signal.signal(signal.SIGTERM, end)
        context = Context(name, self.program, self.work, self.isLong)
        module, _, function = name.partition(".")
        try:
            with self.around(context):
                getattr(importlib.import_module(module), function or "run")(context)
        except Exception as error:
            traceback.print_exc()
            context.check("runs to its end", False, str(error))
        with open(os.path.join(context.work, "result.json"), "w") as file:
            json.dump([context.checks, context.failures, context.skipped], file)
        return 0

    # In the process of all

    def print(self, text):
        with self.lock:
            print(text, flush=True)

    def suite(self, name):
        """The files of a scenario: its own, and those that all share."""
        own = os.path.join(self.folder, name.partition(".")[0] + ".py")
        others = {os.path.join(self.folder, one.partition(".")[0] + ".py") for one in self.scenarios} - {own}
        shared = [path for path in glob.glob(os.path.join(self.folder, "*")) if path not in others and os.path.isfile(path)]
        return [*sorted(shared), SUPPORT]

    def key(self, name):
        paths = [*self.suite(name), *(os.path.join(CHECKOUT, path) for path in ("etc", *self.scenarios[name]))]
        with open(self.program, "rb") as file:
            return self.stamps.key(paths, self.stamps.machine(), hashlib.file_digest(file, "sha256").hexdigest(), self.isLong, *self.facts)

    def run_one(self, name):
        try:
            self.run_unless_passed(name)
        except Exception as error:  # of the runner itself, such as no git for the stamps
            self.results[name] = 0, [f"not run: {error!r}"], []

    def run_unless_passed(self, name):
        title, key = f"{self.name}/{name}", None
        if self.stamps:
            key = self.key(name)
            if date := self.stamps.passed(title, key, *self.suite(name)):
                return self.print(f"{title}: passed before on {date}, with the same program and files")
        checks, failures, skipped = self.run_process(name)
        self.results[name] = checks - len(failures), failures, skipped
        if not checks and not skipped:
            failures.append("it has no check")
        forbidden = [f"skipped: {why}" for why in skipped if not any(part in why for part in ACCEPTED)]
        if key and not failures and not forbidden and self.key(name) == key:
            self.stamps.record(title, key, *self.suite(name))
        if os.environ.get("CI") == "true":
            failures += forbidden

    def run_process(self, name):
        began, work = time.monotonic(), os.path.join(self.work, name)
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        command = [sys.executable, self.main, self.program, self.work, "--one", name, *(["--long"] if self.isLong else [])]
        with self.starting:
            if self.ended:
                return 1, ["it was not started"], []
            child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
            self.children.add(child)
            time.sleep(self.apart)  # so that their programs do not all start at once
        hang = threading.Timer(LONGEST * (10 if self.isLong else 1), child.terminate)
        hang.start()
        for line in child.stdout:
            self.print(f"  {name}: {line.rstrip()}")
        status = child.wait()
        hang.cancel()
        self.children.discard(child)
        self.print(f"  {name}: {time.monotonic() - began:.0f} s")
        try:
            with open(os.path.join(work, "result.json")) as file:
                return json.load(file)
        except FileNotFoundError:
            return 1, [f"its process has ended with {status}"], []

    def end(self, *_):
        self.ended = True
        for child in list(self.children):
            child.terminate()

    def run_all(self, names):
        signal.signal(signal.SIGTERM, self.end)
        signal.signal(signal.SIGINT, self.end)
        if seed := os.environ.get("SHUFFLE"):
            random.Random(seed).shuffle(names)
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            for name in names:
                if name not in self.alone:
                    pool.submit(self.run_one, name)
        for name in names:
            if name in self.alone:
                self.run_one(name)
        failures = [f"{self.name}/{name}: {what}" for name in names if name in self.results for what in self.results[name][1]]
        skipped = [f"{self.name}/{name}: {why}" for name in names if name in self.results for why in self.results[name][2]]
        passed = sum(passed for passed, *_ in self.results.values())
        print(f"{self.name}: {time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}")
        for line in skipped:
            print(f"skipped: {line}")
        for line in failures:
            print(f"✗ {line}")
        print(f"{self.name}: {passed} passed, {len(failures)} failed, {len(skipped)} skipped", flush=True)
        return 1 if failures else 0
