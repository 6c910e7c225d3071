internal import BoardCore

extension String {
    /// The maximum number of marks on one letter. Without it, a name could cover the whole picture.
    private static let mostMarks = 3
    /// The maximum number of Unicode scalars for each character of the length.
    private static let mostScalars = 8

    /// An operator's text on a map: one line of at most `length` characters, the last of which is an ellipsis where it was longer.
    func drawn(upTo length: Int) -> String {
        var letters = String.UnicodeScalarView()
        var (count, marks) = (0, 0)
        for scalar in asPrintedLine.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            guard marks <= Self.mostMarks else { continue }
            letters.append(scalar)
            count += 1
            // Also of joined letters many can be one character.
            if count > Self.mostScalars * length { break }
        }
        let line = String(letters)
        return line.count > length || count > Self.mostScalars * length ? "\(line.prefix(length - 1))…" : line
    }
}
