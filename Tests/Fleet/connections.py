"""Brokers that a board cannot use: too old, with a certificate that is not valid, without a right, without a response, or not there."""
import contextlib
import functools
import os
import re
import time

from boards import Board
from daemons import eventually
from broker import Broker
from fleets import pause
from operators import Operator
from proxies import OldBroker, Proxy, Server
from started import free_port


class Absent:
    """A port without a server, or a name that does not resolve."""
    acl = ca = None

    def __init__(self, url):
        self.url = url


class Mute(Server):
    """Accepts connections and sends nothing."""
    acl = ca = None

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.port}"

    def serve(self, connection):
        with connection:
            while connection.recv(4096):
                pass


def with_operator(scenario):
    """A scenario with an operator of its own, which ends with it."""
    @functools.wraps(scenario)
    def run(context):
        with contextlib.closing(Operator()) as operator:
            scenario(context, operator)
    return run


def reports(context, operator, what, broker, pattern, seconds=10, **options):
    """The board has one sentence about the broker in its log and in `boardd fleet`, polls for itself, and shows departures."""
    board = Board(context.program, "kitchen", broker, operator, stops=("S1",), **options)
    try:
        sentence = board.logged(pattern, seconds)
        context.check(f"{what}: it is in the log", sentence, board.text())
        context.measured("the sentence", sentence)
        status, text = board.command("fleet")
        context.check(f"{what}: boardd fleet reports it", re.search(f"(?i){pattern}", text), (status, text))
        context.check(f"{what}: the board shows departures", board.shows("Mill|Weir", 40), board.display())
        again = len(re.findall(f"(?im)^.*(?:{pattern}).*$", board.text()))
        context.check(f"{what}: it is not in the log again and again", again <= 2, board.text())
        return board.pid
    finally:
        context.check(f"{what}: the board ends well", board.close() == 0)


@with_operator
def old(context, operator):
    for how, reply in OldBroker.REPLIES.items():
        broker = OldBroker(reply)
        reports(context, operator, f"a broker without MQTT 5 ({how})", broker, "MQTT 5" if reply else "MQTT 5|connection|lost")
        broker.close()


@with_operator
def absent(context, operator):
    reports(context, operator, "no broker", Absent(f"mqtt://127.0.0.1:{free_port()}"), "no connection")
    reports(context, operator, "a name that does not resolve", Absent("mqtt://no-such-broker.invalid"), "does not resolve")


@with_operator
def mute(context, operator):
    server = Mute()
    try:
        reports(context, operator, "a server that sends nothing", server, "does not respond|no connection|lost|MQTT 5", 90)
    finally:
        server.close()


@with_operator
def certificate(context, operator):
    """A certificate that becomes valid tomorrow. On a machine whose clock is not synchronised this is the wait for the time."""
    broker = Broker("acl", ["kitchen"], since=int(time.time()) + 86400)
    try:
        reports(context, operator, "a certificate that is not valid yet", broker, "not yet valid|waits? for the time|waiting for the time|certificate")
    finally:
        broker.close()


@with_operator
def rejected(context, operator):
    broker = Broker("acl", ["kitchen", "other"])
    try:
        board = Board(context.program, "kitchen", broker, operator, stops=("S1",), user="stranger")
        try:
            sentence = board.logged("FLEET_PASSWORD", 10)
            context.check("a rejected password: it is in the log, with what to do", sentence, board.text())
            context.check("a rejected password is not in the log itself", broker.password("stranger") not in board.text())
        finally:
            board.close()
        board = Board(context.program, "kitchen", broker, operator, stops=("S1",), user="other")
        try:
            sentence = board.logged("does not let this board", 15)
            context.check("a user without the rights of the board: it is in the log", sentence, board.text())
            context.measured("the sentence", sentence)
            status, text = board.command("check", "--online", "--config", board.path("etc/boardd.toml"))
            context.check("a user without the rights of the board: boardd check fails", status != 0 and re.search("does not permit", text), (status, text))
        finally:
            board.close()
    finally:
        broker.close()


@with_operator
def healthy(context, operator):
    broker = Broker("acl-without-hub", ["kitchen"])
    try:
        board = Board(context.program, "kitchen", broker, operator, stops=("S1",))
        try:
            status, text = board.command("check", "--online", "--config", board.path("etc/boardd.toml"))
            context.check("boardd check accepts a fleet that works", status == 0 and "fleet" in text.lower(), (status, text))
            context.measured("its lines", [line for line in text.splitlines() if "fleet" in line.lower() or "broker" in line.lower()])
            board.shows("Mill", 20)
            status, text = board.command("fleet")
            context.check("boardd fleet lists the board and its stop", status == 0 and "kitchen" in text and "S1" in text, (status, text))
            threads = thread_names(board.pid)
            context.check("the fleet has one thread", threads.count("fleet") == 1, threads)
        finally:
            context.check("the board ends well", board.close() == 0)
    finally:
        broker.close()


def thread_names(pid):
    names = []
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/comm") as file:
            names.append(file.read().strip())
    return names


@with_operator
def off(context, operator):
    """Without [fleet]: no thread, no socket, no use of the library."""
    board = Board(context.program, "kitchen", None, operator, stops=("S1",))
    try:
        board.shows("Mill", 20)
        threads = thread_names(board.pid)
        context.check("without [fleet] there is no thread of it", not "fleet" in threads, threads)
        status, text = board.command("fleet")
        context.check("without [fleet], boardd fleet names the setting", "[fleet]" in text or "broker" in text, (status, text))
        context.measured("without [fleet], boardd fleet", (status, text.strip()))
    finally:
        board.close()


@with_operator
def later(context, operator):
    """The broker is not there at the first connect: libmosquitto's own thread would end."""
    port = free_port()
    board = Board(context.program, "kitchen", Absent(f"mqtt://127.0.0.1:{port}"), operator, stops=("S1",))
    broker = None
    try:
        board.logged("no connection", 10)
        broker = Broker(None, port=port)
        watcher = broker.client("watcher")
        watcher.subscribe("boardd/1/board/+/status")
        found = watcher.wait("boardd/1/board/kitchen/status", 20)
        context.check("a broker that starts after the board is used", found is not None, board.text())
        watcher.close()
    finally:
        board.close()
        if broker:
            broker.close()


@with_operator
def dropped(context, operator):
    """A route that drops packets, without an end of the connection."""
    broker = Broker(None)
    proxy = Proxy(broker.port)
    board = Board(context.program, "kitchen", broker, operator, stops=("S1",), port=proxy.port)
    try:
        eventually("a connection", lambda: proxy.connections, 10)
        pause(2)
        proxy.mode = "hole"
        began = time.monotonic()
        before = cpu(board.pid)
        sentence = board.logged("lost|no connection|does not respond", 100)
        context.check("a route that drops packets: the board notices it", sentence, board.text())
        context.measured("a route that drops packets is noticed after", f"{time.monotonic() - began:.0f} s: {sentence}")
        context.check("meanwhile it does not use the processor", cpu(board.pid) - before < 2, cpu(board.pid) - before)
        proxy.mode = "cut"
        pause(0.5)
        proxy.mode = "pass"
        count = proxy.connections
        context.check("it connects again when the route is back", eventually("a connection", lambda: proxy.connections > count, 140))
    finally:
        context.check("the board ends well", board.close() == 0)
        proxy.close()
        broker.close()


def cpu(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100
