/// What an operator wants people at a stop to know: of the stop itself or of lines that call there. Never the state of a
/// single departure.
public struct Alert: Hashable, Sendable, Codable {
    /// What it is about.
    public enum Scope: Hashable, Sendable, Codable {
        /// The stop: a closed entrance, a lift, a notice of the station.
        case stop
        /// These lines, by their identifiers.
        case lines([String])
    }

    /// How much it matters to somebody who waits.
    public enum Severity: Int, Comparable, Sendable, Codable {
        /// Good to know.
        case information
        /// Some wait longer.
        case minor
        /// Nothing or hardly anything runs.
        case severe

        /// Whether `left` matters less.
        public static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// The operator's words, cleaned: one paragraph without markup.
    public let text: String
    /// What it is about.
    public let scope: Scope
    /// How much it matters.
    public let severity: Severity
    /// From when it holds; nil: it holds already.
    public let from: Timestamp?
    /// Until when it holds; nil: nobody knows.
    public let until: Timestamp?

    /// An alert.
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

    /// Whether it holds at `moment`.
    public func isActive(at moment: Timestamp) -> Bool {
        (from ?? moment) <= moment && moment < (until ?? Timestamp(microseconds: .max))
    }

    /// The same alert with every time moved by `shift`: how a recording becomes the present.
    public func shifted(by shift: Duration) -> Alert {
        Alert(text, scope: scope, severity: severity, from: from.map { $0 + shift }, until: until.map { $0 + shift })
    }
}
