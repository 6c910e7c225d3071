#!/usr/bin/env python3
"""Builds the stop directory of make_stops.py's list over loopback: directory.py BOARDD_BENCH PAGES FOLDER."""
import subprocess
import sys

from city import City

bench, pages, folder = sys.argv[1:4]
city = City(pages)
subprocess.run([bench, "import", city.url("import"), folder], check=True)
city.close()
