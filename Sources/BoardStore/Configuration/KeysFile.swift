internal import BoardCore

/// keys.env as values: `NAME=value` lines. No fault repeats a value.
struct KeysFile {
    /// The keys by name.
    let secrets: [String: Secret]
    /// Where each of them is.
    let places: [String: SourcePosition]

    /// Reads the file; every fault goes to `collector`.
    init(_ source: SourceText, names: [String], into collector: FaultCollector) {
        var secrets: [String: Secret] = [:]
        var places: [String: SourcePosition] = [:]
        for line in source.lines.ranges {
            let text = source.text(line).prefix { !$0.isNewline }
            let indentation = text.prefix { $0 == " " || $0 == "\t" }
            var rest = text.dropFirst(indentation.count)
            var start = line.lowerBound + indentation.utf8.count
            guard let first = rest.first, first != "#" else { continue }
            // People source such files in a shell.
            if rest.hasPrefix("export ") {
                let words = rest.dropFirst("export ".count).drop { $0 == " " }
                start += rest.utf8.count - words.utf8.count
                rest = words
            }
            guard let equals = rest.firstIndex(of: "=") else {
                collector.add(source.fault(at: start, "is not NAME=value; known names: \(Self.list(names))"))
                continue
            }
            let name = String(rest[..<equals])
            guard names.contains(name) else {
                collector.add(source.fault(at: start, Self.unknownKeyMessage(aboutName: name, names: names)))
                continue
            }
            if let first = places[name] {
                collector.add(source.fault(at: start, "\(name) is here and in line \(first.line): once is enough"))
            }
            places[name] = places[name] ?? source.place(at: start)
            let valueOffset = start + name.utf8.count + 1
            guard let value = Self.value(rest[rest.index(after: equals)...]) else {
                let message = "the value of \(name) must be printable ASCII without blanks, with both quotes or none"
                collector.add(source.fault(at: valueOffset, message))
                continue
            }
            // An empty value is how the example file says that there is no key.
            if !value.isEmpty { secrets[name] = Secret(value) }
        }
        self.secrets = secrets
        self.places = places
    }
}

extension KeysFile {
    /// The value without its quotes; nil when it can be no key. A key goes into an HTTP request, so it has only
    /// printable characters and no blanks (RFC 9110 §5.5).
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

    /// A name that is not known is repeated only as far as it can be a name: it might be a key without one.
    private static func unknownKeyMessage(aboutName name: String, names: [String]) -> String {
        let isName = name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isDigit || $0 == "_") }
        guard isName, !name.isEmpty else { return "is not NAME=value; known names: \(list(names))" }
        let nearest = Spelling.nearest(to: name, of: names).map { "did you mean \($0)? " } ?? ""
        return "unknown name \(name); \(nearest)known: \(list(names))"
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}
