"""Programs that respond at the broker's name: packets that no broker sends, of any size. The board continues, and its memory stays small."""
import concurrent.futures
import contextlib
import os
import random
import re
import signal
import socket
import ssl
import struct
import subprocess
import threading
import time

from boards import Board
from daemons import eventually
from mqtt import packet
from operators import Operator
from proxies import Server
from servers import make_certificate

ACCEPTED = packet(2, 0, b"\0\0\0")
# The assertion of libmosquitto 2.0: CONNACK with a property that does not exist.
UNKNOWN_PROPERTY = bytes.fromhex("20040000017f")
# MB, of all processes of a board together.
MEMORY = 150
# So often a board connects meanwhile.
CONNECTIONS = 5
# Fewer packets go over one connection.
MOST = 12
# The kinds of BrokerFrame (BrokerConnection.swift).
BROKER, CLIENT, CERTIFICATES, WILL, SUBSCRIBE, FROM_IT = 1, 2, 5, 6, 8, range(11, 16)


class Broker(Server):
    """Sends `reply` as soon as a client has sent something, and then nothing."""
    acl = ca = None

    def __init__(self, reply):
        self.reply, self.connections = reply, []
        super().__init__()

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.port}"

    def serve(self, connection):
        self.connections.append(time.monotonic())
        with connection, contextlib.suppress(OSError):
            connection.recv(4096)
            for part in self.reply():
                connection.sendall(part)
            while connection.recv(4096):
                pass


def processes(board):
    """The board and the process of its connection."""
    with contextlib.suppress(OSError), open(f"/proc/{board.pid}/task/{board.pid}/children") as file:
        yield from map(int, file.read().split())
    for task in os.listdir(f"/proc/{board.pid}/task"):
        with contextlib.suppress(OSError), open(f"/proc/{board.pid}/task/{task}/children") as file:
            yield from map(int, file.read().split())
    yield board.pid


