"""The screen Favourites with mouse: order by dragging and by a number, the form with every key, an error at its field, removal and undo."""
from board import Board
from daemons import Connection, eventually
from moved import MovedPage
from page import NARROW, Page
from tfl import Operator

N, S, TUBE = "tfl:490008660N", "tfl:490008660S", "tfl:940GZZLUOXC"
# A table of [[nearby]], without a stop there, has a position too. The walk is no whole number of minutes.
FIRST = f'[[nearby]]\nlocation = "51.7,-0.6"\n[[stop]]\nid = "{N}"\nlabel = "North"\nwalk = "90s"\n'
ORDER = "return [...document.querySelectorAll('main ol > li')].map(item => item.dataset.key)"


def middle(page, selector):
    return page.browser.execute_script(
        "const { x, y, width, height } = document.querySelector(arguments[0]).getBoundingClientRect(); return [x + width / 2, y + height / 2];",
        selector)


def grab(page, stop):
    """Presses the handle of a favourite, again if it moved after it was measured: the page is drawn each second, but not during a drag."""
    page.browser.execute_script("document.querySelector('main li').scrollIntoView({ block: 'start' })")

    def pressed():
        place = middle(page, f'[data-key="{stop}"] .grip')
        page.browser.mouse("mousePressed", *place)
        if page.browser.execute_script("return document.querySelector('.drag')?.dataset.key") == stop:
            return place
        page.browser.mouse("mouseReleased", *place)
    return eventually(lambda: f"a drag of {stop} on the page, which has: {page.text()}", pressed)


def drag(page, stop, onto):
    """Drags the handle of a favourite onto the middle of another one."""
    x, begin = grab(page, stop)
    end = middle(page, f'[data-key="{onto}"]')[1] + 8
    for kind, y in (("mouseMoved", (begin + end) / 2), ("mouseMoved", end), ("mouseReleased", end)):
        page.browser.mouse(kind, x, y)


def order(context, page, other, board):
    def becomes(what, *wanted):
        eventually(lambda: f"{what}: {wanted}, not {board.favourites()}; the page has: {page.text()}", lambda: board.favourites() == list(wanted))
        for one in (page, other):
            eventually(lambda: f"{what} on each page: {wanted}, not {one.browser.execute_script(ORDER)}; it has: {one.text()}",
                       lambda: one.browser.execute_script(ORDER) == list(wanted))
        context.check(f"{what}, on the board and on each page", True)

    x, y = grab(page, N)
    for by in 30, 60:
        page.browser.mouse("mouseMoved", x, y + by)
    page.passes(2)  # the page is drawn each second
    moved = page.browser.execute_script("return document.querySelector('.drag')?.style.transform ?? ''")
    context.check("a favourite that is dragged stays at the finger", "60px" in moved,
                  page.browser.execute_script("return document.querySelector('main li').outerHTML.slice(0, 200)"))
    for kind in "mouseMoved", "mouseReleased":
        page.browser.mouse(kind, x, y)
    drag(page, N, TUBE)
    becomes("a favourite that is dragged to the end is the last", S, TUBE, N)
    page.browser.execute_script("arguments[0].value = '1'; arguments[0].dispatchEvent(new Event('change', { bubbles: true }));",
                                page.one("main select", page.word("moveToOf", word="North")))
    page.passes(2)
    context.check("a number of “Move to …” alone moves nothing: arrow keys step through them", board.favourites() == [S, TUBE, N], board.favourites())
    page.one("main button", page.word("moveToOf", word="North")).centre().tap()
    becomes("“Move to …” 1 makes it the first", N, S, TUBE)
    context.check("a walk is in words", page.word("walkOf", time="1 minute 30 seconds") in page.text(), page.text())
    page.one("main button", page.word("moveDown", word="North")).centre().tap()
    becomes("“Move down” makes it the second", S, N, TUBE)
    page.one("#undo").tap()
    becomes("“Undo” takes that back", N, S, TUBE)
    end = page.one("main button", page.word("moveUp", word="North"))
    context.check("the first one cannot move up", end.get_dom_attribute("aria-disabled") == "true")
    end.centre().tap()
    context.check("and stays", board.favourites() == [N, S, TUBE], board.favourites())


