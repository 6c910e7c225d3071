"""What the scenarios of the lab share: checks, an operator, the bus, the button, the service. They run as root in the guest."""
import ctypes
import fcntl
import functools
import glob
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import threading
import time

import handset
from panel import Call, Controller
from servers import Server

OUT = "/run/lab/out"
VIRTUAL = bool(os.environ.get("LAB_BOOTED"))  # Tests/Lab/run -T
STRICT = VIRTUAL or os.environ.get("LAB_REAL") == "1"
CONFIGURATION = "/etc/boardd"
ADDRESS = "192.168.1.5"
STOP, LABEL = "tfl:490008660N", "Oxford St N"
SECOND, SECOND_LABEL = "tfl:490008660S", "Oxford St S"
_checks = {"ok": 0, "failed": 0}


# Checks

def check(what, is_met, detail=""):
    """Prints one line for a check; `finish` fails if one was not met. `detail` is printed in any case."""
    _checks["ok" if is_met else "failed"] += 1
    print(f"  {'ok    ' if is_met else 'FAILED'} {what}" + (f": {detail}" if detail != "" else ""), flush=True)
    return is_met


def figure(what, value, limit, unit, detail=""):
    """Checks that a time is at most `limit` in virtual time, where programs cost nothing, and with LAB_REAL=1, on a machine at rest.
    Otherwise it is printed: it depends on what else the machine does."""
    return check(f"{what} (<= {limit} {unit})", value <= limit or not STRICT, f"{value:.4g} {unit}" + (f", {detail}" if detail else ""))


def note(what, detail):
    print(f"  note   {what}: {detail}", flush=True)


def finish():
    """Ends a scenario: with status 1 if a check failed, or if there was none."""
    print(f"  {_checks['ok']} checks met, {_checks['failed']} failed", flush=True)
    if _checks["failed"]:
        print(run("journalctl -u boardd -o short-monotonic --no-pager | tail -40", check=False), flush=True)
    sys.stdout.flush()
    os._exit(1 if _checks["failed"] or not _checks["ok"] else 0)