def memory(pid):
    """In MB, what the process has in memory; 0: it has ended."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/status") as file:
        if found := re.search(r"VmRSS:\s+(\d+)", file.read()):
            return int(found[1]) / 1024
    return 0


def survives(context, what, reply):
    operator, broker = Operator(), Broker(reply)
    board = Board(context.program, "kitchen", broker, operator, stops=("S1",))
    try:
        pid, used = board.pid, []

        def has_connected():
            used.append(sum(memory(one) for one in set(processes(board))))
            return len(broker.connections) >= CONNECTIONS
        eventually(f"{CONNECTIONS} connections", has_connected, 120)
        # Without a session it sends the request itself after `patience`, 20 s, and up to 10 s more by chance.
        context.check(f"{what}: the board shows departures", board.shows("Mill|Weir", 40), board.display())
        context.measured(f"{what}: memory of all processes", f"{max(used):.0f} MB")
        context.check(f"{what}: the board has not ended", board.pid == pid and memory(pid) > 0, board.text())
        context.check(f"{what}: its processes have less than {MEMORY} MB", max(used) < MEMORY, max(used))
        waits = [later - earlier for earlier, later in zip(broker.connections, broker.connections[1:])]
        context.check(f"{what}: it connects again and again, half a second later or more", min(waits) >= 0.5, waits)
        context.check(f"{what}: it is in the log once or twice", 1 <= len(re.findall("fleet: mqtt", board.text())) <= 2, board.text())
    finally:
        context.check(f"{what}: the board ends well", board.close() == 0)
        broker.close()
        operator.close()


def ends(context):
    survives(context, "a property that does not exist", lambda: [UNKNOWN_PROPERTY])
    survives(context, "the same after the connection", lambda: [ACCEPTED, UNKNOWN_PROPERTY])


def large(context):
    """A message of 256 MB, although the board takes 1 MB."""
    def flood():
        yield ACCEPTED + b"\x30\xff\xff\xff\x7f\x00\x04list"
        for _ in range(2500):
            yield bytes(100_000)
    survives(context, "a message of 256 MB", flood)


# MARK: - The process of the connection alone

def frame(kind, text=b"", payload=b"", flags=0):
    body = struct.pack("<BBII", kind, flags, 0, len(text)) + text + payload
    return struct.pack("<I", len(body)) + body


def valid(rng):
    """A packet that a broker may send, with some properties."""
    properties = rng.choice([b"\0", b"\x05\x11\0\0\0\x05", b"\x03\x21\0\x0a", b"\x05\x27\0\0\xff\xff", b"\x08\x1f\0\x05hello", b"\x08\x26\0\x01a\0\x02bc",
                             b"\x02\x24\x01", b"\x02\x01\x01", b"\x05\x02\0\0\0\x1e"])
    number, topic = struct.pack(">H", rng.choice([0, 1, 2, 3, 65535, rng.randrange(65536)])), b"boardd/1/list/home"
    quality = rng.randrange(3)
    return rng.choice([
        packet(2, 0, b"\0\0" + properties),
        packet(3, quality << 1 | rng.randrange(2), struct.pack(">H", len(topic)) + topic + (number if quality else b"") + properties
               + rng.randbytes(rng.choice([0, 10, 3000]))),
        packet(rng.choice([4, 5, 7]), 0, number + rng.choice([b"", b"\0", b"\0" + properties])),
        packet(6, 2, number), packet(9, 0, number + properties + b"\0"), packet(11, 0, number + properties + b"\0"), packet(13, 0, b""),
        packet(14, 0, rng.choice([b"", b"\0", b"\x8e" + properties])), packet(15, 0, b"\x18" + properties),
    ])


def malformed(rng):
    """A packet as `valid` makes it, with faults; now and then without."""
    data = bytearray(valid(rng))
    for _ in range(rng.choice([0, 1, 1, 1, 2, 5])):
        place = rng.randrange(len(data) + 1)
        kind = rng.randrange(7)
        if kind == 0 and data:
            data[place % len(data)] = rng.randrange(256)
        elif kind == 1 and data:
            data[place % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 2:
            data[place:place] = rng.randbytes(rng.randrange(1, 9))
        elif kind == 3:
            del data[place:place + rng.randrange(1, 9)]
        elif kind == 4:  # its length
            data[1:2] = rng.choice([b"\0", b"\x7f", b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", b"\x80\x80\x80\x01", b"\x80\x00"])
        elif kind == 5:  # a number of any size
            data[place:place + 4] = rng.choice([b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff"])
        else:
            return rng.randbytes(rng.choice([1, 2, 5, 40, 400]))
    return bytes(data)


class Listener:
    """A broker for one connection after the other."""

    def __init__(self, context, isSecure, seed):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(30)
        self.url = f"{'mqtts' if isSecure else 'mqtt'}://localhost:{self.listener.getsockname()[1]}"
        self.certificate, self.tls = None, None
        if isSecure:
            self.certificate, key = make_certificate(context.work, "localhost", f"broker-{seed}")
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(self.certificate, key)

    def accept(self):
        connection, _ = self.listener.accept()
        connection.settimeout(30)
        return self.tls.wrap_socket(connection, server_side=True) if self.tls else connection


def read(end):
    """Nothing at its end, also where the process has ended before it has read everything."""
    with contextlib.suppress(ConnectionResetError):
        return end.recv(65536)
    return b""


def receive(end, kinds):
    """Reads frames until the process ends, and notes their kinds: only those of BrokerFrame, and no longer one."""
    data = b""
    while some := read(end):
        data += some
        while len(data) >= 4 and len(data) >= 4 + (length := struct.unpack("<I", data[:4])[0]):
            kinds.add(data[4] if 10 <= length <= 1_048_576 + 65_536 else f"a frame of {length} bytes")
            data = data[4 + length:]


def connection(context, listener, rng, kinds):
    """The packets that one process has taken, its memory in MB, and how it ended."""
    ours, theirs = socket.socketpair()
    process = subprocess.Popen([context.program, "connect-to-broker"], stdin=theirs)
    theirs.close()
    sent, most = 0, 0
    reader = threading.Thread(target=receive, args=(ours, kinds))
    try:
        reader.start()
        ours.sendall(frame(BROKER, listener.url.encode()) + frame(CLIENT, b"fuzz")
                     + (frame(CERTIFICATES, listener.certificate.encode()) if listener.certificate else b"") + frame(WILL, b"boardd/1/fuzz"))
        with contextlib.suppress(OSError), listener.accept() as broker:
            broker.recv(4096)
            if rng.random() < 0.9:
                broker.sendall(ACCEPTED)
                ours.sendall(frame(SUBSCRIBE, b"boardd/1/#", flags=1))
            for _ in range(rng.randrange(1, MOST)):
                broker.sendall(malformed(rng))
                sent += 1
            # It reads all of them, unless one of them ends it.
            broker.shutdown(socket.SHUT_WR)
            while broker.recv(65536):
                most = max(most, memory(process.pid))
    finally:
        ours.shutdown(socket.SHUT_WR)
        try:
            status = process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            status = "it does not end"
        reader.join()
        ours.close()
    return sent, most, status


def fuzz(context):
    count = 10_000 if context.isLong else 400
    for isSecure in (False, True):
        name = "TLS" if isSecure else "plain"

        def work(seed):
            rng, kinds, statuses, sent, most = random.Random(seed), set(), {}, 0, 0
            listener = Listener(context, isSecure, seed)
            while sent < count / 2 and sum(statuses.values()) < count:
                one, mega, status = connection(context, listener, rng, kinds)
                sent, most = sent + one, max(most, mega)
                statuses[status] = statuses.get(status, 0) + 1
            return sent, most, statuses, kinds

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(work, (1, 2)))
        statuses = {status: sum(result[2].get(status, 0) for result in results) for result in results for status in result[2]}
        kinds = set().union(*(result[3] for result in results))
        most = max(result[1] for result in results)
        context.measured(f"{name}: packets, processes by their ends, and the most memory of one",
                         f"{sum(result[0] for result in results)}, {statuses}, {most:.0f} MB")
        context.check(f"{name}: {count} packets were sent", sum(result[0] for result in results) >= count, results)
        context.check(f"{name}: every process ends, by itself or by libmosquitto", set(statuses) <= {0, -signal.SIGABRT}, statuses)
        context.check(f"{name}: only frames of known kinds come out of it", kinds <= set(FROM_IT), kinds)
        context.check(f"{name}: a process has less than 100 MB", most < 100, most)
