#!/usr/bin/env python3
"""From a city's zip to departures, compared with unzip and Python's csv on the same files: gtfs.py BOARDD_BENCH.

The recording is New York's subway, from the tests' folder of recordings; the large feed is invented here, and its 20 million
rows are deleted afterwards.
"""
import csv
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

from common import row

ROUNDS, LARGE_ROUNDS = 7, 3
RATIO, MEMORY, CSV_RATIO, QUERY = 2, 48, 8, 200
READ = ["agency.txt", "stops.txt", "routes.txt", "trips.txt", "stop_times.txt", "calendar.txt", "calendar_dates.txt"]
# Times Square, Grand Central, 34 Street, Union Square and Van Cortlandt Park; a Wednesday at 08:00 in New York.
NYC, NYC_STOPS, NYC_MOMENT = "gtfs/nyc_subway.zip", "127,631,A28,R20,101", 1_532_520_000
# Lines, each with two directions; stops of a trip; trips of a direction on weekdays, Saturdays and Sundays.
LINES, STOPS, SERVICES = 1_000, 36, {"WKD": 135, "SAT": 80, "SUN": 70}
# Directions that call at the station, each at one of its platforms: 10,000 calls on a weekday.
HUB_DIRECTIONS, PLATFORMS = 75, 8
LARGE_MOMENT = 1_773_144_000  # Tuesday, 10 March 2026, 08:00 in New York


def timed(command):
    began = time.monotonic()
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return time.monotonic() - began, output.decode()


def against_unzip(program, archive, stops, moment, rounds):
    """The medians of both, alternating, and the program's figures."""
    ours, unzips = [], []
    with zipfile.ZipFile(archive) as names:
        read = [name for name in READ if name in names.namelist()]
    for _ in range(rounds):
        began = time.monotonic()
        with open(os.devnull, "wb") as nowhere:
            subprocess.run(["unzip", "-p", archive, *read], stdout=nowhere, check=True)
        unzips.append(time.monotonic() - began)
        took, output = timed([program, "timetable", archive, stops, str(moment)])
        if "\t" not in output:
            sys.exit(f"gtfs.py: {output}")
        ours.append(took)
    names = ["rows", "trips", "patterns", "calls", "peak", "idle", "query", "found"]
    return statistics.median(ours), statistics.median(unzips), dict(zip(names, map(float, output.split("\t"))))


def report(what, ours, unzip, figures):
    row(f"{what} ({figures['rows'] / 1e3:,.0f} k rows) to departures of 5 stops, process start included",
        f"{ours / unzip:.2f} x unzip ({ours * 1e3:.0f} ms, unzip -p {unzip * 1e3:.0f}; {figures['trips']:,.0f} trips stored)",
        f"<= {RATIO} x", ours <= RATIO * unzip)


def single_rows(file, wanted):
    """Selects the rows at some stops. Returns the number of their trips."""
    rows = csv.reader(file)
    stop = next(rows).index("stop_id")
    return len({entry[0] for entry in rows if entry[stop] in wanted})


def against_csv(program, folder, archive):
    """An unpacked stop_times.txt with Python's csv module: only the rows at some stops, which is less work than ours."""
    with zipfile.ZipFile(archive) as whole:
        path = whole.extract("stop_times.txt", folder)
    wanted = {f"{code}N" for code in NYC_STOPS.split(",")}
    ours, pythons = [], []
    for _ in range(ROUNDS):
        output = timed([program, "scan", path, ",".join(wanted)])[1]
        ours.append(float(output.split("\t")[2]))
        began = time.process_time()
        with open(path, newline="", encoding="utf-8-sig") as file:
            found = single_rows(file, wanted)
        pythons.append(time.process_time() - began)
        if found != int(output.split("\t")[1]):
            sys.exit(f"gtfs.py: {output} where Python finds {found} trips")
    os.unlink(path)
    own, single = statistics.median(ours), statistics.median(pythons)
    row("its stop_times.txt, unpacked: Python's csv module selecting the rows at 5 stops, ours the complete trips that call there",
        f"{single / own:.1f} x ours ({single * 1e3:.0f} ms CPU, ours {own * 1e3:.0f})",
        f">= {CSV_RATIO} x", single >= CSV_RATIO * own)


