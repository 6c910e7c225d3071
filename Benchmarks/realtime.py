#!/usr/bin/env python3
"""GTFS-Realtime to departures, compared with Python's protobuf on the same bytes, alternating: realtime.py BOARDD_BENCH.

Python's protobuf is Debian's (cpp, in C++) or PyPI's (upb, in C, four times faster): PROTOBUF_PYTHON selects the interpreter.

The message is that of an invented subway: 350 trains with 22 calls each, by stop and absolute time. Half of them are trips of
the timetable; the others have identifiers that are not in the timetable, which is common.
"""
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

from common import row

ROUNDS, COUNT = 7, 200
LINES, STATIONS, TRAINS, CALLS = 12, 30, 350, 22
# A Monday, 12:00 in New York.
NOON = 1_772_470_800
FAVOURITES = [f"{line}{station:02}N" for line, station in [(0, 10), (2, 12), (5, 14), (7, 9), (9, 15)]]


def varint(number):
    number &= 0xFFFF_FFFF_FFFF_FFFF
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out) + bytes([number])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def trains():
    """(trip, line, start in seconds after noon, first station) of trains that are running at noon."""
    rng = random.Random(5)
    for index in range(TRAINS):
        line = index % LINES
        yield f"T{line}-{index:04}", line, rng.randrange(-1500, 1500), rng.randrange(0, STATIONS - CALLS)


