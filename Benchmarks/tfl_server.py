"""A loopback server with responses in TfL's format: departures, and a complete stop list."""
import os
import threading
import time

from common import arrivals, good_service
from servers import Server, make_certificate


class TfLServer(Server):
    """Serves http, or https if a folder for key and certificate is given.

    The first part of a path identifies the board: `url("ten")`.
    """

    def __init__(self, pages=None, keys=None):
        """`pages`: a folder from make_stops.py; without it the list is empty."""
        self.pages, self.isTLS = pages, keys is not None
        self.lock = threading.Lock()
        self.polled = []  # the board of each response with departures
        super().__init__(tls=keys and make_certificate(keys, "localhost", "certificate"))

    def url(self, board):
        return f"https://localhost:{self.port}/{board}" if self.isTLS else f"http://127.0.0.1:{self.port}/{board}"

    def respond(self, handler):
        path, _, query = handler.path.partition("?")
        _, board, kind, what, *_ = path.split("/") + ["", ""]
        if kind == "StopPoint" and what == "Mode":
            page = next((int(part[5:]) for part in query.split("&") if part.startswith("page=")), 1)
            self.send(handler, self.page(page), level=1)
        elif kind == "StopPoint" and path.endswith("/Arrivals"):
            with self.lock:
                self.polled.append(board)
            self.send(handler, arrivals(what, int(time.time())), level=9)
        elif kind == "StopPoint" and path.endswith("/Disruption"):
            self.send(handler, [], level=9)
        elif kind == "Line" and path.endswith("/Status"):
            self.send(handler, good_service(what.split(",")), level=9)
        else:
            self.send(handler, {}, 404, level=9)

    def page(self, number):
        path = os.path.join(self.pages, f"page-{number}.json") if self.pages else ""
        if not os.path.exists(path):
            return b'{"stopPoints":[],"pageSize":1000,"total":0,"page":1}'
        with open(path, "rb") as file:
            return file.read()

    def polls(self, board):
        with self.lock:
            return self.polled.count(board)
