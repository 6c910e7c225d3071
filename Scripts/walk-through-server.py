#!/usr/bin/env python3
"""A loopback server with responses in TfL's format, for the stops of docs/first-board.md. Writes its port to a file."""

import datetime
import http.server
import json
import sys
import urllib.parse

LINES = {"7": "bus", "73": "bus", "390": "bus", "n73": "bus", "central": "tube", "victoria": "tube"}


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


STOPS = [
    pole("490008660N", "Oxford Street", "N", "Marble Arch", "50001", 51.5152, -0.1417, "73", "390", "n73"),
    pole("490008660S", "Oxford Street", "S", "Tottenham Court Road", "50002", 51.5151, -0.1414, "7", "73", "390"),
    station("940GZZLUOXC", "Oxford Circus Underground Station", 51.5152, -0.1419, "central", "victoria"),
    pole("490000111E", "Euston Road", "E", "King's Cross", "50003", 51.5270, -0.1300, "73", "390"),
]


def prediction(stop, line, destination, seconds, now):
    code = stop["id"]
    due = now + datetime.timedelta(seconds=seconds)
    return {
        "id": f"{code}{line}", "operationType": 1, "vehicleId": f"WALK{line}", "naptanId": code,
        "stationName": stop["commonName"], "lineId": line,
        "lineName": line.upper() if LINES[line] == "bus" else line.capitalize(), "platformName": "N",
        "direction": "outbound", "destinationName": destination, "timestamp": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "timeToStation": seconds, "expectedArrival": f"{due:%Y-%m-%dT%H:%M:%SZ}", "modeName": LINES[line],
        "timeToLive": f"{due + datetime.timedelta(seconds=30):%Y-%m-%dT%H:%M:%SZ}",
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


def response(path, query):
    steps = path.strip("/").split("/")
    if steps[0] == "StopPoint" and len(steps) == 3 and steps[1] == "Mode":
        page = int(query.get("page", ["1"])[0])
        return {"stopPoints": STOPS if page == 1 else [], "pageSize": 1000, "total": len(STOPS), "page": page}
    by_id = {stop["id"]: stop for stop in STOPS}
    if steps[0] == "StopPoint" and len(steps) == 2:
        return by_id.get(steps[1])
    if steps[0] == "StopPoint" and len(steps) == 3 and steps[2] == "Arrivals" and steps[1] in by_id:
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        stop = by_id[steps[1]]
        ids = [line["id"] for line in stop["lines"]]
        return [prediction(stop, line, "Archway", 90 + 150 * n, now) for n, line in enumerate(ids)]
    if steps[0] == "StopPoint" and len(steps) == 3 and steps[2] == "Disruption" and steps[1] in by_id:
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


class Operator(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        found = response(url.path, urllib.parse.parse_qs(url.query))
        body = json.dumps(found if found is not None else {"httpStatusCode": 404, "message": "not recognised"}).encode()
        self.send_response(200 if found is not None else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Operator)
    with open(sys.argv[1], "w") as file:
        file.write(str(server.server_address[1]))
    server.serve_forever()
