internal import BoardCore

/// What a stop of trips is: no place, but a list of what departs from several.
enum TripsCode: Hashable, Sendable {
    /// What is offered to a region: `trips:scd`.
    case region(String)
    /// One trip: `trips:c4449ff0-1cb9-11e9-b9f8-b3ba95b35000`. As a favourite it is saved.
    case trip(String)
    /// All trips that are saved: `trips:saved`.
    case saved

    private static let longestRegion = 32
    /// The lengths of what is between the hyphens of a trip's identifier (RFC 9562 §4).
    private static let groups = [8, 4, 4, 4, 12]

    /// Reads a code; nil where it is none.
    init?(_ code: String) {
        let isCode = code.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard isCode, !code.isEmpty else { return nil }
        let groups = code.split(separator: "-", omittingEmptySubsequences: false)
        if code == "saved" {
            self = .saved
        } else if groups.map(\.count) == Self.groups, groups.joined().allSatisfy(\.isHexDigit) {
            self = .trip(code.lowercased())
        } else if code.utf8.count <= Self.longestRegion {
            self = .region(code)
        } else {
            return nil
        }
    }
}
