"""A network that fails, and brokers that are too old, on loopback."""
import select
import socket
import threading

from mqtt import CONNECT, Parser, packet


class Server:
    """Accepts connections on a free port, each in a thread of its own."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def close(self):
        self.listener.close()


class Proxy(Server):
    """Between a board and its broker. `mode`: "pass"; "hole": bytes are no longer forwarded, and connections remain open; "cut": closed."""

    def __init__(self, target):
        self.target, self.mode, self.connections = target, "pass", 0
        super().__init__()

    def serve(self, connection):
        if self.mode == "cut":
            return connection.close()
        self.connections += 1
        with connection, socket.create_connection(("127.0.0.1", self.target)) as broker:
            pairs = {connection: broker, broker: connection}
            while self.mode != "cut":
                if self.mode == "hole":
                    # Both ends notice only that nothing arrives.
                    threading.Event().wait(0.1)
                    continue
                for one in select.select(list(pairs), [], [], 0.1)[0]:
                    try:
                        some = one.recv(65536)
                        if not some:
                            return
                        pairs[one].sendall(some)
                    except OSError:
                        return


class OldBroker(Server):
    """A broker without MQTT 5. `reply`: how it rejects the connection; None: it closes it."""

    REPLIES = {"the code of 3.1.1": packet(2, 0, b"\0\1"), "the code of MQTT 5": packet(2, 0, b"\0\x84\0"), "an end": None}

    def __init__(self, reply):
        self.reply, self.connects = reply, 0
        super().__init__()

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.port}"

    acl = ca = None

    def serve(self, connection):
        with connection:
            parser = Parser()
            while some := connection.recv(4096):
                for kind, _, _ in parser.feed(some):
                    if kind == CONNECT:
                        self.connects += 1
                        if self.reply:
                            connection.sendall(self.reply)
                        return
