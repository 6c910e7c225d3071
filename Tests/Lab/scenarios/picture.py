"""The picture after the start, how long the start takes, the calls of a whole picture, and the end."""
from lab import *

note("installed", install_board())
operator, bus = Operator(), Bus()
configure(operator)

began = time.monotonic()
start()
ready = time.monotonic()
first = until(lambda: bus.writes(), 5)
check("`systemctl start` returns after READY", is_active() and first and first[0].at < ready, f"{(ready - began) * 1000:.0f} ms")
shown = bus.wait(lambda picture: is_right(picture, operator), 10)
check("the picture is right", shown, bus.text())
check("the backlight is on", bus.controller.is_lit)
check("the operator was polled", any("/Arrivals" in path for _, path in operator.requests))

def first_byte(after, name):
    """Milliseconds from an event of the unit to the first byte on the bus."""
    return (until(lambda: bus.writes(after), 5)[0].at - int(properties(name)[name]) / 1e6) * 1000


starts, execs = [], []
for _ in range(10):
    run("systemctl stop boardd")
    before = time.monotonic()
    start()
    starts.append(first_byte(before, "InactiveExitTimestampMonotonic"))  # before every ExecStartPre
    execs.append(first_byte(before, "ExecMainStartTimestampMonotonic"))
note("of this, from the start of the program, ten starts", f"median {percentile(execs, .5):.0f}, least {min(execs):.0f} ms")
figure("start of the service to first byte on the bus, median of ten", percentile(starts, .5), 400, "ms",
       f"least {min(starts):.0f}, most {max(starts):.0f} ms")
check("the picture is right after each start", bus.wait(lambda picture: is_right(picture, operator), 10, since=before), bus.text())

# A start initialises the controller in six calls, then writes all 80 cells in one go, with "display on" at the end.
writes, on = bus.writes(before), next(at for at, picture in bus.history if at > before and picture)
whole = [call for call in writes[6:] if call.at <= on]
count = sum(len(call.bytes) for call in whole)
check("a call has at most 33 port bytes", max(len(call.bytes) for call in writes) == 33)
check("the whole 20x4 picture is at most ten calls", 0 < len(whole) <= 10 and count >= 80 * 4, f"{len(whole)} calls, {count} port bytes")

run("systemctl stop boardd")
check("the last picture states that the board has stopped", bus.wait(lambda picture: "stopped" in " ".join(picture), 5), bus.text())
check("after it, the display is in phase", bus.controller.is_in_phase)
check("the service ended without an error", properties("Result")["Result"] == "success")
finish()
