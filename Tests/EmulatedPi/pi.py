"""Drives an emulated Raspberry Pi from outside: QEMU's raspi3b with its display on the I2C bus, its button, and its serial line.

QEMU has the controller of the bus, but no PCF8574: a PCA9548 in its place acknowledges, and what was written is in QEMU's trace. Its GPIO
block has no inputs: the device tree that Tests/EmulatedPi/kernel makes moves the block's registers to a page of memory, on which the kernel's
own driver works. Levels and edges are written there through QEMU's test protocol, which also raises the block's interrupt."""
import contextlib
import math
import os
import re
import socket
import subprocess
import sys
import threading
import time

from panel import Controller

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE, LEVELS, EDGES = 0x1A000000, 0x34, 0x40  # GPLEV0 and GPEDS0
INTERRUPTS, LINE_INTERRUPT = "/machine/soc/peripherals/ic", 49
UNUSED = 1 << 31  # a line without an edge
EVENT = re.compile(r"@(\d+\.\d+):i2c_(event|send|recv) (\w+)\(addr:0x([0-9a-f]+)\)(?: data:0x([0-9a-f]+))?")
_failed = []


def check(what, is_met, detail=""):
    """Prints and counts one check, with what was found; a long text only if it is wrong."""
    if not is_met:
        _failed.append(what)
    detail = "" if is_met and len(f"{detail}") > 200 else f": {detail}" if detail != "" else ""
    print(f"  {'ok    ' if is_met else 'FAILED'} {what}{detail}", flush=True)
    return is_met


def note(what, detail):
    print(f"  note   {what}: {detail}", flush=True)


def status():
    return 1 if _failed else 0


def percentile(values, share):
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


class Watched:
    """What a thread reads, and others wait for."""

    def __init__(self):
        self.changed = threading.Condition()

    def wait(self, condition, seconds):
        """The first true `condition()`, or the last one after `seconds`."""
        with self.changed:
            return self.changed.wait_for(condition, seconds)

    def begin(self, follow):
        threading.Thread(target=follow, daemon=True).start()


class Protocol(Controller):
    """The panel, which also records what breaks the data sheet's order of its lines: RS and R/W stand before E rises, all until it fell."""

    def __init__(self):
        super().__init__()
        self.faults = []

    def write(self, port):
        changed = self.port ^ port
        if changed & 4 and changed & (3 if port & 4 else 0xF3):
            self.faults.append(f"{self.port:02x} to {port:02x}")
        super().write(port)


class Bus(Watched):
    """The panel at 0x27, from QEMU's trace. `history` are (time, picture) at each change of the picture, at the end of a message."""

    def __init__(self, fifo, copy):
        super().__init__()
        self.panel, self.history, self.writes, self.bytes = Protocol(), [], [], 0
        self.begin(lambda: self.follow(fifo, copy))

    def follow(self, fifo, copy):
        with open(fifo, errors="replace") as lines, open(copy, "w") as trace:
            for line in lines:
                trace.write(line)
                found = EVENT.search(line)
                if not found or found[4] != "27":
                    continue
                if found[2] == "send":
                    self.bytes += 1
                    self.panel.write(int(found[5], 16))
                elif found[2] == "event" and found[3].startswith("finish"):
                    self.end(float(found[1]))

    def end(self, at):
        with self.changed:
            self.writes.append(at)
            picture = self.panel.picture()
            if not self.history or self.history[-1][1] != picture:
                self.history.append((at, picture))
            self.changed.notify_all()

    @property
    def picture(self):
        return self.history[-1][1] if self.history else None

    def text(self):
        return "(display off)" if self.picture is None else "|" + "|".join(self.picture) + "|"

    def shows(self, condition, seconds, since=0.0):
        """Waits for a picture after `since` that meets `condition`; returns its time, or None."""
        return self.wait(lambda: next((at for at, picture in self.history if at >= since and picture and condition(picture)), None), seconds)

    def wrote(self, since, seconds):
        """Waits for a message after `since`; returns its time, or None."""
        return self.wait(lambda: next((at for at in self.writes if at >= since), None), seconds)


class Console(Watched):
    """The serial line."""

    def __init__(self, channel, copy):
        super().__init__()
        self.channel, self.text = channel, ""
        self.begin(lambda: self.follow(copy))

    def follow(self, copy):
        with open(copy, "w") as log:
            while part := self.channel.recv(65536):
                text = part.decode(errors="replace").replace("\r", "")
                log.write(text)
                log.flush()
                with self.changed:
                    self.text += text
                    self.changed.notify_all()

    def expect(self, pattern, seconds):
        """Waits for a pattern, and drops the text up to its end. Returns the match."""
        found = self.wait(lambda: re.search(rf"{pattern}|(?P<panic>Kernel panic.*)", self.text), seconds)
        if found and found["panic"]:
            sys.exit(f"emulated-pi: the guest's kernel ended, see console.log: {found['panic']}")
        if not found:
            raise TimeoutError(f"the serial line had no {pattern!r} within {seconds} s; its end: {self.text[-1500:]}")
        with self.changed:
            self.text = self.text[found.end():]
        return found

    def send(self, line):
        """The UART holds eight bytes and loses further ones: each group follows the echo of the one before."""
        for first in range(0, len(line), 8):
            part = line[first:first + 8]
            self.channel.sendall(part.encode())
            self.expect(re.escape(part), 30)
        self.channel.sendall(b"\n")

    def run(self, command, seconds=120):
        """The status and the output of a line in the guest's shell."""
        self.send(f"{command}; echo \"<<\"$?'>'")
        self.expect(r"\n", 30)
        found = self.expect(r"(?s)(.*?)<<(\d+)>", seconds)
        return int(found[2]), found[1].strip("\n")


