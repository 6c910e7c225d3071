"""Lyon's operator on loopback, for a board that is set up: a timetable with two lines, and a list of cities with its address."""
import csv
import datetime
import io
import os
import zipfile

import started
from servers import Server
from started import CHECKOUT

OPERATOR, STOP = "Transports en Commun Lyonnais (TCL)", "gtfs.tcl:bellecour"
STOPS = [("bellecour", "Bellecour", 45.7578, 4.8320), ("partdieu", "Part-Dieu", 45.7606, 4.8596), ("charpennes", "Charpennes", 45.7707, 4.8631)]


def timetable():
    """A timetable in GTFS with two lines, every five minutes of each day."""
    today = datetime.date.today()
    period = [f"{today + datetime.timedelta(days=days):%Y%m%d}" for days in (-2, 60)]
    times = []
    for minute in range(0, 24 * 60, 5):
        for trip, (line, calls) in enumerate((("A", STOPS), ("B", STOPS[::-1]))):
            for place, (stop, *_) in enumerate(calls):
                at = f"{(minute + 4 * place) // 60:02}:{(minute + 4 * place) % 60:02}:00"
                times.append((f"{line}{minute}", at, at, stop, place))
    files = {
        "agency": [("agency_id", "agency_name", "agency_url", "agency_timezone"), ("tcl", "TCL", "https://tcl.example", "Europe/Paris")],
        "stops": [("stop_id", "stop_name", "stop_lat", "stop_lon"), *STOPS],
        "routes": [("route_id", "agency_id", "route_short_name", "route_long_name", "route_type"), ("A", "tcl", "A", "Line A", 1), ("B", "tcl", "B", "Line B", 1)],
        "calendar": [("service_id", *"monday tuesday wednesday thursday friday saturday sunday".split(), "start_date", "end_date"), ("daily", *[1] * 7, *period)],
        "trips": [("route_id", "service_id", "trip_id", "trip_headsign", "direction_id"),
                  *((line, "daily", f"{line}{minute}", calls[-1][1], side) for minute in range(0, 24 * 60, 5)
                    for side, (line, calls) in enumerate((("A", STOPS), ("B", STOPS[::-1]))))],
        "stop_times": [("trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"), *times],
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, rows in files.items():
            text = io.StringIO()
            csv.writer(text).writerows(rows)
            packed.writestr(f"{name}.txt", text.getvalue())
    return archive.getvalue()


def city(number, town, operator, title, address, key=("", "", ""), quality="stable", date=""):
    """A line of the list of cities, whose first lines name its columns."""
    return "\t".join([number, "FR", "", town, operator, "", address, "", *key, "", "45.568,4.641,45.917,5.130", quality, "", title, "", "=", "500", date]) + "\n"


class Lyon(Server):
    """Serves the timetable unless it `is_dead`. `share`: a folder with the shipped files, whose list of cities has Lyon, and Vienne, which needs a
    key."""

    def __init__(self):
        self.archive, self.is_dead = timetable(), False
        super().__init__()
        self.share = started.folder("boardd-share-")
        for name in os.listdir(os.path.join(CHECKOUT, "etc")):
            if name != "cities.tsv":
                os.symlink(os.path.join(CHECKOUT, "etc", name), os.path.join(self.share, name))
        with open(os.path.join(self.share, "cities.tsv"), "w") as file:
            file.write(city("2006", "Lyon", OPERATOR, "TCL", f"{self.url}/tcl.zip"))
            file.write(city("7", "Vienne", "L’va", "L’va", f"{self.url}/lva.zip", ("2", "X-Key", "https://keys.example/register?for=lva"), "dated", "2022-04"))

    def respond(self, handler):
        if self.is_dead:
            return self.send(handler, b"", 404)
        self.send(handler, self.archive, kind="application/zip")
