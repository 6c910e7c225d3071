"""Mosquitto for a test: a free port of loopback, a folder of its own, and the configuration and rights of docs/fleet."""
import os
import re
import shutil
import subprocess
import time

import started
from daemons import Process
from mqtt import Client
from started import CHECKOUT, free_port

SHIPPED = os.path.join(CHECKOUT, "docs/fleet")
# Users that are no board.
OTHERS = {"homeassistant", "watcher", "root", "guest"}


def openssl(*arguments, **options):
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, **options)


class Authority:
    """A certificate authority in `folder`, and certificates for localhost by it. With the commands of docs/fleet.md."""

    def __init__(self, folder):
        self.folder, self.certificate = folder, os.path.join(folder, "ca.crt")
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650", "-subj", "/CN=Boards at home", "-keyout",
                os.path.join(folder, "ca.key"), "-out", self.certificate)

    def sign(self, name, since=None):
        """Writes NAME.key and NAME.crt. `since`: seconds since 1970 at which the certificate becomes valid; default: now."""
        path = lambda suffix: os.path.join(self.folder, name + suffix)
        openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", path(".key"), "-out", path(".csr"))
        if since is None:
            openssl("x509", "-req", "-in", path(".csr"), "-CA", self.certificate, "-CAkey", os.path.join(self.folder, "ca.key"),
                    "-CAcreateserial", "-days", "825", "-copy_extensions", "copy", "-out", path(".crt"))
            return
        # x509 of OpenSSL 3.0 has no option for the first day; ca has.
        with open(path(".cnf"), "w") as file:
            file.write("[ca]\ndefault_ca=one\n[one]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\npolicy=any\n"
                       "copy_extensions=copy\nunique_subject=no\n[any]\ncommonName=supplied\n")
        open(os.path.join(self.folder, "index.txt"), "w").close()
        with open(os.path.join(self.folder, "serial"), "w") as file:
            file.write("1000\n")
        moment = lambda seconds: time.strftime("%Y%m%d%H%M%SZ", time.gmtime(seconds))
        openssl("ca", "-batch", "-notext", "-config", path(".cnf"), "-md", "sha256", "-startdate", moment(since), "-enddate",
                moment(since + 86400 * 365), "-cert", "ca.crt", "-keyfile", "ca.key", "-in", path(".csr"), "-out", path(".crt"),
                cwd=self.folder)


class Broker(Process):
    """`acl`: a file of docs/fleet, with TLS and passwords for `users`; None: without both, and every client has all rights."""

    def __init__(self, acl="acl", users=(), since=None, more="", port=None):
        self.folder = started.folder("boardd-fleet-broker-")
        self.port, self.acl, self.more, self.process = port or free_port(), acl, more, None
        # Without a privileged user, mosquitto started by root continues as its own user, which reads these files.
        os.chmod(self.folder, 0o755)
        self.ca = self.certificate = None
        if acl:
            authority = Authority(self.folder)
            self.ca = authority.certificate
            authority.sign("server", since)
            self.set_rights(users)
            self.set_users(users)
        self.write()
        self.start()

    @property
    def url(self):
        return f"mqtts://localhost:{self.port}" if self.acl else f"mqtt://127.0.0.1:{self.port}"

    @staticmethod
    def password(user):
        return f"password-of-{user}"

    def set_rights(self, users):
        """The shipped file, with its block of a board for each board that has none."""
        with open(os.path.join(SHIPPED, self.acl)) as file:
            content = file.read()
        block = re.search(r"^user kitchen\n(?:topic .*\n)+", content, re.MULTILINE)[0]
        boards = [user for user in users if user not in OTHERS and f"user {user}\n" not in content]
        with open(self.path("acl"), "w") as file:
            file.write("\n".join([content, *(block.replace("kitchen", board) for board in boards)]))

    def set_users(self, users):
        open(self.path("passwd"), "w").close()
        for user in users:
            subprocess.run(["mosquitto_passwd", "-b", self.path("passwd"), user, self.password(user)], check=True, capture_output=True)

    def write(self):
        """The shipped file with the folder and the listener of the test; nothing else of it is changed."""
        if self.acl:
            with open(os.path.join(SHIPPED, "mosquitto.conf")) as file:
                content = file.read()
            content, listeners = re.subn(r"(?m)^listener 8883$", f"listener {self.port} 127.0.0.1", content)
            assert listeners == 1, "docs/fleet/mosquitto.conf has no line: listener 8883"
            content = content.replace("/etc/mosquitto/", self.folder + "/")
        else:
            content = f"listener {self.port} 127.0.0.1\nallow_anonymous true\n"
        with open(self.path("mosquitto.conf"), "w") as file:
            file.write(content + "persistence false\n" + self.more)
        for name in os.listdir(self.folder):
            os.chmod(self.path(name), 0o644)

    def start(self):
        self.log = open(self.path("log"), "ab")
        began = os.path.getsize(self.path("log"))
        self.process = started.start(["mosquitto", "-c", self.path("mosquitto.conf"), "-v"], stdout=self.log, stderr=self.log)
        end = time.monotonic() + 20
        while not re.search(r"mosquitto version \S+ running", self.text(began)):
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"mosquitto does not start: {self.text(began)}")
            time.sleep(0.02)

    def client(self, name, user=None, **options):
        """A connection as `user`, who is `name` unless given."""
        if not self.acl:
            return Client(self.port, name, **options)
        user = user or name
        return Client(self.port, name, **{"user": user, "password": self.password(user), "ca": self.ca, **options})

    def restart(self):
        """A broker without persistence: it starts empty, on the same port."""
        self.kill()
        self.start()

    def close(self):
        if self.process.poll() is None:
            self.thaw()
            self.process.terminate()
            self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)
