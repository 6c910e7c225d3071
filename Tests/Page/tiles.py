"""The tiles under the map: their places, what their server receives, what the policy permits, and a server that fails."""
import math
import re

from board import Board
from daemons import Connection, eventually
from page import NARROW, WIDE, Page
from tfl import STOPS, Operator
from tile_server import TileServer, colour

STOP = "tfl:490008660N"
ATTRIBUTION = "© OpenStreetMap contributors <b>"
START = "/find?near=51.5152,-0.1417&scale=2"
NEAREST = 1.5  # pixels: the position of the picture in its request has five digits, which are 1.1 pixels at 0.5 m
SCALES = 6
# Places where the numbers of columns begin again, and where the map of the world is much larger than at its equator.
FAR = ["/find?near=0.01,179.999&scale=2", "/find?near=69.6492,18.9553&scale=5", "/find?near=84.89,10&scale=20", "/find?near=-84.89,-179.99&scale=20"]
DRAWN = """
const box = document.querySelector('#map svg').getBoundingClientRect();
const place = element => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left - box.left, top - box.top, width, height];
};
return {
  origin: [box.left, box.top], size: [box.width, box.height], address: location.search,
  tiles: [...document.querySelectorAll('#map .tiles image')].map(image => [image.getAttribute('href'), ...place(image)]),
  pins: [...document.querySelectorAll('#map a')].filter(pin => pin.querySelector('circle, rect'))
    .map(pin => [new URL(pin.getAttribute('href'), location).searchParams.get('id'), ...place(pin.querySelector('circle, rect'))]),
};
"""
# The colours of a picture at points.
COLOURS = """
const [picture, points, done] = arguments;
const image = new Image();
image.onload = () => {
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  done(points.map(([x, y]) => [...canvas.getImageData(x, y, 1, 1).data].slice(0, 3)));
};
image.src = `data:image/png;base64,${picture}`;
"""
# The host of the tiles: its text, whether it is in the picture and on top, and the texts of the picture that it covers.
NAME = """
const text = [...document.querySelectorAll('#map svg > text')].find(text => text.textContent == arguments[0]);
if (!text) return null;
const area = element => element.getBoundingClientRect(), own = area(text), box = area(document.querySelector('#map'));
const covers = ({ left, right, top, bottom }) => left < own.right && right > own.left && top < own.bottom && bottom > own.top;
return {
  isInside: own.left >= box.left && own.right <= box.right && own.top >= box.top && own.bottom <= box.bottom && own.width > 0,
  isOnTop: document.elementFromPoint((own.left + own.right) / 2, (own.top + own.bottom) / 2) == text,
  covered: [...document.querySelectorAll('#map svg > text, #map .names text')].filter(other => other != text && covers(area(other)))
    .map(other => other.textContent),
};
"""
# The letter of a stop that nothing covers.
LETTER = """
return [...document.querySelectorAll('#map a text')].find(text => {
  const { left, top, width, height } = text.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) == text;
});
"""
# Loads from each address as an image, then as data; the result has what the policy has rejected, and what was loaded.
LOADS = """
const [addresses, done] = arguments, rejected = [], loaded = [];
const violation = new Promise(ended => document.addEventListener('securitypolicyviolation', event => {
  rejected.push(`${event.effectiveDirective} ${event.blockedURI}`);
  if (event.effectiveDirective == 'connect-src') ended();
}));
Promise.all([...addresses.map(address => new Promise(ended => {
  const image = new Image();
  image.onload = () => ended(loaded.push(address));
  image.onerror = ended;
  image.src = address;
})), fetch(addresses[0], { mode: 'no-cors' }).then(() => loaded.push('data'), () => violation)]).then(() => done({ rejected, loaded }));
"""


def tile(latitude, longitude, level):
    """The position of a place in tiles of a level: the formulas of "Slippy map tilenames" of OpenStreetMap's wiki."""
    angle = math.radians(latitude)
    return ((longitude + 180) / 360 * 2 ** level,
            (1 - math.log(math.tan(angle) + 1 / math.cos(angle)) / math.pi) / 2 * 2 ** level)


