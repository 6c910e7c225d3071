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

    /// What is configured of a feed.
    init(_ settings: FeedSettings, name: String) {
        self.name = name
        secret = settings.secret(name)
        header = settings.text("key_header") ?? ""
        parameter = settings.text("key_parameter") ?? ""
    }

    /// Whether the operator wants a key that is not there.
    var isMissing: Bool { secret == nil && !(header.isEmpty && parameter.isEmpty) }

    /// The header lines of a question.
    var headers: [(name: String, value: Secret)] {
        guard let secret, !header.isEmpty else { return [] }
        return [(header, secret)]
    }

    /// The query's items of a question.
    var items: [(name: String, value: Secret)] {
        guard let secret, !parameter.isEmpty else { return [] }
        return [(parameter, secret)]
    }

    /// That a key is wanted, and where it goes.
    func missing(_ title: String) -> FeedFailure {
        FeedFailure(
            .keyMissing, detail: "\(title) wants a key: put \(name) into keys.env and restart boardd", requests: 0)
    }
}
