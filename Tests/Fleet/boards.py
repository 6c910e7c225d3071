"""Boards of a fleet under test."""
import re
import subprocess

import operators
from broker import Broker
from daemons import Daemon, becomes


class Board(Daemon):
    def __init__(self, program, name, broker, operator=None, stops=("S1",), fleet="", board='home = "first"', key=None, port=None, user=None, extra="",
                 wrapper=(), interval=10):
        """Starts a board with the favourites `stops`: tables of favourites.toml, or stops of the operator, with a button.

        `broker`: None: no fleet. `fleet`, `board`: further lines of the tables; `extra`: further tables. `key`: of the operator. `port`: of a
        proxy before the broker. `user`: of the broker, if it is not `name`. `wrapper`: a command that starts the program.
        """
        self.broker, self.operator, keys = broker, operator, []
        settings = f'[pages]\nrotate = "off"\nreturn_home = "never"\nturns = false\n{board}\n[display]\ndriver = "none"\n'
        settings += '[[button]]\nline = 17\nshort = "next"\n'
        if operator:
            settings += f'[feed.siri.vale]\nurl = "{operator.address(name)}"\ninterval = "{interval}s"\nkey_header = "apikey"\n'
            keys.append(f"{operators.KEY}={key or 'key-of-' + name}")
        if broker:
            url = re.sub(r":\d+$", f":{port}", broker.url) if port else broker.url
            settings += f'[fleet]\nbroker = "{url}"\nboard = "{name}"\n' + (f'ca = "{broker.ca}"\n' if broker.ca else "") + fleet + "\n"
            if broker.acl:
                keys += [f"FLEET_USER={user or name}", f"FLEET_PASSWORD={Broker.password(user or name)}"]
        stops = [stop if ":" in stop or "\n" in stop else f"{operators.FEED}:{stop}" for stop in stops]
        super().__init__(program, name, settings + extra, stops, wrapper=wrapper, keys=keys)
        self.start()

    def logged(self, pattern, seconds=20, since=0):
        """Waits for a line of the log with `pattern`; None: not within `seconds`."""
        found = becomes(lambda: re.search(f"(?im)^.*({pattern}).*$", self.text(since)), seconds)
        return found and found[0]

    def command(self, *arguments, seconds=30):
        """A command of boardd on this board: the status and what it prints."""
        done = subprocess.run([self.program, *arguments], env=self.environment, capture_output=True, text=True, timeout=seconds)
        return done.returncode, done.stdout + done.stderr

    def shows(self, text, seconds=20):
        """Whether the display shows `text`, a regular expression, within `seconds`."""
        return bool(becomes(lambda: re.search(text, self.display()), seconds))