def drawn(page, change=None):
    """The map after `change`, which draws another."""
    if change:
        page.browser.execute_script("document.querySelector('#map svg').dataset.isOld = true")
        change()
    eventually("the map", lambda: page.find("#map svg:not([data-is-old])"))
    return page.browser.execute_script(DRAWN)


def agree(page):
    """Opens the map, and shows the streets."""
    page.open(START)
    page.one("main button", page.word("streetsShow")).centre().tap()
    eventually("the tiles", lambda: page.find("#map .tiles"))
    page.browser.execute_script("scrollTo(0, 0)")


def centre(shown):
    near = re.search(r"near=([-.\d]+)(?:,|%2C)([-.\d]+)", shown["address"])
    return float(near[1]), float(near[2])


def faults(shown, server, near=None):
    """What is wrong with the places of the tiles, and how many stops were compared. `near`: the centre, where the address lacks it."""
    tiles, found, stops = {}, [], 0
    for url, *place in shown["tiles"]:
        match = re.fullmatch(re.escape(server.origin) + r"/(\d+)/(\d+)/(\d+)\.png", url)
        if not match:
            return [f"the address {url}"], 0
        level, x, y = map(int, match.groups())
        if not (0 <= x < 2 ** level and 0 <= y < 2 ** level):
            found.append(f"no tile of the world: {url}")
        tiles[x, y] = place
    if not tiles:
        return ["no tile"], 0
    width, height = shown["size"]
    positions = {f"tfl:{stop['id']}": (stop["lat"], stop["lon"]) for stop in STOPS}
    places = [("the centre", near or centre(shown), (width / 2, height / 2))]
    places += [(stop, positions[stop], (left + wide / 2, top + high / 2)) for stop, left, top, wide, high in shown["pins"]]
    for name, position, (x, y) in places:
        column, row = tile(*position, level)
        left, top, wide, high = tiles.get((math.floor(column), math.floor(row)), (math.nan,) * 4)
        distance = math.hypot(left + column % 1 * wide - x, top + row % 1 * high - y)
        if not distance <= NEAREST:
            found.append(f"{name} is {distance:.1f} pixels from its place in its tile")
        stops += name != "the centre"
    if min(top for _, top, _, _ in tiles.values()) > 0 or max(top + high for _, top, _, high in tiles.values()) < height:
        found.append("rows are missing")
    if min(left for left, *_ in tiles.values()) > 0 or max(left + wide for left, _, wide, _ in tiles.values()) < width:
        found.append("columns are missing")
    return found, stops


def painted(page, shown):
    """The part of the points beside the corners of tiles that have the colour of their tile in the window; stops and names cover others."""
    points, expected = [], []
    for url, left, top, wide, high in shown["tiles"]:
        x, y = map(int, re.findall(r"\d+", url)[-2:])
        for dx in (3, 13, wide - 14, wide - 4):
            for dy in (3, 13, high - 14, high - 4):
                if 4 < left + dx < shown["size"][0] - 4 and 40 < top + dy < shown["size"][1] - 40:
                    points.append([round(shown["origin"][0] + left + dx), round(shown["origin"][1] + top + dy)])
                    expected.append(list(colour(x, y)))
    colours = page.browser.execute_async_script(COLOURS, page.browser.get_screenshot_as_base64(), points)
    return sum(one == other for one, other in zip(colours, expected)) / max(1, len(points)), len(points)


def drag(page, shown, by):
    (left, top), (width, height) = shown["origin"], shown["size"]
    x, y = left + width / 2 + 60, top + height / 2 + 40
    for kind, step in (("mousePressed", 0), ("mouseMoved", 0.5), ("mouseMoved", 1), ("mouseReleased", 1)):
        page.browser.mouse(kind, x + by[0] * step, y + by[1] * step)


