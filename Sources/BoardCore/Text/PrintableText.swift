// Makes text from files and operators safe for a terminal, a log or JSON. Control characters move a terminal's cursor,
// and bidirectional marks reorder a line ("Trojan Source", CVE-2021-42574).

extension Unicode.Scalar {
    /// Whether a terminal interprets it instead of printing it: controls (C0 with ESC, DEL, C1), and line and paragraph
    /// separators.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Whether it changes the direction of the surrounding text: the characters of Bidi_Control (UAX #9).
    fileprivate var isDirectionMark: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// One printable line: every control character and line break becomes a blank, direction marks are removed.
    public var asPrintedLine: String { printable { _ in false } }

    /// Printable lines: as ``asPrintedLine``, but keeps line feeds and tabs.
    public var asPrintedLines: String { printable { $0 == "\n" || $0 == "\t" } }

    /// One printable line for the middle of another text: if it may run from right to left, marks isolate it, so that
    /// it reorders nothing around it (UAX #9: FSI and PDI).
    public var asIsolatedLine: String {
        let line = asPrintedLine
        return line.utf8.allSatisfy { $0 < 0x80 } ? line : "\u{2068}\(line)\u{2069}"
    }

    private func printable(allowing isAllowed: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: { $0.isDirectionMark || $0.isControl && !isAllowed($0) }) else {
            return self
        }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.isDirectionMark {
            scalars.append(scalar.isControl && !isAllowed(scalar) ? " " : scalar)
        }
        return String(scalars)
    }

    /// JSON with the characters escaped that ``asPrintedLines`` removes; encoders escape only C0. They occur only in
    /// strings, so the value stays the same.
    public var asPrintedJSON: String {
        func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
            scalar.isDirectionMark || scalar.isControl && scalar.value > 0x20
        }
        guard unicodeScalars.contains(where: isEscaped) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard isEscaped(scalar) else {
                scalars.append(scalar)
                continue
            }
            // All of them are in the basic plane: four digits suffice.
            scalars += ("\\u" + scalar.value.padded(to: 4, radix: 16).uppercased()).unicodeScalars
        }
        return String(scalars)
    }
}

extension String {
    /// The maximum length of a text on a row or page, in Unicode scalars. Real names and reasons are shorter, and
    /// drawing time grows with the length.
    private static let maximumScalars = 512

    /// The text, cut to a length that is fast to draw.
    @inline(__always) var truncatedForDisplay: String {
        // The UTF-8 length is known; counting scalars reads the whole text. A board has thousands of short names.
        utf8.count <= Self.maximumScalars ? self : truncatedScalars
    }

    @inline(never) private var truncatedScalars: String { String(unicodeScalars.prefix(Self.maximumScalars)) }
}
