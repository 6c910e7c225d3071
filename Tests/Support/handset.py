"""A phone at the page of a board."""
import http.client
import json
import re


class Handset:
    """Its requests, and its pairing by the digits that are on the display alone."""

    def __init__(self, address, port=80, host=None):
        """`host`: the address that the board has, where a connection to it begins at another."""
        self.address, self.port, self.host, self.token = address, port, host or address, None

    def request(self, method, path, body=None):
        """The status and the body of a response, JSON as its value; 0 and the fault without a response."""
        connection = http.client.HTTPConnection(self.address, self.port, timeout=30)
        headers = {"Host": self.host}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
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
