public import BoardCore

extension TfLFeed {
    public static let name = FeedName("tfl")

    static let keyName = "TFL_APP_KEY"
    static let defaultURL = "https://api.tfl.gov.uk"
    static let zoneName = "Europe/London"
    static let expiry = ExpiryPolicy()
    static let defaultInterval: Duration = .seconds(30)

    /// The longest accepted code; TfL's own have at most 12 characters.
    private static let longestCode = 32

    public static let declaration = FeedDeclaration(
        name: name, title: "TfL",
        settings: [
            SettingDeclaration(
                "url", .url(default: defaultURL), comment: "base URL of the TfL API; http only for loopback"),
            SettingDeclaration(
                "interval", .duration(.seconds(30)...(.seconds(3_600)), default: defaultInterval),
                comment: "between two polls of a stop; TfL's data change every 30s"),
        ],
        secrets: [keyName],
        check: { code in
            let isCode =
                (1...longestCode).contains(code.utf8.count)
                && code.unicodeScalars.allSatisfy {
                    $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
                }
            return isCode ? nil : "must be letters and digits, such as 490008660N or 940GZZLUOXC"
        })

    /// Suffixes of station names, by mode; names of bus stops have none.
    static let suffixes = [
        " Underground Station", " DLR Station", " Rail Station", " Tram Stop", " Overground Station",
    ]

    /// Long line names, shortened as on TfL's own signs, by the line's identifier; bus lines need none.
    static let shortLines = [
        "bakerloo": "Bak", "central": "Cen", "circle": "Cir", "district": "Dis", "elizabeth": "Eliz",
        "hammersmith-city": "H&C", "jubilee": "Jub", "liberty": "Lib", "lioness": "Lio", "london-overground": "Ovr",
        "metropolitan": "Met", "mildmay": "Mil", "northern": "Nor", "piccadilly": "Pic", "suffragette": "Suf",
        "victoria": "Vic", "waterloo-city": "W&C", "weaver": "Wea", "windrush": "Win",
    ]

    /// An estimate is stale after 180 s: a new response is 30–90 s old on arrival (recorded `Date` minus `timestamp`, with
    /// `s-maxage=60` in TfL's caches), and polls are 30 s apart, so that 120 s is normal and 180 s is not.
    static func profile(interval: Duration, hasKey: Bool) -> FeedProfile {
        FeedProfile(
            name: name, title: "TfL", attribution: "Powered by TfL Open Data", expiry: expiry,
            suffixes: suffixes, shortLines: shortLines, interval: interval,
            quota: .init(requests: hasKey ? 500 : 50, per: .seconds(60)))
    }
}
