"""The screen Find while a person types, pastes, goes back and adds stops, and the map's stars."""
from board import Board
from daemons import eventually
from page import NARROW, Page
from tfl import Operator

N, S, TUBE, EUSTON = "tfl:490008660N", "tfl:490008660S", "tfl:940GZZLUOXC", "tfl:490000111E"
LINK = "https://www.openstreetmap.org/#map=17/51.5270/-0.1300"
# Timers of a person's pause wait until `pause()` ends it; of the responses, those of `held` searches wait for `release()`.
PAUSES = """
const pauses = [];
window.time = {
  wall: Date.now, steady: () => performance.now(), every: (...all) => setInterval(...all),
  after: (run, milliseconds) => milliseconds == 250 ? pauses.push(run) : setTimeout(run, milliseconds),
};
window.pause = () => pauses.splice(0).forEach(run => run());
window.searches = [];
const send = fetch;
window.fetch = async (path, ...more) => {
  const query = /^.v1.stops\\?/.test(path) && new URLSearchParams(path.split('?')[1]).get('query');
  if (query) searches.push(query);
  const answer = await send(path, ...more);
  if (query && query == window.held) {
    await new Promise(done => { window.release = done; });
    // A task of its own: after all that the page does with it.
    answer.json = () => Response.prototype.json.call(answer).finally(() => setTimeout(() => { window.isHandled = true; }));
  }
  return answer;
};
"""
COPIED = "const field = document.createElement('input'); field.id = 'copied'; document.body.append(field); field.value = arguments[0]; field.select();"
ITEMS = "return [...document.querySelectorAll('main li[data-key]')].map(item => item.dataset.key)"
ADDRESS = "return location.pathname + location.search"
BESIDE = """
const middle = element => { const { left, top, width, height } = element.getBoundingClientRect(); return [left + width / 2, top + height / 2]; };
const shapes = [...document.querySelectorAll('#map a > circle, #map a > rect')].map(middle);
return [...document.querySelectorAll('#map a > .favourite')].map(star => [new URL(star.parentNode.getAttribute('href'), location).searchParams.get('id'),
  Math.min(...shapes.map(([x, y]) => Math.hypot(middle(star)[0] - x, middle(star)[1] - y)))]);
"""


def address(page):
    return page.browser.execute_script(ADDRESS)


def searches(page):
    return page.browser.execute_script("return searches.splice(0)")


def field(page):
    return page.one("#query").get_property("value")


def pause(page):
    page.browser.execute_script("pause()")


def clear(page):
    page.one("#query").centre().tap()
    page.browser.press("Control+a")
    page.browser.press("Backspace")
    pause(page)


def copy(page, text):
    page.browser.execute_script(COPIED, text)
    page.browser.press("Control+c")
    page.browser.execute_script("document.getElementById('copied').remove()")


def paste(page, text):
    copy(page, text)
    page.one("#query").centre().tap()
    page.browser.press("Control+v")


def found(page, what, stop=EUSTON):
    """Waits for the results of a search with a stop among them."""
    words = page.word("found").partition("%")[0]
    return eventually(lambda: f"{stop} among the results of {what}, on the page, which has: {page.text()}", lambda: (
        words in page.text() and stop in (items := page.browser.execute_script(ITEMS)) and items))


def shown(page):
    """Waits for the map and its list."""
    eventually("the map", lambda: page.find("#map svg") and page.find("main h2", page.word("stopsNearest")))


def suggestions(context, page):
    page.open()
    page.screen("find")
    shown(page)
    page.one("#query").tap()
    page.browser.type("e")
    pause(page)
    context.check("one letter is not searched for", not searches(page) and address(page) == "/find", address(page))
    page.browser.type("u")
    context.check("nothing is searched for while a person types", not searches(page))
    page.browser.execute_script("window.held = 'eu'")
    pause(page)
    eventually("the response to the first search", lambda: page.browser.execute_script("return !!window.release"))
    page.browser.type("s")
    pause(page)
    items = found(page, "eus")
    context.check("what is typed is suggested without Enter, and is in the address", items and address(page) == "/find?query=eus"
                  and searches(page) == ["eu", "eus"], f"{items} {address(page)}")
    page.browser.type("ton qq")
    pause(page)
    page.reads(page.word("notFound", word="euston qq"))
    page.browser.execute_script("release()")
    eventually("the end of the first search", lambda: page.browser.execute_script("return window.isHandled"))
    context.check("an older response does not replace a newer one", not page.browser.execute_script(ITEMS))
    context.check("the field keeps its focus and its text", page.browser.execute_script("return document.activeElement.id") == "query" and field(page) == "euston qq")
    searches(page)
    clear(page)
    shown(page)
    context.check("without a text the map is there again", not searches(page))
    page.browser.type("euston")
    page.browser.press("Enter")
    found(page, "euston")
    pause(page)
    context.check("Enter searches at once, and once", searches(page) == ["euston"])
    page.browser.type(" r")
    pause(page)
    eventually("another search", lambda: address(page) == "/find?query=euston%20r")
    page.browser.back()
    found(page, "euston")
    context.check("back from what is typed after Enter: the search before", address(page) == "/find?query=euston" and field(page) == "euston", address(page))


