"""The operator of Scripts/walk-through-server.py with more stops around Oxford Circus, two with hostile names among them."""
import collections
import http.server
import importlib.util
import json
import os
import threading

CHECKOUT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
# A script, whose name is not that of a module.
spec = importlib.util.spec_from_file_location("walk_through", os.path.join(CHECKOUT, "Scripts/walk-through-server.py"))
walk = importlib.util.module_from_spec(spec)
spec.loader.exec_module(walk)

MARKUP = 'Tom & "Jerry" <b onmouseover=alert(1)>Yard</b>'
RIGHT_TO_LEFT = "\u202eשדרות רוטשילד / شارع الملك"
LONG = "Endless " + "very " * 197 + "long Lane"
# Streets as first and last position, their lines, and how many stops they have on each side.
STREETS = {
    "Regent Street": ((51.5105, -0.1366), (51.5170, -0.1428), ["88", "139"], 5),
    "Great Portland Street": ((51.5165, -0.1413), (51.5237, -0.1437), ["88"], 6),
    "Wigmore Street": ((51.5165, -0.1440), (51.5157, -0.1530), ["139"], 5),
    "Mortimer Street": ((51.5176, -0.1424), (51.5183, -0.1352), ["390"], 4),
    "Oxford Street": ((51.5142, -0.1500), (51.5164, -0.1310), ["7", "73", "390"], 6),
}


def more_stops():
    for index, (street, (first, last, lines, count)) in enumerate(STREETS.items()):
        for place in range(count):
            part = (place + 0.5) / count
            lat, lon = (a + (b - a) * part for a, b in zip(first, last))
            for side, towards in enumerate(["Euston", "Marble Arch"]):
                letter = "ABCDEFGHJKLM"[2 * place + side]
                yield walk.pole(
                    f"49000{index}{place}{side}X", street, letter, towards, f"6{index}{place}{side}0",
                    round(lat + 0.0002 * side, 6), round(lon + 0.0003 * side, 6), *lines)
    yield walk.pole("490777777A", MARKUP, "<", "A & B", "60601", 51.5130, -0.1450, "7")
    yield walk.pole("490777777B", RIGHT_TO_LEFT, "R", RIGHT_TO_LEFT, "60602", 51.5128, -0.1400, "7")
    yield walk.pole("490777777C", LONG, "L", LONG, "60603", 51.5126, -0.1380, "7")


walk.LINES |= {"88": "bus", "139": "bus"}
walk.STOPS += list(more_stops())


class Operator:
    """Serves on loopback; `polls` counts the requests for the departures of each stop. `departures`: a function that returns those
    of every stop; without it they are those of Scripts/walk-through-server.py."""

    def __init__(self, departures=None):
        self.polls = collections.Counter()
        operator = self

        class Handler(walk.Operator):
            def do_GET(self):
                steps = self.path.partition("?")[0].split("/")
                if steps[-1] == "Arrivals":
                    operator.polls[steps[-2]] += 1
                    if departures:
                        return self.respond(departures())
                super().do_GET()

            def respond(self, value):
                body = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