def archive(path):
    stops, trips, calls = ["stop_id,stop_name"], ["route_id,service_id,trip_id,direction_id"], [
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence"]
    for line in range(LINES):
        stops += [f"{line}{station:02}N,Station {line}/{station}" for station in range(STATIONS)]
    for trip, line, start, first in trains():
        trips.append(f"{line},every,{trip},0")
        for call in range(CALLS):
            second = 43_200 + start + 120 * call
            clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
            calls.append(f"{trip},{clock},{clock},{line}{first + call:02}N,{call + 1}")
    days = "monday,tuesday,wednesday,thursday,friday,saturday,sunday"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, rows in {
            "agency.txt": ["agency_name,agency_url,agency_timezone", "Town,https://example.org,America/New_York"],
            "stops.txt": stops, "trips.txt": trips, "stop_times.txt": calls,
            "routes.txt": ["route_id,route_short_name,route_type"] + [f"{line},{line},1" for line in range(LINES)],
            "calendar.txt": [f"service_id,{days},start_date,end_date", "every,1,1,1,1,1,1,1,20260101,20261231"],
        }.items():
            file.writestr(name, "\n".join(rows) + "\n")


def body():
    entities = [message(1, message(1, "2.0") + number(3, NOON))]
    rng = random.Random(6)
    for index, (trip, line, start, first) in enumerate(trains()):
        name = trip if index % 2 == 0 else f"{index:06}_{line}..N"
        update = message(1, message(1, name) + message(3, "20260302") + message(5, str(line)))
        late = rng.randrange(-30, 400)
        for call in range(CALLS):
            event = number(2, NOON + start + 120 * call + late)
            update += message(2, message(2, event) + message(3, event) + message(4, f"{line}{first + call:02}N"))
        entities.append(message(2, message(1, f"{index:06}") + message(3, update + number(4, NOON - 20))))
    return b"".join(entities)


# The part of the format that both read: messages with (name, number, type). A type is another message or one of these.
KINDS = {"string": 9, "uint64": 4, "int64": 3, "int32": 5, "uint32": 13}
FORMAT = {
    "FeedMessage": [("header", 1, "FeedHeader"), ("entity", 2, "*FeedEntity")],
    "FeedHeader": [("gtfs_realtime_version", 1, "string"), ("timestamp", 3, "uint64")],
    "FeedEntity": [("id", 1, "string"), ("trip_update", 3, "TripUpdate")],
    "TripUpdate": [("trip", 1, "TripDescriptor"), ("stop_time_update", 2, "*StopTimeUpdate"), ("timestamp", 4, "uint64")],
    "TripDescriptor": [("trip_id", 1, "string"), ("start_date", 3, "string"), ("route_id", 5, "string")],
    "StopTimeUpdate": [("stop_sequence", 1, "uint32"), ("arrival", 2, "StopTimeEvent"),
                       ("departure", 3, "StopTimeEvent"), ("stop_id", 4, "string")],
    "StopTimeEvent": [("delay", 1, "int32"), ("time", 2, "int64")],
}


def pythons():
    """Python's class of a message and the name of the implementation; None if there is no protobuf in C."""
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
        from google.protobuf.internal import api_implementation
    except ImportError:
        return None
    if api_implementation.Type() == "python":
        return None
    file = descriptor_pb2.FileDescriptorProto(name="bench.proto", package="bench", syntax="proto2")
    for name, fields in FORMAT.items():
        kind = file.message_type.add(name=name)
        for field, number, declared in fields:
            of = declared.lstrip("*")
            kind.field.add(name=field, number=number, label=3 if declared[0] == "*" else 1, type=KINDS.get(of, 11),
                           type_name=None if of in KINDS else ".bench." + of)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = pool.FindMessageTypeByName("bench.FeedMessage")
    make = getattr(message_factory, "GetMessageClass", None) or message_factory.MessageFactory(pool).GetPrototype
    return make(found), api_implementation.Type()


def parse(path, count):
    """Prints the CPU time of Python's protobuf for a message in microseconds, and its implementation; nothing without one in C."""
    python = pythons()
    if not python:
        return
    with open(path, "rb") as file:
        content = file.read()
    python[0]().ParseFromString(content)
    began = time.process_time()
    for _ in range(count):
        python[0]().ParseFromString(content)
    print((time.process_time() - began) / count * 1e6, python[1], sep="\t")


def parsed(python, path, count):
    """The output of `parse` in an interpreter; empty if that has no protobuf in C."""
    run = subprocess.run([python, os.path.abspath(__file__), "--parse", path, str(count)], capture_output=True, text=True)
    return run.stdout.split() if run.returncode == 0 else []


def main(program):
    content = body()
    what = f"GTFS-Realtime of {len(content) / 1000:.0f} kB to departures of {len(FAVOURITES)} stops"
    goal = "less than Python's protobuf alone"
    ours, others = [], []
    with tempfile.TemporaryDirectory() as folder:
        feed, path = os.path.join(folder, "town.zip"), os.path.join(folder, "message.pb")
        archive(feed)
        with open(path, "wb") as file:
            file.write(content)
        # The selected interpreter, else this one, else Debian's, which has python3-protobuf if that is installed.
        pythons = [os.environ["PROTOBUF_PYTHON"]] if "PROTOBUF_PYTHON" in os.environ else [sys.executable, "/usr/bin/python3"]
        python = next((python for python in pythons if os.path.exists(python) and parsed(python, path, 1)), None)
        for _ in range(ROUNDS):
            output = subprocess.run(
                [program, "realtime", feed, ",".join(FAVOURITES), path, str(NOON), str(COUNT)],
                capture_output=True, text=True, check=True).stdout
            try:
                live, count, each = output.split("\t")
            except ValueError:
                sys.exit(f"realtime.py: {output}")
            if int(live) < 50:
                sys.exit(f"realtime.py: {live} live departures of {count}")
            ours.append(float(each))
            if python:
                each, kind = parsed(python, path, COUNT)
                others.append(float(each))
    mine = statistics.median(ours)
    if not python:
        row(what, f"{mine:.0f} us CPU, {live} live of {count}; no Python protobuf in C here", goal)
        return
    theirs = statistics.median(others)
    row(what, f"{mine / theirs:.2f} x ({mine:.0f} us CPU, {kind} {theirs:.0f}); {live} live of {count}", goal, mine < theirs)


if sys.argv[1] == "--parse":
    parse(sys.argv[2], int(sys.argv[3]))
else:
    main(sys.argv[1])
