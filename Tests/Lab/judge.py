"""Judges a night of Tests/Lab/night.py by its trace of the bus and its night.json: python3 Tests/Lab/judge.py .build/lab/night-1

Every second, the decoded picture must be true. On the page of the stop that is: the clock is right and marked only while nothing could set
it, and the departures are those of the operator's last response that have not expired, in order and without a gap, each in the right minute
and with `?` exactly if it is stale; a message has the right time. The overview and detail pages are judged likewise.

The same judge examines two boards that are simpler, and pictures of this night with one thing falsified.
"""
import functools
import json
import os
import random
import re
import sys
import time

from panel import pictures

GRACE, STALE, HOLD = 30, 180, 119  # seconds: ExpiryPolicy of TfL, MinuteHold
RESTART = 3  # seconds from a kill to a true picture
SAVED = 6  # seconds in which the snapshot has a response
SETTLED = 0.02  # seconds: a picture that stands for less is part of a frame
# The name, and then the screen, or the clock, or for lack of room only the order. While the button is down, a custom glyph precedes it.
HEADER = re.compile(r"^(Oxf|All).*?[ ⓪①②③④⑤⑥⑦](?:(\d) of \d|(\d\d:\d\d)(\??).|by \w+\.?.)$")
# Of a page with departures of one line, a row has no line.
ROW = re.compile(r"^(?:(\S+) +)?([A-Z][a-z]+) *([ ?])(due|\d+m|\d\d:\d\d)$")
CLOCK = re.compile(r"\d\d:\d\d")
OVERVIEW = re.compile(r"^Oxford St N +(\w+)(?: ([A-Z][a-z]+))? ?([ ?])(due|\d+m|\d\d:\d\d)$")
DETAIL = re.compile(r"^(\S+) ([A-Z][a-z]+) +(?:[⓪①②③④⑤⑥⑦]?\d+ of \d+)? *$")
DETAIL_TIME = re.compile(r"^(\??)(?:in (\d+) min|(due) now|(\d\d:\d\d))")
# In the header's place, for seconds after a press or while a button is held.
MESSAGE = re.compile(r"^(Let go: |hold for details|It has gone)")
REACH, SCREENS = 3600, 2
ORDERS = [  # the board's: by time, by line, by destination
    lambda due, line, place: (due, number(line), line, place),
    lambda due, line, place: (number(line), line, due, place),
    lambda due, line, place: (place, due, number(line), line),
]
FALSE = ["a minute more", "mark", "place", "departure missing", "clock"]


def number(line):
    digits = re.match(r"\d*", line)[0]
    return int(digits) if digits else 1 << 62


