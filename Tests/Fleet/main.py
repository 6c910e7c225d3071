"""Runs the tests of the fleet and prints each check: main.py PROGRAM WORK [--full] [SCENARIO]...; see Tests/Fleet/run."""
import argparse
import importlib
import os
import signal
import sys
import threading
import time
import traceback

# Functions of modules. Those that mostly wait run at the same time; then those with times that must be short, one by one.
TOGETHER = [
    "counts.run", "rights.run", "frozen.hub", "frozen.rejected", "broken.killed", "broken.frozen", "broken.divided", "twins.twins", "twins.week",
    "connections.healthy", "connections.off", "connections.old", "connections.certificate", "connections.rejected", "connections.absent",
    "connections.mute", "connections.later", "connections.dropped", "hostile.run", "clocks.run", "mutants.run", "lists.quick", "lists.join", "counts.reconnect",
]
ALONE = ["delivery.changes", "delivery.responses"]
SCENARIOS = TOGETHER + ALONE


class Context:
    """What a scenario needs: the program, a folder for files, and where checks are reported."""

    def __init__(self, name, program, work, isFull):
        self.name, self.program, self.work, self.isFull = name, program, work, isFull
        self.checks, self.failures, self.skipped = 0, [], []

    def print(self, text):
        print(f"  {self.name}: {text}", flush=True)

    def check(self, what, isTrue, detail=""):
        self.checks += 1
        self.print(f"{'ok' if isTrue else 'FAILED'}: {what}" + (f": {detail}" if detail != "" and not isTrue else ""))
        if not isTrue:
            self.failures.append(" ".join(f"{what}: {detail}".split()))

    def measured(self, what, value):
        self.print(f"measured: {what}: {value}")

    def skip(self, why):
        self.print(f"skipped: {why}")
        self.skipped.append(why)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("work")
    parser.add_argument("--full", action="store_true", help="ten minutes of requests with the intervals of an operator")
    parser.add_argument("scenario", nargs="*", help=f"a module or a function; default: all of {', '.join(SCENARIOS)}")
    arguments = parser.parse_intermixed_args()
    selected = [name for name in SCENARIOS if not arguments.scenario or {name, name.partition(".")[0]} & set(arguments.scenario)]
    if not selected:
        parser.error("no such scenario")
    contexts = {name: Context(name, os.path.abspath(arguments.program), os.path.abspath(arguments.work), arguments.full) for name in selected}
    began = time.monotonic()
    threads = [threading.Thread(target=run, args=(contexts[name],), daemon=True) for name in selected if name in TOGETHER]
    for thread in threads:
        thread.start()
        time.sleep(1)  # the starts of many programs are spread over time
    for thread in threads:
        thread.join()
    for name in selected:
        if name in ALONE:
            run(contexts[name])
    failures = [f"{name}: {what}" for name, context in contexts.items() for what in context.failures]
    print(f"fleet: {sum(context.checks for context in contexts.values())} checks, {len(failures)} failed, {time.monotonic() - began:.0f} s"
          + "".join(f"\n  skipped: {why}" for context in contexts.values() for why in context.skipped))
    for what in failures:
        print(f"✗ {what}")
    return 1 if failures else 0


def run(context):
    began = time.monotonic()
    try:
        module, _, function = context.name.partition(".")
        getattr(importlib.import_module(module), function)(context)
    except Exception as error:
        traceback.print_exc()
        context.check("runs to its end", False, str(error))
    context.print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
