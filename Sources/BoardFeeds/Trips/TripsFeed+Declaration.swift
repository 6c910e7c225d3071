public import BoardCore

extension TripsFeed {
    /// The name in configuration and stop identifiers.
    public static let name = FeedName("trips")

    static let title = "Trips"
    static let defaultInterval: Duration = .seconds(900)

    /// What a person may configure, and what a stop's code looks like.
    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            SettingDeclaration("url", .source, comment: "where trips are offered; \"\": nowhere"),
            SettingDeclaration(
                "interval", .duration(.seconds(60)...(.seconds(86_400)), default: defaultInterval),
                comment: "between two polls of a region"),
        ],
        check: { code in
            TripsCode(code) == nil
                ? "must be a region, such as trips:scd, a trip by its identifier, or trips:saved" : nil
        })

    /// What the feed declares of itself. A fare does not age: it holds until it expires.
    static func profile(host: String?, interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, attribution: host.map { "Trips of \($0)" } ?? title,
            staleAfter: .seconds(7 * 86_400), suffixes: [], leadingColumn: .day, interval: interval,
            quota: .init(requests: 60, per: .seconds(60)))
    }
}
