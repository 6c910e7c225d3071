internal import BoardCore

/// What a person configured of a city, read.
struct GTFSConfiguration {
    let name: FeedName
    let title: String
    let timetable: GTFSSource
    let realtime: [GTFSSource]
    /// For the hosts in `realtime`.
    let key: APIKeyPlacement

    /// Reads the settings of ``GTFSFeed/family``.
    ///
    /// - Throws: ``FeedSettingFailure`` where there is no timetable, or an address may not be asked.
    init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        self.name = name
        title = settings.nonEmptyText("title") ?? String(name.description.dropFirst(GTFSFeed.familyName.count + 1))
        guard let timetable = settings.nonEmptyText("timetable") else {
            throw FeedSettingFailure(
                setting: "timetable",
                detail: "must say where the city's GTFS zip is, such as https://example.org/gtfs.zip or /srv/gtfs.zip")
        }
        self.timetable = try GTFSSource(timetable, setting: "timetable")
        var realtime: [GTFSSource] = []
        for address in settings.texts("realtime") { realtime.append(try GTFSSource(address, setting: "realtime")) }
        self.realtime = realtime
        key = APIKeyPlacement(settings, of: name)
    }

    /// What reads the city's timetable.
    func timetableStore(_ context: FeedContext) -> TimetableStore {
        TimetableStore(
            timetable, name: name, title: title, key: key.forTimetable(at: timetable, realtime: realtime),
            storage: context.storage, clock: context.clock, zone: context.zone)
    }
}

extension FeedSettings {
    /// The text of a setting; nil where a person wrote none.
    func nonEmptyText(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
