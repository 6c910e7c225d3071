import BoardCore
import BoardService
import BoardStore
import ServerTesting

@testable import BoardControl

/// docs/control/openapi.json, from the table of requests, the types and their comments.
struct OpenAPIDocument {
    private let comments: SourceComments
    private let recorder: SchemaRecorder
    /// The statuses that tests observe, by operation: "GET /v1/state".
    private let statuses: [String: Set<Int>]

    init(checkout: String, statuses: [String: Set<Int>]) throws {
        comments = try SourceComments(checkout: checkout)
        recorder = SchemaRecorder(comments)
        self.statuses = statuses
    }

    /// - Returns: the document, and what it lacks.
    func value(_ operations: [Operation]) -> (document: JSONValue, faults: [String]) {
        var paths: [String: [String: JSONValue]] = [:]
        var faults: [String] = []
        let failure = recorder.schema(of: ErrorResponse.self)
        for operation in operations {
            guard let comment = comments.operations["\(operation.method) \(operation.template)"] else {
                faults.append("\(operation.method) \(operation.template) has no comment in API.swift")
                continue
            }
            paths[operation.template, default: [:]][operation.method.lowercased()] = value(operation, comment, failure)
            let names = Self.parameters(of: operation).map(\.name)
            let known = Set(names + (statuses["\(operation.method) \(operation.template)"] ?? []).map { "\($0)" })
            for note in comment.notes.keys where !known.contains(note) && note != "\(operation.status)" {
                faults.append("\(comment.id): there is no \(note)")
            }
            for name in names where comment.notes[name] == nil {
                faults.append("\(comment.id): \(name) is not described")
            }
        }
        let document: JSONValue = [
            "openapi": "3.1.0", "info": Self.info, "security": [],
            "servers": [["url": "http://localhost", "description": "Over the Unix socket /run/boardd/control.sock."]],
            "tags": .list(Self.tags.map { ["name": .text($0.name), "description": .text($0.text)] }),
            "paths": .object(paths.mapValues { .object($0) }),
            "components": [
                "schemas": .object(recorder.schemas),
                "responses": ["Error": Self.response("Any other error.", failure, "application/json")],
            ],
        ]
        return (document, faults + recorder.faults)
    }

    private func value(
        _ operation: Operation, _ comment: SourceComments.OperationComment, _ failure: JSONValue
    ) -> JSONValue {
        var responses: [String: JSONValue] = ["default": ["$ref": "#/components/responses/Error"]]
        for status in statuses["\(operation.method) \(operation.template)"] ?? [] where status >= 400 && status != 500 {
            var response = Self.response(
                comment.notes["\(status)"] ?? Self.usual[status] ?? "", failure, "application/json"
            ).fields
            if status == 429 { response["headers"] = Self.headers("Retry-After", "Seconds to wait.") }
            responses["\(status)"] = .object(response)
        }
        var success = Self.response(
            comment.notes["\(operation.status)"] ?? "", operation.response.map { recorder.schema(of: $0) },
            operation.contentType
        ).fields
        if operation.method == "POST", operation.status == 201, operation.template == "/v1/favourites" {
            success["headers"] = Self.headers("Location", "The path for changing and removing it.")
        }
        if operation.contentType == "image/svg+xml" {
            success["headers"] = Self.headers(
                "Content-Security-Policy", "Forbids the document to load or run anything.")
        }
        responses["\(operation.status)"] = .object(success)
        var value: [String: JSONValue] = [
            "operationId": .text(comment.id), "summary": .text(comment.title),
            "tags": [
                .text(Self.tags.first { tag in tag.prefixes.contains { operation.template.hasPrefix($0) } }?.name ?? "")
            ],
            "responses": .object(responses),
        ]
        if !comment.text.isEmpty { value["description"] = .text(comment.text) }
        if let body = operation.body {
            let content: JSONValue = ["schema": recorder.schema(of: body, isBody: true)]
            value["requestBody"] = ["required": true, "content": ["application/json": content]]
        }
        let parameters = Self.parameters(of: operation)
        if !parameters.isEmpty {
            value["parameters"] = .list(
                parameters.map { name, place in
                    let isRequired = place == "path" || comment.id == "map" && name == "near"
                    return [
                        "name": .text(name), "in": .text(place), "required": .bool(isRequired),
                        "description": .text(comment.notes[name] ?? ""),
                        "schema": comment.id == "forgetBoard"
                            ? recorder.schema(of: FleetName.self) : Self.schemas[name] ?? ["type": "string"],
                    ]
                })
        }
        return .object(value)
    }

