"""What is right on the display while boardd replays the demo's recording, read from the recording itself."""
import calendar
import glob
import json
import os
import re
import time

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../etc/demo/recording")
ROW = re.compile(r"^(\S+) +(\S.*?) +~?(due|\d+m)$")
START = 15  # seconds from the start of the program until it begins the recording


def seconds(text):
    whole, _, fraction = text.rstrip("Z").partition(".")
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) + float(f"0.{fraction or 0}")


class Stop:
    """A stop of TfL in the recording, with some of its lines, whose program was started at `began`."""

    def __init__(self, name, code, lines, began):
        self.name, self.began, self.responses, times = name, began, [], []
        for path in sorted(glob.glob(f"{FOLDER}/*.http")):
            with open(path, encoding="utf-8") as file:
                head, _, body = file.read().partition("\n\n")
            at = seconds(re.search(r"^at: (.*)$", head, re.M)[1])
            times.append(at)
            if f"/StopPoint/{code}/Arrivals\n" in head:
                self.responses.append((at, [(seconds(bus["expectedArrival"]), bus["lineName"], bus["destinationName"])
                                            for bus in json.loads(body) if not lines or bus["lineName"] in lines]))
        self.first, self.length = min(times), max(times) - min(times) + 30

    def is_right(self, picture):
        """Whether the picture shows the next three departures of one of the last responses, each with the right minutes."""
        found = [ROW.match(row) for row in picture[1:]]
        if not picture[0].startswith(self.name) or not all(found):
            return False
        shown = [match.groups() for match in found]
        return any(len(rows) == len(shown) and all(line == right and place.startswith(towards.split()[0].rstrip("…")) and value == due
                                                   for (line, towards, value), (right, place, due) in zip(shown, rows))
                   for rows in self.possible(time.time()))

    def possible(self, now):
        for start in range(START):
            at = self.first + (now - self.began - start) % self.length
            for received, buses in self.responses:
                if at - 75 <= received <= at:
                    yield [(line, place, text(due - at)) for due, line, place in sorted(buses) if due - at > -30][:3]


def text(left):
    return "due" if left < 30 else f"{max(1, int(left // 60))}m"
