"""The page's socket unit and `boardd page`: off, on, a taken port, a restart, pairing, off again, and the removal of the package."""
import html
import socket

from lab import *

OUTSIDE = "203.0.113.9"
UNIT = "boardd-page.socket"
ANNOUNCEMENT = "/etc/avahi/services/boardd.service"
PHONE = "Sofa phone"


def message(response):
    """The sentence of an error of the page."""
    return response["error"]["message"] if isinstance(response, dict) and "error" in response else response


def first_line(text):
    return text.partition("\n")[0]


def socket_unit(name):
    """A property of the page's unit: LoadState, ActiveState, UnitFileState."""
    return run(f"systemctl show -P {name} {UNIT}").strip()


def announced():
    """The port in the file that announces the page; nothing without one."""
    if not os.path.exists(ANNOUNCEMENT):
        return ""
    with open(ANNOUNCEMENT) as file:
        return "".join(re.findall("<port>(.*)</port>", file.read()))


def is_off():
    """Whether the page is off, and will be after the next start of the machine."""
    return 80 not in listeners() and socket_unit("ActiveState") == "inactive" and socket_unit("UnitFileState") == "disabled" \
        and not announced()


def state():
    """For the detail of a check."""
    return f"{socket_unit('ActiveState')}, {socket_unit('UnitFileState')}, listeners {sorted(listeners())}"


def is_shown():
    return until(lambda: bus.shows(operator), 10)


def press_until(condition):
    """Presses the button, at most four times, until a picture meets `condition`; returns the time of it."""
    for _ in range(4):
        up = button.press(0.1)[1]
        if at := bus.wait(condition, 1.5, up):
            return at
    return None


def shows_address(picture):
    return any(row.rstrip() == ADDRESS for row in picture)


def shows_second(picture):
    return picture[1].startswith("390 ") and picture[2].startswith("N73 ")


def first_frames():
    """Milliseconds from the start of the service to the first picture, of three starts."""
    times = []
    for _ in range(3):
        run("systemctl stop boardd")
        before = time.monotonic()
        start()
        name = "InactiveExitTimestampMonotonic"
        times.append((bus.wait(lambda picture: True, 5, before) - int(properties(name)[name]) / 1e6) * 1000)
    return times


# The addresses of the other network are not this machine's, but reach it.
join_network()
run(f"ip route add local {OUTSIDE}/32 dev lo")
os.makedirs(os.path.dirname(ANNOUNCEMENT), exist_ok=True)
note("installed", install_board())
operator, bus, button = Operator(), Bus(), Button()
operator.behaviour = operator.describes(SECOND, "Oxford Street")
button.set(False)
BOARD = 'turns = false\nhome = "first"\nrotate = "off"\nreturn_home = "never"'
configure(operator, board=BOARD)
start()
check("the picture is right", is_shown(), bus.text())

# Off
check("after the installation the page is off", socket_unit("LoadState") == "loaded" and is_off(), state())
status, text = command("page on", "runuser -u daemon --")
check("another user than root cannot turn it on, and its message has the command", status == 77 and "sudo boardd page on" in text, f"{status}, {first_line(text)}")
check("and it is still off", is_off(), state())

# Another program has port 80.
other = socket.create_server(("", 80))
status, text = command("page on")
check("where another program has the port, the page cannot be turned on", status == 75, f"{status}, {first_line(text)}")
check("the sentence contains what to do", "another program may have it" in text and f"sudo systemctl edit {UNIT}" in text and "ListenStream=8480" in text)
check("and what systemd reports, in one line", "systemd reports:" in text and text.count("\n") == 1)
check("the page stays off, without a failed unit", socket_unit("ActiveState") == "inactive" and socket_unit("UnitFileState") == "disabled", state())
check("the board runs", is_active() and is_shown(), bus.text())
folder = f"/etc/systemd/system/{UNIT}.d"
os.makedirs(folder)
with open(f"{folder}/override.conf", "w") as file:
    file.write("[Socket]\nListenStream=\nListenStream=8480\n")
run("systemctl daemon-reload")
status, text = command("page on")
check("with the lines of the sentence it has another port, which is printed", status == 0 and f"http://{ADDRESS}:8480 " in text, f"{status}, {first_line(text)}")
check("and responds there", request("GET", "/v1/live", port=8480)[0] == 200)
check("it is announced with this port", announced() == "8480", announced())
check("off: nothing listens at this port", command("page off")[0] == 0 and 8480 not in listeners(), state())
shutil.rmtree(folder)
run("systemctl daemon-reload")
other.close()

