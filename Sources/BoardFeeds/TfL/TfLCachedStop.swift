internal import BoardCore

/// A station with parts, and what each part told last.
///
/// One slow line of an interchange would otherwise take its trains off the glass while their estimates are still good.
/// What was told last stands in for it: its rows keep the time at which they were made and leave when they are void.
struct TfLCachedStop: Sendable {
    /// The station's structure.
    let stop: TfLStopPoint
    /// When the structure is to be asked for again.
    let until: Instant
    /// At most one answer a request of this structure.
    private var last: [TfLRequestPlan.Request: TfLDepartures] = [:]

    /// A structure that was just received; where it is still the same, what its parts told last is kept.
    init(_ stop: TfLStopPoint, until: Instant, after previous: TfLCachedStop?) {
        self.stop = stop
        self.until = until
        if let previous, previous.stop == stop { last = previous.last }
    }

    /// What is known of a part after it was asked: what it told; where it failed and may answer again, what it told last
    /// without the rows that are void at `date`, the operator's clock. Nil where there is nothing.
    mutating func store(
        _ part: TfLRequestPlan.Request, _ result: Result<TfLDepartures, FeedFailure>, at date: Timestamp?
    ) -> TfLDepartures? {
        switch result {
        case .success(let told):
            last[part] = TfLDepartures(name: told.name, letter: told.letter, departures: told.departures)
            return told
        case .failure(let failure) where failure.isPermanent:
            last[part] = nil
            return nil
        case .failure:
            if let date { last[part]?.departures.removeAll { $0.expiresAt <= date } }
            return last[part]
        }
    }
}

extension FeedFailure {
    /// Whether the operator has refused this very question, so that what it told before is no longer its word.
    fileprivate var isPermanent: Bool {
        switch kind {
        case .unknownStop: true
        case .status(let status): status < 500
        default: false
        }
    }
}
