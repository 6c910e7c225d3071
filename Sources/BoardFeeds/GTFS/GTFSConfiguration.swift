internal import BoardCore

struct GTFSConfiguration {
    let name: FeedName
    let title: String
    let timetable: GTFSSource
    /// The zip to read where the timetable is a zip of zips, such as "2/google_transit.zip": after `#` of its address.
    let member: String?
    let realtime: [GTFSSource]
    /// Sent to the hosts in `realtime`.
    let key: APIKeyPlacement
    let names: NameChoice

    /// - Parameter context: with the settings of ``GTFSFeed/family``.
    /// - Throws: ``FeedSettingFailure`` if `timetable` is missing or a URL is not allowed.
    init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        self.name = name
        title = settings.nonEmptyText("title") ?? String(name.description.dropFirst(GTFSFeed.familyName.count + 1))
        guard let timetable = settings.nonEmptyText("timetable") else {
            throw FeedSettingFailure(
                setting: "timetable",
                detail: "must be the URL or path of a GTFS zip, such as https://example.org/gtfs.zip or /srv/gtfs.zip")
        }
        var names = context.names
        if let language = settings.nonEmptyText("language") { names.language = language }
        self.names = names
        let parts =
            timetable.hasPrefix("/") ? [timetable] : timetable.split(separator: "#", maxSplits: 1).map(String.init)
        self.timetable = try GTFSSource(parts.first ?? "", setting: "timetable")
        member = parts.dropFirst().first
        key = APIKeyPlacement(settings, of: name)
        var realtime: [GTFSSource] = []
        for address in settings.texts("realtime") {
            // Some operators have no https. Without a key there is no secret to protect (docs/cities.md).
            realtime.append(try GTFSSource(address, setting: "realtime", allowsPlain: !key.isConfigured))
        }
        self.realtime = realtime
    }

    func timetableStore(_ context: FeedContext) -> TimetableStore {
        TimetableStore(
            timetable, member: member, name: name, title: title,
            key: key.forTimetable(at: timetable, realtime: realtime),
            storage: context.storage, clock: context.clock, names: names, zone: context.zone)
    }
}

extension FeedSettings {
    func nonEmptyText(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
