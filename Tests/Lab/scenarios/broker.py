"""The connection to a broker as the unit permits it: in a process of its own, which a broker may end, and the board continues."""
import contextlib
import socket

from lab import *

ACCEPTED, MALFORMED = bytes.fromhex("2003000000"), bytes.fromhex("20040000017f")
note("installed", install_board())
operator, bus, button = Operator(), Bus(), Button()
listener = socket.create_server(("127.0.0.1", 0))
listener.settimeout(120)
configure(operator, log=f'[fleet]\nbroker = "mqtt://127.0.0.1:{listener.getsockname()[1]}"\nboard = "lab"\nhome_assistant = false')


def connect():
    """The next connection of the board, accepted as by a broker."""
    connection, _ = listener.accept()
    connection.settimeout(60)
    check("the board sends CONNECT", b"MQTT" in connection.recv(4096))
    connection.sendall(ACCEPTED)
    return connection


def child():
    """The process of the connection: its identifier, its user and its words."""
    for folder in glob.glob("/proc/[0-9]*"):
        with contextlib.suppress(OSError):
            if os.path.basename(os.readlink(f"{folder}/exe")).startswith("boardd") and int(folder[6:]) != main_pid():
                return int(folder[6:]), os.stat(folder).st_uid, open(f"{folder}/cmdline").read().split("\0")[1:-1]
    return None


start()
first = connect()
check("the board subscribes", b"boardd/1/" in first.recv(65536))
pid, found = main_pid(), child()
check("the connection has a process of its own, of the board's user", found and found[2] == ["connect-to-broker"] and found[1] == os.stat(f"/proc/{pid}").st_uid, found)
check("with the limit of its memory", found and re.search(r"Max data size +100663296 ", open(f"/proc/{found[0]}/limits").read()))
check("the picture is right", bus.wait(lambda picture: is_right(picture, operator), 60), bus.text())
first.sendall(MALFORMED)
second = connect()
check("a malformed packet ends that process, and not the board", main_pid() == pid and child() not in (None, found), (found, child()))
# What the library does with the packet depends on its version.
check("it is in the log", re.search("fleet: .*(the process of the connection crashed|connection lost)", journal()))
check("the picture is still right", bus.wait(lambda picture: is_right(picture, operator), 60), bus.text())
received = []
reader = threading.Thread(target=lambda: [received.append(some) for some in iter(lambda: second.recv(65536), b"")], daemon=True)
reader.start()
began = time.monotonic()
run("systemctl stop boardd")
reader.join(20)
figure("systemctl stop, with a broker that acknowledges nothing", time.monotonic() - began, 5, "s")
check("it ends well", properties("Result")["Result"] == "success" and not is_active())
check("the broker gets DISCONNECT, and so publishes no will", b"\xe0" in b"".join(received)[-4:], b"".join(received)[-40:])
check("no process is left", child() is None, child())
finish()
