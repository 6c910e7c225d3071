"""National Rail on loopback: boards of the Rail Data Marketplace, which names its stations to those who have a key."""
import datetime
import urllib.parse
import zoneinfo

from servers import Server

KEY = "Rdm0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ"
STATIONS = {"RDG": "Reading", "PAD": "London Paddington", "DID": "Didcot Parkway", "OXF": "Oxford", "BSK": "Basingstoke", "EUS": "London Euston"}
# Where each train calls after Reading.
TRAINS = [["PAD"], ["DID", "OXF"], ["BSK"], ["PAD"], ["DID"]]


class Rail(Server):
    def respond(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        operation, code = url.path.split("/")[-2:]
        if handler.headers["x-apikey"] != KEY:
            return self.send(handler, {"fault": {"faultstring": "Invalid ApiKey", "detail": {"errorcode": "oauth.v2.InvalidApiKey"}}}, 401)
        if code not in STATIONS or operation != "GetDepartureBoard":
            return self.send(handler, {"Message": "Invalid crs code supplied"}, 400)
        self.send(handler, self.board(code, urllib.parse.parse_qs(url.query).get("filterCrs", [None])[0]))

    @staticmethod
    def board(code, towards):
        now = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/London"))
        trains = [] if code != "RDG" else [
            {"std": f"{now + datetime.timedelta(minutes=6 + 7 * index):%H:%M}", "etd": "On time", "platform": f"{index + 7}", "operator": "Great Western Railway",
             "operatorCode": "GW", "serviceID": f"{index}RDNG____", "origin": [{"locationName": STATIONS["RDG"], "crs": "RDG"}],
             "destination": [{"locationName": STATIONS[calls[-1]], "crs": calls[-1]}]}
            for index, calls in enumerate(TRAINS) if towards is None or towards in calls]
        return {"generatedAt": now.isoformat(), "locationName": STATIONS[code], "crs": code, "platformAvailable": True, "trainServices": trains or None}
