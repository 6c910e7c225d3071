"""An operator with SIRI Stop Monitoring on loopback that counts the requests of every board, and fails as a test requires.

SIRI, since its interval can be 10 s; TfL's cannot be shorter than 30 s. The first part of the path is the board: `url("kitchen")`.
"""
import collections
import threading
import time
import urllib.parse

from servers import Server

FEED = "siri.vale"
KEY = "SIRI_VALE_KEY"
Request = collections.namedtuple("Request", "at board stop key")


def moment(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S.000+00:00", time.gmtime(seconds))


def visit(line, destination, made, due):
    return {"RecordedAtTime": moment(made), "MonitoredVehicleJourney": {
        "LineRef": line, "PublishedLineName": line, "DirectionRef": "out", "DestinationName": destination, "Monitored": True,
        "FramedVehicleJourneyRef": {"DataFrameRef": "1", "DatedVehicleJourneyRef": f"{line} {destination} {due}"},
        "MonitoredCall": {"StopPointName": "Mill Lane", "AimedDepartureTime": moment(due), "ExpectedDepartureTime": moment(due)}}}


class Operator(Server):
    """`failing[board]`: a status code, "hang", or the seconds of a delay; None and "" as the board: of every other one."""

    def __init__(self):
        self.lock, self.requests, self.failing = threading.Lock(), [], {}
        # The destination of the first departure of a response; {count}: the number of the response.
        self.destination = "Mill {count}"
        super().__init__()

    def address(self, board):
        return f"{self.url}/{board}/stop-monitoring.json"

    def respond(self, handler):
        path, _, query = handler.path.partition("?")
        board, stop = path.split("/")[1], urllib.parse.parse_qs(query).get("MonitoringRef", [""])[0]
        with self.lock:
            self.requests.append(Request(time.monotonic(), board, stop, handler.headers.get("apikey")))
            count = len(self.requests)
        failing = self.failing.get(board, self.failing.get(""))
        if failing == "hang":
            end = time.monotonic() + 120
            while time.monotonic() < end and self.failing.get(board, self.failing.get("")) == "hang":
                time.sleep(0.1)
            return
        status = 200
        if isinstance(failing, float):
            time.sleep(failing)
        elif failing:
            status = failing
        self.send(handler, self.departures(count) if status == 200 else {"message": "failing"}, status)

    def departures(self, count):
        now = int(time.time())
        visits = [visit("7", self.destination.format(count=count), now, now + 240)]
        visits += [visit(str(10 + index), f"Weir {index}", now, now + 400 + 200 * index) for index in range(6)]
        return {"Siri": {"ServiceDelivery": {"ResponseTimestamp": moment(now), "StopMonitoringDelivery": [
            {"ResponseTimestamp": moment(now), "MonitoredStopVisit": visits}]}}}

    def between(self, since, until=None, stop=None, board=None):
        """The requests in a part of the time, by the monotonic clock."""
        with self.lock:
            return [one for one in self.requests if one.at >= since and (until is None or one.at < until)
                    and stop in (None, one.stop) and board in (None, one.board)]

    def close(self):
        self.failing[""] = None
        super().close()
