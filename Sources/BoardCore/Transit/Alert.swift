/// An operator's notice about a stop or about lines that call there; never the state of a single departure.
public struct Alert: Hashable, Sendable, Codable {
    public enum Scope: Hashable, Sendable, Codable {
        /// The stop: a closed entrance, a lift, a notice of the station.
        case stop
        /// Line identifiers.
        case lines([String])
    }

    /// The effect on passengers.
    public enum Severity: Int, Comparable, Sendable, Codable {
        case information
        /// Some passengers wait longer.
        case minor
        /// Little or no service.
        case severe

        public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// The operator's text, cleaned: one paragraph without markup.
    public let text: String
    public let scope: Scope
    public let severity: Severity
    /// Start of the validity; nil: already valid.
    public let from: Timestamp?
    /// End of the validity; nil: unknown.
    public let until: Timestamp?

    public init(
        _ text: String, scope: Scope = .stop, severity: Severity = .minor, from: Timestamp? = nil,
        until: Timestamp? = nil
    ) {
        self.text = text
        self.scope = scope
        self.severity = severity
        self.from = from
        self.until = until
    }

    public func isActive(at moment: Timestamp) -> Bool {
        (from ?? moment) <= moment && moment < (until ?? Timestamp(microseconds: .max))
    }
}
