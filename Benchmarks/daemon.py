"""A daemon to be measured: the release binary in folders of its own."""
import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

from common import stop, write_configuration

# In memory where the machine has such a folder, as /run is.
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else None


class Daemon:
    def __init__(self, program, folder, url, stops=2, directory=None, prefix=(), options=(), board="",
                 keepsRuntime=False, **configured):
        """Starts a daemon that owns `folder`.

        `directory`: a folder with a stop directory, of which it gets a copy. What it prints is in `output`, a pipe. `keepsRuntime`:
        the runtime folder outlives its end, until `forget`.
        """
        self.folder = folder
        self.state = os.path.join(folder, "state")
        self.runtime = tempfile.mkdtemp(prefix="boardd-bench-", dir=MEMORY)
        os.makedirs(self.state, exist_ok=True)
        if directory:
            shutil.copytree(directory, self.state, dirs_exist_ok=True)
        self.keepsRuntime = keepsRuntime
        self.configuration = write_configuration(folder, url, [stop(index) for index in range(stops)], board, **configured)
        self.log = open(os.path.join(folder, "log"), "w+b")
        self.environment = {**os.environ, "RUNTIME_DIRECTORY": self.runtime, "STATE_DIRECTORY": self.state}
        self.process = subprocess.Popen(
            [*prefix, program, "run", "--config", self.configuration, *options], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if options else subprocess.DEVNULL, stderr=self.log)
        self.output = self.process.stdout

    @property
    def pid(self):
        return self.process.pid

    @property
    def socket(self):
        return os.path.join(self.runtime, "control.sock")

    def wait(self, what, is_done, seconds=60):
        end = time.monotonic() + seconds
        while not is_done():
            if time.monotonic() > end or self.process.poll() is not None:
                sys.exit(f"{sys.argv[0]}: {what} did not come: {self.said()}")
            time.sleep(0.1)

    def said(self):
        with open(os.path.join(self.folder, "log"), "rb") as file:
            return file.read().decode()

    def connect(self):
        self.wait("the control socket", lambda: os.path.exists(self.socket))
        return Control(self.socket)

    def ask(self, method, path, body=None):
        control = self.connect()
        try:
            return control.ask(method, path, body)
        finally:
            control.close()

    def search(self, text):
        return self.ask("GET", "/v1/stops?query=" + urllib.parse.quote(text))

    def close(self):
        """Ends it; gives its status."""
        self.process.terminate()
        status = self.process.wait(20)
        self.log.close()
        if not self.keepsRuntime:
            self.forget()
        return status

    def forget(self):
        shutil.rmtree(self.runtime, ignore_errors=True)


class Control(http.client.HTTPConnection):
    """A connection to a daemon's socket that stays open."""

    def __init__(self, path):
        super().__init__("boardd", timeout=10)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        self.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.getresponse()
        text = answer.read()
        if answer.status >= 300:
            sys.exit(f"{sys.argv[0]}: {method} {path}: {answer.status} {text.decode()}")
        return json.loads(text) if text else None


def memory(pid):
    """Resident, private resident and the highest resident memory of a process, in kB."""
    with open(f"/proc/{pid}/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    return tuple(int(lines[name].split()[0]) for name in ("VmRSS", "RssAnon", "VmHWM"))


def forget_peak(pid):
    """Begins the highest resident memory anew (proc_pid_clear_refs(5))."""
    with open(f"/proc/{pid}/clear_refs", "w") as file:
        file.write("5")


def written(pid):
    """Bytes that a process has had written to disks (proc_pid_io(5))."""
    with open(f"/proc/{pid}/io") as file:
        return int(dict(line.split(":") for line in file)["write_bytes"])
