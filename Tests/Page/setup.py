"""A person with only a phone sets up a fresh board: each step, back, skipped and interrupted; what the administrator sets; owners and others."""
from daemons import Connection, eventually
from lyon import OPERATOR, STOP, Lyon
from phone import SMALL, FreshBoard, Phone
from servers import Server
from settings import changes
from started import LOOPBACK
from walks import TAPS

KEY = "key-of-Vienne"


def walk(context, operator):
    """In German, by the language of the phone."""
    board = FreshBoard(context.program, share=operator.share)
    try:
        with Phone(context, board, language="de-AT") as page:
            page.open()
            page.reads(page.word("noFavourites"))
            buttons = [link.text for link in page.find(".cards a")]
            context.check("a board without favourites has one button, which leads to the set-up", buttons == [page.word("setUp")], buttons)
            page.looks("Fresh board")
            page.browser.taps = 0
            page.tap("setUp", "main a")
            page.enters_digits()
            page.step("nameStep")
            context.check("the set-up greets, and pairs by itself", page.word("greeting") in page.text(), page.text())
            name = page.one("#name").get_property("value")
            context.check("the name of the machine and the language of the phone are proposed",
                          name == board.call("GET", "/v1/live")["name"] and page.find("[aria-pressed=true]", "Deutsch"), name)
            page.tap("onward")
            page.speaks("de")
            context.check("the page and the board have the chosen language", board.values("language") == [{"code": "de"}], board.setup())
            page.seeks("Lyon")
            page.tap("chooseOf", word=OPERATOR)
            link = page.finds("Bellec", STOP)
            context.check("the search of the page finds the stop, once the list of stops is there", page.word("stopHelp") in page.text(), page.text())
            page.looks("Step 3 find")
            link.tap()
            page.reads(page.word("isIt"))
            page.reads("Charpennes")
            page.looks("Step 3 stop")
            page.tap("takeIt")
            page.one("main form #walk")
            page.reads(page.word("formHelp"))
            page.one("main .form [role=group] button", "A").centre().tap()
            page.looks("Step 3 form")
            page.one("main form button.primary", page.word("save")).centre().tap()
            page.step("displayStep")
            eventually("the display", page.is_live)
            page.looks("Step 4")
            page.tap("yes")
            page.step("quietStep")
            page.looks("Step 5")
            board.call("POST", "/v1/setup")
            page.tap("onward")
            page.step("finished")
            taps = page.browser.taps
            context.measured("taps of the set-up of a stop in Lyon", taps)
            context.check(f"the set-up takes {taps} taps, at most {TAPS}", taps <= TAPS)
            page.looks("Done")
            favourite = board.call("GET", "/v1/favourites")[0]
            context.check("the stop is on the board, with the chosen line", (favourite["stop"], favourite["lines"]) == (STOP, ["A"]), favourite)
            context.check("the display and the quiet hours are set", board.values("display") == [{"size": "20x4"}]
                          and board.values("quiet") == [{"from": "23:00", "to": "06:00", "days": "daily"}], board.setup())
            context.check("the window is closed at the end", Connection(port=board.port).call("GET", "/v1/page")[2]["setsUp"] is False)
            page.tap("toBoard", "main a")
            page.reads("Charpennes")
            page.is_calm("the set-up", ["401", "503"])  # 503: a word that is typed before the list of stops is there
            changes(context, page, board)
            others(context, page, board)
    finally:
        board.close()


def others(context, page, board):
    """A device that was paired after the end is no owner until an owner makes it one."""
    with Phone(context, board) as other:
        other.open()
        eventually("the display", other.is_live)
        context.check("a stranger sees no set-up", not other.find("main a", other.word("setUp")))
        other.open("/setup")
        other.reads(other.word("noOwner"))
        context.check("and at its address the sentence about owners", not other.find("#code"))
        other.looks("No owner")
        other.screen("about")
        other.open_pairing()
        other.pair("Guest")
        other.reads_pairing()
        context.check("a paired device that is no owner sees no settings, and makes nobody an owner",
                      not other.find("main a", other.word("settings")) and not other.find("main li button", other.word("makeOwnerOf", word="Guest")))
        page.screen("about")
        page.tap("makeOwnerOf", word="Guest")
        page.one("main li button", page.word("dropOwnerOf", word="Guest"))
        page.looks("About of an owner")
        other.open("/about")
        other.tap("settings", "main a")
        other.step("settings")
        context.check("an owner makes another device an owner", True)
        page.tap("dropOwnerOf", word="Guest")
        page.one("main li button", page.word("makeOwnerOf", word="Guest"))
        other.open("/setup")
        other.reads(other.word("noOwner"))
        context.check("and takes it back", True)
        board.call("POST", "/v1/setup")
        other.open()
        other.tap("setUp", "main a")
        other.enters_digits()
        other.step("settings")
        context.check("in a window that was opened at the board a device becomes an owner", True)


