"""A phone at the page of a board."""
import http.client
import json
import re


def request(address, method, path, body=None, token=None, port=80, host=None, source=None):
    """The status and the body of a response of the page, JSON as its value; 0 and the fault where there is none. `host`: the address that the
    board has, where a connection to it begins at another. `source`: the address that the request comes from."""
    connection = http.client.HTTPConnection(address, port, timeout=30, source_address=source and (source, 0))
    headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **({"Host": host} if host else {})}
    if body is not None:
        headers["Content-Type"] = "application/json"
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read().decode()
        return response.status, json.loads(text) if text and "json" in response.getheader("Content-Type", "") else text
    except (OSError, http.client.HTTPException) as error:
        return 0, repr(error)
    finally:
        connection.close()


class Handset:
    """Its requests, and its pairing by the digits that are on the display alone."""

    def __init__(self, address, port=80, host=None):
        self.address, self.port, self.host, self.token = address, port, host or address, None

    def request(self, method, path, body=None):
        return request(self.address, method, path, body, self.token, self.port, self.host)

    def pair(self, name, shown):
        """Whether it is paired. `shown()`: a picture of the display with digits, or nothing."""
        status, pairing = self.request("POST", "/v1/pairings", {})
        picture = shown() if status == 201 else None
        if picture:
            status, response = self.request("POST", f"/v1/pairings/{pairing['id']}", {"code": digits(picture), "name": name})
            self.token = response["token"] if status == 201 else None
        return self.token is not None


def digits(picture):
    """The six digits in a picture."""
    found = re.search(r"\b(\d{3}) (\d{3})\b", " ".join(picture))
    return found and "".join(found.groups())
