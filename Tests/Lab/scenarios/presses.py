"""Presses through the kernel's simulated GPIO chip: gestures, bounce, and the time from an edge to the first byte on the bus."""
from lab import *

DEBOUNCE = 0.010
note("installed", install_board())
operator, bus, button = Operator(), Bus(), Button()
button.set(False)
configure(operator, board='refresh_bar = "off"\nrotate = "off"\nreturn_home = "never"', button='double = "back"',
          favourites=[(STOP, LABEL), (SECOND, SECOND_LABEL)])
start()
check("the first page", bus.wait(lambda picture: is_right(picture, operator), 10), bus.text())
check("the daemon has the line", until(lambda: any("gpio" in target for target in open_files()), 5))


def shows(text, seconds=3.0, since=0.0):
    return bus.wait(lambda picture: text in "\n".join(picture), seconds, since)


# The double press has an action here, so a short press acts 300 ms after its end.
at = button.press(0.1)[1]
changed = shows(SECOND_LABEL, since=at)
check("a short press shows the next favourite", changed, f"{bus.text()}, {(changed or 0) - at:.3f} s after the release")
at = button.press(0.1)[1]
check("and the next one the first again", shows(LABEL, since=at), bus.text())

down = button.set(True)
time.sleep(0.9)
check("while the button is held, the display shows what its release does", any(at > down + 0.6 for at, _ in bus.history), bus.text())
up = button.set(False)
check("a hold (0.9 s) sorts by line", shows("line", since=down), bus.text())
time.sleep(2.5)
rows = [row.split()[0] for row in bus.picture[1:] if row.strip()]
check("the rows are sorted by line", rows == ["73", "390", "N73"] or rows == sorted(rows), rows)
button.press(0.9)
time.sleep(2.5)
button.press(0.9)  # time, line, destination, time
time.sleep(2.5)
check("after two more the page is sorted by time again", is_right(bus.picture, operator), bus.text())

down, up = button.press(1.8)
check("a long hold (1.8 s) opens the first departure", bus.wait(lambda p: p[0].startswith("73 ") and LABEL not in p[0], 3, since=up), bus.text())
button.press(0.08)
time.sleep(0.1)
up = button.press(0.08)[1]
check("a double press goes back", bus.wait(lambda picture: picture[0].startswith(LABEL), 3, since=up), bus.text())

# 8 ms of bounce at each end, as contacts have: one press, not several.
for count in range(3):
    before = bus.picture[0][:11]
    down = time.monotonic()
    for index in range(8):
        button.set(index % 2 == 0)
        time.sleep(0.001)
    button.set(True)
    time.sleep(0.1)
    for index in range(8):
        button.set(index % 2 == 1)
        time.sleep(0.001)
    up = button.set(False)
    time.sleep(1.5)
    after = [picture[0][:11] for at, picture in bus.history if at > down and picture]
    labels = [label for index, label in enumerate(after) if label != ([before] + after)[index]]
    check("a press with 8 ms of bounce is one press", len(labels) == 1, f"{before} to {labels}")
    bounced = time.monotonic()
    button.set(True)
    time.sleep(0.004)
    button.set(False)
    time.sleep(0.8)
    check("a contact of 4 ms is none", bus.picture[0][:11] == labels[-1] if labels else False)

# From the edge to the first byte. Without an action of the double press a release acts at once, and the press draws the position.
configure(operator, board='refresh_bar = "off"\nrotate = "off"\nreturn_home = "never"', favourites=[(STOP, LABEL), (SECOND, SECOND_LABEL)])
run("systemctl reload boardd")
time.sleep(2.5)
times, lost = [], 0
for index in range(100):
    down = button.set(True)
    call = until(lambda: bus.writes(down), 1, 0.002)
    if call:
        times.append((call[0].at - down - DEBOUNCE) * 1000)
    else:
        lost += 1
    button.set(False)
    time.sleep(0.35 + index % 7 / 50)
    while time.time() % 60 > 58.5 or time.time() % 60 < 0.5:  # the change of the clock is no response to a press
        time.sleep(0.1)
check("every press of 100 changes the display", not lost, f"{lost} did not")
middle, late = percentile(times, .5), percentile(times, .99)
check("edge to first byte beyond the debounce: median <= 10 ms, 99 % <= 25 ms", middle <= 10 and late <= 25 and min(times) >= 0,
      f"median {middle:.1f}, 99 % {late:.1f}, least {min(times):.1f}, most {max(times):.1f} ms")
# A page whose cells all differ: the largest number of calls after one press.
counts = []
for _ in range(6):
    up = button.press(0.05)[1]
    time.sleep(2.5)
    burst = bus.writes(up)
    counts.append(len([call for call in burst if call.at < burst[0].at + 0.1]) if burst else 0)
check("another page takes at most ten calls", counts and 0 < min(counts) and max(counts) <= 10, counts)
finish()
