internal import BoardCore

/// A station's structure and the last response of each of its requests.
///
/// If one request of an interchange fails, its last departures are shown while their estimates are valid. They retain their
/// `madeAt` and expire as usual.
struct TfLCachedStop: Sendable {
    /// The station's structure.
    let stop: TfLStopPoint
    /// When the structure expires.
    let until: Instant
    /// The last response of each request of this structure.
    private var last: [TfLRequestPlan.Request: TfLDepartures] = [:]

    /// A structure just received; if it is unchanged, the cached responses remain.
    init(_ stop: TfLStopPoint, until: Instant, after previous: TfLCachedStop?) {
        self.stop = stop
        self.until = until
        if let previous, previous.stop == stop { last = previous.last }
    }

    /// The departures of a request after its fetch: the new ones; after a temporary failure the last ones that are not expired at
    /// `date`, the operator's clock. Nil if there are none.
    mutating func store(
        _ request: TfLRequestPlan.Request, _ result: Result<TfLDepartures, FeedFailure>, at date: Timestamp?
    ) -> TfLDepartures? {
        switch result {
        case .success(let departures):
            last[request] = TfLDepartures(
                name: departures.name, letter: departures.letter, departures: departures.departures)
            return departures
        case .failure(let failure) where failure.isPermanent:
            last[request] = nil
            return nil
        case .failure:
            if let date { last[request]?.departures.removeAll { $0.expiresAt <= date } }
            return last[request]
        }
    }
}

extension FeedFailure {
    /// Whether the operator rejected this very request, so that its earlier response is no longer valid.
    fileprivate var isPermanent: Bool {
        switch kind {
        case .unknownStop: true
        case .status(let status): status < 500
        default: false
        }
    }
}
