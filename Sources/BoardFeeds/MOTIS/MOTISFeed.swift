public import BoardCore
internal import Synchronization

/// Departures of the whole world, by MOTIS: without a key by Transitous, which volunteers run, or by a server of one's own.
///
/// A stop is one request. Where the operator tells nothing live, the timetable stands, and says so.
public final class MOTISFeed: DepartureFeed {
    /// The constants of MOTIS.
    public let profile: FeedProfile
    let api: MOTISAPI
    private let window: Duration
    private let zoneSource: FeedContext.ZoneSource
    private let note: (@Sendable (FeedStorage.Note) -> Void)?
    private let known = Mutex(Known())

    /// What is learned from answers.
    private struct Known {
        /// By their names; nil: this machine has no such zone.
        var zones: [String: Zone?] = [:]
        var hasAskedForContact = false
    }

    /// A feed of what it is given; the settings are those of ``declaration``.
    ///
    /// - Throws: ``FeedSettingFailure`` where `url` may not be asked, or another setting is not what it must be.
    public init(_ context: FeedContext) throws(FeedSettingFailure) {
        let settings = context.settings
        api = try MOTISAPI(context)
        profile = Self.profile(interval: settings.duration("interval") ?? Self.defaultInterval)
        window = settings.duration("window") ?? Self.defaultWindow
        zoneSource = context.zone
        note = context.storage?.note
    }

    /// Asks what departs from a stop.
    public func departures(_ question: FeedQuestion) async throws(FeedFailure) -> FeedAnswer {
        askForContact()
        let (times, response) = try await api.stopTimes(of: question.stop.code)
        guard !times.rows.isEmpty || times.others > 0 || times.badRows == 0 else {
            // Without a word it would look like a night without departures.
            throw FeedFailure(
                .unreadable,
                detail:
                    "\(profile.title)'s departures of \(question.stop.code): found \(times.badRows) rows and no time "
                    + "in any of them: check version in boardd.toml, [feed.motis]",
                date: response.date)
        }
        let told = response.date ?? response.received
        let all = times.rows.map { $0.departure(from: question.stop, told: told) }
        let end = told + window
        let soon = all.filter { $0.due < end }
        let place = times.place ?? times.rows.first?.place
        return FeedAnswer(
            stop: Stop(id: question.stop, name: place?.name, zone: zone(of: place)), departures: soon,
            alerts: times.alerts.alerts(for: question.lines),
            resumesAt: soon.contains(where: question.isAbout)
                ? nil : all.filter { $0.due >= end && question.isAbout($0) }.map(\.due).min(),
            badRows: times.badRows, date: response.date)
    }

    /// Asks for the calls of a run.
    public func service(of departure: Departure) async throws(FeedFailure) -> Service? {
        guard let id = departure.journey?.id else { return nil }
        return try await api.trip(id)
    }

    /// Looks whether there is such a stop, by asking for its next departure.
    ///
    /// - Returns: nothing: which lines call is known only of the next hours.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        _ = try await api.stopTimes(of: stop.code, count: 1)
        return []
    }

    /// The zone in which a place's clocks go; nil where it does not say, or this machine does not know it.
    private func zone(of place: MOTISPlace?) -> Zone? {
        guard let name = place?.zone else { return nil }
        if let known = known.withLock({ $0.zones[name] }) { return known }
        let found = try? zoneSource(name)
        _ = known.withLock { $0.zones.updateValue(found, forKey: name) }
        return found
    }

    /// Says once that Transitous wants to know whom to ask; until then the program's own page in the User-Agent must do.
    private func askForContact() {
        guard api.contact == nil, api.base.description == Self.defaultURL else { return }
        let isNew = known.withLock { known in
            defer { known.hasAskedForContact = true }
            return !known.hasAskedForContact
        }
        guard isNew else { return }
        note?(
            .remark(
                "\(Self.title) asks its users to say how they can be reached: put contact = \"me@example.org\" into "
                    + "boardd.toml, [feed.motis]; until then it sees the program's page alone"))
    }
}

extension FeedQuestion {
    /// Whether a departure runs, on a line of interest.
    fileprivate func isAbout(_ departure: Departure) -> Bool {
        departure.status != .cancelled && (lines.isEmpty || lines.contains(where: departure.line.isCalled))
    }
}
