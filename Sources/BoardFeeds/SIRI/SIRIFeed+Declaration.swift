public import BoardCore

extension SIRIFeed {
    /// The prefix of the feeds' names.
    static let familyName = "siri"
    /// MTA's data change about every half minute, and MTA allows a request every half minute.
    static let expiry = ExpiryPolicy()
    static let defaultInterval: Duration = .seconds(30)
    static let defaultWindow: Duration = .seconds(2 * 3_600)
    static let defaultLanguage = "en"
    static let defaultRequest = "get"
    static let defaultStopParameter = "MonitoringRef"
    static let defaultRequestor = "boardd"
    static let defaultLineElement = SIRILineNames.Element.publishedLineName.rawValue

    /// The settings of each operator and the format of a stop's code.
    public static let family = FeedFamily(familyName) { name in
        FeedDeclaration(
            name: name, title: String(name.description.dropFirst(familyName.count + 1)),
            settings: [
                SettingDeclaration(
                    "title", .text(default: ""), comment: "the operator's name, short enough for the display"),
                SettingDeclaration(
                    "url", .text(default: ""), comment: "Stop Monitoring URL: https://…; required"),
                SettingDeclaration(
                    "request", .text(default: defaultRequest),
                    comment: "request format: get, or a POST of xml or soap"),
                SettingDeclaration(
                    "parameters", .text(default: ""),
                    comment: "further request parameters: name=value, name=value"),
                SettingDeclaration(
                    "stop_parameter", .text(default: defaultStopParameter),
                    comment: "the query parameter that names the stop, for get"),
                SettingDeclaration(
                    "requestor", .text(default: defaultRequestor),
                    comment: "RequestorRef, for xml and soap, if it is not a secret"),
            ] + APIKeyPlacement.settings + [
                SettingDeclaration(
                    "line_element", .text(default: defaultLineElement),
                    comment: "the element of a visit that names its line: PublishedLineName or LineRef"),
                SettingDeclaration(
                    "line_names", .text(default: ""),
                    comment: "line names that the operator does not publish: ref=name, ref=name"),
                SettingDeclaration(
                    "zone", .text(default: ""),
                    comment: "the operator's time zone, if it differs from this machine's, or its times have no offset"),
                SettingDeclaration(
                    "attribution", .text(default: ""), comment: "the attribution that the operator's terms require"),
                SettingDeclaration(
                    "language", .text(default: defaultLanguage),
                    comment: "of names and alerts, if the operator sends several"),
                SettingDeclaration(
                    "interval", .duration(.seconds(10)...(.seconds(3_600)), default: defaultInterval),
                    comment: "between two polls of a stop"),
                SettingDeclaration(
                    "window", .duration(.seconds(600)...(.seconds(86_400)), default: defaultWindow),
                    comment: "how far ahead to request departures, for xml and soap"),
            ],
            secrets: [APIKeyPlacement.name(of: name)],
            check: { code in
                code.unicodeScalars.contains { $0.properties.generalCategory == .control }
                    ? "must be what the operator calls the stop (MonitoringRef)" : nil
            })
    }

    /// Vehicles report every half minute with a timestamp; an estimate is stale after 180 s, when several reports have failed.
    /// The quota is a safeguard of boardd, not the operator's.
    static func profile(_ name: FeedName, title: String, attribution: String, interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, attribution: attribution, expiry: expiry, suffixes: [],
            interval: interval, quota: .init(requests: 60, per: .seconds(60)))
    }
}