# On
off = first_frames()
at = time.monotonic()
status, text = command("page on")
check("turned on, its address is printed", status == 0 and f"http://{ADDRESS} or http://lab.local\n" in text, f"{status}, {first_line(text)}")
check("it starts with the machine", socket_unit("UnitFileState") == "enabled", state())
check("it is announced", announced() == "80", announced())
check("the display shows it", bus.wait(shows_address, 5, at), bus.text())
status, text = request("GET", "/")
rows = "\n".join(bus.picture)
check("there is the page with the display, as text and as a picture", status == 200 and rows in html.unescape(text) and "<svg" in text, status)
status, live = request("GET", "/v1/live")
check("and the same as JSON", status == 200 and tuple(live["display"]["rows"]) == bus.picture and live["favourites"][0]["stop"] == STOP, status)
check("the machine's name is accepted", request("GET", "/v1/live", host="lab.local")[0] == 200)
status, text = request("GET", "/", host="evil.example")
check("a foreign name is not", status == 421, message(text))
status, text = request("GET", "/", source=OUTSIDE)
check("a connection from outside the network is closed", status == 0 and "timed out" not in text, text)
configure(operator, board=BOARD, log=f'[page]\nnetworks = ["{OUTSIDE}/32"]')
run("systemctl reload boardd")
check("until boardd.toml permits its network", until(lambda: request("GET", "/v1/live", source=OUTSIDE)[0] == 200, 5, 0.2))
status = dict(line.split(":\t", 1) for line in open(f"/proc/{main_pid()}/status").read().splitlines() if ":\t" in line)
check("the daemon has the socket", f"socket:[{listeners().get(80)}]" in open_files())
check("and is neither root nor has it a capability", "0" not in status["Uid"].split() and not any(
    int(status[name], 16) for name in ("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb")), status["Uid"])
button.press(0.1)
check("a press ends that", until(lambda: bus.picture[1].startswith("73 "), 5), bus.text())
check("behind the last page it is shown again", press_until(shows_address), bus.text())
on = first_frames()
for name, times in [("off", off), ("on", on)]:
    note(f"start of the service to first picture, page {name}, three starts", f"median {percentile(times, .5):.0f}, least {min(times):.0f} ms")

# Restarts
listening = listeners().get(80)
run("systemctl stop boardd")
status, text = request("GET", "/v1/live")
check("a connection while the daemon is stopped waits for its next start, and gets a response", status == 200, status or text)
check("a restart keeps the listening socket", listeners().get(80) == listening and f"socket:[{listening}]" in open_files())
run(f"systemctl stop {UNIT} boardd")
check("(stopped, nothing listens)", 80 not in listeners())
at = time.monotonic()
run("systemctl start sockets.target")
check("what starts with the machine listens", 80 in listeners(), state())
start()
check("the board responds", request("GET", "/v1/live")[0] == 200)
check("and shows the address first", bus.wait(shows_address, 5, at), bus.text())

# Pairing
favourite = {"stop": SECOND, "label": SECOND_LABEL}
status, response = request("POST", "/v1/favourites", favourite)
check("a telephone that is not paired cannot add a favourite", status == 401, message(response))
status, text = command("page pair", "runuser -u daemon --")
check("a user without the group cannot pair one", status == 77 and not re.search(r"\d{6}", text), f"{status}, {first_line(text)}")
status, text = command("page pair")
code = (re.findall(r"(?m)^\d{6}$", text) or ["none"])[0]
check("boardd page pair prints a code", status == 0 and code != "none", first_line(text))
check("the display shows it too", bus.wait(lambda picture: code in " ".join(picture).replace(" ", ""), 5), bus.text())
status, pairing = request("POST", "/v1/pairings", {})
check("the telephone starts the pairing, without the code in the response", status == 201 and code not in json.dumps(pairing), status)
finishing = f"/v1/pairings/{pairing['id'] if status == 201 else 'none'}"
wrong = ("1" if code[0] == "0" else "0") + code[1:]
check("a wrong code is rejected", request("POST", finishing, {"code": wrong, "name": PHONE})[0] == 403)
status, response = request("POST", finishing, {"code": code, "name": PHONE})
token = response["token"] if status == 201 else "none"
check("the right one pairs it", status == 201, status)
status, response = request("POST", "/v1/favourites", favourite, token)
check("it adds a favourite", status == 201 and SECOND in open(f"{CONFIGURATION}/favourites.toml").read(), status)
check("which the display shows", press_until(shows_second), bus.text())
status, text = command("page list")
check("boardd page list shows the telephone", status == 0 and text.startswith(PHONE + "  paired "), first_line(text))
status, text = command(f"page remove '{PHONE}'")
check("boardd page remove removes it", status == 0 and PHONE not in command("page list")[1], first_line(text))
status, response = request("DELETE", f"/v1/favourites/{SECOND}", token=token)
check("its token is rejected then", status == 401, message(response))
check("and the favourite is still there", SECOND in open(f"{CONFIGURATION}/favourites.toml").read())

# Off, and removed while it is on
status, text = command("page off")
check("boardd page off turns it off", status == 0 and is_off(), f"{status}, {first_line(text)}, {state()}")
check("and nothing responds", request("GET", "/")[0] == 0)
check("the board runs", is_active() and until(lambda: bus.picture and bus.picture[0].startswith("Oxford St"), 10), bus.text())
SLOW = "/run/systemd/system/boardd.service.d"
os.makedirs(SLOW)
with open(f"{SLOW}/slow.conf", "w") as file:
    file.write("[Service]\nExecStop=/bin/sleep 8\n")
run("systemctl daemon-reload")
status, text = command("page on")
check("on again, also where the board needs 8 s to stop", status == 0 and 80 in listeners(), f"{status}, {first_line(text)}, {state()}")
os.remove(f"{SLOW}/slow.conf")
run("systemctl daemon-reload")
run("dpkg -r boardd")
check("removing the package ends the page", 80 not in listeners() and not run("pgrep -x boardd", check=False).strip())
check("and leaves no socket unit", socket_unit("LoadState") == "not-found" and socket_unit("ActiveState") == "inactive"
      and not run("find /etc/systemd /usr/lib/systemd /run/systemd -name 'boardd-page*'").strip(), state())
check("and no announcement", not announced(), announced())
finish()
