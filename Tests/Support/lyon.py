"""Lyon's operator on loopback, for a board that is set up: a timetable with two lines, and a list of cities with its address."""
import threading

from gtfs import share, timetable
from servers import Server

OPERATOR, STOP = "Transports en Commun Lyonnais (TCL)", "gtfs.tcl:bellecour"
STOPS = [("bellecour", "Bellecour", 45.7578, 4.8320), ("partdieu", "Part-Dieu", 45.7606, 4.8596), ("charpennes", "Charpennes", 45.7707, 4.8631)]
LINES = [("A", ["bellecour", "partdieu", "charpennes"]), ("B", ["charpennes", "partdieu", "bellecour"])]


def city(number, town, operator, title, address, key=("", "", ""), quality="stable", date=""):
    """A line of the list of cities, whose first lines name its columns."""
    return "\t".join([number, "FR", "", town, operator, "", address, "", *key, "", "45.568,4.641,45.917,5.130", quality, "", title, "", "=", "500", date]) + "\n"


class Lyon(Server):
    """Serves the timetable unless it `is_dead`, once it `is_ready`. `share`: a folder with the shipped files, whose list of cities has Lyon, and Vienne, which needs a
    key."""

    def __init__(self):
        self.archive, self.is_dead = timetable("TCL", "Europe/Paris", STOPS, LINES), False
        self.is_ready = threading.Event()
        self.is_ready.set()
        super().__init__()
        self.share = share([
            city("2006", "Lyon", OPERATOR, "TCL", f"{self.url}/tcl.zip"),
            city("7", "Vienne", "L’va", "L’va", f"{self.url}/lva.zip", ("2", "X-Key", "https://keys.example/register?for=lva"), "dated", "2022-04"),
        ])

    def respond(self, handler):
        if self.is_dead:
            return self.send(handler, b"", 404)
        self.is_ready.wait()
        self.send(handler, self.archive, kind="application/zip")
