"""Presses through the kernel's simulated GPIO chip: gestures, bounce, and the time from an edge to the first byte on the bus."""
from lab import *

DEBOUNCE = 0.010
note("installed", install_board())
operator, bus, button = Operator(), Bus(), Button()
button.set(False)
configure(operator, board='turns = false\nhome = "first"\nrotate = "off"\nreturn_home = "never"', button='double = "previous"',
          favourites=[(STOP, LABEL), (SECOND, SECOND_LABEL)])
start()
check("the first page", bus.wait(lambda picture: is_right(picture, operator), 10), bus.text())
check("the daemon has the line", until(lambda: any("gpio" in target for target in open_files()), 5))


def shows(text, seconds=3.0, since=0.0):
    return bus.wait(lambda picture: text in "\n".join(picture), seconds, since)


# The pages are both favourites and the overview, whose first row begins with the date.
# The double press has an action here, so a short press acts 300 ms after its end.
PAGES = ["Oxford St N ", "Oxford St S ", r"[A-Z][a-z]{2} \d+ [A-Z][a-z]{2} "]


def page(picture):
    """Which page a picture shows, by its first row; None while that has a hint, and for another page."""
    return next((index for index, name in enumerate(PAGES) if picture and re.match(name, picture[0])), None)


def settles_on(index, since):
    return bus.wait(lambda picture: page(picture) == index, 4, since)


for index in [1, 2, 0]:
    up = button.press(0.1)[1]
    reacted = until(lambda: bus.writes(up + 0.2), 2)
    check(f"a short press shows page {index + 1}", settles_on(index, up) and reacted and 0.3 <= reacted[0].at - up <= 0.5,
          f"{bus.text()}, {(reacted[0].at if reacted else 0) - up:.3f} s after the release, of it 0.3 s for a second press")

def hold(seconds):
    """Holds the button; returns when it went up, and the picture before."""
    button.set(True)
    time.sleep(seconds)
    offered = bus.text()
    return button.set(False), offered


up, offered = hold(0.9)
opened = bus.wait(lambda picture: picture[0].startswith("73 Oxford"), 4, up)
check("a hold (0.9 s) opens the first departure, as the display shows before", opened and "Let go: details" in offered, offered)
time.sleep(1)
up, offered = hold(0.9)
check("there, a hold goes back, as the display shows before", "Let go: back" in offered and settles_on(0, up), offered)
time.sleep(1)
up, offered = hold(1.8)
by_line = bus.wait(lambda picture: [row.split()[:1] for row in picture[1:]] == [["73"], ["390"], ["N73"]], 4, up)
check("a long hold (1.8 s) sorts by line", "Let go: by line" in offered and by_line, f"{offered}, {bus.text()}")
for _ in range(2):  # by destination, by time
    up = button.press(1.8)[1]
    bus.wait(lambda picture: "Let go" not in picture[0], 4, up)
# The clock is back where the press had shown the position.
check("after two more the page is sorted by time again", bus.wait(lambda picture: is_right(picture, operator), 8, up), bus.text())
up, offered = hold(3.3)
check("a hold for more than 3 s does nothing",
      "Let go: nothing" in offered and bus.wait(lambda picture: is_right(picture, operator), 8, up), offered)
time.sleep(1)
button.press(0.08)
time.sleep(0.08)
up = button.press(0.08)[1]
check("a double press shows the previous page", settles_on(2, up), bus.text())
time.sleep(1)
up = button.press(0.1)[1]
check("and a short one the first again", settles_on(0, up), bus.text())

# 8 ms of bounce at each end, as contacts have: one press, not several.
for index in [1, 2, 0]:
    down = time.monotonic()
    for step in range(8):
        button.set(step % 2 == 0)
        time.sleep(0.001)
    button.set(True)
    time.sleep(0.1)
    for step in range(8):
        button.set(step % 2 == 1)
        time.sleep(0.001)
    up = button.set(False)
    time.sleep(3.5)
    pages = [page(picture) for at, picture in bus.history if at > down and page(picture) is not None]
    check("a press with 8 ms of bounce at both ends is one press", page(bus.picture) == index and set(pages) <= {index, (index - 1) % 3}, bus.text())
    button.set(True)
    time.sleep(0.004)
    button.set(False)
    time.sleep(1)
    check("a contact of 4 ms is none", page(bus.picture) == index)

# From the edge to the first byte. Without an action of the double press a release acts at once, and the press draws the position.
configure(operator, board='turns = false\nhome = "first"\nrotate = "off"\nreturn_home = "never"', favourites=[(STOP, LABEL), (SECOND, SECOND_LABEL)])
run("systemctl reload boardd")
time.sleep(3)
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
    # A change of the clock, or of a departure's minutes, is no response to a press.
    while any(at % 30 > 28.5 or at % 30 < 0.5 for at in [time.time()] + [time.time() - due for _, _, due in operator.departures]):
        time.sleep(0.1)
check("every press of 100 changes the display", not lost, f"{lost} did not")
middle, late = percentile(times, .5), percentile(times, .99)
check("no change before the debounce has passed", min(times) >= 0, f"least {min(times):.1f} ms")
figure("edge to first byte beyond the debounce, median of 100", middle, 10, "ms")
figure("edge to first byte beyond the debounce, 99 %", late, 25, "ms", f"most {max(times):.1f} ms")
# A page whose cells all differ: the largest number of calls after one press.
counts = []
for _ in range(6):
    up = button.press(0.05)[1]
    time.sleep(2.5)
    burst = bus.writes(up)
    counts.append(len([call for call in burst if call.at < burst[0].at + 0.1]) if burst else 0)
check("another page takes at most ten calls", counts and 0 < min(counts) and max(counts) <= 10, counts)
finish()
