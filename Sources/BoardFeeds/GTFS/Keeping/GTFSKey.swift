internal import BoardCore

/// A city's key and where it goes: into a header line or into the query.
struct GTFSKey: Sendable {
    /// The name in keys.env: GTFS_LAMETRO_KEY.
    let name: String
    let secret: Secret?
    /// The header that carries it; empty: none.
    let header: String
    /// The query's parameter that carries it; empty: none.
    let parameter: String
    /// Whether the operator's key is not for whom is asked.
    private(set) var isWithheld = false

    /// What is configured of a feed.
    init(_ settings: FeedSettings, name: String) {
        self.name = name
        secret = settings.secret(name)
        header = settings.text("key_header") ?? ""
        parameter = settings.text("key_parameter") ?? ""
    }

    /// Whether it was said where a key goes.
    var isWanted: Bool { !(header.isEmpty && parameter.isEmpty) }

    /// Whether the operator wants a key that is not there.
    var isMissing: Bool { secret == nil && isWanted && !isWithheld }

    /// The key as the host of the timetable gets it. It is given for what the operator says of now, and the zip is often kept
    /// by somebody else: it goes there only if that is who is asked about now, or if nobody is.
    ///
    /// - Parameter realtime: where the operator says what is now.
    func forTimetable(at timetable: GTFSSource, realtime: [GTFSSource]) -> GTFSKey {
        guard let url = timetable.url else { return self }
        let others = realtime.compactMap(\.url)
        var key = self
        key.isWithheld = isWanted && !others.isEmpty && !others.contains(where: url.isOfSameHost)
        return key
    }

    /// The header lines of a question.
    var headers: [(name: String, value: Secret)] {
        guard let secret, !header.isEmpty, !isWithheld else { return [] }
        return [(header, secret)]
    }

    /// The query's items of a question.
    var items: [(name: String, value: Secret)] {
        guard let secret, !parameter.isEmpty, !isWithheld else { return [] }
        return [(parameter, secret)]
    }

    /// That a key is wanted, and where it goes.
    func missing(_ title: String) -> FeedFailure {
        FeedFailure(
            .keyMissing, detail: "\(title) wants a key: put \(name) into keys.env and restart boardd", requests: 0)
    }
}
