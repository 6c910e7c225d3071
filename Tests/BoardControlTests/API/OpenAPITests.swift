import BoardCore
import BoardService
import FoundationEssentials
import ServerTesting
import Testing
import Waiting

@testable import BoardControl

@Suite("docs/control/openapi.json", .endsHangs)
struct OpenAPITests {
    /// A request and the expected status.
    struct Case: Sendable, CustomTestStringConvertible {
        let route: String
        let target: String
        let body: String?
        let type: String?
        let status: Int

        init(_ route: String, _ target: String, _ status: Int, body: String? = nil, type: String? = "application/json")
        {
            self.route = route
            self.target = target
            self.body = body
            self.type = type
            self.status = status
        }

        var testDescription: String { "\(route): \(target) \(body?.prefix(60) ?? ""): \(status)" }
        var method: String { route.split(separator: " ").first.map { String($0) } ?? "" }
        var path: String { route.split(separator: " ").last.map { String($0) } ?? "" }
    }

    static let long = #"{"stop": "tfl:1", "label": ""# + String(repeating: "x", count: 70_000) + #""}"#

    static let cases: [Case] = [
        Case("GET /v1/state", "/v1/state", 200), Case("GET /v1/state", "/v1/state/", 200),
        Case("GET /v1/state", "/v1/state?x=1", 400),
        Case("GET /v1/live", "/v1/live", 200),
        Case("POST /v1/stops/{stop}/look", "/v1/stops/tfl:490000173RF/look", 200),
        Case("POST /v1/stops/{stop}/look", "/v1/stops/490/look", 400),
        Case("POST /v1/stops/{stop}/look", "/v1/stops/tfl:missing/look", 404),
        Case("POST /v1/stops/{stop}/look", "/v1/stops/tfl:again/look", 429),
        Case("POST /v1/stops/{stop}/look", "/v1/stops/tfl:malformed/look", 502),
        Case("POST /v1/stops/{stop}/look", "/v1/stops/tfl:later/look", 503),
        Case("POST /v1/favourites/undo", "/v1/favourites/undo", 200),
        Case("GET /v1/fleet", "/v1/fleet", 200),
        Case("POST /v1/fleet/list", "/v1/fleet/list", 200, body: #"{"favourites": "both"}"#),
        Case("DELETE /v1/fleet/boards/{name}", "/v1/fleet/boards/kitchen", 204),
        Case("GET /v1/favourites/changes", "/v1/favourites/changes", 200),
        Case("POST /v1/favourites/{stop}/revert", "/v1/favourites/tfl:490/revert", 200),
        Case("POST /v1/favourites/{stop}/revert", "/v1/favourites/490/revert", 400),
        Case("POST /v1/favourites/{stop}/revert", "/v1/favourites/tfl:readonly/revert", 403),
        Case("POST /v1/favourites/{stop}/revert", "/v1/favourites/tfl:missing/revert", 404),
        Case("POST /v1/favourites/{stop}/revert", "/v1/favourites/tfl:twice/revert", 409),
        Case("POST /v1/pairings", "/v1/pairings", 201),
        Case("GET /v1/pairings/{id}", "/v1/pairings/a", 200),
        Case("GET /v1/pairings/{id}", "/v1/pairings/gone", 404),
        Case("POST /v1/pairings/{id}", "/v1/pairings/many", 429, body: #"{"code": "1", "name": "Sofa"}"#),
        Case("POST /v1/pairings/{id}", "/v1/pairings/a", 201, body: #"{"code": "012345", "name": "Sofa"}"#),
        Case("POST /v1/pairings/{id}", "/v1/pairings/a", 400, body: #"{"code": "012345"}"#),
        Case("POST /v1/pairings/{id}", "/v1/pairings/a", 403, body: #"{"code": "1", "name": "Sofa"}"#),
        Case("POST /v1/pairings/{id}", "/v1/pairings/gone", 404, body: #"{"code": "1", "name": "Sofa"}"#),
        Case("POST /v1/pairings/{id}", "/v1/pairings/a", 415, body: "code=1", type: "text/plain"),
        Case("POST /v1/pairings/{id}", "/v1/pairings/a", 422, body: #"{"code": "012345", "name": ""}"#),
        Case("POST /v1/session", "/v1/session", 401),
        Case("GET /v1/devices", "/v1/devices", 200),
        Case("PATCH /v1/devices/{name}", "/v1/devices/Sofa", 200, body: #"{"isOwner": true}"#),
        Case("PATCH /v1/devices/{name}", "/v1/devices/Sofa", 400, body: #"{"owner": true}"#),
        Case("PATCH /v1/devices/{name}", "/v1/devices/Chair", 404, body: #"{"isOwner": true}"#),
        Case("GET /v1/setup", "/v1/setup", 200),
        Case("POST /v1/setup", "/v1/setup", 204),
        Case("DELETE /v1/setup", "/v1/setup", 204),
        Case("GET /v1/places", "/v1/places?query=London", 200),
        Case("GET /v1/places", "/v1/places?query=", 400), Case("GET /v1/places", "/v1/places?query=91,0", 400),
        Case(
            "PUT /v1/settings/{table}", "/v1/settings/quiet", 200,
            body: #"{"tables": [{"from": "23:00", "to": "6:30", "days": ["mon", "tue"]}]}"#),
        Case(
            "PUT /v1/settings/{table}", "/v1/settings/display", 200,
            body: #"{"tables": [{"size": "16x2", "address": 39, "backlight_on": true}]}"#),
        Case("PUT /v1/settings/{table}", "/v1/settings/display", 400, body: #"{"size": "16x2"}"#),
        Case("PUT /v1/settings/{table}", "/v1/settings/fleet", 404, body: #"{"tables": []}"#),
        Case("PUT /v1/settings/{table}", "/v1/settings/light", 409, body: #"{"tables": []}"#),
        Case("PUT /v1/settings/{table}", "/v1/settings/language", 422, body: #"{"tables": [{"code": "tlh"}]}"#),
        Case("DELETE /v1/settings/{table}", "/v1/settings/quiet", 200),
        Case("DELETE /v1/settings/{table}", "/v1/settings/fleet", 404),
        Case("DELETE /v1/settings/{table}", "/v1/settings/light", 409),
        Case("POST /v1/setup/button", "/v1/setup/button", 200),
        Case("GET /v1/backup", "/v1/backup", 200),
        Case("PUT /v1/backup", "/v1/backup", 200, body: #"{"settings": "", "favourites": "[[stop]]"}"#),
        Case("PUT /v1/backup", "/v1/backup", 400, body: #"{"settings": ""}"#),
        Case("PUT /v1/backup", "/v1/backup", 422, body: #"{"settings": "", "favourites": ""}"#),
        Case("PUT /v1/keys/{name}", "/v1/keys/RAIL_TOKEN", 200, body: #"{"value": "x-1"}"#),
        Case("PUT /v1/keys/{name}", "/v1/keys/RAIL_TOKEN", 400, body: #"{"key": "x-1"}"#),
        Case("PUT /v1/keys/{name}", "/v1/keys/PATH", 404, body: #"{"value": "x-1"}"#),
        Case("PUT /v1/keys/{name}", "/v1/keys/TFL_APP_KEY", 409, body: #"{"value": "x-1"}"#),
        Case("PUT /v1/keys/{name}", "/v1/keys/RAIL_TOKEN", 422, body: #"{"value": "x 1"}"#),
        Case("DELETE /v1/keys/{name}", "/v1/keys/RAIL_TOKEN", 200),
        Case("DELETE /v1/keys/{name}", "/v1/keys/TFL_APP_KEY", 409),
        Case("DELETE /v1/keys/{name}", "/v1/keys/PATH", 404),
        Case("DELETE /v1/devices/{name}", "/v1/devices/Sofa", 204),
        Case("DELETE /v1/devices/{name}", "/v1/devices/Chair", 404),
        Case("POST /v1/press", "/v1/press", 204, body: #"{"gesture": "long-hold", "number": 2}"#),
        Case("POST /v1/press", "/v1/press", 204, body: #"{"gesture": "short", "number": null}"#),
        Case("POST /v1/press", "/v1/press", 400, body: #"{"gesture": "kick"}"#),
        Case("POST /v1/press", "/v1/press", 404, body: #"{"gesture": "short", "number": 10}"#),
        Case("POST /v1/press", "/v1/press", 413, body: long),
        Case("POST /v1/press", "/v1/press", 415, body: #"{"gesture": "short"}"#, type: nil),
        Case("POST /v1/refresh", "/v1/refresh", 204),
        Case("POST /v1/show", "/v1/show", 204, body: #"{"page": "overview"}"#),
        Case("POST /v1/show", "/v1/show", 400, body: #"{"stop": "overview"}"#),
        Case("POST /v1/show", "/v1/show", 404, body: #"{"page": "address"}"#),
        Case("POST /v1/show", "/v1/show", 413, body: long),
        Case("POST /v1/show", "/v1/show", 415, body: #"{"page": "overview"}"#, type: nil),
        Case("POST /v1/show", "/v1/show", 422, body: #"{"page": "twice"}"#),
        Case("POST /v1/light", "/v1/light", 204, body: #"{"light": "off"}"#),
        Case("POST /v1/light", "/v1/light", 400, body: #"{"light": "dim"}"#),
        Case("POST /v1/light", "/v1/light", 413, body: long),
        Case("POST /v1/light", "/v1/light", 415, body: #"{"light": "off"}"#, type: nil),
        Case("POST /v1/message", "/v1/message", 204, body: #"{"text": "Dinner"}"#),
        Case("POST /v1/message", "/v1/message", 204, body: #"{"text": "Dinner", "seconds": 3600}"#),
        Case("POST /v1/message", "/v1/message", 204, body: #"{"text": "Dinner", "seconds": null}"#),
        Case("POST /v1/message", "/v1/message", 400, body: #"{"text": " "}"#),
        Case("POST /v1/message", "/v1/message", 413, body: long),
        Case("POST /v1/message", "/v1/message", 415, body: #"{"text": "Dinner"}"#, type: nil),
        Case("POST /v1/reload", "/v1/reload", 204),
        Case("GET /v1/stops", "/v1/stops?query=oxford%20circus&limit=3", 200),
        Case("GET /v1/stops", "/v1/stops?near=51.5154,-0.1419&radius=400&modes=bus,tube&limit=5", 200),
        Case("GET /v1/stops", "/v1/stops", 400),
        Case("GET /v1/stops", "/v1/stops?query=too+early", 503),
        Case("GET /v1/stops", "/v1/stops?box=51.50,-0.15,51.53,-0.12&limit=150", 200),
        Case("GET /v1/stops", "/v1/stops?box=51.50,-0.15,51.53,-0.12&near=51.51,-0.13", 200),
        Case("GET /v1/stops", "/v1/stops?box=51.50,-0.15,51.53", 400),
        Case("GET /v1/display.svg", "/v1/display.svg", 200),
        Case("GET /v1/map.svg", "/v1/map.svg?near=51.5154,-0.1419", 200),
        Case(
            "GET /v1/map.svg",
            "/v1/map.svg?near=51.5154,-0.1419&scale=0.5&size=1024x768&stop=tfl:490000173RF&line=tfl:73", 200),
        Case("GET /v1/map.svg", "/v1/map.svg", 400),
        Case("GET /v1/map.svg", "/v1/map.svg?near=51.5154,-0.1419&line=tfl:missing", 404),
        Case("GET /v1/map.svg", "/v1/map.svg?near=51.5154,-0.1419&line=tfl:malformed", 502),
        Case("GET /v1/map.svg", "/v1/map.svg?near=51.5154,-0.1419&line=tfl:later", 503),
        Case("GET /v1/stops/{stop}", "/v1/stops/tfl:490ZZ", 200),
        Case("GET /v1/stops/{stop}", "/v1/stops/490ZZ", 400),
        Case("GET /v1/stops/{stop}", "/v1/stops/tfl%3Amissing", 404),
        Case("GET /v1/stops/{stop}", "/v1/stops/tfl:later", 503),
        Case("GET /v1/stops/{stop}", "/v1/stops/tfl:broken", 500),
        Case("GET /v1/stops/{stop}/departures", "/v1/stops/tfl:490000173RF/departures", 200),
        Case("GET /v1/stops/{stop}/departures", "/v1/stops/tfl:490ZZ/departures?sort=line", 200),
        Case("GET /v1/stops/{stop}/departures", "/v1/stops/tfl:490ZZ/departures?sort=size", 400),
        Case("GET /v1/stops/{stop}/departures", "/v1/stops/490ZZ/departures", 400),
        Case("GET /v1/stops/{stop}/departures", "/v1/stops/tfl:missing/departures", 404),
        Case("GET /v1/stops/{stop}/departures", "/v1/stops/tfl:later/departures", 503),
        Case("GET /v1/lines", "/v1/lines", 200), Case("GET /v1/lines", "/v1/lines?feed=tfl", 200),
        Case("GET /v1/lines", "/v1/lines?line=73", 400), Case("GET /v1/lines", "/v1/lines?feed=nowhere", 404),
        Case("GET /v1/lines", "/v1/lines?feed=later", 503),
        Case("GET /v1/lines/{line}", "/v1/lines/tfl:northern", 200),
        Case("GET /v1/lines/{line}", "/v1/lines/northern", 400),
        Case("GET /v1/lines/{line}", "/v1/lines/tfl:missing", 404),
        Case("GET /v1/lines/{line}", "/v1/lines/tfl:later", 503),
        Case("GET /v1/lines/{line}", "/v1/lines/tfl:malformed", 502),
        Case("GET /v1/directory", "/v1/directory", 200),
        Case("POST /v1/directory/update", "/v1/directory/update", 202),
        Case("GET /v1/favourites", "/v1/favourites", 200),
        Case(
            "POST /v1/favourites", "/v1/favourites", 201,
            body: #"{"stop": "tfl:490", "label": "Home", "lines": ["73"]}"#),
        Case("POST /v1/favourites", "/v1/favourites", 201, body: #"{"stop": "tfl:490", "label": null, "lines": null}"#),
        Case(
            "POST /v1/favourites", "/v1/favourites", 201,
            body: #"""
                {"stop": "rail:RDG", "sort": "line", "walk": "7m", "towards": ["PAD"],
                "platforms": ["3"], "directions": ["up"], "when": ["weekdays 06:30-09:30", "weekend"]}
                """#),
        Case(
            "POST /v1/favourites", "/v1/favourites", 201,
            body: #"""
                {"stop": "tfl:490", "sort": null, "walk": null, "towards": null,
                "platforms": null, "directions": null, "when": null}
                """#),
        Case("POST /v1/favourites", "/v1/favourites", 400, body: #"{"label": "Home"}"#),
        Case("POST /v1/favourites", "/v1/favourites", 400, body: #"{"stop": "tfl:490", "walk": "a while"}"#),
        Case("POST /v1/favourites", "/v1/favourites", 403, body: #"{"stop": "tfl:readonly"}"#),
        Case("POST /v1/favourites", "/v1/favourites", 404, body: #"{"stop": "tfl:missing"}"#),
        Case("POST /v1/favourites", "/v1/favourites", 409, body: #"{"stop": "tfl:twice"}"#),
        Case("POST /v1/favourites", "/v1/favourites", 413, body: long),
        Case(
            "POST /v1/favourites", "/v1/favourites", 415, body: "stop=tfl:1", type: "application/x-www-form-urlencoded"),
        Case("POST /v1/favourites", "/v1/favourites", 422, body: #"{"stop": "tfl:490", "lines": ["999"]}"#),
        Case("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 200, body: #"{"position": 1}"#),
        Case("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 200, body: #"{"lines": [], "position": null}"#),
        Case(
            "PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 200,
            body: #"""
                {"label": "", "sort": "time", "walk": "", "towards": [], "platforms": [],
                "directions": [], "when": ["daily 22:00-02:00"]}
                """#),
        Case(
            "PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 200,
            body: #"""
                {"position": 1, "label": null, "sort": null, "walk": null, "towards": null,
                "platforms": null, "directions": null, "when": null}
                """#),
        Case("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 400, body: "{}"),
        Case("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 400, body: #"{"label": null, "when": null}"#),
        Case("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:readonly", 403, body: #"{"position": 1}"#),
        Case("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:missing", 404, body: #"{"position": 1}"#),
        Case("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 413, body: long),
        Case(
            "PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 415, body: #"{"position": 1}"#, type: "text/plain"),
        Case("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 422, body: #"{"lines": ["999"]}"#),
        Case("DELETE /v1/favourites/{stop}", "/v1/favourites/tfl:490", 204),
        Case("DELETE /v1/favourites/{stop}", "/v1/favourites/490", 400),
        Case("DELETE /v1/favourites/{stop}", "/v1/favourites/tfl:readonly", 403),
        Case("DELETE /v1/favourites/{stop}", "/v1/favourites/tfl:missing", 404),
    ]

    /// What ``everyStatus()`` observes besides the cases.
    private static let others = [
        ("POST /v1/reload", 422), ("POST /v1/favourites/undo", 404), ("POST /v1/favourites/undo", 409),
        ("POST /v1/pairings", 429), ("GET /v1/events", 200), ("POST /v1/setup/button", 409),
        ("POST /v1/setup/button", 409), ("POST /v1/setup/button", 503),
        ("POST /v1/session", 201), ("POST /v1/session", 429),
    ]

    private static let checkout = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")
    private static let path = "\(checkout)/docs/control/openapi.json"

    private func document() throws -> JSONValue { try Self.parsed.get() }

    private static let parsed = Result { try JSONValue(Array(Data(contentsOf: URL(filePath: path)))) }

    /// The description of one response of an operation.
    private func describedResponse(_ operation: JSONValue, _ status: Int, _ schema: Schema) -> JSONValue? {
        let response = operation["responses"]?["\(status)"] ?? operation["responses"]?["default"]
        return response?["$ref"]?.string.flatMap { schema.resolve($0) } ?? response
    }

    @Test("is printed from the served routes, the types and their comments; BOARDD_OPENAPI=write replaces it")
    func printed() throws {
        var statuses = Dictionary(grouping: Self.cases, by: \.route).mapValues { Set($0.map(\.status)) }
        for (route, status) in Self.others { statuses[route, default: []].insert(status) }
        let routes =
            Route.board + [Route.events(LiveFeed(FakeBoard()))] + Route.pairing(FakeDevices(), isLocal: true)
            + Route.setup(FakeSetup()) + Route.fleet(FakeFleet())
        let (document, faults) = try OpenAPIDocument(checkout: Self.checkout, statuses: statuses)
            .value(routes.map(\.operation))
        #expect(faults == [])
        let text = try document.lines
        if ProcessInfo.processInfo.environment["BOARDD_OPENAPI"] == "write" {
            try Data(text.utf8).write(to: URL(filePath: Self.path))
        }
        #expect(text == (try String(contentsOf: URL(filePath: Self.path), encoding: .utf8)))
    }

    @Test("describes the actual response to every request", arguments: cases)
    func responses(testCase: Case) async throws {
        let schema = Schema(document: try document())
        let served = try await RunningServer()
        let response = try await request(
            served, testCase.method, testCase.target, body: testCase.body, type: testCase.type)
        #expect(response.status == testCase.status, "\(testCase): \(response.text)")
        let operation = try #require(schema.document["paths"]?[testCase.path]?[testCase.method.lowercased()])
        let description = try #require(
            describedResponse(operation, testCase.status, schema), "\(testCase.status) is described")
        guard let expected = description["content"]?["application/json"]?["schema"] else {
            let type = description["content"]?.keys.first
            #expect(response.header("content-type") == type)
            #expect(response.body.isEmpty == (type == nil))
            for name in description["headers"]?.keys ?? [] { #expect(response.header(name.lowercased()) != nil) }
            return
        }
        #expect(response.header("content-type") == "application/json")
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(response.body))
        #expect(schema.faults(value, expected) == [])
        for name in description["headers"]?.keys ?? [] { #expect(response.header(name.lowercased()) != nil) }
        // A body that the server accepts must match its schema.
        if let body = testCase.body, let text = try? JSONDecoder().decode(JSONValue.self, from: Data(body.utf8)),
            let bodySchema = operation["requestBody"]?["content"]?["application/json"]?["schema"], testCase.status < 300
        {
            #expect(schema.faults(text, bodySchema) == [])
        }
    }

    @Test("describes no response that no request gets")
    func everyStatus() async throws {
        let paths = try #require(try document()["paths"])
        var described: Set<String> = []
        for path in paths.keys {
            for method in paths[path]?.keys ?? [] {
                for status in paths[path]?[method]?["responses"]?.keys ?? [] where status != "default" {
                    described.insert("\(method.uppercased()) \(path) \(status)")
                }
            }
        }
        var covered = Set(Self.cases.map { "\($0.route) \($0.status)" })
        let served = try await RunningServer()
        served.board.setFaulty(true)
        let response = try await request(served, "POST", "/v1/reload")
        covered.insert("POST /v1/reload \(response.status)")
        for isFaulty in [false, false, true] {
            served.board.setFaulty(isFaulty)
            let undone = try await request(served, "POST", "/v1/favourites/undo")
            covered.insert("POST /v1/favourites/undo \(undone.status)")
        }
        for _ in 0..<2 {
            covered.insert("POST /v1/pairings \(try await request(served, "POST", "/v1/pairings").status)")
        }
        for kind in [ServiceError.Kind.conflict, .unavailable] {
            served.setup.setButtonFault(ServiceError(kind, "no press"))
            covered.insert("POST /v1/setup/button \(try await request(served, "POST", "/v1/setup/button").status)")
        }
        let page = try await RunningPage()
        let cookie = try RunningPage.cookie(in: try await page.pairing())
        covered.insert("POST /v1/session \(try await page.session([cookie]).status)")
        for _ in 0..<31 { covered.insert("POST /v1/session \(try await page.session([cookie]).status)") }
        let viewer = try RawClient(served.path)
        try await viewer.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let events = try #require(try await viewer.head())
        #expect(events.header("content-type") == "text/event-stream")
        covered.insert("GET /v1/events \(events.status)")
        let failure = try JSONDecoder().decode(ErrorResponse.self, from: Data(response.body))
        #expect(failure.error.faults.map(\.line) == [12, nil])
        #expect(described.subtracting(covered) == [])
    }

    @Test("the schema checker finds every kind of mismatch")
    func checker() throws {
        let text = #"""
            {"a": {"type": "object", "required": ["n"], "additionalProperties": false, "properties": {
              "n": {"type": ["integer", "null"], "minimum": 1}, "w": {"enum": ["x"]}, "t": {"type": "string", "format": "date-time"},
              "l": {"type": "array", "items": {"$ref": "#/a"}}}}}
            """#
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        let schema = Schema(document: document)
        func count(_ text: String) throws -> Int {
            let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            return schema.faults(value, try #require(document["a"])).count
        }
        #expect(try count(#"{"n": 1, "w": "x", "t": "2026-05-04T12:00:00Z", "l": [{"n": null}]}"#) == 0)
        #expect(try count("{}") == 1)
        #expect(try count("[]") == 1)
        #expect(try count(#"{"n": 0}"#) == 1)
        #expect(try count(#"{"n": 1.5}"#) == 1)
        #expect(try count(#"{"n": "1"}"#) == 1)
        #expect(try count(#"{"n": 1, "w": "y"}"#) == 1)
        #expect(try count(#"{"n": 1, "t": "noon"}"#) == 1)
        #expect(try count(#"{"n": 1, "more": 1}"#) == 1)
        #expect(try count(#"{"n": 1, "l": [{}, {"n": 2}, 3]}"#) == 2)
    }
}
