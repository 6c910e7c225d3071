public import BoardCore

/// Why a question to an operator got no answer, as the interface writes it.
public enum FailureKind: String, CaseIterable, Sendable, Codable {
    /// The name does not resolve, or no route leads there.
    case noNetwork = "no-network"
    /// The certificate is refused by its date: with an unsure clock that means "waiting for the time".
    case certificateDate = "certificate-date"
    /// The certificate is refused for another reason.
    case certificate
    /// The operator accepts nothing, or does not answer in time.
    case timedOut = "timed-out"
    /// The operator refuses the key.
    case keyRejected = "key-rejected"
    /// The operator wants a key and none is configured.
    case keyMissing = "key-missing"
    /// The operator does not know the stop.
    case unknownStop = "unknown-stop"
    /// Too many requests.
    case rateLimited = "rate-limited"
    /// Another HTTP status than 200; the detail names it.
    case status
    /// The answer is not what the format promises.
    case unreadable
    /// The question was abandoned.
    case cancelled

    /// The word for a failure of the core.
    public init(_ kind: FeedFailure.Kind) {
        self =
            switch kind {
            case .noNetwork: .noNetwork
            case .certificateDate: .certificateDate
            case .certificate: .certificate
            case .timedOut: .timedOut
            case .keyRejected: .keyRejected
            case .keyMissing: .keyMissing
            case .unknownStop: .unknownStop
            case .rateLimited: .rateLimited
            case .status: .status
            case .unreadable: .unreadable
            case .cancelled: .cancelled
            }
    }
}
