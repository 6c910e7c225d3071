import FoundationEssentials
import Testing
import Waiting

@testable import BoardControl

@Suite("docs/control/openapi.json", .endsHangs)
struct OpenAPITests {
    /// One request and the status of its answer.
    struct Trial: Sendable, CustomTestStringConvertible {
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

    static let trials: [Trial] = [
        Trial("GET /v1/state", "/v1/state", 200), Trial("GET /v1/state", "/v1/state/", 200),
        Trial("GET /v1/state", "/v1/state?x=1", 400),
        Trial("POST /v1/press", "/v1/press", 204, body: #"{"gesture": "long-hold", "button": 1}"#),
        Trial("POST /v1/press", "/v1/press", 204, body: #"{"gesture": "short", "button": null}"#),
        Trial("POST /v1/press", "/v1/press", 400, body: #"{"gesture": "kick"}"#),
        Trial("POST /v1/press", "/v1/press", 404, body: #"{"gesture": "short", "button": 9}"#),
        Trial("POST /v1/press", "/v1/press", 413, body: long),
        Trial("POST /v1/press", "/v1/press", 415, body: #"{"gesture": "short"}"#, type: nil),
        Trial("POST /v1/refresh", "/v1/refresh", 204),
        Trial("POST /v1/reload", "/v1/reload", 204),
        Trial("GET /v1/stops", "/v1/stops?query=oxford%20circus&limit=3", 200),
        Trial("GET /v1/stops", "/v1/stops?near=51.5154,-0.1419&radius=400&modes=bus,tube&limit=5", 200),
        Trial("GET /v1/stops", "/v1/stops", 400),
        Trial("GET /v1/stops", "/v1/stops?query=too+early", 503),
        Trial("GET /v1/stops/{stop}", "/v1/stops/tfl:490ZZ", 200),
        Trial("GET /v1/stops/{stop}", "/v1/stops/490ZZ", 400),
        Trial("GET /v1/stops/{stop}", "/v1/stops/tfl%3Amissing", 404),
        Trial("GET /v1/stops/{stop}", "/v1/stops/tfl:later", 503),
        Trial("GET /v1/stops/{stop}", "/v1/stops/tfl:broken", 500),
        Trial("GET /v1/lines", "/v1/lines", 200), Trial("GET /v1/lines", "/v1/lines?feed=tfl", 200),
        Trial("GET /v1/lines", "/v1/lines?line=73", 400), Trial("GET /v1/lines", "/v1/lines?feed=nowhere", 404),
        Trial("GET /v1/lines", "/v1/lines?feed=later", 503),
        Trial("GET /v1/lines/{line}", "/v1/lines/tfl:northern", 200),
        Trial("GET /v1/lines/{line}", "/v1/lines/northern", 400),
        Trial("GET /v1/lines/{line}", "/v1/lines/tfl:missing", 404),
        Trial("GET /v1/lines/{line}", "/v1/lines/tfl:later", 503),
        Trial("GET /v1/lines/{line}", "/v1/lines/tfl:garbled", 502),
        Trial("GET /v1/directory", "/v1/directory", 200),
        Trial("POST /v1/directory/update", "/v1/directory/update", 202),
        Trial("GET /v1/favourites", "/v1/favourites", 200),
        Trial(
            "POST /v1/favourites", "/v1/favourites", 201,
            body: #"{"stop": "tfl:490", "label": "Home", "lines": ["73"]}"#),
        Trial(
            "POST /v1/favourites", "/v1/favourites", 201, body: #"{"stop": "tfl:490", "label": null, "lines": null}"#),
        Trial(
            "POST /v1/favourites", "/v1/favourites", 201,
            body: #"""
                {"stop": "rail:RDG", "sort": "line", "walk": "7m", "uncatchable": "mark", "towards": "PAD",
                "platforms": ["3"], "directions": ["up"], "when": ["weekdays 06:30-09:30", "weekend"]}
                """#),
        Trial(
            "POST /v1/favourites", "/v1/favourites", 201,
            body: #"""
                {"stop": "tfl:490", "sort": null, "walk": null, "uncatchable": null, "towards": null,
                "platforms": null, "directions": null, "when": null}
                """#),
        Trial("POST /v1/favourites", "/v1/favourites", 400, body: #"{"label": "Home"}"#),
        Trial("POST /v1/favourites", "/v1/favourites", 400, body: #"{"stop": "tfl:490", "walk": "a while"}"#),
        Trial("POST /v1/favourites", "/v1/favourites", 403, body: #"{"stop": "tfl:readonly"}"#),
        Trial("POST /v1/favourites", "/v1/favourites", 404, body: #"{"stop": "tfl:missing"}"#),
        Trial("POST /v1/favourites", "/v1/favourites", 409, body: #"{"stop": "tfl:twice"}"#),
        Trial("POST /v1/favourites", "/v1/favourites", 413, body: long),
        Trial(
            "POST /v1/favourites", "/v1/favourites", 415, body: "stop=tfl:1", type: "application/x-www-form-urlencoded"),
        Trial("POST /v1/favourites", "/v1/favourites", 422, body: #"{"stop": "tfl:490", "lines": ["999"]}"#),
        Trial("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 200, body: #"{"position": 1}"#),
        Trial("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 200, body: #"{"lines": [], "position": null}"#),
        Trial(
            "PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 200,
            body: #"""
                {"label": "", "sort": "time", "walk": "", "uncatchable": "hide", "towards": "", "platforms": [],
                "directions": [], "when": ["daily 22:00-02:00"]}
                """#),
        Trial(
            "PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 200,
            body: #"""
                {"position": 1, "label": null, "sort": null, "walk": null, "uncatchable": null, "towards": null,
                "platforms": null, "directions": null, "when": null}
                """#),
        Trial("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 400, body: "{}"),
        Trial("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 400, body: #"{"label": null, "when": null}"#),
        Trial("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:readonly", 403, body: #"{"position": 1}"#),
        Trial("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:missing", 404, body: #"{"position": 1}"#),
        Trial("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 413, body: long),
        Trial(
            "PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 415, body: #"{"position": 1}"#, type: "text/plain"),
        Trial("PATCH /v1/favourites/{stop}", "/v1/favourites/tfl:490", 422, body: #"{"lines": ["999"]}"#),
        Trial("DELETE /v1/favourites/{stop}", "/v1/favourites/tfl:490", 204),
        Trial("DELETE /v1/favourites/{stop}", "/v1/favourites/490", 400),
        Trial("DELETE /v1/favourites/{stop}", "/v1/favourites/tfl:readonly", 403),
        Trial("DELETE /v1/favourites/{stop}", "/v1/favourites/tfl:missing", 404),
    ]

    private static let here = #filePath

    private func document() throws -> JSONValue {
        let checkout = Self.here.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        let path = checkout.joined(separator: "/") + "/docs/control/openapi.json"
        return try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: URL(filePath: path)))
    }

    /// The description of one answer of an operation.
    private func response(_ operation: JSONValue, _ status: Int, _ schema: Schema) -> JSONValue? {
        let response = operation["responses"]?["\(status)"] ?? operation["responses"]?["default"]
        return response?["$ref"]?.string.flatMap { schema.resolve($0) } ?? response
    }

    @Test("describes every route that is served, with its parameters, and no other")
    func routes() throws {
        let document = try document()
        let paths = try #require(document["paths"])
        var described: Set<String> = []
        for path in paths.keys {
            for method in paths[path]?.keys ?? [] { described.insert("\(method.uppercased()) \(path)") }
        }
        #expect(described == Set(Route.all.map { "\($0.method) \($0.template)" }))
        for route in Route.all {
            let operation = try #require(paths[route.template]?[route.method.lowercased()])
            let parameters = operation["parameters"]?.elements ?? []
            let query = parameters.filter { $0["in"] == .text("query") }.compactMap { $0["name"]?.string }
            #expect(Set(query) == Set(route.parameters), "\(route.template)")
            #expect((operation["requestBody"] != nil) == route.takesBody, "\(route.method) \(route.template)")
        }
    }

    @Test("describes what is really answered to every request", arguments: trials)
    func answers(trial: Trial) async throws {
        let schema = Schema(document: try document())
        let served = try await Served()
        let answer = try await ask(served, trial.method, trial.target, body: trial.body, type: trial.type)
        #expect(answer.status == trial.status, "\(trial): \(answer.text)")
        let operation = try #require(schema.document["paths"]?[trial.path]?[trial.method.lowercased()])
        let description = try #require(response(operation, trial.status, schema), "\(trial.status) is described")
        guard let wanted = description["content"]?["application/json"]?["schema"] else {
            #expect(answer.body.isEmpty)
            return
        }
        #expect(answer.header("content-type") == "application/json")
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(answer.body))
        #expect(schema.faults(value, wanted) == [])
        for name in description["headers"]?.keys ?? [] { #expect(answer.header(name.lowercased()) != nil) }
        // What is accepted is described, and what is described as wrong is refused.
        if let body = trial.body, let text = try? JSONDecoder().decode(JSONValue.self, from: Data(body.utf8)),
            let asked = operation["requestBody"]?["content"]?["application/json"]?["schema"], trial.status < 300
        {
            #expect(schema.faults(text, asked) == [])
        }
    }

    @Test("describes no answer that no request gets")
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
        var tried = Set(Self.trials.map { "\($0.route) \($0.status)" })
        let served = try await Served()
        served.board.setFaulty(true)
        let answer = try await ask(served, "POST", "/v1/reload")
        tried.insert("POST /v1/reload \(answer.status)")
        let refusal = try JSONDecoder().decode(ErrorResponse.self, from: Data(answer.body))
        #expect(refusal.error.faults?.map(\.line) == [12, nil])
        #expect(described.subtracting(tried) == [])
    }

    @Test("says the same words as the code for everything that is one of a list")
    func enumerations() throws {
        let schemas = try #require(try document()["components"]?["schemas"])
        func words(_ schema: String, _ property: String) -> [String] {
            (schemas[schema]?["properties"]?[property]?["enum"]?.elements ?? []).compactMap(\.string)
        }
        #expect(words("State", "timeSource") == BoardState.TimeSource.allCases.map(\.rawValue))
        #expect(words("StopState", "status") == StopState.Status.allCases.map(\.rawValue))
        #expect(words("StopError", "kind") == FailureKind.allCases.map(\.rawValue))
        #expect(words("DirectoryUpdate", "state") == DirectoryState.Update.State.allCases.map(\.rawValue))
        #expect(words("Press", "gesture") == PressRequest.Gesture.allCases.map(\.rawValue))
        #expect(words("Stop", "kind") == StopEntry.Kind.allCases.map(\.rawValue))
        for schema in ["Favourite", "NewFavourite", "FavouriteChange"] {
            #expect(words(schema, "sort") == FavouriteItem.Sort.allCases.map(\.rawValue))
            #expect(words(schema, "uncatchable") == FavouriteItem.Uncatchable.allCases.map(\.rawValue))
        }
        func keys(_ schema: String) -> Set<String> { Set(schemas[schema]?["properties"]?.keys ?? []) }
        #expect(keys("NewFavourite") == keys("Favourite").subtracting(["name"]))
        #expect(keys("FavouriteChange") == Set(FavouriteChange.keys))
        #expect(keys("FavouriteChange") == keys("NewFavourite").subtracting(["stop"]).union(["position"]))
    }

    @Test("is checked by a checker that finds what is wrong")
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
