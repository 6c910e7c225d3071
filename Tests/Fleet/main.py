"""The scenarios of a fleet: main.py PROGRAM WORK [--long] [SCENARIO]...; see Tests/Fleet/run."""
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Support"))
from runner import Runner, version  # noqa: E402

USED = ["Scripts/mosquitto", "docs/fleet"]
# They mostly wait, so that all run at the same time; their starts are spread over time.
SCENARIOS = dict.fromkeys([
    "counts.run", "rights.run", "frozen.hub", "frozen.rejected", "broken.killed", "broken.frozen", "broken.divided", "twins.twins", "twins.week",
    "connections.healthy", "connections.off", "connections.old", "connections.certificate", "connections.rejected", "connections.absent",
    "connections.mute", "connections.later", "connections.dropped", "hostile.run", "clocks.run", "mutants.run", "lists.quick", "lists.join",
    "counts.reconnect", "delivery.changes", "delivery.responses",
], USED)

if __name__ == "__main__":
    sys.exit(Runner("fleet", __file__, SCENARIOS, jobs=len(SCENARIOS), apart=1, alone=["delivery.changes", "delivery.responses"],
                    facts=[version("mosquitto", "-h")]).run())
