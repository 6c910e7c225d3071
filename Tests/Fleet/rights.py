"""The files of docs/fleet at a real broker: what each line of the rights permits, and what no line permits."""
import os
import subprocess
import time

from broker import SHIPPED, Broker
from mqtt import NOT_AUTHORIZED, SESSION_TAKEN_OVER, Rejected

USERS = ["hub", "kitchen", "den", "homeassistant", "guest"]
RESPONSE, FETCHING = "boardd/1/answer/tfl/490008660N/0a1b2c3d", "boardd/1/asking/tfl/490008660N/0a1b2c3d"
PUBLISH, READ = "publish", "read"

# What each line permits: who, what, topic. `hub` is also a user to whom a line without `user` applies.
PERMITS = {
    (None, "pattern read boardd/1/#"): [
        ("kitchen", READ, RESPONSE), ("kitchen", READ, "boardd/1/list/home"), ("kitchen", READ, "boardd/1/board/den/status")],
    (None, "pattern readwrite boardd/1/board/%u/#"): [
        ("kitchen", PUBLISH, f"boardd/1/board/kitchen/{rest}") for rest in ("status", "wants", "state", "button/1", "do/press")],
    ("kitchen", "topic write boardd/1/list/+"): [("kitchen", PUBLISH, "boardd/1/list/home"), ("den", PUBLISH, "boardd/1/list/office")],
    ("hub", "topic write boardd/1/list/+"): [("hub", PUBLISH, "boardd/1/list/home")],
    (None, "pattern write homeassistant/device/boardd-%u/config"): [
        ("kitchen", PUBLISH, "homeassistant/device/boardd-kitchen/config"), ("hub", PUBLISH, "homeassistant/device/boardd-hub/config")],
    (None, "pattern read homeassistant/status"): [("kitchen", READ, "homeassistant/status")],
    ("kitchen", "topic readwrite boardd/1/answer/#"): [("kitchen", PUBLISH, RESPONSE), ("den", READ, RESPONSE)],
    ("kitchen", "topic readwrite boardd/1/asking/#"): [("kitchen", PUBLISH, FETCHING), ("den", READ, FETCHING)],
    ("hub", "topic readwrite boardd/1/answer/#"): [("hub", PUBLISH, RESPONSE), ("hub", READ, RESPONSE)],
    ("hub", "topic readwrite boardd/1/asking/#"): [("hub", PUBLISH, FETCHING), ("hub", READ, FETCHING)],
    ("homeassistant", "topic readwrite homeassistant/#"): [
        ("homeassistant", PUBLISH, "homeassistant/status"), ("homeassistant", READ, "homeassistant/device/boardd-kitchen/config")],
    ("homeassistant", "topic write boardd/1/board/+/do/#"): [
        ("homeassistant", PUBLISH, f"boardd/1/board/{board}/do/{command}") for board, command in (("kitchen", "press"), ("den", "refresh"))],
}
# What no line permits.
REJECTED = [
    ("kitchen", PUBLISH, "boardd/1/board/den/status"), ("kitchen", PUBLISH, "boardd/1/board/den/wants"),
    ("kitchen", PUBLISH, "boardd/1/board/den/do/press"), ("kitchen", PUBLISH, "homeassistant/device/boardd-den/config"),
    ("kitchen", PUBLISH, "homeassistant/status"), ("kitchen", PUBLISH, "boardd/1/list/home/more"), ("kitchen", PUBLISH, "boardd/2/list/home"),
    ("kitchen", PUBLISH, "boardd/1/anything"), ("hub", PUBLISH, "boardd/1/board/kitchen/status"),
    ("homeassistant", PUBLISH, "boardd/1/board/kitchen/status"), ("homeassistant", PUBLISH, "boardd/1/board/kitchen/wants"),
    ("kitchen", READ, "homeassistant/device/boardd-den/config"), ("kitchen", READ, "elsewhere/topic"),
    *((user, PUBLISH, topic) for user in ("guest", "homeassistant") for topic in ("boardd/1/list/home", RESPONSE, FETCHING)),
]
REJECTED_WITH_HUB = [("kitchen", PUBLISH, RESPONSE), ("kitchen", PUBLISH, FETCHING)]


