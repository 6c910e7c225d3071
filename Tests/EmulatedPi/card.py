"""A card as Raspberry Pi Imager writes it, with the files of `make card`: from power to the address on the display, without a terminal."""
import sys
import time

from handset import Handset
from pi import GUEST, Pi, check, free_port, note, status, whole

folder, port, LIMIT = sys.argv[1], free_port(), 1500


def start():
    """Starts the Pi, and waits until cloud-init has ended."""
    pi = Pi(folder, whole(port))
    pi.console.expect(r"Cloud-init v\. \S+ finished", LIMIT)
    note("cloud-init has ended", pi.since_power(time.time()))
    return pi


def log_in(pi):
    """From here on at the serial line, to look. Its shell has long begun: a return brings its prompt again."""
    pi.console.send("")
    return pi.log_in()


def address(picture):
    return GUEST in "".join(row.rstrip() for row in picture)


pi = start()
with open("console.log") as file:
    console = file.read()
check("what happens is on the console", "boardd: boardd is installed from the card." in console and "boardd: On your phone" in console, console[-3000:])
at = pi.bus.shows(address, 60)
check("the display shows the address of the page", at, pi.since_power(at) if at else pi.bus.text())
check("in the language of boardd.txt", pi.bus.shows(lambda picture: "Handy" in "".join(picture), 60), pi.bus.text())
code, state = Handset("127.0.0.1", port, GUEST).request("GET", "/v1/state")
check("a phone reaches the page", code == 200, state)

run = log_in(pi)
log = run("cat /boot/firmware/boardd.log")
for line in ("is installed.", "line 1: language.code = de: set.", "line 2: display.size = 20x4: set.", "line 5: board.name = Flur: set.",
             "line 3: map.server = https://example.org: not set: ", "line 4: page.setup = false: not set: "):
    check(f"boardd.log says \"{line}\"", line in log, log)
note("boardd.log", log)
check("Imager's own settings hold", run("cat /srv/imager; id -un anna") == "flur\nanna", run("cat /srv/imager; id anna; tail -50 /var/log/cloud-init.log"))
check("config.txt turns the bus on", "dtparam=i2c_arm=on" in run("cat /boot/firmware/config.txt"))
check("dpkg has nothing half done", run("dpkg --audit") == "")
LOOK = ("md5sum /boot/firmware/boardd.log /boot/firmware/config.txt /var/lib/dpkg/status /var/lib/boardd/settings/settings.toml; "
        "systemctl is-enabled boardd-page.socket")
before = run(LOOK)
note("systemd", run("systemctl is-system-running; systemctl --failed --no-legend"))
pi.end()

# The second start
pi = start()
check("the second start shows the address again", pi.bus.shows(address, 120), pi.bus.text())
run = log_in(pi)
after = run(LOOK)
check("and changes nothing", after == before, f"{before}\n{after}")
if status():
    print(run("tail -30 /var/log/cloud-init-output.log; journalctl -u boardd -o short-monotonic --no-pager | tail -30"))
pi.end()
sys.exit(status())
