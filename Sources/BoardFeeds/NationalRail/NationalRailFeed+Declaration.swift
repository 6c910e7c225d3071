public import BoardCore

extension NationalRailFeed {
    public static let name = FeedName("rail")

    static let title = "National Rail"
    static let zoneName = "Europe/London"
    static let defaultBoardURL =
        "https://api1.raildata.org.uk/1010-live-departure-board-dep1_2/LDBWS/api/20220120"
    static let defaultDetailsURL = "https://api1.raildata.org.uk/1010-service-details1_2/LDBWS/api/20220120"
    static let defaultDarwinURL = "https://lite.realtime.nationalrail.co.uk/OpenLDBWS/ldb12.asmx"
    /// Both services list trains until about two minutes after they left.
    static let expiry = ExpiryPolicy(liveGrace: .seconds(120), scheduledGrace: .seconds(120))
    static let defaultInterval: Duration = .seconds(60)
    /// The longest period that a board covers.
    static let longestWindow: Duration = .seconds(120 * 60)

    public static let declaration = FeedDeclaration(
        name: name, title: title,
        settings: [
            SettingDeclaration(
                "board_url", .url(default: defaultBoardURL),
                comment: "Live Departure Board of your subscription (RDM), up to its date"),
            SettingDeclaration(
                "details_url", .url(default: defaultDetailsURL),
                comment: "Service Details of your subscription (RDM), up to its date"),
            SettingDeclaration(
                "darwin_url", .url(default: defaultDarwinURL), comment: "OpenLDBWS URL, used with DARWIN_TOKEN"),
            SettingDeclaration(
                "stations", .source, comment: "names and codes: CSV at https://… or in /a/file; \"\": no list"),
            SettingDeclaration(
                "interval", .duration(.seconds(30)...(.seconds(3_600)), default: defaultInterval),
                comment: "between two polls of a station"),
            SettingDeclaration(
                "offset", .duration(.zero...(.seconds(119 * 60)), default: .zero),
                comment: "how far ahead the board begins"),
            SettingDeclaration(
                "window", .duration(.seconds(60)...longestWindow, default: longestWindow),
                comment: "how much time the board covers"),
        ],
        secrets: RailKey.allCases.map(\.rawValue),
        takesTowards: true,
        check: { code in
            if isCode(code) { return nil }
            let capitals = code.uppercased()
            return isCode(capitals)
                ? "must be in capitals: \(capitals)" : "must be the three letters of a station, such as PAD"
        },
        secretWarning: { name, secret in
            RailKey(rawValue: name)?.misplaced(secret)
        })

    /// Whether a code is that of a station: three ASCII capitals.
    static func isCode(_ code: String) -> Bool {
        code.utf8.count == 3 && code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    /// Abbreviations of operators as in timetables, by their codes.
    static let shortLines = [
        "AW": "TfW", "CC": "c2c", "CH": "Chil", "CS": "Slpr", "EM": "EMR", "ES": "Eur", "GC": "GC", "GN": "GN",
        "GR": "LNER", "GW": "GWR", "GX": "GX", "HT": "HT", "HX": "HX", "IL": "IoW", "LD": "Lumo", "LE": "GA",
        "LM": "WMT", "LO": "Ovr", "ME": "Mers", "NT": "Nthn", "SE": "SE", "SN": "SN", "SR": "ScR", "SW": "SWR",
        "TL": "TL", "TP": "TPE", "VT": "Avnt", "XC": "XC", "XR": "Eliz",
    ]

    /// A board is made on request, with a timestamp (`generatedAt`), so that an estimate is as old as the last poll. It is stale
    /// after 180 s: two failed polls of 60 s. Two boards never have the same timestamp: one that does not change for five
    /// minutes comes from a stuck cache on the way. Both services allow about five million requests in four weeks, two a
    /// second; half of that suffices.
    static func profile(interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, shortTitle: "Rail", attribution: "Powered by National Rail Enquiries",
            expiry: expiry,
            suffixes: [], shortLines: shortLines, leadingColumn: .booked,
            interval: interval,
            quota: .init(requests: 60, per: .seconds(60)))
    }
}
