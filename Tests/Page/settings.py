"""The settings of a board by the phone of an owner: each step again, a backup of two hundred stops, and the brightness of a display."""
import json
import os
import sys

from daemons import eventually
from phone import FreshBoard, Phone
from tfl import FIRST_STOPS, Operator

STOPS = [f'[[stop]]\nid = "tfl:4900{number}A"\nlabel = "Number {number}"\nlines = ["7", "73", "390"]\nwalk = "4m"\n' for number in range(10000, 10200)]
ONE = {"settings": '[language]\ncode = "en"\n', "favourites": STOPS[0]}
ALL = {**ONE, "favourites": "".join(STOPS)}


def changes(context, page, board):
    """After the set-up of setup.py, which was in German."""
    page.screen("about")
    page.tap("settings", "main a")
    page.step("settings")
    page.looks("Settings")
    context.check("with all steps done there is nothing to continue", not page.find("main button.primary"), page.text())
    page.tap("streets")
    eventually("the switch of the streets", lambda: page.find("main [aria-pressed=true]", page.word("streets")))
    context.check("the streets of the map are a switch", board.values("map") == [{"tiles": "openstreetmap"}], board.values("map"))
    page.tap("streets")
    eventually("no streets", lambda: board.values("map") == [{"tiles": ""}])
    context.check("no key is asked for that no operator of the board needs", not page.find("main summary"), page.text())
    page.one('[data-key="name"] a').centre().tap()
    page.step("nameStep")
    board.call("PUT", "/v1/settings/language", {"tables": [{"code": "de", "clock": "12h"}]})
    page.fill("#name", "Küche")
    page.one("main [lang=fr]").centre().tap()
    page.tap("save")
    page.speaks("fr")
    page.step("settings")
    page.reads("Küche")
    context.check("the name and the language are changed afterwards, and what another phone has set meanwhile stays",
                  board.values("board") == [{"name": "Küche"}] and board.values("language") == [{"code": "fr", "clock": "12h"}], board.setup())
    page.one('[data-key="quiet"] a').centre().tap()
    page.step("quietStep")
    page.tap("removeHours")
    page.tap("save")
    page.step("settings")
    context.check("the quiet hours are removed", board.values("quiet") is None, board.values("quiet"))
    page.one('[data-key="place"] a').centre().tap()
    page.tap("removeOf", word="TCL")
    page.reads(page.word("feedInUse"))
    context.check("a feed that a favourite needs stays, with a sentence", board.values("feed.gtfs.tcl") is not None)
    page.tap("back")
    page.step("settings")


def backup(context, page, board):
    board.call("PUT", "/v1/backup", ALL)
    page.open("/setup")
    page.step("settings")
    context.check("the operators of the stops are those of the place", "TfL" in page.one('[data-key="place"]').text, page.text())
    page.one("#backup").centre()
    page.looks("Settings with backup")
    folder = os.path.join(context.work, "downloads")
    page.browser.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
    page.tap("saveBackup")
    name = eventually("the file of the backup", lambda: next((name for name in os.listdir(folder) if name.endswith(".json")), None) if os.path.isdir(folder) else None)
    path = os.path.join(folder, name)
    kept = board.call("GET", "/v1/backup")
    eventually("the backup in the file", lambda: json.loads(read(path) or "null") == kept)
    context.check("a backup is a file with the name of the board, and has every stop", name == board.call("GET", "/v1/live")["name"] + ".json"
                  and os.path.getsize(path) > 16384, name)
    board.call("PUT", "/v1/backup", ONE)
    question = page.word("restoreAsk", word=name)
    choose(page, path)
    page.one("dialog h2", question)
    page.looks("Restore")
    page.tap("cancel", "dialog button")
    eventually("no question", lambda: not page.find("dialog"))
    context.check("a backup is not restored without a yes", len(board.favourites()) == 1)
    choose(page, path)
    page.one("dialog h2", question)
    page.tap("replace", "dialog button")
    page.reads(page.word("restored"))
    context.check("a backup of two hundred stops is restored", board.call("GET", "/v1/backup") == kept, board.favourites())
    for what, content in (("that is no JSON", "{"), ("of a server", json.dumps({**ALL, "settings": '[page]\nchange = "network"\n'})),
                          ("with a faulty stop", json.dumps({**ALL, "favourites": '[[stop]]\nid = "nowhere:1"\n'})), ("of another kind", "[]"),
                          ("that is too long", json.dumps({**ALL, "settings": "#" * 500_000}))):
        page.browser.execute_script("document.getElementById('say').textContent = ''")
        path = os.path.join(folder, "faulty.json")
        with open(path, "w") as file:
            file.write(content)
        choose(page, path)
        # One that is too long is not even asked about.
        if what != "that is too long":
            page.tap("replace", "dialog button")
        page.reads(page.word("backupFault"))
        context.check(f"a file {what} changes nothing, and is named", board.call("GET", "/v1/backup") == kept)


def read(path):
    with open(path) as file:
        return file.read()


def choose(page, path):
    page.one("#backup").centre().send_keys(path)


def brightness(context, page, board):
    page.open("/setup?id=display")
    page.step("displayStep")
    context.check("an LCD has no brightness", not page.find("#brightness"))
    board.call("PUT", "/v1/settings/display", {"tables": [{"driver": "ssd1306", "size": "20x4"}]})
    page.open("/setup?id=display")
    page.step("displayStep")
    eventually("the display", page.is_live)
    field = page.one("#brightness")
    context.check("an OLED has the usual one", field.get_property("value") == "50")
    page.looks("Step 4 OLED")
    page.browser.execute_script("arguments[0].focus()", field)
    page.browser.press("Home")
    eventually("another brightness", lambda: board.values("display") == [{"driver": "ssd1306", "size": "20x4", "brightness": 1}])
    context.check("the brightness is set at once, and the display stays as it is", board.setup()["brightness"] == 1)


class TerminalBoard(FreshBoard):
    """A board in a terminal, whose space bar is the button."""
    terminal = "import os, pty, sys; os.dup2(os.open(sys.argv[1], os.O_RDWR), 0); pty.spawn(sys.argv[2:])"

    def start(self):
        os.mkfifo(self.path("keys"))
        self.wrapper = [sys.executable, "-c", self.terminal, self.path("keys")]
        super().start()

    def press(self):
        with open(self.path("keys"), "w") as keys:
            keys.write(" ")


def button(context):
    """The step that waits for a press, and new digits for a key after a restart."""
    board = TerminalBoard(context.program)
    try:
        with Phone(context, board) as page:
            page.begins()
            page.step("nameStep")
            page.open("/setup?id=button")
            page.step("buttonStep")
            page.reads(page.word("pressNow"))
            page.looks("Step 5")
            board.press()
            page.step("quietStep")
            context.check("a press is found, and the next step follows without a tap", board.values("button") == [{"line": 17}], board.setup())
            page.reads(page.word("pressFound", word="17"))
            page.is_calm("the step of the button", ["401"])
    finally:
        board.close()


def run(context):
    operator = Operator(stops=FIRST_STOPS)
    board = FreshBoard(context.program, f'[feed.tfl]\nurl = "{operator.url}"\n')
    try:
        with Phone(context, board) as page:
            page.begins()
            page.step("nameStep")
            backup(context, page, board)
            brightness(context, page, board)
            page.is_calm("the settings", ["400", "401", "413", "422"])
    finally:
        board.close()
        operator.close()
