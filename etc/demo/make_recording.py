#!/usr/bin/env python3
"""Makes the recording that `make demo` shows: six minutes at four London-like stops, polled every 30 seconds.

Nothing here was recorded: vehicles, plates and times are invented, in the shape of TfL's answers. The same seed gives
the same bytes, so that a change of this script shows in the diff of its output.

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
HORIZON = 30 * 60  # TfL tells about the next half hour
ENTITIES = "Tfl.Api.Presentation.Entities."
BASE = "https://api.tfl.gov.uk"

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
    """One vehicle on its way: when it will come, and how the operator's estimate of that wanders."""

    def __init__(self, comes, drift):
        self.comes = comes  # seconds after START
        self.drift = drift  # seconds by which the first estimate is wrong
        self.id = str(rng.randrange(-2**31, 2**31))

    def estimate(self, now):
        """Seconds after START; the error melts away as the vehicle comes near."""
        left = max(0.0, self.comes - now)
        return round(self.comes + self.drift * min(1.0, left / 900))


class Service:
    """A line in one direction at one stop: a vehicle every `headway` seconds, from `first` on."""

    def __init__(self, line, name, destination, first, headway, **facts):
        self.line, self.name, self.destination, self.facts = line, name, destination, facts
        self.vehicles = []
        comes = first
        while comes < HORIZON + POLLS * INTERVAL:
            vehicle = Vehicle(comes, rng.uniform(-60, 90))
            vehicle.name = plate() if facts["mode"] == "bus" else f"{rng.randrange(1, 400):03d}"
            self.vehicles.append(vehicle)
            comes += headway * rng.uniform(0.7, 1.4)


def prediction(stop, service, vehicle, now, made):
    due = START + timedelta(seconds=vehicle.estimate(now))
    is_bus = service.facts["mode"] == "bus"
    void = due + timedelta(seconds=30 if is_bus else 0)
    return {
        "$type": entity("Prediction"), "id": vehicle.id, "operationType": 1, "vehicleId": vehicle.name,
        "naptanId": stop["code"], "stationName": stop["name"], "lineId": service.line, "lineName": service.name,
        "platformName": service.facts["platform"], "direction": service.facts["direction"],
        "bearing": "83" if is_bus else "", "destinationNaptanId": service.facts.get("to", ""),
        "destinationName": service.destination, "timestamp": iso(made, fraction=True),
        "timeToStation": int((due - made).total_seconds()), "currentLocation": service.facts.get("location", ""),
        "towards": service.facts.get("towards", ""), "expectedArrival": iso(due), "timeToLive": iso(void),
        "modeName": service.facts["mode"],
        "timing": {
            "$type": entity("PredictionTiming"), "countdownServerAdjustment": "00:00:00",
            "source": "0001-01-01T00:00:00", "insert": "0001-01-01T00:00:00", "read": iso(made),
            "sent": iso(made), "received": "0001-01-01T00:00:00Z",
        },
    }


def arrivals(stop, now, at):
    """TfL's answer for a stop: in no order, made up to 80 seconds before it is received."""
    made = at - timedelta(seconds=rng.uniform(20, 60))
    rows = []
    for service in stop["services"]:
        shown = [v for v in service.vehicles if now - 5 < v.estimate(now) < now + HORIZON]
        rows += [prediction(stop, service, v, now, made) for v in shown[: service.facts.get("most", 3)]]
    if "lost" in stop:
        # A bus that has stopped talking: its estimate stands, older with every poll.
        service, vehicle = stop["lost"]
        if now < vehicle.comes:
            rows.append(prediction(stop, service, vehicle, -200, START - timedelta(seconds=200)))
    rng.shuffle(rows)
    return rows


def trains(stop, now):
    """ArrivalDepartures of the Elizabeth line: one train late without an estimate, one cancelled."""
    rows = []
    for service in stop["services"]:
        for number, vehicle in enumerate(service.vehicles):
            booked = START + timedelta(seconds=round(vehicle.comes / 60) * 60)
            expected = START + timedelta(seconds=vehicle.estimate(now))
            trouble = service.facts["trouble"].get(number)
            if not now - 5 < vehicle.comes < now + HORIZON:
                continue
            row = {
                "$type": entity("ArrivalDeparture"), "platformName": service.facts["platform"],
                "destinationName": service.destination, "destinationNaptanId": service.facts["to"],
                "naptanId": stop["code"], "stationName": stop["name"], "scheduledTimeOfDeparture": iso(booked),
                "minutesAndSecondsToArrival": "", "minutesAndSecondsToDeparture": "", "departureStatus": "OnTime",
            }
            if trouble:
                row["departureStatus"] = trouble
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


def rail(destination, to, platform, first, trouble):
    return Service("elizabeth", "Elizabeth line", destination, first, 330, mode="elizabeth-line", platform=platform,
                   direction="", to=to, trouble=trouble)


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


def write(directory, number, path, at, max_age, body):
    head = "\n".join([
        f"GET {BASE}{path}", f"at: {at.strftime('%Y-%m-%dT%H:%M:%S')}.{at.microsecond // 1000:03d}Z", "status: 200",
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
        answers = [(f"/StopPoint/{stop['code']}/Arrivals", 30, lambda at, stop=stop: arrivals(stop, now, at))
                   for stop in (oxford, margaret, circus)]
        if poll == 0:
            answers.append((f"/StopPoint/{tottenham['code']}", 43200, lambda at: station(tottenham)))
        answers.append((f"/StopPoint/{tottenham['code']}/ArrivalDepartures?lineIds=elizabeth", 30,
                        lambda at: trains(tottenham, now)))
        for path, max_age, answer in answers:
            at += timedelta(milliseconds=rng.randrange(60, 180))
            number += 1
            write(directory, number, path, at, max_age, answer(at))


if __name__ == "__main__":
    main()
