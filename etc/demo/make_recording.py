#!/usr/bin/env python3
"""Makes the recording that `make demo` shows: six minutes at four London-like stops, polled every 30 seconds, and at a
station of trains, polled every minute.

Nothing here was recorded: vehicles, plates, trains, times and disruptions are invented, in the format of the responses of TfL
and of the Rail Data Marketplace. The same seed gives the same bytes, so that a change of this script shows in the diff
of its output. TfL's line status and the trains come after the arrivals and have their own random numbers. At the end is the list
of the stops around Oxford Circus, for the search and the map of the page: the streets are London's, their stops are invented.

    etc/demo/make_recording.py etc/demo/recording
"""
import json
import os
import random
import sys
from datetime import datetime, timedelta, timezone

START = datetime(2026, 3, 4, 17, 30, 0, tzinfo=timezone.utc)
POLLS = 13
INTERVAL = 30
HORIZON = 30 * 60  # TfL predicts about the next half hour
ENTITIES = "Tfl.Api.Presentation.Entities."
BASE = "https://api.tfl.gov.uk"
RAIL_BOARD = "https://api1.raildata.org.uk/1010-live-departure-board-dep1_2/LDBWS/api/20220120"
RAIL_DETAILS = "https://api1.raildata.org.uk/1010-service-details1_2/LDBWS/api/20220120"

rng = random.Random(20260304)


def iso(moment, fraction=False):
    text = moment.strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{moment.microsecond:06d}{rng.randrange(10)}Z" if fraction else text + "Z"


def entity(name):
    return f"{ENTITIES}{name}, Tfl.Api.Presentation.Entities"


def plate():
    letters = "ABCDEFGHJKLMNOPRSTUVWXY"
    return "ZZ" + str(rng.choice([69, 70, 71, 72, 23, 24])) + "".join(rng.choice(letters) for _ in range(3))


class Vehicle:
    """One vehicle: its true arrival, and the drift of the operator's estimate."""

    def __init__(self, arrives_at, drift):
        self.arrives_at = arrives_at  # seconds after START
        self.drift = drift  # seconds by which the first estimate is wrong
        self.id = str(rng.randrange(-2**31, 2**31))

    def estimate(self, now):
        """Seconds after START; the error shrinks as the vehicle approaches."""
        left = max(0.0, self.arrives_at - now)
        return round(self.arrives_at + self.drift * min(1.0, left / 900))


class Service:
    """A line in one direction at one stop: a vehicle every `headway` seconds, from `first` on."""

    def __init__(self, line, name, destination, first, headway, **facts):
        self.line, self.name, self.destination, self.facts = line, name, destination, facts
        self.vehicles = []
        arrives_at = first
        while arrives_at < HORIZON + POLLS * INTERVAL:
            vehicle = Vehicle(arrives_at, rng.uniform(-60, 90))
            vehicle.name = plate() if facts["mode"] == "bus" else f"{rng.randrange(1, 400):03d}"
            self.vehicles.append(vehicle)
            arrives_at += headway * rng.uniform(0.7, 1.4)


def prediction(stop, service, vehicle, now, made_at):
    due = START + timedelta(seconds=vehicle.estimate(now))
    is_bus = service.facts["mode"] == "bus"
    expires_at = due + timedelta(seconds=30 if is_bus else 0)
    return {
        "$type": entity("Prediction"), "id": vehicle.id, "operationType": 1, "vehicleId": vehicle.name,
        "naptanId": stop["code"], "stationName": stop["name"], "lineId": service.line, "lineName": service.name,
        "platformName": service.facts["platform"], "direction": service.facts["direction"],
        "bearing": "83" if is_bus else "", "destinationNaptanId": service.facts.get("to", ""),
        "destinationName": service.destination, "timestamp": iso(made_at, fraction=True),
        "timeToStation": int((due - made_at).total_seconds()), "currentLocation": service.facts.get("location", ""),
        "towards": service.facts.get("towards", ""), "expectedArrival": iso(due), "timeToLive": iso(expires_at),
        "modeName": service.facts["mode"],
        "timing": {
            "$type": entity("PredictionTiming"), "countdownServerAdjustment": "00:00:00",
            "source": "0001-01-01T00:00:00", "insert": "0001-01-01T00:00:00", "read": iso(made_at),
            "sent": iso(made_at), "received": "0001-01-01T00:00:00Z",
        },
    }