def lines(name):
    """The lines of a file of rights, with the user to whom they apply."""
    user = None
    with open(os.path.join(SHIPPED, name)) as file:
        for line in filter(None, map(str.strip, file)):
            if line.startswith("user "):
                user = line.split()[1]
            elif not line.startswith("#"):
                yield user, line


class Trial:
    """Publishes and reads as each user. `root`, a user of the test, reads and writes everything."""

    def __init__(self, broker):
        self.root = broker.client("root")
        self.clients = {user: broker.client(user) for user in USERS}
        for client in self.clients.values():
            client.subscribe("#")
        self.number = 0

    def is_permitted(self, who, action, topic):
        client, self.number = self.clients[who], self.number + 1
        payload = f"trial {self.number}".encode()
        if action == PUBLISH:
            reason = client.publish(topic, payload)
            # 0x10: accepted, without a subscriber (MQTT 5, 3.4.2.1).
            return {0: True, 0x10: True, NOT_AUTHORIZED: False}.get(reason, f"reason 0x{reason:02X}")
        self.root.publish(topic, payload)
        # A second message, which everyone may read, marks the end of the wait.
        mark = f"end {self.number}".encode()
        self.root.publish("boardd/1/trial", mark)
        if not client.wait(lambda message: message.payload == mark):
            return "nothing arrives"
        return any(message.payload == payload for message in client.messages)

    def close(self):
        for client in (self.root, *self.clients.values()):
            client.close()


def file_of_rights(context, name, rejected):
    broker = Broker(name, [*USERS, "root"])
    # A user of the test only; the file of docs/fleet is a part without a change.
    with open(broker.path("acl"), "a") as file:
        file.write("\nuser root\ntopic readwrite #\n")
    broker.restart()
    trial = Trial(broker)
    try:
        for user, line in lines(name):
            permitted = PERMITS.get((user, line), [])
            results = [(one, trial.is_permitted(*one)) for one in permitted]
            failed = [result for result in results if result[1] is not True]
            context.check(f"{name}: {user + ': ' if user else ''}{line}", results and not failed, failed or "no test")
        for one in rejected:
            result = trial.is_permitted(*one)
            context.check(f"{name}: {one[0]} may not {one[1]} {one[2]}", result is False, result)
    finally:
        trial.close()
        broker.close()


def access(context):
    """Passwords, TLS, and the reason of a rejected message."""
    broker = Broker("acl", USERS)
    try:
        for what, options, reasons in (
                ("without a password", {"user": None, "password": None}, [0x87, 0x86]),
                ("with a wrong password", {"password": "wrong"}, [0x86, 0x87]),
                ("as an unknown user", {"user": "stranger", "password": "x"}, [0x86, 0x87])):
            try:
                broker.client("kitchen", **options).close()
                context.check(f"a connection {what} is rejected", False)
            except Rejected as error:
                context.check(f"a connection {what} is rejected", error.reason in reasons, error)
        for what, options in (("without TLS", {"ca": None}), ("with another authority", {"ca": "/etc/ssl/certs/ca-certificates.crt"})):
            try:
                broker.client("kitchen", **options).close()
                context.check(f"a connection {what} fails", False)
            except (Rejected, OSError) as error:
                context.check(f"a connection {what} fails", not isinstance(error, Rejected) or error.reason == 0x80, error)
        new, old = broker.client("kitchen"), broker.client("old", user="kitchen", version=4)
        context.check("a rejected message of QoS 1 has the reason not authorized in MQTT 5",
                      new.publish("boardd/1/board/den/status") == NOT_AUTHORIZED)
        context.check("in 3.1.1 the same message is acknowledged without a reason", old.publish("boardd/1/board/den/status") == 0)
        published = time.monotonic()
        new.publish("boardd/1/list/home", "x", retain=True, expiry=10)
        time.sleep(1.2)
        old.subscribe("boardd/1/list/home")
        reader = broker.client("den")
        reader.subscribe("boardd/1/list/home")
        message = reader.wait("boardd/1/list/home")
        passed = time.monotonic() - published
        # The broker counts whole seconds.
        context.check("a retained message arrives with the rest of its expiry", message and message.retained
                      and 10 - passed - 1 <= message.properties.get(0x02) <= 9, (message, passed))
        time.sleep(published + 11.5 - time.monotonic())
        late = broker.client("hub")
        late.subscribe("boardd/1/list/home")
        context.check("an expired retained message does not arrive", late.wait("boardd/1/list/home", 1) is None)
        first = broker.client("twin", user="kitchen")
        second = broker.client("twin", user="kitchen")
        # Mosquitto 2.0.11 closes the connection without a packet; newer versions send the reason session taken over.
        context.check("of two clients of one name the older one is disconnected", first.wait_for_end() in (SESSION_TAKEN_OVER, "closed"),
                      first.ended)
        context.measured("the reason", first.ended)
        for client in (new, old, reader, late, second):
            client.close()
    finally:
        broker.close()


