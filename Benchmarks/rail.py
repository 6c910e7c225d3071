"""A large invented board of trains in both formats of National Rail: the same rows as SOAP and JSON."""
import json
import random
import time
from xml.sax.saxutils import escape

TYPES = "http://thalesgroup.com/RTTI/{}/ldb/types"
SPACES = {"lt": "2012-01-13", "lt4": "2015-11-27", "lt5": "2016-02-16", "lt7": "2017-10-01", "lt8": "2021-11-01"}
PLACES = [("Ashcombe", "ASC"), ("Seaholme", "SHM"), ("Harefield & Weir", "HFD"), ("Millbrook Road", "MBK"),
          ("Otterbourne Bridge", "OTB"), ("Northgate", "NGT"), ("Great Pond End", "PDE")]
COMPANIES = [("Vale Railways", "VR"), ("Coast Line", "CL"), ("Great Northern & Fen", "GF")]
NOTICE = ("<p>Trains through Harefield&nbsp;are <b>delayed</b> until the evening. More in "
          "<a href=\"https://example.org/1\">Latest Travel News</a>.</p>")


def services(now, count, seed=4):
    """Invented trains, one a minute from `now` on (seconds, UTC)."""
    rng = random.Random(seed)
    rows = []
    for index in range(count):
        booked = now + 60 * (index * 118 // count)
        late = rng.choice([0, 0, 0, 2, 9])
        start, end, second = rng.sample(PLACES, 3)
        company, code = rng.choice(COMPANIES)
        row = {"std": hour(booked), "etd": hour(booked + 60 * late) if late else "On time"}
        if rng.random() < 0.9:
            row["platform"] = str(rng.randrange(1, 20))
        row |= {"operator": company, "operatorCode": code, "serviceType": "train", "length": rng.randrange(4, 13)}
        if late > 5:
            row["delayReason"] = "This train has been delayed by a late running train in front of it"
        row["serviceID"] = f"{4000000 + index}AMBRDGE_"
        row["origin"] = [{"locationName": start[0], "crs": start[1]}]
        ends = [end] + ([second] if index % 9 == 0 else [])
        row["destination"] = [
            {"locationName": name, "crs": crs, **({"via": "via " + start[0]} if index % 5 == 0 else {})}
            for name, crs in ends]
        rows.append(row)
    return rows


def hour(seconds):
    return time.strftime("%H:%M", time.gmtime(seconds))


def head(now):
    return {"generatedAt": time.strftime("%Y-%m-%dT%H:%M:%S.1234567+00:00", time.gmtime(now)),
            "locationName": "Ambridge", "crs": "AMB"}


def as_json(now, rows):
    """The board of the Rail Data Marketplace."""
    return json.dumps({
        "Xmlns": {"Count": 8}, **head(now), "nrccMessages": [{"Value": NOTICE}], "platformAvailable": True,
        "areServicesAvailable": True, "filterType": "to",
        "trainServices": [
            {**row, **{key: [{**place, "assocIsCancelled": False} for place in row[key]]
                       for key in ("origin", "destination")}} for row in rows],
    }, separators=(",", ":")).encode()


def element(prefix, name, content):
    return f"<{prefix}:{name}>{content}</{prefix}:{name}>"


def as_soap(now, rows):
    """The board of OpenLDBWS."""
    def service(row):
        parts = [element("lt4", name, escape(str(value))) for name, value in row.items() if not isinstance(value, list)]
        for name in ("origin", "destination"):
            places = [element("lt4", "location", "".join(element("lt4", k, escape(v)) for k, v in place.items()))
                      for place in row[name]]
            parts.append(element("lt5", name, "".join(places)))
        return element("lt8", "service", "".join(parts))

    spaces = " ".join(f'xmlns:{name}="{TYPES.format(date)}"' for name, date in SPACES.items())
    header = "".join(element("lt4", name, value) for name, value in head(now).items())
    header += element("lt4", "nrccMessages", element("lt", "message", escape(NOTICE)))
    header += element("lt4", "platformAvailable", "true") + element("lt4", "areServicesAvailable", "true")
    board = element("lt8", "trainServices", "".join(service(row) for row in rows))
    return (
        '<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/">'
        '<soap:Body><GetDepartureBoardResponse xmlns="http://thalesgroup.com/RTTI/2021-11-01/ldb/">'
        f"<GetStationBoardResult {spaces}>{header}{board}</GetStationBoardResult></GetDepartureBoardResponse>"
        "</soap:Body></soap:Envelope>").encode()


def bodies(now, size):
    """The same rows as SOAP of at least `size` bytes and as JSON, and their number."""
    count = 1
    while len(as_soap(now, services(now, count))) < size:
        count += 1
    rows = services(now, count)
    return as_soap(now, rows), as_json(now, rows), count
