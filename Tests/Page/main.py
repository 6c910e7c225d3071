"""The scenarios of the page: main.py PROGRAM WORK [--long] [SCENARIO]...; see Tests/Page/run."""
import contextlib
import glob
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from runner import Runner, version  # noqa: E402

SCENARIOS = {
    "live.lost": [], "live.many": [], "tiles": [], "screens": [], "live.presses": [], "responses": [], "strangers": [], "favourites": [], "variants.demo": [],
    "variants.all_languages": [], "asleep.stale": [], "hostile": ["Benchmarks/daemon.py", "Benchmarks/common.py"], "fuzz": ["docs/control"], "find": [],
    "shared": ["Tests/Fleet", "Scripts/mosquitto"], "live.restart": [], "live.person": [], "asleep.unreachable": [], "asleep.reachable": [],
    "asleep.unresponsive": [], "asleep.buffered": [], "asleep.decoded": [], "asleep.hidden": [], "recipes": ["docs/page"], "keyboard": [],
    "variants.empty": [],
}


@contextlib.contextmanager
def browsers(context):
    """A chromedriver for each scenario."""
    from webdriver import Driver
    context.has_axe = os.path.exists(os.path.join(context.common, "axe.min.js"))
    if not context.has_axe:
        context.skip("axe-core is not there: accessibility is tested by keyboard only")
    with open(os.path.join(context.work, "chromedriver.log"), "w") as log:
        context.driver = Driver(log)
        try:
            yield
        finally:
            context.driver.close()


if __name__ == "__main__":
    packages = glob.glob(os.path.join(os.path.abspath(sys.argv[2]), "apt/*.deb"))
    facts = [version("chromium", "--version"), *sorted(map(os.path.basename, packages))]
    sys.exit(Runner("page", __file__, SCENARIOS, jobs=3, alone=["live.presses"], facts=facts, around=browsers).run())
