"""Processes, folders and ports of a test, which end with it: also when a signal ends it."""
import atexit
import os
import random
import shutil
import socket
import subprocess
import tempfile

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Where a browser opens the page of a board: the address of Tests/Page/run, which is no secure context, or loopback, which is one.
LOOPBACK = "127.0.0.1"
ADDRESS = os.environ.get("BOARD_ADDRESS", LOOPBACK)
processes, folders, taken = [], [], []


def start(command, **options):
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)
    processes.append(process)
    return process


def folder(prefix):
    path = tempfile.mkdtemp(prefix=prefix)
    folders.append(path)
    return path


def free_port():
    """Below those that the kernel assigns (ip(7)): no other socket takes it before a server starts, or while it is stopped. No other test
    gets it: the name of a socket is its lock."""
    while True:
        port, lock = random.randrange(12000, 32000), socket.socket(socket.AF_UNIX)
        with socket.socket() as listener:
            try:
                lock.bind(f"\0boardd-test-port-{port}")
                listener.bind(("127.0.0.1", port))
            except OSError:
                lock.close()
                continue
        taken.append(lock)
        return port


@atexit.register
def end():
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.wait()
    for path in folders:
        shutil.rmtree(path, ignore_errors=True)
