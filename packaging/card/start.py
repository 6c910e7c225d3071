#!/usr/bin/env python3
"""Installs and sets up boardd from the first partition of a card, on which this file is in the folder boardd (docs/installing.md).

cloud-init runs it at the end of each start. The first run turns on the bus of the display, installs the package, gives the board the
settings of boardd.txt and turns the page on. A later one installs a newer package, if one was put on the card, and else does nothing. What
happens is said in boardd.log on the card, on the screen and in the log of cloud-init.
"""
import contextlib
import glob
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CARD = os.path.dirname(HERE)
LOG, LARGEST_LOG = f"{CARD}/boardd.log", 100_000
# The packages that were on the card when a run was complete. It is here from the end of the first run on.
DONE = "/var/lib/cloud/data/boardd-card"
SOCKET = "/run/boardd/control.sock"
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}


class Failure(Exception):
    """What prevents the installation, in a sentence."""


class Report:
    """Says what happens. cloud-init's output is on the console of the kernel, which on Raspberry Pi OS is the screen."""

    is_logged = True

    def say(self, text):
        self.show(text)
        if not self.is_logged:
            return
        try:
            is_full = os.path.exists(LOG) and os.path.getsize(LOG) > LARGEST_LOG
            with open(LOG, "w" if is_full else "a", encoding="utf-8") as log:
                log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {text}\n")
                log.flush()
                os.fsync(log.fileno())
        except OSError as error:
            self.is_logged = False
            self.show(f"boardd.log cannot be written: {error.strerror}.")

    @staticmethod
    def show(text):
        print(f"boardd: {text}", flush=True)
        with contextlib.suppress(OSError):
            with open("/sys/class/tty/console/active") as file:
                if file.read().split()[-1:] == ["tty1"]:
                    return
        with contextlib.suppress(OSError), open("/dev/tty1", "a") as screen:
            screen.write(f"boardd: {text}\r\n")


say = Report().say


