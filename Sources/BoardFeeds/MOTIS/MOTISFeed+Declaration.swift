public import BoardCore

extension MOTISFeed {
    public static let name = FeedName("motis")

    static let title = "Transitous"
    static let defaultURL = "https://api.transitous.org"
    static let defaultVersion = "v5"
    static let expiry = ExpiryPolicy()
    static let defaultInterval: Duration = .seconds(60)
    static let defaultWindow: Duration = .seconds(2 * 3_600)
    /// Transitous' terms require a link to its sources. Short enough for the first screen of 20x4.
    static let attribution = "Transitous, sources: transitous.org/sources"

    /// The longest accepted code; the longest of Transitous have about 100 characters.
    private static let longestCode = 256

    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            SettingDeclaration(
                "url", .url(default: defaultURL), comment: "base URL of a MOTIS server; http only for loopback"),
            SettingDeclaration(
                "version", .text(default: defaultVersion), comment: "API version, as in its URLs"),
            SettingDeclaration(
                "contact", .text(default: ""),
                comment: "your mail or web address for Transitous, sent in the User-Agent"),
            SettingDeclaration(
                "language", .text(default: ""), comment: "of names and alerts, such as \"de\", if there are several"),
            SettingDeclaration(
                "interval", .duration(.seconds(30)...(.seconds(3_600)), default: defaultInterval),
                comment: "between two polls of a stop"),
            SettingDeclaration(
                "window", .duration(.seconds(1_800)...(.seconds(86_400)), default: defaultWindow),
                comment: "how much time the board covers"),
        ],
        searchesStops: true,
        check: { code in
            let isCode =
                code.utf8.count <= longestCode && code.dropFirst().contains("_") && code.first != "_"
                && !code.unicodeScalars.contains { $0.properties.generalCategory == .control }
            return isCode
                ? nil
                : "must be a stop with its source before it, such as de-DELFI_de:02000:10950: see boardd stops search"
        })

    /// Estimates have no timestamp, so that they count as made with the response; stale after 180 s: two failed polls of 60 s.
    /// Transitous is run by volunteers and requests light use: half a request a second at most.
    static func profile(interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, shortTitle: "MOTIS", attribution: attribution, expiry: expiry,
            suffixes: [], interval: interval, quota: .init(requests: 30, per: .seconds(60)))
    }
}
