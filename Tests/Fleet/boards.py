"""Boards under test: daemons with folders of their own, and their displays as the program logs them."""
import http.client
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time

import operators
import started
from broker import CHECKOUT, Broker


def eventually(what, value, seconds=20):
    """The first true `value()`; fails after `seconds` with `what`, a text or a function that returns it."""
    end = time.monotonic() + seconds
    while not (result := value()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.05)
    return result


class Control(http.client.HTTPConnection):
    """A connection to the control socket of a board."""

    def __init__(self, path):
        super().__init__("boardd", timeout=15)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Board:
    def __init__(self, program, name, broker, operator=None, stops=("S1",), fleet="", board="", key=None, port=None, user=None, extra="",
                 wrapper=(), replay=None, interval=10):
        """Starts a board with the favourites `stops`: tables of favourites.toml, or stops of the operator, with a button.

        `broker`: None: no fleet. `fleet`, `board`: further lines of the tables; `extra`: further tables. `key`: of the operator. `port`: of a
        proxy before the broker. `user`: of the broker, if it is not `name`. `wrapper`: a command that starts the program.
        """
        self.program, self.name, self.broker, self.operator = program, name, broker, operator
        self.wrapper, self.replay, self.interval, self.process = list(wrapper), replay, interval, None
        self.folder = started.folder(f"boardd-fleet-{name}-")
        for folder in ("run", "state", "etc"):
            os.mkdir(self.path(folder))
        self.configure(stops, fleet, board, key, port, user, extra)
        self.start()

    def configure(self, stops, fleet, board, key, port, user, extra):
        keys = []
        with open(self.path("etc/boardd.toml"), "w") as file:
            file.write(f'[board]\nrotate = "off"\nreturn_home = "never"\nrefresh_bar = "off"\n{board}\n[display]\ndriver = "none"\n')
            file.write('[[button]]\nline = 17\nshort = "next"\n')
            if self.operator:
                file.write(f'[feed.siri.vale]\nurl = "{self.operator.url(self.name)}"\ninterval = "{self.interval}s"\nkey_header = "apikey"\n')
                keys.append(f"{operators.KEY}={key or 'key-of-' + self.name}")
            if self.broker:
                url = self.broker.url
                if port:
                    url = re.sub(r":\d+$", f":{port}", url)
                file.write(f'[fleet]\nbroker = "{url}"\nboard = "{self.name}"\n')
                file.write(f'ca = "{self.broker.ca}"\n' if self.broker.ca else "")
                file.write(fleet + "\n")
                if self.broker.acl:
                    keys += [f"FLEET_USER={user or self.name}", f"FLEET_PASSWORD={Broker.password(user or self.name)}"]
            file.write(extra)
        with open(self.path("etc/favourites.toml"), "w") as file:
            file.writelines(stop if "\n" in stop else f'[[stop]]\nid = "{stop if ":" in stop else operators.FEED + ":" + stop}"\n' for stop in stops)
        descriptor = os.open(self.path("etc/keys.env"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.writelines(key + "\n" for key in keys)

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def environment(self):
        return {**os.environ, "RUNTIME_DIRECTORY": self.path("run"), "STATE_DIRECTORY": self.path("state"),
                "CONFIGURATION_DIRECTORY": self.path("etc"), "BOARDD_SHARE": os.path.join(CHECKOUT, "etc")}

    def start(self):
        self.log = open(self.path("log"), "ab")
        replay = ["--replay", self.replay] if self.replay else []
        self.process = started.start(
            [*self.wrapper, self.program, "run", "--config", self.path("etc/boardd.toml"), "--frame-log", self.path("frames"), *replay],
            env=self.environment, stdout=self.log, stderr=self.log)

        def is_there():
            if self.process.poll() is not None:
                raise AssertionError(f"{self.name} has ended with {self.process.returncode}: {self.text()}")
            return os.path.exists(self.path("run/control.sock"))
        eventually(f"the control socket of {self.name}", is_there)

    def text(self, since=0):
        """What the program has logged; `since`: without the first bytes."""
        with open(self.path("log"), "rb") as file:
            file.seek(since)
            return file.read().decode(errors="replace")

    def logged(self, pattern, seconds=20, since=0):
        """Waits for a line of the log with `pattern`; None: not within `seconds`."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(f"(?im)^.*({pattern}).*$", self.text(since))
            if found or time.monotonic() > end:
                return found and found[0]
            time.sleep(0.1)

    @property
    def pid(self):
        return self.process.pid

    def command(self, *arguments, seconds=30):
        """A command of boardd on this board: the status and what it prints."""
        done = subprocess.run([self.program, *arguments], env=self.environment, capture_output=True, text=True, timeout=seconds)
        return done.returncode, done.stdout + done.stderr

    def call(self, method, target, body=None):
        connection = Control(self.path("run/control.sock"))
        try:
            connection.request(method, target, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
            response = connection.getresponse()
            content = response.read()
            if response.status >= 300:
                raise AssertionError(f"{self.name}: {method} {target}: {response.status} {content.decode()}")
            return json.loads(content) if content else None
        finally:
            connection.close()

    def frames(self):
        """The frames of the display, newest last: the time (CLOCK_BOOTTIME, seconds) and the rows."""
        try:
            with open(self.path("frames")) as file:
                lines = [json.loads(line) for line in file if line.endswith("\n")]
        except FileNotFoundError:
            return []
        return [(line["t"] / 1e6, line["rows"]) for line in lines]

    def display(self):
        frames = self.frames()
        return "\n".join(frames[-1][1]) if frames else ""

    def shows(self, text, seconds=20):
        """Whether the display shows `text`, a regular expression, within `seconds`."""
        end = time.monotonic() + seconds
        while not (found := re.search(text, self.display())):
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return bool(found)

    def favourites(self):
        return [item["stop"] for item in self.call("GET", "/v1/favourites")]

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def stop(self):
        self.thaw()
        self.process.terminate()
        try:
            return self.process.wait(20)
        finally:
            self.log.close()

    def close(self):
        """The exit status."""
        if self.process.poll() is None:
            try:
                self.stop()
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.process.returncode
