"""An operator with SIRI Stop Monitoring on loopback that counts the requests of every board, and fails as a test requires.

SIRI, since its interval can be 10 s; TfL's cannot be shorter than 30 s. The first part of the path is the board: `url("kitchen")`.
"""
import collections
import http.server
import json
import threading
import time
import urllib.parse

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


class Operator:
    """`failing[board]`: a status code, "hang", or the seconds of a delay; None and "" as the board: of every other one."""

    def __init__(self):
        self.lock, self.requests, self.failing = threading.Lock(), [], {}
        # The destination of the first departure of a response; {count}: the number of the response.
        self.destination = "Mill {count}"
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # a response in one piece

            def do_GET(self):
                owner.respond(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, board):
        return f"http://127.0.0.1:{self.server.server_address[1]}/{board}/stop-monitoring.json"

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
            return handler.close_connection
        status = 200
        if isinstance(failing, float):
            time.sleep(failing)
        elif failing:
            status = failing
        body = json.dumps(self.departures(count) if status == 200 else {"message": "failing"}).encode()
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
        except OSError:
            pass  # the board has closed the connection

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
        self.server.shutdown()
        self.server.server_close()
