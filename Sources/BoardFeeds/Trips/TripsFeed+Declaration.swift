public import BoardCore

extension TripsFeed {
    public static let name = FeedName("trips")

    static let title = "Trips"
    static let defaultInterval: Duration = .seconds(900)

    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            SettingDeclaration("url", .source, comment: "base URL of the trips API; \"\": none"),
            SettingDeclaration(
                "interval", .duration(.seconds(60)...(.seconds(86_400)), default: defaultInterval),
                comment: "between two polls of a region"),
        ],
        check: { code in
            TripsCode(code) == nil
                ? "must be a region, such as trips:scd, a trip by its identifier, or trips:saved" : nil
        })

    /// The feed's profile. A fare does not become stale: it is valid until it expires.
    static func profile(host: String?, interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, attribution: host.map { "Trips of \($0)" } ?? title,
            expiry: ExpiryPolicy(staleAfter: .seconds(7 * 86_400)), suffixes: [], leadingColumn: .day,
            interval: interval,
            quota: .init(requests: 60, per: .seconds(60)))
    }
}