def interrupted(context, operator):
    """Back and skip, a dead operator, a contact, a phone that goes away, and two at once."""
    board = FreshBoard(context.program, share=operator.share)
    try:
        with Phone(context, board) as first, Phone(context, board, SMALL) as second:
            first.begins()
            first.step("nameStep")
            first.fill("#name", "x" * 61)
            first.tap("later")
            first.step("placeStep")
            context.check("a step that is skipped saves nothing", not board.setup()["tables"], board.setup())
            first.tap("back")
            first.step("nameStep")
            first.fill("#name", "Kitchen")
            second.begins()
            second.step("nameStep")
            context.check("two phones set up at once", True)
            first.tap("onward")
            first.awaits("place")
            second.tap("onward")
            second.step("placeStep")
            second.tap("back")
            second.one("main [lang=es]").centre().tap()
            second.tap("onward")
            second.speaks("es")
            first.seeks("https://maps.app.goo.gl/abc123")
            first.reads(first.word("noCoordinates"))
            first.fill("#place", "https://www.openstreetmap.org/#map=17/45.7578/4.8320")
            first.browser.press("Enter")
            first.one("main h2", OPERATOR)
            context.check("a link from a map finds the operators there", True)
            first.tap("chooseOf", word="Transitous")
            first.awaits("contact")
            first.looks("Step 2")
            first.browser.type("me@example.org")
            first.browser.press("Enter")
            first.one("#query")
            context.check("an address for the operator is asked for where it is needed", board.values("feed.motis") == [{"contact": "me@example.org"}])
            first.tap("back")
            first.speaks("es")
            first.step("placeStep")
            context.check("what was chosen before is there", "me@example.org" in first.text(), first.text())
            first.fill("#place", "Vienne")
            first.browser.press("Enter")
            first.tap("chooseOf", word="L’va")
            first.awaits("key")
            sentences = first.word("unencrypted"), first.word("needsKey", word="keys.example"), first.word("copyOf", word="2022-04"), first.word("timetableOnly")
            context.check("an operator has what to know: a key and where to get it, an old timetable, no delays", all(one in first.text() for one in sentences)
                          and first.find('a[href="https://keys.example/register?for=lva"]'), first.text())
            first.looks("Step 2 key")
            for key, word in (("two words", "keyFault"), (KEY, "stopHelp")):
                first.fill("#key", key)
                first.browser.press("Enter")
                first.reads(first.word(word))
            keys = {key["name"]: key["isSet"] for key in board.setup()["keys"]}
            context.check("a key is set, and one with a blank is not", any(keys.values()), keys)
            first.tap("back")
            first.awaits("place")
            operator.is_dead = True
            first.fill("#place", "lyon")
            first.browser.press("Enter")
            first.tap("chooseOf", word=OPERATOR)
            eventually("that the list could not be loaded", lambda: first.find("main .warn[role=alert]"), 60)  # the board tries three times
            first.looks("Step 3 without list")
            operator.is_dead = False
            first.tap("tryAgain")
            eventually("the list of stops", lambda: any(one["stops"] for one in board.call("GET", "/v1/directory")), 30)
            eventually("no sentence about the list", lambda: not first.find("main .notice"))
            context.check("a list that failed is loaded again", True)
        with Phone(context, board) as back:
            back.begins()
            back.step("stopStep")
            context.check("a phone that comes back continues with what is missing", back.word("stepOf", word="3", code="5") in back.text(), back.text())
            back.tap("findStop")
            back.tap("later")
            back.step("displayStep")
            back.tap("no")
            back.one("main button", "16 × 2").centre().tap()
            eventually("another size", lambda: board.values("display") == [{"size": "16x2"}])
            eventually("the picture of the other size", lambda: len(board.call("GET", "/v1/state")["display"]["rows"]) == 2 and back.find("main [aria-pressed=true]", "16 × 2"))
            back.looks("Step 4 other size")
            back.tap("yes")
            back.step("quietStep")
            back.tap("back")
            back.step("displayStep")
            back.tap("later")
            back.tap("later")
            back.step("finished")
            context.check("each step can be skipped, and leads back", board.values("quiet") is None and board.values("board") is not None)
            back.tap("settings", "main a")
            back.step("stopStep")
            context.check("what is missing is asked for again", True)
            board.call("POST", "/v1/favourites", {"stop": STOP})
            back.open("/setup")
            back.step("settings")
            context.check("nobody is asked for quiet hours again", not back.find("main button.primary", back.word("goOn", word=back.word("quietStep"))), back.text())
            back.tap("keys", "main summary")
            back.looks("Settings with keys")
            context.check("no key is sent back", KEY not in back.browser.page_source and back.one("details input").get_property("value") == "")
            back.one("details button.danger").centre().tap()
            eventually("no key", lambda: not any(key["isSet"] for key in board.setup()["keys"]))
            context.check("a key is removed", True)
            back.is_calm("a set-up with detours", ["401"])
    finally:
        board.close()


