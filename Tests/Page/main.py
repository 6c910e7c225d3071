"""The scenarios of the page: main.py PROGRAM WORK [--long] [SCENARIO]...; see Tests/Page/run."""
import contextlib
import glob
import os
import signal
import subprocess
import sys

import selenium

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from runner import Runner, version  # noqa: E402

SCENARIOS = {
    "live.lost": [], "live.many": [], "tiles": [], "screens": [], "live.presses": [], "responses": [], "honest": [], "strangers": [], "favourites": [], "variants.demo": [],
    "variants.all_languages": [], "asleep.stale": [], "hostile": ["Benchmarks/daemon.py", "Benchmarks/common.py"], "hostile.resets": ["Benchmarks/daemon.py", "Benchmarks/common.py"], "fuzz": ["docs/control"], "killed": ["Tests/FileCalls"], "find": [], "search": [],
    "shared": ["Tests/Fleet", "Scripts/mosquitto"], "live.restart": [], "live.person": [], "asleep.unreachable": [], "asleep.reachable": [],
    "asleep.unresponsive": [], "asleep.buffered": [], "asleep.decoded": [], "asleep.hidden": [], "asleep.uncaught": [], "recipes": ["docs/page"], "keyboard": [],
    "variants.empty": [], "tools": [], "setup": [], "walks.london": [], "walks.city": [], "walks.station": [], "settings": [], "settings.button": [],
}


@contextlib.contextmanager
def browsers(context):
    """A chromedriver for each scenario, in a process group with its browsers, which end with it.

    Selenium's Service would choose a port that another may take meanwhile, and would wait half a second for chromedriver.
    """
    context.has_axe = os.path.exists(os.path.join(context.common, "axe.min.js"))
    if not context.has_axe:
        context.skip("axe-core is not there: accessibility is tested by keyboard only")
    with (open(os.path.join(context.work, "chromedriver.log"), "w") as log,
          subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True) as process):
        try:
            port = next((line.rstrip(".\n").split()[-1] for line in process.stdout if "started successfully on port" in line), None)
            if port is None:
                raise ChildProcessError("chromedriver did not start")
            context.chromedriver = f"http://127.0.0.1:{port}"
            yield
        finally:
            os.killpg(process.pid, signal.SIGTERM)


if __name__ == "__main__":
    packages = glob.glob(os.path.join(os.path.abspath(sys.argv[2]), "apt/*.deb"))
    facts = [version("chromium", "--version"), selenium.__version__, *sorted(map(os.path.basename, packages))]
    sys.exit(Runner("page", __file__, SCENARIOS, jobs=3, alone=["live.presses"], facts=facts, around=browsers).run())
