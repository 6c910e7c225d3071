internal import BoardCore
internal import BoardFormats

/// Cleaning of TfL's texts and numbers.
enum TfLText {
    /// Letters of bus stops are "N", "LF", "KX1"; longer texts are names ("entrance").
    private static let longestLetter = 3

    /// A name with single blanks for line breaks, control characters and repeated blanks, and none at its ends:
    /// "Piccadilly Circus  Haymarket".
    static func clean(_ text: String) -> String { text.singleSpaced }

    /// The letter on a bus stop; nil for names and for arrows ("->SE"), the direction of a stop without a letter.
    static func letter(_ text: String) -> String? {
        let isLetter =
            text.utf8.count <= longestLetter && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isLetter && !text.isEmpty ? text : nil
    }

    /// Coordinates; nil if a number is missing or out of range, and for 0,0, which is TfL's "unknown".
    static func coordinates(_ latitude: Double?, _ longitude: Double?) -> Coordinates? {
        guard let latitude, let longitude, latitude != 0 || longitude != 0 else {
            return nil
        }
        return Coordinates(latitude: latitude, longitude: longitude)
    }
}
