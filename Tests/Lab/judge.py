"""Judges a night of Tests/Lab/night.py by its trace of the bus and its night.json: python3 Tests/Lab/judge.py .build/lab/night-1

Every second, the decoded picture must be true. On the page of the stop that is: the clock is right and marked only while nothing could set
it, and the departures are those of the operator's last response that have not expired, in order and without a gap, each in the right minute
and with `~` exactly if it is stale; each row is laid out as it must be. What the first row says in the place of name and clock has the right
time, and does not stay. The overview, detail pages and the legend are judged likewise.

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
COLUMNS, ROOM, REACH, SCREENS = 20, 3, 3600, 2
NAME = "Oxford St N"
# The name, or the date on the overview. At its end the screen or the clock, after a sign while the button is down, or for lack of room only
# the order.
HEADER = re.compile(rf"^(?P<page>{NAME}|[A-Z][a-z]{{2}} \d+ [A-Z][a-z]{{2}})  *(?:●?(?:(?:page )?(?P<screen>\d)/(?P<screens>\d)"
                    r"|(?P<clock>\d\d:\d\d)(?P<mark>\??))|by (?:line|dest|destination))$")
ROW = re.compile(r"^(\S+) +(\S.*?) +(~?)(due|\d+m|\d\d:\d\d)$")
PLACE = re.compile(r"^[A-Z][a-z]+$")
# On the overview, from which stop, in turn with the destination.
FROM = re.compile(r"^(?:(?:from|at) )?Oxford(?:…| St| St N)?$|^…(?:St N|N)$")
CLOCK = re.compile(r"\d\d:\d\d")
DETAIL = re.compile(r"^(\S+) ([A-Z][a-z]+) *$")
DETAIL_TIME = re.compile(r"^(?:Departs )?(\d\d:\d\d)(?:, (about |~)?(?:(\d+) ?m(?:in)?|(due)))? *$")
REPORT = re.compile(r"^(Live|Old) report of (\d\d:\d\d) *$")
# A later screen, or what else a detail page knows of the bus.
FACTS = re.compile(r"^(?:(?:[Pp]latform|[Pp]lat|[Pp]l) N|(?:Vehicle )?\S+[A-Z][a-z]+)?(?:, .*)? *$")
LEGEND = [row.ljust(COLUMNS) for row in ["⇨ leave home", "~ about: not certain", "… continues", "✗ cancelled", "⚠ alert: see details", "", "", ""]]
# In the first row, for seconds after a press or while a button is held; on every page but those of details also what is wrong, in turn.
PROMPT = re.compile(r"^(Let go: |Hold it for details)")
SAYING = re.compile(r"^(?:No reply since \d\d:\d\d|No network(?: since \d\d:\d\d)?"
                    r"|TfL (?:data from|rate limit|rate limit since|bad data|error \d+) \d\d:\d\d|Not a TfL stop) *$")
SAID = 3  # seconds of it
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

    def on_page(self, now, order, least=ROOM, screens=SCREENS):
        """Those of the next hour, at least so many and at most so many screens."""
        soonest = [(due, line, place) for due, line, place in self.orders[0] if now < due + GRACE]
        count = min(max(sum(due - now <= REACH for due, _, _ in soonest), least), ROOM * screens)
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
        self.page = self.said = None

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
        """Notes which page is in view, for the pictures whose first row is something else, and since when that row has said what is wrong."""
        found = picture and HEADER.match(picture[0])
        says = picture and SAYING.match(picture[0])
        self.said = None if not says else self.at if self.said is None else self.said
        if found:
            self.page = found["page"]
        elif picture and not PROMPT.match(picture[0]) and not says:
            self.page = None

    def fault(self, picture):
        """What is untrue of the picture now; None if nothing is."""
        if self.is_restarting():
            return None
        if picture is None:
            return "the display is off"
        found, says = HEADER.match(picture[0]), SAYING.match(picture[0])
        if not found and not says and not PROMPT.match(picture[0]):
            return self.detail_fault(picture)
        if says and not self.is_since(picture[0]):
            return f"message {picture[0]!r}"
        if says and self.said is not None and self.at - self.said > SAID:
            return f"no name for {self.at - self.said:.0f} s"
        page, screen = self.page, None
        if found:
            page, screen = found["page"], found["screen"] and (int(found["screen"]), int(found["screens"]))
            if found["clock"] and found["clock"] not in self.clocks:
                return f"clock {found['clock']}"
            if found["mark"] and (self.is_synchronised or self.at > self.begin + 30):
                return "clock marked"
        if page is None:
            return None  # a detail page without its title
        if page != NAME and page not in {date(self.now + delta) for delta in self.tolerance}:
            return f"date {page}"
        return self.rows_fault(picture[1:], page != NAME, screen)

    def rows_fault(self, rows, is_overview, screen):
        """Of the page of the stop, of which `screen` is in view: its number, and how many there are; None: unknown. Or of the overview."""
        shown = parsed(rows)
        if "".join(rows[len(shown):]).strip() and shown:
            return "not all rows are departures"
        if not shown and not self.is_since("".join(rows)):
            return f"message {rows!r}"
        if not shown and not "".join(rows).strip():
            return "neither departures nor a message"
        reason = "not the departures of the last response"
        for index in self.candidates():
            for page in self.pages(shown, index, is_overview, screen):
                reason = next(filter(None, (self.row_fault(departure, *parts[2:], index) for departure, parts in zip(page, shown))), None)
                if reason is None and [row(departure, page, *parts[1:]) for departure, parts in zip(page, shown)] != list(rows[:len(shown)]):
                    reason = "the rows are not laid out as they must be"
                if reason is None:
                    return None
        return reason

    def is_since(self, message):
        """Whether a time in a message is that of the last response, or of its newest estimate."""
        found = CLOCK.search(message)
        return not found or any(
            found[0] == clock(instant) for index in self.candidates() for instant in
            [self.epoch + self.responses[index].at] + [made for _, made in self.responses[index].rows.values()])

    def pages(self, shown, index, is_overview, screen):
        """The departures on the possible screens, where they are those shown. The overview of one stop has one screen, by time."""
        for order in range(1 if is_overview else len(ORDERS)):
            for delta in self.tolerance:
                page = self.responses[index].on_page(self.now + delta, order, *((1, 1) if is_overview else ()))
                screens = [page[first:first + ROOM] for first in range(0, len(page), ROOM)] or [[]]
                if screen and screen[1] != len(screens):
                    continue
                for number, departures in enumerate(screens, 1):
                    if (not screen or screen[0] == number) and len(departures) == len(shown) and all(
                            line == parts[0] and (place == parts[1] or is_overview and FROM.match(parts[1]))
                            for (line, place), parts in zip(departures, shown)):
                        yield departures

    def row_fault(self, departure, mark, value, index):
        due, made = self.responses[index].rows[departure]
        left, age = due - self.now, self.now - made
        if all(left + GRACE + delta <= 0 for delta in self.tolerance):
            return f"{departure} has expired"
        # A time of the day is never marked.
        if (mark != "") not in {age + delta > STALE and ":" not in value for delta in self.tolerance}:
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
        if list(picture) in (LEGEND[:4], LEGEND[4:]):
            return None
        title, found = DETAIL.match(picture[0]), DETAIL_TIME.match(picture[1])
        if not title:
            return None if self.at < self.begin + 5 else f"unknown page {picture[0]!r}"
        departure = line, place = title.groups()
        newest = next((index for index in range(self.last, -1, -1) if departure in self.responses[index].rows), None)
        if newest is None:
            return f"{line} {place} was never reported"
        if not found:
            return None if all(map(FACTS.match, picture[1:])) else f"unknown facts {picture[1:]}"
        departs, mark, count, due_now = found.groups()
        report = REPORT.match(picture[2])
        if not report or not FACTS.match(picture[3]):
            return f"unknown facts {picture[2:]}"
        for index in {newest, *self.candidates()}:
            if departure in self.responses[index].rows:
                fault = self.row_fault(departure, mark or "", f"{count}m" if count else due_now or departs, index)
                due, made = self.responses[index].rows[departure]
                is_old = {self.now - made + delta > STALE for delta in self.tolerance}
                if fault is None and departs == clock(due) and report[2] == clock(made) and (report[1] == "Old") in is_old:
                    return None
        return fault or f"{departure} {departs}, {report[0]}, not {clock(due)} and {clock(made)}"


def still_picture(judge):
    """A board whose minutes stand still between polls; it removes expired departures and marks stale ones."""
    response = judge.responses[judge.last]
    page = response.on_page(judge.now, 0)[:ROOM]
    return drawn(judge, page, [(text(response.rows[departure][0] - judge.epoch - response.at, response.rows[departure][0]),
                                judge.now - response.rows[departure][1] > STALE) for departure in page])


def lasting_picture(judge):
    """A board that counts the minutes down, but keeps the departures of its last response for ever."""
    response = judge.responses[judge.last]
    page = response.on_page(judge.epoch + response.at, 0)[:ROOM]
    return drawn(judge, page, [(text(response.rows[departure][0] - judge.now, response.rows[departure][0]), False) for departure in page])


def drawn(judge, page, counts):
    """The page of the stop with these departures, their counts, and whether they are old."""
    rows = [row(departure, page, departure[1], "~" if is_old and ":" not in value else "", value) for departure, (value, is_old) in zip(page, counts)]
    return [NAME.ljust(COLUMNS - 5) + clock(judge.now)] + (rows + [" " * COLUMNS] * ROOM)[:ROOM]


def row(departure, page, middle, mark, value):
    """A row of a screen: the line as wide as the widest, what stands in the middle, and at the end the count."""
    width = max(len(line) for line, _ in page)
    return f"{departure[0]:<{width}} {middle}".ljust(COLUMNS - len(mark + value)) + mark + value


def parsed(rows):
    """Line, middle, mark and count of the rows from the first that are of departures."""
    found = [ROW.match(row) for row in rows]
    return [match.groups() for match in found[:(found + [None]).index(None)] if PLACE.match(match[2]) or FROM.match(match[2])]


def date(instant):
    local = time.localtime(instant)
    return f"{time.strftime('%a', local)} {local.tm_mday} {time.strftime('%b', local)}"


def falsified(picture, rng):
    """A picture of the stop with one thing falsified, and what."""
    top, *rows = picture
    shown = parsed(rows)
    clock = CLOCK.search(top)
    what = rng.choice(FALSE if clock else FALSE[:-1])
    index = rng.randrange(len(shown))
    line, place, mark, value = shown[index]
    if what == "a minute more":
        number = int(value[:2].rstrip("m")) + 1 if value != "due" else 1
        value = f"{number:02}{value[2:]}" if ":" in value else f"{number}m"
    elif what == "mark":
        mark = "" if mark else "~"
    elif what == "place":
        place = "Neverland"
    elif what == "clock":
        at = clock.start()
        top = f"{top[:at]}{(int(top[at:at + 2]) + 1) % 24:02}{top[at + 2:]}"
    shown[index:index + 1] = [] if what == "departure missing" else [(line, place, mark, value)]
    page = [one[:2] for one in shown]
    return what, [top] + ([row(one[:2], page, *one[1:]) for one in shown] + [" " * COLUMNS] * ROOM)[:ROOM]


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
        count = len(parsed(picture[1:])) if picture and judge.page == NAME else 0
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