def others(context, page, other, board):
    """The undo of a message takes back its own change only; a second tap meanwhile does nothing; a walk stays as it is written."""
    def becomes(*wanted):
        eventually(f"the order {wanted} on the board", lambda: board.favourites() == list(wanted))
        eventually(f"the order {wanted} on the page", lambda: page.browser.execute_script(ORDER) == list(wanted))

    page.one("main button", page.word("moveDown", word="North")).centre().tap()
    page.one("#undo")
    board.call("DELETE", f"/v1/favourites/{TUBE}")
    eventually("no undo beside the change of another", lambda: not page.find("#undo"))
    context.check("a change of another removes the undo of the message", board.favourites() == [S, N], board.favourites())
    board.call("POST", "/v1/favourites", {"stop": TUBE})
    board.call("PATCH", f"/v1/favourites/{N}", {"position": 1})
    eventually("the old order", lambda: page.browser.execute_script("return document.querySelector('main ol > li').dataset.key") == N)
    page.hold(responses=["GET /v1/favourites"])
    page.one("main button", page.word("moveDown", word="North")).centre().tap()
    becomes(S, N, TUBE)
    page.holds()
    board.call("PATCH", f"/v1/favourites/{N}", {"position": 1})
    becomes(N, S, TUBE)
    page.release()
    shown = page.browser.execute_script(ORDER)
    context.check("an older response does not replace newer favourites", shown == [N, S, TUBE], shown)
    page.hold(requests=["PATCH"])
    changes = page.sent("PATCH")
    down = page.one("main button", page.word("moveDown", word="North")).centre()
    for _ in range(3):
        down.tap()
        page.passes(1)  # the page is drawn each second
    page.release()
    becomes(S, N, TUBE)
    context.check("further taps on a button that waits send nothing", page.sent("PATCH") == changes + 1, page.sent("PATCH") - changes)
    page.one("#undo").tap()
    becomes(N, S, TUBE)
    page.hold(requests=["PATCH"])
    drag(page, N, S)
    place = middle(page, f'[data-key="{N}"] .grip')
    for kind in "mousePressed", "mouseReleased":
        page.browser.mouse(kind, *place)
    context.check("a second drag while the first waits for the board does not hold the page", board.favourites() == [N, S, TUBE] and not page.find(".drag"))
    page.release()
    becomes(S, N, TUBE)
    page.one("#undo").tap()
    becomes(N, S, TUBE)
    page.one("main button", page.word("editOf", word="North")).centre().tap()
    context.check("a walk of 90 s is shown in minutes", page.one("#walk").get_property("value") == "1.5", page.one("#walk").get_property("value"))
    fill(page, "platforms", "9")
    page.one("main button.primary", page.word("save")).centre().tap()
    page.reads(page.word("saved", word="North"))
    item = next(item for item in board.call("GET", "/v1/favourites") if item["stop"] == N)
    context.check("what the form did not change stays as it is written", (item["walk"], item["platforms"], item["label"]) == ("90s", ["9"], "North"), item)
    page.one("#undo").tap()
    page.reads(page.word("undone"))


def fill(page, key, text):
    field = page.one(f"#{key}")
    field.centre().clear()
    field.tap()
    page.browser.type(text)


def choose(page, selector, value):
    """Sets a field whose typing depends on the browser, as its menu does."""
    page.browser.execute_script("const field = arguments[0]; field.value = arguments[1];"
                                "for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true }));",
                                page.one(selector).centre(), value)


def pressed(page):
    return page.browser.execute_script("return [...document.querySelectorAll('main .form [role=group] [aria-pressed=true]')].map(chip => chip.textContent)")


