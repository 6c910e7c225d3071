public import BoardCore

extension GTFSFeed {
    static let familyName = "gtfs"
    /// Messages are complete lists, made every 10 to 60 s; after 180 s, several have failed and an estimate is stale.
    static let expiry = ExpiryPolicy(detailsGrace: .seconds(30))
    static let defaultInterval: Duration = .seconds(30)
    static let defaultWindow: Duration = .seconds(2 * 3_600)

    public static let family = FeedFamily(familyName) { name in
        FeedDeclaration(
            name: name, title: String(name.description.dropFirst(familyName.count + 1)),
            settings: [
                SettingDeclaration(
                    "title", .text(default: ""), comment: "the operator's name, short enough for the display"),
                SettingDeclaration(
                    "timetable", .location, comment: "the GTFS zip: https://… or /a/file.zip; required"),
                SettingDeclaration(
                    "realtime", .sources, comment: "GTFS-Realtime: any of trip updates, vehicles and alerts"),
            ] + APIKeyPlacement.settings + [
                SettingDeclaration(
                    "attribution", .text(default: ""), comment: "the credit that the operator's terms require"),
                SettingDeclaration(
                    "language", .text(default: ""),
                    comment: "of names and alerts, if there are several; default: the board's"),
                SettingDeclaration(
                    "interval", .duration(.seconds(10)...(.seconds(3_600)), default: defaultInterval),
                    comment: "between two polls of the realtime URLs"),
                SettingDeclaration(
                    "window", .duration(.seconds(1_800)...(.seconds(86_400)), default: defaultWindow),
                    comment: "how much time the board covers"),
            ],
            secrets: [APIKeyPlacement.name(of: name)],
            usesSecret: { settings, _ in
                settings.nonEmptyText("key_header") != nil || settings.nonEmptyText("key_parameter") != nil
            },
            takesTowards: true,
            check: { code in
                code.unicodeScalars.contains { $0.properties.generalCategory == .control }
                    ? "must be a stop_id of the timetable" : nil
            })
    }
}
