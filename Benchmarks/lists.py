"""Large invented responses in the formats of LA Metro's old API and of a trips server."""
import json
import random
import uuid


def predictions(count=700, seed=5):
    """The predictions of a stop: more than any real stop has, but the goal is for this size."""
    rng = random.Random(seed)
    items = []
    for index in range(count):
        route = rng.choice(["4", "16", "20", "33", "316", "704", "720"])
        seconds = rng.randrange(30, 7_200)
        whole = rng.random() < 0.5
        items.append({
            "block_id": f"{index:07d}", "run_id": f"{route}_{rng.randrange(400)}_{index % 2}",
            "seconds": seconds if whole else float(seconds), "is_departing": False, "route_id": route,
            "minutes": seconds // 60 if whole else float(seconds // 60)})
    return json.dumps({"items": items}).encode(), count


def trips(now, count=240, seed=6):
    """Trips of the next months."""
    rng = random.Random(seed)
    cities = [("Malaga", "ES", "AGP"), ("Oslo", "NOR", "OSL"), ("Rome", "IT", "FCO"), ("Porto", "PT", "OPO")]
    rows = []
    for _ in range(count):
        city, country, code = rng.choice(cities)
        departs = (now + rng.randrange(86_400, 90 * 86_400)) * 1_000
        rows.append({
            "currency": "EUR", "created_at": (now - rng.randrange(90 * 86_400)) * 1_000 + 887, "airlines": "FR",
            "departure_at": departs, "destination": {"city": city, "country_code": country, "airport_code": code},
            "flight_number": rng.randrange(100, 9_999),
            "departure": {"city": "Copenhagen", "country_code": "DK", "airport_code": "CPH"},
            "return_at": departs + 300_000_000, "price": rng.randrange(9, 400),
            "id": str(uuid.UUID(int=rng.getrandbits(128))), "expires_at": departs - 3_600_000})
    return json.dumps(rows, separators=(",", ":")).encode(), count