def form(context, page, board):
    def stored():
        return next(item for item in board.call("GET", "/v1/favourites") if item["stop"] == N)

    def save():
        page.one("main button.primary", page.word("save")).centre().tap()

    page.one("main button", page.word("editOf", word="North")).centre().tap()
    fill(page, "lines", "999")
    save()
    eventually("the error at the field", lambda: page.one("#lines").get_dom_attribute("aria-invalid") == "true")
    context.check("an unknown line is an error at its field, which has the focus", page.browser.switch_to.active_element == page.one("#lines")
                  and page.word("linesFault", word="73, 390, N73") in page.one("#lines-help").text, page.one("#lines-help").text)
    page.examine("Favourite form with an error", sizes=(NARROW,), picture=False)
    page.one("#lines").clear()
    page.one("main .form button", "390").centre().tap()
    context.check("a tap on a line enters it", page.one("#lines").get_property("value") == "390", page.one("#lines").get_property("value"))
    context.check("and the line stays pressed", pressed(page) == ["390"], pressed(page))
    fill(page, "lines", "390, 73, 73")
    context.check("a line that is typed is pressed, too", pressed(page) == ["73", "390"], pressed(page))
    page.one("main .form button", "73").centre().tap()
    choose(page, "#sort", "line")
    direction = next(chip for chip in page.find("#directions button") if chip.text.startswith("outbound → "))
    direction.centre().tap()
    eventually("the pressed direction", lambda: direction.get_dom_attribute("aria-pressed") == "true")
    fill(page, "label", "North & <b>")
    fill(page, "walk", "0")
    save()
    eventually("the error at the walk", lambda: page.one("#walk").get_dom_attribute("aria-invalid") == "true")
    context.check("a wrong walk is an error at its field, with what is possible", page.one("#walk-help").text.endswith("Between 1 and 120 minutes"),
                  page.one("#walk-help").text)
    fill(page, "walk", "3")
    page.one("main button", page.word("addHours")).centre().tap()
    choose(page, ".times input", "07:00")
    save()
    eventually("the error at the hours", lambda: page.find("#when .error"))
    context.check("which says what is possible", page.one("#when .error").text.endswith(page.word("whenFault")), page.one("#when .error").text)
    context.check("hours without an end are an error at their field, and stay", not stored()["when"]
                  and page.browser.execute_script("return document.querySelector('.times input').value") == "07:00")
    choose(page, ".times select", "weekdays")
    choose(page, ".times input", "06:30")
    choose(page, ".times input + input", "09:30")
    save()
    page.reads(page.word("saved", word="North"))
    found = {key: stored().get(key) for key in ("label", "lines", "walk", "when", "sort", "directions")}
    context.check("label, lines, walk, hours, order and directions are stored", found == {
        "label": "North & <b>", "lines": ["390"], "walk": "3m", "when": ["weekdays 06:30-09:30"], "sort": "line", "directions": ["outbound"]}, found)
    page.reads("North & <b>")
    context.check("and are on the page, as text", "06:30-09:30" in page.text() and page.word("weekdays") in page.text() and not page.find("main b"), page.text())
    page.one("main button", page.word("editOf", word="North & <b>")).centre().tap()
    page.one("main button", page.word("removeHours")).centre().tap()
    for key in ("label", "lines", "walk"):
        page.one(f"#{key}").clear()
    choose(page, "#sort", "time")
    page.one("#directions button[aria-pressed=true]").centre().tap()
    save()
    page.reads(page.word("saved", word="North & <b>"))
    context.check("empty fields are the defaults again", not any(stored().get(key) for key in ("label", "lines", "walk", "when", "directions")), stored())
    page.one("main button", page.word("editOf", word="Oxford Street N")).centre().tap()
    page.one("main button.danger", page.word("remove")).centre().tap()
    page.reads(page.word("removed", word="Oxford Street N"))
    context.check("a favourite is removed", board.favourites() == [S, TUBE], board.favourites())
    page.one("#undo").tap()
    page.reads(page.word("undone"))
    context.check("undo brings it back to its place", board.favourites() == [N, S, TUBE], board.favourites())

    def message():
        return page.browser.execute_script("return document.querySelector('#toast p').textContent")
    page.passes(10)
    context.check("a message stays while it is read", message() == page.word("undone"), message())
    page.passes(11)
    context.check("and goes after 20 s", message() == "", message())


