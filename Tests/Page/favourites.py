"""The screen Favourites with mouse: order by dragging and by a number, the form with every key, an error at its field, removal and undo."""
from board import Board
from daemons import eventually
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
            eventually(f"{what} on each page", lambda: one.browser.execute_script(ORDER) == list(wanted))
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
    context.check("a walk is in minutes", page.word("walkOf", time=f"1.5 {page.word('minutes')}") in page.text(), page.text())
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


def form(context, page, board):
    def stored():
        return next(item for item in board.call("GET", "/v1/favourites") if item["stop"] == N)

    def save():
        page.one("main button.primary", page.word("save")).centre().tap()

    page.one("main button", page.word("editOf", word="North")).centre().tap()
    fill(page, "lines", "999")
    save()
    page.reads("999")
    eventually("the error at the field", lambda: page.one("#lines").get_dom_attribute("aria-invalid") == "true")
    context.check("an unknown line is an error at its field, which has the focus", page.browser.switch_to.active_element == page.one("#lines")
                  and "999" in page.one("#lines-help").text, page.one("#lines-help").text)
    page.examine("Favourite form with an error", sizes=(NARROW,), picture=False)
    page.one("#lines").clear()
    page.one("main .form button", "390").centre().tap()
    context.check("a tap on a line enters it", page.one("#lines").get_property("value") == "390", page.one("#lines").get_property("value"))
    fill(page, "label", "North & <b>")
    fill(page, "walk", "0")
    save()
    eventually("the error at the walk", lambda: page.one("#walk").get_dom_attribute("aria-invalid") == "true")
    context.check("a wrong walk is an error at its field", "walk" in page.one("#walk-help").text, page.one("#walk-help").text)
    fill(page, "walk", "3")
    page.one("main button", page.word("addHours")).centre().tap()
    page.browser.execute_script("document.querySelector('.times input').value = '07:00';")
    save()
    eventually("the error at the hours", lambda: page.find("#when .error"))
    context.check("hours without an end are an error at their field, and stay", not stored()["when"]
                  and page.browser.execute_script("return document.querySelector('.times input').value") == "07:00")
    page.browser.execute_script("const [days, from, to] = document.querySelectorAll('.times select, .times input');"
                                "days.value = 'weekdays'; from.value = '06:30'; to.value = '09:30';")
    save()
    page.reads(page.word("saved", word="North"))
    found = {key: stored().get(key) for key in ("label", "lines", "walk", "when")}
    context.check("label, lines, walk and hours are stored", found == {"label": "North & <b>", "lines": ["390"], "walk": "3m", "when": ["weekdays 06:30-09:30"]}, found)
    page.reads("North & <b>")
    context.check("and are on the page, as text", "06:30-09:30" in page.text() and page.word("weekdays") in page.text() and not page.find("main b"), page.text())
    page.one("main button", page.word("editOf", word="North & <b>")).centre().tap()
    page.one("main button", page.word("removeHours")).centre().tap()
    for key in ("label", "lines", "walk"):
        page.one(f"#{key}").clear()
    save()
    page.reads(page.word("saved", word="North & <b>"))
    context.check("empty fields are the defaults again", not any(stored().get(key) for key in ("label", "lines", "walk", "when")), stored())
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


def run(context):
    operator = Operator()
    board = Board(context.program, [FIRST, S, TUBE], operator.url)
    try:
        board.update_directory()
        with MovedPage(context, board, NARROW) as page, Page(context, board) as other:
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
            page.browser.type(digits)
            page.one("dialog button", page.word("pairNow")).tap()
            page.reads_pairing()
            context.check("a page that is loaded again continues its pairing", True)
            page.passes(21)
            context.check("and does not poll it after its end", page.sent("GET /v1/pairings/") == 3, page.sent("GET /v1/pairings/"))
            page.open("/favourites")
            other.open("/favourites")
            page.one("main ol > li")
            order(context, page, other, board)
            others(context, page, other, board)
            form(context, page, board)
            # The errors of this scenario.
            page.is_calm("the screen Favourites", ["400", "401", "422"])
    finally:
        board.close()
        operator.close()
