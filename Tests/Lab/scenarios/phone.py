"""Set-up without a terminal, over the page: from a fresh board to departures on the display; the owner, the window, and the own settings."""
import stat
import threading

from handset import Handset, digits
from lab import *

SETTINGS = "/var/lib/boardd/settings"


def pair(name):
    """A phone that is paired, or one that could not be."""
    phone, at = Handset(ADDRESS), time.monotonic()
    phone.pair(name, lambda: bus.wait(digits, 10, at) and bus.picture)
    return phone


def mode(path):
    """The owner and the mode of a file."""
    found = os.stat(path)
    return found.st_uid, oct(stat.S_IMODE(found.st_mode))


join_network()
note("installed", install_board())
operator, bus, button = Operator(), Bus(), Button()
button.set(False)

operator.behaviour = operator.describes(STOP, "Oxford Circus")
with open(f"{CONFIGURATION}/boardd.toml", "a") as file:
    file.write(f'\n[feed.tfl]\nurl = "{operator.url}"\n')
start()

# A fresh board
check("the display is found by itself, and its upper left shows what to do", bus.wait(lambda picture: "".join(picture).strip(), 15), bus.text())
status, text = command("page setup")
check("boardd page setup turns the page on, and prints its address", status == 0 and f"http://{ADDRESS}" in text, text)
check("the display shows it", bus.wait(lambda picture: ADDRESS in "".join(row.rstrip() for row in picture), 20), bus.text())
status, response = Handset(ADDRESS).request("GET", "/v1/setup")
check("a phone that is not paired sets up nothing", status == 401, response)
owner = pair("Sofa phone")
check("the digits on the display pair it", owner.token, bus.text())
status, state = owner.request("GET", "/v1/setup")
check("as an owner of the board", status == 200 and [step["id"] for step in state["steps"]][0] == "name", state)
check("nothing is done yet", status == 200 and not any(step["isDone"] for step in state["steps"]), state)

# Its settings
at = time.monotonic()
status, response = owner.request("PUT", "/v1/settings/display", {"tables": [{"size": "20x4"}]})
check("it sets the size of the display", status == 200, response)
check("which then uses its fourth row", bus.wait(lambda picture: picture[3].strip(), 10, at), bus.text())
check("and its language", owner.request("PUT", "/v1/settings/language", {"tables": [{"code": "de"}]})[0] == 200)
status, response = owner.request("PUT", "/v1/settings/page", {"tables": [{"change": "network"}]})
check("but not who may change something", status == 404, response)
status, response = owner.request("PUT", "/v1/settings/feed.tfl", {"tables": [{"url": "http://evil.example"}]})
check("nor an operator's address", status == 404, response)
check("it stores a key", owner.request("PUT", "/v1/keys/TFL_APP_KEY", {"value": "0123456789abcdef0123456789abcdef"})[0] == 200)
user = int(run("id -u boardd", check=False).strip() or os.stat("/var/lib/boardd").st_uid)
check("the settings are the daemon's, and readable", mode(SETTINGS) == (user, "0o755") and mode(f"{SETTINGS}/settings.toml") == (user, "0o644"),
      f"{mode(SETTINGS)}, {mode(f'{SETTINGS}/settings.toml')}")
check("the keys are the daemon's alone", mode(f"{SETTINGS}/keys.env") == (user, "0o600"), mode(f"{SETTINGS}/keys.env"))
status, text = command("check", "runuser -u daemon --")
check("another user's check reads them", status == 0 and f"{SETTINGS}/settings.toml: [display], [language]" in text, text)
check("no command prints the key", "0123456789abcdef" not in command("report")[1] + command("config get")[1])

# Its button, at another line than the usual one
answers = []
wait = threading.Thread(target=lambda: answers.append(owner.request("POST", "/v1/setup/button")))
wait.start()
moved = Button(22)
check("a press at another line is seen", until(lambda: moved.press(0.3) and answers, 8) and answers[0] == (200, {"line": 22}), answers)
wait.join()
check("which becomes the line of the button", owner.request("PUT", "/v1/settings/button", {"tables": [{"line": 22}]})[0] == 200
      and until(lambda: "22" in run("boardd hardware scan"), 5), run("boardd hardware scan"))
check("and is put back", owner.request("DELETE", "/v1/settings/button")[0] == 200)

# A stop
status, places = owner.request("GET", "/v1/places?query=London")
check("in London it is offered TfL first", status == 200 and places[0]["feed"] == "tfl", places)
at = time.monotonic()
status, response = owner.request("POST", "/v1/favourites", {"stop": STOP, "label": LABEL})
check("it adds the stop", status == 201, response)
check("the display shows its buses", bus.wait(lambda picture: picture[0].startswith(LABEL) and picture[1].startswith("73 "), 20, at), bus.text())
status, state = owner.request("GET", "/v1/setup")
check("the set-up knows what is done", status == 200 and {step["id"] for step in state["steps"] if step["isDone"]} == {"name", "place", "stop", "display"}, state)
check("it closes the window", owner.request("DELETE", "/v1/setup")[0] == 204)

# Another phone
guest = pair("Kitchen phone")
status, response = guest.request("GET", "/v1/setup")
check("a phone that is paired later may not set up the board", guest.token and status == 403 and "five seconds" in json.dumps(response), response)
check("but add favourites", guest.request("PATCH", f"/v1/favourites/{STOP}", {"walk": "2m"})[0] == 200)
check("an owner may make it one", owner.request("PATCH", "/v1/devices/Kitchen%20phone", {"isOwner": True})[0] == 200
      and guest.request("GET", "/v1/setup")[0] == 200)
down, up = button.press(5.5)
check("a button that was held for five seconds opens the window", bus.wait(lambda picture: ADDRESS in "".join(row.rstrip() for row in picture), 5, up), bus.text())
check("what a release does was on the display before", any("Einrichten" in " ".join(picture) for at, picture in bus.history if down < at <= up), bus.text())
third = pair("Hall phone")
check("a phone that is paired in it is an owner", third.token and third.request("GET", "/v1/setup")[0] == 200)

# They hold
run("systemctl restart boardd")
at = time.monotonic()
check("after a restart the settings hold", bus.wait(lambda picture: picture[0].startswith(LABEL), 15, at) and owner.request("GET", "/v1/setup")[1]["keys"], bus.text())
with open(f"{CONFIGURATION}/boardd.toml", "a") as file:
    file.write('\n[page]\nsetup = false\n')
run("systemctl reload boardd")
check("the administrator's veto ends the set-up by phone", until(lambda: owner.request("GET", "/v1/setup")[0] == 403, 10))
status, text = command("page setup")
check("also by the command, which says so", status == 77 and "setup is false" in text, f"{status}, {text}")
finish()