def arrivals(stop, now, at):
    """TfL's response for a stop: in no order, made up to 80 seconds before it is received."""
    made_at = at - timedelta(seconds=rng.uniform(20, 60))
    rows = []
    for service in stop["services"]:
        shown = [v for v in service.vehicles if now - 5 < v.estimate(now) < now + HORIZON]
        rows += [prediction(stop, service, v, now, made_at) for v in shown[: service.facts.get("most", 3)]]
    if "lost" in stop:
        # A bus that sends no more updates: its estimate does not change and gets older with every poll.
        service, vehicle = stop["lost"]
        if now < vehicle.arrives_at:
            rows.append(prediction(stop, service, vehicle, -200, START - timedelta(seconds=200)))
    rng.shuffle(rows)
    return rows


def trains(stop, now):
    """ArrivalDepartures of the Elizabeth line: one train late without an estimate, one cancelled."""
    rows = []
    for service in stop["services"]:
        for number, vehicle in enumerate(service.vehicles):
            booked = START + timedelta(seconds=round(vehicle.arrives_at / 60) * 60)
            expected = START + timedelta(seconds=vehicle.estimate(now))
            disruption = service.facts["disruptions"].get(number)
            if not now - 5 < vehicle.arrives_at < now + HORIZON:
                continue
            row = {
                "$type": entity("ArrivalDeparture"), "platformName": service.facts["platform"],
                "destinationName": service.destination, "destinationNaptanId": service.facts["to"],
                "naptanId": stop["code"], "stationName": stop["name"], "scheduledTimeOfDeparture": iso(booked),
                "minutesAndSecondsToArrival": "", "minutesAndSecondsToDeparture": "", "departureStatus": "OnTime",
            }
            if disruption:
                row["departureStatus"] = disruption
                row["cause"] = "a signalling problem"
            elif number % 4 != 3:
                row["estimatedTimeOfDeparture"] = iso(expected)
                late = (expected - booked).total_seconds() > 60
                row["departureStatus"] = "Delayed" if late else "OnTime"
                left = max(0, int((expected - START).total_seconds() - now))
                row["minutesAndSecondsToDeparture"] = f"{left // 60}:{left % 60:02d}"
            rows.append(row)
    return sorted(rows, key=lambda row: row["scheduledTimeOfDeparture"])[:8]


def bus(line, destination, first, headway, platform, **facts):
    return Service(line.lower(), line, destination, first, headway, mode="bus", platform=platform,
                   direction="outbound", **facts)


def tube(line, destination, to, platform, first, headway):
    return Service(line.lower(), line, destination + " Underground Station", first, headway, mode="tube",
                   platform=platform, direction="inbound" if "South" in platform or "East" in platform else "outbound",
                   to=to, towards=destination, location="Between stations", most=2)


def rail(destination, to, platform, first, disruptions):
    return Service("elizabeth", "Elizabeth line", destination, first, 330, mode="elizabeth-line", platform=platform,
                   direction="", to=to, disruptions=disruptions)


