import BoardCore

/// A small checker of JSON Schema: what openapi.json uses of it, and nothing that it would read over silently.
struct Schema {
    /// Says something for people, or for generators; checks nothing.
    private static let words: Set<String> = ["description", "default", "example"]
    private static let checks: Set<String> = [
        "$ref", "type", "enum", "required", "properties", "additionalProperties", "items", "minimum", "maximum",
        "minLength", "format",
    ]

    /// The whole document, for `$ref`.
    let document: JSONValue

    /// Everything that is wrong with a value; empty: nothing.
    func faults(_ value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        let unknown = schema.keys.subtracting(Self.words).subtracting(Self.checks)
        guard unknown.isEmpty else { return ["\(place): the checker does not know \(unknown)"] }
        if let reference = schema["$ref"]?.string {
            guard let target = resolve(reference) else { return ["\(place): there is no \(reference)"] }
            return faults(value, target, at: place)
        }
        var found: [String] = []
        let types = schema["type"].map { $0.string.map { [$0] } ?? $0.elements.compactMap(\.string) } ?? []
        if !types.isEmpty, !types.contains(where: { Self.value(value, is: $0) }) {
            found.append("\(place): \(value) is not \(types)")
        }
        if let allowed = schema["enum"]?.elements, !allowed.contains(value) {
            found.append("\(place): \(value) is not one of \(allowed)")
        }
        if let number = value.double, let least = schema["minimum"]?.double, number < least {
            found.append("\(place): \(number) is less than \(least)")
        }
        if let number = value.double, let most = schema["maximum"]?.double, number > most {
            found.append("\(place): \(number) is more than \(most)")
        }
        if let text = value.string, let least = schema["minLength"]?.double, Double(text.count) < least {
            found.append("\(place): \"\(text)\" is too short")
        }
        if let text = value.string, schema["format"]?.string == "date-time", Timestamp(rfc3339: text) == nil {
            found.append("\(place): \"\(text)\" is no moment of RFC 3339")
        }
        if case .object(let members) = value { found += faults(ofMembers: members, schema, at: place) }
        if case .list(let elements) = value, let items = schema["items"] {
            for (index, element) in elements.enumerated() {
                found += faults(element, items, at: "\(place)[\(index)]")
            }
        }
        return found
    }

    /// What a `$ref` means.
    func resolve(_ reference: String) -> JSONValue? {
        reference.split(separator: "/").dropFirst().reduce(document) { $0?[String($1)] }
    }

    private func faults(ofMembers members: [String: JSONValue], _ schema: JSONValue, at place: String) -> [String] {
        var found: [String] = []
        for name in (schema["required"]?.elements ?? []).compactMap(\.string) where members[name] == nil {
            found.append("\(place): \(name) is missing")
        }
        for (name, member) in members {
            if let property = schema["properties"]?[name] {
                found += faults(member, property, at: "\(place).\(name)")
            } else if schema["additionalProperties"] == .bool(false) {
                found.append("\(place): \(name) is not described")
            }
        }
        return found
    }

    private static func value(_ value: JSONValue, is type: String) -> Bool {
        switch (value, type) {
        case (.null, "null"), (.bool, "boolean"), (.text, "string"), (.list, "array"), (.object, "object"),
            (.number, "number"):
            true
        case (.number(let number), "integer"): number.rounded() == number
        default: false
        }
    }
}
