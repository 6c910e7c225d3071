internal import BoardCore

/// The keys in keys.env: `NAME=value` lines. No fault repeats a value.
struct KeysFile {
    let secrets: [String: Secret]
    let positions: [String: SourcePosition]

    /// Reads the file; every fault goes to `collector`.
    init(_ source: SourceText, names: [String], into collector: FaultCollector) {
        var secrets: [String: Secret] = [:]
        var positions: [String: SourcePosition] = [:]
        for line in source.lines.ranges {
            let text = source.text(line).prefix { !$0.isNewline }
            let indentation = text.prefix { $0 == " " || $0 == "\t" }
            var rest = text.dropFirst(indentation.count)
            var start = line.lowerBound + indentation.utf8.count
            guard let first = rest.first, first != "#" else { continue }
            // A shell may source the file.
            if rest.hasPrefix("export ") {
                let words = rest.dropFirst("export ".count).drop { $0 == " " }
                start += rest.utf8.count - words.utf8.count
                rest = words
            }
            guard let equals = rest.firstIndex(of: "=") else {
                collector.add(source.fault(at: start, "is not NAME=value; allowed names: \(Self.list(names))"))
                continue
            }
            let name = String(rest[..<equals])
            guard names.contains(name) else {
                collector.add(source.fault(at: start, Self.unknownKeyMessage(aboutName: name, names: names)))
                continue
            }
            if let first = positions[name] {
                collector.add(source.fault(at: start, "\(name) is set twice (first in line \(first.line)): remove one"))
            }
            positions[name] = positions[name] ?? source.position(at: start)
            let valueOffset = start + name.utf8.count + 1
            guard let value = Self.value(rest[rest.index(after: equals)...]) else {
                let message = "the value of \(name) must be printable ASCII without spaces, with both quotes or none"
                collector.add(source.fault(at: valueOffset, message))
                continue
            }
            // The example file has empty values for keys that are not set.
            if !value.isEmpty { secrets[name] = Secret(value) }
        }
        self.secrets = secrets
        self.positions = positions
    }

    /// The value without its quotes; nil where it is not a valid key. A key becomes part of an HTTP request, so it has only
    /// printable characters and no spaces (RFC 9110 §5.5).
    static func value(_ text: Substring) -> String? {
        var value = text
        while let last = value.last, last.isWhitespace { value.removeLast() }
        if let quote = value.first, quote == "\"" || quote == "'" {
            guard value.count >= 2, value.last == quote else { return nil }
            value = value.dropFirst().dropLast()
        }
        guard value.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) && $0 != "\"" && $0 != "'" }) else {
            return nil
        }
        return String(value)
    }

    /// Quotes an unknown name only where it looks like one: otherwise it might be a key.
    private static func unknownKeyMessage(aboutName name: String, names: [String]) -> String {
        let isName = name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isDigit || $0 == "_") }
        guard isName, !name.isEmpty else { return "is not NAME=value; allowed names: \(list(names))" }
        let nearest = Spelling.nearest(to: name, of: names).map { "did you mean \($0)? " } ?? ""
        return "unknown name \(name); \(nearest)allowed: \(list(names))"
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}
