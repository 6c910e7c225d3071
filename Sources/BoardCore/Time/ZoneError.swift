/// Why bytes or a text are no time zone.
public enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes do not begin as RFC 9636 says.
    case notTZif
    /// The bytes end before what their header announces.
    case truncated
    /// The bytes contradict RFC 9636; the sentence says where.
    case malformed(String)
    /// The POSIX rule, in a file's footer or as the whole zone, cannot be read.
    case badRule(String)
    /// The file counts leap seconds, as those under `right/` do; the board's moments do not.
    case countsLeapSeconds

    /// The sentence.
    public var description: String {
        switch self {
        case .notTZif: "not a time zone file (RFC 9636)"
        case .truncated: "time zone file ends too early"
        case .malformed(let what): "damaged time zone file: \(what)"
        case .badRule(let rule): "no POSIX time zone rule: \"\(rule)\""
        case .countsLeapSeconds: "time zone file counts leap seconds; take the one that is not under right/"
        }
    }
}
