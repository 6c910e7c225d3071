extension Board {
    /// One sentence for `systemctl status`, in English like the log: what is shown, and what is wrong with each stop.
    public var summary: String {
        guard !favourites.isEmpty else { return "no favourites yet" }
        let states = favourites.map { favourite in
            "\(favourite.favourite.stop) \(favourite.status.summary(isFrozen: favourite.freezeDetector.frozenSince != nil))"
        }
        let fault = configurationFault.map { "; the configuration is faulty (\($0))" } ?? ""
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
            case .certificateDate: return "waits for the time"
            case .certificate: return "has a bad certificate"
            case .timedOut: return "is not answered"
            case .keyRejected: return "is refused its key"
            case .keyMissing: return "needs a key"
            case .unknownStop: return "is unknown"
            case .rateLimited: return "is throttled"
            case .status(let code): return "fails with HTTP \(code)"
            case .unreadable: return "is unreadable"
            case .cancelled: return "is loading"
            }
        }
    }
}
