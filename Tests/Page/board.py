"""A board under test with its page."""
import os
import pathlib
import re
import shutil
import signal
import urllib.parse

from daemons import Daemon, eventually
from started import ADDRESS, LOOPBACK, free_port


class Board(Daemon):
    def __init__(self, program, stops, url=None, size="20x4", language="en", state=None, page="", board="", port=0, environment=None):
        """Starts a board with the favourites `stops`. `url`: the operator's. `state`: a state folder to copy. `page`, `board`: more lines
        of the tables."""
        super().__init__(program, "page", f'[language]\ncode = "{language}"\n[pages]\nrotate = "off"\n{board}\n[display]\nsize = "{size}"\n'
                         f'[page]\nnames = ["board.test"]\n{page}\n' + (f'[feed.tfl]\nurl = "{url}"\n' if url else ""), stops, environment=environment)
        if state:
            shutil.copytree(state, self.path("state"), dirs_exist_ok=True)
        self.port = port or free_port()  # the same after a restart
        self.start()

    def start(self):
        self.options = ["--simulate", "--page", f"{'127.0.0.1' if ADDRESS == LOOPBACK else '0.0.0.0'}:{self.port}"]
        began = os.path.getsize(self.path("log")) if self.process else 0
        super().start()
        self.port = int(self.wait("the address of the page", lambda: re.search(r"page: http://\S+:(\d+)", self.text(began)))[1])

    def url(self, host=ADDRESS, scheme="http"):
        return f"{scheme}://{host}:{self.port}"

    def digits(self):
        """The six digits of a pairing on the display."""
        return eventually("six digits on the display", lambda: re.search(r"(?<!\d)(\d{3}) ?(\d{3})(?!\d)", self.display()))

    def update_directory(self):
        self.call("POST", "/v1/directory/update?feed=tfl")
        found = "/v1/stops?query=" + urllib.parse.quote("oxford")
        connection = self.socket()
        eventually("stops in the directory", lambda: (response := connection.call("GET", found))[0] == 200 and response[2], 60)
        connection.close()

    def press(self):
        """Presses the button, and waits until the display has changed."""
        before = len(self.frames())
        self.call("POST", "/v1/press", {"gesture": "short"})
        eventually("a changed display after a press", lambda: len(self.frames()) > before)


class Stopped:
    """The program does not run meanwhile: connections stay open, new ones are accepted by the kernel, and nothing is sent."""

    def __init__(self, board):
        self.process = board.process

    def __enter__(self):
        self.process.send_signal(signal.SIGSTOP)
        # One thread stops the others once it runs: on a busy machine they could send something meanwhile.
        eventually("every thread stopped", self.holds)

    def holds(self):
        stats = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/stat")
        try:
            return all(stat.read_text().rpartition(")")[2].split()[0] == "T" for stat in stats)  # proc_pid_stat(5)
        except (FileNotFoundError, ProcessLookupError):  # a thread has ended meanwhile
            return False

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGCONT)
