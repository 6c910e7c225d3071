internal import BoardCore

/// A frame as a line of JSON (RFC 8259) with a fixed order of keys.
struct FrameLogLine {
    /// The line with its line end.
    let text: String

    init(_ frame: Frame, at now: Instant) {
        let rows = frame.lines.map(Self.quoted).joined(separator: ", ")
        text = "{\"t\": \(now.microseconds), \"lit\": \(frame.isLit), \"rows\": [\(rows)]}\n"
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                result += "\\\(scalar)"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