def stops():
    oxford = {"code": "490008660N", "name": "Oxford Street / Oxford Circus", "services": [
        bus("73", "Stoke Newington, Common", 25, 420, "N", towards="Tottenham Court Road"),
        bus("390", "Archway Station", 95, 540, "N", towards="Tottenham Court Road"),
        bus("98", "Holborn, Red Lion Square", 170, 560, "N", most=2),
        bus("55", "Walthamstow Central Bus Station", 250, 600, "N", most=2),
        bus("476", "Northumberland Park", 900, 900, "N", most=1),
    ]}
    lost = Service("7", "7", "East Acton, Brunel Road", 500, 5_000, mode="bus", platform="N", direction="outbound")
    lost.vehicles[0].drift = 0
    oxford["lost"] = (lost, lost.vehicles[0])
    margaret = {"code": "490098765S", "name": "Great Portland Street / Margaret Street", "services": [
        bus("88", "Clapham Common, Old Town", 60, 480, "S", towards="Oxford Circus", most=2),
        bus("453", "Deptford Bridge", 210, 500, "S", towards="Oxford Circus", most=2),
        bus("C2", "Regent Street, Conduit Street", 330, 900, "S", towards="Oxford Circus", most=1),
    ]}
    circus = {"code": "940GZZLUOXC", "name": "Oxford Circus Underground Station", "services": [
        tube("Victoria", "Brixton", "940GZZLUBXN", "Southbound - Platform 5", 40, 130),
        tube("Victoria", "Walthamstow Central", "940GZZLUWWL", "Northbound - Platform 6", 70, 140),
        tube("Central", "Epping", "940GZZLUEPG", "Eastbound - Platform 2", 110, 190),
        tube("Central", "West Ruislip", "940GZZLUWRP", "Westbound - Platform 1", 20, 200),
        tube("Bakerloo", "Elephant & Castle", "940GZZLUEAC", "Southbound - Platform 3", 150, 240),
        tube("Bakerloo", "Harrow & Wealdstone", "940GZZLUHAW", "Northbound - Platform 4", 200, 260),
    ]}
    tottenham = {"code": "910GTOTCTRD", "name": "Tottenham Court Road Rail Station", "services": [
        rail("Abbey Wood", "910GABWDXR", "Platform A", 80, {2: "Delayed"}),
        rail("Heathrow Terminal 5", "910GHTRWTM5", "Platform B", 150, {1: "Cancelled"}),
    ]}
    return oxford, margaret, circus, tottenham


def station(stop):
    """The structure of the rail station, as far as its lines."""
    line = {"$type": entity("Identifier"), "id": "elizabeth", "name": "Elizabeth line", "uri": "/Line/elizabeth",
            "type": "Line"}
    return {
        "$type": entity("StopPoint"), "naptanId": stop["code"], "modes": ["elizabeth-line"],
        "stopType": "NaptanRailStation", "stationNaptan": stop["code"], "lines": [line], "lineGroup": [],
        "lineModeGroups": [{"$type": entity("LineModeGroup"), "modeName": "elizabeth-line",
                            "lineIdentifier": ["elizabeth"]}],
        "status": True, "id": stop["code"], "commonName": stop["name"], "placeType": "StopPoint",
        "additionalProperties": [], "children": [], "lat": 51.516, "lon": -0.131,
    }


# The status of TfL's lines: the lists of lines in boardd's requests, and the disruptions.
LINES = {"390": "bus", "73": "bus", "453": "bus", "88": "bus", "c2": "bus", "bakerloo": "tube", "central": "tube",
         "victoria": "tube", "elizabeth": "elizabeth-line"}
LISTS = ["390,73", "453,88,c2", "bakerloo,central,victoria", "elizabeth"]
DISRUPTIONS = {"73": (0, "Special Service", "Route 73: Buses are on diversion at Essex Road due to urgent works by a "
                                         "water company. Please allow more time. ")}


def line_status(name):
    severity, word, reason = DISRUPTIONS.get(name, (10, "Good Service", None))
    status = {"$type": entity("LineStatus"), "id": 0, "statusSeverity": severity, "statusSeverityDescription": word,
              "created": "0001-01-01T00:00:00", "validityPeriods": []}
    if reason:
        status["lineId"], status["reason"] = name, reason
        status["validityPeriods"] = [{
            "$type": entity("ValidityPeriod"), "fromDate": iso(START - timedelta(minutes=25)),
            "toDate": iso(START + timedelta(hours=7)), "isNow": True}]
    title = {"elizabeth": "Elizabeth line"}.get(name, name.upper() if LINES[name] == "bus" else name.capitalize())
    return {"$type": entity("Line"), "id": name, "name": title, "modeName": LINES[name], "disruptions": [],
            "created": iso(START - timedelta(days=1)), "modified": iso(START - timedelta(days=1)),
            "lineStatuses": [status], "routeSections": [], "serviceTypes": [], "crowding": {}}


