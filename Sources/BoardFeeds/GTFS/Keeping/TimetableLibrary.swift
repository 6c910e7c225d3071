internal import BoardCore
internal import BoardThreads

/// The timetable of the stops that somebody asked about, from the archive that is kept.
///
/// The first question about a stop costs one pass over the archive, which serves all that were asked by then. While one
/// is under way, and when the operator has another archive, what was read before stays; a worse one never takes its place.
actor TimetableLibrary {
    /// What was read of an archive.
    struct Loaded: Sendable {
        let report: TimetableReport
        /// The stops for which it was read, also those that the archive does not have.
        let covered: Set<String>
        /// Counts readings: a later one has a larger number.
        let reading: Int
        /// The timetable with what messages are matched by.
        let index: RealtimeIndex
        fileprivate let edition: KeptArchive.Edition?

        var timetable: Timetable { index.timetable }
    }

    /// How often the archive is looked at: another process may have replaced it.
    private static let lookEvery: Duration = .seconds(60)
    /// How often the operator is asked for another one; and near the end of the one that is kept.
    private static let askEvery: Duration = .seconds(7 * 86_400)
    private static let askEveryNearEnd: Duration = .seconds(86_400)
    /// How many days before its end a timetable is near it.
    static let nearEnd: Int64 = 7
    /// When the operator is asked again after a failure.
    private static let askAfterFailure: Duration = .seconds(3_600)

    private let source: GTFSSource
    private let kept: KeptArchive?
    private let key: GTFSKey
    private let title: String
    private let storage: FeedStorage?
    private let clock: any MachineClock
    private let zone: FeedContext.ZoneSource

    private var wanted: Set<String>
    private var loaded: Loaded?
    private var readings = 0
    private var loading: Task<FeedFailure?, Never>?
    private var tending: Task<Void, Never>?
    private var nextLook = Instant(microseconds: .min)
    private var nextAsking = Instant(microseconds: .min)
    /// What was said of the last attempt; nil: it was good.
    private var complaint: String?

    /// The library of one city.
    init(
        _ source: GTFSSource, name: FeedName, title: String, key: GTFSKey, storage: FeedStorage?,
        clock: any MachineClock, zone: @escaping FeedContext.ZoneSource
    ) {
        self.source = source
        self.title = title
        self.key = key
        self.storage = storage
        self.clock = clock
        self.zone = zone
        kept = storage.map { KeptArchive(folder: $0.folder, name: name.description) }
        wanted = Set(storage?.stops ?? [])
    }

    /// The timetable that covers a stop.
    ///
    /// - Parameter code: `stop_id`; of a station, for its platforms as well. It may be one that the archive does not have.
    /// - Throws: ``FeedFailure`` where there is no archive, or none that can be read.
    func timetable(covering code: String) async throws(FeedFailure) -> Loaded {
        wanted.insert(code)
        while true {
            if let loaded, loaded.covered.contains(code) {
                lookAfter()
                return loaded
            }
            let task = loading ?? Task { await self.load() }
            loading = task
            if let failure = await task.value { throw failure }
            if Task.isCancelled {
                throw FeedFailure(.cancelled, detail: "\(title): the question was abandoned", requests: 0)
            }
        }
    }

    /// Where the operator's newest archive is, which is taken if it is not the one that is kept.
    func newest() async throws(FeedFailure) -> String {
        try await take()
        return try await there()
    }

    /// Where an archive is; one is taken only where there is none.
    func any() async throws(FeedFailure) -> String {
        if let path = try await present() { return path }
        return try await newest()
    }

    private func there() async throws(FeedFailure) -> String {
        if let path = try await present() { return path }
        throw FeedFailure(.unreadable, detail: "\(title): there is no timetable of \(source)", requests: 0)
    }

    /// Reads the archive that is there for all stops that are wanted; where there is none, takes one from the operator.
    private func load() async -> FeedFailure? {
        defer { loading = nil }
        do throws(FeedFailure) {
            if let path = try await present() {
                loaded = try await read(path)
            } else {
                try await take()
            }
            return nil
        } catch {
            return error
        }
    }

    /// Where an archive of this source is; nil: none has come yet.
    private func present() async throws(FeedFailure) -> String? {
        guard case .address(let url) = source else { return source.description }
        guard let kept else {
            throw FeedFailure(
                .unreadable,
                detail:
                    "\(title): there is no folder to keep the timetable of \(url) in; name a file in boardd.toml instead",
                requests: 0)
        }
        return try await onThread { kept.origin?.url == url.description ? kept.path : nil }
    }

    /// Reads an archive for all stops that are wanted.
    private func read(_ path: String) async throws(FeedFailure) -> Loaded {
        let (codes, zone) = (wanted, zone)
        readings += 1
        let reading = readings
        let result = try await onThread { () -> Result<Loaded, GTFSFailure> in
            let edition = KeptArchive.edition(of: path)
            return Result { () throws(GTFSFailure) in
                let (timetable, report) = try TimetableReader.read(
                    try GTFSArchive(path: path), stops: codes.sorted(), zone: zone)
                return Loaded(
                    report: report, covered: codes, reading: reading,
                    index: RealtimeIndex(timetable, stops: codes.sorted()), edition: edition)
            }
        }
        do throws(GTFSFailure) {
            let loaded = try result.get()
            storage?.note(
                .done(
                    "the timetable of \(title) was read for \(codes.count) \(codes.count == 1 ? "stop" : "stops") in "
                        + "\(loaded.report.took.inTenths) s"))
            return loaded
        } catch {
            throw FeedFailure(.unreadable, detail: "the timetable of \(title): \(path), \(error)", requests: 0)
        }
    }

    /// Runs what blocks on a thread of its own.
    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(FeedFailure) -> Value {
        do {
            return try await DedicatedThread.run("timetable", body)
        } catch {
            throw FeedFailure(.cancelled, detail: "the timetable of \(title) is not read: \(error)", requests: 0)
        }
    }
}

