"""A daemon for measurements: the release binary in its own folders."""
import atexit
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

from common import stop, write_configuration
from daemons import Connection

# In memory like /run, if the machine has such a folder.
MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") and os.access("/dev/shm", os.W_OK) else None


class Daemon:
    def __init__(self, program, folder, url, stops=2, directory=None, prefix=(), options=(), board="",
                 preservesRuntime=False, **configured):
        """Starts a daemon that owns `folder`.

        `directory`: a folder with a stop directory, which is copied. `output` is a pipe with its standard output.
        `preservesRuntime`: the runtime folder is not removed before `forget`.
        """
        self.folder = folder
        self.state = os.path.join(folder, "state")
        self.runtime = tempfile.mkdtemp(prefix="boardd-bench-", dir=MEMORY)
        os.makedirs(self.state, exist_ok=True)
        if directory:
            shutil.copytree(directory, self.state, dirs_exist_ok=True)
        self.preservesRuntime = preservesRuntime
        self.configuration = write_configuration(folder, url, [stop(index) for index in range(stops)], board, **configured)
        self.log = open(os.path.join(folder, "log"), "w+b")
        self.environment = {**os.environ, "RUNTIME_DIRECTORY": self.runtime, "STATE_DIRECTORY": self.state}
        self.process = subprocess.Popen(
            [*prefix, program, "run", "--config", self.configuration, *options], env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if options else subprocess.DEVNULL, stderr=self.log)
        self.output = self.process.stdout
        # Where a measurement fails; the last one is called first.
        atexit.register(self.forget)
        atexit.register(self.process.kill)

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
                sys.exit(f"{sys.argv[0]}: no {what}: {self.log_text()}")
            time.sleep(0.1)

    def log_text(self):
        with open(os.path.join(self.folder, "log"), "rb") as file:
            return file.read().decode()

    def connect(self):
        self.wait("control socket", lambda: os.path.exists(self.socket))
        return Control(self.socket)

    def call(self, method, path, body=None):
        control = self.connect()
        try:
            return control.call(method, path, body)
        finally:
            control.close()

    def search(self, text):
        return self.call("GET", "/v1/stops?query=" + urllib.parse.quote(text))

    def discard_output(self):
        subprocess.Popen(["cat"], stdin=self.output, stdout=subprocess.DEVNULL)
        self.output.close()

    def close(self):
        """Ends the daemon. Returns its exit status."""
        self.process.terminate()
        status = self.process.wait(20)
        self.log.close()
        if not self.preservesRuntime:
            self.forget()
        return status

    def forget(self):
        shutil.rmtree(self.runtime, ignore_errors=True)


class Control(Connection):
    """A persistent connection to a daemon's socket."""

    def call(self, method, path, body=None):
        status, _, value = super().call(method, path, body)
        if status >= 300:
            sys.exit(f"{sys.argv[0]}: {method} {path}: {status} {value}")
        return value


def memory(pid):
    """Resident and private resident memory of a process, in kB."""
    with open(f"/proc/{pid}/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    return tuple(int(lines[name].split()[0]) for name in ("VmRSS", "RssAnon"))


def processor_time(root):
    """Seconds of CPU of a process and its descendants, with those that have ended (proc_pid_stat(5))."""
    parents, times = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
            parents[int(pid)], times[int(pid)] = int(fields[1]), sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def is_of_root(pid):
        return pid == root or pid in parents and is_of_root(parents[pid])
    return sum(time for pid, time in times.items() if is_of_root(pid))
