"""A night in virtual time, in the lab's guest: 26 hours of the installed board with an operator that misbehaves, presses, kills and reloads.

Tests/Lab/night starts it with LAB_SEED. It decides nothing: it leaves the trace of the bus, and in night.json what the operator reported
and when, for Tests/Lab/judge.py. All instants are of CLOCK_MONOTONIC, as in the trace.

With an even seed the guest's clock is right and declared synchronised. With an odd one it is hours wrong and steps now and then: the
board has the time from the operator's `Date` alone.
"""
import email.utils
import io
import random
import socket

from lab import *

SEED = int(os.environ.get("LAB_SEED", "1"))
HOURS = float(os.environ.get("LAB_HOURS", "26"))
BEGIN = time.monotonic()
END = BEGIN + HOURS * 3600
EPOCH = time.time() - BEGIN  # from CLOCK_MONOTONIC to the right time
LINES = ["73", "390", "N73", "55", "476", "94", "C2", "8"]
PLACES = ["Oxford", "Archway", "Hackney", "Euston", "Camden", "Pimlico", "Brixton", "Angel"]
MODES = ["good"] * 13 + ["closed", "reset", "hang", "drip", "error", "html", "cut", "frozen", "empty"]
REPORTED = 5400  # seconds ahead
TIMEOUT = 20  # of boardd, for a response
IS_SYNCHRONISED = SEED % 2 == 0


def utc():
    return EPOCH + time.monotonic()


class Night(Operator):
    """Vehicles every three to nine minutes, whose estimates wander until they arrive; a script of modes, which follows from the seed."""

    def __init__(self):
        super().__init__()
        self.rng = random.Random(f"{SEED} operator")
        self.script, at = [(BEGIN, "good")], BEGIN + 600
        while at < END:
            mode = self.rng.choice(MODES)
            self.script.append((at, mode))
            at += self.rng.uniform(120, 1500) if mode == "good" else self.rng.uniform(60, 900)
        self.vehicles, due = [], utc() + 60
        while due < utc() + HOURS * 3600 + REPORTED:
            index = len(self.vehicles)
            self.vehicles.append([due, LINES[index % 8], PLACES[(index + index // 8) % 8]])
            due += self.rng.uniform(180, 540)
        self.rows, self.reports = [], []

    @property
    def mode(self):
        return next(mode for at, mode in reversed(self.script) if at <= time.monotonic())

    def set_listening(self, is_listening):
        if is_listening:
            super().__init__(port=self.port)
        else:
            self.server.shutdown()
            self.server.server_close()

    def estimate(self):
        """New estimates of all vehicles ahead."""
        now = utc()
        for vehicle in self.vehicles:
            if now + 20 < vehicle[0] < now + REPORTED and self.rng.random() < 0.3:
                vehicle[0] += self.rng.gauss(3, 25)
        self.rows = [(line, place, math.floor(due), math.floor(now)) for due, line, place in self.vehicles if now - 30 < due < now + REPORTED]

    def respond_well(self, handler):
        handler.date_time_string = lambda: email.utils.formatdate(utc(), usegmt=True)
        if handler.path.startswith("/Vehicle/"):
            self.send(handler, [])
        elif not handler.path.startswith(f"/StopPoint/{STOP[4:]}/Arrivals"):
            super().respond_well(handler)
        else:
            try:
                self.misbehave(handler, self.mode)
            except OSError:  # the board has given up
                handler.close_connection, handler.wfile = True, io.BytesIO()

    def misbehave(self, handler, mode):
        if mode in ["closed", "reset", "hang"]:
            if mode == "hang":
                time.sleep(120)
            handler.connection.shutdown(socket.SHUT_RDWR)
            handler.close_connection = True
            return
        if mode == "error":
            self.send(handler, {"message": "no"}, self.rng.choice([500, 502, 503, 429, 404]))
            return
        if mode != "frozen":
            self.estimate()
        rows = [] if mode == "empty" else self.rows
        body = json.dumps([{
            "id": f"{line}{place}", "vehicleId": f"{line}{place}", "naptanId": STOP[4:], "stationName": LABEL, "lineId": line.lower(),
            "lineName": line, "platformName": "N", "direction": "inbound", "destinationName": place, "towards": place, "modeName": "bus",
            "timestamp": iso(made), "timeToStation": int(due - utc()), "expectedArrival": iso(due), "timeToLive": iso(due + 30),
        } for line, place, due, made in rows]).encode()
        if mode == "html":
            body = b"<html><body>Please log in</body></html>"
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        seconds = self.rng.choice([4, 12, 35]) if mode == "drip" else 0
        parts = 20 if seconds else 1
        for part in range(parts):
            sent = time.monotonic()  # before the board can have it
            handler.wfile.write(body[len(body) * part // parts:len(body) * (part + 1) // parts if mode != "cut" else len(body) // 2])
            handler.wfile.flush()
            time.sleep(seconds / parts)
        if mode == "cut":
            handler.close_connection = True
        elif mode != "html" and seconds < TIMEOUT:
            self.reports.append((sent, rows))


note("installed", install_board())
run("ln -sf /usr/share/zoneinfo/Europe/London /etc/localtime")
pipe, trace = os.open(os.environ["LAB_TRACE"] + "/trace_pipe", os.O_RDONLY | os.O_NONBLOCK), open(f"{OUT}/trace", "wb")
rng = random.Random(SEED)
operator, button = Night(), Button()
button.set(False)
configure(operator, board='rotate = "off"')


def store_trace():
    """Stores what the trace has; its buffer is too small for the whole night."""
    try:
        while data := os.read(pipe, 1 << 16):
            trace.write(data)
    except BlockingIOError:
        pass


def set_clock():
    if IS_SYNCHRONISED:
        synchronise()
    else:
        time.clock_settime(time.CLOCK_REALTIME, utc() + rng.uniform(-6, 6) * 3600)


def press():
    for _ in range(rng.choice([1, 1, 3, 9])):
        button.press(rng.choice([0.1, 0.1, 0.1, 0.9, 1.8]))
        time.sleep(rng.uniform(0.5, 4))


def kill():
    kills.append(time.monotonic())
    run("systemctl kill -s KILL boardd")


def reload():
    run("systemctl reload boardd")


set_clock()
start()
kills, counts, is_listening = [], {}, True
events = [(press, 1500), (kill, 14400), (reload, 14400), (set_clock, 7200)]  # with the mean time between two, in seconds
due = {event: BEGIN + rng.uniform(0.5, 1.5) * mean for event, mean in events}
while time.monotonic() < END:
    time.sleep(rng.uniform(5, 25))
    store_trace()
    if is_listening == (operator.mode == "closed"):
        is_listening = not is_listening
        operator.set_listening(is_listening)
    for event, mean in events:
        if due[event] < time.monotonic():
            due[event] = time.monotonic() + rng.uniform(0.5, 1.5) * mean
            counts[event.__name__] = counts.get(event.__name__, 0) + 1
            event()
time.sleep(1)
store_trace()
trace.close()
with open(f"{OUT}/night.json", "w") as file:
    json.dump({
        "seed": SEED, "hours": HOURS, "synchronised": IS_SYNCHRONISED, "epoch": EPOCH, "begin": BEGIN, "kills": kills,
        "counts": counts, "reports": operator.reports,
    }, file)
check("the board is active after the night", is_active())
finish()
