"""An operator with responses in TfL's format: tfl.py FILE serves the stops of docs/first-board.md, and writes its port to the file."""
import collections
import datetime
import sys
import threading
import urllib.parse

from servers import Server

LINES = {"7": "bus", "73": "bus", "390": "bus", "n73": "bus", "88": "bus", "139": "bus", "central": "tube", "victoria": "tube"}
# The board removes tags; this one has no end before that of the page's next.
MARKUP = 'Tom & "Jerry" Yard <b onmouseover=alert(1) x="'
RIGHT_TO_LEFT = "\u202eשדרות רוטשילד / شارع الملك"
LONG = "Endless " + "very " * 197 + "long Lane"
# Streets around Oxford Circus as first and last position, their lines, and how many stops they have on each side.
STREETS = {
    "Regent Street": ((51.5105, -0.1366), (51.5170, -0.1428), ["88", "139"], 5),
    "Great Portland Street": ((51.5165, -0.1413), (51.5237, -0.1437), ["88"], 6),
    "Wigmore Street": ((51.5165, -0.1440), (51.5157, -0.1530), ["139"], 5),
    "Mortimer Street": ((51.5176, -0.1424), (51.5183, -0.1352), ["390"], 4),
    "Oxford Street": ((51.5142, -0.1500), (51.5164, -0.1310), ["7", "73", "390"], 6),
}


def lines_of(ids):
    return {
        "lines": [{"id": i, "name": i.upper() if LINES[i] == "bus" else i.capitalize()} for i in ids],
        "lineModeGroups": [
            {"modeName": mode, "lineIdentifier": [i for i in ids if LINES[i] == mode]}
            for mode in sorted({LINES[i] for i in ids})
        ],
        "modes": sorted({LINES[i] for i in ids}),
    }


def pole(code, name, letter, towards, sms, lat, lon, *ids):
    return {
        "naptanId": code, "id": code, "commonName": name, "stopType": "NaptanPublicBusCoachTram", "status": True,
        "indicator": f"Stop {letter}", "stopLetter": letter, "smsCode": sms, "children": [], "lat": lat, "lon": lon,
        "additionalProperties": [{"category": "Direction", "key": "Towards", "value": towards}], **lines_of(ids),
    }


def station(code, name, lat, lon, *ids):
    return {
        "naptanId": code, "id": code, "commonName": name, "stopType": "NaptanMetroStation", "status": True,
        "additionalProperties": [], "children": [], "lat": lat, "lon": lon, **lines_of(ids),
    }


def more_stops():
    """Two with hostile names among them."""
    for index, (street, (first, last, lines, count)) in enumerate(STREETS.items()):
        for place in range(count):
            part = (place + 0.5) / count
            lat, lon = (a + (b - a) * part for a, b in zip(first, last))
            for side, towards in enumerate(["Euston", "Marble Arch"]):
                letter = "ABCDEFGHJKLM"[2 * place + side]
                yield pole(
                    f"49000{index}{place}{side}X", street, letter, towards, f"6{index}{place}{side}0",
                    round(lat + 0.0002 * side, 6), round(lon + 0.0003 * side, 6), *lines)
    yield pole("490777777A", MARKUP, "<", "A & B", "60601", 51.5130, -0.1450, "7")
    yield pole("490777777B", RIGHT_TO_LEFT, "R", RIGHT_TO_LEFT, "60602", 51.5128, -0.1400, "7")
    yield pole("490777777C", LONG, "L", LONG, "60603", 51.5126, -0.1380, "7")


FIRST_STOPS = [
    pole("490008660N", "Oxford Street", "N", "Marble Arch", "50001", 51.5152, -0.1417, "73", "390", "n73"),
    pole("490008660S", "Oxford Street", "S", "Tottenham Court Road", "50002", 51.5151, -0.1414, "7", "73", "390"),
    station("940GZZLUOXC", "Oxford Circus Underground Station", 51.5152, -0.1419, "central", "victoria"),
    pole("490000111E", "Euston Road", "E", "King's Cross", "50003", 51.5270, -0.1300, "73", "390"),
]
STOPS = FIRST_STOPS + list(more_stops())