    private static func parameters(of operation: Operation) -> [(name: String, place: String)] {
        operation.template.split(separator: "/").filter { $0.hasPrefix("{") }
            .map { (String($0.dropFirst().dropLast()), "path") } + (operation.parameters ?? []).map { ($0, "query") }
    }

    private static func response(_ text: String, _ schema: JSONValue?, _ type: String) -> JSONValue {
        var response: [String: JSONValue] = ["description": .text(text)]
        if let schema { response["content"] = .object([type: ["schema": schema]]) }
        return .object(response)
    }

    private static func headers(_ name: String, _ text: String) -> JSONValue {
        .object([name: ["description": .text(text), "schema": ["type": "string"]]])
    }

    /// What a status means unless an operation says otherwise.
    private static let usual = [
        400:
            "The request is malformed: an unknown parameter or key, a value that is not allowed, invalid JSON. The message names the position.",
        403: "The daemon cannot write favourites.toml.", 404: "Not found; the candidates are similar.",
        413: "The body is longer than 64 kB.",
        415: "The body must be sent with the header Content-Type: application/json.",
        422: "The request is well-formed but invalid.", 502: "The operator's response is unreadable.",
        503: "Not possible now: there is no usable stop directory, or the action takes too long.",
    ]

    /// Parameters that are more than a text.
    private static let schemas: [String: JSONValue] = [
        "query": ["type": "string", "minLength": 1],
        "radius": ["type": "integer", "minimum": 1, "maximum": .number(Double(Route.maximumRadius)), "default": 500],
        "limit": ["type": "integer", "minimum": 1, "maximum": .number(Double(MapRequest.maximumStops))],
        "sort": ["type": "string", "default": "time", "enum": .list(SortOrder.allCases.map { .text($0.rawValue) })],
        "scale": [
            "type": "string", "default": "2", "enum": .list(MapRequest.Scale.allCases.map { .text($0.rawValue) }),
        ],
        "size": ["type": "string", "default": "360x480"],
    ]

    private static let tags: [(name: String, text: String, prefixes: [String])] = [
        ("stops", "Search for stops.", ["/v1/stops", "/v1/map", "/v1/lines"]),
        ("directory", "The stop directories, which searches use.", ["/v1/directory"]),
        ("favourites", "What the board shows.", ["/v1/favourites"]),
        (
            "devices", "Devices that may change the board over its page.",
            ["/v1/pairings", "/v1/session", "/v1/devices"]
        ),
        (
            "setup", "Set up the board by phone.",
            ["/v1/setup", "/v1/places", "/v1/settings", "/v1/keys", "/v1/backup"]
        ),
        ("fleet", "Several boards on an MQTT broker.", ["/v1/fleet"]),
        ("board", "The board and its buttons.", ["/v1"]),
    ]

    private static let info: JSONValue = [
        "title": "boardd", "version": "1", "summary": "The API of a running departure board.",
        "license": ["name": "MIT", "identifier": "MIT"],
        "description": """
        HTTP/1.1 and JSON over the Unix socket /run/boardd/control.sock, for members of the group \
        boardd-control: `curl --unix-socket /run/boardd/control.sock http://localhost/v1/state`. The page serves \
        the same requests to browsers in the network (docs/page.md), and for its own script `GET /v1/page` \
        and `GET /v1/page/qr.svg`, which are not part of this API.

        Within /v1 nothing is removed and no meaning changes; keys, paths and enumeration values may be added, \
        so ignore unknown ones. An unknown key in a request is an error, so that a misspelt key is noticed. Keys \
        without a value are absent. The schemas describe exactly what this version sends.

        Every error response is an ErrorResponse, including those that any request can get: 400 not HTTP; 404 no \
        such path; 405 with the header Allow; 408 the request was not complete within 10 s; 413 the body is \
        longer than 64 kB; 431 target and headers are longer than 16 kB, or more than 64 headers; 503 16 \
        connections are open already, or an action took more than 60 s; 505 another version of HTTP. A response \
        must be read within 10 s, and an idle connection is closed after 30 s.
        """,
    ]
}
