"""A board under test: the program with folders of its own, its page on loopback, and its display as the program logs it."""
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse

from operator_server import CHECKOUT


def eventually(what, value, seconds=20):
    """The first true `value()`; fails after `seconds` with `what`, a text or a function that returns it."""
    end = time.monotonic() + seconds
    while not (result := value()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.05)
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


class Board:
    def __init__(self, program, stops, url=None, replay=None, size="20x4", language="en", state=None, page="", board="", port=0, environment=None):
        """Starts a board with the favourites `stops`: lines of favourites.toml, or identifiers. `state`: a state folder to copy.

        `url`: the operator's; `replay`: a recording, without an operator. `page`, `board`: more lines of the tables.
        `environment`: more variables.
        """
        self.program, self.replay, self.folder = program, replay, tempfile.mkdtemp(prefix="boardd-page-")
        for name in ("run", "state", "etc"):
            os.mkdir(os.path.join(self.folder, name))
        if state:
            shutil.copytree(state, self.path("state"), dirs_exist_ok=True)
        with open(self.path("etc/boardd.toml"), "w") as file:
            file.write(f'[board]\nlanguage = "{language}"\nrotate = "off"\n{board}\n[display]\nsize = "{size}"\n')
            file.write(f'[page]\nnames = ["board.test"]\n{page}\n' + (f'[feed.tfl]\nurl = "{url}"\n' if url else ""))
        with open(self.path("etc/favourites.toml"), "w") as file:
            file.writelines(stop if "\n" in stop else f'[[stop]]\nid = "{stop}"\n' for stop in stops)
        self.port, self.process, self.variables = port, None, environment or {}
        self.start()

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self):
        environment = {**os.environ, "RUNTIME_DIRECTORY": self.path("run"), "STATE_DIRECTORY": self.path("state"),
                       "CONFIGURATION_DIRECTORY": self.path("etc"), "BOARDD_SHARE": os.path.join(CHECKOUT, "etc"), **self.variables}
        replay = ["--replay", self.replay] if self.replay else []
        self.log = open(self.path("log"), "ab")
        began = os.path.getsize(self.path("log"))
        self.process = subprocess.Popen(
            [self.program, "run", "--config", self.path("etc/boardd.toml"), "--simulate", "--page", f"127.0.0.1:{self.port}",
             "--frame-log", self.path("frames"), *replay],
            env=environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

        def address():
            if self.process.poll() is not None:
                raise AssertionError(f"the program has ended with {self.process.returncode}: {self.text()}")
            return re.search(r"http://127\.0\.0\.1:(\d+)", self.text(began))

        self.port = int(eventually(f"the address of the page in {self.path('log')}", address)[1])
        eventually("the control socket", lambda: os.path.exists(self.path("run/control.sock")))

    def text(self, since=0):
        """What the program has printed; `since`: without the first bytes."""
        with open(self.path("log"), "rb") as file:
            file.seek(since)
            return file.read().decode(errors="replace")

    def url(self, host="127.0.0.1", scheme="http"):
        return f"{scheme}://{host}:{self.port}"

    @property
    def pid(self):
        return self.process.pid

    def frames(self):
        """Every frame of the display as its rows, newest last."""
        with open(self.path("frames")) as file:
            return [json.loads(line)["rows"] for line in file if line.endswith("\n")]

    def display(self):
        return "\n".join(self.frames()[-1])

    def socket(self):
        return Connection(path=self.path("run/control.sock"))

    def call(self, method, target, body=None):
        """The body of a response over the control socket, which needs no token."""
        connection = self.socket()
        status, _, value = connection.call(method, target, body)
        connection.close()
        if status >= 300:
            raise AssertionError(f"{method} {target}: {status} {value}")
        return value

    def favourites(self):
        return [item["stop"] for item in self.call("GET", "/v1/favourites")]

    def digits(self):
        """The six digits of a pairing on the display."""
        return eventually("six digits on the display", lambda: re.search(r"(?<!\d)(\d{3}) ?(\d{3})(?!\d)", self.display()))

    def update_directory(self):
        self.call("POST", "/v1/directory/update?feed=tfl")
        found = "/v1/stops?query=" + urllib.parse.quote("oxford")
        connection = self.socket()
        eventually("stops in the directory", lambda: connection.call("GET", found)[2] not in ([], None)
                   and connection.call("GET", found)[0] == 200, 60)
        connection.close()

    def stop(self):
        self.process.terminate()
        status = self.process.wait(20)
        self.log.close()
        return status

    def close(self):
        status = self.stop() if self.process.poll() is None else self.process.returncode
        shutil.rmtree(self.folder)
        return status
