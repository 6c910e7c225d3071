#!/usr/bin/env python3
"""Memory after ten TLS polls, and wake-ups while nothing happens: idle.py PROGRAM.

A TLS server of this machine answers with a busy stop's 60 rows. Its certificate is made here and trusted by laying a
bundle over the system's in a mount namespace of the program alone, so the program reads the whole bundle as usual.
"""
import collections
import gzip
import http.server
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time

from common import arrivals, row, write_configuration, stop

BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
SETTLE, WINDOW = 12, 60


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answers = collections.Counter()  # by the number in the URL's first part

    def do_GET(self):
        board, code = self.path.split("/")[1], self.path.split("/")[3]
        body = gzip.compress(arrivals(code, int(time.time())))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.answers[board] += 1

    def log_message(self, *_):
        pass


def serve(folder):
    """Starts the server; gives its port and the bundle that trusts it."""
    key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    bundle = os.path.join(folder, "bundle.pem")
    with open(bundle, "wb") as file:
        for part in (BUNDLE, certificate):
            with open(part, "rb") as source:
                shutil.copyfileobj(source, file)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1], bundle


def trusting(bundle):
    """The command before a program that shall trust `bundle`; nothing where namespaces are not allowed."""
    lay = 'mount --bind "$0" ' + BUNDLE + ' && exec "$@"'
    for options in (["-m"], ["-Urm"]):
        command = ["unshare", *options, "sh", "-c", lay, bundle]
        if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
            return command
    return None


def status(pid):
    with open(f"/proc/{pid}/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    return int(lines["VmRSS"].split()[0]), int(lines["RssAnon"].split()[0])


def switches(pid):
    """Voluntary context switches of each thread, by its number and name."""
    counts = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/status") as file:
                lines = dict(line.split(":", 1) for line in file)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has just ended
        counts[task, lines["Name"].strip()] = int(lines["voluntary_ctxt_switches"])
    return counts


class Board:
    def __init__(self, base, name, port, prefix, program, stops, options=()):
        self.name = name
        folder = os.path.join(base, name)
        os.mkdir(folder)
        configuration = write_configuration(
            folder, f"https://localhost:{port}/{name}", [stop(index) for index in range(stops)])
        self.log = open(os.path.join(folder, "log"), "w+b")
        self.process = subprocess.Popen(
            [*prefix, program, "run", "--config", configuration, *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.log)

    @property
    def polls(self):
        return Handler.answers[self.name]

    def wait(self, polls):
        end = time.monotonic() + 60
        while self.polls < polls:
            if time.monotonic() > end or self.process.poll() is not None:
                self.log.seek(0)
                sys.exit(f"idle.py: {self.polls} of {polls} polls came: {self.log.read().decode()}")
            time.sleep(0.2)

    def close(self):
        self.process.terminate()
        return self.process.wait(20)


def count_wakes(boards, seconds):
    """Wake-ups of each board by thread; looks every half second, since workers come and go."""
    first = [switches(board.process.pid) for board in boards]
    last = [dict(counts) for counts in first]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.5)
        for board, counts in zip(boards, last):
            counts.update(switches(board.process.pid))
    return [
        {task: count - before.get(task, 0) for task, count in counts.items()} for before, counts in zip(first, last)
    ]


def report_wakes(what, counts):
    names = collections.Counter()
    for (_, name), count in counts.items():
        names[name] += count
    total = sum(names.values()) / WINDOW
    parts = ", ".join(f"{name} {count / WINDOW:.2f}" for name, count in names.most_common() if count)
    row(f"wake-ups a second over {WINDOW} s, 2 favourites at 30 s, {what}", f"{total:.2f} ({parts})",
        "<= 2", total <= 2)


def main(program):
    with tempfile.TemporaryDirectory() as base:
        port, bundle = serve(base)
        prefix = trusting(bundle)
        if prefix is None:
            sys.exit("idle.py: unshare(1) may lay no bundle over the system's: run as root, or allow user namespaces")
        ten = Board(base, "ten", port, prefix, program, 10)
        none = Board(base, "none", port, prefix, program, 2)
        text = Board(base, "text", port, prefix, program, 2, ["--simulate"])
        ten.wait(10)
        for board in (none, text):
            board.wait(2)
        time.sleep(SETTLE)
        resident, private = status(ten.process.pid)
        row(f"resident after {ten.polls} TLS polls (10 favourites, 60 rows each)", f"{resident / 1024:.1f} MB",
            "<= 30 MB", resident <= 30 * 1024)
        row("  of it private (RssAnon)", f"{private / 1024:.1f} MB", "<= 6 MB", private <= 6 * 1024)
        for what, counts in zip(('driver "none"', "frames as text"), count_wakes((none, text), WINDOW)):
            report_wakes(what, counts)
        for board in (none, ten):
            resident, private = status(board.process.pid)
            row(f"  resident · private after {board.polls} polls ({board.name})",
                f"{resident / 1024:.1f} · {private / 1024:.1f} MB")
        codes = [board.close() for board in (ten, none, text)]
        row("  status after SIGTERM", " ".join(map(str, codes)), "0 0 0", codes == [0, 0, 0])


if __name__ == "__main__":
    main(sys.argv[1])
