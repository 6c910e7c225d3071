"""boardd setup on the installed package: from an empty favourites file to departures on the display, with display, button and service."""
import pty
import select
import signal

from lab import *

LIMIT, MOST_ENTRIES = 60, 8
note("installed", install_board())
operator, bus, button = Operator(), Bus(), Button()
button.set(False)


def motis(handler):
    """A MOTIS server with one stop; returns whether it has responded."""
    place = {"name": "Gare Part-Dieu", "lat": 45.7606, "lon": 4.8596, "tz": "Europe/Paris"}
    if handler.path.startswith("/api/v1/geocode?"):
        operator.send(handler, [{"type": "STOP", "modes": ["TRAM"], **place, "id": id, "name": name}
                                for id, name in [("fr_1", place["name"]), ("fr_2", "Part-Dieu Jules Favre")]])
    elif handler.path.startswith("/api/v1/map/stops?"):
        operator.send(handler, [{"stopId": "fr_1", **place}])
    elif "/stoptimes?stopId=fr_1&" in handler.path:
        now = time.time()
        times = [(line, to, iso(now + left)) for line, to, left in [("T1", "Debourg", 310), ("T3", "Meyzieu", 670), ("T1", "Debourg", 910)]]
        operator.send(handler, {"place": place, "stopTimes": [{
            "place": {**place, "departure": at, "scheduledDeparture": at}, "mode": "TRAM", "realTime": True, "headsign": to, "tripId": line + at,
            "routeShortName": line, "displayName": line} for line, to, at in times]})
    else:
        return False
    return True


class Terminal:
    """`boardd setup` on a terminal of its own."""

    def __init__(self, *arguments):
        self.text, self.read_until = "", 0
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execvp("boardd", ["boardd", "setup", *arguments])

    def reads(self, words, seconds=30):
        """Waits for words behind those found before; returns whether they came."""
        end = time.monotonic() + seconds
        while words not in self.text[self.read_until:]:
            if time.monotonic() > end or not select.select([self.descriptor], [], [], 1)[0]:
                if time.monotonic() > end:
                    return False
                continue
            try:
                part = os.read(self.descriptor, 4096).decode(errors="replace")
            except OSError:  # the end of the program
                break
            self.text += part
        found = self.text.find(words, self.read_until)
        self.read_until = found + len(words) if found >= 0 else self.read_until
        return found >= 0

    def enters(self, prompt, entry):
        is_shown = self.reads(prompt)
        os.write(self.descriptor, (entry + "\n").encode())
        return is_shown

    def end(self):
        self.reads("\0", 60)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


ENTRIES = [("Where are you", "Lyon"), ("Whose departures", ""), ("mail or web address", "me@example.org"), ("Name of the stop", "part-dieu"),
           ("Which", "1"), ("Lines", "T1"), ("Minutes to walk", "2")]


def files():
    return {name: open(f"{CONFIGURATION}/{name}").read() for name in ["boardd.toml", "favourites.toml"]}


operator.behaviour = motis
with open(f"{CONFIGURATION}/boardd.toml", "w") as file:
    file.write(f'# mine\n[display]\nsize = "20x4"\n[feed.motis]\nurl = "{operator.url}"\n')
open(f"{CONFIGURATION}/favourites.toml", "w").close()
start()
check("a board without favourites shows the command", bus.wait(lambda picture: any("sudo boardd setup" in row for row in picture), 15), bus.text())
name = run("hostname").strip()[:16]
check("and the machine's name", bus.wait(lambda picture: any(row.startswith(name) for row in picture), 15), bus.text())

# Interrupted where the service is stopped, because the set-up uses the display.
before = files()
terminal = Terminal()
for prompt, entry in ENTRIES:
    check(f"the set-up prompts: {prompt}", terminal.enters(prompt, entry), terminal.text[-200:])
check("the size of the display is prompted for, beside a test picture",
      terminal.reads("Size of the display") and bus.wait(lambda picture: picture[0].startswith("1") and picture[3].startswith("4"), 10), bus.text())
check("meanwhile the service is stopped", not is_active())
os.kill(terminal.pid, signal.SIGINT)
terminal.end()
check("an interrupted set-up changes no file", files() == before)
check("and starts the service again", until(is_active, 10))

began, entries = time.monotonic(), 0
terminal = Terminal()
for prompt, entry in [*ENTRIES, ("Size of the display", "20x4")]:
    check(f"the set-up prompts: {prompt}", terminal.enters(prompt, entry), terminal.text[-200:])
    entries += 1
check("it waits for a press of the button", terminal.reads("Press the button now"), terminal.text[-200:])
time.sleep(1)
button.press(0.2)
check("and sees it", terminal.reads("The button works, at GPIO 17."), terminal.text[-200:])
status = terminal.end()
took = time.monotonic() - began
check("the set-up ends with 0, and shows the display in the terminal", status == 0 and re.search("│(Gare…|(Gare |…)Part-Dieu) +[012]", terminal.text), terminal.text[-600:])
check(f"it needs at most {MOST_ENTRIES} entries", entries <= MOST_ENTRIES, entries)
figure("from the start of the set-up to its end", took, LIMIT, "s")
check("the display shows the departures of the line", bus.wait(lambda picture: "Part-Dieu" in picture[0] and "Debourg" in picture[1], 10), bus.text())
check("and no other line", not any("Meyzieu" in row for row in bus.picture), bus.text())
check("the user's comment is still there", files()["boardd.toml"].startswith("# mine\n"))
check("the service runs, and starts with the machine", is_active() and run("systemctl is-enabled boardd", check=False).strip() == "enabled")
requests = len(operator.requests)
check("a second run with options alone prompts for nothing", run("boardd setup --yes --stop motis:fr_1 --lines T1 --walk 3 >/run/lab/out/again.txt 2>&1; echo $?").strip() == "0",
      open(f"{OUT}/again.txt").read()[-400:])
check("and there is still one favourite", files()["favourites.toml"].count("[[stop]]") == 1, files()["favourites.toml"])
finish()
