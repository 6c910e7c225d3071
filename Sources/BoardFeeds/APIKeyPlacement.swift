internal import BoardCore

/// An operator's API key, and where requests carry it: in a header or in the query.
struct APIKeyPlacement: Sendable {
    /// The name in keys.env: GTFS_LAMETRO_KEY.
    let name: String
    let secret: Secret?
    /// The header that carries the key; empty: none.
    let header: String
    /// The query parameter that carries the key; empty: none.
    let parameter: String
    /// The settings of the place, for messages; nil: the operator's requests have a fixed place.
    private(set) var place: String?
    /// Where users obtain a key; nil: from the operator.
    private(set) var source: String?
    /// Whether requests must not carry the key, because they go to another host than the operator's.
    var isForOtherHost = false

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

    /// A key in a fixed place.
    init(
        _ name: String, _ settings: FeedSettings, header: String = "", parameter: String = "",
        from source: String? = nil
    ) {
        self.name = name
        self.source = source
        secret = settings.secret(name)
        self.header = header
        self.parameter = parameter
    }

    /// A feed's key in the configured place.
    init(_ settings: FeedSettings, of feed: FeedName, place: String = "key_header or key_parameter") {
        self.init(
            Self.name(of: feed), settings, header: settings.text("key_header") ?? "",
            parameter: settings.text("key_parameter") ?? "")
        self.place = place
    }

    var isConfigured: Bool { !(header.isEmpty && parameter.isEmpty) }

    /// Whether the operator requires a key and none is configured.
    var isMissing: Bool { secret == nil && isConfigured && !isForOtherHost }

    var headers: [(name: String, value: Secret)] {
        guard let secret, !header.isEmpty, !isForOtherHost else { return [] }
        return [(header, secret)]
    }

    var items: [(name: String, value: Secret)] {
        guard let secret, !parameter.isEmpty, !isForOtherHost else { return [] }
        return [(parameter, secret)]
    }

    /// The failure of a request that the operator does not authenticate, and the advice.
    var rejection: (kind: FeedFailure.Kind, advice: String) {
        guard secret == nil else {
            let place = place.map { ", and \($0) in boardd.toml, then" } ?? " and"
            return (.keyRejected, "\(name) rejected: check it in keys.env\(place) restart boardd")
        }
        let place = isConfigured ? "" : place.map { ", set \($0) in boardd.toml," } ?? ""
        return (.keyMissing, "API key required: \(advice(place))")
    }

    private func advice(_ place: String = "") -> String {
        "put \(name)\(source.map { " (from \($0))" } ?? "") into keys.env\(place) and restart boardd"
    }

    func missing(_ title: String) -> FeedFailure {
        FeedFailure(
            .keyMissing, detail: "\(title) requires an API key: \(advice())")
    }
}
