#!/usr/bin/env python3
"""A fleet's broker with 2,000 boards, and a board with a fleet: fleet.py broker | fleet.py board PROGRAM DIRECTORY [SECONDS].

broker: Debian's mosquitto with docs/fleet/acl and clients that behave as boards do: ten subscriptions each, responses of 5 kB, retained, QoS 1.
board: wake-ups and private memory with a fleet, without and with TLS, and without one; and the time from a response on the bus to the
display. The goals are those of docs/reliability.md.
"""
import os
import random
import resource
import selectors
import socket
import ssl
import sys
import tempfile
import time

from common import row

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Tests/Fleet"))
import mqtt
from broker import Broker
from daemon import Daemon, memory
from delivery import response_times
from fleets import Fleet
from idle import count_wakes
from tfl_server import TfLServer

CLIENTS, SECURE_CLIENTS, STOPS, SUBSCRIPTIONS = 2000, 500, 400, 10
PAYLOAD = b"r" * 5000
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pid):
    """Seconds of processor time."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def topic(stop):
    return f"boardd/1/answer/tfl/{stop:04}/0a1b2c3d"


class Crowd:
    """Clients on sockets that do not block, in one thread. It counts what arrives and acknowledges every message."""

    def __init__(self, broker, count, isSecure):
        self.broker, self.count, self.selector = broker, count, selectors.DefaultSelector()
        self.context = ssl.create_default_context(cafile=broker.ca) if isSecure else None
        self.random = random.Random(1)
        self.messages = self.subscribed = 0
        self.stops = [self.random.sample(range(STOPS), SUBSCRIPTIONS) for _ in range(count)]
        self.members = []

    def connect(self):
        """Connects all at once, and returns when each has its subscriptions."""
        self.messages = self.subscribed = 0
        self.members = [Member(self, index) for index in range(self.count)]
        return self.run(lambda: self.subscribed == self.count, 300)

    def run(self, is_done, seconds):
        """The seconds until `is_done`; fails after `seconds`."""
        began = time.monotonic()
        while not is_done():
            for key, events in self.selector.select(1):
                key.data.turn(events)
            if time.monotonic() - began > seconds:
                sys.exit(f"fleet.py: {self.subscribed} of {self.count} clients, {self.messages} messages after {seconds} s")
        return time.monotonic() - began

    def close(self):
        for member in self.members:
            self.selector.unregister(member.socket)
            member.socket.close()
        self.members = []


class Member:
    def __init__(self, crowd, index):
        self.crowd, self.index, self.parser, self.isConnected, self.events = crowd, index, mqtt.Parser(), False, selectors.EVENT_WRITE
        user = f"board-{index}"
        self.output = bytearray(mqtt.connect_packet(user, *(("crowd", crowd.broker.password("crowd")) if crowd.broker.acl else ())))
        self.output += mqtt.subscribe_packet([topic(stop) for stop in crowd.stops[index]])
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.connect_ex(("127.0.0.1", crowd.broker.port))
        crowd.selector.register(self.socket, self.events, self)

    def turn(self, events):
        if not self.isConnected and not self.begin():
            return
        try:
            if self.output:
                sent = self.socket.send(self.output)
                del self.output[:sent]
            while some := self.socket.recv(65536):
                for kind, flags, body in self.parser.feed(some):
                    self.receive(kind, flags, body)
        except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
            pass
        if self.output:
            try:
                del self.output[:self.socket.send(self.output)]
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                pass
        self.listen(selectors.EVENT_READ | (selectors.EVENT_WRITE if self.output else 0))

    def begin(self):
        """Whether the connection, and TLS, are ready."""
        try:
            if self.crowd.context:
                if not isinstance(self.socket, ssl.SSLSocket):
                    self.crowd.selector.unregister(self.socket)
                    self.socket = self.crowd.context.wrap_socket(self.socket, server_hostname="localhost", do_handshake_on_connect=False)
                    self.crowd.selector.register(self.socket, self.events, self)
                self.socket.do_handshake()
        except ssl.SSLWantReadError:
            self.listen(selectors.EVENT_READ)
            return False
        except ssl.SSLWantWriteError:
            self.listen(selectors.EVENT_WRITE)
            return False
        self.isConnected = True
        return True

    def listen(self, events):
        if events != self.events:
            self.events = events
            self.crowd.selector.modify(self.socket, events, self)

    def receive(self, kind, flags, body):
        if kind == mqtt.PUBLISH:
            self.crowd.messages += 1
            if flags >> 1 & 3:
                at = 2 + int.from_bytes(body[:2], "big")
                self.output += mqtt.packet(mqtt.PUBACK, 0, body[at:at + 2])
        elif kind == mqtt.SUBACK:
            self.crowd.subscribed += 1
        elif kind == mqtt.CONNACK and body[1]:
            sys.exit(f"fleet.py: a client is rejected with 0x{body[1]:02X}")


def crowd(count, isSecure):
    kind = "TLS" if isSecure else "plain TCP"
    # Without TLS the rights are checked as well.
    broker = Broker("acl", ["hub", "crowd"]) if isSecure else Broker(None)
    try:
        clients = Crowd(broker, count, isSecure)
        hub = broker.client("hub")
        before = memory(broker.pid)[0]
        used = cpu(broker.pid)
        took = clients.connect()
        row(f"{count} boards connect at once, {SUBSCRIPTIONS} subscriptions each, {kind}",
            f"{took:.1f} s, {(cpu(broker.pid) - used) / count * 1000:.2f} ms of CPU each")
        row("  memory of the broker", f"{(memory(broker.pid)[0] - before) / count:.1f} kB each")
        used, sent = cpu(broker.pid), 0
        expected = 0
        while expected < 10 * count:
            stop = sent % STOPS
            hub.publish(topic(stop), PAYLOAD, quality=1, retain=True, expiry=1800)
            sent += 1
            expected += sum(stop in stops for stops in clients.stops)
            clients.run(lambda: clients.messages >= expected, 60)
        used = cpu(broker.pid) - used
        row(f"  deliveries of {len(PAYLOAD) // 1000} kB with QoS 1 ({expected})", f"{expected / used:,.0f} a second of CPU")
        # All lose the connection at one moment, and get every retained response after the next one.
        clients.close()
        for stop in range(STOPS):
            hub.publish(topic(stop), PAYLOAD, quality=1, retain=True, expiry=1800)
        used = cpu(broker.pid)
        began = time.monotonic()
        clients.connect()
        clients.run(lambda: clients.messages >= count * SUBSCRIPTIONS, 120)
        took = time.monotonic() - began
        row("  all reconnect at once, and get ten retained responses each",
            f"{took:.1f} s, {(cpu(broker.pid) - used) / count * 1000:.2f} ms of CPU each")
        row("  memory of the broker then", f"{memory(broker.pid)[0] / 1024:.0f} MB")
        clients.close()
        hub.close()
    finally:
        broker.close()


def first_connect_of_a_hub(count):
    """A hub receives a message of every board when it connects."""
    for what, broker in (("default settings", Broker(None)), ("docs/fleet/mosquitto.conf", Broker("acl", ["hub", "all"]))):
        if broker.acl:
            with open(broker.path("acl"), "a") as file:
                file.write("\nuser all\ntopic readwrite #\n")
            broker.restart()
        boards = broker.client("all")
        for index in range(count):
            boards.publish(f"boardd/1/board/board-{index}/wants", b"w" * 500, retain=True)
        hub = broker.client("hub")
        began = time.monotonic()
        hub.subscribe("boardd/1/board/+/wants")
        while len(hub.messages) < count and time.monotonic() < began + 20 and (not hub.messages or time.monotonic() < hub.messages[-1].at + 2):
            time.sleep(0.05)
        got = len(hub.messages)
        took = hub.messages[-1].at - began if got else 0
        row(f"a hub connects: messages of {count} boards that arrive, {what}", f"{got}, in {took:.2f} s", *(("all", got == count) if broker.acl else ()))
        hub.close()
        boards.close()
        broker.close()


def broker_part():
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(65536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    crowd(CLIENTS, False)
    crowd(SECURE_CLIENTS, True)
    first_connect_of_a_hub(CLIENTS)


class Rows:
    """Measurements of Tests/Fleet as rows of the table."""

    def __init__(self, program):
        self.program, self.isLong = program, False

    def measured(self, what, value):
        pass

    def goal(self, what, value, isMet):
        row(what, *value.split("; goal "), isMet)

    def check(self, what, isTrue, detail=""):
        if not isTrue:
            sys.exit(f"fleet.py: {what}: {detail}")

    def skip(self, why):
        pass


def board_part(program, directory, seconds=120):
    """Boards with two favourites at 30 s: without a fleet, and with one, without and with TLS; a hub sends the requests."""
    seconds = int(seconds)
    server = TfLServer()
    with tempfile.TemporaryDirectory() as base:
        brokers = {"plain": Broker(None), "TLS": Broker("acl", ["hub", "board"])}

        def start(kind, name, patience="20s"):
            folder = os.path.join(base, f"{kind}-{name}")
            os.mkdir(folder)
            board = 'rotate = "off"\nturns = false\nhome = "first"\n'
            if broker := brokers.get(kind):
                board += f'[fleet]\nbroker = "{broker.url}"\nboard = "{name}"\npatience = "{patience}"\n'
                if broker.ca:
                    board += f'ca = "{broker.ca}"\n'
                    descriptor = os.open(os.path.join(folder, "keys.env"), os.O_WRONLY | os.O_CREAT, 0o600)
                    with os.fdopen(descriptor, "w") as file:
                        file.write(f"FLEET_USER={name}\nFLEET_PASSWORD={broker.password(name)}\n")
            return Daemon(program, folder, server.url(f"{kind}-{name}"), 2, directory, board=board)

        boards = {("off", "board"): start("off", "board")}
        boards["off", "board"].wait("first responses", lambda: server.polls("off-board") >= 2)
        for kind in brokers:
            boards[kind, "hub"] = start(kind, "hub", "0s")
            boards[kind, "hub"].wait("first responses", lambda: server.polls(f"{kind}-hub") >= 2)
            boards[kind, "board"] = start(kind, "board")
        time.sleep(65)
        order = list(boards)
        counted = count_wakes(list(boards.values()), seconds)
        rates = {key: sum(counts.values()) / seconds for key, counts in zip(order, counted)}
        private = {key: memory(boards[key].pid)[1] / 1024 for key in order}
        off = private["off", "board"]
        row(f"wake-ups a second over {seconds} s, 2 favourites, no fleet", f"{rates['off', 'board']:.2f}")
        for kind, most in (("plain", 0.4), ("TLS", 1.2)):
            own = server.polls(f"{kind}-board")
            row(f"  with a hub elsewhere, {kind}", f"{rates[kind, 'board']:.2f}, {own} requests of its own; the hub {rates[kind, 'hub']:.2f}", "<= 2.1",
                rates[kind, "board"] <= 2.1)
        row("private memory (RssAnon), no fleet", f"{off:.2f} MB")
        for kind, most in (("plain", 0.4), ("TLS", 1.2)):
            more = private[kind, "board"] - off
            row(f"  with a hub elsewhere, {kind}", f"{more:+.2f} MB; the hub {private[kind, 'hub'] - off:+.2f} MB", f"+ {most} MB", more <= most)
        for board in boards.values():
            board.close()
        for broker in brokers.values():
            broker.close()
    server.close()
    rows = Rows(program)
    with Fleet(rows, ["den"], stops=("S1",), patience="60s") as fleet:
        fleet.wait_for_first()
        response_times(rows, fleet)


if __name__ == "__main__":
    {"broker": broker_part, "board": board_part}[sys.argv[1]](*sys.argv[2:])
