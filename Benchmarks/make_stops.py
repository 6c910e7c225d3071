#!/usr/bin/env python3
"""A list of invented stops in the format of TfL's /StopPoint/Mode/{modes}?page=: make_stops.py FOLDER.

Writes page-1.json, page-2.json and so on with a thousand entries each, the last one with none, like the operator: 50,000 stops have
about 60 MB. Each run gives the same bytes.
"""
import json
import math
import os
import random
import sys

PAGE = 1000
TYPE = "Tfl.Api.Presentation.Entities.{}, Tfl.Api.Presentation.Entities"

# Parts of names as in London; the resulting names are invented.
FIRST = ["Alder", "Ash", "Bar", "Beck", "Birch", "Brad", "Brom", "Burn", "Cam", "Clap", "Cold", "Cray", "Dal", "Dul", "East",
         "Elm", "Farn", "Finch", "Green", "Hack", "Hal", "Harl", "Hazel", "Hol", "Kel", "Ken", "Kil", "Lam", "Lark", "Lew",
         "Mar", "Mill", "Mort", "Nor", "Oak", "Old", "Pad", "Pem", "Plum", "Rother", "Rush", "Sel", "Shore", "South",
         "Stan", "Stock", "Strat", "Syden", "Thorn", "Tot", "Up", "Wal", "Wands", "West", "Whit", "Wim", "Wood"]
SECOND = ["bourne", "bury", "combe", "den", "ditch", "don", "ford", "gate", "ham", "hithe", "hurst", "ington", "ley", "low",
          "mere", "minster", "ness", "ney", "stead", "stoke", "ton", "wall", "well", "wich", "wick", "wood", "worth"]
AFTER = ["", "", "", "", " Park", " Green", " Common", " Hill", " Heath", " Cross", " Bridge", " Town", " Junction", " Vale"]
ROAD = ["Road", "Street", "Lane", "Avenue", "High Street", "Hill", "Way", "Broadway", "Terrace", "Gardens", "Crescent",
        "Grove", "Rise", "Drive", "Parade", "Embankment"]
PLACE = ["Library", "Police Station", "Town Hall", "Hospital", "Primary School", "Bus Garage", "Cemetery", "The Green",
         "The Red Lion", "The King's Head", "Sainsbury's", "Leisure Centre", "Health Centre", "Fire Station", "Market"]
SAINT = ["St Ann's", "St Mary's", "St John's", "St Paul's", "Saint Giles", "St Luke's", "St Peter & St Paul"]
TUBE = ["bakerloo", "central", "circle", "district", "jubilee", "metropolitan", "northern", "piccadilly", "victoria"]
COMPASS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
FACILITIES = ["Boarding Ramps", "Car Park", "Cash Machines", "Euro Cash Machines", "Gates", "Help Points", "Lifts",
              "Left Luggage", "Payphones", "Toilets", "Waiting Room", "WiFi", "Escalators", "Bridge", "Ticket Halls"]


def entity(kind, **fields):
    return {"$type": TYPE.format(kind), **fields}


def identifier(line):
    return entity("Identifier", id=line, name=line.capitalize() if line in TUBE else line.upper(), uri=f"/Line/{line}",
                  type="Line", crowding=entity("Crowding"), routeType="Unknown", status="Unknown")


def group(station, lines, pole=None):
    reference = {"naptanIdReference": pole} if pole else {}
    return entity("LineGroup", **reference, stationAtcoCode=station, lineIdentifier=lines)


def prop(category, key, source, value):
    return entity("AdditionalProperties", category=category, key=key, sourceSystemKey=source, value=value)


