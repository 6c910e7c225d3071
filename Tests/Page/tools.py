"""Sharing, the tools of the display, paper, the kiosk, and the width of a window."""
from board import Board
from daemons import eventually
from moved import MovedPage
from page import Page
from started import ADDRESS, LOOPBACK
from tfl import Operator

N, S, TUBE, EUSTON = "tfl:490008660N", "tfl:490008660S", "tfl:940GZZLUOXC", "tfl:490000111E"
PHONE, LANDSCAPE, TABLET = (390, 844), (844, 390), (1024, 768)
TAPS = 3
BOXES = ("return [...document.querySelectorAll(arguments[0])].filter(element => element.checkVisibility())"
         ".map(element => { const { left, top, right, bottom } = element.getBoundingClientRect(); return [left, top, right, bottom]; })")


def boxes(page, selector):
    """The edges of the elements in view: left, top, right and bottom."""
    return page.browser.execute_script(BOXES, selector)


def sharing(context, board):
    with Page(context, board, PHONE) as page:
        page.open()
        eventually("the display", page.is_live)
        page.one("main a.button", page.word("share")).centre().tap()
        image = page.one("#share img")
        eventually("the QR code", lambda: page.browser.execute_script("return arguments[0].naturalWidth > 0", image))
        eventually("the screen", lambda: page.find("#address"))
        taps = page.browser.taps
        context.check(f"the QR code and the address are {taps} taps away, at most {TAPS}", taps <= TAPS)
        context.check("the address is that of the board", page.one("#address").text == board.url(), page.one("#address").text)
        context.check("the QR code names its address", image.get_attribute("alt") == page.word("qrCode", word=board.url()))
        page.one("#share button", page.word("copy")).tap()
        page.reads(page.word("copied"))
        page.browser.execute_script("document.execCommand = () => false; getSelection().empty()")
        if ADDRESS != LOOPBACK:  # where navigator.clipboard is, nothing is missing
            page.one("#share button", page.word("copy")).tap()
            page.reads(page.word("copyYourself"))
            selected = page.browser.execute_script("return `${getSelection()}`")
            context.check("an address that the browser does not copy is selected", selected == board.url(), selected)
        page.screen("find")
        page.one("#query").tap()
        page.browser.press("Control+v")
        context.check("the copied address can be pasted", page.one("#query").get_property("value") == board.url(), page.one("#query").get_property("value"))
        page.screen("about")
        page.one("main > section:first-of-type dd")
        page.examine("Share", sizes=((320, 640), PHONE))
        page.browser.begin("navigator.share = data => { window.shared = data; return Promise.resolve(); }")
        page.open("/about")
        page.one("#share button", page.word("share")).tap()
        shared = eventually("the share sheet", lambda: page.browser.execute_script("return window.shared"))
        context.check("the share sheet gets the address and the name", shared == {"title": board.call("GET", "/v1/live")["name"], "url": board.url()}, shared)
        page.is_calm("sharing")
    with Page(context, board, PHONE, host=LOOPBACK) as page:
        page.open("/about")
        own = board.call("GET", "/v1/state")["pageAddresses"][0]
        shown = page.one("#address").text
        context.check("on the board's own machine the address is that in the network", shown == own, f"{shown}, not {own}")


def tools(context, board):
    with MovedPage(context, board, PHONE) as page:
        page.open("/about")
        page.open_pairing()
        page.pair()
        page.screen("board")
        eventually("the display", page.is_live)
        page.one("main summary", page.word("lightAndMessage")).centre().tap()

        def light(mode):
            page.one("#main .more button", page.word(mode)).centre().tap()
            eventually(f"the light {mode} on the board", lambda: board.call("GET", "/v1/state")["display"]["light"] == mode)
            eventually(f"the light {mode} on the page", lambda: page.passes(1) or page.find('.more [aria-pressed="true"]', page.word(mode)))
        for mode in ("off", "on", "auto"):
            light(mode)
        context.check("the light is switched on the page", True)
        page.passes(2)
        context.check("the tools stay open when the page is drawn", page.find("#message"))
        field = page.one("#message")
        page.one(".more form button", page.word("show")).centre().tap()
        context.check("an empty message is not sent", page.find("#message:invalid") and not page.browser.execute_script(
            "return sent.some(request => /message/.test(request))"))
        field.tap()
        page.browser.type("Dinner is ready")
        page.browser.execute_script("arguments[0].value = '300'", page.one("#seconds"))
        page.examine("Tools", sizes=((320, 640), PHONE))
        page.one(".more form button", page.word("show")).centre().tap()
        eventually("the message on the display", lambda: "Dinner is ready" in board.display())
        page.reads(page.word("messageShown"))
        context.check("a message is shown on the display, and its field is empty then", field.get_property("value") == "")
        page.one(f'[data-key="{S}"] h2 a').centre().tap()
        page.one("main button", page.word("showOnDisplay")).centre().tap()
        eventually("the stop on the display", lambda: board.call("GET", "/v1/state")["display"]["page"]["id"] == S)
        context.check("a stop is shown on the display", True)
        page.is_calm("tools of the display", ["401"])