def without(context, board):
    """No tiles are configured."""
    with Page(context, board) as page:
        page.open(START)
        drawn(page)
        drawn(page, page.one("main .zoom button", page.word("zoomOut")).tap)
        requested = page.browser.execute_script("return performance.getEntriesByType('resource').map(({ name }) => name)")
        context.check("without tiles: the map has none, and tiles.js is not loaded",
                      not page.find("#map .tiles") and "/find.js" in str(requested) and "tiles.js" not in str(requested), requested)
        page.is_calm("without tiles")
    context.check("without tiles: the policy permits images of the board only", images(board) == ["'self'", "data:"], images(board))


def images(board):
    """The sources of images that the Content-Security-Policy permits."""
    connection = Connection(port=board.port)
    policy = connection.call("GET", "/find")[1]["Content-Security-Policy"]
    connection.close()
    return re.search(r"img-src ([^;]*)", policy)[1].split()


def places(context, board, server):
    """Each scale, and the ways to move the map: stops are where their tiles have them."""
    with Page(context, board) as page:
        agree(page)
        shown = drawn(page)
        zoom_in, zoom_out = (page.one("main .zoom button", page.word(key)) for key in ("zoomIn", "zoomOut"))
        for _ in range(2):
            shown = drawn(page, zoom_in.tap)
        levels = set()
        for index in range(SCALES):
            if index:
                shown = drawn(page, zoom_out.tap)
            found, stops = faults(shown, server)
            levels.add(shown["tiles"][0][0].split("/")[3])
            scale = shown["address"].partition("scale=")[2]
            context.check(f"{scale} m per pixel: each stop is at its place in its tile ({stops} stops)", not found and stops > 0, found)
        context.check(f"each of {SCALES} scales has a level of its own", len(levels) == SCALES, levels)
        page.open(START)
        moved(context, page, server, "an arrow key",
              lambda _: page.browser.execute_script("document.getElementById('map').focus()") or page.browser.press("Right"))
        moved(context, page, server, "a drag", lambda shown: drag(page, shown, (-260, -170)))
        for address in FAR:
            page.open(address)
            found, _ = faults(drawn(page), server)
            context.check(f"{address}: the tiles are at their places and cover the picture", not found, found)
        page.open(f"/find?stop={STOP}")
        own = next(stop for stop in STOPS if STOP.endswith(stop["id"]))
        found, _ = faults(drawn(page), server, (own["lat"], own["lon"]))
        context.check("the map of a stop: the tiles are at their places", not found, found)


def moved(context, page, server, what, change):
    before = drawn(page)
    after = drawn(page, lambda: change(before))
    urls = [{url for url, *_ in shown["tiles"]} for shown in (before, after)]
    found, stops = faults(after, server)
    context.check(f"{what}: other tiles, at their places", urls[1] - urls[0] and not found and stops, found or urls)
    eventually("the tiles' requests", lambda: urls[1] <= {server.origin + path for path in server.paths()})


def painting(context, board, server):
    """What a person sees: the tiles, the stops above them, and the name of the server."""
    for size in (WIDE, NARROW):
        with Page(context, board, size) as page:
            agree(page)
            drawn(page)
            page.browser.execute_script("document.getElementById('map').scrollIntoView({ block: 'center' })")
            part, count = eventually("the tiles in the window", lambda: (seen := painted(page, page.browser.execute_script(DRAWN)))[0] > 0.7 and seen)
            shown = page.browser.execute_script(DRAWN)
            context.check(f"{size[0]} px: points of the window have the colours of their tiles", count >= 9, f"{part} of {count}")
            name = page.browser.execute_script(NAME, server.host)
            context.check(f"{size[0]} px: the name of the server is on the map, and covers no other text",
                          name and name["isInside"] and name["isOnTop"] and not name["covered"], name)
            pin = shown["pins"][0]
            on_top = page.browser.execute_script("return document.elementFromPoint(...arguments[0])?.closest('a')?.getAttribute('href')", [
                shown["origin"][0] + pin[1] + pin[3] / 2, shown["origin"][1] + pin[2] + pin[4] / 2])
            context.check(f"{size[0]} px: stops are above the tiles", on_top and on_top.startswith("/stop?id="), on_top)
            page.examine(f"Map with tiles {size[0]}", sizes=(size,))


