"""Faults of the bus and of the line: reported, and recovered without a restart."""
from lab import *

note("installed", install_board())
operator, bus, button = Operator(), Bus(), Button()
STUB = os.environ["LAB_STUB"]
IO_ERROR, NOT_ACKNOWLEDGED = 5, 121


def loads(address):
    run(f"insmod {STUB} chip_addr={address:#x}")
    set_device_groups()


def recovers(what, at):
    shown = bus.wait(lambda picture: is_right(picture, operator), 15, since=at)
    check(f"{what}: the right picture again", shown, f"{bus.text()}" + (f", after {shown - at:.1f} s" if shown else ""))
    check(f"{what}: without a restart", is_active() and main_pid() == pid)


# Another program has the line before boardd starts.
holder = hold_line()
# And there is no bus yet.
run("rmmod i2c-stub")
configure(operator, board='home = "first"\nrotate = "off"\nreturn_home = "never"', favourites=[(STOP, LABEL), (SECOND, SECOND_LABEL)])
began = time.monotonic()
start()
pid = main_pid()
check("the service starts without a bus", is_active(), f"{(time.monotonic() - began) * 1000:.0f} ms")
check("it reports that there is no bus", until(lambda: "there is no /dev/i2c-" in journal(), 5, 0.3))
check("it reports who uses the line", until(lambda: re.search(r"button.*(in use|busy|used)", journal()), 5, 0.3), "".join(
    line for line in journal().splitlines() if "button" in line)[:150])
at = time.monotonic()
loads(bus.address)
recovers("the bus appears", at)

holder.close()
until(lambda: "working again" in journal(), 70, 0.5)
check("the line is taken when it is free", re.search(r"button.*working again", journal()))
at = button.press(0.1)[1]
check("and the button works", bus.wait(lambda picture: SECOND_LABEL in picture[0], 3, since=at), bus.text())
for _ in range(2):  # the overview, and the first page again
    time.sleep(1)
    button.press(0.1)
time.sleep(3)

# The log has ten lines a day for faults: a new process for those of the bus.
run("systemctl restart boardd")
pid = main_pid()
for errno, name in [(NOT_ACKNOWLEDGED, "nothing acknowledges"), (IO_ERROR, "I/O errors"), (110, "a line stuck low")]:
    bus.set("fault", errno)
    failed = until(lambda: any(number == errno for _, _, number in bus.failed), 40)
    time.sleep(5)
    check(f"{name}: the bus failed", failed)
    text = {121: "no device acknowledges", 5: "I/O error", 110: "timed out"}[errno]
    check(f"{name}: reported", until(lambda: text in journal(), 10, 0.3))
    check(f"{name}: the daemon lives", is_active() and main_pid() == pid)
    at = time.monotonic()
    bus.set("fault", 0)
    recovers(name, at)

# While nothing has it open, the bus goes and comes back, first with another address than before.
bus.set("fault", NOT_ACKNOWLEDGED)
removed = until(lambda: "i2c_stub" not in run("rmmod i2c-stub 2>/dev/null; lsmod", check=False), 40, 0.1)
check("the bus is unloaded", removed)
other = 0x20
loads(other)
time.sleep(6)
check("a device at another address is not written to", not [call for call in bus.failed if call[1] == other] and not any(
    "a=020" in line and "smbus_write" in line for line in open(f"{OUT}/trace")))
check("the daemon lives", is_active() and main_pid() == pid)
at = time.monotonic()
until(lambda: "i2c_stub" not in run("rmmod i2c-stub 2>/dev/null; lsmod", check=False), 40, 0.1)
loads(bus.address)
recovers("the bus at its address", at)

# The wrong address in the configuration, of a new process: the log has ten lines a day for faults, which are used up.
run("systemctl restart boardd")
pid = main_pid()
configure(operator, display="address = 0x3f", board='rotate = "off"')
run("systemctl reload boardd")
check("a wrong address is reported", until(lambda: "0x3f" in journal(), 8, 0.3),
      next((line for line in journal().splitlines() if "0x3f" in line), "")[:120])
check("the daemon lives", is_active() and main_pid() == pid)
at = time.monotonic()
configure(operator, board='rotate = "off"')
run("systemctl reload boardd")
recovers("the address is corrected", at)
finish()
