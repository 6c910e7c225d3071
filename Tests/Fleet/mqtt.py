"""A client of MQTT 5 and 3.1.1 with what the tests need: TLS, passwords, retained messages, expiry, and the reason of everything.

It is not a general client: one packet is written at a time, and only QoS 0 and 1 are supported. The sections are those of MQTT 5.0.
"""
import collections
import json
import socket
import ssl
import struct
import threading
import time

CONNECT, CONNACK, PUBLISH, PUBACK, SUBSCRIBE, SUBACK, DISCONNECT = 1, 2, 3, 4, 8, 9, 14
NOT_AUTHORIZED, SESSION_TAKEN_OVER = 0x87, 0x8E  # 2.4
# 2.2.2.2: the identifiers of properties by their type.
BYTE, TWO, FOUR, VARIABLE, TEXT, BINARY, PAIR = "byte", "two", "four", "variable", "text", "binary", "pair"
TYPES = {
    **dict.fromkeys([0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A], BYTE), **dict.fromkeys([0x13, 0x21, 0x22, 0x23], TWO),
    **dict.fromkeys([0x02, 0x11, 0x18, 0x27], FOUR), 0x0B: VARIABLE,
    **dict.fromkeys([0x03, 0x08, 0x12, 0x15, 0x1A, 0x1C, 0x1F], TEXT), **dict.fromkeys([0x09, 0x16], BINARY), 0x26: PAIR,
}
EXPIRY = 0x02

Message = collections.namedtuple("Message", "topic payload retained quality properties at")


def variable(number):
    encoded = b""
    while True:
        number, digit = number >> 7, number & 0x7F
        encoded += bytes([digit | (0x80 if number else 0)])
        if not number:
            return encoded


def text(value):
    value = value.encode() if isinstance(value, str) else value
    return struct.pack("!H", len(value)) + value


def packet(kind, flags, body):
    return bytes([kind << 4 | flags]) + variable(len(body)) + body


def properties(version, expiry=None):
    """None in 3.1.1."""
    encoded = b"" if expiry is None else bytes([EXPIRY]) + struct.pack("!I", expiry)
    return variable(len(encoded)) + encoded if version == 5 else b""


def connect_packet(name, user=None, password=None, version=5):
    flags = 2 | (0x80 if user is not None else 0) | (0x40 if password is not None else 0)  # a clean start
    head = text("MQTT") + bytes([version, flags]) + struct.pack("!H", 60) + properties(version)
    return packet(CONNECT, 0, head + b"".join(text(value) for value in (name, user, password) if value is not None))


def publish_packet(topic, payload, quality=0, identifier=1, is_retained=False, expiry=None, version=5):
    head = text(topic) + (struct.pack("!H", identifier) if quality else b"")
    return packet(PUBLISH, quality << 1 | is_retained, head + properties(version, expiry) + payload)


def subscribe_packet(filters, identifier=1, quality=1, version=5):
    head = struct.pack("!H", identifier) + properties(version)
    return packet(SUBSCRIBE, 2, head + b"".join(text(item) + bytes([quality]) for item in filters))