# The central line has a sign with a compass word; of the victoria line only the destination is known.
PLATFORMS = {"central": {"platformName": "Westbound - Platform 1"}, "victoria": {"platformName": "Platform 4", "direction": None}}


def prediction(stop, line, destination, seconds, now):
    code = stop["id"]
    due = now + datetime.timedelta(seconds=seconds)
    return {
        "id": f"{code}{line}", "operationType": 1, "vehicleId": f"WALK{line}", "naptanId": code,
        "stationName": stop["commonName"], "lineId": line,
        "lineName": line.upper() if LINES[line] == "bus" else line.capitalize(), "platformName": "N",
        "direction": "outbound", "destinationName": destination, "timestamp": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "timeToStation": seconds, "expectedArrival": f"{due:%Y-%m-%dT%H:%M:%SZ}", "modeName": LINES[line],
        "timeToLive": f"{due + datetime.timedelta(seconds=30):%Y-%m-%dT%H:%M:%SZ}", **PLATFORMS.get(line, {}),
    }


def good_service(line):
    status = {"statusSeverity": 10, "statusSeverityDescription": "Good Service", "validityPeriods": []}
    return {
        "id": line, "name": line.upper() if LINES[line] == "bus" else line.capitalize(), "modeName": LINES[line],
        "lineStatuses": [status],
    }


def sequence(direction, branch, stops):
    return {
        "lineId": "73", "lineName": "73", "direction": direction, "branchId": branch, "nextBranchIds": [],
        "prevBranchIds": [], "serviceType": "Regular",
        "stopPoint": [
            {"id": s["id"], "name": s["commonName"], "stopLetter": s.get("stopLetter"), "lat": s["lat"], "lon": s["lon"]}
            for s in stops
        ],
    }


class Operator(Server):
    """`polls` counts the requests for the departures of each stop. `departures`: a function that returns those of every stop."""

    def __init__(self, departures=None, stops=STOPS):
        self.polls, self.departures, self.stops = collections.Counter(), departures, {stop["id"]: stop for stop in stops}
        super().__init__()

    def respond(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        found = self.response(url.path.strip("/").split("/"), urllib.parse.parse_qs(url.query))
        if found is None:
            return self.send(handler, {"httpStatusCode": 404, "message": "not recognised"}, 404)
        self.send(handler, found)

    def response(self, steps, query):
        if steps[0] == "StopPoint" and len(steps) == 3 and steps[1] == "Mode":
            page = int(query.get("page", ["1"])[0])
            return {"stopPoints": list(self.stops.values()) if page == 1 else [], "pageSize": 1000, "total": len(self.stops), "page": page}
        stop = self.stops.get(steps[1]) if steps[0] == "StopPoint" and len(steps) > 1 else None
        if stop and len(steps) == 2:
            return stop
        if stop and steps[2:] == ["Arrivals"]:
            self.polls[steps[1]] += 1
            now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
            return self.departures() if self.departures else [
                prediction(stop, line["id"], "Archway", 90 + 150 * n, now) for n, line in enumerate(stop["lines"])]
        if stop and steps[2:] == ["Disruption"]:
            return []
        if steps[0] == "Line" and len(steps) == 3 and steps[2] == "Status":
            return [good_service(line) for line in steps[1].split(",") if line in LINES]
        if steps[:2] == ["Line", "73"] and steps[2:4] == ["Route", "Sequence"]:
            out, back = [STOPS[0], STOPS[3]], [STOPS[3], STOPS[1]]
            return {
                "lineId": "73", "lineName": "73", "mode": "bus", "direction": "all", "isOutboundOnly": False,
                "stopPointSequences": [sequence("outbound", 0, out), sequence("inbound", 1, back)],
            }
        return None


if __name__ == "__main__":
    operator = Operator(stops=FIRST_STOPS)
    with open(sys.argv[1], "w") as file:
        file.write(str(operator.port))
    threading.Event().wait()
