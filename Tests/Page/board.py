"""A board under test with its page on loopback."""
import os
import re
import shutil
import urllib.parse

from daemons import Daemon, eventually


class Board(Daemon):
    def __init__(self, program, stops, url=None, size="20x4", language="en", state=None, page="", board="", port=0, environment=None):
        """Starts a board with the favourites `stops`. `url`: the operator's. `state`: a state folder to copy. `page`, `board`: more lines
        of the tables."""
        super().__init__(program, "page", f'[board]\nlanguage = "{language}"\nrotate = "off"\n{board}\n[display]\nsize = "{size}"\n'
                         f'[page]\nnames = ["board.test"]\n{page}\n' + (f'[feed.tfl]\nurl = "{url}"\n' if url else ""), stops, environment=environment)
        if state:
            shutil.copytree(state, self.path("state"), dirs_exist_ok=True)
        self.port = port
        self.start()

    def start(self):
        self.options = ["--simulate", "--page", f"127.0.0.1:{self.port}"]
        began = os.path.getsize(self.path("log")) if self.process else 0
        super().start()
        self.port = int(self.wait("the address of the page", lambda: re.search(r"http://127\.0\.0\.1:(\d+)", self.text(began)))[1])

    def url(self, host="127.0.0.1", scheme="http"):
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
