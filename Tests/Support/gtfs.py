"""A city's operator on loopback: a timetable in GTFS, its realtime, and the shipped files with another list of cities."""
import csv
import datetime
import io
import os
import zipfile
import zoneinfo

import started
from started import CHECKOUT

# In minutes: between two trips of a line, and from one stop to the next.
PAUSE, RIDE = 5, 4


def share(cities):
    """A folder with the shipped files, whose list of cities has these lines."""
    folder = started.folder("boardd-share-")
    for name in os.listdir(os.path.join(CHECKOUT, "etc")):
        if name != "cities.tsv":
            os.symlink(os.path.join(CHECKOUT, "etc", name), os.path.join(folder, name))
    with open(os.path.join(folder, "cities.tsv"), "w") as file:
        file.writelines(cities)
    return folder


def timetable(agency, zone, stops, lines):
    """An archive in which each line runs every five minutes of each day.

    `stops`: identifiers, names and positions. `lines`: names, with the identifiers of the stops in order, the last of which is the destination.
    """
    today, names = datetime.date.today(), {identifier: name for identifier, name, *_ in stops}
    period = [f"{today + datetime.timedelta(days=days):%Y%m%d}" for days in (-2, 60)]
    trips, times = [], []
    for side, (line, calls) in enumerate(lines):
        for minute in range(0, 24 * 60, PAUSE):
            trips.append((line, "daily", trip(line, calls, minute), names[calls[-1]], side % 2))
            for place, stop in enumerate(calls):
                at = f"{(minute + RIDE * place) // 60:02}:{(minute + RIDE * place) % 60:02}:00"
                times.append((trip(line, calls, minute), at, at, stop, place))
    files = {
        "agency": [("agency_id", "agency_name", "agency_url", "agency_timezone"), ("one", agency, "https://operator.example", zone)],
        "stops": [("stop_id", "stop_name", "stop_lat", "stop_lon"), *stops],
        "routes": [("route_id", "agency_id", "route_short_name", "route_type"), *((line, "one", line, 1) for line in dict(lines))],
        "calendar": [("service_id", *"monday tuesday wednesday thursday friday saturday sunday".split(), "start_date", "end_date"), ("daily", *[1] * 7, *period)],
        "trips": [("route_id", "service_id", "trip_id", "trip_headsign", "direction_id"), *trips],
        "stop_times": [("trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"), *times],
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, rows in files.items():
            text = io.StringIO()
            csv.writer(text).writerows(rows)
            packed.writestr(f"{name}.txt", text.getvalue())
    return archive.getvalue()


def trip(line, calls, minute):
    return f"{line}-{calls[-1]}-{minute}"


def trip_updates(zone, lines, delay):
    """What GTFS Realtime says of the trips that run now: each is late by `delay` seconds."""
    now = datetime.datetime.now(zoneinfo.ZoneInfo(zone))
    minutes = now.hour * 60 + now.minute
    entities = b""
    for line, calls in lines:
        for minute in range(0, 24 * 60, PAUSE):
            if -60 < minute - minutes < 60:
                identifier = trip(line, calls, minute)
                call = message(2, number(1, 0) + message(3, number(1, delay)))
                entities += message(2, message(1, identifier) + message(3, message(1, message(1, identifier)) + call + number(4, int(now.timestamp()))))
    return header() + entities


def header():
    """A message of GTFS Realtime without entities."""
    return message(1, message(1, "2.0") + number(3, int(datetime.datetime.now().timestamp())))


# Protocol buffers: fields by their numbers.

def varint(value):
    value &= 0xFFFF_FFFF_FFFF_FFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content
