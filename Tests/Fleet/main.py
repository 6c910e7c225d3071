"""The scenarios of a fleet: main.py PROGRAM WORK [--long] [SCENARIO]...; see Tests/Fleet/run."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from runner import Runner, version  # noqa: E402

USED = ["Scripts/mosquitto", "docs/fleet"]
# They mostly wait, so that all run at the same time; their starts are spread over time.
SCENARIOS = dict.fromkeys([
    "frozen.hub", "counts.hub", "mutants", "hostile", "connections.dropped", "broken.frozen", "connections.old", "counts.reconnect",
    "broken.killed", "frozen.rejected", "connections.absent", "delivery.changes", "clocks", "broken.divided", "lists.quick", "lists.join", "twins.week",
    "connections.certificate", "delivery.responses", "connections.mute", "twins.twins", "rights", "connections.rejected", "connections.healthy",
    "connections.later", "connections.off", "malformed.ends", "malformed.large", "malformed.fuzz",
], USED)

if __name__ == "__main__":
    sys.exit(Runner("fleet", __file__, SCENARIOS, jobs=len(SCENARIOS), apart=1, alone=["delivery.changes", "delivery.responses", "malformed.fuzz"],
                    facts=[version("mosquitto", "-h")]).run())
