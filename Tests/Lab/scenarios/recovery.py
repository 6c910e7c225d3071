"""A killed daemon, a stopped board loop, a display call that does not return; a reload with a faulty file.

LAB_ROUNDS: how often each; default 5, and 2 in real time.
"""
import signal

from lab import *

ROUNDS = int(os.environ.get("LAB_ROUNDS") or (5 if VIRTUAL else 2))
note("installed", install_board())
now = time.time()
bus = Bus()
button = Button()
operator = Operator([(line, place, now + 170 + 300 * index) for index, (line, place) in enumerate(  # for three hours
    [("73", "Oxford"), ("390", "Archway"), ("N73", "Hackney")] * 12)])
configure(operator)
start()
check("the picture is right", bus.wait(lambda picture: is_right(picture, operator), 10), bus.text())
time.sleep(10)  # after a shorter run, the unit waits


def recovers(what, harm):
    """Does harm, and waits for the end of the process and for the right picture of the next one. Returns both times."""
    pid = main_pid()
    began = time.monotonic()
    frozen = harm(pid)

    def has_ended():
        if frozen and not frozen.has_ended() or os.path.exists(f"/proc/{pid}"):
            return None
        return time.monotonic()

    ended = until(has_ended, 40, 0.01)
    bus.set("hang", 0)  # the bus works again when the kill has ended the call
    if not check(f"{what}: the process ended", ended):
        return None
    # The panel is initialised again: only a picture of the new process counts.
    back = bus.wait(lambda picture: is_right(picture, operator), 40, since=ended)
    again = main_pid()
    check(f"{what}: another process shows the right picture", back and again not in (0, pid), bus.text())
    time.sleep(10)  # a board that ran for a while
    return ended - began, (back or 999) - ended


def summary(what, rounds, limit):
    rounds = [times for times in rounds if times]
    if not check(f"{what}: recovered every time", len(rounds) == ROUNDS, f"{len(rounds)} of {ROUNDS}"):
        return
    hang, back = max(times[0] for times in rounds), max(times[1] for times in rounds)
    if limit:
        figure(f"{what}: to the kill, at most", hang, limit, "s")
    figure(f"{what}: from the kill to the right picture, at most", back, 3, "s")


def kill(pid):
    os.kill(pid, signal.SIGKILL)


def stop(pid):
    os.kill(pid, signal.SIGSTOP)


def stop_loop(pid):
    return Freeze(thread("board", pid))


def hang(pid):
    bus.set("hang", 1)  # until the call ends with its process
    button.press(3.2)  # does nothing but draw, and so makes the call


for what, harm, limit in [
    ("kill -9", kill, None), ("SIGSTOP", stop, 12), ("a stopped board loop", stop_loop, 12), ("a hung display call", hang, 12),
]:
    summary(what, [recovers(what, harm) for _ in range(ROUNDS)], limit)

# A program that ends at every start must not fill the log: it waits for 9 s.
killed = main_pid()
os.kill(killed, signal.SIGKILL)
until(lambda: is_active() and main_pid() not in (0, killed), 15)
pid = main_pid()
os.kill(pid, signal.SIGKILL)
at = time.monotonic()
back = until(lambda: is_active() and main_pid() not in (0, pid) and time.monotonic(), 40, 0.1)
check("a daemon that ends directly after its start waits for 9 to 15 s", 9 <= (back or 0) - at <= 15, f"{(back or 0) - at:.1f} s")
began = time.monotonic()
run("systemctl stop boardd")
run("systemctl start boardd")
check("a stop and a start do not wait", time.monotonic() - began < 6, f"{time.monotonic() - began:.1f} s")
bus.wait(lambda picture: is_right(picture, operator), 10, since=began)

# A reload with a faulty file.
pid, path = main_pid(), f"{CONFIGURATION}/boardd.toml"
good = open(path).read()
with open(path, "a") as file:
    file.write("[board\n")
line = len(good.splitlines()) + 1
run("systemctl reload boardd", check=False)
reported = bus.wait(lambda picture: f"line {line}" in "\n".join(picture), 10)
check("a faulty file is reported on the display with its line", reported, bus.text())
check("and in the log", f"boardd.toml:{line}" in journal() or f"line {line}" in journal())
check("the daemon is the same", main_pid() == pid)
check("and all departures stay below it", bus.picture[1:] in operator.rows(), bus.text())
with open(path, "w") as file:
    file.write(good)
run("systemctl reload boardd")
check("the corrected file is taken", until(lambda: bus.shows(operator), 15), bus.text())
run("systemctl stop boardd")
check("the last picture states that the board has stopped", bus.wait(lambda picture: "stopped" in " ".join(picture), 5), bus.text())
check("after it, the display is in phase", bus.controller.is_in_phase)
finish()
