#!/usr/bin/env python3
"""Searches in a stop directory, typical ones and difficult ones: searches.py PAGES FILE.

PAGES is a folder from make_stops.py. Lines of FILE: `search`, kind, text; `near`, kind, latitude,longitude, metres,
modes; `meant`, kind, text; separated by tabs. The same pages give the same searches.
"""
import json
import os
import random
import string
import sys

COMMON = ["road", "street", "lane", "avenue", "high street", "hill", "way", "station", "church", "st", "saint", "the",
          "bus garage", "park", "green", "underground station", "library", "st mary's church", "the green", "town hall",
          "high", "stop", "stop a", "s", "st p", "road street", "the king's head", "bus", "tube", "north", "&"]
RADII = [100, 250, 500, 1000, 2000]
MODES = ["", "", "", "bus", "tube", "bus,tube"]


def stops_of(folder):
    """The entries of all pages."""
    found = []
    for number in range(1, 10_000):
        path = os.path.join(folder, f"page-{number}.json")
        if not os.path.exists(path):
            return found
        with open(path) as file:
            found += json.load(file)["stopPoints"]


def misspelt(rng, text):
    place = rng.randrange(1, max(2, len(text) - 1))
    letter = rng.choice(string.ascii_lowercase)
    return rng.choice([
        text[:place] + text[place + 1:], text[:place] + letter + text[place:], text[:place] + letter + text[place + 1:],
        text[:place - 1] + text[place:place + 1] + text[place - 1:place] + text[place + 1:]])


def searches(rng, stops):
    names = [stop["commonName"] for stop in stops]
    poles = [stop for stop in stops if stop["stopType"] == "NaptanPublicBusCoachTram"]

    def name():
        return rng.choice(names)

    for _ in range(400):
        yield "name", name()
    for _ in range(500):
        text = name()
        yield "prefix", text[:rng.randint(3, max(3, len(text) - 1))]
    for letter in string.ascii_lowercase + string.digits:
        yield "one letter", letter
    for _ in range(150):
        yield "two letters", "".join(rng.choices(string.ascii_lowercase, k=2))
    for _ in range(150):
        yield "common words", " ".join(rng.sample(COMMON, rng.randint(1, 2)))
    for word in COMMON:
        yield "common words", word
    for _ in range(300):
        yield "misspelt", misspelt(rng, name())
    for _ in range(150):
        yield "code", rng.choice(["{}", "tfl:{}"]).format(rng.choice(stops)["naptanId"])
    for _ in range(150):
        yield "short code", rng.choice(poles).get("smsCode", "40000")
    for _ in range(50):
        yield "part of a code", rng.choice(stops)["naptanId"][:rng.randint(3, 8)]
    for _ in range(200):
        stop = rng.choice(poles)
        yield "name and letter", f"{stop['commonName']} {rng.choice(['', 'stop '])}{stop.get('stopLetter', 'A')}"
    for _ in range(200):
        words = name().split()
        rng.shuffle(words)
        yield "words", " ".join(word[:rng.randint(2, 6)] for word in words)
    for _ in range(100):
        yield "initials", " ".join(rng.choices(string.ascii_lowercase, k=rng.randint(2, 5)))
    for _ in range(50):
        yield "nonsense", "".join(rng.choices(string.ascii_letters + " äß&'-", k=rng.choice([5, 30, 300])))


def places(rng, stops):
    found = [(stop["lat"], stop["lon"]) for stop in stops if stop.get("lat")]
    for _ in range(1200):
        north, east = rng.choice(found)
        yield "beside a stop", (north + rng.gauss(0, 0.001), east + rng.gauss(0, 0.001))
    for _ in range(500):
        yield "anywhere in the city", (rng.uniform(51.3, 51.68), rng.uniform(-0.5, 0.28))
    for _ in range(300):
        yield "outside", (rng.uniform(51.0, 52.0), rng.choice([rng.uniform(-1.2, -0.55), rng.uniform(0.33, 1.0)]))
    for _ in range(100):
        yield "far away", (rng.uniform(-90, 90), rng.uniform(-180, 180))


def write(folder, path, seed):
    rng = random.Random(seed)
    stops = stops_of(folder)
    lines = [("search", kind, text) for kind, text in searches(rng, stops)]
    lines += [
        ("near", kind, f"{north:.6f},{east:.6f}", str(rng.choice(RADII)), rng.choice(MODES))
        for kind, (north, east) in places(rng, stops)]
    names, codes = [stop["commonName"] for stop in stops], [stop["naptanId"] for stop in stops]
    lines += [("meant", "name", misspelt(rng, rng.choice(names))) for _ in range(150)]
    lines += [("meant", "code", "tfl:" + misspelt(rng, rng.choice(codes))) for _ in range(100)]
    rng.shuffle(lines)
    with open(path, "w") as file:
        file.writelines("\t".join(line) + "\n" for line in lines)


if __name__ == "__main__":
    write(sys.argv[1], sys.argv[2], 1)
