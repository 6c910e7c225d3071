"""The package: installed, upgraded, removed, purged."""
from lab import *

package = os.environ["LAB_PACKAGE"]
operator, bus = Operator(), Bus()
before = set(run("getent passwd; getent group", check=False).split("\n"))
listening = set(listeners())
install = f"DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold -i {package}"
began = time.monotonic()
run(install)
check("installing enables and starts the board", until(is_active, 10) and run("systemctl is-enabled boardd").strip() == "enabled",
      f"{time.monotonic() - began:.1f} s")
set_device_groups()
check("the display shows what to do next", bus.wait(lambda picture: "boardd setup" in "".join(picture), 15), bus.text())
check("which was found by itself", "found by itself: hd44780" in run("boardd status"))
check("every file is intact", not run("dpkg --verify boardd", check=False).strip())
configure(operator)
run("systemctl restart boardd")
check("the picture is right", bus.wait(lambda picture: is_right(picture, operator), 10), bus.text())
pid, edited = main_pid(), open(f"{CONFIGURATION}/boardd.toml").read()
at = time.monotonic()
run(install)
check("upgrading restarts it", until(lambda: main_pid() not in (0, pid), 10))
check("with the right picture", bus.wait(lambda picture: is_right(picture, operator), 10, since=at), bus.text())
check("and keeps the edited file", open(f"{CONFIGURATION}/boardd.toml").read() == edited)
run("dpkg -r boardd")
check("removing leaves no process", not run("pgrep -x boardd", check=False).strip())
check("no unit", "could not be found" in run("systemctl status boardd 2>&1", check=False) or not glob.glob("/usr/lib/systemd/system/boardd*"))
check("no listener", set(listeners()) == listening and not os.path.exists("/run/boardd/control.sock"))
check("but the configuration", os.path.exists(f"{CONFIGURATION}/boardd.toml"))
check("(its files are seen)", any("boardd" in path for path in changed_files()))
run("dpkg -P boardd")
left = [path for path in changed_files() if "boardd" in path]
check("purging leaves no file", not left, left[:8])
after = set(run("getent passwd; getent group", check=False).split("\n"))
check("and no user", not [line for line in after - before if line.startswith("boardd")], sorted(after - before))
finish()
