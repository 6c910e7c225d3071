"""Runs the tests of the page and prints each check: main.py PROGRAM WORK [--long] [SCENARIO]...; see Tests/Page/run."""
import argparse
import importlib
import os
import signal
import sys
import time
import traceback

from webdriver import Driver

SCENARIOS = ["screens", "find", "favourites", "shared", "keyboard", "live", "responses", "asleep", "variants", "tiles", "strangers", "recipes", "fuzz", "hostile"]


class Context:
    """What a scenario needs: the program, a folder for files, and where checks are reported."""

    def __init__(self, program, work, isLong):
        self.program, self.work, self.isLong = program, work, isLong
        self.has_axe = os.path.exists(os.path.join(work, "axe.min.js"))
        self.checks, self.failures, self.skipped = 0, [], []

    def check(self, what, isTrue, detail=""):
        self.checks += 1
        print(f"  {'ok' if isTrue else 'FAILED'}: {what}" + (f": {detail}" if detail and not isTrue else ""), flush=True)
        if not isTrue:
            self.failures.append(" ".join(f"{what}: {detail}".split()))

    def measured(self, what, value):
        print(f"  measured: {what}: {value}", flush=True)

    def skip(self, why):
        print(f"  skipped: {why}", flush=True)
        self.skipped.append(why)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("work")
    parser.add_argument("--long", action="store_true", help="ten minutes of hostile clients, and more requests of schemathesis")
    parser.add_argument("scenario", nargs="*", choices=[[], *SCENARIOS], help="default: all")
    # A scenario may stand after --long.
    arguments = parser.parse_intermixed_args()
    context = Context(os.path.abspath(arguments.program), os.path.abspath(arguments.work), arguments.long)
    if not context.has_axe:
        context.skip("axe-core is not there: accessibility is tested by keyboard only")
    log = open(os.path.join(context.work, "chromedriver.log"), "w")
    context.driver = Driver(log)
    try:
        run(context, arguments.scenario or SCENARIOS)
    finally:
        context.driver.close()
        log.close()
    print(f"page: {context.checks} checks, {len(context.failures)} failed" + "".join(f"\n  skipped: {why}" for why in context.skipped))
    for what in context.failures:
        print(f"✗ {what}")
    return 1 if context.failures else 0


def run(context, scenarios):
    for name in scenarios:
        began = time.monotonic()
        print(f"== {name}", flush=True)
        try:
            importlib.import_module(name).run(context)
        except Exception as error:
            traceback.print_exc()
            context.check(f"{name} runs to its end", False, str(error))
        print(f"== {name}: {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started ends
    sys.exit(main())