def printing(context, board):
    with Page(context, board, (800, 1100), dark=True) as page:
        for path in ("/", f"/stop?id={N}"):
            page.open(path)
            page.reads("Archway")
            rows = len(page.find("main tbody tr"))
            page.browser.devtools("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
            date = eventually("the date on paper", lambda: [text.text for text in page.find("main p") if text.text.startswith(page.word("asOf", time=""))])
            context.check(f"{path} on paper has the date", "20" in date[0], date)
            times = page.browser.execute_script("return [...document.querySelectorAll('td.when')].map(cell => cell.innerText.trim())")
            context.check(f"{path} on paper has clock times", times and all(":" in time and time[-1].isdigit() for time in times), times)
            context.check(f"{path} on paper has every row", len(page.find("main tbody tr")) >= rows)
            left = page.browser.execute_script(
                "return [...document.querySelectorAll('nav, button, a.button, #display, #toast, #stopped, .skip, .head time')]"
                ".filter(element => element.checkVisibility()).map(element => element.outerHTML)")
            context.check(f"{path} on paper has no navigation, display or buttons", not left, left)
            colours = page.browser.execute_script("const { color, backgroundColor } = getComputedStyle(document.documentElement); return [color, backgroundColor]")
            context.check(f"{path} on paper is black on white", colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"], colours)
            context.check(f"{path} on paper has the attribution", "TfL" in page.find("main p.soft")[-1].text, page.text())
            context.check(f"{path} on paper: nothing is cut off at the side", page.is_within())
            if context.has_axe:
                violations = page.violations()
                context.check(f"{path} on paper: axe-core finds nothing", not violations, violations)
            page.browser.devtools("Emulation.setEmulatedMedia", media="")
            eventually("minutes on the screen", lambda: page.word("minutes") in page.one("td.when").text or page.word("due") in page.one("td.when").text)
        # The dialog of the browser sends this event alone before it draws.
        page.browser.execute_script("dispatchEvent(new Event('beforeprint'))")
        context.check("a page that is printed has clock times at once", ":" in page.one("td.when").text, page.one("td.when").text)
        page.is_calm("paper")


KIOSK = """
Object.defineProperty(navigator, 'wakeLock', { value: { request: kind => { (window.locks ??= []).push(kind); return Promise.resolve({}); } } });
const parse = JSON.parse;
JSON.parse = text => {
  const value = parse(text);
  // As if the board were updated after the page was loaded first.
  if (value?.words && !sessionStorage.getItem('loaded')) value.version = 'old';
  if (value?.words) sessionStorage.setItem('loaded', 'once');
  return value;
};
"""


def kiosk(context, board):
    with MovedPage(context, board, TABLET) as page:
        page.browser.begin(KIOSK)
        page.open("/kiosk")
        page.reads("Archway")
        board.call("POST", "/v1/show", {"page": EUSTON})
        eventually("a new load after an update of the board", lambda: page.browser.execute_script(
            "return performance.getEntriesByType('navigation')[0].type == 'reload'"))
        page.reads("Archway")
        context.check("the kiosk loads the page of an updated board", True)
        left = page.browser.execute_script("return [...document.querySelectorAll('nav, a, button, #toast, #display')]"
                                           ".filter(it => it.checkVisibility({ visibilityProperty: true })).length")
        context.check("the kiosk has departures and the clock alone", left == 0, left)
        locks = page.browser.execute_script("return window.locks")
        page.browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
        context.check("the kiosk keeps the screen awake, again when it is in view", locks == ["screen"]
                      and page.browser.execute_script("return window.locks.length") == 2, locks)
        sizes = page.browser.execute_script("return ['.to', 'td.when', '.head time'].map(name => parseFloat(getComputedStyle("
                                            "document.querySelector('main').querySelector(name)).fontSize))")
        context.measured("text of the kiosk at 1024x768 in pixels: destination, time, clock", sizes)
        # 40 px are 8 mm on a tablet of 10 inches: 13 minutes of arc at 2 m.
        context.check("the kiosk is readable from 2 m", min(sizes) >= 40, sizes)
        seen = set()

        def stops():
            shown = page.browser.execute_script("return [...document.querySelectorAll('main section')].map(stop => stop.dataset.key)")
            seen.update(shown)
            return shown
        for _ in range(2):
            first = stops()
            context.check("each stop of the kiosk has departures", len(page.find("main tbody tr")) >= len(first), page.text())
            low = max(bottom for _, _, _, bottom in boxes(page, "main tr, main h2, main p"))
            context.check("every row of the kiosk is in view", low <= TABLET[1], low)
            page.passes(10)
            eventually("the next stops", lambda: stops() != first)
        context.check("the kiosk shows all stops in turns", len(seen) == 4, seen)
        page.examine("Kiosk", sizes=((320, 640), LANDSCAPE, TABLET))
        page.is_calm("the kiosk")


def layout(context, board):
    with Page(context, board, PHONE) as page:
        name = board.call("GET", "/v1/live")["name"]
        for path in ("/", "/find", "/favourites", "/about", f"/stop?id={N}", "/line?id=tfl:73", "/kiosk"):
            page.open(path)
            title = eventually(f"the title of {path}", lambda: page.find("main h1") and page.browser.title)
            context.check(f"{path} has the name of the board as its title", title.endswith(name), title)
        page.open()
        page.reads("Archway")
        for width, height in (LANDSCAPE, (1280, 900)):
            page.browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            display, cards = boxes(page, "#display")[0], boxes(page, ".cards > section")
            context.check(f"{width}x{height}: the departures are beside the display", all(card[0] >= display[2] for card in cards)
                          and boxes(page, "td.when")[0][3] < height, (display, cards))
            context.check(f"{width}x{height}: nothing is cut off at the side", page.is_within())
        context.check("1280x900: the cards are in columns", len({round(card[0]) for card in cards}) == 2, cards)


def run(context):
    operator = Operator()
    board = Board(context.program, [N, S, TUBE, EUSTON], operator.url)
    try:
        board.update_directory()
        for part in (layout, sharing, tools, printing, kiosk):
            part(context, board)
    finally:
        board.close()
        operator.close()