def memory(text):
    """Kilobytes by name in the lines of /proc/PID/status and smaps_rollup."""
    return {name: int(value) for name, value in re.findall(r"^(\w+):\s+(\d+) kB$", text, re.M)}


class Pi:
    """QEMU with a folder of its own: kernel, card or initramfs, and what it writes. It ends with this program."""

    def __init__(self, folder, options):
        os.chdir(folder)  # the path of a socket is short
        with contextlib.suppress(FileExistsError):  # of an earlier start of the same card
            os.mkfifo("trace.fifo")
        with open("events", "w") as file:
            file.write("i2c_event\ni2c_send\ni2c_recv\n")
        self.bus = Bus("trace.fifo", "trace")
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", f"{HERE}/toolbox", folder, "qemu-system-aarch64", "-M", "raspi3b", "-display", "none", "-nodefaults",
             "-no-reboot", *options, "-device", "pca9548,address=0x27,bus=i2c-bus.1", "-trace", "events=events", "-msg", "timestamp=on", "-D", "trace.fifo",
             "-serial", "null", "-serial", "unix:console,server=on,wait=on", "-qtest", "unix:qtest,server=on,wait=on", "-qtest-log", "none"],
            stdin=subprocess.DEVNULL, stdout=open("qemu.log", "w"), stderr=subprocess.STDOUT)
        # It waits for both, in this order, before the first instruction.
        test, console = self.connect("qtest"), self.connect("console")
        self.test, self.answers = test, test.makefile()
        # The firmware connects the card to the controller that Linux uses, by the functions of lines 48 to 53. All lines are high.
        for register, value in [(0x3F200014, 0x924), (0x3F200010, 0x24000000), (PAGE + LEVELS, 0xFFFFFFFF), (PAGE + LEVELS + 4, 0xFFFFFFFF)]:
            self.command(f"writel {register:#x} {value:#x}")
        self.began = time.time()
        self.console = Console(console, "console.log")

    def connect(self, name):
        end = time.monotonic() + 60
        while True:
            channel = socket.socket(socket.AF_UNIX)
            try:
                channel.connect(name)
                return channel
            except OSError:
                channel.close()
                if self.process.poll() is not None or time.monotonic() > end:
                    with open("qemu.log") as log:
                        sys.exit(f"emulated-pi: QEMU does not start: {log.read()}")
                time.sleep(0.05)

    def command(self, line):
        """A command of the test protocol, and its answer."""
        self.test.sendall(f"{line}\n".encode())
        while not (answer := self.answers.readline()).startswith(("OK", "FAIL", "ERR")):
            if not answer:
                raise EOFError(line)
        return answer.split()[-1]

    def since_power(self, at):
        return f"{at - self.began:.1f} s after power-on"

    def set(self, is_down, line=17):
        """Sets the level of the button's line and raises the edge. Returns the time. The page is memory: the driver's acknowledgement, a write
        of the line's bit, does not clear it, but clears the bit of the unused line. Until then the handler may run again, and the same
        edge be reported up to three times, as by a contact that bounces."""
        bit = 1 << line
        at, end = time.time(), time.monotonic() + 20
        self.command(f"writel {PAGE + LEVELS:#x} {0xFFFFFFFF & ~bit if is_down else 0xFFFFFFFF:#x}")
        self.command(f"writel {PAGE + EDGES:#x} {bit | UNUSED:#x}")
        self.command(f"set_irq_in {INTERRUPTS} gpu-irq {LINE_INTERRUPT} 1")
        while int(self.command(f"readl {PAGE + EDGES:#x}"), 16) & UNUSED:
            if time.monotonic() > end:
                raise TimeoutError("nothing in the guest watches the line of the button, or the guest hangs")
        self.command(f"writel {PAGE + EDGES:#x} 0")
        self.command(f"set_irq_in {INTERRUPTS} gpu-irq {LINE_INTERRUPT} 0")
        return at

    def press(self, seconds=0.06):
        """Returns the times of both edges."""
        down = self.set(True)
        time.sleep(seconds)
        return down, self.set(False)

    def log_in(self):
        """Takes the shell of root on the serial line. Returns what runs a line in it and gives its output."""
        self.console.expect(r"root@\S+ ", 600)
        self.console.send("exec sh")  # whose line has any length
        self.console.expect("# ", 60)

        def run(command, seconds=240):
            return self.console.run(command, seconds)[1]
        run("PS1=; dmesg -n 1")
        return run

    def end(self):
        """Switches the Pi off at its serial line."""
        self.console.send("poweroff")
        self.process.wait(240)


GUEST = "10.0.2.15"


def whole(port):
    """The options of a Zero 2 W with a card, and with a network card whose port 80 is `port` here."""
    return ["-kernel", "vmlinuz", "-initrd", "initrd", "-dtb", "bcm2837-rpi-zero-2-w.dtb", "-drive", "file=card,format=raw,if=sd,cache=unsafe",
            "-append", "console=ttyS1,115200 root=LABEL=board rw rootwait quiet mem=448M net.ifnames=0 systemd.default_device_timeout_sec=900 "
            f"systemd.show_status=no systemd.clock_usec={int(time.time() * 1e6)}",
            "-netdev", f"user,id=net,restrict=on,ipv6=off,hostfwd=tcp:127.0.0.1:{port}-:80", "-device", "usb-net,netdev=net"]


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