def run(*command):
    return subprocess.run(command, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")


def output(*command):
    return run(*command).stdout.strip()


# The package

def is_newer(version, other):
    return run("dpkg", "--compare-versions", version, "gt", other).returncode == 0


def installed():
    """The version of the installed package, or nothing."""
    done = run("dpkg-query", "--show", "--showformat", "${db:Status-Status} ${Version}", "boardd")
    state, _, version = done.stdout.partition(" ")
    return version if done.returncode == 0 and state == "installed" else ""


def fault(path):
    """Why the package cannot be installed here, or nothing."""
    name = os.path.basename(path)
    if run("dpkg-deb", "--field", path).returncode or run("sh", "-c", 'dpkg-deb --fsys-tarfile "$1" >/dev/null', "sh", path).returncode:
        return f"{name} is damaged: copy it to the card again."
    architecture, machine = output("dpkg-deb", "--field", path, "Architecture"), output("dpkg", "--print-architecture")
    if architecture != machine:
        return f"{name} is for {architecture}, and this system is {machine}. It must be the 64-bit Raspberry Pi OS Lite."
    release = re.search(r"~deb(\d+)u", output("dpkg-deb", "--field", path, "Version"))
    system = output("sh", "-c", '. /etc/os-release && echo "$VERSION_ID"')
    if release and release[1] != system:
        return f"{name} is for Debian {release[1]}, and this system is Debian {system}."
    return ""


def newest(paths):
    """The newest package that can be installed here. Says what is wrong with each that cannot."""
    best, version = None, ""
    for path in paths:
        if reason := fault(path):
            say(reason)
            continue
        found = output("dpkg-deb", "--field", path, "Version")
        if best is None or is_newer(found, version):
            best, version = path, found
    if best is None:
        raise Failure("boardd cannot be installed: the folder boardd of the card has no package for this system.")
    return best, version


def mend():
    """Completes what an earlier run, or a power cut, left half done."""
    if output("dpkg", "--audit"):
        run("dpkg", "--force-confold", "--configure", "-a")


def install(path):
    """Installs the package with what it needs from the folder debian. Installed packages stay, unless they are too old for it."""
    options = ["-y", "--fix-broken", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=600", "-o", "Dpkg::Options::=--force-confold"]
    with tempfile.TemporaryDirectory(dir="/run", prefix="boardd-card.") as folder:
        os.makedirs(f"{folder}/lists/partial")
        with open(f"{folder}/sources", "w") as sources:
            sources.write(f"deb [trusted=yes] file:{HERE}/debian ./\n")
        card = ["-o", f"Dir::Etc::SourceList={folder}/sources", "-o", "Dir::Etc::SourceParts=/dev/null", "-o", f"Dir::State::Lists={folder}/lists",
                "-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o", "APT::Sandbox::User=root", "-o", "Acquire::Languages=none"]
        done = run("apt-get", *card, "update")
        if done.returncode == 0:
            done = run("apt-get", *options, *card, "install", path)
    if done.returncode:
        mend()
        tell(done.stdout)
        say("The packages on the card do not suffice. Those of the network are tried.")
        done = run("apt-get", "-o", "APT::Update::Error-Mode=any", "update")
        if done.returncode == 0:
            done = run("apt-get", *options, "install", path)
    if done.returncode:
        mend()
        tell(done.stdout)
        raise Failure(f"{os.path.basename(path)} could not be installed.")


def tell(text):
    lines = text.splitlines()
    for line in [line for line in lines if line.startswith(("E:", "dpkg:"))][:8] or lines[-4:]:
        say(f"  {line}")


# The bus of the display

def enable_bus():
    """Turns on the I2C bus of the pin header. Returns whether it takes a restart."""
    config = f"{CARD}/config.txt"
    if shutil.which("raspi-config"):
        if output("raspi-config", "nonint", "get_i2c") == "0":
            return False
        run("raspi-config", "nonint", "do_i2c", "0")
        is_on = output("raspi-config", "nonint", "get_i2c") == "0"
    elif os.path.exists(config):
        try:
            with open(config, "r+", encoding="utf-8", errors="surrogateescape") as file:
                if re.search(r"(?m)^\s*dtparam=i2c(_arm)?(=on)?\s*$", file.read()):
                    return False
                file.write("\n[all]\n# boardd: the bus of the display\ndtparam=i2c_arm=on\n")
            is_on = True
        except OSError:
            is_on = False
    else:
        return False
    if not is_on:
        say("The I2C bus of the display could not be turned on in config.txt: is the card full or write-protected?")
        return False
    say("The I2C bus of the display is turned on.")
    run("modprobe", "i2c-dev")
    return not os.path.exists("/dev/i2c-1")


# The settings

class Connection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(30)
        self.sock.connect(SOCKET)


def put(table, values):
    """Sets a table of the board's own settings. Returns why the board refuses it, or nothing."""
    for attempt in range(60):
        connection = Connection("localhost")
        try:
            connection.request("PUT", f"/v1/settings/{table}", json.dumps({"tables": [values]}), {"Content-Type": "application/json"})
            response = connection.getresponse()
            body = response.read()
            break
        except OSError as error:
            reason = f"the board does not respond: {error}"
            time.sleep(1)
        finally:
            connection.close()
    else:
        return reason
    if response.status == 200:
        return ""
    try:
        return json.loads(body)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        return f"status {response.status}"


def value(text):
    """A text, a number, true or false; in quotes always a text."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d{1,9}", text) else text


def read_settings():
    """The lines of boardd.txt: (table, key, value, what to call it)."""
    try:
        with open(f"{HERE}/boardd.txt", "rb") as file:
            data = file.read(64_000)
    except OSError:
        return []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    settings = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name = f"boardd.txt, line {number}: {line}"
        found = re.fullmatch(r"([a-z0-9_.-]+)\.([a-z0-9_]+)\s*=\s*(.+)", line)
        if found:
            settings.append((found[1], found[2], value(found[3]), name))
        else:
            say(f"{name}: not a setting. A line is TABLE.KEY = VALUE, as in language.code = de.")
    return settings


def apply_settings():
    """Gives each table to the board: whole, and if it refuses that, key by key."""
    settings = read_settings()
    for table in dict.fromkeys(setting[0] for setting in settings):
        lines = [setting for setting in settings if setting[0] == table]
        if len(lines) > 1 and not put(table, {key: value for _, key, value, _ in lines}):
            for *_, name in lines:
                say(f"{name}: set.")
            continue
        accepted = {}
        for _, key, value_of_key, name in lines:
            reason = put(table, {**accepted, key: value_of_key})
            if not reason:
                accepted[key] = value_of_key
            say(f"{name}: {f'not set: {reason}' if reason else 'set.'}")


def set_up():
    apply_settings()
    done = run("boardd", "page", "setup")
    if done.returncode:
        tell(done.stdout)
        raise Failure("boardd is installed, but its page could not be turned on.")
    say(done.stdout.strip().splitlines()[0] if done.stdout.strip() else "The page is on.")


def main():
    packages = sorted(glob.glob(f"{HERE}/boardd_*.deb"))
    listed = "".join(f"{os.path.basename(path)} {os.path.getsize(path)}\n" for path in packages)
    before = None
    with contextlib.suppress(OSError), open(DONE) as file:
        before = file.read()
    if before == listed:
        return
    mend()
    needs_restart = False
    if before is None:
        say("boardd is installed from the card. This takes some minutes.")
        needs_restart = enable_bus()
    path, version = newest(packages)
    has = installed()
    if not has or is_newer(version, has):
        install(path)
        say(f"boardd {version} is installed." if not has else f"boardd {version} is installed in place of {has}.")
    elif before is not None:
        say(f"boardd {has} is installed already, and the card has no newer one.")
    if before is None:
        set_up()
    os.makedirs(os.path.dirname(DONE), exist_ok=True)
    with open(f"{DONE}.new", "w") as file:
        file.write(listed)
    os.replace(f"{DONE}.new", DONE)
    if needs_restart:
        say("The Pi starts once more, for the bus of the display.")
        # After cloud-init, which has more to do.
        run("systemd-run", "--no-block", "--unit=boardd-card-restart", "--property=After=cloud-final.service", "systemctl", "reboot")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        say(f"{failure} The next start tries again.")
        sys.exit(1)
    except Exception as error:  # so that the card says it
        say(f"An unforeseen fault ended the installation: {type(error).__name__}: {error}. The next start tries again.")
        raise
