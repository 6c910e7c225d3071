"""A server of map tiles on loopback, with https and a certificate made here: each tile has one colour, which follows from its place."""
import http.server
import os
import re
import ssl
import struct
import subprocess
import threading
import zlib

NAME = "tiles.test"
MOST = 3000  # requests; no test comes near it


def colour(x, y):
    """The colour of a tile, another one than that of each tile beside it."""
    return 40 + 60 * (x % 4), 40 + 60 * (y % 4), 200


def picture(x, y):
    """A PNG of one pixel, which the browser enlarges."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0" + bytes(colour(x, y)))) + chunk(b"IEND", b""))


class TileServer:
    """`requests`: path and headers of each request. `mode`: "pictures", "errors" (500), or "hangs": no response until the end."""

    def __init__(self, folder):
        self.requests, self.mode, self.ended = [], "pictures", threading.Event()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            timeout = 60

            def do_GET(self):
                server.requests.append((self.path, dict(self.headers)))
                found = re.fullmatch(r"/(\d+)/(\d+)/(\d+)\.png", self.path)
                if server.mode == "hangs":
                    server.ended.wait(60)
                    self.close_connection = True
                    return
                status = 500 if server.mode == "errors" or len(server.requests) > MOST else 200 if found else 404
                body = picture(int(found[2]), int(found[3])) if status == 200 else b""
                self.send_response(status)
                self.send_header("Content-Type", "image/png")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):  # a browser that closes its connection
                pass

        key, certificate = os.path.join(folder, "tiles-key.pem"), os.path.join(folder, "tiles.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-addext",
                        f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server = Server(("127.0.0.1", 0), Handler)
        # The thread of the connection shakes hands.
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.port = self.server.server_address[1]
        self.host = f"{NAME}:{self.port}"
        self.origin = f"https://{self.host}"
        self.url = self.origin + "/{z}/{x}/{y}.png"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def paths(self):
        return [path for path, _ in self.requests]

    def close(self):
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()
