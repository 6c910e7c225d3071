/// Why bytes or a text are not a time zone.
public enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The magic number of RFC 9636 is missing.
    case notTZif
    /// The bytes end before the length in their header.
    case truncated
    /// The bytes violate RFC 9636; the text contains the position.
    case malformed(String)
    /// The POSIX rule, in a file's footer or as the whole zone, is malformed.
    case badRule(String)
    /// The file counts leap seconds, like those under `right/`; the board's moments do not.
    case countsLeapSeconds

    public var description: String {
        switch self {
        case .notTZif: "not a time zone file (RFC 9636)"
        case .truncated: "time zone file ends too early"
        case .malformed(let what): "damaged time zone file: \(what)"
        case .badRule(let rule): "not a POSIX time zone rule: \"\(rule)\""
        case .countsLeapSeconds: "time zone file counts leap seconds; use the file that is not under right/"
        }
    }
}
