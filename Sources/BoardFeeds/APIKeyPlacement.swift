internal import BoardCore

/// The key of an operator of a family, and where a person said that it goes: into a header line or into the query.
struct APIKeyPlacement: Sendable {
    /// The name in keys.env: GTFS_LAMETRO_KEY.
    let name: String
    let secret: Secret?
    /// The header that carries it; empty: none.
    let header: String
    /// The query's parameter that carries it; empty: none.
    let parameter: String
    /// Whether the operator's key is not for whom is asked.
    var isWithheld = false

    /// The settings that say where it goes.
    static let settings = [
        SettingDeclaration(
            "key_header", .text(default: ""), comment: "the header line that carries the key, where one is wanted"),
        SettingDeclaration(
            "key_parameter", .text(default: ""), comment: "the query's parameter that carries it instead"),
    ]

    /// What a feed's key is called: the feed's name in capitals, with `_` for what is neither letter nor digit.
    static func name(of feed: FeedName) -> String {
        feed.description.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() + "_KEY"
    }

    /// What is configured of a feed.
    init(_ settings: FeedSettings, of feed: FeedName) {
        name = Self.name(of: feed)
        secret = settings.secret(name)
        header = settings.text("key_header") ?? ""
        parameter = settings.text("key_parameter") ?? ""
    }

    /// Whether it was said where a key goes.
    var isConfigured: Bool { !(header.isEmpty && parameter.isEmpty) }

    /// Whether the operator wants a key that is not there.
    var isMissing: Bool { secret == nil && isConfigured && !isWithheld }

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
