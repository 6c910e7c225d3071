"""The program on kernel, bus and button alone: the picture of the demo's recording, presses, memory."""
import sys
import time

from pi import Pi, check, memory, note, percentile, status
from recording import Stop

folder, PRESSES, LIMIT = sys.argv[1], 20, 9000  # kB
options = ["-kernel", "vmlinuz", "-initrd", "initrd", "-dtb", "bcm2837-rpi-3-b.dtb",
           "-append", f"console=ttyS1,115200 rdinit=/init quiet now={int(time.time())}"]
pi = Pi(folder, options)
pi.console.expect("guest: starts boardd", 150)
began = time.time()
note("the kernel starts boardd", pi.since_power(began))
stops = [Stop("Oxford St", "490008660N", {"73", "390"}, began), Stop("Gt Portland St", "490098765S", None, began)]
at = pi.bus.shows(stops[0].is_right, 90)
check("the display shows the departures of the recording", at, pi.bus.text())
note("first byte on the bus, first departures", " and ".join(pi.since_power(at) for at in [*pi.bus.writes[:1], at or time.time()]))

# A short press shows the next page: of the other stop, the overview, whose first row begins with the date, and of the first stop.
pages = [stops[1].is_right, lambda picture: picture[0].startswith(time.strftime("%a ", time.gmtime())), stops[0].is_right]
answered, times = 0, []
while answered < PRESSES:
    down, up = pi.press()
    if not pi.bus.shows(pages[answered % 3], 15, up):
        break
    answered += 1
    times.append(1000 * (pi.bus.wrote(down, 1) - down))
check(f"{PRESSES} of {PRESSES} presses show the right next page", answered == PRESSES, f"{answered}, {pi.bus.text()}")
if times:
    note("from the edge to the first byte, median and longest", f"{percentile(times, .5):.0f} ms, {max(times):.0f} ms; a Pi is faster")
check("every byte keeps the data sheet's order of the lines", not pi.bus.panel.faults and pi.bus.bytes,
      f"{pi.bus.bytes} bytes, {len(pi.bus.history)} pictures{''.join(' ' + fault for fault in pi.bus.panel.faults[:5])}")

pi.console.send("")
found = memory(pi.console.expect("(?s)(.*)guest: end", 30)[1])
check(f"the program's private memory is at most {LIMIT / 1000:.0f} MB", 0 < found["RssAnon"] <= LIMIT,
      ", ".join(f"{name} {value} kB" for name, value in found.items()))
sys.exit(status())