def disruptions(stop):
    """The disruptions of a stop: one of the stops is about to be closed."""
    if stop["code"] != "490008660N":
        return []
    return [{
        "$type": entity("DisruptedPoint"), "atcoCode": stop["code"], "fromDate": iso(START - timedelta(days=2)),
        "toDate": iso(START + timedelta(days=20)), "description":
        "This stop will be closed on the nights of 7 and 8 March while the pavement is mended. Please use stop P.",
        "commonName": stop["name"], "type": "Information", "mode": "bus", "stationAtcoCode": "490G00008660",
        "appearance": "PlannedWork",
    }]


def place(name, code, via=None):
    return {"locationName": name, "crs": code, **({"via": via} if via else {}), "assocIsCancelled": False}


WATERLOO = [("London Waterloo", "WAT", -8), ("Vauxhall", "VXH", -4)]
VICTORIA = [("London Victoria", "VIC", -6)]
COMPANIES = {"SW": "South Western Railway", "SN": "Southern"}


class Train:
    """A train at Clapham Junction: booked `minute` minutes after START, with its calling points before and after."""

    def __init__(self, number, minute, company, platform, before, calls, **facts):
        self.id = f"{1000 + number}CLPHMJC_"
        self.minute, self.company, self.platform = minute, company, platform
        self.before, self.calls, self.facts = before, calls, facts

    def late(self, now):
        """The reported delay in minutes at `now` seconds."""
        return sum(minutes for since, minutes in self.facts.get("late", []) if since <= now)

    def estimate(self, now):
        if self.facts.get("cancelled"):
            return "Cancelled"
        if self.facts.get("unknown", 0) > now:
            return "Delayed"
        late = self.late(now)
        return clock(self.minute + late) if late else "On time"

    def row(self, now):
        row = {"std": clock(self.minute), "etd": self.estimate(now)}
        if self.platform and not self.facts.get("cancelled"):
            row["platform"] = self.platform
        row |= {"operator": COMPANIES[self.company], "operatorCode": self.company}
        if self.facts.get("cancelled"):
            row |= {"isCancelled": True, "cancelReason": self.facts["cancelled"]}
        if "reason" in self.facts:
            row["delayReason"] = self.facts["reason"]
        ways = [self.calls] + ([self.facts["portion"]] if "portion" in self.facts else [])
        ends = [place(*way[-1][:2], self.facts.get("via") if n == 0 else None) for n, way in enumerate(ways)]
        return row | {
            "serviceType": "train", "length": self.facts.get("coaches", 8), "serviceID": self.id,
            "origin": [place(*self.before[0][:2])], "destination": ends}

    def way(self, calls, now):
        """Calling points: behind the train with the actual time, ahead of it with an estimate."""
        points = []
        for name, code, minutes in calls:
            point = {"locationName": name, "crs": code, "st": clock(self.minute + minutes)}
            late = self.late(now)
            text = clock(self.minute + minutes + late) if late else "On time"
            if self.facts.get("cancelled"):
                point |= {"et": "Cancelled", "isCancelled": True}
            elif (self.minute + minutes + late) * 60 <= now:
                point["at"] = text
            else:
                point["et"] = "Delayed" if self.facts.get("unknown", 0) > now else text
            points.append(point | {"length": self.facts.get("coaches", 8)})
        return {"callingPoint": points, "serviceType": "train", "serviceChangeRequired": False,
                "assocIsCancelled": False}

    def details(self, now, made_at):
        row = self.row(now)
        for key in ("origin", "destination", "serviceID"):
            del row[key]
        ways = [self.calls] + ([self.facts["portion"]] if "portion" in self.facts else [])
        return {"generatedAt": made_at, "locationName": "Clapham Junction", "crs": "CLJ", **row,
                "previousCallingPoints": [self.way(self.before, now)],
                "subsequentCallingPoints": [self.way(way, now) for way in ways]}

    def is_listed(self, now):
        """Whether the board lists the train: until about a minute after its departure."""
        return now < (self.minute + self.late(now) + 1) * 60


def clock(minutes):
    """The time of day, `minutes` after START; in early March London's is UTC."""
    return (START + timedelta(minutes=minutes)).strftime("%H:%M")