class List:
    """Makes districts until there are enough stops: each has some streets, some have a station, a few an interchange."""

    def __init__(self, stops, seed):
        self.rng = random.Random(seed)
        self.wanted = stops
        self.codes = 0
        self.entries = []
        self.count = 0
        self.names = set()
        while self.count < stops:
            self.district()
        self.rng.shuffle(self.entries)

    def point(self, code, kind, name, modes, at, **fields):
        """A stop point with the common fields, in the operator's order."""
        result = entity("StopPoint", naptanId=code)
        for key in ("indicator", "stopLetter"):
            if key in fields:
                result[key] = fields.pop(key)
        result |= {"modes": modes, "icsCode": f"10{self.codes:05}"}
        if "smsCode" in fields:
            result["smsCode"] = fields.pop("smsCode")
        result["stopType"] = kind
        for key in ("stationNaptan", "hubNaptanCode"):
            if key in fields:
                result[key] = fields.pop(key)
        result |= {"lines": [], "lineGroup": [], "lineModeGroups": [], "status": True, "id": code, "commonName": name,
                   "placeType": "StopPoint", "additionalProperties": [], "children": []}
        result |= fields
        result |= {"lat": round(at[0], 6), "lon": round(at[1], 6)}
        return result

    def near(self, at, metres):
        return (at[0] + self.rng.uniform(-1, 1) * metres / 111_195,
                at[1] + self.rng.uniform(-1, 1) * metres / (111_195 * math.cos(math.radians(at[0]))))

    def town(self):
        while True:
            name = self.rng.choice(FIRST) + self.rng.choice(SECOND) + self.rng.choice(AFTER)
            if name not in self.names or self.rng.random() < 0.02:
                self.names.add(name)
                return name

    def street(self, town):
        rng = self.rng
        road = rng.choice(FIRST) + rng.choice(SECOND) + " " + rng.choice(ROAD)
        return rng.choice([
            road, road, road, f"{road} / {rng.choice(FIRST)}{rng.choice(SECOND)} {rng.choice(ROAD)}",
            f"{town} {rng.choice(PLACE)}", f"{rng.choice(SAINT)} Church", f"{road}  {rng.choice(PLACE)}"])

    def district(self):
        rng = self.rng
        town, at = self.town(), (rng.uniform(51.30, 51.68), rng.uniform(-0.50, 0.28))
        lines = [rng.choice(["", "", "", "", "n", "h", "w", "e", "sl"]) + str(rng.randint(1, 499)) for _ in range(8)]
        towards = [self.town() for _ in range(4)]
        for place in range(rng.randint(20, 60)):
            if self.count >= self.wanted:
                return
            self.pair(self.street(town), self.near(at, 1500), lines, towards, place)
        if rng.random() < 0.8 and self.count + 8 <= self.wanted:
            self.station(town, at, lines, towards, isHub=rng.random() < 0.3)

    def pair(self, name, at, lines, towards, place, isListed=True, **inside):
        """Both sides of a road and their area; the poles as an interchange lists them (without lines) where they are not
        listed for themselves."""
        rng = self.rng
        self.codes += 1
        area = f"490G{self.codes:08}"
        calling = rng.sample(lines, rng.choice([1, 1, 1, 2, 2, 3]))
        poles, groups = [], []
        heading = rng.randrange(8)
        for side in range(2):
            letter = "ABCDEFGHJKLMNPQRSTUVWXYZ"[(2 * place + side) % 24]
            code = f"49{self.codes:07}{'NS'[side]}"
            isArrow = rng.random() < 0.25
            compass = COMPASS[(heading + 4 * side) % 8]
            fields = {"indicator": f"->{compass}" if isArrow else f"Stop {letter}",
                      "stopLetter": f"->{compass}" if isArrow else letter, "stationNaptan": area, **inside}
            groups.append(group(area, calling, code))
            if isListed:
                fields |= {
                    "smsCode": f"{40_000 + (2 * self.codes + side) % 60_000:05}",
                    "lines": [identifier(line) for line in calling], "lineGroup": groups[-1:],
                    "lineModeGroups": [entity("LineModeGroup", modeName="bus", lineIdentifier=calling)],
                    "additionalProperties": [
                        prop("Direction", "CompassPoint", "Naptan490", compass),
                        prop("Direction", "Towards", "CountDown", " Or ".join(rng.sample(towards, 2)))]}
            poles.append(self.point(code, "NaptanPublicBusCoachTram", name, ["bus"], self.near(at, 40), **fields))
            self.count += 1
            if self.count >= self.wanted:
                break
        if isListed:
            self.entries += poles
        if self.count < self.wanted:
            self.count += 1
            whole = self.point(area, "NaptanOnstreetBusCoachStopPair", name, ["bus"], at, stationNaptan=area, **inside,
                               children=[] if isListed else poles)
            if isListed:
                self.entries.append(whole)
            return whole, groups, calling
        return None, groups, calling

    def station(self, town, at, lines, towards, isHub):
        """A station with its entrances, and with poles that are not listed elsewhere; in an interchange or not."""
        rng = self.rng
        self.codes += 1
        code, hub = f"940GZZLU{self.codes:05}", f"HUB{self.codes:05}"
        inside = {"hubNaptanCode": hub} if isHub else {}
        trains = sorted(rng.sample(TUBE, rng.randint(1, 3)))
        children = [
            self.point(f"4900ZZLU{self.codes:05}{gate}", "NaptanMetroEntrance", f"{town} Underground Station", ["tube"],
                       self.near(at, 60), indicator=f"Entrance {gate}", stopLetter=str(gate), stationNaptan=code, **inside)
            for gate in range(1, rng.randint(2, 5))]
        children.append(self.point(
            f"9400ZZLU{self.codes:05}", "NaptanMetroAccessArea", f"{town} Underground Station", ["tube"], at,
            stationNaptan=code, **inside))
        around, groups, buses = self.pair(f"{town} Station", self.near(at, 120), lines, towards, 3, isListed=False, **inside)
        groups = [group(code, trains)] + groups
        facilities = [prop("Facility", name, "LrgaStationData", rng.choice(["yes", "no", str(rng.randint(1, 9))]))
                      for name in FACILITIES]
        facilities.append(prop("Address", "Address", "LRAD", f"{town} Underground Station,\r\n            London"))
        self.count += 1
        lines_fields = {
            "lines": [identifier(line) for line in trains + buses], "lineGroup": groups,
            "lineModeGroups": [entity("LineModeGroup", modeName="tube", lineIdentifier=trains),
                               entity("LineModeGroup", modeName="bus", lineIdentifier=buses)]}
        station = self.point(
            code, "NaptanMetroStation", f"{town} Underground Station", ["bus", "tube"], at, stationNaptan=code, **inside,
            **lines_fields, additionalProperties=facilities, children=children + ([around] if around else []))
        self.entries.append(station)
        if isHub and self.count < self.wanted:
            self.count += 1
            self.entries.append(self.point(
                hub, "TransportInterchange", town, ["bus", "tube"], at, **inside, **lines_fields, children=[station]))


def write(folder, stops, seed):
    """Writes the pages."""
    content = List(stops, seed)
    os.makedirs(folder, exist_ok=True)
    pages = -(-len(content.entries) // PAGE) + 1
    for page in range(1, pages + 1):
        body = json.dumps(
            entity("StopPointsResponse", stopPoints=content.entries[(page - 1) * PAGE:page * PAGE], pageSize=PAGE,
                   total=len(content.entries), page=page), separators=(",", ":"), ensure_ascii=False).encode()
        with open(os.path.join(folder, f"page-{page}.json"), "wb") as file:
            file.write(body)


if __name__ == "__main__":
    write(sys.argv[1], 50_000, 1)