def minutes(left):
    """Whole minutes; 0 is "due"."""
    return 0 if left < 30 else max(1, int(left // 60))


def reach(held):
    """The seconds from which on minutes are not held."""
    return (30 if held == 0 else 60 * (held + 1)) + 30


def clock(instant):
    return clock_at(instant // 60)


@functools.cache
def clock_at(minute):
    return time.strftime("%H:%M", time.localtime(minute * 60))


def text(left, due):
    if left > 3600:
        return clock(due)
    return f"{minutes(left)}m" if minutes(left) else "due"


class Response:
    def __init__(self, at, rows):
        self.at, self.rows = at, {(line, place): (due, made) for line, place, due, made in rows}
        departures = [(due, line, place) for line, place, due, _ in rows]
        self.orders = [sorted(departures, key=lambda departure: order(*departure)) for order in ORDERS]

    def visible(self, now, order=0):
        return [(line, place) for due, line, place in self.orders[order] if now < due + GRACE]

    def on_page(self, now, order, room=3):
        """Those of the next hour, at least one screen of so many rows and at most two."""
        soonest = [(due, line, place) for due, line, place in self.orders[0] if now < due + GRACE]
        count = min(max(sum(due - now <= REACH for due, _, _ in soonest), room), room * SCREENS)
        chosen = {(line, place) for _, line, place in soonest[:count]}
        return [departure for departure in self.visible(now, order) if departure in chosen]


class Judge:
    def __init__(self, night):
        self.begin, self.end, self.epoch = night["begin"], night["begin"] + night["hours"] * 3600, night["epoch"]
        self.is_synchronised, self.kills = night["synchronised"], night["kills"]
        # `Date` has whole seconds.
        self.tolerance = [0, -0.1, 0.1] if self.is_synchronised else [0, -1, 1]
        self.responses = [Response(*response) for response in sorted(night["reports"])]
        self.last, self.at = -1, 0.0
        self.page = None

    def move(self, at):
        """Moves to this instant; calls are in order."""
        self.at, self.now = at, self.epoch + at
        while self.last + 1 < len(self.responses) and self.responses[self.last + 1].at <= at:
            self.last += 1
        self.clocks = {clock(self.now + delta) for delta in self.tolerance}

    def is_restarting(self):
        return any(0 <= self.at - kill < RESTART for kill in self.kills)

    def is_lost(self, index):
        """Whether a kill may have come before the response was saved."""
        return any(-1 < kill - self.responses[index].at < SAVED for kill in self.kills if kill <= self.at)

    def before(self, index):
        """The responses that the board may have had before this one, latest first."""
        while index > 0:
            index -= 1
            yield index
            if not self.is_lost(index):
                return

    def candidates(self):
        """The responses that may be the board's last one: of the last second, and if it may be lost, one before."""
        if self.last < 0:
            return
        yield self.last
        if self.is_lost(self.last) or self.at - self.responses[self.last].at < 1:
            yield from self.before(self.last)

    def look(self, picture):
        """Notes which page is in view, for the pictures whose header is covered by a message."""
        found = picture and HEADER.match(picture[0])
        if found:
            self.page = found[1]
        elif picture and not MESSAGE.match(picture[0]):
            self.page = None

    def fault(self, picture):
        """What is untrue of the picture now; None if nothing is."""
        if self.is_restarting():
            return None
        if picture is None:
            return "the display is off"
        found = HEADER.match(picture[0])
        if not found and not MESSAGE.match(picture[0]):
            return self.detail_fault(picture)
        page, screen, minute, mark = found.groups() if found else (self.page, None, None, None)
        if minute and minute not in self.clocks:
            return f"clock {minute}"
        if mark and (self.is_synchronised or self.at > self.begin + 30):
            return "clock marked"
        if page is None:
            return None  # a detail page without its title
        screens = [int(screen) - 1] if screen else range(SCREENS)
        return self.stop_fault(picture[1:], screens) if page == "Oxf" else self.overview_fault(picture[1:])

    def stop_fault(self, rows, screens):
        matches = [ROW.match(row) for row in rows]
        shown = [row.groups() for row in matches if row]
        if not all(matches[:len(shown)]):
            return "a message above a departure"
        message = "".join(rows[len(shown):]).strip()
        if not self.is_since(message):
            return f"message {message!r}"
        reason = "not the departures of the last response"
        for index in self.candidates():
            for page in self.pages(shown, index, screens, bool(message)):
                reason = next(filter(None, (self.row_fault(departure, *row[2:], index) for departure, row in zip(page, shown))), None)
                if reason is None:
                    return None
        return reason

    def overview_fault(self, rows):
        """The row of the stop has its next departure: "73 due", "N73 Hackney 4m"."""
        entry = OVERVIEW.match(rows[0])
        if not self.is_since(rows[2]):
            return f"message {rows[2]!r}"
        for index in self.candidates():
            for delta in self.tolerance:
                visible = self.responses[index].visible(self.now + delta)
                if not visible and not entry:
                    return None
                if not visible or not entry:
                    continue
                line, place, mark, value = entry.groups()
                if line == visible[0][0] and visible[0][1].startswith(place or "") and self.row_fault(visible[0], mark, value, index) is None:
                    return None
        return f"overview {rows[0]!r}"

    def is_since(self, message):
        """Whether a time in a message is that of the last response, or of its newest estimate."""
        found = CLOCK.search(message)
        return not found or any(
            found[0] == clock(instant) for index in self.candidates() for instant in
            [self.epoch + self.responses[index].at] + [made for _, made in self.responses[index].rows.values()])

    def pages(self, shown, index, screens, has_message):
        """The departures on the possible screens, where they are those shown. A message takes the last row, and in some cases covers a
        departure. If all departures are of one line, it is not shown."""
        room = 2 if has_message else 3
        for order in range(len(ORDERS)):
            for delta in self.tolerance:
                for rows in {3, room}:
                    page = self.responses[index].on_page(self.now + delta, order, rows)
                    is_one_line = is_of_one_line(page)
                    for first in [screen * rows for screen in screens]:
                        screen = page[first:first + room]
                        if [(None if is_one_line else line, place) for line, place in screen] == [row[:2] for row in shown]:
                            yield screen

    def row_fault(self, departure, mark, value, index):
        due, made = self.responses[index].rows[departure]
        left, age = due - self.now, self.now - made
        if all(left + GRACE + delta <= 0 for delta in self.tolerance):
            return f"{departure} has expired"
        if (mark == "?") not in {age + delta > STALE for delta in self.tolerance}:
            return f"{departure} of {age:.0f} s ago is marked {mark!r}"
        if value in {text(left - delta, due) for delta in self.tolerance} or self.is_held(departure, value, left, index):
            return None
        return f"{departure} {value}, not {text(left, due)}"

    def is_held(self, departure, value, left, index):
        """Whether the minute hold explains a minute too few: at one of the last responses the estimate rose from it by one."""
        held = 0 if value == "due" else int(value[:-1]) if value.endswith("m") else None
        if held is None or held + 1 not in {minutes(left - delta) for delta in self.tolerance}:
            return False
        while index > 0 and self.at - self.responses[index].at < HOLD + 1:
            then = self.epoch + self.responses[index].at
            for before in self.before(index):
                old, new = (self.responses[i].rows.get(departure) for i in (before, index))
                if old and new and any(
                        then + delta < old[0] + GRACE and then - old[1] + delta <= STALE and new[0] - then - delta < reach(held) + 1
                        and (minutes(old[0] - then - delta), minutes(new[0] - then - delta)) == (held, held + 1)
                        for delta in self.tolerance):
                    return True
            index -= 1
        return False

    def detail_fault(self, picture):
        """A detail page keeps its departure until it expires, also when the operator no longer reports it."""
        if "may be out of date" in picture[1] or "from the timetable" in picture[1]:
            return None  # the legend
        title, facts = DETAIL.match(picture[0]), DETAIL_TIME.match(picture[1])
        if not title:
            return None if self.at < self.begin + 5 else f"unknown page {picture[0]!r}"
        line, place = title.groups()
        # Beside a counter of four digits a place of seven letters loses its last one.
        newest, departure = next(((index, row) for index in range(self.last, -1, -1) for row in self.responses[index].rows
                                  if row[0] == line and (row[1] == place or len(place) == 6 and row[1][:6] == place)), (None, None))
        if newest is None:
            return f"{line} {place} was never reported"
        if not facts:
            return None  # a later screen
        mark, count, due_now, hour = facts.groups()
        times = set(CLOCK.findall(" ".join(picture[1:])))
        for index in {newest, *self.candidates()}:
            if departure in self.responses[index].rows:
                fault = self.row_fault(departure, mark, f"{count}m" if count else due_now or hour, index)
                due, made = map(clock, self.responses[index].rows[departure])
                if fault is None and {due} <= times <= {due, made}:
                    return None
        return fault or f"{departure} with {times}, not {due} and {made}"


def still_picture(judge):
    """A board whose minutes stand still between polls; it removes expired departures and marks stale ones."""
    response = judge.responses[judge.last]
    page = response.on_page(judge.now, 0)
    rows = []
    for departure in page[:3]:
        due, made = response.rows[departure]
        rows.append(row(departure, page, "?" if judge.now - made > STALE else " ", text(due - judge.epoch - response.at, due)))
    return [header(judge.now)] + rows


def lasting_picture(judge):
    """A board that counts the minutes down, but keeps the departures of its last response for ever."""
    response = judge.responses[judge.last]
    page = response.on_page(judge.epoch + response.at, 0)
    return [header(judge.now)] + [row(departure, page, " ", text(response.rows[departure][0] - judge.now, response.rows[departure][0]))
                                  for departure in page[:3]]


def header(now):
    return f"Oxford St N   {clock(now)} "


def is_of_one_line(page):
    return len(page) > 1 and len({line for line, _ in page}) == 1


def row(departure, page, mark, value):
    name = departure[1] if is_of_one_line(page) else f"{departure[0]:<4}{departure[1]}"
    return name.ljust(20 - len(mark + value)) + mark + value


def falsified(picture, rng):
    """A picture of the stop with one thing falsified, and what."""
    top, *rows = picture
    at = HEADER.match(top).start(3)
    what = rng.choice(FALSE if at >= 0 else FALSE[:-1])
    index = rng.choice([index for index, text in enumerate(rows) if ROW.match(text)])
    line, place, mark, value = ROW.match(rows[index]).groups()
    if what == "a minute more":
        number = int(value[:2].rstrip("m")) + 1 if value != "due" else 1
        value = f"{number:02}{value[2:]}" if ":" in value else f"{number}m"
    elif what == "mark":
        mark = " " if mark == "?" else "?"
    elif what == "place":
        place = "Neverland"
    elif what == "clock":
        top = f"{top[:at]}{(int(top[at:at + 2]) + 1) % 24:02}{top[at + 2:]}"
    rows[index:index + 1] = [] if what == "departure missing" else [f"{line or '':<4}{place:<10} {mark}{value}"]
    return what, [top] + rows


def settled(folder):
    """The pictures of the trace that stood for a while."""
    last = None
    for at, picture in pictures(folder + "/trace"):
        if last and at - last[0] > SETTLED:
            yield last
        last = at, picture
    if last:
        yield last


def main(folder):
    with open(folder + "/night.json") as file:
        night = json.load(file)
    os.environ["TZ"] = "Europe/London"
    time.tzset()
    judge, rng = Judge(night), random.Random(night["seed"])
    shown = settled(folder)
    picture, following = None, next(shown)
    untrue, still, lasting = {}, set(), set()  # minutes of the night
    departures = other_pages = 0
    tried, found = dict.fromkeys(FALSE, 0), dict.fromkeys(FALSE, 0)
    at = judge.begin + 5.5
    while at < judge.end:
        judge.move(at)
        while following and following[0] <= at:
            picture, following = following[1], next(shown, None)
        minute = int((at - judge.begin) // 60)
        judge.look(picture)
        fault = judge.fault(picture)
        if fault:
            untrue.setdefault(minute, f"{time.strftime('%d %b %H:%M:%S', time.localtime(judge.now))} {fault} {picture}")
        if judge.last >= 0 and judge.fault(still_picture(judge)):
            still.add(minute)
        if judge.last >= 0 and judge.fault(lasting_picture(judge)):
            lasting.add(minute)
        count = sum(bool(ROW.match(row)) for row in picture[1:]) if picture and picture[0].startswith("Oxf") else 0
        departures += count
        other_pages += not count
        if count and not fault and not judge.is_restarting() and rng.random() < 0.01:
            what, false = falsified(picture, rng)
            tried[what] += 1
            found[what] += judge.fault(false) is not None
        at += 1
    events = ", ".join(f"{count} × {name}" for name, count in sorted(night["counts"].items()))
    print(f"  seed {night['seed']}, {night['hours']:g} h, clock {'synchronised' if night['synchronised'] else 'wrong'}: "
          f"{len(judge.responses)} responses, {events}; {departures} rows judged, {other_pages} s without rows")
    for reason in list(untrue.values())[:20]:
        print("  untrue", reason)
    print("  falsified, found: " + ", ".join(f"{what} {tried[what]}, {found[what]}" for what in FALSE))
    print(f"  untrue minutes of {night['hours'] * 60:g}: {len(untrue)}; of a board whose minutes stand still between polls: {len(still)}; "
          f"of one that shows its last response for ever: {len(lasting)}")
    # A falsified minute may be true within the tolerance, or a hold.
    if any(found[what] < max(1, 0.9 * tried[what]) for what in FALSE):
        sys.exit("  FAILED: the judge does not find what is falsified")
    sys.exit(1 if untrue else 0)


if __name__ == "__main__":
    main(sys.argv[1])