def attributed(context, board):
    """The text that the owner of the tiles requires."""
    for size in (WIDE, NARROW):
        with Page(context, board, size) as page:
            agree(page)
            drawn(page)
            page.browser.execute_script("document.getElementById('map').scrollIntoView({ block: 'center' })")
            name = page.browser.execute_script(NAME, ATTRIBUTION)
            context.check(f"{size[0]} px: the attribution of the tiles is on the map, and covers no other text",
                          name and name["isInside"] and name["isOnTop"] and not name["covered"], name)


def policy(context, board, server):
    """What the policy permits, and what the server receives: its tiles' numbers and the origin of the page, and no more."""
    context.check("the policy permits images of the board and of the server only", images(board) == ["'self'", "data:", server.origin], images(board))
    with Page(context, board) as page:
        agree(page)
        shown = drawn(page)
        wanted = {url.removeprefix(server.origin) for url, *_ in shown["tiles"]}
        eventually("the tiles' requests", lambda: wanted <= set(server.paths()))
        outside = {url for url in page.requested() if not url.startswith((board.url() + "/", "data:"))}
        context.check("from outside only tiles of the server are requested", outside == {server.origin + path for path in wanted}, outside ^ wanted)
        own, other, plain, root = (f"{server.origin}/1/1/1.png", f"https://evil.test:{server.port}/1/0/1.png", f"http://tiles.test:{board.port}/icon.svg",
                                   f"https://127.0.0.1:{server.port}/1/1/0.png")
        result = page.browser.execute_async_script(LOADS, [own, other, plain, root])
        context.check("the policy permits an image of the server, and none of another host, scheme or port", result["loaded"] == [own], result)
        context.check("the policy rejects data of the server", f"connect-src {own}" in result["rejected"], result["rejected"])
        hosts = {headers["Host"] for _, headers in server.requests}
        context.check("no other host was requested", hosts == {server.host}, hosts)
    referrers = {headers.get("Referer") for _, headers in server.requests}
    context.check("the server receives the origin of the page, and no address of a screen", referrers == {board.url() + "/"}, referrers)
    more = {name for _, headers in server.requests for name in headers} & {"Cookie", "Authorization", "Origin"}
    context.check("the server receives no cookie and no token", not more, more)


def failing(context, board, server):
    """A server that responds with 500 or not at all: the map has its stops, zooms, moves and opens a stop."""
    for mode, what in (("errors", "a server of tiles that responds with 500"), ("hangs", "a server of tiles that does not respond")):
        server.mode = mode
        with Page(context, board, NARROW) as page:
            agree(page)
            shown = drawn(page)
            eventually("requests of the tiles", lambda: server.paths()[-1].split("/")[1] == shown["tiles"][0][0].split("/")[3])
            if mode == "errors":
                eventually("no pictures of faults", lambda: page.browser.execute_script(
                    "return [...document.querySelectorAll('#map .tiles image')].every(tile => tile.getAttribute('visibility') == 'hidden')"))
            context.check(f"{what}: the map has its stops", len(shown["pins"]) > 2, shown["pins"])
            zoomed = drawn(page, page.one("main .zoom button", page.word("zoomIn")).tap)
            context.check(f"{what}: the map zooms", zoomed["address"].endswith("scale=1"), zoomed["address"])
            dragged = drawn(page, lambda: drag(page, zoomed, (-60, -50)))
            context.check(f"{what}: the map moves", dragged["address"] != zoomed["address"], dragged["address"])
            page.browser.execute_script(LETTER).tap()
            eventually("the stop", lambda: page.browser.execute_script("return location.pathname") == "/stop")
            page.one("main h1")
            context.check(f"{what}: a stop on the map opens", True)
            reported = [line for line in page.browser.complaints() if server.host not in line]
            context.check(f"{what}: the console reports nothing else", not reported, reported)


