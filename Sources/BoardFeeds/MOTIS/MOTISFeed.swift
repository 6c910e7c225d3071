public import BoardCore
internal import Synchronization

/// Departures of the whole world, by MOTIS: without a key by Transitous, which volunteers run, or by a server of one's own.
///
/// A stop is one request, or a few where the lines of interest are rare. Where the operator tells nothing live, the timetable stands, and says so.
public final class MOTISFeed: DepartureFeed {
    /// As far as people walk from one pole of a place to another.
    static let walkingDistance = Metres(500)
    /// How long after midnight a service day ends where nobody says when: night buses' last, before the first of the morning.
    private static let serviceDayEnd: Duration = .seconds(3 * 3_600 + 1_800)
    /// Many more than anybody's favourites.
    private static let mostPlaces = 200
    /// The longest name of a stop or a zone that is remembered; the tz database's have up to 32 letters, stops' up to 80.
    private static let longestName = 200
    /// How many departures of interest are enough: those on a glass of four lines. Who is interested in all has them with the
    /// first page.
    private static let enough = 4
    /// How many pages are asked for at most, and how long those after the first one are: 340 departures fill half an hour
    /// of the largest stops.
    private static let mostPages = 4
    private static let pageLength = 100

    /// The constants of MOTIS.
    public let profile: FeedProfile
    let api: MOTISAPI
    let clock: any MachineClock
    let log: (@Sendable (FeedStorage.LogEntry) -> Void)?
    let known = Mutex(LearnedState())
    private let window: Duration
    private let zoneSource: FeedContext.ZoneSource

    /// What is learned from answers.
    struct LearnedState {
        /// By their names; nil: this machine has no such zone.
        var zones: [String: Zone?] = [:]
        /// Where stops are found now, by the codes that are gone.
        var replacements: [String: MOTISStopReplacement] = [:]
        /// What stops were called that were asked about, and where they were, by their own codes.
        var places: [String: (name: String, location: Coordinates)] = [:]
        var hasWarnedAboutContact = false

        /// Remembers what a stop says of itself.
        mutating func remember(_ place: MOTISPlace?, at code: String) {
            guard let name = place?.name, let location = place?.coordinates else { return }
            if places[code] == nil, places.count >= MOTISFeed.mostPlaces { places = [:] }
            places[code] = (String(name.prefix(MOTISFeed.longestName)), location)
        }
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
        clock = context.clock
        log = context.storage?.log
    }

    /// Asks what departs from a stop.
    public func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        warnAboutMissingContact()
        let board = try await board(question)
        let (times, response) = (board.times, board.response)
        guard !times.rows.isEmpty || times.others > 0 || times.badRows == 0 else {
            // Without a word it would look like a night without departures.
            throw FeedFailure(
                .unreadable,
                detail:
                    "\(profile.title)'s departures of \(question.stop.code): found \(times.badRows) rows and no time "
                    + "in any of them: check version in boardd.toml, [feed.motis]")
        }
        let madeAt = response.date ?? response.received
        let all = times.rows.map { $0.departure(from: question.stop, madeAt: madeAt) }
        let end = madeAt + window
        let soon = all.filter { $0.due < end }
        let zone = zone(named: times.zone)
        return FeedResponse(
            stop: Stop(id: question.stop, name: times.stopPlace?.name, zone: zone), departures: soon,
            alerts: times.alerts.alerts(for: question.lines, now: madeAt),
            next: soon.contains(where: question.isAbout)
                ? nil
                : next(all.filter { $0.due >= end && question.isAbout($0) }.map(\.due).min(), madeAt: madeAt, at: zone),
            partialFailure: board.partialFailure, badRows: times.badRows, requests: board.requests)
    }

    /// What leaves next after the board's end. MOTIS does not say of which service day a run is: one that leaves on the other side
    /// of the night's small hours is of another.
    private func next(_ time: Timestamp?, madeAt: Timestamp, at zone: Zone?) -> NextDeparture? {
        guard let time else { return nil }
        func day(_ moment: Timestamp) -> CivilDate {
            (zone ?? .utc).localTime(at: moment - Self.serviceDayEnd).date
        }
        return day(time) > day(madeAt) ? .nextDay(time) : .laterToday(time)
    }

    /// Asks what departs from the stop of a code: one page, and where the question's lines are not among so many others as
    /// many more as it takes, up to a bound.
    func pages(of code: String, _ question: FeedRequest) async throws(FeedFailure) -> MOTISReply {
        let (first, response) = try await api.stopTimes(of: code)
        var board = MOTISReply(times: first, response: response)
        let madeAt = response.date ?? response.received
        func isShort(_ times: MOTISStopTimes) -> Bool {
            guard let last = times.last, last < madeAt + window else { return false }
            return times.rows.count { question.isAbout($0.departure(from: question.stop, madeAt: madeAt)) }
                < Self.enough
        }
        while board.requests < Self.mostPages, isShort(board.times), let cursor = board.times.cursor {
            do throws(FeedFailure) {
                board.times.append(try await api.stopTimes(of: code, count: Self.pageLength, after: cursor).times)
                board.requests += 1
            } catch {
                board.requests += error.requests
                // The stop itself is known: it has just answered.
                board.partialFailure = FeedFailure(
                    error.kind == .unknownStop ? .unreadable : error.kind, detail: error.detail,
                    requests: board.requests, retryAfter: error.retryAfter)
                break
            }
        }
        // Where nothing of interest was on the pages before, a board would look like a night without departures.
        guard let partialFailure = board.partialFailure,
            !board.times.rows.contains(where: { question.isAbout($0.departure(from: question.stop, madeAt: madeAt)) })
        else { return board }
        throw partialFailure
    }

    /// Asks for the calls of a run.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        guard let id = departure.attributes?.id else { return nil }
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
    private func zone(named name: String?) -> Zone? {
        guard let name, name.utf8.count <= Self.longestName else { return nil }
        if let known = known.withLock({ $0.zones[name] }) { return known }
        let found = try? zoneSource(name)
        known.withLock { known in
            if known.zones.count >= Self.mostPlaces { known.zones = [:] }
            known.zones.updateValue(found, forKey: name)
        }
        return found
    }

    /// Says once that Transitous wants to know whom to ask; until then the program's own page in the User-Agent must do.
    private func warnAboutMissingContact() {
        guard api.contact == nil, api.base.description == Self.defaultURL else { return }
        let isNew = known.withLock { known in
            defer { known.hasWarnedAboutContact = true }
            return !known.hasWarnedAboutContact
        }
        guard isNew else { return }
        log?(
            .info(
                "\(Self.title) asks its users to say how they can be reached: put contact = \"me@example.org\" into "
                    + "boardd.toml, [feed.motis]; until then it sees the program's page alone"))
    }
}

extension FeedRequest {
    /// Whether a departure runs, on a line of interest.
    fileprivate func isAbout(_ departure: Departure) -> Bool {
        departure.status != .cancelled && matches(departure.line)
            && matches(platform: departure.platform, direction: departure.direction)
    }
}

/// What departs from a stop, and what it cost to know.
struct MOTISReply {
    var times: MOTISStopTimes
    /// The answer with the first departures.
    let response: HTTPResponse
    var requests = 1
    /// Why the departures after those could not be had; nil: they could, or nobody wanted them.
    var partialFailure: FeedFailure?
}