def recent(context, page):
    def chips():
        return page.browser.execute_script("return [...document.querySelectorAll('[aria-labelledby=recent] a')].map(link => link.textContent)")
    for text in ("regent", "wigmore", "mortimer", "great", "EUSTON", "oxford"):
        clear(page)
        page.browser.type(text)
        page.browser.press("Enter")
        eventually(f"the results of {text}", lambda: address(page) == f"/find?query={text}" and page.find("main li[data-key]"))
        context.check(f"{text}: no recent searches while the field has a text", not chips())
    page.open("/find")
    shown(page)
    context.check("the five newest searches are there, each once, also after a reload", chips() == ["oxford", "EUSTON", "great", "mortimer", "wigmore"], chips())
    page.examine("Recent searches", sizes=(NARROW,))
    page.one("[aria-labelledby=recent] a", "EUSTON").centre().tap()
    found(page, "EUSTON")
    context.check("a recent search searches again", field(page) == "EUSTON" and address(page) == "/find?query=EUSTON", field(page))
    clear(page)
    page.one("[aria-labelledby=recent] button").centre().tap()
    eventually("no recent searches", lambda: not chips())
    context.check("they can be cleared", page.browser.execute_script("return localStorage.getItem('boardd-searches')") is None)
    page.browser.type("euston")
    pause(page)
    found(page, "euston")
    page.one("main li a").centre().tap()
    eventually("the stop", lambda: address(page).startswith("/stop"))
    page.screen("find")
    eventually("the suggestion that was used", chips)
    context.check("a suggestion that was used is a recent search", chips() == ["euston"], chips())


def pasted(context, page):
    page.open("/find")
    shown(page)
    paste(page, LINK)
    eventually("the stops at the place of the link", lambda: (page.browser.execute_script(ITEMS) or [None])[0] == EUSTON)
    context.check("a pasted link is searched for at once", address(page) == "/find?near=51.52700,-0.13000", address(page))
    paste(page, "https://maps.app.goo.gl/abc123")
    page.reads(page.word("noCoordinates"))
    context.check("a pasted link without coordinates is reported at once", not searches(page))
    clear(page)
    page.browser.type("51.5152,-0.1417")
    pause(page)
    eventually("the stops at the coordinates", lambda: (page.browser.execute_script(ITEMS) or [None])[0] == N)
    context.check("typed coordinates show their place and stay in the field", "near=51.51520,-0.14170" in address(page) and field(page) == "51.5152,-0.1417")


def back(context, page):
    page.open()
    page.screen("find")
    page.one("#query").tap()
    page.browser.type("oxford street")
    pause(page)
    items = found(page, "oxford street", N)
    last = page.browser.execute_script("return [...document.querySelectorAll('main li[data-key] a')].at(-1)").centre()
    scroll = page.browser.execute_script("return scrollY")
    searches(page)
    last.tap()
    eventually("the stop", lambda: address(page).startswith("/stop"))
    eventually("the stop from its top", lambda: not page.find("#query") and page.browser.execute_script("return scrollY") == 0)
    context.check("a stop begins at its top", scroll > 200, scroll)
    page.browser.back()
    eventually("the list again", lambda: page.browser.execute_script(ITEMS) == items)
    now = page.browser.execute_script("return scrollY")
    context.check("back from a stop: the query, the list and the place in it, without a request", abs(now - scroll) < 2 and field(page) == "oxford street"
                  and address(page) == "/find?query=oxford%20street" and not searches(page), f"{now} {scroll} {address(page)}")
    page.open("/find?near=51.5152,-0.1417&scale=2")
    shown(page)
    page.browser.execute_script("document.querySelector('#map svg').dataset.isOld = true")
    page.one("main .zoom button", page.word("zoomIn")).tap()
    eventually("the larger map", lambda: page.find("#map svg:not([data-is-old])"))
    before, pins = address(page), "return [...document.querySelectorAll('#map a')].map(link => link.getAttribute('href'))"
    drawn = page.browser.execute_script(pins)
    page.browser.execute_script("return [...document.querySelectorAll('#map a text')].at(-1)").tap()
    eventually("the stop", lambda: address(page).startswith("/stop"))
    page.browser.back()
    eventually("the map again", lambda: page.browser.execute_script(pins) == drawn)
    context.check("back from the map: its place and scale", address(page) == before and before.endswith("scale=1"), before)


