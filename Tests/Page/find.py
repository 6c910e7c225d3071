"""The screens Find and Line with mouse and fingers: pasted places, near a favourite and near this device, the map, a line and its stops."""
import re

from board import Board
from daemons import eventually
from page import NARROW, Page
from started import LOOPBACK
from tfl import STOPS, Operator

FAVOURITES = ['[[stop]]\nid = "tfl:490000111E"\nlabel = "Station"\n', "tfl:490008660N"]
LONDON = [51.5152, -0.1417]
# What a person pastes, and the place in it; nothing: it is searched for by name.
PASTED = {
    "51.5152,-0.1417": LONDON, "51.5152 , -0.1417": LONDON, "51.5152 -0.1417": LONDON, "+51.5152;-0.1417": LONDON, "geo:51.5152,-0.1417": LONDON,
    "geo:51.5152,-0.1417?z=17": LONDON, "geo:51.5152,-0.1417;u=35": LONDON, "geo:0,0?q=51.5152,-0.1417(Oxford Circus)": LONDON,
    "https://www.openstreetmap.org/?mlat=51.5152&mlon=-0.1417#map=12/51.4/-0.3": LONDON, "https://www.openstreetmap.org/#map=17/51.5152/-0.1417": LONDON,
    "https://www.google.com/maps/@51.5152,-0.1417,17z": LONDON, "https://www.google.com/maps?q=51.5152%2C-0.1417": LONDON,
    "https://www.google.com/maps/place/Oxford+Circus/@51.4,-0.3,15z/data=!3m1!4b1!4m6!8m2!3d51.5152!4d-0.1417": LONDON,
    "https://www.google.com/maps/search/?api=1&query=51.5152%2c-0.1417": LONDON, "https://www.google.com/maps/search/51.5152,+-0.1417?entry=tts": LONDON,
    "https://www.google.com/maps/place/51.5152,-0.1417": LONDON, "https://maps.apple.com/?ll=51.5152,-0.1417&q=Oxford%20Circus": LONDON,
    "https://maps.apple.com/place?address=x&coordinate=51.5152,-0.1417": LONDON, "https://maps.apple.com/?q=51.5152,-0.1417": LONDON,
    "Oxford Street": None, "50001": None, "73": None, "73 390": None, "12 31st Street": None, "8 1 Avenue": None, "51,5152 -0,1417": None,
    "https://maps.app.goo.gl/abc123": None, "https://osm.org/go/0EEQjE--": None, "91,5": None, "51.5,181": None,
}
# The rows of the list under the map: identifier, metres.
ROWS = """return [...document.querySelectorAll('main li[data-key]')].map(row => [row.dataset.key, Number(row.querySelector('.facts').innerText.match(/\\d+/)?.[0])]);"""
BOX = "const { left, top, width, height } = document.getElementById('map').getBoundingClientRect(); return [left, top, width, height];"
# How far the middle of a stop is from the middle of the map, in pixels.
OFFSET = """
const [stop] = arguments, box = document.getElementById('map')?.getBoundingClientRect();
if (!box) return null;
const link = [...document.querySelectorAll('#map a')].find(link => new URL(link.getAttribute('href'), location).searchParams.get('id') == stop);
if (!link) return null;
const pin = link.querySelector('circle, rect, path, polygon').getBoundingClientRect();
return [pin.x + pin.width / 2 - box.x - box.width / 2, pin.y + pin.height / 2 - box.y - box.height / 2];
"""


def near(page):
    """The place in the middle of the map, and its scale, by the address."""
    found = re.search(r"near=([-.\d]+)(?:,|%2C)([-.\d]+)(?:&scale=([.\d]+))?", page.browser.execute_script("return location.search"))
    return found and (float(found[1]), float(found[2]), found[3])


def drawn(page, change=None):
    """Waits for the map after `change`, which draws another."""
    if change:
        page.browser.execute_script("document.querySelector('#map svg').dataset.isOld = true")
        change()
    eventually("the map", lambda: page.find("#map svg:not([data-is-old])"))


def paste(page, text):
    field = page.one("#query")
    field.clear()
    page.browser.execute_script("arguments[0].value = arguments[1]", field, text)
    field.tap()
    page.browser.press("Enter")


def pasted(context, page):
    page.open("/find")
    page.one("#query")
    found = page.browser.execute_async_script(
        "const [texts, done] = arguments; import('/find.js').then(({ place }) => done(texts.map(text => place(text) ?? null)))", list(PASTED))
    wrong = {text: (place, wanted) for (text, wanted), place in zip(PASTED.items(), found) if place != wanted}
    context.check(f"the place in each of {len(PASTED)} pasted texts is found, or none", not wrong, wrong)
    for text in ("geo:51.5152,-0.1417", "https://www.openstreetmap.org/#map=17/51.5152/-0.1417"):
        page.screen("about")
        page.screen("find")
        paste(page, text)
        page.reads(page.word("stopsNearest"))
        drawn(page)
        rows = eventually("the stops there", lambda: page.browser.execute_script(ROWS))
        context.check(f"{text}: the map is there, with the stops in order of distance", near(page)[:2] == tuple(LONDON)
                      and rows[0][0] == "tfl:490008660N" and [row[1] for row in rows] == sorted(row[1] for row in rows), f"{near(page)} {rows[:3]}")
    paste(page, "https://maps.app.goo.gl/abc123")
    page.reads(page.word("noCoordinates"))
    context.check("a link without coordinates is reported, with what to do", True)


