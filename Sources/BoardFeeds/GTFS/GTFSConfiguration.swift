import BoardCore

struct GTFSConfiguration {
    let name: FeedName
    let title: String
    let timetable: GTFSSource
    /// The zip to read if the timetable is a zip of zips, such as "2/google_transit.zip": after `#` in its address.
    let member: String?
    let realtime: [GTFSSource]
    /// Sent to the hosts in `realtime`.
    let key: APIKeyPlacement
    let names: NameChoice

    /// - Parameter context: with the settings of ``GTFSFeed/family``.
    init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingError) {
        let settings = context.settings
        self.name = name
        title = settings.nonEmptyText("title") ?? String(name.description.dropFirst(GTFSFeed.familyName.count + 1))
        guard let timetable = settings.nonEmptyText("timetable") else {
            throw FeedSettingError(
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
        let key = APIKeyPlacement(settings, of: name)
        self.key = key
        // Some operators have no https. Without a key there is no secret to protect (docs/cities.md).
        realtime = try settings.texts("realtime").map { address throws(FeedSettingError) in
            try GTFSSource(address, setting: "realtime", allowsPlain: !key.isConfigured)
        }
    }

    func timetableStore(_ context: FeedContext) -> TimetableStore {
        TimetableStore(
            timetable, member: member, name: name, title: title,
            key: key.forTimetable(at: timetable, realtime: realtime),
            storage: context.storage, clock: context.clock, names: names, zone: context.zone)
    }
}

extension FeedSettings {
    func nonEmptyText(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

    // Settings are complete: an undeclared name is a mistake here.
    subscript(text name: String) -> String { text(name) ?? "" }
    subscript(duration name: String) -> Duration { duration(name) ?? .zero }
}

enum GTFSSource: Hashable, Sendable, CustomStringConvertible {
    case address(HTTPURL)
    case file(String)

    /// - Parameter allowsPlain: whether http is allowed, because no key is sent.
    init(_ text: String, setting: String, allowsPlain: Bool = false) throws(FeedSettingError) {
        if text.hasPrefix("/") {
            self = .file(text)
            return
        }
        guard let url = HTTPURL(text), url.scheme == .https || url.isLoopback || allowsPlain else {
            throw FeedSettingError(
                setting: setting,
                detail: "\"\(text)\" must be an https URL or a path, such as https://example.org/gtfs.zip or "
                    + "/srv/gtfs.zip")
        }
        self = .address(url)
    }

    var url: HTTPURL? {
        if case .address(let url) = self { url } else { nil }
    }

    var description: String {
        switch self {
        case .address(let url): url.description
        case .file(let path): path
        }
    }
}
