/// The result of checking a stop that exists at its operator.
public struct StopCheck: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        /// The operator's own record of the stop.
        case stop
        /// A response with the stop's departures, which some operators also send for a stop that they do not have.
        case departures
    }

    public let subject: Subject
    /// The operator's name of the stop; nil: not reported.
    public let name: String?
    /// The lines that ``DepartureFeed/departures(_:)`` can return, due or not, in the operator's order; nil: the operator reports
    /// only lines that are due.
    public let lines: [Line]?

    /// The zone of the stop's clocks; nil: not reported.
    public let zone: Zone?

    public init(_ subject: Subject = .stop, name: String? = nil, lines: [Line]?, zone: Zone? = nil) {
        self.subject = subject
        self.name = name
        self.lines = lines
        self.zone = zone
    }
}