class Parser:
    """The packets of a stream of bytes."""

    def __init__(self):
        self.bytes = bytearray()

    def feed(self, some):
        self.bytes += some
        while (one := self.next()) is not None:
            yield one

    def next(self):
        """Kind, flags, body; None: not complete yet."""
        length, shift, at = 0, 0, 1
        while True:
            if at >= len(self.bytes):
                return None
            digit = self.bytes[at]
            length |= (digit & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if not digit & 0x80:
                break
        if len(self.bytes) < at + length:
            return None
        first, body = self.bytes[0], bytes(self.bytes[at:at + length])
        del self.bytes[:at + length]
        return first >> 4, first & 15, body


class Body:
    """Reads the fields of a packet."""

    def __init__(self, content):
        self.content, self.at = content, 0

    def take(self, count):
        self.at += count
        return self.content[self.at - count:self.at]

    def number(self, count):
        return int.from_bytes(self.take(count), "big")

    def text(self):
        return self.take(self.number(2))

    def variable(self):
        value = shift = 0
        while True:
            digit = self.number(1)
            value |= (digit & 0x7F) << shift
            shift += 7
            if not digit & 0x80:
                return value

    def properties(self):
        values = {}
        end = self.variable() + self.at
        while self.at < end:
            identifier = self.variable()
            kind = TYPES[identifier]
            values[identifier] = (
                (self.text().decode(), self.text().decode()) if kind == PAIR else self.text().decode() if kind == TEXT
                else self.text() if kind == BINARY else self.variable() if kind == VARIABLE
                else self.number({BYTE: 1, TWO: 2, FOUR: 4}[kind]))
        return values

    @property
    def rest(self):
        return self.content[self.at:]


class Rejected(Exception):
    """The broker has rejected the connection; `reason` is its code."""

    def __init__(self, reason):
        super().__init__(f"rejected with 0x{reason:02X}")
        self.reason = reason


class Client:
    """A connection to a broker. `messages` has what was received, in order; `ended`: why the broker has ended it, None: it has not."""

    def __init__(self, port, name, user=None, password=None, ca=None, version=5, timeout=10):
        """`ca`: the file of an authority: with TLS. The host is localhost, as in the certificates of the tests."""
        self.version, self.messages, self.ended, self.name = version, [], None, name
        self.changed, self.writing, self.responses, self.identifier = threading.Condition(), threading.Lock(), {}, 0
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        if ca:
            self.socket = ssl.create_default_context(cafile=ca).wrap_socket(self.socket, server_hostname="localhost")
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(connect_packet(name, user, password, version))
        self.parser, self.early = Parser(), []
        while not self.early:
            some = self.socket.recv(65536)
            if not some:
                raise Rejected(0x80)
            self.early += self.parser.feed(some)
        kind, _, body = self.early.pop(0)
        if kind != CONNACK or body[1]:
            self.socket.close()
            raise Rejected(body[1])
        self.socket.settimeout(None)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        try:
            for one in self.early:
                self.receive(*one)
            while some := self.socket.recv(65536):
                at = time.monotonic()
                for one in self.parser.feed(some):
                    self.receive(*one, at)
        except (OSError, ValueError):
            pass
        with self.changed:
            self.ended = self.ended or "closed"
            self.changed.notify_all()

    def receive(self, kind, flags, body, at=None):
        body = Body(body)
        if kind == PUBLISH:
            topic, quality = body.text().decode(), flags >> 1 & 3
            identifier = body.number(2) if quality else None
            values = body.properties() if self.version == 5 else {}
            if quality:
                self.send(packet(PUBACK, 0, struct.pack("!H", identifier)))
            with self.changed:
                self.messages.append(Message(topic, body.rest, bool(flags & 1), quality, values, at or time.monotonic()))
                self.changed.notify_all()
        elif kind in (PUBACK, SUBACK):
            identifier = body.number(2)
            if kind == SUBACK and self.version == 5:
                body.properties()
            with self.changed:
                self.responses[kind, identifier] = list(body.rest) if kind == SUBACK else body.rest[0] if body.rest else 0
                self.changed.notify_all()
        elif kind == DISCONNECT:
            self.ended = body.rest[0] if body.rest else 0

    def send(self, some):
        with self.writing:
            self.socket.sendall(some)

    def response(self, kind, identifier, seconds):
        with self.changed:
            if not self.changed.wait_for(lambda: (kind, identifier) in self.responses or self.ended is not None, seconds):
                raise AssertionError(f"{self.name}: no response of the broker within {seconds} s")
            if (kind, identifier) not in self.responses:
                raise AssertionError(f"{self.name}: the connection has ended: {self.ended}")
            return self.responses.pop((kind, identifier))

    def next_identifier(self):
        self.identifier = self.identifier % 65535 + 1
        return self.identifier

    def publish(self, topic, payload=b"", quality=1, retain=False, expiry=None, seconds=10):
        """With QoS 1: the reason code of the broker, 0: accepted. `payload`: bytes, a text, or a value for JSON."""
        payload = payload if isinstance(payload, bytes) else payload.encode() if isinstance(payload, str) else json.dumps(payload).encode()
        identifier = self.next_identifier()
        self.send(publish_packet(topic, payload, quality, identifier, retain, expiry, self.version))
        return self.response(PUBACK, identifier, seconds) if quality else None

    def subscribe(self, *filters, quality=1, seconds=10):
        """The reason code of each filter: the granted QoS, or 0x80 and more."""
        identifier = self.next_identifier()
        self.send(subscribe_packet(filters, identifier, quality, self.version))
        return self.response(SUBACK, identifier, seconds)

    def wait(self, matches, seconds=10, since=0):
        """The first message from index `since` on that `matches`, a topic or a function; None: not within `seconds`."""
        is_match = matches if callable(matches) else lambda message: message.topic == matches
        found = lambda: next((message for message in self.messages[since:] if is_match(message)), None)
        with self.changed:
            self.changed.wait_for(lambda: found() or self.ended is not None, seconds)
            return found()

    def wait_for_end(self, seconds=10):
        with self.changed:
            self.changed.wait_for(lambda: self.ended is not None, seconds)
        return self.ended

    def latest(self, topic):
        return next((message for message in reversed(self.messages) if message.topic == topic), None)

    def close(self):
        """Ends the connection in the regular way: the broker does not publish the will."""
        try:
            self.send(packet(DISCONNECT, 0, b""))
        except OSError:
            pass
        self.drop()

    def drop(self):
        """Closes the socket only: the broker publishes the will."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.socket.close()
