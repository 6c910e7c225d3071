"""A daemon under test with folders of its own, and its display as the program logs it."""
import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import time

import started

# In seconds, between two looks. In the virtual time of the lab's guest (Tests/Lab/run) each look costs as much as at any other time.
PAUSE = 0.25 if os.environ.get("LAB_BOOTED") else 0.05


def becomes(value, seconds=20):
    """The first true `value()`, or the last one after `seconds`."""
    end = time.monotonic() + seconds
    while not (result := value()) and time.monotonic() <= end:
        time.sleep(PAUSE)
    return result


def eventually(what, value, seconds=20):
    """The first true `value()`; fails after `seconds` with `what`, a text or a function that returns it."""
    if not (result := becomes(value, seconds)):
        raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
    return result


class Connection(http.client.HTTPConnection):
    """A connection to the control socket, if `path` is one, or to the page."""

    def __init__(self, path=None, port=None, source=None, timeout=15):
        super().__init__("127.0.0.1", port, timeout=timeout, source_address=source and (source, 0))
        self.path = path

    def connect(self):
        if self.path is None:
            return super().connect()
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def call(self, method, target, body=None, headers=()):
        """Status, headers, and the body: JSON as its value, anything else as bytes."""
        content = {} if body is None else {"Content-Type": "application/json"}
        self.request(method, target, None if body is None else json.dumps(body), {**content, **dict(headers)})
        response = self.getresponse()
        text = response.read()
        isJSON = (response.getheader("Content-Type") or "").startswith("application/json")
        return response.status, response.headers, json.loads(text) if isJSON and text else text


class Process:
    """A process under test with a folder of its own, and its log there."""

    folder = process = log = None

    def path(self, name):
        return os.path.join(self.folder, name)

    def text(self, since=0):
        """What the program has logged; `since`: without the first bytes."""
        with open(self.path("log"), "rb") as file:
            file.seek(since)
            return file.read().decode(errors="replace")

    @property
    def pid(self):
        return self.process.pid

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


class Daemon(Process):
    """`options`: of the command `run`. `stops`: tables of favourites.toml, or identifiers. `wrapper`: a command that starts the program.
    `environment`: more variables."""

    def __init__(self, program, name, settings, stops, options=(), wrapper=(), environment=None, keys=()):
        self.program, self.name, self.options, self.wrapper, self.process = program, name, options, wrapper, None
        self.folder = started.folder(f"boardd-{name}-")
        self.configuration = ["--config", self.path("etc/boardd.toml")]
        for folder in ("run", "state", "etc"):
            os.mkdir(self.path(folder))
        self.environment = {**os.environ, "RUNTIME_DIRECTORY": self.path("run"), "STATE_DIRECTORY": self.path("state"),
                            "CONFIGURATION_DIRECTORY": self.path("etc"), "BOARDD_SHARE": os.path.join(started.CHECKOUT, "etc"), **(environment or {})}
        with open(self.path("etc/boardd.toml"), "w") as file:
            file.write(settings)
        with open(self.path("etc/favourites.toml"), "w") as file:
            file.writelines(stop if "\n" in stop else f'[[stop]]\nid = "{stop}"\n' for stop in stops)
        if keys:
            with os.fdopen(os.open(self.path("etc/keys.env"), os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.writelines(key + "\n" for key in keys)

    def start(self):
        self.log = open(self.path("log"), "ab")
        self.process = started.start([*self.wrapper, self.program, "run", *self.configuration, "--frame-log", self.path("frames"),
                                      *self.options], env=self.environment, stdout=self.log, stderr=self.log)
        self.wait(f"the control socket of {self.name}", lambda: os.path.exists(self.path("run/control.sock")))

    def wait(self, what, value):
        """Waits while the program starts, and fails if it ends."""
        def result():
            if self.process.poll() is not None:
                raise AssertionError(f"{self.name} has ended with {self.process.returncode}: {self.text()}")
            return value()
        return eventually(what, result, 120)  # on a busy machine

    def socket(self):
        return Connection(path=self.path("run/control.sock"))

    def call(self, method, target, body=None):
        """The body of a response over the control socket, which needs no token."""
        connection = self.socket()
        try:
            status, _, value = connection.call(method, target, body)
        finally:
            connection.close()
        if status >= 300:
            raise AssertionError(f"{self.name}: {method} {target}: {status} {value}")
        return value

    def timed_frames(self):
        """The frames of the display, newest last: the time (CLOCK_BOOTTIME, seconds) and the rows."""
        try:
            with open(self.path("frames")) as file:
                lines = [json.loads(line) for line in file if line.endswith("\n")]
        except FileNotFoundError:
            return []
        return [(line["t"] / 1e6, line["rows"]) for line in lines]

    def frames(self):
        return [rows for _, rows in self.timed_frames()]

    def display(self):
        return "\n".join((self.frames() or [[]])[-1])

    def favourites(self):
        return [item["stop"] for item in self.call("GET", "/v1/favourites")]

    def stop(self):
        self.thaw()
        self.process.terminate()
        try:
            return self.process.wait(20)
        finally:
            self.log.close()

    def close(self):
        """The exit status; one that must be killed has -9."""
        if self.process.poll() is None:
            try:
                self.stop()
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.process.returncode
