"""The https recipes of docs/page: Caddy and nginx as Debian packs them, in front of a board, with a certificate made here."""
import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile

from selenium.webdriver.common.by import By

from board import Board
from browser import Browser
from daemons import eventually
from servers import make_certificate
from started import CHECKOUT, free_port
from tfl import Operator

NAME = "board.test"


class TLSConnection(http.client.HTTPSConnection):
    """A connection to a proxy on loopback by the name `NAME`, whatever `Host` is sent."""

    def connect(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.sock = context.wrap_socket(socket.create_connection(("127.0.0.1", self.port), 15), server_hostname=NAME)


def recipe(name, replacements):
    """The text of a recipe with the addresses of this test; fails where the recipe lacks one of them."""
    with open(os.path.join(CHECKOUT, "docs/page", name)) as file:
        text = file.read()
    for old, new in replacements.items():
        if old not in text:
            raise AssertionError(f"docs/page/{name} has no {old!r}")
        text = text.replace(old, new)
    return text


def caddy(root, folder, port, board):
    text = recipe("Caddyfile", {"\nboardpi.local {": f"\nhttps://{NAME}:{port} {{", "127.0.0.1:80": f"127.0.0.1:{board.port}",
                                "\tskip_install_trust\n": "\tskip_install_trust\n\tadmin off\n"})
    path = os.path.join(folder, "Caddyfile")
    with open(path, "w") as file:
        file.write(text)
    return [os.path.join(root, "usr/bin/caddy"), "run", "--config", path, "--adapter", "caddyfile"]


def nginx(root, folder, port, board):
    make_certificate(folder, NAME, "board")
    text = recipe("nginx.conf", {"boardpi.local;": f"{NAME};", "127.0.0.1:80;": f"127.0.0.1:{board.port};", "listen 443": f"listen 127.0.0.1:{port}",
                                 "listen [::]:443 ssl;": "", "/etc/nginx/": folder + "/"})
    path = os.path.join(folder, "nginx.conf")
    with open(path, "w") as file:
        paths = "".join(f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        file.write(f"daemon off;\npid {folder}/pid;\n{'user root;' if os.geteuid() == 0 else ''}\nevents {{}}\n"
                   f"http {{\naccess_log off;\n{paths}{text}}}\n")
    return [os.path.join(root, "usr/sbin/nginx"), "-p", folder, "-e", "stderr", "-c", path]


def walk(context, name, port, board):
    address = f"{NAME}:{port}"

    def call(method, target, body=None, **headers):
        connection = TLSConnection("127.0.0.1", port)
        connection.request(method, target, None if body is None else json.dumps(body), {"Host": address, **headers})
        response = connection.getresponse()
        result = response.status, response.read()
        connection.close()
        return result

    def is_served():
        try:
            return call("GET", "/")[0] == 200
        except OSError:
            return False
    eventually(f"the page by {name}", is_served)
    status, _ = call("GET", "/", Host=f"evil.test:{port}")
    context.check(f"{name}: another Host gets 421", status == 421, status)
    origin = {"Content-Type": "application/json", "Origin": f"https://{address}", "Sec-Fetch-Site": "same-origin"}
    status, text = call("POST", "/v1/press", {"gesture": "short"}, **origin)
    context.check(f"{name}: the origin is https, and only the token is missing", status == 401, f"{status} {text}")
    status, text = call("POST", "/v1/press", {"gesture": "short"}, **{**origin, "Origin": f"http://{address}"})
    context.check(f"{name}: the origin without https gets 403", status == 403, f"{status} {text}")

    events = TLSConnection("127.0.0.1", port)
    events.request("GET", "/v1/events", headers={"Host": address})
    response = events.getresponse()
    context.check(f"{name}: the events begin with the state", response.readline() == b"event: state\n")
    response.readline()
    board.call("POST", "/v1/press", {"gesture": "short"})
    # A proxy with a buffer would send nothing for long.
    line = next((line for line in response if line == b"event: display\n"), None)
    context.check(f"{name}: an event leaves at once", line)
    events.close()

    with Browser(context.chromedriver) as browser:
        browser.get(f"https://{address}/")
        eventually("departures on the page", lambda: "Archway" in browser.find_element(By.TAG_NAME, "body").text)
        context.check(f"{name}: the page is a secure context", browser.execute_script("return isSecureContext"))
        context.check(f"{name}: nothing is reported on the console", not (found := browser.complaints()), found)


def run(context):
    context.skip("tailscale serve needs an account, so its command in docs/page.md is not tested")
    root = os.path.join(context.common, "root")
    operator = Operator()
    board = Board(context.program, ["tfl:490008660N", "tfl:490008660S"], operator.url)
    try:
        for name, command, program in (("Caddy", caddy, "usr/bin/caddy"), ("nginx", nginx, "usr/sbin/nginx")):
            if not os.path.exists(os.path.join(root, program)):
                context.skip(f"{name} could not be downloaded: its recipe is not tested")
                continue
            folder, port = tempfile.mkdtemp(prefix="boardd-proxy-"), free_port()
            # Caddy stores its authority in XDG_DATA_HOME.
            environment = {**os.environ, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder, "HOME": folder}
            with open(os.path.join(folder, "log"), "w+") as log:
                proxy = subprocess.Popen(command(root, folder, port, board), stdout=log, stderr=log, env=environment)
                try:
                    walk(context, name, port, board)
                except Exception as error:
                    log.seek(0)
                    context.check(f"the recipe for {name}", False, f"{error!r}\n{log.read()[-3000:]}")
                finally:
                    proxy.terminate()
                    try:
                        proxy.wait(2)
                    except subprocess.TimeoutExpired:  # Caddy waits for streams
                        proxy.kill()
                        proxy.wait(20)
            shutil.rmtree(folder)
    finally:
        board.close()
        operator.close()
