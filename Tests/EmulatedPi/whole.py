"""A Debian 13 on a card, with the memory and the device tree of a Zero 2 W: the package is installed as a user would, and set up by phone."""
import sys
import time

from handset import Handset, digits
from pi import GUEST, Pi, check, free_port, memory, note, status, whole
from recording import Stop

folder, LIMIT, CODE = sys.argv[1], 9000, "490008660N"  # kB
port = free_port()


def properties(*names):
    """Properties of the service by name."""
    text = run("systemctl show boardd " + " ".join(f"-p {name}" for name in names))
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def replayed():
    """The stop, of the recording that the running program replays since its start."""
    begun = int(properties("ExecMainStartTimestampMonotonic")["ExecMainStartTimestampMonotonic"]) / 1e6
    return Stop("Oxford St", CODE, None, time.time() - float(run("cut -d' ' -f1 /proc/uptime")) + begun)


pi = Pi(folder, whole(port))
run = pi.log_in()
note("root logs in on the serial line", pi.since_power(time.time()))
state = run("systemctl is-system-running --wait", 900)
check("systemd runs, without a failed unit", state == "running", state + run("systemctl --failed --no-legend"))
note("systemd runs", pi.since_power(time.time()))
note("the machine", run("tr -d '\\0' </proc/device-tree/model; grep MemTotal /proc/meminfo; uname -r; ip -o -4 address show scope global | cat").replace("\n", ", "))

# The package
began = time.time()
code, text = pi.console.run("sudo apt-get install -y /root/boardd.deb", 600)
check("apt installs the package", code == 0, text if code else f"{time.time() - began:.0f} s")
check("which says what is next", "sudo boardd page setup" in text)
shown = properties("ActiveState", "NRestarts", "ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic", "MainPID")
check("the service runs", shown["ActiveState"] == "active" and shown["NRestarts"] == "0", shown)
begun, ready = (int(shown[f"{name}TimestampMonotonic"]) / 1e6 for name in ("ExecMainStart", "ActiveEnter"))
note("from systemd's start of the program to READY", f"{ready - begun:.2f} s")
check("a fresh board's display shows what to do", pi.bus.shows(lambda picture: "setup" in "".join(picture), 60), pi.bus.text())
text = run("boardd hardware scan")
check("hardware scan finds the bus by its node, the display and the button's chip",
      "0x27  LCD backpack" in text and "[pinctrl-bcm2835], the pin header" in text, text)
text = run("boardd doctor")
check("doctor", "found by itself: hd44780 at 0x27" in text, text)

# Set-up by phone
began = time.time()
text = run("sudo boardd page setup")
check("boardd page setup prints the address", f"http://{GUEST}" in text, text)
check("the display shows it", pi.bus.shows(lambda picture: GUEST in "".join(row.rstrip() for row in picture), 60, began), pi.bus.text())
phone, asked = Handset("127.0.0.1", port, GUEST), time.time()
isPaired = phone.pair("Sofa phone", lambda: pi.bus.shows(digits, 30, asked) and pi.bus.picture)
check("a phone pairs by the digits on the display, over the card's network", isPaired, pi.bus.text())
code, found = phone.request("PUT", "/v1/settings/display", {"tables": [{"size": "20x4"}]})
check("it sets the size of the display", code == 200, found)
began = time.time()
code, found = phone.request("POST", "/v1/favourites", {"stop": f"tfl:{CODE}", "label": "Oxford St"})
check("it adds a stop", code == 201, found)
check("the display shows its departures", pi.bus.shows(replayed().is_right, 90, began), pi.bus.text())
check("it closes the window", phone.request("DELETE", "/v1/setup")[0] == 204)

# The button
down, up = pi.press()
at = pi.bus.shows(lambda picture: "2/2" in picture[0], 20, down)
check("a press shows the second screen", at, pi.bus.text())
pi.set(True)
check("a hold offers the details", pi.bus.shows(lambda picture: "Let go: details" in picture[0], 30, up), pi.bus.text())
up = pi.set(False)
check("and shows them, first the whole message about the stop",
      pi.bus.shows(lambda picture: picture[:2] == ("⚠ This stop will be ", "closed on the nights"), 30, up), pi.bus.text())

# A kill
began = time.time()
run("kill -9 $(systemctl show boardd -p MainPID --value); until [ $(systemctl show boardd -p NRestarts --value) = 1 ]; do sleep 0.1; done")
check("a killed board is back with its departures", pi.bus.shows(replayed().is_right, 90, began + 1), pi.bus.text())
found = memory(run("grep -E '^(RssAnon|VmRSS):' /proc/$(systemctl show boardd -p MainPID --value)/status"))
check(f"the program's private memory is at most {LIMIT / 1000:.0f} MB", 0 < found["RssAnon"] <= LIMIT,
      ", ".join(f"{name} {value} kB" for name, value in found.items()))
check("every byte keeps the data sheet's order of the lines", not pi.bus.panel.faults and pi.bus.bytes,
      f"{pi.bus.bytes} bytes, {len(pi.bus.history)} pictures{''.join(' ' + fault for fault in pi.bus.panel.faults[:5])}")
text = run("journalctl -u boardd -p warning -o cat --no-pager")
note("warnings of the journal", text or "none")
if status():
    print(run("journalctl -u boardd -o short-monotonic --no-pager | tail -40"))
pi.end()
sys.exit(status())