def same(context, page):
    """The list under the map has the stops of the map, also where these are more than a search returns, or not all of its box."""
    drawn_stops = "return [...document.querySelectorAll('#map a')].map(link => new URL(link.getAttribute('href'), location).searchParams.get('id'))"
    for scale in ("0.5", "2", "5", "20"):
        page.open(f"/find?near={LONDON[0]},{LONDON[1]}&scale={scale}")
        drawn(page)
        rows = eventually("the stops there", lambda: page.browser.execute_script(ROWS))
        shown = page.browser.execute_script(drawn_stops)
        context.check(f"{scale} m per pixel: the list has the {len(shown)} stops of the map, the nearest first", sorted(row[0] for row in rows) == sorted(shown)
                      and [row[1] for row in rows] == sorted(row[1] for row in rows), f"{set(shown) ^ {row[0] for row in rows}}")


def places(context, page):
    page.screen("about")
    page.screen("find")
    page.reads(page.word("stopsNearest"))
    page.one("main a.button", "Station").centre().tap()
    eventually("the stops near the favourite", lambda: (rows := page.browser.execute_script(ROWS)) and rows[0] == ["tfl:490000111E", 0])
    context.check("near a favourite: the favourite is the nearest stop", True)
    context.check("near me is offered where the browser gives a position: over https, or on this machine",
                  bool(page.find("main button", page.word("nearMe"))) == (page.host == LOOPBACK))
    page.open(f"/stop?id={FAVOURITES[1]}")
    page.one("main a.button", page.word("map")).centre().tap()
    eventually("the stop on the map", lambda: page.browser.execute_script(OFFSET, FAVOURITES[1]))
    offset = page.browser.execute_script(OFFSET, FAVOURITES[1])
    context.check("the map of a stop has it in the middle", max(map(abs, offset)) < 2, offset)


def position(context, page, board):
    """Near this device, on this machine."""
    page.open("/about")
    page.screen("find")
    page.reads(page.word("stopsNearest"))
    page.browser.devtools("Browser.grantPermissions", origin=board.url(LOOPBACK), permissions=["geolocation"])
    page.browser.devtools("Emulation.setGeolocationOverride", latitude=LONDON[0], longitude=LONDON[1], accuracy=10)
    page.one("main button", page.word("nearMe")).centre().tap()
    eventually("the stops near this device", lambda: (rows := page.browser.execute_script(ROWS)) and rows[0][0] == "tfl:490008660N")
    context.check("near me: the nearest stop is first", True)
    page.browser.devtools("Browser.resetPermissions")
    page.browser.devtools("Browser.setPermission", permission={"name": "geolocation"}, setting="denied", origin=board.url(LOOPBACK))
    page.one("main button", page.word("nearMe")).centre().tap()
    page.reads(page.word("noLocation"))
    context.check("without a location the page names other ways", True)
    page.is_calm("near this device")


