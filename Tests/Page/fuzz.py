"""Schemathesis (PyPI) with docs/control/openapi.json against a board's control socket.

A request from it that gets a response which the document does not describe, or no response, is a failure.
"""
import os
import subprocess
import threading
import socket
import socketserver

from board import Board
from started import CHECKOUT
from tfl import Operator

CONFIGURATION = """\
# 502 and 503 are documented: an operator's response is unreadable, or there is no stop directory.
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 502, 503]
# Texts are searched for: nearly any is a valid query. A time zone or a stop of favourites.toml has a grammar that JSON Schema lacks.
[checks.negative_data_rejection]
enabled = false
[checks.positive_data_acceptance]
enabled = false
"""


class Forwarder(socketserver.ThreadingTCPServer):
    """A TCP port on loopback that forwards each connection to a Unix socket."""
    daemon_threads, allow_reuse_address = True, True

    def __init__(self, path):
        self.path = path
        super().__init__(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Handler(socketserver.BaseRequestHandler):
        def handle(self):
            with socket.socket(socket.AF_UNIX) as inner:
                inner.connect(self.server.path)
                back = threading.Thread(target=self.copy, args=(inner, self.request), daemon=True)
                back.start()
                self.copy(self.request, inner)
                back.join()

        @staticmethod
        def copy(source, target):
            try:
                while data := source.recv(65536):
                    target.sendall(data)
                target.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # one side is closed


def run(context):
    program = os.path.join(context.common, "venv/bin/schemathesis")
    if not os.path.exists(program):
        return context.skip("schemathesis is not installed")
    operator = Operator()
    board = Board(context.program, ["tfl:490008660N"], operator.url)
    try:
        board.stop()
        os.mkdir(board.path("etc/settings"))  # of the board's own, which a phone sets
        board.start()
        board.update_directory()
        configuration = os.path.join(context.work, "schemathesis.toml")
        with open(configuration, "w") as file:
            file.write(CONFIGURATION)
        forwarder = Forwarder(board.path("run/control.sock"))
        result = subprocess.run(
            [program, "--config-file", configuration, "run", os.path.join(CHECKOUT, "docs/control/openapi.json"),
             "--url", f"http://localhost:{forwarder.server_address[1]}", "--exclude-path", "/v1/events",
             "--seed", "1", "--max-examples", "200" if context.isLong else "15", "--request-timeout", "30", "--no-color"],
            capture_output=True, text=True, cwd=context.work)
        forwarder.shutdown()
        print(result.stdout[-6000 if result.returncode else -900:] + result.stderr[-2000:])
        context.check("every response is as docs/control/openapi.json describes it", result.returncode == 0)
        context.check("the board runs on", board.call("GET", "/v1/state")["version"])
        board.process.poll() is None or context.check("the program runs", False, board.text()[-2000:])
    finally:
        board.close()
        operator.close()