# Mosquitto with exactly the file that the documentation names, in the place that it names.
IN_PLACE = """
ip link set lo up && mount --bind "$0" /etc/mosquitto && exec mosquitto -c /etc/mosquitto/mosquitto.conf
"""


def in_place(context):
    """The shipped files without any change, in /etc/mosquitto of a mount namespace and at port 8883 of a network namespace."""
    if subprocess.run(["unshare", "-mn", "ip", "link", "set", "lo", "up"], capture_output=True).returncode or not os.path.isdir("/etc/mosquitto"):
        return context.skip("the shipped files in /etc/mosquitto: namespaces are not permitted, or there is no such folder")
    broker = Broker("acl", USERS)
    broker.kill()
    try:
        for name in ("mosquitto.conf", "acl"):
            with open(os.path.join(SHIPPED, name), "rb") as source, open(broker.path(name), "wb") as copy:
                copy.write(source.read())
        with open(broker.path("log"), "w") as log:
            process = subprocess.Popen(["unshare", "-mn", "sh", "-c", IN_PLACE, broker.folder], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        end = time.monotonic() + 20
        while process.poll() is None and "running" not in broker.text() and time.monotonic() < end:
            time.sleep(0.05)
        isRunning = process.poll() is None
        process.terminate()
        process.wait(10)
        text = broker.text()
        context.check("mosquitto starts with the shipped files unchanged", isRunning and "running" in text and "Error" not in text, text)
        context.check("with the port that the documentation names", "listen socket on port 8883" in text, text)
    finally:
        broker.close()


def forgetting(context):
    """The lines of the file that are comments until a person removes their #."""
    broker = Broker("acl", USERS)
    try:
        with open(broker.path("acl")) as file:
            content = file.read()
        with open(broker.path("acl"), "w") as file:
            file.write(content.replace("\n#topic", "\ntopic"))
        broker.restart()
        hub = broker.client("hub")
        for topic in ("boardd/1/board/ghost/status", "boardd/1/board/ghost/wants", "boardd/1/board/ghost/state",
                      "homeassistant/device/boardd-ghost/config"):
            context.check(f"acl, without the # before four lines: hub may publish {topic}", hub.publish(topic, retain=True) in (0, 0x10))
        context.check("and no command to another board", hub.publish("boardd/1/board/ghost/do/press") == NOT_AUTHORIZED)
        hub.close()
    finally:
        broker.close()


def run(context):
    in_place(context)
    forgetting(context)
    access(context)
    file_of_rights(context, "acl", REJECTED + REJECTED_WITH_HUB)
    file_of_rights(context, "acl-without-hub", REJECTED)
