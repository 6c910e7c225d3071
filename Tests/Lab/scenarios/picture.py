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

# From the cold start: a whole picture takes ten calls by the trace of the kernel.
times, calls = [], []
for _ in range(10):
    run("systemctl stop boardd")
    before = time.monotonic()
    start()
    began = int(properties("InactiveExitTimestampMonotonic")["InactiveExitTimestampMonotonic"]) / 1e6  # before every ExecStartPre
    writes = bus.writes(before)
    times.append((writes[0].at - began) * 1000)
note("start of the service to first byte, ten starts",
     f"median {percentile(times, .5):.0f}, at most {max(times):.0f} ms")
check("start of the service to first byte on the bus <= 400 ms", max(times) <= 400, f"{max(times):.0f} ms")
check("the picture is right after each start", bus.wait(lambda picture: is_right(picture, operator), 10, since=before), bus.text())

# The whole picture: a page whose every cell differs. The re-synchronisation writes every cell, without the pauses of a start.
writes = bus.writes(before)
largest = max((call.bytes for call in writes), key=len)
check("a call has at most 33 port bytes", len(largest) <= 33, len(largest))
check("every call acknowledged at the display's address", len(writes) > 5 and all(call.bytes for call in writes), f"{len(writes)} calls")

run("systemctl stop boardd")
check("after the stop, the display is in phase", bus.controller.is_in_phase)
check("the last picture states that the board has stopped", bus.picture and "stopped" in " ".join(bus.picture), bus.text())
check("the service ended without an error", properties("Result")["Result"] == "success")
finish()
