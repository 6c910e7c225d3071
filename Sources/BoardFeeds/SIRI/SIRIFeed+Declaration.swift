public import BoardCore

extension SIRIFeed {
    /// What its feeds' names begin with.
    static let familyName = "siri"
    /// MTA's data change about every half minute, and that is how often it may be asked.
    static let defaultInterval: Duration = .seconds(30)
    static let defaultWindow: Duration = .seconds(2 * 3_600)
    static let defaultLanguage = "en"
    static let defaultRequest = "get"
    static let defaultStopParameter = "MonitoringRef"
    static let defaultRequestor = "boardd"
    static let defaultLineElement = SIRILineNames.Element.publishedLineName.rawValue

    /// What a person may configure of each operator, and what a stop's code looks like.
    public static let family = FeedFamily(familyName) { name in
        FeedDeclaration(
            name: name, title: String(name.description.dropFirst(familyName.count + 1)),
            settings: [
                SettingDeclaration(
                    "title", .text(default: ""), comment: "the operator's name, short enough for the glass"),
                SettingDeclaration(
                    "url", .text(default: ""), comment: "where Stop Monitoring answers: https://…; must be there"),
                SettingDeclaration(
                    "request", .text(default: defaultRequest),
                    comment: "how it is asked: get, or a POST of xml or soap"),
                SettingDeclaration(
                    "parameters", .text(default: ""),
                    comment: "what is asked beside the stop: name=value, name=value"),
                SettingDeclaration(
                    "stop_parameter", .text(default: defaultStopParameter),
                    comment: "the query's parameter that names the stop, of get"),
                SettingDeclaration(
                    "requestor", .text(default: defaultRequestor),
                    comment: "RequestorRef, of xml and soap, where it is no secret"),
            ] + APIKeyPlacement.settings + [
                SettingDeclaration(
                    "line_element", .text(default: defaultLineElement),
                    comment: "the element of a visit that names its line: PublishedLineName or LineRef"),
                SettingDeclaration(
                    "line_names", .text(default: ""),
                    comment: "what you call lines whose names the operator does not tell: ref=name, ref=name"),
                SettingDeclaration(
                    "zone", .text(default: ""),
                    comment: "the operator's time zone, where it is not this machine's, or its times name none"),
                SettingDeclaration(
                    "attribution", .text(default: ""), comment: "the words that the operator's terms ask for"),
                SettingDeclaration(
                    "language", .text(default: defaultLanguage),
                    comment: "of names and alerts, where the operator writes several"),
                SettingDeclaration(
                    "interval", .duration(.seconds(10)...(.seconds(3_600)), default: defaultInterval),
                    comment: "between two polls of a stop"),
                SettingDeclaration(
                    "window", .duration(.seconds(600)...(.seconds(86_400)), default: defaultWindow),
                    comment: "how much time is asked for, of xml and soap"),
            ],
            secrets: [APIKeyPlacement.name(of: name)],
            check: { code in
                code.unicodeScalars.contains { $0.properties.generalCategory == .control }
                    ? "must be what the operator calls the stop (MonitoringRef)" : nil
            })
    }

    /// What the feed declares of itself.
    ///
    /// Vehicles report every half minute and say when; an estimate is aged after 180 s, when several reports have failed. The
    /// quota is one for guarding, not the operator's.
    static func profile(_ name: FeedName, title: String, attribution: String, interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, attribution: attribution, staleAfter: .seconds(180), suffixes: [],
            interval: interval, quota: .init(requests: 60, per: .seconds(60)))
    }
}
