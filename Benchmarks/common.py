"""Shared by the measurements: rows of the table, configurations, and responses in TfL's format."""
import json
import os
import random
import select
import statistics
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Tests/Support"))
ENTITIES = "Tfl.Api.Presentation.Entities."


def row(what, measured, goal="", is_met=None):
    """Prints one row of the table for Benchmarks/run: four fields separated by tabs."""
    print(what, measured, goal, {None: "", True: "met", False: "NOT MET"}[is_met], sep="\t", flush=True)


def median_and_max(values, digits=1, unit="ms"):
    return f"median {statistics.median(values):.{digits}f}, max {max(values):.{digits}f} {unit}"


def drain(descriptor, seconds):
    """Reads for `seconds` and discards what no press caused. Returns whether the other side is open."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([descriptor], [], [], left)[0]:
            try:
                if not os.read(descriptor, 65536):
                    return False
            except OSError:  # EIO: a terminal whose other side is closed
                return False
    return True


def write_configuration(folder, url, stops, board="", button="button = []"):
    """Writes boardd.toml and favourites.toml. Returns the path of the first.

    The default has no button: without GPIO the program would search for one repeatedly, which it does not on a Pi.
    """
    path = os.path.join(folder, "boardd.toml")
    with open(path, "w") as file:
        file.write(f'{button}\n[pages]\n{board}\n[display]\ndriver = "none"\n[feed.tfl]\nurl = "{url}"\n')
    with open(os.path.join(folder, "favourites.toml"), "w") as file:
        for stop in stops:
            file.write(f'[[stop]]\nid = "tfl:{stop}"\n')
    return path


def iso(seconds, fraction=""):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + fraction + "Z"


def arrivals(stop, now, count=60, seed=1):
    """The response of a busy stop, as bytes: `count` invented predictions made at `now`, in random order."""
    rng = random.Random(seed)
    places = ["Stoke Newington", "Archway", "Walthamstow Central", "King's Cross Station", "Bakers Arms",
              "Victoria Station", "Oxford Circus", "Hackney Downs", "Euston, Bus Station"]
    lines = ["73", "390", "N73", "55", "476", "94", "C2"]
    rows = []
    for index in range(count):
        due = now + 60 + index * 27 + rng.randrange(20)
        line, place = rng.choice(lines), rng.choice(places)
        entity = ENTITIES + "{}, Tfl.Api.Presentation.Entities"
        rows.append({
            "$type": entity.format("Prediction"), "id": str(rng.randrange(-2**31, 2**31)), "operationType": 1,
            "vehicleId": f"ZZ{10 + index}{''.join(rng.choice('ABCDEFGHJKLM') for _ in range(3))}",
            "naptanId": stop, "stationName": "Oxford Street / Selfridges", "lineId": line.lower(), "lineName": line,
            "platformName": "BX", "direction": "inbound", "bearing": "83", "tripId": str(rng.randrange(10**6)),
            "baseVersion": "20260606", "destinationNaptanId": "", "destinationName": place,
            "timestamp": iso(now - 40, f".{rng.randrange(10**7):07d}"), "timeToStation": due - now,
            "currentLocation": "", "towards": place, "expectedArrival": iso(due), "timeToLive": iso(due + 30),
            "modeName": "bus",
            "timing": {
                "$type": entity.format("PredictionTiming"), "countdownServerAdjustment": "-00:00:04.1942328",
                "source": iso(now - 21600, ".542"), "insert": iso(now - 70, ".248"), "read": iso(now - 74, ".085"),
                "sent": iso(now - 40), "received": "0001-01-01T00:00:00Z",
            },
        })
    rng.shuffle(rows)
    return json.dumps(rows, separators=(",", ":")).encode()


def good_service(lines):
    """TfL's status of lines with good service, as bytes."""
    status = {"statusSeverity": 10, "statusSeverityDescription": "Good Service", "validityPeriods": []}
    rows = [{"id": line, "name": line.upper(), "modeName": "bus", "lineStatuses": [status]} for line in lines]
    return json.dumps(rows, separators=(",", ":")).encode()


def stop(index):
    """The code of an invented stop."""
    return f"49000{8660 + index}N"
