extension Board {
    /// One sentence for `systemctl status`, in English like the log: the state of each stop.
    public var summary: String {
        guard !favourites.isEmpty else { return "no favourites yet" }
        let states = favourites.map { "\($0.favourite.stop) \($0.data.status.summary)" }
        let fault = configurationFault.map { "; faulty configuration (\($0))" } ?? ""
        return states.joined(separator: ", ") + fault
    }
}

extension FeedStatus {
    fileprivate var summary: String {
        switch self {
        case .loading, .failing(.cancelled, _): "is loading"
        case .live: "is live"
        case .frozen: "is frozen"
        case .failing(.noNetwork, _): "has no network"
        case .failing(.certificateDate, _): "is waiting for clock synchronisation"
        case .failing(.certificate, _): "has a bad certificate"
        case .failing(.timedOut, _): "does not respond (timeout)"
        case .failing(.keyRejected, _): "rejects the key"
        case .failing(.keyMissing, _): "needs a key"
        case .failing(.unknownStop, _): "is an unknown stop"
        case .failing(.rateLimited, _): "is rate limited"
        case .failing(.status(let code), _): "fails with HTTP \(code)"
        case .failing(.unreadable, _): "sends unreadable responses"
        }
    }
}
