internal import BoardFormats

/// The code of a list of trips, which serves as a stop.
enum TripsCode: Hashable, Sendable {
    /// The trips to a region: `trips:scd`.
    case region(String)
    /// One trip: `trips:c4449ff0-1cb9-11e9-b9f8-b3ba95b35000`. As a favourite it is saved.
    case trip(String)
    /// All saved trips: `trips:saved`.
    case saved

    private static let longestRegion = 32
    /// The lengths of the groups of a trip's identifier, a UUID (RFC 9562 §4).
    private static let groups = [8, 4, 4, 4, 12]

    /// Parses a code; nil if it is invalid.
    init?(_ code: String) {
        let isCode = code.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
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
