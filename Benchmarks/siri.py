"""Invented stops with many visits in the formats of SIRI operators: a city's JSON, and a whole day in indented SOAP."""
import json
import random
import time
from xml.sax.saxutils import escape

STOPS = ["Mill Lane", "Church & Green", "Harbour", "Weir Bridge (north side)", "Great Pond End"]
SITUATION = "VALE_lmm:alert:438772"


def moment(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S.123+00:00", time.gmtime(seconds))


def visits(now, count, seed=6):
    """One every four minutes from `now` on (seconds, UTC)."""
    rng = random.Random(seed)
    for index in range(count):
        yield index, now + 60 + 240 * index, rng.choice([0, 0, 60, 420]), rng.choice(STOPS)


def visit_json(now, index, booked, late, destination):
    aimed, expected = moment(booked), moment(booked + late)
    return {
        "MonitoredVehicleJourney": {
            "LineRef": f"VALE TRANSIT_B{index % 7}", "DirectionRef": str(index % 2),
            "FramedVehicleJourneyRef": {
                "DataFrameRef": "2026-03-02", "DatedVehicleJourneyRef": f"VALE TRANSIT_JG_B5-Sunday-{index:06}_B63_675"},
            "JourneyPatternRef": "VALE_B630022", "PublishedLineName": f"B{index % 7}", "OperatorRef": "VALE TRANSIT",
            "OriginRef": "VALE_306619", "DestinationName": destination,
            "SituationRef": [{"SituationSimpleRef": SITUATION}], "Monitored": True,
            "VehicleLocation": {"Longitude": -1.988368, "Latitude": 50.666681}, "Bearing": 50.243683,
            "ProgressRate": "normalProgress", "Occupancy": "seatsAvailable", "BlockRef": f"VALE_JG_{index}",
            "VehicleRef": f"VALE TRANSIT_{400 + index}",
            "MonitoredCall": {
                "AimedArrivalTime": aimed, "ExpectedArrivalTime": expected, "AimedDepartureTime": aimed,
                "ExpectedDepartureTime": expected,
                "Extensions": {
                    "Distances": {"PresentableDistance": "0.7 miles away", "DistanceFromCall": 1076.2,
                                  "StopsFromCall": 5, "CallDistanceAlongRoute": 8577.94},
                    "Capacities": {"EstimatedPassengerCount": 9, "EstimatedPassengerCapacity": 80}},
                "StopPointRef": "VALE_S1", "VisitNumber": 1, "StopPointName": "Mill Lane"},
            "OnwardCalls": {}},
        "RecordedAtTime": moment(now - 20)}


def as_json(now, size):
    """A response of about `size` bytes, and the number of its visits."""
    one = len(json.dumps(visit_json(now, 0, now, 60, STOPS[1]), separators=(",", ":")))
    count = size // one
    delivery = {
        "MonitoredStopVisit": [visit_json(now, *visit) for visit in visits(now, count)],
        "ResponseTimestamp": moment(now), "ValidUntil": moment(now + 60)}
    situation = {
        "PublicationWindow": {"StartTime": moment(now - 600)}, "Severity": "undefined", "Summary": "Buses are delayed.",
        "Affects": {"VehicleJourneys": {"AffectedVehicleJourney": [{"LineRef": "VALE TRANSIT_B1"}]}},
        "SituationNumber": SITUATION}
    body = {"Siri": {"ServiceDelivery": {
        "ResponseTimestamp": moment(now), "StopMonitoringDelivery": [delivery],
        "SituationExchangeDelivery": [{"Situations": {"PtSituationElement": [situation]}}]}}}
    return json.dumps(body, separators=(",", ":")).encode(), count


def element(name, content, depth):
    """An element in the schema's namespace, indented with tabs as some services do."""
    tabs = "\t" * depth
    if isinstance(content, str):
        return f"{tabs}<ns3:{name}>{escape(content)}</ns3:{name}>\n"
    return f"{tabs}<ns3:{name}>\n" + "".join(element(*one, depth + 1) for one in content) + f"{tabs}</ns3:{name}>\n"


def visit_xml(now, index, booked, late, destination):
    aimed, expected = moment(booked), moment(booked + late)
    assignment = [("AimedQuayRef", "VALE:StopPoint:BP:26:LOC"), ("ExpectedQuayRef", "VALE:StopPoint:BP:26:LOC")]
    return ("MonitoredStopVisit", [
        ("RecordedAtTime", moment(now - 20)), ("ItemIdentifier", f"VALE:VehicleJourney:{index}-VALE:StopPoint:SP:24:LOC-3"),
        ("MonitoringRef", "VALE_S1"),
        ("MonitoredVehicleJourney", [
            ("LineRef", f"VALE:Line:{index % 7}:LOC"), ("DirectionRef", "Left"),
            ("FramedVehicleJourneyRef", [
                ("DataFrameRef", "2026-03-02"), ("DatedVehicleJourneyRef", f"VALE:VehicleJourney:{index}")]),
            ("JourneyPatternRef", "VALE:JourneyPattern:3_42_62:LOC"), ("PublishedLineName", f"Line {index % 7}"),
            ("DirectionName", "Outward"), ("ExternalLineRef", f"VALE:Line:{index % 7}:LOC"),
            ("OperatorRef", "VALE:Company:15563880:LOC"), ("ProductCategoryRef", "0"),
            ("OriginRef", "VALE:StopPoint:SP:42:LOC"), ("OriginName", "Weir"),
            ("DestinationRef", "VALE:StopPoint:SP:62:LOC"), ("DestinationName", destination),
            ("OriginAimedDepartureTime", aimed), ("DestinationAimedArrivalTime", expected),
            ("Monitored", "true" if index % 9 else "false"), ("CourseOfJourneyRef", str(index)),
            ("MonitoredCall", [
                ("StopPointRef", "VALE:StopPoint:BP:26:LOC"), ("Order", "6"), ("StopPointName", "Mill Lane (A)"),
                ("VehicleAtStop", "false"), ("AimedArrivalTime", aimed), ("ExpectedArrivalTime", expected),
                ("ArrivalStatus", "onTime"), ("ArrivalBoardingActivity", "alighting"),
                ("ArrivalStopAssignment", assignment), ("AimedDepartureTime", aimed),
                ("ExpectedDepartureTime", expected), ("DepartureStatus", "onTime"),
                ("DepartureBoardingActivity", "boarding"), ("DepartureStopAssignment", assignment)])])])


def as_soap(now, size):
    """A response of about `size` bytes, and the number of its visits."""
    count = size // len(element(*visit_xml(now, 0, now, 60, STOPS[1]), 5))
    rows = "".join(element(*visit_xml(now, *visit), 5) for visit in visits(now, count))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/">\n\t<S:Body>\n'
        '\t\t<ns8:GetStopMonitoringResponse xmlns:ns3="http://www.siri.org.uk/siri" xmlns:ns8="http://wsdl.siri.org.uk">\n'
        "\t\t\t<Answer>\n\t\t\t\t<ns3:StopMonitoringDelivery version=\"2.0\">\n"
        f"{element('ResponseTimestamp', moment(now), 5)}{element('Status', 'true', 5)}{rows}"
        "\t\t\t\t</ns3:StopMonitoringDelivery>\n\t\t\t</Answer>\n\t\t</ns8:GetStopMonitoringResponse>\n\t</S:Body>\n"
        "</S:Envelope>\n").encode(), count
