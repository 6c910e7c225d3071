"""A loopback server with responses in TfL's format: departures, and a complete stop list."""
import gzip
import http.server
import os
import ssl
import subprocess
import threading
import time

from common import arrivals, good_service


class TfLServer:
    """Serves http, or https if a folder for key and certificate is given.

    The first part of a path identifies the board: `url("ten")`.
    """

    def __init__(self, pages=None, keys=None):
        """`pages`: a folder from make_stops.py; without it the list is empty."""
        self.pages, self.isTLS = pages, keys is not None
        self.lock = threading.Lock()
        self.polled = []  # the board of each response with departures
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # a response in one piece, as real servers send small ones

            def do_GET(self):
                owner.respond(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        if keys:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*make_certificate(keys))
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, board):
        port = self.server.server_address[1]
        return f"https://localhost:{port}/{board}" if self.isTLS else f"http://127.0.0.1:{port}/{board}"

    def respond(self, handler):
        path, _, query = handler.path.partition("?")
        _, board, kind, what, *_ = path.split("/") + ["", ""]
        if kind == "StopPoint" and what == "Mode":
            page = next((int(part[5:]) for part in query.split("&") if part.startswith("page=")), 1)
            self.send(handler, 200, self.page(page))
        elif kind == "StopPoint" and path.endswith("/Arrivals"):
            with self.lock:
                self.polled.append(board)
            self.send(handler, 200, gzip.compress(arrivals(what, int(time.time()))))
        elif kind == "StopPoint" and path.endswith("/Disruption"):
            self.send(handler, 200, gzip.compress(b"[]"))
        elif kind == "Line" and path.endswith("/Status"):
            self.send(handler, 200, gzip.compress(good_service(what.split(","))))
        else:
            self.send(handler, 404, gzip.compress(b"{}"))

    def page(self, number):
        path = os.path.join(self.pages, f"page-{number}.json") if self.pages else ""
        if not os.path.exists(path):
            return gzip.compress(b'{"stopPoints":[],"pageSize":1000,"total":0,"page":1}')
        with open(path, "rb") as file:
            return gzip.compress(file.read(), 1)

    @staticmethod
    def send(handler, status, body):
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        try:
            handler.wfile.write(body)
        except OSError:
            pass  # the board has closed the connection

    def polls(self, board):
        with self.lock:
            return self.polled.count(board)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def make_certificate(folder):
    """Writes a self-signed certificate for localhost. Returns the paths of certificate and key."""
    key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    return certificate, key