def directions(context, page, board):
    """A station whose operator has a direction for one line, and only destinations for the other."""
    def chip(text):
        return next(chip for chip in page.find("#directions button") if chip.text == text)

    page.one(f'[data-edit="{TUBE}"]').centre().tap()
    page.one("#directions button")
    chips = [chip.text for chip in page.find("#directions button")]
    context.check("directions are offered with where they lead, and destinations where there is none", chips == ["Archway", "Westbound → Archway"], chips)
    chip("Westbound → Archway").centre().tap()
    chip("Archway").centre().tap()
    page.one("main button.primary", page.word("save")).centre().tap()
    eventually("the chosen directions", lambda: page.find(f'[data-key="{TUBE}"] .facts') and "Westbound, Archway" in page.text())
    stored = next(item for item in board.call("GET", "/v1/favourites") if item["stop"] == TUBE)["directions"]
    context.check("both are directions of the favourite, and on its card", stored == ["Westbound", "Archway"], stored)
    page.one("#undo").tap()
    page.reads(page.word("undone"))
    page.open(f"/stop?id={TUBE}")
    page.one("main table")
    rows = page.browser.execute_script("return [...document.querySelectorAll('main table tbody tr')].map(row => row.textContent.includes('Westbound'))")
    context.check("departures on a stop's screen have their direction", rows == [True, False], rows)
    page.open("/favourites")


def unsaved(context, page, board):
    """Leaving a form that has changes asks first."""
    def stored():
        return next(item for item in board.call("GET", "/v1/favourites") if item["stop"] == N).get("label")

    def path():
        return page.browser.execute_script("return location.pathname + decodeURIComponent(location.search)")

    def answers(key):
        page.one("dialog button", page.word(key)).tap()
        eventually("the end of the question", lambda: not page.find("dialog"))

    def asked(how):
        page.one("dialog h2", page.word("unsaved"))
        context.check(f"{how} asks about the changes", path() == f"/stop?id={N}" and page.find("#label"), path())

    def reloads():
        return page.browser.execute_script("return dispatchEvent(new Event('beforeunload', { cancelable: true }))")

    page.screen("board")
    page.screen("find")
    page.browser.execute_script("document.querySelector('nav a[data-screen=board]').click()")
    page.one("main h2 a").centre().tap()
    edit = page.one("main button", page.word("edit")).centre()
    edit.tap()
    page.one("#label")
    page.examine("Favourite form of a stop", sizes=(NARROW,))
    context.check("a form without changes does not ask before a reload", reloads())
    fill(page, "label", "Left")
    context.check("one with changes does", not reloads())
    page.one("nav a", page.word("about")).tap()
    asked("a link")
    page.examine("Question about changes", sizes=(NARROW,))
    answers("keepEditing")
    context.check("what was typed is still there", page.one("#label").get_property("value") == "Left")
    page.browser.execute_script("history.back()")
    asked("Back")
    answers("discard")
    eventually("the screen before", lambda: path() == "/")
    context.check("discarded changes are not stored", stored() is None, stored())
    page.browser.execute_script("history.forward()")
    page.one("main button", page.word("edit"))
    context.check("and the form is closed", not page.find("#label"))
    page.one("main button", page.word("edit")).centre().tap()
    fill(page, "label", "Left")
    page.one("main button", page.word("edit")).centre().tap()
    asked("the button that opened it")
    answers("discard")
    eventually("the end of the form", lambda: not page.find("#label"))
    page.one("main button", page.word("edit")).centre().tap()
    fill(page, "walk", "0")
    page.one("nav a", page.word("about")).tap()
    asked("a link")
    answers("save")
    eventually("the error at the walk", lambda: page.one("#walk").get_dom_attribute("aria-invalid") == "true")
    context.check("what cannot be saved is not left", path() == f"/stop?id={N}", path())
    page.one("#walk").clear()
    fill(page, "label", "Kept")
    page.one("nav a", page.word("about")).tap()
    asked("a link")
    answers("save")
    eventually("the screen About", lambda: path() == "/about")
    context.check("saved changes are stored, and the link is followed", stored() == "Kept", stored())
    page.browser.execute_script("history.back()")
    page.one("main button", page.word("edit")).centre().tap()
    page.one("#label").clear()
    page.one("main button.primary", page.word("save")).centre().tap()
    page.reads(page.word("saved", word="Kept"))
    context.check("a form that was opened on a stop's screen returns to it", path() == f"/stop?id={N}" and not stored()
                  and page.browser.switch_to.active_element == page.one("main button", page.word("edit")), path())
    page.one("#undo").tap()
    page.reads(page.word("undone"))
    board.call("PATCH", f"/v1/favourites/{N}", {"label": ""})


