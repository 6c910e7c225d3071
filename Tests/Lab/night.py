"""A night in virtual time: 26 hours of the installed board with an operator that misbehaves, judged row by row: `make nights`.

Tests/Lab/night starts it with LAB_SEED. Every sample of the decoded picture must show what the operator last reported: not expired,
marked when stale, in the right minute, with the right clock. It prints the number of minutes in which that did not hold, and the same
for two boards that are simpler: one whose minutes stand still between polls, and one that keeps its last response for ever.
"""
import random
import signal
import socket

from lab import *

SEED = int(os.environ.get("LAB_SEED", "1"))
HOURS = float(os.environ.get("LAB_HOURS", "26"))
ROW = re.compile(r"^(\S+) +(.*?) *([?*!-]?)(due|\d+m|\d\d:\d\d)$")
LINES = ["73", "390", "N73", "55", "476", "94", "C2", "8"]
PLACES = ["Oxford", "Archway", "Hackney", "Euston", "Camden", "Pimlico", "Brixton", "Angel"]
GRACE, STALE, HOLD = 30, 180, 119
MODES = ["good"] * 12 + ["reset", "hang", "drip", "error", "html", "cut", "frozen", "empty"]
rng = random.Random(SEED)
begin = time.time()
end = begin + HOURS * 3600

# The script of the night: (from, mode).
script, at = [(begin, "good")], begin + 600
while at < end:
    mode = rng.choice(MODES)
    script.append((at, mode))
    at += rng.uniform(120, 1500) if mode == "good" else rng.uniform(60, 900)


def mode_at(now):
    return next(mode for start, mode in reversed(script) if start <= now)


