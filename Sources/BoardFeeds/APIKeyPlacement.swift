internal import BoardCore

/// The API key of a configured operator, and where requests carry it: in a header or in the query.
struct APIKeyPlacement: Sendable {
    /// The name in keys.env: GTFS_LAMETRO_KEY.
    let name: String
    let secret: Secret?
    /// The header that carries the key; empty: none.
    let header: String
    /// The query parameter that carries the key; empty: none.
    let parameter: String
    /// Whether requests must not carry the key, because they go to another host than the operator's.
    var isWithheld = false

    /// The settings for the key's place.
    static let settings = [
        SettingDeclaration(
            "key_header", .text(default: ""), comment: "HTTP header that carries the key, if the operator requires one"),
        SettingDeclaration(
            "key_parameter", .text(default: ""), comment: "or the query parameter that carries it"),
    ]

    /// The name of a feed's key: the feed's name in capitals, with `_` for every other character than a letter or digit.
    static func name(of feed: FeedName) -> String {
        feed.description.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() + "_KEY"
    }

    init(_ settings: FeedSettings, of feed: FeedName) {
        name = Self.name(of: feed)
        secret = settings.secret(name)
        header = settings.text("key_header") ?? ""
        parameter = settings.text("key_parameter") ?? ""
    }

    /// Whether a header or a parameter is configured.
    var isConfigured: Bool { !(header.isEmpty && parameter.isEmpty) }

    /// Whether the operator requires a key and none is configured.
    var isMissing: Bool { secret == nil && isConfigured && !isWithheld }

    /// The headers for a request.
    var headers: [(name: String, value: Secret)] {
        guard let secret, !header.isEmpty, !isWithheld else { return [] }
        return [(header, secret)]
    }

    /// The query items for a request.
    var items: [(name: String, value: Secret)] {
        guard let secret, !parameter.isEmpty, !isWithheld else { return [] }
        return [(parameter, secret)]
    }

    /// The failure for a missing key.
    func missing(_ title: String) -> FeedFailure {
        FeedFailure(
            .keyMissing, detail: "\(title) requires an API key: put \(name) into keys.env and restart boardd",
            requests: 0)
    }
}
