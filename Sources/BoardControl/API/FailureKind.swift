public import BoardCore

/// Why a request to an operator failed, as the API writes it.
public enum FailureKind: String, CaseIterable, Sendable, Codable {
    /// DNS lookup failed, or there is no route to the host.
    case noNetwork = "no-network"
    /// The certificate is not valid at the current date: with an unsynchronised clock, boardd waits for synchronisation.
    case certificateDate = "certificate-date"
    /// The certificate is invalid for another reason.
    case certificate
    /// The operator's server accepts no connection, or does not respond in time.
    case timedOut = "timed-out"
    /// The operator rejects the key.
    case keyRejected = "key-rejected"
    /// The operator needs a key and none is configured.
    case keyMissing = "key-missing"
    case unknownStop = "unknown-stop"
    /// Rate limit: too many requests.
    case rateLimited = "rate-limited"
    /// An unexpected HTTP status; the detail names it.
    case status
    /// The response is malformed.
    case unreadable
    case cancelled

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
