internal import BoardCore

/// What a person configured of a city, read.
struct GTFSSetup {
    let name: FeedName
    let title: String
    let timetable: GTFSSource
    let realtime: [GTFSSource]
    /// For the hosts in `realtime`.
    let key: PlacedKey

    /// Reads the settings of ``GTFSFeed/family``.
    ///
    /// - Throws: ``FeedSettingFailure`` where there is no timetable, or an address may not be asked.
    init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        self.name = name
        title = settings.written("title") ?? String(name.description.dropFirst(GTFSFeed.familyName.count + 1))
        guard let timetable = settings.written("timetable") else {
            throw FeedSettingFailure(
                setting: "timetable",
                detail: "must say where the city's GTFS zip is, such as https://example.org/gtfs.zip or /srv/gtfs.zip")
        }
        self.timetable = try GTFSSource(timetable, setting: "timetable")
        var realtime: [GTFSSource] = []
        for address in settings.texts("realtime") { realtime.append(try GTFSSource(address, setting: "realtime")) }
        self.realtime = realtime
        key = PlacedKey(settings, of: name)
    }

    /// What reads the city's timetable.
    func library(_ context: FeedContext) -> TimetableLibrary {
        TimetableLibrary(
            timetable, name: name, title: title, key: key.forTimetable(at: timetable, realtime: realtime),
            storage: context.storage, clock: context.clock, zone: context.zone)
    }
}

extension FeedSettings {
    /// The text of a setting; nil where a person wrote none.
    func written(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