def run(command, check=True):
    """The output of a shell command."""
    done = subprocess.run(command, shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if check and done.returncode:
        sys.exit(f"lab: `{command}` ended with {done.returncode}: {done.stdout}")
    return done.stdout


def until(condition, seconds, step=0.1 if VIRTUAL else 0.02):
    """Waits until `condition()` is true, and returns its value; the last value after the time. A look costs the same in virtual time."""
    end = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < end:
        time.sleep(step)
    return value


def percentile(values, share):
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


# The operator

class Operator(Server):
    """A server in TfL's format on loopback. `departures` are (line, destination, time in seconds); the estimates are made at each poll.

    `behaviour` is called with the handler before each response, and returns whether it has responded.
    """

    def __init__(self, departures=None, port=0):
        now = time.time()
        self.departures = departures or [("73", "Oxford", now + 170), ("390", "Archway", now + 400), ("N73", "Hackney", now + 900)]
        self.behaviour, self.requests = None, []
        super().__init__(port)

    def respond(self, handler):
        self.requests.append((time.monotonic(), handler.path))
        if not (self.behaviour and self.behaviour(handler)):
            self.respond_well(handler)

    def respond_well(self, handler):
        path = handler.path.partition("?")[0].strip("/").split("/")
        if path[0] == "StopPoint" and path[-1] == "Arrivals":
            self.send(handler, self.arrivals(path[1]))
        elif path[0] == "StopPoint" and path[-1] == "Disruption":
            self.send(handler, [])
        elif path[0] == "Line" and path[-1] == "Status":
            good = [{"statusSeverity": 10, "statusSeverityDescription": "Good Service", "validityPeriods": []}]
            self.send(handler, [{"id": id, "name": id.upper(), "modeName": "bus", "lineStatuses": good} for id in path[1].split(",")])
        elif path[:2] == ["StopPoint", "Mode"]:
            self.send(handler, {"stopPoints": [], "pageSize": 1000, "total": 0, "page": 1})
        else:
            self.send(handler, {}, 404)

    def arrivals(self, stop):
        now = time.time()
        departures = self.departures[1:] if SECOND.endswith(stop) else self.departures  # so that the pages of both stops differ
        return [{
            "id": str(index), "operationType": 1, "vehicleId": f"LAB{index}", "naptanId": stop, "stationName": LABEL,
            "lineId": line.lower(), "lineName": line, "platformName": "N", "direction": "inbound", "destinationName": place,
            "towards": place, "timestamp": iso(now), "timeToStation": int(at - now), "currentLocation": "",
            "expectedArrival": iso(at), "timeToLive": iso(at + 30), "modeName": "bus", "timing": {"sent": iso(now)},
        } for index, (line, place, at) in enumerate(departures)]

    def describes(self, stop, name):
        """A behaviour that describes a stop, as when it becomes a favourite."""
        code = stop.partition(":")[2]

        def describe(handler):
            if handler.path.partition("?")[0] != f"/StopPoint/{code}":
                return False
            self.send(handler, {"naptanId": code, "id": code, "commonName": name, "stopType": "NaptanPublicBusCoachTram", "status": True,
                                "lat": 51.5151, "lon": -0.1414, "lines": [], "children": [], "additionalProperties": []})
            return True
        return describe

    def send(self, handler, value, status=200):
        super().send(handler, value, status, level=1)

    def rows(self, at=None):
        """The sets of rows that may be right at a time: the minutes of up to a second earlier and later."""
        at = at or time.time()
        return [self.rows_at(at + delta) for delta in (-1, 0, 1)]

    def rows_at(self, now):
        ahead = [departure for departure in self.departures if math.floor(departure[2] - now) >= -30]
        departures = sorted(ahead, key=lambda departure: departure[2])[:3]
        rows, width = [], max((len(line) for line, _, _ in departures), default=0)
        for line, place, due in departures:
            left = math.floor(due - now)
            text = "due" if left < 30 else f"{max(1, left // 60)}m"
            rows.append(f"{line:<{width}} {place}".ljust(20 - len(text)) + text)
        return tuple((rows + [" " * 20] * 3)[:3])


def iso(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(math.floor(seconds))) + "Z"


# The page

def join_network():
    """The guest has no network: loopback gets an address in one."""
    run(f"ip address add {ADDRESS}/24 dev lo; ip route add default dev lo src {ADDRESS}")


request = functools.partial(handset.request, ADDRESS)


# The bus

class Bus:
    """Follows the trace of the bus. `history` are (CLOCK_MONOTONIC, picture) at each change, at the end of a call."""

    def __init__(self):
        self.device, self.folder = os.environ["LAB_BUS"], os.environ["LAB_TRACE"]
        self.address = int(os.environ["LAB_ADDRESS"], 16)
        self.controller = Controller()
        self.calls, self.failed, self.history = [], [], []
        self.pipe = open(f"{self.folder}/trace_pipe", errors="replace")
        self.copy = open(f"{OUT}/trace", "a", buffering=1)
        threading.Thread(target=self.follow, daemon=True).start()

    def follow(self):
        begun = {}
        for line in self.pipe:
            self.copy.write(line)
            call = Call(line)
            if call.kind == "smbus_write":
                begun[call.address] = call
            elif call.kind == "smbus_result" and call.is_write and call.address in begun:
                call, error = begun.pop(call.address), call.error
                if error:
                    self.failed.append((call.at, call.address, -error))
                elif call.address == self.address:
                    self.apply(call)

    def apply(self, call):
        for byte in call.bytes:
            self.controller.write(byte)
        picture = self.controller.picture()
        if not self.history or self.history[-1][1] != picture:
            self.history.append((call.at, picture))
        self.calls.append(call)

    def set(self, parameter, value):
        """Sets `fault` (an errno that every transfer fails with; 0: none) or `hang` (transfers do not return) of the bus."""
        with open(f"/sys/module/i2c_stub/parameters/{parameter}", "w") as file:
            file.write(str(value))

    @property
    def picture(self):
        return self.history[-1][1] if self.history else None

    def writes(self, since=0.0):
        return [call for call in self.calls if call.at >= since]

    def text(self):
        return "(display off)" if self.picture is None else "|" + "|".join(self.picture) + "|"

    def wait(self, condition, seconds, since=0.0):
        """Waits for a picture after `since` that meets `condition`; returns its time, or None."""
        def search():
            return next((at for at, picture in self.history[:] if at >= since and picture and condition(picture)), None)
        return until(search, seconds, 0.05 if VIRTUAL else 0.01)

    def shows(self, operator):
        """Whether the picture is right now: stop, clock, and the rows in the right minute."""
        return is_right(self.picture, operator)


def is_right(picture, operator, at=None):
    at = at or time.time()
    if not picture or not picture[0].startswith(LABEL):
        return False
    clocks = {time.strftime("%H:%M", time.localtime(at + delta)) for delta in (-1, 0, 1)}
    return any(clock in picture[0] for clock in clocks) and picture[1:] in operator.rows(at)


# The button

class Button:
    """A contact to ground on a line of gpio-sim."""

    def __init__(self, line=17):
        self.pull = f"{os.environ['LAB_LINES']}/sim_gpio{line}/pull"

    def set(self, is_down):
        """Returns the time of the edge."""
        at = time.monotonic()
        with open(self.pull, "w") as file:
            file.write("pull-down" if is_down else "pull-up")
        return at

    def press(self, seconds):
        """Returns the times of both edges."""
        down = self.set(True)
        time.sleep(seconds)
        return down, self.set(False)


def hold_line(line=17):
    """Requests a line of the chip, as another program would; it is free when the returned file is closed."""
    request = bytearray(592)  # struct gpio_v2_line_request: offsets, consumer, flags … number of lines … descriptor
    struct.pack_into("I", request, 0, line)
    struct.pack_into("32sQ", request, 256, b"lab", 1 << 2)  # GPIO_V2_LINE_FLAG_INPUT
    struct.pack_into("I", request, 560, 1)
    with open(os.environ["LAB_CHIP"], "rb") as chip:
        fcntl.ioctl(chip, 0xC250B407, request)  # GPIO_V2_GET_LINE_IOCTL
    return os.fdopen(struct.unpack_from("i", request, 588)[0], "rb", buffering=0)


# The service

def install_board():
    """Installs the package of LAB_PACKAGE, and stops the service. Returns the name of the package."""
    package = os.environ["LAB_PACKAGE"]
    run(f"DEBIAN_FRONTEND=noninteractive dpkg -i {package}")
    run("systemctl stop boardd", check=False)
    set_device_groups()
    return os.path.basename(package)


def synchronise():
    """Declares the clock synchronised, as a time server would: adjtimex without STA_UNSYNC, with errors of zero."""
    timex = (ctypes.c_long * 32)()
    timex[0] = 0x0010 | 0x0004 | 0x0008  # ADJ_STATUS, ADJ_MAXERROR, ADJ_ESTERROR
    ctypes.CDLL(None).adjtimex(ctypes.byref(timex))


def set_device_groups():
    """Applies the udev rules of boardd, by udev if the root has it."""
    if shutil.which("udevadm") and os.path.exists("/run/udev/control"):
        run("udevadm control --reload && udevadm trigger --settle --subsystem-match=i2c-dev --subsystem-match=gpio")
        return
    folders = {"i2c-dev": "/dev/i2c-*", "gpio": "/dev/gpiochip*"}
    for path in glob.glob("/usr/lib/udev/rules.d/*boardd*") + glob.glob("/lib/udev/rules.d/*boardd*"):
        with open(path) as file:
            for subsystem, group, mode in re.findall(r'SUBSYSTEM=="([^"]+)", GROUP="([^"]+)", MODE="([^"]+)"', file.read()):
                for device in glob.glob(folders[subsystem]):
                    shutil.chown(device, group=group)
                    os.chmod(device, int(mode, 8))


def configure(operator, display="", board="", button="", log="", favourites=None):
    with open(f"{CONFIGURATION}/boardd.toml", "w") as file:
        file.write(f'[pages]\n{board}\n[display]\n{display}\n[[button]]\n{button}\n[feed.tfl]\nurl = "{operator.url}"\n{log}\n')
    with open(f"{CONFIGURATION}/favourites.toml", "w") as file:
        for stop, label in favourites or [(STOP, LABEL)]:
            file.write(f'[[stop]]\nid = "{stop}"\nlabel = "{label}"\n')


def start(check=True):
    run("systemctl start boardd", check)


def command(words, prefix=""):
    """The exit status and the output of a command of boardd."""
    done = subprocess.run(f"{prefix} boardd {words}", shell=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def properties(*names):
    """Properties of the service by name."""
    text = run("systemctl show boardd " + " ".join(f"-p {name}" for name in names))
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def main_pid():
    return int(properties("MainPID")["MainPID"])


def is_active():
    return run("systemctl is-active boardd", check=False).strip() == "active"


def journal():
    """The messages of the service."""
    return run("journalctl --sync; journalctl -u boardd -o cat --no-pager", check=False)


def changed_files(since=None):
    """Paths that were written since the guest booted, or since the file `since` was, on any file system but the kernel's own.

    They come from the upper layer of the root, where nothing else is: a search of the whole root would open each of its folders, and the
    guest holds a descriptor of the machine for each until it forgets the folder.
    """
    newer = f"-newer {since}" if since else ""
    mounts = " ".join(folder for folder in ["/run", "/tmp", "/dev/shm"] if os.path.ismount(folder))
    found = run(f"cd /run/lab/upper && find . -xdev ! -type d ! -type c {newer} -printf '/%P\n'; "
                f"find {mounts} -xdev ! -type d {newer} -print 2>/dev/null", check=False)
    return sorted({path for path in found.splitlines() if not path.startswith("/run/lab")})


def open_files(pid=None):
    """The targets of the daemon's open files."""
    links = []
    for path in glob.glob(f"/proc/{pid or main_pid()}/fd/*"):
        try:
            links.append(os.readlink(path))
        except OSError:
            pass  # closed meanwhile
    return links


def listeners():
    """Ports of this machine that accept connections or datagrams, with the inodes of their sockets."""
    found = {}
    for kind, state in [("tcp", "0A"), ("tcp6", "0A"), ("udp", "07"), ("udp6", "07")]:
        with open(f"/proc/net/{kind}") as file:
            for fields in map(str.split, file.readlines()[1:]):
                if fields[3] == state:
                    found[int(fields[1].rpartition(":")[2], 16)] = fields[9]
    return found


def thread(name, pid=None):
    """The number of the daemon's thread of this name."""
    for path in glob.glob(f"/proc/{pid or main_pid()}/task/*/comm"):
        with open(path) as file:
            if file.read().strip() == name:
                return int(path.split("/")[-2])
    return sys.exit(f"lab: no thread {name}")


class Freeze:
    """Stops one thread of another process with ptrace(2), as a call that does not return would."""
    SEIZE, INTERRUPT, ALL = 0x4206, 0x4207, 0x40000000

    def __init__(self, number):
        self.number = number
        self.call(self.SEIZE)
        self.call(self.INTERRUPT)
        os.waitpid(number, self.ALL)

    def has_ended(self):
        """Whether the thread ended meanwhile; the kernel keeps its process until this call."""
        try:
            found, status = os.waitpid(self.number, self.ALL | os.WNOHANG)
        except ChildProcessError:
            return True
        return found != 0 and not os.WIFSTOPPED(status)

    def call(self, request):
        library = ctypes.CDLL(None, use_errno=True)
        library.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_size_t, ctypes.c_size_t]
        if library.ptrace(request, self.number, 0, 0) < 0:
            raise OSError(ctypes.get_errno(), "ptrace")
