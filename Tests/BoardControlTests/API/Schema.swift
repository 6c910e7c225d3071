import BoardCore
import ServerTesting

/// A small JSON Schema checker for the keywords in openapi.json; an unknown keyword is a fault.
struct Schema {
    /// Annotations, which are not checked.
    private static let annotations: Set<String> = ["description", "default", "example"]
    private static let checks: Set<String> = [
        "$ref", "type", "enum", "required", "properties", "additionalProperties", "items", "minimum", "maximum",
        "minLength", "pattern", "format", "oneOf",
    ]

    /// The whole document, for `$ref`.
    let document: JSONValue

    /// All faults of a value.
    func faults(_ value: JSONValue, _ schema: JSONValue, at place: String = "$") -> [String] {
        let unknown = schema.keys.subtracting(Self.annotations).subtracting(Self.checks)
        guard unknown.isEmpty else { return ["\(place): the checker does not know \(unknown)"] }
        if let reference = schema["$ref"]?.string {
            guard let target = resolve(reference) else { return ["\(place): there is no \(reference)"] }
            return faults(value, target, at: place)
        }
        var found: [String] = []
        if let choices = schema["oneOf"]?.elements {
            let results = choices.map { faults(value, $0, at: place) }
            if results.count(where: \.isEmpty) != 1 {
                found.append("\(place): not one of \(choices.count): \(results)")
            }
        }
        let types = schema["type"].map { $0.string.map { [$0] } ?? $0.elements.compactMap(\.string) } ?? []
        if !types.isEmpty, !types.contains(where: { Self.value(value, is: $0) }) {
            found.append("\(place): \(value) is not \(types)")
        }
        if let allowed = schema["enum"]?.elements, !allowed.contains(value) {
            found.append("\(place): \(value) is not one of \(allowed)")
        }
        if let number = value.double, let minimum = schema["minimum"]?.double, number < minimum {
            found.append("\(place): \(number) is less than \(minimum)")
        }
        if let number = value.double, let maximum = schema["maximum"]?.double, number > maximum {
            found.append("\(place): \(number) is more than \(maximum)")
        }
        if let text = value.string, let minimum = schema["minLength"]?.double, Double(text.count) < minimum {
            found.append("\(place): \"\(text)\" is too short")
        }
        if let text = value.string, let pattern = schema["pattern"]?.string,
            (try? Regex(pattern).firstMatch(in: text)) ?? nil == nil
        {
            found.append("\(place): \"\(text)\" does not match \(pattern)")
        }
        if let text = value.string, schema["format"]?.string == "date-time", Timestamp(rfc3339: text) == nil {
            found.append("\(place): \"\(text)\" is not an RFC 3339 timestamp")
        }
        if case .object(let members) = value { found += faults(ofMembers: members, schema, at: place) }
        if case .list(let elements) = value, let items = schema["items"] {
            for (index, element) in elements.enumerated() {
                found += faults(element, items, at: "\(place)[\(index)]")
            }
        }
        return found
    }

    /// The target of a `$ref`.
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