def departures(context, page, operator):
    page.open(f"/find?near=51.5152,-0.1417&scale=0.5")
    shown(page)
    items = eventually("departures of the favourite", lambda: (texts := page.browser.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('main li[data-key]')].map(item => [item.dataset.key, item.querySelector('.next').innerText]))"))
        and texts[N] and texts)
    context.check("a favourite nearby has its next departures", page.browser.execute_script(
        "return /^73 \\d min\\D*390 \\d min\\D*N73 \\d min$/.test(document.querySelector('[data-key=\"' + arguments[0] + '\"] .next').textContent)", N), items)
    others = {stop: text for stop, text in items.items() if text and stop != N}
    context.check("another stop has none, and its operator is not asked", len(items) > 2 and not others and set(operator.polls) == {N.removeprefix("tfl:")},
                  f"{others} {operator.polls}")


def stars(context, page, board):
    page.open("/find?near=51.5152,-0.1417&scale=1")
    shown(page)
    context.check("a favourite has a star on the map", [stop for stop, _ in page.browser.execute_script(BESIDE)] == [N])
    page.star(S).centre().tap()
    beside = eventually("another star on the map", lambda: len(found := page.browser.execute_script(BESIDE)) == 2 and found)
    context.check("the map has the star of a new favourite at once, and its scale", sorted(stop for stop, _ in beside) == [N, S], beside)
    context.check("the stars are beside stops and cover none", min(distance for _, distance in beside) > 16, beside)
    page.star(S).centre().tap()
    eventually("one star", lambda: len(page.browser.execute_script(BESIDE)) == 1)
    context.check("and not when it is one no more", True)
    order = page.browser.execute_script("return [...document.querySelectorAll('.chart button, .chart [tabindex], .chart a')].map(it => it.tagName)")
    context.check("the buttons of the scale come before the map and its stops", order[:3] == ["BUTTON", "BUTTON", "DIV"] and "a" in order, order[:4])
    page.open("/line?id=tfl:73")
    eventually("the way of the line", lambda: page.find("#map .way"))
    weight = page.browser.execute_script("const { strokeWidth, strokeOpacity, opacity } = getComputedStyle(document.querySelector('#map .way')); return [strokeWidth, strokeOpacity, opacity]")
    context.check("a line is drawn at its full weight", weight == ["5px", "1", "1"], weight)
    x, y, radius = page.browser.execute_script(
        "const pin = [...document.querySelectorAll('#map .call a circle')].at(-1); pin.scrollIntoView({ block: 'center' });"
        "const { left, top, width, height } = pin.getBoundingClientRect(); return [left + width / 2, top + height / 2, width / 2]")
    for kind in ("mousePressed", "mouseReleased"):
        page.browser.mouse(kind, x, y + 11)
    eventually("the stop that was tapped on beside its drawing", lambda: address(page).startswith("/stop"))
    context.check("a stop on the map is 24 pixels large for a tap", radius < 10.5, radius)


def taps(context, page, board):
    """A stop is added with at most three taps."""
    page.open()

    def added(what, stop, do):
        page.screen("board")
        eventually("the display", page.is_live)
        page.browser.taps = 0
        page.screen("find")
        shown(page)
        do()
        # The event of the board's last change may still be on its way.
        eventually("no star beside it", lambda: page.find(f'[data-key="{stop}"] .star[aria-pressed=false]'))
        page.star(stop).centre().tap()
        eventually("the new favourite", lambda: stop in board.favourites() and page.find(f'[data-key="{stop}"] .star[aria-pressed=true]'))
        context.check(f"{what}: a stop is added with {page.browser.taps} taps", page.browser.taps <= 3, page.browser.taps)
        board.call("DELETE", f"/v1/favourites/{stop}")

    def tap_map():
        left, top, width, height = page.browser.execute_script(
            "const { left, top, width, height } = document.getElementById('map').getBoundingClientRect(); return [left, top, width, height]")
        page.browser.execute_script("document.querySelector('main li').dataset.isOld = true")
        for kind in ("mousePressed", "mouseReleased"):
            page.browser.mouse(kind, left + width / 2 + 40, top + height / 2 + 70)
        page.browser.taps += 1
        eventually("the stops there", lambda: "near" in address(page) and page.find(f'[data-key="{S}"] .star'))

    def paste_link():
        copy(page, LINK)
        page.one("#query").tap()
        page.browser.press("Control+v")
        eventually("the stop there", lambda: page.find(f'[data-key="{EUSTON}"] .star'))
    added("near a favourite", S, lambda: None)
    added("by a tap on the map", S, tap_map)
    added("by a pasted link", EUSTON, paste_link)


def run(context):
    operator = Operator()
    board = Board(context.program, [N], operator.url, page='change = "network"')
    try:
        board.update_directory()
        eventually("the first response", lambda: operator.polls[N.removeprefix("tfl:")])
        with Page(context, board, NARROW) as page:
            departures(context, page, operator)
            page.browser.begin(PAUSES)
            for part in (suggestions, recent, pasted, back):
                part(context, page)
            stars(context, page, board)
            taps(context, page, board)
            # 429: of stops that are not polled. 503: of files that are loaded while the board still holds connections of the document before.
            page.is_calm("Find while typing", ["429", "503"])
    finally:
        board.close()
        operator.close()