class Night(Operator):
    """Vehicles every three to nine minutes, whose estimates wander until they arrive."""

    def __init__(self):
        super().__init__([("none", "none", 0)])
        self.vehicles, due, index = [], begin + 60, 0
        while due < end + 7200:
            self.vehicles.append([LINES[index % 8], PLACES[index // 8 % 8], due])
            due, index = due + rng.uniform(180, 540), index + 1
        self.sent = []  # (time at which it was complete, [(line, place, due, made)])
        self.last_made = begin
        self.behaviour = self.misbehave

    def report(self, now, mode):
        if mode != "frozen":
            self.last_made = now
            for vehicle in self.vehicles:
                if now + 20 < vehicle[2] < now + 5400 and rng.random() < 0.3:
                    vehicle[2] += rng.gauss(3, 25)
            self.frozen = sorted((vehicle[2], vehicle[0], vehicle[1]) for vehicle in self.vehicles
                                 if now - GRACE < vehicle[2] < now + 5400)
        return [(line, place, math.floor(due), math.floor(self.last_made)) for due, line, place in self.frozen]

    def misbehave(self, handler):
        now, mode = time.time(), mode_at(time.time())
        if not handler.path.partition("?")[0].endswith("/Arrivals"):
            return False
        if mode == "reset":
            handler.connection.shutdown(socket.SHUT_RDWR)
            handler.close_connection = True
            return True
        if mode == "hang":
            time.sleep(120)
            handler.close_connection = True
            return True
        if mode == "error":
            self.send(handler, {"message": "no"}, rng.choice([500, 502, 503, 429, 404]))
            return True
        rows = [] if mode == "empty" else self.report(now, mode)
        body = json.dumps([{
            "id": f"{line}{place}", "vehicleId": f"{line}{place}", "naptanId": STOP[4:], "stationName": LABEL, "lineId": line.lower(),
            "lineName": line, "platformName": "N", "direction": "inbound", "destinationName": place, "towards": place,
            "timestamp": iso(made), "timeToStation": int(due - now), "expectedArrival": iso(due), "timeToLive": iso(due + GRACE),
            "modeName": "bus",
        } for line, place, due, made in rows]).encode()
        if mode == "html":
            body, rows = b"<html><body>Please log in</body></html>", None
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if mode == "cut":
            handler.wfile.write(body[:len(body) // 2])
            handler.close_connection, rows = True, None
        elif mode == "drip":
            step = max(1, len(body) // 40)
            for index in range(0, len(body), step):
                handler.wfile.write(body[index:index + step])
                handler.wfile.flush()
                time.sleep(0.5)
        else:
            handler.wfile.write(body)
        handler.wfile.flush()
        if rows is not None:
            self.sent.append((now, time.time(), rows))
        return True


def texts(due, now):
    """What may stand for a time at `now`, with a second of tolerance."""
    return {text(due - now - delta, due) for delta in (-1, 0, 1)}


def text(left, due):
    if left < 30:
        return "due"
    return f"{max(1, int(left // 60))}m" if left <= 3600 else time.strftime("%H:%M", time.localtime(due))


def fault(row, now, reports):
    """What is untrue of a row, judged by any of these reports; None if nothing is."""
    found = ROW.match(row)
    if not found:
        return "not a departure"
    line, place, mark, value = found.groups()
    faults = ["not reported"]
    for index, (_, _, rows) in enumerate(reports):
        for known_line, known_place, due, made in rows:
            if (known_line, known_place) != (line, place):
                continue
            if now > due + GRACE + 1:
                faults.append("expired")
            elif now - made > STALE + 1 and mark != "?":
                faults.append("stale without a mark")
            elif now - made < STALE - 1 and mark == "?":
                faults.append("marked without being stale")
            elif value in texts(due, now) or is_held(value, due, now):
                return None
            else:
                faults.append(f"{value}, not {text(due - now, due)}")
    return faults[-1]


def is_held(value, due, now):
    """A number of minutes may be held for two minutes when the estimate rises by one."""
    held = 0 if value == "due" else int(value[:-1]) if value.endswith("m") else None
    return held is not None and f"{held + 1}m" in texts(due, now) and rises(due, now)


def rises(due, now):
    """Whether an earlier report within the time of a hold had this vehicle sooner."""
    for _, got, rows in reversed(operator.sent):
        if got < now - HOLD - 35:
            return False
        if any(abs(other - due) < 120 and other < due for _, _, other, _ in rows):
            return True
    return False


def simple_faults(now):
    """Whether a board with minutes as of the last poll, and one that never expires its rows, show something untrue now."""
    if not operator.sent or not operator.sent[-1][2]:
        return False, False
    got, _, rows = operator.sent[-1]
    rows = [(due, made) for _, _, due, made in rows if due + GRACE > got][:3]
    still = any(now > due + GRACE or text(due - got, due) not in texts(due, now) for due, _ in rows)
    for_ever = any(now > due + GRACE + 1 or now - made > STALE + 1 for due, made in rows)
    return still, for_ever


note("installed", install_board())
run("ln -sf /usr/share/zoneinfo/Europe/London /etc/localtime")
os.environ["TZ"] = "Europe/London"
time.tzset()
operator, bus, button = Night(), Bus(), Button()
button.set(False)
configure(operator, board='rotate = "off"')
is_synchronised = SEED % 2 == 0


def synchronise():
    """Reports the clock as synchronised, as a time server would (adjtimex, status without STA_UNSYNC)."""
    timex = (ctypes.c_long * 32)()
    timex[0] = 0x0010 | 0x0004 | 0x0008  # ADJ_STATUS, maximum and estimated error
    ctypes.CDLL(None).adjtimex(ctypes.byref(timex))


if is_synchronised:
    synchronise()
start()
judged, samples, untrue, still, for_ever, reasons, down, other_pages = 0, 0, set(), set(), set(), {}, 0, 0
next_press = next_kill = next_sync = begin
next_press, next_kill, next_sync = begin + 900, begin + 5400, begin + 3600
kills = presses = reloads = 0
killed = begin
while (now := time.time()) < end:
    time.sleep(rng.uniform(5, 25))
    now = time.time()
    if is_synchronised and now > next_sync:
        synchronise()
        next_sync = now + 3600
    if now > next_press:
        next_press, presses = now + rng.uniform(600, 2400), presses + 1
        button.press(rng.choice([0.1, 0.1, 0.9, 1.8]))
        time.sleep(0.5)
        now = time.time()
    if now > next_kill:
        next_kill = now + rng.uniform(3600, 10800)
        if rng.random() < 0.5:
            kills, killed = kills + 1, now
            run("systemctl kill -s KILL boardd", check=False)
        else:
            reloads += 1
            run("systemctl reload boardd", check=False)
    samples += 1
    minute = int((now - begin) // 60)
    simple = simple_faults(now)
    if simple[0]:
        still.add(minute)
    if simple[1]:
        for_ever.add(minute)
    picture = bus.picture
    if picture is None:
        down += 1
        continue
    problems = []
    clock = {time.strftime("%H:%M", time.localtime(now + delta)) for delta in (-1, 0, 1)}
    if not picture[0].startswith(LABEL[:6]):
        other_pages += 1
        continue
    if not any(value in picture[0] for value in clock):
        problems.append(f"clock {picture[0]!r}, not {sorted(clock)}")
    # After a kill, the snapshot may lack the responses of the last five seconds. A response may arrive while the sample is taken.
    reports = operator.sent[-3:] if now - killed < 120 else operator.sent[-2:] if operator.sent and now - operator.sent[-1][1] < 3 else operator.sent[-1:]
    rows = [row for row in picture[1:] if ROW.match(row)]
    if not rows:
        other_pages += 1
    for row in rows:
        judged += 1
        problem = fault(row, now, reports)
        if problem:
            problems.append(f"{row!r}: {problem}")
    if problems:
        untrue.add(minute)
        for problem in problems[:1]:
            reasons.setdefault(minute, f"{time.strftime('%d %b %H:%M:%S', time.localtime(now))} ({mode_at(now)}) {problem}")

minutes = int(HOURS * 60)
note("night", f"seed {SEED}, {HOURS:g} h, clock {'synchronised' if is_synchronised else 'not synchronised'}, {len(operator.sent)} responses, "
     f"{presses} presses, {kills} kills, {reloads} reloads, {samples} samples, {judged} rows judged, {other_pages} samples of other pages, {down} dark")
for reason in list(reasons.values())[:15]:
    note("untrue", reason)
check("rows were judged in most of the night", judged > samples and len(still) > minutes / 10, judged)
note("a board whose minutes stand still between polls: untrue minutes", f"{len(still)} of {minutes}")
note("a board that keeps its last response for ever: untrue minutes", f"{len(for_ever)} of {minutes}")
check("minutes in which the display was untrue: 0", not untrue, f"{len(untrue)} of {minutes}")
finish()
