"""A person with only a phone sets up three boards, each for other operators, and counts the taps: London's, Boston's, and that of a station."""
import contextlib
import datetime

import boston
import rail
from boston import Boston
from daemons import eventually
from phone import FreshBoard, Phone
from tfl import FIRST_STOPS, Operator, prediction

# The pairing, keys and words that are typed are no taps.
TAPS, TAPS_WITH_KEY = 12, 16
TUBE = "tfl:940GZZLUOXC"


@contextlib.contextmanager
def fresh(context, settings="", share=None):
    """A phone before a fresh board, whose next tap is the first one."""
    board = FreshBoard(context.program, settings, share)
    try:
        with Phone(context, board) as page:
            page.open()
            eventually("the display", page.is_live)
            page.browser.taps = 0
            page.tap("setUp", "main a")
            page.enters_digits()
            page.step("nameStep")
            page.tap("onward")
            yield page
    finally:
        board.close()


def opens(page, word, stop):
    """Searches for a stop, opens it and takes it."""
    page.finds(word, stop).tap()
    page.tap("takeIt")
    page.one("main form #walk")


def chooses(page, *directions):
    """Taps on the chips of directions, which come with the departures."""
    for direction in directions:
        page.one("#directions button", direction).centre().tap()


def ends(page, name, most, walk, expected=()):
    """Saves the form with a walk, confirms the display and the hours, and compares the taps. `expected`: the statuses of errors on the way."""
    page.one("#walk").centre().tap()
    page.browser.type(walk)
    page.looks(f"{name} form")
    page.one("main form button.primary", page.word("save")).centre().tap()
    page.step("displayStep")
    eventually("the display", page.is_live)
    page.tap("yes")
    page.step("quietStep")
    page.tap("onward")
    page.step("finished")
    taps = page.browser.taps
    page.context.measured(f"taps of the set-up of {name}", taps)
    page.context.check(f"the set-up of {name} takes {taps} taps, at most {most}", taps <= most)
    page.is_calm(name, ["401", *expected])


def shows(page, what, words, others):
    """Whether the display shows some destinations, and the board no others."""
    board = page.board
    board.call("POST", "/v1/show", {"page": board.favourites()[0]})
    eventually(lambda: f"{words} on the display: {board.display()}", lambda: all(word in board.display() for word in words))
    rows = {row for frame in board.frames()[-1:] for row in frame}
    page.context.check(f"the display shows {what} alone", not any(word in row for word in others for row in rows), rows)


def favourite(page):
    return page.board.call("GET", "/v1/favourites")[0]


def shown(page):
    """The destinations of the departures that the board shows of its stop."""
    return {one["destination"] for one in page.board.call("GET", "/v1/state")["stops"][0]["departures"] if one["isShown"]}


def trains():
    """Two lines at a tube station, one with both directions of its platforms."""
    now, station = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0), FIRST_STOPS[2]
    runs = [("central", "Ealing Broadway", "Westbound - Platform 1"), ("central", "Epping", "Eastbound - Platform 2"),
            ("central", "West Ruislip", "Westbound - Platform 1"), ("victoria", "Brixton", "Southbound - Platform 4")]
    return [{**prediction(station, line, destination, 400 + 60 * index, now), "id": f"{index}", "vehicleId": f"V{index}", "platformName": platform}
            for index, (line, destination, platform) in enumerate(runs)]


def london(context):
    """A tube station, westbound. The address of TfL is the administrator's."""
    operator = Operator(departures=trains, stops=FIRST_STOPS)
    with fresh(context, f'[feed.tfl]\nurl = "{operator.url}"\n') as page:
        page.seeks("London")
        page.tap("chooseOf", word="TfL")
        opens(page, "oxford circus", TUBE)
        eventually("the direction with its destinations", lambda: page.find("#directions button", "Westbound → Ealing Broadway, West Ruislip"))
        chooses(page, "Westbound → Ealing Broadway, West Ruislip")
        ends(page, "a tube station westbound", TAPS, walk="4")
        one = favourite(page)
        context.check("the tube station is on the board, with direction and walk", (one["stop"], one.get("directions"), one["walk"]) == (TUBE, ["Westbound"], "4m"), one)
        context.check("the board shows westbound trains", shown(page) == {"Ealing Broadway", "West Ruislip"}, shown(page))
        shows(page, "westbound trains", ["Ealing", "West"], ["Epping", "Brixton"])
    operator.close()


def city(context):
    """Boston, by the shipped list of cities: timetable and realtime."""
    operator = Boston()
    with fresh(context, share=operator.share) as page:
        page.seeks("Boston")
        page.tap("chooseOf", word=boston.OPERATOR)
        opens(page, "park str", boston.STOP)
        chooses(page, "Heath Street", "Riverside")
        ends(page, "two lines of Boston", TAPS, walk="3")
        one = favourite(page)
        context.check("the stop is on the board, with two directions and the walk",
                      (one["stop"], sorted(one.get("directions", [])), one["walk"]) == (boston.STOP, ["Heath Street", "Riverside"], "3m"), one)
        context.check("the city has its number in the list", page.board.values("feed.gtfs.mbta") == [{"city": boston.NUMBER}])
        context.check("the board shows one direction of two lines", shown(page) == {"Heath Street", "Riverside"}, shown(page))
        stop = page.board.call("GET", "/v1/state")["stops"][0]
        context.check("with live times", all(one["status"] == "expected" for one in stop["departures"] if one["isShown"]), stop["departures"])
        shows(page, "one direction", ["Heath", "Riverside"], ["Union", "Medford"])
    operator.close()


def station(context):
    """A station by its code, with a key that is pasted wrong first, and only the trains to another one."""
    operator = rail.Rail()
    with fresh(context, f'[feed.rail]\nboard_url = "{operator.url}/board"\n') as page:
        page.seeks("Reading")
        page.tap("chooseOf", word="National Rail")
        page.awaits("key")
        paste(page, rail.KEY[:-1])
        page.tap("onward")
        page.reads(page.word("keyRejected"))
        page.looks("Rejected key")
        page.fill("#key", "")
        paste(page, rail.KEY)
        page.tap("onward")
        opens(page, "rdg", "rail:RDG")
        page.one("#towards").centre().tap()
        page.browser.type("Pad")  # a phone begins with a capital
        ends(page, "a station with a key", TAPS_WITH_KEY, walk="4", expected=["404", "422"])  # no list of stops; a wrong key
        one = favourite(page)
        context.check("the station is on the board, with the other one and the walk", (one["stop"], one.get("towards"), one["walk"]) == ("rail:RDG", ["PAD"], "4m"), one)
        context.check("the board shows only trains that also call there", shown(page) == {"London Paddington"}, shown(page))
        shows(page, "trains that also call there", ["London"], ["Oxford", "Didcot", "Basing"])
        context.check("the key is set, and never sent back", rail.KEY not in page.browser.page_source, page.board.setup()["keys"])
    operator.close()


def paste(page, text):
    page.browser.devtools("Input.insertText", text=text)