// MARK: - Newer archives

extension TimetableLibrary {
    /// Looks now and then, beside the questions, whether there is a newer archive.
    private func lookAfter() {
        let now = clock.now()
        guard tending == nil, loading == nil, now >= nextLook else { return }
        nextLook = now + Self.lookEvery
        tending = Task { await self.tend() }
    }

    private func tend() async {
        defer { tending = nil }
        do throws(FeedFailure) {
            if let path = try await present() {
                let edition = try await onThread { KeptArchive.edition(of: path) }
                if edition != nil, edition != loaded?.edition { loaded = try await read(path) }
            }
            if try await isDue() { try await take() }
            complain(nil)
        } catch {
            nextAsking = clock.now() + Self.askAfterFailure
            complain(error.detail)
        }
    }

    /// Whether the operator is to be asked for another archive.
    private func isDue() async throws(FeedFailure) -> Bool {
        guard case .address = source, let kept, clock.now() >= nextAsking else { return false }
        let today = clock.reading().wall
        let isNearEnd = loaded.map { $0.isNearEnd(at: today) } ?? false
        let checked = try await onThread { kept.origin?.checked }
        guard let checked else { return true }
        // A clock that was put back must not make it wait for years.
        return today - checked >= (isNearEnd ? Self.askEveryNearEnd : Self.askEvery) || checked > today
    }

    /// Takes another archive if the operator has one, and keeps it if it can be read.
    private func take() async throws(FeedFailure) {
        guard case .address(let url) = source, let kept, let storage else { return }
        let taking = ArchiveTaking(kept, from: url, key, title: title, over: storage.download(), clock)
        switch try await taking.run() {
        case .unchanged:
            if loaded == nil, !wanted.isEmpty { loaded = try await read(kept.path) }
        case .taken(let origin, let file):
            let new: Loaded
            do throws(FeedFailure) {
                new = try await read(kept.part)
            } catch {
                _ = try? await onThread { kept.refuse() }
                throw error
            }
            let refusal = try await onThread { () -> RecordingFailure? in
                defer { withExtendedLifetime(file) {} }
                do throws(RecordingFailure) {
                    try kept.accept(origin)
                    return nil
                } catch {
                    return error
                }
            }
            if let refusal {
                throw FeedFailure(.unreadable, detail: "the timetable of \(title) cannot be kept: \(refusal)")
            }
            loaded = new
        }
    }

    /// Says what is wrong when it begins to be, and when it is over.
    private func complain(_ sentence: String?) {
        defer { complaint = sentence }
        guard (sentence == nil) != (complaint == nil) else { return }
        storage?.note(
            sentence.map { .trouble("\($0). The timetable of before stays, and the new one is tried again") }
                ?? .recovered("the timetable of \(title) is up to date again"))
    }
}

extension TimetableLibrary.Loaded {
    /// How many days the timetable goes on after the day on which `moment` is; negative when it is past; nil: not told.
    func daysLeft(at moment: Timestamp) -> Int64? {
        report.lastDay.map { $0.daysSince1970 - timetable.zone.localTime(at: moment).date.daysSince1970 }
    }

    /// Whether the timetable ends within days, or has ended.
    func isNearEnd(at moment: Timestamp) -> Bool {
        daysLeft(at: moment).map { $0 <= TimetableLibrary.nearEnd } ?? false
    }
}

extension Duration {
    /// Seconds with one decimal.
    fileprivate var inTenths: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}
