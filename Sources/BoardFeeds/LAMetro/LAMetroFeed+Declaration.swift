public import BoardCore

extension LAMetroFeed {
    public static let name = FeedName("lametro")

    static let title = "LA Metro"
    static let zoneName = "America/Los_Angeles"
    static let expiry = ExpiryPolicy()
    static let defaultInterval: Duration = .seconds(30)

    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            SettingDeclaration(
                "url", .source,
                comment: "base URL of a server with LA Metro's old API (api.metro.net is retired)"),
            SettingDeclaration(
                "cancelled", .source, comment: "URL of CanceledService; \"\": none"),
            SettingDeclaration(
                "interval", .duration(.seconds(15)...(.seconds(3_600)), default: defaultInterval),
                comment: "between two polls of a stop"),
        ],
        check: { code in
            LAMetroStopCode(code) == nil
                ? "must be a stop's number as on its pole, such as 30005, of rail rail/80122" : nil
        })

    /// The rail lines' names at the time of this API, by their numbers.
    static let shortLines = [
        "801": "Blue", "802": "Red", "803": "Grn", "804": "Gold", "805": "Purp", "806": "Expo",
    ]

    /// A prediction is relative to its response, so that it is as old as the last poll: stale after 180 s, when several have
    /// failed. No quota was ever published; this one is a safeguard.
    static func profile(interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, shortTitle: "Metro", attribution: "Data of LA Metro", expiry: expiry,
            suffixes: [" Station"], shortLines: shortLines, interval: interval,
            quota: .init(requests: 60, per: .seconds(60)))
    }
}
