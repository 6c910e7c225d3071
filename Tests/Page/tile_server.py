"""A server of map tiles on loopback, with https and a certificate made here: each tile has one colour, which follows from its place."""
import re
import struct
import threading
import zlib

from servers import Server, make_certificate

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


class TileServer(Server):
    """`requests`: path and headers of each request. `mode`: "pictures", "errors" (500), or "hangs": no response until the end."""

    def __init__(self, folder):
        self.requests, self.mode, self.ended = [], "pictures", threading.Event()
        super().__init__(tls=make_certificate(folder, NAME, "tiles"))
        self.host = f"{NAME}:{self.port}"
        self.origin = f"https://{self.host}"
        self.pattern = self.origin + "/{z}/{x}/{y}.png"

    def respond(self, handler):
        self.requests.append((handler.path, dict(handler.headers)))
        found = re.fullmatch(r"/(\d+)/(\d+)/(\d+)\.png", handler.path)
        if self.mode == "hangs":
            self.ended.wait(60)
            handler.close_connection = True
            return
        status = 500 if self.mode == "errors" or len(self.requests) > MOST else 200 if found else 404
        self.send(handler, picture(int(found[2]), int(found[3])) if status == 200 else b"", status, "image/png")

    def paths(self):
        return [path for path, _ in self.requests]

    def close(self):
        self.ended.set()
        super().close()