def clapham():
    croydon, gatwick = ("East Croydon", "ECR", 9), ("Gatwick Airport", "GTW", 24)
    return [Train(number, *facts, **more) for number, (facts, more) in enumerate([
        ((-4, "SW", "9", WATERLOO, [("Woking", "WOK", 18), ("Guildford", "GLD", 26), ("Havant", "HAV", 66),
                                    ("Portsmouth Harbour", "PMH", 82)]),
         {"coaches": 12, "late": [(-999, 6), (60, 1)], "reason":
          "This train has been delayed by a fault with the signalling system"}),
        ((2, "SN", "13", VICTORIA, [croydon, gatwick, ("Haywards Heath", "HHE", 39), ("Brighton", "BTN", 55)]),
         {"coaches": 10, "via": "via Gatwick Airport"}),
        ((4, "SW", "3", WATERLOO, [("Putney", "PUT", 5), ("Richmond", "RMD", 9), ("Staines", "SNS", 27),
                                   ("Windsor & Eton Riverside", "WNR", 44)]), {"coaches": 10}),
        ((7, "SN", "12", VICTORIA, [croydon, ("Redhill", "RDH", 26), ("Horsham", "HRH", 48)]),
         {"cancelled": "This train has been cancelled because of a shortage of train crew"}),
        ((10, "SW", "11", WATERLOO, [("Surbiton", "SUR", 10), ("Weybridge", "WYB", 21), ("Woking", "WOK", 30)]),
         {"coaches": 8, "late": [(-999, 3)], "reason": "This train has been delayed by a late running train in front"}),
        ((13, "SN", "13", VICTORIA, [croydon, gatwick, ("Horsham", "HRH", 44), ("Bognor Regis", "BOG", 86)]),
         {"coaches": 8, "portion": [("Horsham", "HRH", 44), ("Chichester", "CCH", 83),
                                    ("Southsea", "PMS", 112)]}),
        ((17, "SW", "7", WATERLOO, [("Wimbledon", "WIM", 7), ("Kingston", "KNG", 19), ("Shepperton", "SHP", 43)]),
         {"coaches": 10}),
        ((21, "SN", "15", VICTORIA, [("Balham", "BAL", 5), ("Sutton", "SUO", 27), ("Epsom Downs", "EPD", 38)]),
         {"coaches": 5, "unknown": 9_999, "reason": "This train has been delayed by a points failure"}),
        ((26, "SW", "9", WATERLOO, [("Woking", "WOK", 18), ("Farnborough", "FNB", 28), ("Basingstoke", "BSK", 40)]),
         {"coaches": 10}),
        ((32, "SN", "13", VICTORIA, [croydon, gatwick, ("Brighton", "BTN", 55)]),
         {"coaches": 12, "via": "via Gatwick Airport"}),
    ])]


def rail_board(listed, now, made_at):
    return {
        "Xmlns": {"Count": 8}, "trainServices": [train.row(now) for train in listed], "generatedAt": made_at,
        "locationName": "Clapham Junction", "crs": "CLJ", "filterType": "to", "platformAvailable": True,
        "areServicesAvailable": True}


