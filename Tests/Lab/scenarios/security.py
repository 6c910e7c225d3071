"""What the service may do, what it wrote and opened, and where its keys are."""
import hashlib

from lab import *

KEY = "lab-secret-" + hashlib.sha256(os.urandom(16)).hexdigest()[:24]
LIMIT = 1.7
note("installed", install_board())
run("systemctl stop boardd; systemctl kill -s KILL boardd", check=False)
operator, bus, button = Operator(), Bus(), Button()
configure(operator, board='home = "first"', log="[log]\nlevel = 'debug'", favourites=[(STOP, LABEL), (SECOND, SECOND_LABEL)])
with open(f"{CONFIGURATION}/keys.env", "w") as file:
    file.write(f"TFL_APP_KEY={KEY}\n")
with open("/home/lab-private", "w") as file:
    file.write("seen")
os.chmod("/home/lab-private", 0o644)

report = run("systemd-analyze security --no-pager boardd", check=False)
level = re.search(r"exposure level for boardd.service: ([\d.]+)", report)
check(f"systemd-analyze security <= {LIMIT}", level and float(level[1]) <= LIMIT, level and level[1])
for line in re.findall(r"(?m)^✗ (.*?)\s*$", report):
    note("exposure", re.sub(r"\s{2,}", "  ", line))

MARKER = "/run/lab-marker"
run(f"touch {MARKER}; sleep 1.1")
start()
check("the picture is right", bus.wait(lambda picture: is_right(picture, operator), 10), bus.text())
sent = until(lambda: any(KEY in path for _, path in operator.requests), 5)
check("the daemon uses the key", sent)
for _ in range(5):
    button.press(0.1)
    time.sleep(0.3)
run("boardd status; boardd report >/run/lab-report; boardd favourites list", check=False)
time.sleep(2)
pid = main_pid()

# Files that changed anywhere, except those of the system and of this scenario.
changed = changed_files(since=MARKER)
own = ("/run/boardd/", "/var/lib/boardd/", "/etc/boardd/favourites.toml")
system = ("/run/systemd/", "/run/log/", "/run/udev/", "/run/dbus/")
foreign = [path for path in changed if not path.startswith(own + system)]
check("its own directories were written (the search sees writes)", any(path.startswith("/run/boardd/") for path in changed))
check("nothing else was written", not foreign, foreign)
writable = []
for path in glob.glob(f"/proc/{pid}/fdinfo/*"):
    flags = int(re.search(r"flags:\s+(\d+)", open(path).read())[1], 8)
    target = os.readlink(path.replace("fdinfo", "fd"))
    if flags & 3 and target.startswith("/") and not target.startswith(own + ("/dev/i2c-", "/dev/gpiochip", "/dev/null")):
        writable.append(target)
check("no other file is open for writing", open_files(pid) and not writable, writable)

# An SD card wears out only by writes. The start ends with the directory of stops, after 20 s.
time.sleep(40)
run(f"touch {MARKER}; sleep 1.1")
polls = len(operator.requests)
for _ in range(10):
    button.press(0.1)
    run("boardd status")
    time.sleep(3.5)
written = [path for path in changed_files(since=MARKER) if not path.startswith(system)]
check("later, with polls and presses, the snapshot in memory is written", len(operator.requests) > polls and "/run/boardd/board.json" in written)
# A folder changes when a file in it is created or removed.
written += run(f"find /var/lib/boardd {CONFIGURATION} -newer {MARKER}").split()
check("and nothing else", not [path for path in written if not path.startswith("/run/boardd/")], written)

ports = listeners()
check("this scenario's port is seen", operator.port in ports, ports)
check("the daemon listens on no port", not [port for port, inode in ports.items() if f"socket:[{inode}]" in open_files(pid)])

# From within: the daemon's own view, with its rights.
enter = f"nsenter -t {pid} -m setpriv --reuid boardd --regid boardd --clear-groups --no-new-privs --"
check("(the daemon's view has its configuration)", "[pages]" in run(f"{enter} cat {CONFIGURATION}/boardd.toml"))
check("/home is not readable", "seen" not in run(f"{enter} cat /home/lab-private", check=False))
check("(outside it is)", open("/home/lab-private").read() == "seen")
for path in ["/usr/lab", "/etc/lab", "/etc/boardd/boardd.toml", "/root/lab", "/var/lab"]:
    check(f"{path} is not writable", "failed" in run(f"{enter} sh -c '(: >>{path}) || echo failed' 2>/dev/null", check=False))
status = dict(line.split(":\t", 1) for line in open(f"/proc/{pid}/status").read().splitlines() if ":\t" in line)
attempt = "setpriv --reuid 65534 --regid 65534 {} -- boardd status >/dev/null 2>&1; echo rc=$?"
members = attempt.format("--groups $(getent group boardd-control | cut -d: -f3)")
check("members of boardd-control can use the control socket", "rc=0" in run(members), run("ls -l /run/boardd/control.sock").strip())
changed = run(f"setpriv --reuid 65534 --regid 65534 --groups $(getent group boardd-control | cut -d: -f3) -- boardd favourites remove {SECOND}; true")
favourites = os.stat(f"{CONFIGURATION}/favourites.toml")
left = open(f"{CONFIGURATION}/favourites.toml").read()
check("and the favourites, which the daemon writes", STOP in left and SECOND not in left, changed.strip())
check("as a file that every user can read and only the daemon write", favourites.st_mode & 0o777 == 0o644 and favourites.st_uid == os.stat(
    "/run/boardd/control.sock").st_uid, oct(favourites.st_mode))
check("other users cannot", "rc=0" not in run(attempt.format("--clear-groups")))
check("no capabilities", int(status["CapEff"], 16) == 0 and int(status["CapBnd"], 16) == 0)
check("no new privileges, system calls filtered", status["NoNewPrivs"] == "1" and status["Seccomp"] == "2")
check("not root", "0" not in status["Uid"].split(), status["Uid"])

# The key.
check("the log has messages", len(journal().splitlines()) >= 3, len(journal().splitlines()))
check("the key is in no log", KEY not in run("journalctl --sync; journalctl --no-pager -o json -a", check=False))
check("the key is not in `systemctl show`", KEY not in run("systemctl show boardd; systemctl status --no-pager boardd", check=False))
check("the key is not in `boardd report`", os.path.getsize("/run/lab-report") > 0 and KEY not in open("/run/lab-report").read())
check("the key is in no argument or environment", KEY.encode() not in b"".join(
    open(f"/proc/{pid}/{name}", "rb").read() for name in ["cmdline", "environ"]))
check("the key is in no file of the daemon", not [path for path in run("find /run/boardd /var/lib/boardd -type f").split()
                                                 if KEY.encode() in open(path, "rb").read()])
check("another user cannot read the key", "denied" in run(f"setpriv --reuid 65534 --clear-groups -- cat {CONFIGURATION}/keys.env", check=False))
run("mkdir -p /run/cores && chmod 1777 /run/cores && echo /run/cores/%e.%p >/proc/sys/kernel/core_pattern")
run("systemctl kill -s ABRT boardd")
ended = until(lambda: not os.path.exists(f"/proc/{pid}"), 10)
check("a crash leaves no core", ended and not os.listdir("/run/cores"), os.listdir("/run/cores"))
probe = subprocess.Popen("ulimit -c unlimited; cd /run/cores; exec sleep 60", shell=True)
time.sleep(0.3)
probe.send_signal(6)
probe.wait()
check("(another program's crash does, so the check means something)", os.listdir("/run/cores"))
finish()
