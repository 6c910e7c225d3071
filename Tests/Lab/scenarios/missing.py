"""What is missing at the start: what the service reports, and that it lives."""
import http.server

from lab import *

note("installed", install_board())
operator, bus = Operator(), Bus()


def tries(what, prepare, expected, restore, shows=None, settings={}):
    """Starts the service with something missing. `expected` is a pattern of its messages; `shows` a text on the display."""
    since = time.time()
    configure(operator, **settings)
    run(prepare)
    at = time.monotonic()
    run("systemctl start boardd", check=False)
    lives = until(is_active, 15)
    pid = main_pid()
    messages = lambda: run(f"journalctl --sync; journalctl -u boardd -o cat --no-pager --since @{since:.3f}", check=False)
    reported = until(lambda: re.search(expected, messages()), 10, 0.3) if expected else True
    line = next((line for line in messages().splitlines() if expected and re.search(expected, line)), messages()[-300:])
    if expected:
        check(f"{what}: reported in the log", reported, line[:170])
    if shows:
        check(f"{what}: on the display", bus.wait(lambda picture: shows(picture), 15, since=at), bus.text())
    time.sleep(3)
    check(f"{what}: the service lives", lives and is_active() and main_pid() == pid, properties("NRestarts", "ActiveState", "Result"))
    run("systemctl stop boardd", check=False)
    run("systemctl reset-failed boardd", check=False)
    run(restore)


right = lambda picture: is_right(picture, operator)
chip = os.environ["LAB_CHIP"]
device = os.environ["LAB_BUS"]
tries("no I2C", "rmmod i2c-stub", r"there is no /dev/i2c-", f"insmod {os.environ['LAB_STUB']} chip_addr={bus.address:#x}")
set_device_groups()
tries("no GPIO", f"mv {chip} /dev/hidden", r"button.*no /dev/gpiochip", f"mv /dev/hidden {chip}", right)
tries("no group i2c", f"chgrp root {device}", r"permission denied.*group i2c", f"chgrp i2c {device}")
tries("no group gpio", f"chgrp root {chip}", r"permission denied.*group gpio", f"chgrp gpio {chip}", right)
keys = f"{CONFIGURATION}/keys.env"
tries("no keys.env", f"rm -f {keys}", None, f"install -m 0600 /dev/null {keys}", right)
tries("no key for an operator that needs one", "true", r"(?i)key", "true", lambda picture: "key" in "\n".join(picture),
      {"favourites": [("rail:PAD", "Paddington")]})
tries("read-only /etc", f"mount --bind {CONFIGURATION} {CONFIGURATION} && mount -o remount,ro,bind {CONFIGURATION}", None,
      f"umount {CONFIGURATION}", right)
tries("full /var", "mkdir -p /var/lib/boardd && mount -t tmpfs -o size=64k,mode=755,uid=$(id -u boardd) full /var/lib/boardd && "
      "dd if=/dev/zero of=/var/lib/boardd/full bs=4k 2>/dev/null || true", None, "umount /var/lib/boardd", right)

# A clock at 1970: the operator's Date header has the time.
right_now, real_time = time.time() - time.monotonic(), time.time
run("date -s @86400")
time.time = lambda: right_now + time.monotonic()  # for the operator and for what is expected
http.server.BaseHTTPRequestHandler.date_time_string = lambda self, timestamp=None: time.strftime(
    "%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time()))
check("the clock of the machine is at 1970", real_time() < 100_000, int(real_time()))
configure(operator)
at = time.monotonic()
start()
shown = bus.wait(right, 20, since=at)
check("a clock at 1970: the picture has the time of the operator's responses", shown, bus.text())
time.sleep(3)
check("a clock at 1970: and keeps it", bus.shows(operator), bus.text())
check("a clock at 1970: the service lives", is_active())

# A right clock that is declared synchronised, and an operator whose Date header is an hour wrong.
run("systemctl stop boardd")
time.clock_settime(time.CLOCK_REALTIME, time.time())
synchronise()
http.server.BaseHTTPRequestHandler.date_time_string = lambda self, timestamp=None: time.strftime(
    "%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 3600))
at = time.monotonic()
start()
check("a synchronised clock: the picture has its time, not that of the responses", bus.wait(right, 20, since=at), bus.text())
time.sleep(3)
check("a synchronised clock: and keeps it", bus.shows(operator), bus.text())
finish()