def write_status_and_trains(directory, number, stops):
    """Writes the responses to less frequent requests, and the trains. Returns the number of the last one."""
    randoms = random.Random(20260305)
    at = START + timedelta(milliseconds=700)

    def add(base, path, max_age, body):
        nonlocal number, at
        at += timedelta(milliseconds=randoms.randrange(40, 120))
        number += 1
        write(directory, number, path, at, max_age, body, base)

    for names in LISTS:
        add(BASE, f"/Line/{names}/Status", 60, [line_status(name) for name in names.split(",")])
    for stop in stops:
        add(BASE, f"/StopPoint/{stop['code']}/Disruption", 60, disruptions(stop))
    # For a station with parts, boardd requests the whole family.
    add(BASE, f"/StopPoint/{stops[-1]['code']}/Disruption?getFamily=true", 60,
         {"naptanId": stops[-1]["code"], "commonName": stops[-1]["name"], "disruptions": [], "children": []})
    trains = clapham()
    for minute in range(POLLS * INTERVAL // 60 + 1):
        now = minute * 60
        at = START + timedelta(seconds=now, milliseconds=400)
        made_at = (at - timedelta(seconds=1)).strftime("%Y-%m-%dT%H:%M:%S.1234567+00:00")
        listed = [train for train in trains if train.is_listed(now)]
        add(RAIL_BOARD, "/GetDepartureBoard/CLJ?numRows=60&timeOffset=0&timeWindow=120", 0,
             rail_board(listed, now, made_at))
        if minute % 2 == 0:
            for train in listed:
                add(RAIL_DETAILS, f"/GetServiceDetails/{train.id}", 0, train.details(now, made_at))
    return number


# The streets of the map from end to end, how many stops each side has, and to where its buses go.
STREETS = {
    "Oxford Street": ((51.5144, -0.1500), (51.5163, -0.1310), 5, "Tottenham Court Road", "Marble Arch"),
    "Tottenham Court Road": ((51.5168, -0.1304), (51.5244, -0.1383), 4, "Warren Street", "Oxford Circus"),
    "Euston Road": ((51.5251, -0.1365), (51.5300, -0.1240), 3, "King's Cross", "Warren Street"),
    "Great Portland Street": ((51.5237, -0.1437), (51.5165, -0.1413), 3, "Oxford Circus", "Regent's Park"),
    "Regent Street": ((51.5158, -0.1419), (51.5100, -0.1350), 3, "Piccadilly Circus", "Oxford Circus"),
    "Wigmore Street": ((51.5157, -0.1530), (51.5165, -0.1440), 2, "Oxford Circus", "Marble Arch"),
    "New Oxford Street": ((51.5166, -0.1285), (51.5175, -0.1230), 2, "Holborn", "Oxford Circus"),
}
# The streets that each line follows.
WAYS = {
    "73": ["Oxford Street", "Tottenham Court Road", "Euston Road"], "390": ["Oxford Street", "Tottenham Court Road", "Euston Road"],
    "98": ["Oxford Street", "New Oxford Street"], "55": ["Oxford Street", "New Oxford Street"], "88": ["Great Portland Street", "Regent Street"],
    "453": ["Great Portland Street", "Regent Street"], "c2": ["Great Portland Street", "Regent Street"], "139": ["Wigmore Street", "Regent Street"],
}
# The favourites among them: side of the street, place on it, letter.
KNOWN = {"490008660N": ("Oxford Street", 0, 51.5152, -0.1417, "N"), "490098765S": ("Great Portland Street", 0, 51.5174, -0.1412, "S")}


def pole(code, name, letter, towards, latitude, longitude, lines):
    return {
        "naptanId": code, "indicator": f"Stop {letter}", "stopLetter": letter, "modes": ["bus"],
        "stopType": "NaptanPublicBusCoachTram", "status": True, "id": code, "commonName": name, "children": [],
        "lines": [{"id": line, "name": line.upper()} for line in lines],
        "additionalProperties": [{"category": "Direction", "key": "Towards", "value": towards}],
        "lat": latitude, "lon": longitude,
    }


def sides(stops):
    """The stops of each street in the order of its buses: those of one side, and of the other."""
    names = {stop["code"]: stop["name"] for stop in stops}
    found = {}
    for index, (street, (first, last, count, *ends)) in enumerate(STREETS.items()):
        lines = [line for line, way in WAYS.items() if street in way]
        for side in (0, 1):
            poles = [pole(code, names[code], letter, ends[side], latitude, longitude, lines)
                     for code, (of, at, latitude, longitude, letter) in KNOWN.items() if (of, at) == (street, side)]
            for place in range(count):
                part = (place + 0.3 + 0.4 * side) / count
                latitude, longitude = (round(a + (b - a) * part + 0.0001 * side, 5) for a, b in zip(first, last))
                letter = "ABCDEFGHJKLM"[2 * place + side]
                poles.append(pole(f"49009{index}{place}{side}{letter}", street, letter, ends[side], latitude, longitude, lines))
            poles.sort(key=lambda one: abs(one["lat"] - first[0]) + abs(one["lon"] - first[1]), reverse=side == 1)
            found[street, side] = poles
    return found


def write_places(directory, number, stops):
    """Writes the list of stops, and the routes of the lines. A list has a second page, which is empty."""
    poles = sides(stops)
    tube = station(stops[2]) | {"modes": ["tube"], "stopType": "NaptanMetroStation", "lat": 51.51522, "lon": -0.14189}
    names = [("bakerloo", "Bakerloo"), ("central", "Central"), ("victoria", "Victoria")]
    tube["lines"] = [{"id": line, "name": name} for line, name in names]
    tube["lineModeGroups"] = [{"modeName": "tube", "lineIdentifier": [line for line, _ in names]}]
    listed = [tube, station(stops[3])] + [one for side in poles.values() for one in side]
    at = START + timedelta(milliseconds=900)
    pages = [({"pageSize": 1000, "total": len(listed), "page": page, "stopPoints": rows}, page)
             for page, rows in ((1, listed), (2, []))]
    for body, page in pages:
        number += 1
        modes = "tube,dlr,elizabeth-line,overground,tram,bus,river-bus,cable-car"
        write(directory, number, f"/StopPoint/Mode/{modes}?page={page}", at, 86400, body)
    for line, way in WAYS.items():
        sequences = []
        for side, direction in enumerate(("outbound", "inbound")):
            streets = way if side == 0 else way[::-1]
            sequences.append({
                "lineId": line, "lineName": line.upper(), "direction": direction, "branchId": side,
                "nextBranchIds": [], "prevBranchIds": [], "serviceType": "Regular",
                "stopPoint": [{"stopLetter": one["stopLetter"], "id": one["id"], "name": one["commonName"], "lat": one["lat"],
                               "lon": one["lon"]} for street in streets for one in poles[street, side]]})
        number += 1
        write(directory, number, f"/Line/{line}/Route/Sequence/all?serviceTypes=Regular,Night&excludeCrowding=true", at, 86400, {
            "lineId": line, "lineName": line.upper(), "direction": "all", "isOutboundOnly": False,
            "mode": "bus", "stopPointSequences": sequences})


def write(directory, number, path, at, max_age, body, base=BASE):
    head = "\n".join([
        f"GET {base}{path}", f"at: {at.strftime('%Y-%m-%dT%H:%M:%S')}.{at.microsecond // 1000:03d}Z", "status: 200",
        "Date: " + at.strftime("%a, %d %b %Y %H:%M:%S GMT"), "Content-Type: application/json; charset=utf-8",
        f"Cache-Control: public, must-revalidate, max-age={max_age}", "", "",
    ])
    with open(os.path.join(directory, f"{number:05d}.http"), "wb") as file:
        file.write((head + json.dumps(body, separators=(",", ":"))).encode())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    directory = sys.argv[1]
    os.makedirs(directory, exist_ok=True)
    for name in os.listdir(directory):
        if name.endswith(".http"):
            os.remove(os.path.join(directory, name))
    oxford, margaret, circus, tottenham = stops()
    number = 0
    for poll in range(POLLS):
        now = poll * INTERVAL
        at = START + timedelta(seconds=now, milliseconds=300)
        responses = [(f"/StopPoint/{stop['code']}/Arrivals", 30, lambda at, stop=stop: arrivals(stop, now, at))
                   for stop in (oxford, margaret, circus)]
        if poll == 0:
            responses.append((f"/StopPoint/{tottenham['code']}", 43200, lambda at: station(tottenham)))
        responses.append((f"/StopPoint/{tottenham['code']}/ArrivalDepartures?lineIds=elizabeth", 30,
                        lambda at: trains(tottenham, now)))
        for path, max_age, response in responses:
            at += timedelta(milliseconds=rng.randrange(60, 180))
            number += 1
            write(directory, number, path, at, max_age, response(at))
    number = write_status_and_trains(directory, number, (oxford, margaret, circus, tottenham))
    write_places(directory, number, (oxford, margaret, circus, tottenham))


if __name__ == "__main__":
    main()
