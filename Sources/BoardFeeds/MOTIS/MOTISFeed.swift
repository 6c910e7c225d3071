public import BoardCore
internal import Synchronization

/// Departures of the whole world, by MOTIS: without a key by Transitous, which volunteers run, or by a server of one's own.
///
/// A stop is one request. Where the operator tells nothing live, the timetable stands, and says so.
public final class MOTISFeed: DepartureFeed {
    /// How far a stop may have moved when its operator's data changed: another pole of the same place.
    private static let nearest = Metres(500)
    /// How long after midnight a service day ends where nobody says when: night buses' last, before the first of the morning.
    private static let smallHours: Duration = .seconds(3 * 3_600 + 1_800)
    /// Many more than anybody's favourites.
    private static let mostPlaces = 200

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
        /// The identifiers that stops have now, by those that are gone.
        var codes: [String: String] = [:]
        /// What stops were called that were asked about, and where they were.
        var places: [String: (name: String, location: Coordinates)] = [:]
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
        let (times, response, requests) = try await stopTimes(question)
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
        let zone = zone(of: place)
        return FeedAnswer(
            stop: Stop(id: question.stop, name: place?.name, zone: zone), departures: soon,
            alerts: times.alerts.alerts(for: question.lines, now: told),
            next: soon.contains(where: question.isAbout)
                ? nil
                : next(all.filter { $0.due >= end && question.isAbout($0) }.map(\.due).min(), told: told, at: zone),
            badRows: times.badRows, date: response.date, requests: requests)
    }

    /// What leaves next after the board's end. MOTIS does not say of which service day a run is: one that leaves on the other side
    /// of the night's small hours is of another.
    private func next(_ time: Timestamp?, told: Timestamp, at zone: Zone?) -> NextDeparture? {
        guard let time else { return nil }
        func day(_ moment: Timestamp) -> CivilDate {
            (zone ?? .utc).localTime(at: moment - Self.smallHours).date
        }
        return day(time) > day(told) ? .nextDay(time) : .laterToday(time)
    }

    /// Asks what departs, of a stop whose identifier is gone by the one that it has now.
    private func stopTimes(
        _ question: FeedQuestion
    ) async throws(FeedFailure) -> (times: MOTISStopTimes, response: HTTPResponse, requests: Int) {
        let code = question.stop.code
        let current = known.withLock { $0.codes[code] } ?? code
        do throws(FeedFailure) {
            let (times, response) = try await api.stopTimes(of: current)
            remember(times.place ?? times.rows.first?.place, at: code)
            return (times, response, 1)
        } catch {
            guard error.kind == .unknownStop, let other = try await successor(of: current, question) else {
                throw error
            }
            let (times, response) = try await api.stopTimes(of: other.code)
            known.withLock { $0.codes[code] = other.code }
            remember(times.place ?? times.rows.first?.place, at: code)
            note?(
                .done(
                    "\(question.stop) is \(profile.name):\(other.code) by now (\(other.name)): the board goes on with that; "
                        + "write it into favourites.toml, lest it be looked for again after each start"))
            return (times, response, 3)
        }
    }

    /// The stop that is called as one was whose identifier is gone, where that was; nil where there is none, or nobody
    /// knows what it was called and where.
    private func successor(of gone: String, _ question: FeedQuestion) async throws(FeedFailure) -> MOTISMatch? {
        let seen = known.withLock { $0.places[question.stop.code] }
        guard let name = question.name ?? seen?.name, let place = question.location ?? seen?.location else {
            return nil
        }
        let near = try await api.matches(name, near: place).once
            .map { (match: $0, distance: place.flatDistance(to: $0.coordinates)) }
            .filter { $0.match.code != gone && $0.distance <= Self.nearest }
            .sorted { $0.distance < $1.distance }
        return near.first { $0.match.isCalled(name) }?.match ?? near.first?.match
    }

    private func remember(_ place: MOTISPlace?, at code: String) {
        guard let name = place?.name, let location = place?.coordinates else { return }
        known.withLock { known in
            if known.places[code] == nil, known.places.count >= Self.mostPlaces { known.places = [:] }
            known.places[code] = (name, location)
        }
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
        departure.status != .cancelled && wants(departure.line)
            && wants(platform: departure.platform, direction: departure.direction)
    }
}
