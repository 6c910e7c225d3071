"""Processes and folders of a test, which end with it: also when a signal ends it."""
import atexit
import shutil
import subprocess
import tempfile

processes, folders = [], []


def start(command, **options):
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)
    processes.append(process)
    return process


def folder(prefix):
    path = tempfile.mkdtemp(prefix=prefix)
    folders.append(path)
    return path


@atexit.register
def end():
    for process in processes:
        if process.poll() is None:
            process.kill()
            process.wait()
    for path in folders:
        shutil.rmtree(path, ignore_errors=True)