def fingers(page, kind, *points):
    page.browser.devtools("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)])


def moves(context, page):
    """The map by mouse, fingers, keys and buttons."""
    page.open(f"/find?near={LONDON[0]},{LONDON[1]}&scale=2")
    drawn(page)
    page.browser.execute_script("document.getElementById('map').scrollIntoView({ block: 'center' })")

    def middle():
        left, top, width, height = page.browser.execute_script(BOX)
        return left + width / 2, top + height / 2
    before = page.browser.execute_script(OFFSET, FAVOURITES[1])

    def drag():
        x, y = middle()
        for kind, part in (("mousePressed", 0), ("mouseMoved", 0.5), ("mouseMoved", 1), ("mouseReleased", 1)):
            page.browser.mouse(kind, x + before[0] - 60 * part, y + before[1] - 40 * part)
    drawn(page, drag)
    offset = page.browser.execute_script(OFFSET, FAVOURITES[1])
    context.check("a drag of a stop does not open it", page.browser.execute_script("return location.pathname") == "/find")
    context.check("a drag moves the map by as much", offset and max(abs(offset[0] - before[0] + 60), abs(offset[1] - before[1] + 40)) < 3, f"{before} {offset}")
    before = page.browser.execute_script(OFFSET, FAVOURITES[1])

    def tap():
        x, y = middle()
        for kind in ("mousePressed", "mouseReleased"):
            page.browser.mouse(kind, x + 37, y - 41)
    drawn(page, tap)
    offset = page.browser.execute_script(OFFSET, FAVOURITES[1])
    context.check("a tap makes that place the middle", offset and max(abs(offset[0] - before[0] + 37), abs(offset[1] - before[1] - 41)) < 3, f"{before} {offset}")

    def pinch():
        x, y = middle()
        for kind, apart in (("touchStart", 30), ("touchMove", 45), ("touchMove", 62)):
            fingers(page, kind, (x - apart, y + 50), (x + apart, y + 50))
        fingers(page, "touchEnd")
    drawn(page, pinch)
    context.check("two fingers that go apart show the next larger scale", near(page)[2] == "1", near(page))
    drawn(page, page.one("main .zoom button", page.word("zoomOut")).tap)
    context.check("a button shows the next smaller scale", near(page)[2] == "2", near(page))
    page.browser.execute_script("document.getElementById('map').focus()")
    for key, wanted in (("Right", lambda now, old: now[1] > old[1] and now[0] == old[0]), ("Down", lambda now, old: now[0] < old[0] and now[1] == old[1]),
                        ("=", lambda now, old: now[2] == "1"), ("-", lambda now, old: now[2] == "2")):
        old = near(page)
        drawn(page, lambda: page.browser.press(key))
        context.check(f"the map obeys the key {key}", wanted(near(page), old), f"{old} {near(page)}")
    page.browser.execute_script("document.querySelector('#map a').focus()")
    drawn(page, lambda: page.browser.press("Right"))
    context.check("the map keeps the focus after a key at one of its stops", page.browser.execute_script("return document.activeElement.id") == "map")
    for _ in range(3):
        drawn(page, page.one("main .zoom button", page.word("zoomOut")).tap)
    context.check("the smallest scale is the last", near(page)[2] == "20", near(page))
    # A telephone on its side, with an on-screen keyboard.
    page.browser.devtools("Emulation.setDeviceMetricsOverride", width=640, height=200, deviceScaleFactor=1, mobile=True)
    drawn(page, page.one("main .zoom button", page.word("zoomIn")).centre().tap)
    context.check("the map is drawn in a low window", True)
    page.browser.devtools("Emulation.setDeviceMetricsOverride", width=NARROW[0], height=NARROW[1], deviceScaleFactor=1, mobile=True)


def without_list(context, page):
    """A list that cannot be received after the map was moved: the stops of the old place are not those of the new one."""
    page.open(f"/find?near={LONDON[0]},{LONDON[1]}&scale=2")
    drawn(page)
    eventually("the stops there", lambda: page.browser.execute_script(ROWS))
    page.browser.execute_script("window.sends = fetch; window.fetch = async (path, ...more) => path.startsWith('/v1/stops?')"
                                "? new Response('Too many requests', { status: 429 }) : sends(path, ...more);")
    page.browser.execute_script("document.getElementById('map').focus()")
    drawn(page, lambda: page.browser.press("Right"))
    fault = eventually(lambda: f"the fault on the page, which has: {page.text()}", lambda: page.find("main [role=alert]"))
    context.check("a list that cannot be received is reported at its place, without the stops of the old one",
                  fault[0].text and not page.browser.execute_script(ROWS), page.text())
    page.browser.execute_script("window.fetch = sends")
    drawn(page, lambda: page.browser.press("Right"))
    eventually("the stops again", lambda: page.browser.execute_script(ROWS))
    context.check("the next list takes its place", not page.find("main [role=alert]"), page.text())


def line(context, page, board):
    page.open("/line?id=tfl:73")
    page.reads(page.word("notPaired"))
    context.check("a link to a line opens no form of pairing, and no digits are on the display", not page.find("dialog") and "pair" not in board.display().lower(), board.display())
    page.one("main button", page.word("pair")).centre().tap()
    page.pair("Finder")
    drawn(page)
    eventually("the way of the line", lambda: page.find("#map .way"))
    listed = page.browser.execute_script("return [...document.querySelectorAll('main section')].map(card => [...card.querySelectorAll('li a')]"
                                         ".map(link => new URL(link.href).searchParams.get('id')))")
    route = board.call("GET", "/v1/lines/tfl:73")
    wanted = [[call["stop"] for branch in direction["branches"] for call in branch["stops"]] for direction in route["directions"]]
    context.check("a line has its stops in sequence, for each direction", listed == wanted and len(wanted) == 2, f"{listed} {wanted}")
    shown = {"tfl:" + stop["id"] for stop in STOPS[:2] + STOPS[3:4]}
    missing = [stop for stop in shown if not page.browser.execute_script(OFFSET, stop)]
    context.check("its map has the way and every stop of it", not missing, missing)
    page.browser.execute_script("return document.querySelector('main li a')").tap()
    eventually("the stop", lambda: page.browser.execute_script("return location.pathname") == "/stop")
    page.one("main a.badge", "73").centre().tap()
    eventually("the line again", lambda: page.browser.execute_script("return location.pathname") == "/line")
    context.check("a stop of a line leads to the stop, and its line back", True)


def run(context):
    operator = Operator()
    board = Board(context.program, FAVOURITES, operator.url)
    try:
        board.update_directory()
        with Page(context, board, NARROW) as page:
            pasted(context, page)
            same(context, page)
            places(context, page)
            moves(context, page)
            without_list(context, page)
            line(context, page, board)
            page.is_calm("the screens Find and Line", ["401"])
        with Page(context, board, NARROW, host=LOOPBACK) as page:
            position(context, page, board)
    finally:
        board.close()
        operator.close()
