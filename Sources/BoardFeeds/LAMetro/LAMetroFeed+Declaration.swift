public import BoardCore

extension LAMetroFeed {
    /// The name in configuration and stop identifiers.
    public static let name = FeedName("lametro")

    static let title = "LA Metro"
    static let zoneName = "America/Los_Angeles"
    static let defaultInterval: Duration = .seconds(30)
    /// What an address must be, for whoever wrote another one.
    static let addressRule = "must be an https address, or one of http to this machine, such as http://127.0.0.1:8080"

    /// What a person may configure, and what a stop's code looks like.
    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            SettingDeclaration(
                "url", .source,
                comment: "what still speaks LA Metro's old API, as api.metro.net did until it was retired"),
            SettingDeclaration(
                "cancelled", .source, comment: "where CanceledService is told; \"\": nowhere"),
            SettingDeclaration(
                "interval", .duration(.seconds(15)...(.seconds(3_600)), default: defaultInterval),
                comment: "between two polls of a stop"),
        ],
        check: { code in
            LAMetroStopCode(code) == nil
                ? "must be a stop's number as on its pole, such as 30005, of rail rail/80122" : nil
        })

    /// The lines of rail as they were called when this API was, by their numbers.
    static let shortLines = [
        "801": "Blue", "802": "Red", "803": "Grn", "804": "Gold", "805": "Purp", "806": "Expo",
    ]

    /// What the feed declares of itself.
    ///
    /// A prediction is relative to its answer, so that it is as old as the last poll: aged after 180 s, when several have
    /// failed. No quota was ever published; this one is for guarding.
    static func profile(interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, shortTitle: "Metro", attribution: "Data of LA Metro", staleAfter: .seconds(180),
            suffixes: [" Station"], shortLines: shortLines, interval: interval,
            quota: .init(requests: 60, per: .seconds(60)))
    }
}