def administered(context, operator):
    """Tables of /etc are shown without controls."""
    board = FreshBoard(context.program, '[language]\ncode = "en"\n[display]\nsize = "20x4"\n[[quiet]]\nfrom = "22:00"\nto = "05:30"\n', operator.share)
    try:
        with Phone(context, board) as page:
            page.begins()
            page.awaits("place")
            page.tap("back")
            page.step("nameStep")
            page.one("#name")
            path = board.path("etc/boardd.toml")
            context.check("a table of the administrator has its file and no controls", page.word("lockedBy", word=path) in page.text()
                          and not page.find("main [lang=de]"), page.text())
            page.looks("Locked")
            page.tap("onward")
            page.awaits("place")
            page.open("/setup?id=display")
            page.step("displayStep")
            context.check("a display of the administrator's cannot be changed", not page.find("main button", page.word("no")) and "20x4" in page.text(), page.text())
            page.tap("onward")
            page.step("quietStep")
            context.check("nor its quiet hours", "22:00" in page.text() and not page.find("main input"), page.text())
            page.is_calm("a board with an administrator", ["401"])
        framed(context, board)
        restart(board, "setup = false")
        with Phone(context, board) as page:
            page.open()
            page.reads(page.word("findStop"))
            context.check("an administrator's veto leaves no set-up", not page.find("main a", page.word("setUp")))
            page.open("/setup")
            page.reads(page.word("noOwner"))
    finally:
        board.close()


def near(context, operator):
    """A phone shares its position with a page that it opened over https, or on the board itself."""
    board = FreshBoard(context.program, share=operator.share)
    try:
        with Phone(context, board) as page:
            page.begins()
            page.tap("later")
            page.step("placeStep")
            context.check("near me is not offered where a page has no position", bool(page.find("main button", page.word("nearMe"))) == (page.host == LOOPBACK))
        with Phone(context, board, host=LOOPBACK) as page:
            page.browser.devtools("Browser.grantPermissions", origin=board.url(LOOPBACK), permissions=["geolocation"])
            page.browser.devtools("Emulation.setGeolocationOverride", latitude=45.7578, longitude=4.8320, accuracy=1)
            page.begins()
            page.tap("later")
            page.step("placeStep")
            page.looks("Step 2 near me")
            page.tap("nearMe")
            page.one("main h2", OPERATOR)
            context.check("near me finds the operators there", True)
            operator.is_ready.clear()
            page.tap("chooseOf", word=OPERATOR)
            page.one("#map")
            page.reads(page.word("listLoading", word="").strip())
            context.check("while the list of stops loads nobody is told that there is none", page.word("noDirectory") not in page.text(), page.text())
            page.looks("Step 3 near me")
            operator.is_ready.set()
            page.one(f'[data-key="{STOP}"] a')
            eventually("the stop on the map", lambda: page.find("#map svg a"))
            context.check("the stops near the phone are there once the list is, without a search", True)
            page.tap("back")
            page.step("placeStep")
            page.browser.devtools("Browser.setPermission", permission={"name": "geolocation"}, setting="denied", origin=board.url(LOOPBACK))
            page.tap("nearMe")
            page.reads(page.word("noLocation"))
    finally:
        board.close()


def restart(board, option):
    """Starts the board with an option of its page."""
    board.stop()
    with open(board.path("etc/boardd.toml"), "w") as file:
        file.write(f"[page]\n{option}\n")
    board.start()


class Site(Server):
    """A page with the board in a frame."""

    def __init__(self, board):
        self.board = board
        super().__init__()

    def respond(self, handler):
        self.send(handler, f'<iframe src="{self.board.url()}" height="600"></iframe>'.encode(), kind="text/html")


def framed(context, board):
    """A page that may show the board in a frame could lead taps astray there."""
    site = Site(board)
    restart(board, f'frames = ["{site.url}"]')
    with Phone(context, board) as page:
        page.browser.get(site.url)
        page.browser.switch_to.frame(0)
        page.browser.execute_script("arguments[0].click()", page.one("main a", page.word("setUp")))
        way = page.one("main a", page.word("framed"))
        context.check("in a frame the set-up asks for no digits, and leads out of it", not page.find("dialog")
                      and (way.get_property("href"), way.get_property("target")) == (board.url() + "/setup", "_top"))
    site.close()


def run(context):
    operator = Lyon()
    try:
        walk(context, operator)
        interrupted(context, operator)
        administered(context, operator)
        near(context, operator)
    finally:
        operator.close()
