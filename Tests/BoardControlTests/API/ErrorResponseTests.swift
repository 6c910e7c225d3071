import BoardCore
import BoardIO
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import ServerTesting
import Testing
import Waiting

@testable import BoardControl

@Suite("Invalid requests to the control socket", .endsHangs)
struct ErrorResponseTests {
    private static func favourite(_ keys: String) -> String { "{\"stop\": \"tfl:1\", \(keys)}" }

    @Test(
        "an invalid value is rejected with its position and what is allowed",
        arguments: [
            ("POST", "/v1/press", "{\"gesture\": \"short\"", "the body is not valid JSON: "),
            ("POST", "/v1/press", "", "the body is empty"),
            ("POST", "/v1/press", "[]", "the body: must be an object"),
            ("POST", "/v1/show", "{\"page\": 1}", "page: must be a text"),
            ("POST", "/v1/light", "{\"light\": \"dim\"}", "light: \"dim\" is unknown; allowed: auto, on, off"),
            ("POST", "/v1/message", "{\"text\": \" \\n\"}", "text is empty; write the message for the display"),
            (
                "POST", "/v1/message", "{\"text\": \"a\", \"seconds\": 3601}",
                "seconds is 3601; it must be from 1 to 3600"
            ),
            ("POST", "/v1/message", "{\"text\": \"a\", \"seconds\": 0}", "seconds: must be 1 or more"),
            (
                "POST", "/v1/message", "{\"text\": \"\(String(repeating: "x", count: 201))\"}",
                "text has 201 characters; at most 200 are allowed"
            ),
            ("POST", "/v1/press", "{}", "gesture: is missing"),
            ("POST", "/v1/press", "{\"gesture\": 1}", "gesture: must be a text"),
            (
                "POST", "/v1/press", "{\"gesture\": \"kick\"}",
                "gesture: \"kick\" is unknown; allowed: short, hold, long-hold, double"
            ),
            (
                "POST", "/v1/press", "{\"gesture\": \"short\", \"buton\": 1}",
                "buton: is unknown; allowed: gesture, number"
            ),
            ("POST", "/v1/press", "{\"gesture\": \"short\", \"number\": 0}", "number: must be 1 or more"),
            ("POST", "/v1/favourites", "{\"stop\": \"490\"}", "stop: must be feed:code, such as tfl:490008660N"),
            (
                "POST", "/v1/favourites", "{\"stop\": \"tfl:\(String(repeating: "n", count: 197))\"}",
                "stop: must be feed:code, such as tfl:490008660N"
            ),
            ("POST", "/v1/favourites", "{\"stop\": \"tfl:1\", \"lines\": [\"73\", 390]}", "lines[1]: must be a text"),
            ("PATCH", "/v1/favourites/tfl:1", "{\"position\": 0}", "position: must be 1 or more"),
            ("PATCH", "/v1/favourites/tfl:1", "{\"position\": 1.5}", "position: must be a whole number"),
            ("PATCH", "/v1/favourites/tfl:1", "{\"lines\": \"73\"}", "lines: must be a list"),
            (
                "PATCH", "/v1/favourites/tfl:1", "{}",
                "empty change: give one of position, label, lines, sort, walk, towards, "
                    + "platforms, directions, when"
            ),
            ("POST", "/v1/favourites", favourite("\"walk\": 420"), "walk: must be a text"),
            (
                "PATCH", "/v1/favourites/tfl:1", "{\"sort\": \"name\"}",
                "sort is \"name\", but must be \"time\", \"line\" or \"destination\""
            ),
            ("POST", "/v1/favourites", favourite("\"platforms\": \"3\""), "platforms: must be a list"),
            (
                "POST", "/v1/favourites", favourite("\"when\": [\"daily\", \"weekdys 06:30-09:30\"]"),
                "when: \"weekdys 06:30-09:30\" has \"weekdys\" for days; did you mean weekdays? allowed: daily, weekdays"
            ),
            ("PATCH", "/v1/favourites/tfl:1", "{\"when\": [\"9-17\"]}", "when: \"9-17\" has \"9-17\" for hours"),
            (
                "POST", "/v1/favourites", favourite("\"toward\": \"PAD\""),
                "toward: is unknown; allowed: stop, position, label, lines, sort, walk, towards, platforms, "
                    + "directions, when"
            ),
            ("GET", "/v1/stops", "", "give query (a name), near (latitude,longitude) or box"),
            ("GET", "/v1/stops?query=a&near=1,2", "", "give query or near, not both"),
            ("GET", "/v1/stops?query=%20", "", "query is empty"),
            ("GET", "/v1/stops?query=a&radius=5", "", "radius goes with near, not with query"),
            ("GET", "/v1/stops?query=a&limit=0", "", "limit is \"0\"; it must be a whole number from 1 to 100"),
            ("GET", "/v1/stops?query=a&query=b", "", "the parameter query is set twice"),
            (
                "GET", "/v1/stops?\((0..<17).map { "a\($0)" }.joined(separator: "&"))", "",
                "more than 16 parameters in the address"
            ),
            ("GET", "/v1/stops?query=%C3", "", "is not valid UTF-8"),
            ("GET", "/v1/stops?query=%2", "", "has a % without two digits after it"),
            ("GET", "/v1/stops?near=151.2,-33.87", "", "near=151.2,-33.87 has longitude and latitude swapped"),
            ("GET", "/v1/stops?near=51.5,-0.1&radius=99999", "", "from 1 to 5000"),
            ("GET", "/v1/stops?near=51.5,-0.1&radius=99999999999999999999999999", "", "from 1 to 5000"),
            ("GET", "/v1/stops?near=51.5,-0.1&radius=1e29", "", "from 1 to 5000"),
            (
                "GET", "/v1/stops?name=a", "",
                "the parameter name is unknown; allowed: query, near, radius, modes, box, limit"
            ),
            ("GET", "/v1/stops?box=51.5,-0.1,51.6", "", "box=51.5,-0.1,51.6 must be south,west,north,east in degrees"),
            ("GET", "/v1/stops?box=51.6,-0.1,51.5,0", "", "has a south edge that is north of its north edge"),
            ("GET", "/v1/stops?box=-0.1,151.5,0,251.6", "", "has the longitude 251.6, which must be from -180 to 180"),
            ("GET", "/v1/stops?box=1,2,3,4&limit=151", "", "it must be a whole number from 1 to 150"),
            ("GET", "/v1/stops?box=1,2,3,4&near=1,2&radius=9", "", "give radius or box, not both"),
            ("GET", "/v1/stops?box=1,2,3,4&modes=bus", "", "give modes or box, not both"),
            ("GET", "/v1/map.svg?scale=1", "", "give near (latitude,longitude): the middle of the map"),
            ("GET", "/v1/map.svg?near=151.2,-33.87", "", "near=151.2,-33.87 has longitude and latitude swapped"),
            (
                "GET", "/v1/map.svg?near=1,2&scale=3", "",
                "scale is \"3\"; allowed, in metres per pixel: 0.5, 1, 2, 5, 10, 20"
            ),
            ("GET", "/v1/map.svg?near=1,2&size=2000x10", "", "size is \"2000x10\"; write width and height in pixels"),
            ("GET", "/v1/map.svg?near=1,2&size=9", "", "such as 360x480, each from 120 to 1024"),
            ("GET", "/v1/map.svg?near=1,2&stop=490", "", "\"490\" is not a stop; write feed:code"),
            ("GET", "/v1/map.svg?near=1,2&line=73", "", "\"73\" is not a line; write feed:line"),
            ("GET", "/v1/map.svg?near=1,2&zoom=3", "", "allowed: near, scale, size, stop, line"),
            ("GET", "/v1/stops/490008660N", "", "\"490008660N\" is not a stop; write feed:code"),
            ("GET", "/v2/state", "", "no such path: /v2/state; see docs/control/openapi.json"),
            ("PUT", "/v1/favourites", "{}", "PUT is not supported here; allowed: GET, POST"),
        ])
    func message(method: String, target: String, body: String, message: String) async throws {
        let served = try await RunningServer()
        let response = try await request(served, method, target, body: method == "GET" ? nil : body)
        #expect((400..<500).contains(response.status))
        let plain = response.text.split(separator: "\\").joined()
        #expect(plain.contains(message), "\(plain)")
        #expect(served.board.calls == [])
    }

