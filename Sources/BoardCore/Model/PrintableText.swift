// Text of files and operators on its way to a terminal, a log or JSON. Control characters move a terminal's cursor, and
// bidirectional marks make a line read as another one ("Trojan Source", CVE-2021-42574).

extension Unicode.Scalar {
    /// Whether it makes a terminal do something else than print it: controls (C0 with ESC, DEL, C1), and the separators of
    /// lines and paragraphs.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Whether it changes the direction of the text around it: the characters of Bidi_Control (UAX #9).
    fileprivate var isDirectionMark: Bool {
        switch value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The text as one line that moves no terminal's cursor, whatever an operator wrote into it: every control character
    /// and line break is a blank, marks of direction are left out.
    public var asPrintedLine: String { printable { _ in false } }

    /// The text as lines that move no terminal's cursor: as ``asPrintedLine``, but line feeds and tabs stay.
    public var asPrintedLines: String { printable { $0 == "\n" || $0 == "\t" } }

    private func printable(keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        guard unicodeScalars.contains(where: { $0.isDirectionMark || $0.isControl && !isKept($0) }) else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars where !scalar.isDirectionMark {
            scalars.append(scalar.isControl && !isKept(scalar) ? " " : scalar)
        }
        return String(scalars)
    }

    /// JSON with the characters escaped that ``asPrintedLines`` takes away, of which an encoder escapes C0 alone. They
    /// stand in strings only, so the value stays the same.
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
            // All of them are in the basic plane: four digits do.
            let digits = String(scalar.value, radix: 16, uppercase: true)
            scalars += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
        }
        return String(scalars)
    }
}