def asked(context, board, server):
    """Each phone is asked once, and can change its response; before, and without, the server receives nothing."""
    sentence = "streetsAsk"
    count = len(server.requests)
    with Page(context, board, NARROW) as page:
        page.open(START)
        page.reads(page.word(sentence, word=server.host))
        drawn(page)
        page.examine("Question of streets", sizes=(NARROW,))
        page.one("main button", page.word("streetsHide")).centre().tap()
        eventually("the end of the question", lambda: not page.find("main button", page.word("streetsShow")))
        drawn(page, page.one("main .zoom button", page.word("zoomIn")).centre().tap)
        page.open(START)
        drawn(page)
        button = page.one("main button", page.word("streets"))
        outside = [url for url in page.requested() if server.host in url]
        context.check("without consent the server receives nothing, and the question does not come again",
                      len(server.requests) == count and not outside and page.word(sentence, word=server.host) not in page.text()
                      and button.get_dom_attribute("aria-pressed") == "false", outside)
        drawn(page, button.centre().tap)
        eventually("requests of the tiles", lambda: len(server.requests) > count)
        context.check("a button shows the streets", page.find("#map .tiles"))
        page.open(START)
        eventually("the tiles again", lambda: page.find("#map .tiles"))
        button = page.one("main button", page.word("streets"))
        context.check("the response is kept", button.get_dom_attribute("aria-pressed") == "true")
        drawn(page, button.centre().tap)
        context.check("and hides them", not page.find("#map .tiles"))


def named(context, board):
    """OpenStreetMap by its name. Its server cannot be reached here: what is requested is what counts."""
    host = "https://tile.openstreetmap.org"
    context.check("openstreetmap: the policy permits images of its server only", images(board) == ["'self'", "data:", host], images(board))
    with Page(context, board, NARROW) as page:
        page.open(START)
        page.reads(page.word("streetsAsk", word="openstreetmap.org"))
        drawn(page)
        early = [url for url in page.requested() if host in url]
        page.one("main button", page.word("streetsShow")).centre().tap()
        eventually("the tiles", lambda: page.find("#map .tiles"))
        tiles = {url for url, *_ in page.browser.execute_script(DRAWN)["tiles"]}
        requested = {url for url in eventually("the requests", page.requested) if host in url}
        context.check("openstreetmap: nothing is requested before the consent, then tiles of the picture alone",
                      not early and requested and requested <= tiles and all(re.fullmatch(host + r"/\d+/\d+/\d+\.png", url) for url in tiles), f"{early} {requested}")
        link = page.browser.execute_script(
            "const link = document.querySelector('#map a[target]'), { top, height, right } = link.getBoundingClientRect(), box = document.getElementById('map').getBoundingClientRect();"
            "return [link.textContent, link.getAttribute('href'), height >= 24, right <= box.right && top + height <= box.bottom + 1]")
        context.check("openstreetmap: its attribution is on the map, and leads to its copyright",
                      link == ["© OpenStreetMap contributors", "https://www.openstreetmap.org/copyright", True, True], link)
        page.examine("OpenStreetMap", sizes=(NARROW,))


def run(context):
    operator, server = Operator(), TileServer(context.work)
    try:
        first = Board(context.program, [STOP], operator.url)
        try:
            first.update_directory()
            without(context, first)
            board = Board(context.program, [STOP], operator.url, state=first.path("state"), page=f'[map]\ntiles = "{server.pattern}"')
            other = Board(context.program, [STOP], operator.url, state=first.path("state"),
                          page=f'[map]\ntiles = "{server.pattern}"\nattribution = "{ATTRIBUTION}"')
            preset = Board(context.program, [STOP], operator.url, state=first.path("state"), page='[map]\ntiles = "openstreetmap"')
        finally:
            first.close()
        try:
            for part in (asked, places, painting, policy, failing):
                part(context, board, server)
            attributed(context, other)
            named(context, preset)
        finally:
            board.close()
            other.close()
            preset.close()
    finally:
        server.close()
        operator.close()