    @Test(
        "an error names its key, its rule, and what is allowed, for a client that says so in its own words",
        arguments: [
            (
                "PATCH", "/v1/favourites/tfl:1", #"{"walk": "0m"}"#,
                InvalidValue("walk", .range, minimum: "30s", maximum: "2h")
            ),
            (
                "PATCH", "/v1/favourites/tfl:1", #"{"sort": "name"}"#,
                InvalidValue("sort", .choice, allowed: ["time", "line", "destination"])
            ),
            ("PATCH", "/v1/favourites/tfl:1", #"{"when": ["9-17"]}"#, InvalidValue("when", .format)),
            ("PATCH", "/v1/favourites/tfl:1", #"{"lines": [1]}"#, InvalidValue("lines", .type)),
            ("POST", "/v1/favourites", #"{"label": "Home"}"#, InvalidValue("stop", .missing)),
            ("POST", "/v1/show", #"{"pge": "overview"}"#, InvalidValue("pge", .unknown, allowed: ["page"])),
            ("POST", "/v1/press", #"{"gesture": "short", "number": 0}"#, InvalidValue("number", .range, minimum: "1")),
            (
                "POST", "/v1/light", #"{"light": "dim"}"#,
                InvalidValue("light", .choice, allowed: ["auto", "on", "off"])
            ),
            (
                "POST", "/v1/message", #"{"text": "a", "seconds": 3601}"#,
                InvalidValue("seconds", .range, minimum: "1", maximum: "3600")
            ),
            (
                "POST", "/v1/message", "{\"text\": \"\(String(repeating: "x", count: 201))\"}",
                InvalidValue("text", .length, minimum: "1", maximum: "200")
            ),
            ("GET", "/v1/stops?query=a&limit=0", "", InvalidValue("limit", .range, minimum: "1", maximum: "100")),
            ("GET", "/v1/lines?line=73", "", InvalidValue("line", .unknown, allowed: ["feed"])),
            ("GET", "/v1/lines/73", "", InvalidValue("line", .format)),
            ("GET", "/v1/stops/490", "", InvalidValue("stop", .format)),
            ("GET", "/v1/stops?near=1", "", InvalidValue("near", .format)),
            ("GET", "/v1/stops?box=1", "", InvalidValue("box", .format)),
            ("GET", "/v1/map.svg?near=1,2&size=9", "", InvalidValue("size", .format)),
            (
                "GET", "/v1/map.svg?near=1,2&scale=3", "",
                InvalidValue("scale", .choice, allowed: ["0.5", "1", "2", "5", "10", "20"])
            ),
        ])
    func values(method: String, target: String, body: String, value: InvalidValue) async throws {
        let served = try await RunningServer()
        let response = try await request(served, method, target, body: method == "GET" ? nil : body)
        let error = try JSONDecoder().decode(ErrorResponse.self, from: Data(response.body)).error
        #expect(response.status == 400 && error.value == value)
    }

    @Test("a position outside of the list is named with the positions that there are")
    func position() {
        let error = ServiceError(FavouritesError.outOfRange(3, allowed: 1...2))
        #expect(error.value == InvalidValue("position", .range, minimum: "1", maximum: "2"))
    }

    @Test("an error that is not about a value names none")
    func noValue() async throws {
        let served = try await RunningServer()
        let response = try await request(served, "GET", "/v1/stops/tfl:missing")
        #expect(try JSONDecoder().decode(ErrorResponse.self, from: Data(response.body)).error.value == nil)
    }

    @Test(
        "invalid JSON is rejected with the position and with what is expected there",
        arguments: [
            ("{\n  \"gesture\": short\n}", "line 2, column 14: expected a value; texts are in quotation marks"),
            ("{\"gesture\": \"short\"", "line 1, column 20: expected a comma or }"),
            ("{\"gesture\": \"short}", "line 1, column 20: expected a quotation mark"),
            ("{gesture: 1}", "line 1, column 2: expected a key in quotation marks"),
            ("{\"gesture\" \"short\"}", "line 1, column 12: expected a colon"),
            ("{\"gesture\": \"short\",,}", "line 1, column 21: expected a key in quotation marks"),
            ("{\"gesture\": nil}", "line 1, column 14: expected null"),
            ("{\"gesture\": \"short\"} more", "line 1, column 22: expected nothing more"),
            ("{\"gesture\": \"a\\\"b\", \"x\": [1, {}, -2.5e3, true] ?}", "line 1, column 48: expected a comma or }"),
            (String(repeating: "[", count: 600), "line 1, column 129: expected fewer brackets within brackets"),
            ("{\"gesture\": \"short\", \"number\": 1e999}", "contains a number that is too large"),
        ])
    func brokenJSON(text: String, message: String) async throws {
        let served = try await RunningServer()
        let response = try await request(served, "POST", "/v1/press", body: text)
        #expect(response.status == 400)
        #expect(response.text.contains(message), "\(response.text)")
    }

    @Test(
        "an unsupported method is rejected with the allowed ones",
        arguments: [
            ("POST", "/v1/state", "GET"), ("GET", "/v1/press", "POST"), ("PUT", "/v1/favourites", "GET, POST"),
            ("GET", "/v1/favourites/tfl:1", "PATCH, DELETE"), ("HEAD", "/v1/stops", "GET"),
            ("OPTIONS", "/v1/lines", "GET"),
        ])
    func allow(method: String, target: String, allowed: String) async throws {
        let served = try await RunningServer()
        let client = try await RawClient.sending(
            "\(method) \(target) HTTP/1.1\r\nConnection: close\r\n\r\n", to: served.path)
        let response = try #require(method == "HEAD" ? try await client.head() : try await client.response())
        #expect(response.status == 405)
        #expect(response.header("allow") == allowed)
    }

    @Test("the response to HEAD has no body, so that the next response on the connection is read as one")
    func head() async throws {
        let served = try await RunningServer()
        let client = try await RawClient.sending("HEAD /v1/state HTTP/1.1\r\n\r\n", to: served.path)
        #expect(try await client.head()?.status == 405)
        try await client.send("GET /v1/state HTTP/1.1\r\nConnection: close\r\n\r\n")
        #expect(try await client.response()?.status == 200)
    }

    @Test("a button has a number from 1")
    func buttons() async throws {
        let served = try await RunningServer()
        for keys in ["", ", \"number\": 1", ", \"number\": 2"] {
            _ = try await request(
                served, "POST", "/v1/press", body: "{\"gesture\": \"short\"\(keys)}", type: "application/json")
        }
        #expect(served.board.calls == [1, 1, 2].map { "press short \($0)" })
    }

    @Test("parameters reach the board decoded")
    func arguments() async throws {
        let served = try await RunningServer()
        _ = try await request(served, "GET", "/v1/stops?query=St+Mary%27s%20%26%20Caf%C3%A9&limit=7")
        _ = try await request(served, "GET", "http://localhost/v1/stops?near=-33.87,%20151.2")
        _ = try await request(served, "GET", "/v1/stops/gtfs.lametro%3A01297")
        _ = try await request(served, "GET", "/v1/stops/tfl:a%2Fb/departures?sort=line")
        _ = try await request(served, "GET", "/v1/lines/rail:a%2Fb")
        _ = try await request(served, "GET", "/v1/stops?box=-19,%20177,-16,-178")
        _ = try await request(served, "GET", "/v1/map.svg?near=51.5,-0.1")
        let all = "scale=0.5&size=1024x120&stop=tfl:a%2Fb&line=gtfs.city%3A7"
        _ = try await request(served, "GET", "/v1/map.svg?near=51.5,-0.1&\(all)")
        #expect(
            served.board.calls == [
                "stops matching St Mary's & Café, 7", "stops near -33.87,151.2, 500 m, [], 20",
                "stop gtfs.lametro:01297", "departures of tfl:a/b by line", "route rail:a/b",
                "stops in -19.0,177.0,-16.0,-178.0, near -, 150", "map 51.5,-0.1 2 360x480 - -",
                "map 51.5,-0.1 0.5 1024x120 tfl:a/b gtfs.city:7",
            ])
    }

    @Test(
        "a name longer than any operator's is not found, on every route",
        arguments: [
            ("GET", "/v1/lines?feed=NAME"), ("GET", "/v1/lines/tfl:NAME"), ("GET", "/v1/stops/tfl:NAME"),
            ("GET", "/v1/stops/NAME:1"), ("POST", "/v1/directory/update?feed=NAME"),
            ("DELETE", "/v1/favourites/tfl:NAME"),
            ("GET", "/v1/map.svg?near=1,2&stop=tfl:NAME"), ("GET", "/v1/map.svg?near=1,2&line=tfl:NAME"),
        ])
    func longNames(method: String, target: String) async throws {
        let served = try await RunningServer()
        let name = String(repeating: "n", count: 300)
        let response = try await request(served, method, target.replacing("NAME", with: name))
        #expect(response.status == 404, "\(response.text)")
        #expect(response.text.contains("nnn") && !response.text.contains(String(repeating: "n", count: 201)))
        #expect(served.board.calls.isEmpty)
    }

    @Test("a path without values is not taken for one with values")
    func literalPath() async throws {
        let served = try await RunningServer()
        let response = try await request(served, "DELETE", "/v1/favourites/undo")
        #expect(response.status == 405)
        #expect(response.header("allow") == "POST")
    }

    @Test("a map is a picture that loads and runs nothing where a browser shows it by itself")
    func map() async throws {
        let served = try await RunningServer()
        let response = try await request(served, "GET", "/v1/map.svg?near=51.5154,-0.1419")
        #expect(response.status == 200 && response.header("content-type") == "image/svg+xml")
        #expect(response.header("content-security-policy") == "default-src 'none'; style-src 'unsafe-inline'")
        #expect(response.text.hasPrefix("<svg "))
    }

    @Test("bidirectional marks are escaped in responses, whatever their source")
    func direction() throws {
        let body = try #require(try ControlResponse.json("a\u{202E}b").body)
        #expect(String(decoding: body, as: UTF8.self) == #""a\u202Eb""#)
    }

    @Test(
        "a file that was not replaced: another process holds it, a right is missing, or it failed",
        arguments: [
            (FileError.Kind.system(EWOULDBLOCK), ServiceError.Kind.unavailable), (.system(EACCES), .notAllowed),
            (.system(EPERM), .notAllowed), (.system(EROFS), .notAllowed), (.foreignLink("/l"), .notAllowed),
            (.foreignFile, .notAllowed), (.notAFile("a socket"), .failed), (.system(ENOENT), .failed),
            (.system(ENOSPC), .failed), (.system(EIO), .failed),
        ])
    func files(_ file: FileError.Kind, _ kind: ServiceError.Kind) {
        #expect(ServiceError(FileError(file)).kind == kind)
        #expect(ServiceError(FavouritesError.file(FileError(file))).kind == kind)
    }

    @Test("a message repeats at most 200 characters of a word or of a quoted text")
    func repetition() {
        let (long, words) = (String(repeating: "x", count: 300), String(repeating: "a b ", count: 100))
        let cut = String(repeating: "x", count: 200) + "…"
        #expect(ServiceError(.invalid, "no \(long) here").message == "no \(cut) here")
        #expect(
            Fault(file: "f", message: "found \"\(words)\" there").message == "found \"\(words.prefix(200))…\" there")
        let advice = String(repeating: "short words stay, ", count: 30)
        #expect(ServiceError(.invalid, advice).message == advice)
    }

    @Test("a text is encoded in a target and decoded unchanged", arguments: ["tfl:490", "a b&c=d?e#f/g%h+é🚌"])
    func encoding(text: String) throws {
        let target = try RequestTarget("/v1/\(RequestTarget.encoded(text))?q=\(RequestTarget.encoded(text))")
        #expect(target.path == ["v1", text])
        #expect(target.query == [.init(name: "q", value: text)])
    }
}
