#!/usr/bin/env python3
"""Builds a stop directory from the list of make_stops.py over loopback: directory.py BOARDD_BENCH PAGES FOLDER."""
import subprocess
import sys

from tfl_server import TfLServer

bench, pages, folder = sys.argv[1:4]
server = TfLServer(pages)
subprocess.run([bench, "import", server.url("import"), folder], check=True)
server.close()
