internal import BoardCore

/// What TfL's texts and numbers need before they are shown.
enum TfLText {
    /// Letters of poles are "N", "LF", "KX1"; longer texts are names ("entrance").
    private static let longestLetter = 3

    /// A name without blanks at its ends, and with one where there are several, line breaks or control characters:
    /// "Piccadilly Circus  Haymarket".
    static func clean(_ text: String) -> String { text.singleSpaced }

    /// The letter on a pole; nil for arrows ("->SE"), which say where a pole without one faces, and for names.
    static func letter(_ text: String) -> String? {
        let isLetter =
            text.utf8.count <= longestLetter && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isLetter && !text.isEmpty ? text : nil
    }

    /// A place; nil where a number is missing or impossible, and for 0,0, which is TfL's "not known".
    static func coordinates(_ latitude: Double?, _ longitude: Double?) -> Coordinates? {
        guard let latitude, let longitude, latitude != 0 || longitude != 0 else {
            return nil
        }
        return Coordinates(latitude: latitude, longitude: longitude)
    }
}
