extension Board {
    /// One sentence for `systemctl status`, in English like the log: the state of each stop.
    public var summary: String {
        guard !favourites.isEmpty else { return "no favourites yet" }
        let states = favourites.map { favourite in
            "\(favourite.favourite.stop) \(favourite.status.summary(isFrozen: favourite.freezeDetector.frozenSince != nil))"
        }
        let fault = configurationFault.map { "; faulty configuration (\($0))" } ?? ""
        return states.joined(separator: ", ") + fault
    }
}

extension FeedStatus {
    fileprivate func summary(isFrozen: Bool) -> String {
        switch self {
        case .loading: return "is loading"
        case .responding: return isFrozen ? "is frozen" : "is live"
        case .failing(let kind, _):
            switch kind {
            case .noNetwork: return "has no network"
            case .certificateDate: return "is waiting for clock synchronisation"
            case .certificate: return "has a bad certificate"
            case .timedOut: return "does not respond (timeout)"
            case .keyRejected: return "rejects the key"
            case .keyMissing: return "needs a key"
            case .unknownStop: return "is an unknown stop"
            case .rateLimited: return "is rate limited"
            case .status(let code): return "fails with HTTP \(code)"
            case .unreadable: return "sends unreadable responses"
            case .cancelled: return "is loading"
            }
        }
    }
}