def clock(second):
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def large(path, is_sorted=True):
    """Writes the invented feed. Returns the size of its stop_times.txt and its five stops, the station first.

    If it is not sorted, the rows of a line's trips are in the order of the stops, so that the rows of every trip are scattered.
    """
    rng = random.Random(1)
    times = [clock(second) for second in range(30 * 3600)]
    directions = []
    for line in range(LINES):
        for direction in (0, 1):
            stops = [f"S{rng.randrange(30_000):05}" for _ in range(STOPS)]
            place, step = len(directions), 2 * LINES // HUB_DIRECTIONS
            if place % step == 0 and place // step < HUB_DIRECTIONS:
                stops[rng.randrange(5, 30)] = f"HUB{rng.randrange(PLATFORMS)}"
            # The times from stop to stop, at six times of the day.
            profiles = []
            for _ in range(6):
                offsets = [0]
                for _ in range(STOPS - 1):
                    offsets.append(offsets[-1] + rng.randrange(60, 180))
                profiles.append(offsets)
            directions.append((line, direction, stops, profiles))
    trips, size = [], 0
    # The decompression time of the unsorted one is not measured.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6 if is_sorted else 1) as archive:
        with archive.open("stop_times.txt", "w", force_zip64=True) as file:
            header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type\n"
            size += file.write(header.encode())
            for line, direction, stops, profiles in directions:
                ends = [f",{stop},{sequence},0,0\n" for sequence, stop in enumerate(stops, 1)]
                for service, count in SERVICES.items():
                    lines = []
                    for number in range(count):
                        start = 5 * 3600 + number * (19 * 3600 // count)
                        trip = f"L{line:04}-{direction}-{service}26-{number:04}"
                        trips.append(f"L{line:04},{service},{trip},{direction}\n")
                        for offset, end in zip(profiles[start // 14_400 % 6], ends):
                            at = times[start + offset]
                            lines.append(f"{trip},{at},{at}{end}")
                    if not is_sorted:
                        lines = [line for stop in range(STOPS) for line in lines[stop::STOPS]]
                    size += file.write("".join(lines).encode())
        archive.writestr("trips.txt", "route_id,service_id,trip_id,direction_id\n" + "".join(trips))
        archive.writestr("routes.txt", "route_id,route_short_name,route_type\n" + "".join(
            f"L{line:04},{line},3\n" for line in range(LINES)))
        platforms = "".join(f"HUB{number},Hub,40.0,-74.0,0,HUB\n" for number in range(PLATFORMS))
        archive.writestr("stops.txt", "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station\n" + "".join(
            f"S{number:05},Stop {number},40.0,-74.0,0,\n" for number in range(30_000)) + "HUB,Hub,40.0,-74.0,1,\n" + platforms)
        days = {"WKD": "1,1,1,1,1,0,0", "SAT": "0,0,0,0,0,1,0", "SUN": "0,0,0,0,0,0,1"}
        archive.writestr("calendar.txt", (
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
            + "".join(f"{service},{week},20260101,20261231\n" for service, week in days.items())))
        archive.writestr("agency.txt", (
            "agency_id,agency_name,agency_url,agency_timezone\nA,Invented,http://example.org,America/New_York\n"))
    return size, ",".join(["HUB", *(directions[index][2][0] for index in (1, 2, 3, 4))])


def main(program):
    checkout = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    recordings = os.environ.get("BOARDD_FIXTURES", os.path.join(checkout, "..", "shared", "fixtures"))
    recording = os.path.join(recordings, NYC)
    # Next to the program: on a disk, unlike /tmp on some machines.
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(program))) as folder:
        if os.path.exists(recording):
            report("nyc_subway.zip", *against_unzip(program, recording, NYC_STOPS, NYC_MOMENT, ROUNDS))
            against_csv(program, folder, recording)
        else:
            row("nyc_subway.zip to departures of 5 stops", "not measured: no recording")
        archive = os.path.join(folder, "large.zip")
        size, stops_of_interest = large(archive)
        ours, unzip, figures = against_unzip(program, archive, stops_of_interest, LARGE_MOMENT, LARGE_ROUNDS)
        report(f"an invented feed of {size / 1e9:.2f} GB", ours, unzip, figures)
        memory = (figures["peak"] - figures["idle"]) / 1e3
        row("  its peak memory above that of the idle process", f"{memory:.1f} MB", f"<= {MEMORY} MB", memory <= MEMORY)
        stops, peak, idle = map(float, timed([program, "stops", archive])[1].split("\t"))
        memory = (peak - idle) / 1e3
        row(f"  its {stops:,.0f} stops with their lines, as in the stop directory: peak memory above idle",
            f"{memory:.1f} MB", f"<= {MEMORY} MB", memory <= MEMORY)
        row("departures of the next hour at a station with 10,000 calls a day",
            f"{figures['query'] / 1e3:.3f} ms ({figures['found']:.0f} departures)", f"<= {QUERY / 1e3} ms",
            figures["query"] <= QUERY)
        large(archive, is_sorted=False)
        ours, unzip, figures = against_unzip(program, archive, stops_of_interest, LARGE_MOMENT, 1)
        memory = (figures["peak"] - figures["idle"]) / 1e3
        row("the invented feed with the rows of every trip scattered, which is read twice: peak memory above idle",
            f"{memory:.1f} MB ({ours:.1f} s, {ours / unzip:.1f} x unzip; {figures['trips']:,.0f} trips stored)",
            f"<= {MEMORY} MB", memory <= MEMORY)


main(sys.argv[1])
