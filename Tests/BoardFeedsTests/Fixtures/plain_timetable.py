"""The departures of every stop of a GTFS zip on some days, in the plainest way: plain_timetable.py ZIP YYYYMMDD...

An independent reading of the same files, against which the product's is checked. Prints a line a departure from midnight
to midnight, with tabs between stop_id, seconds since 1970, trip_id, service day, route and headsign.
"""
import csv
import datetime
import io
import sys
import zipfile
import zoneinfo

archive = zipfile.ZipFile(sys.argv[1])


def rows(name):
    for member in archive.namelist():
        if member.split("/")[-1] == name and "__MACOSX" not in member:
            text = io.TextIOWrapper(archive.open(member), "utf-8-sig", newline="")
            return [{(key or "").strip(): (value or "").strip() for key, value in row.items() if isinstance(value, str)}
                    for row in csv.DictReader(text, skipinitialspace=True)]
    return []


def seconds(text):
    parts = [int(part) for part in text.split(":")]
    return parts[0] * 3600 + parts[1] * 60 + parts[2]


def day(text):
    return datetime.date(int(text[:4]), int(text[4:6]), int(text[6:]))


zone = zoneinfo.ZoneInfo(rows("agency.txt")[0]["agency_timezone"])
names = {row["stop_id"]: row.get("stop_name", "") for row in rows("stops.txt")}
lines = {row["route_id"]: row.get("route_short_name") or row.get("route_long_name") or row["route_id"]
         for row in rows("routes.txt")}
week = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
calendar = {row["service_id"]: row for row in rows("calendar.txt")}
exceptions = {(row["service_id"], row["date"]): row["exception_type"] for row in rows("calendar_dates.txt")}
again = {}
for row in rows("frequencies.txt"):
    again.setdefault(row["trip_id"], []).append(row)
calls = {}
for row in rows("stop_times.txt"):
    calls.setdefault(row["trip_id"], []).append(row)


def runs(service, date):
    exception = exceptions.get((service, date.strftime("%Y%m%d")))
    if exception:
        return exception == "1"
    row = calendar.get(service)
    return bool(row) and day(row["start_date"]) <= date <= day(row["end_date"]) and row[week[date.weekday()]] == "1"


def noon_less_twelve_hours(date):
    return int(datetime.datetime(date.year, date.month, date.day, 12, tzinfo=zone).timestamp()) - 12 * 3600


def midnight(date):
    return int(datetime.datetime(date.year, date.month, date.day, tzinfo=zone).timestamp())


def timed(stops):
    """The calls of a trip with departures in seconds; blank ones in equal steps between those that have one."""
    stops = sorted(stops, key=lambda row: int(row["stop_sequence"]))
    arrivals = [row["arrival_time"] or row["departure_time"] for row in stops]
    departures = [row["departure_time"] or row["arrival_time"] for row in stops]
    result = []
    for index, row in enumerate(stops):
        if departures[index]:
            result.append((row, seconds(departures[index])))
            continue
        before = max(place for place in range(index) if departures[place])
        after = min(place for place in range(index, len(stops)) if departures[place])
        first, last = seconds(departures[before]), seconds(arrivals[after])
        result.append((row, first + (last - first) * (index - before) // (after - before)))
    return result


for date in map(day, sys.argv[2:]):
    window = range(midnight(date), midnight(date + datetime.timedelta(1)))
    services = [date + datetime.timedelta(offset) for offset in (-2, -1, 0, 1)]
    for trip in rows("trips.txt"):
        days = [service for service in services if runs(trip["service_id"], service)]
        if not days or trip["trip_id"] not in calls:
            continue
        stops = timed(calls[trip["trip_id"]])
        start = stops[0][1]
        starts = [start]
        if trip["trip_id"] in again:
            starts = [begin for row in again[trip["trip_id"]]
                      for begin in range(seconds(row["start_time"]), seconds(row["end_time"]), int(row["headway_secs"]))]
        for service in days:
            beginning = noon_less_twelve_hours(service)
            for begin in starts:
                for row, departure in stops[:-1]:
                    at = beginning + begin + departure - start
                    if at in window and row.get("pickup_type") != "1":
                        headsign = row.get("stop_headsign") or trip.get("trip_headsign") or names[stops[-1][0]["stop_id"]]
                        print(row["stop_id"], at, trip["trip_id"], service, lines[trip["route_id"]], headsign, sep="\t")