def cleared(context, page, board):
    """Safari deletes what the page stored: the cookie gives the device another token."""
    def token():
        return page.browser.execute_script("return localStorage.getItem('boardd-token')")

    def status(token):
        connection = Connection(port=board.port)
        status, *_ = connection.call("GET", "/v1/devices", headers={"Authorization": f"Bearer {token}"})
        connection.close()
        return status

    old = token()
    page.browser.execute_script("localStorage.clear()")
    page.open("/favourites")
    sessions = page.sent("POST /v1/session")
    page.one("main button", page.word("moveDown", word="Oxford Street N")).centre().tap()
    eventually("the order after the change", lambda: board.favourites() == [S, N, TUBE])
    context.check("a device that lost its token changes something without the form", not page.find("dialog")
                  and page.sent("POST /v1/session") == sessions + 1, page.sent("POST /v1/session") - sessions)
    context.check("its old token is dead, and it has another one", (status(old), status(token())) == (401, 200), (status(old), status(token())))
    page.one("#undo").tap()
    page.reads(page.word("undone"))
    # Another tab renews it meanwhile: this one reads its token, and sends no request for a third.
    page.browser.execute_script("localStorage.setItem('boardd-token', 'A'.repeat(43))")
    renewed = token_of_another_tab(page)
    page.hold(responses=["PATCH"])
    page.one("main button", page.word("moveDown", word="Oxford Street N")).centre().tap()
    page.holds()
    page.browser.execute_script("localStorage.setItem('boardd-token', arguments[0])", renewed)
    sessions = page.sent("POST /v1/session")
    page.release()
    eventually("the order after the change", lambda: board.favourites() == [S, N, TUBE])
    context.check("the token of another tab is used first", page.sent("POST /v1/session") == sessions and token() == renewed)
    page.one("#undo").tap()
    page.reads(page.word("undone"))
    page.browser.execute_script("localStorage.setItem('boardd-token', 'A'.repeat(43))")
    page.stub({"POST /v1/session": {"status": 401, "body": {}}})
    page.one("main button", page.word("moveDown", word="Oxford Street N")).centre().tap()
    page.one("#code")
    context.check("where no cookie helps, the form opens after one try", page.sent("POST /v1/session") == sessions + 1, page.sent("POST /v1/session") - sessions)
    page.stub({})
    page.one("dialog button", page.word("cancel")).tap()


def token_of_another_tab(page):
    """Exchanges the cookie without the page, which keeps its token."""
    return page.browser.execute_async_script("send('/v1/session', { method: 'POST' }).then(answer => answer.json()).then(({ token }) => arguments[0](token))")


def run(context):
    operator = Operator()
    board = Board(context.program, [FIRST, S, TUBE], operator.url)
    try:
        board.update_directory()
        # A device of another address: two browsers of one would have more connections than the board allows it.
        with MovedPage(context, board, NARROW) as page, Page(context, board, host="board.test") as other:
            page.open("/about")
            page.open_pairing()
            digits = "".join(board.digits().groups())
            eventually("the pairing in the state of the page", lambda: page.browser.execute_script("return !!history.state?.pairing"))
            # A telephone that discards the page meanwhile loads it again.
            page.browser.refresh()
            page.open_pairing()
            page.passes(21)
            context.check("a page that waits for its digits polls the pairing at once, and every 10 s", page.sent("GET /v1/pairings/") == 3, page.sent("GET /v1/pairings/"))
            page.one("#code").tap()
            # As a person pastes them.
            page.browser.devtools("Input.insertText", text=f"{digits[:3]} {digits[3:]}")
            page.reads_pairing()
            context.check("a page that is loaded again continues its pairing, and six digits need no tap", True)
            page.passes(21)
            context.check("and does not poll it after its end", page.sent("GET /v1/pairings/") == 3, page.sent("GET /v1/pairings/"))
            page.open("/favourites")
            other.open("/favourites")
            page.one("main ol > li")
            order(context, page, other, board)
            others(context, page, other, board)
            form(context, page, board)
            directions(context, page, board)
            unsaved(context, page, board)
            cleared(context, page, board)
            # The errors of this scenario.
            page.is_calm("the screen Favourites", ["400", "401", "422"])
    finally:
        board.close()
        operator.close()
