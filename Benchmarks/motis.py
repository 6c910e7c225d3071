"""An invented busy stop in the format of MOTIS: departures with alerts, tracks and numbers with exponents."""
import json
import random
import time

ENDS = ["Harbour", "Church & Green", "Zürich HB", "Weir Bridge (north side)", ""]


def moment(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def stop_times(now, count, seed=6):
    """The response of /stoptimes with `count` rows, one every minute and a half from `now` on (seconds, UTC)."""
    rng = random.Random(seed)
    place = {"name": "Mill Lane", "stopId": "xx-Vale_mill:1", "lat": 51.25, "lon": -1.5, "level": 0, "tz": "Europe/London"}
    alert = {"headerText": "Lift closed", "descriptionText": "The lift to platform 3 is closed until June.",
             "effect": "ACCESSIBILITY_ISSUE", "severityLevel": "INFO",
             "impactPeriod": [{"start": moment(now - 3600), "end": moment(now + 864000)}]}
    rows = []
    for index in range(count):
        booked, late = now + 60 + 90 * index, rng.choice([0, 0, 60, 420])
        rows.append({
            "place": {**place, "stopId": f"xx-Vale_mill:1:{index % 7}", "parentId": "xx-Vale_mill:1",
                      "departure": moment(booked + late), "scheduledDeparture": moment(booked),
                      "arrival": moment(booked + late - 30), "scheduledArrival": moment(booked - 30),
                      "scheduledTrack": str(index % 7), "track": str(index % 7), "vertexType": "TRANSIT",
                      "pickupType": "NORMAL", "dropoffType": "NORMAL", "cancelled": False,
                      **({"alerts": [alert]} if index % 4 == 0 else {})},
            "mode": rng.choice(["BUS", "TRAM", "REGIONAL_RAIL", "HOVERCRAFT"]), "realTime": index % 3 > 0,
            "headsign": rng.choice(ENDS), "tripFrom": {**place, "name": "Weir"}, "tripTo": {**place, "name": "Park"},
            "agencyId": "12681", "agencyName": "Vale Transit", "agencyUrl": "https://vale.example",
            "routeId": f"xx-Vale_{index % 9}", "directionId": str(index % 2), "routeColor": "00AAFF",
            "routeTextColor": "FFFFFF", "routeType": 3, "tripId": f"20260302_08:0{index % 10}_xx-Vale_{2647769386 + index}",
            "routeShortName": f"C{index % 9}", "routeLongName": "Weir to Harbour", "tripShortName": "",
            "displayName": f"C{index % 9}", "pickupDropoffType": "NORMAL", "cancelled": False, "tripCancelled": False,
            "source": f"xx_Vale.gtfs.zip/stop_times.txt:{27888895 + index}:{27888906 + index}"})
    response = {"place": place, "previousPageCursor": "EARLIER|1", "nextPageCursor": "LATER|2", "stopTimes": rows}
    return json.dumps(response, ensure_ascii=False, separators=(",", ":")).encode()


def body(now, size):
    """A response of at least `size` bytes, and the number of its rows within the next two hours."""
    count = 1
    while len(stop_times(now, count)) < size:
        count += 1
    rows = json.loads(stop_times(now, count))["stopTimes"]
    return stop_times(now, count), sum(row["place"]["departure"] < moment(now + 7200) for row in rows)
