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
        fileprivate(set) var reading: Int
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
    /// When the operator is asked again after a failure, and after an archive that cannot be read: that one costs the
    /// network 20 MB each time.
    private static let askAfterFailure: Duration = .seconds(3_600)
    private static let askAfterBadArchive: Duration = .seconds(6 * 3_600)

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
    /// A reading that is under way; two at once would need the memory of two.
    private var scan: Task<Result<Loaded, FeedFailure>, Never>?
    /// Why no archive could be taken for a question, and until when the operator is left alone because of it.
    private var refusal: (failure: FeedFailure, until: Instant)?
    private var tending: Task<Void, Never>?
    private var nextLook = Instant(microseconds: .min)
    private var nextAsking = Instant(microseconds: .min)
    /// The archive that is there and cannot be read.
    private var badEdition: KeptArchive.Edition?
    /// Whether something is wrong with newer archives, which was said.
    private var isComplaining = false
    /// Whether it was said that the timetable ends.
    private var isEndSaid = false

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
    /// - Throws: ``FeedFailure`` where there is no archive, or none that can be read; `cancelled` as soon as the task is:
    ///   the reading goes on for others.
    func timetable(covering code: String) async throws(FeedFailure) -> Loaded {
        wanted.insert(code)
        while true {
            if let loaded, loaded.covered.contains(code) {
                lookAfter()
                return loaded
            }
            let task = loading ?? Task { await self.load() }
            loading = task
            guard let ended = await task.valueUnlessCancelled() else {
                throw FeedFailure(.cancelled, detail: "\(title): the question was abandoned", requests: 0)
            }
            if let failure = ended { throw failure }
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

    /// Reads the archive that is there for all stops that are wanted; where there is none, or none that can be read, takes
    /// one from the operator.
    private func load() async -> FeedFailure? {
        defer { loading = nil }
        do throws(FeedFailure) {
            guard let path = try await present() else {
                try await takeForQuestion(isAnew: false)
                return nil
            }
            do throws(FeedFailure) {
                publish(try await read(path))
            } catch {
                // What has become unreadable on this disk the operator may have whole.
                guard case .address = source, error.kind == .unreadable else { throw error }
                try await takeForQuestion(isAnew: true)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Takes an archive because nothing can be told without it. After a failure the operator is left alone for a while,
    /// however many stops are asked about.
    private func takeForQuestion(isAnew: Bool) async throws(FeedFailure) {
        if let (failure, until) = refusal, clock.now() < until {
            throw FeedFailure(failure.kind, detail: failure.detail, requests: 0)
        }
        do throws(FeedFailure) {
            try await take(isAnew: isAnew)
            refusal = nil
        } catch {
            refusal = (error, clock.now() + Self.patience(after: error.kind))
            throw error
        }
    }

    /// How long the operator is left alone after a failure, while nothing can be told.
    private static func patience(after failure: FeedFailure.Kind) -> Duration {
        switch failure {
        case .noNetwork, .timedOut, .cancelled, .certificateDate: .seconds(20)
        case .throttled(let wait): max(wait ?? .seconds(60), .seconds(10))
        case .unreadable: .seconds(3_600)
        case .certificate, .keyMissing, .keyRefused, .unknownStop, .status: .seconds(300)
        }
    }

    /// Takes over what was read.
    private func publish(_ new: Loaded) {
        readings += 1
        var new = new
        new.reading = readings
        loaded = new
    }

    /// Where an archive of this source is; nil: none has come yet. One of which nobody knows where it came from will do.
    private func present() async throws(FeedFailure) -> String? {
        guard case .address(let url) = source else { return source.description }
        guard let kept else {
            throw FeedFailure(
                .unreadable,
                detail:
                    "\(title): there is no folder to keep the timetable of \(url) in; name a file in boardd.toml instead",
                requests: 0)
        }
        return try await onThread {
            guard KeptArchive.edition(of: kept.path) != nil else { return nil }
            return kept.origin.map { $0.url == url.description } ?? true ? kept.path : nil
        }
    }

    /// Reads an archive for all stops that are wanted, after any other reading.
    ///
    /// - Parameter name: what people know it by; nil: its path.
    private func read(_ path: String, called name: String? = nil) async throws(FeedFailure) -> Loaded {
        while let scan { _ = await scan.value }
        let task = Task { await self.scan(path, called: name ?? path) }
        scan = task
        return try await task.value.get()
    }

    private func scan(_ path: String, called name: String) async -> Result<Loaded, FeedFailure> {
        defer { scan = nil }
        let (codes, zone) = (wanted, zone)
        do throws(FeedFailure) {
            let result = try await onThread { () -> Result<Loaded, GTFSFailure> in
                // Before it is opened: one that takes its place meanwhile is another edition.
                let edition = KeptArchive.edition(of: path)
                return Result { () throws(GTFSFailure) in
                    let (timetable, report) = try TimetableReader.read(
                        try GTFSArchive(path: path), stops: codes.sorted(), zone: zone)
                    return Loaded(
                        report: report, covered: codes, reading: 0,
                        index: RealtimeIndex(timetable, stops: codes.sorted()), edition: edition)
                }
            }
            switch result {
            case .success(let loaded):
                storage?.note(
                    .done(
                        "the timetable of \(title) was read for \(codes.count) "
                            + "\(codes.count == 1 ? "stop" : "stops") in \(loaded.report.took.inTenths) s"))
                return .success(loaded)
            case .failure(let failure):
                let place = failure.file == path ? "" : "\(name), "
                throw FeedFailure(
                    .unreadable,
                    detail: "the timetable of \(title): \(place)"
                        + failure.description.replacing(path, with: name), requests: 0)
            }
        } catch {
            return .failure(error)
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
        await lookAtFile()
        do throws(FeedFailure) {
            if try await isDue() {
                try await take(isAnew: badEdition != nil)
                badEdition = nil
                complain(nil)
            }
        } catch {
            let wait = error.kind == .unreadable ? Self.askAfterBadArchive : Self.askAfterFailure
            nextAsking = clock.now() + wait
            complain(error.detail)
        }
        warnOfEnd()
    }

    /// Reads the archive anew if it is another one than before: a person or another process has replaced it.
    private func lookAtFile() async {
        var edition: KeptArchive.Edition?
        do throws(FeedFailure) {
            guard let path = try await present() else { return }
            edition = try await onThread { KeptArchive.edition(of: path) }
            switch edition {
            case nil:
                throw FeedFailure(
                    .unreadable, detail: "the timetable of \(title): \(path) is not there any more", requests: 0)
            case loaded?.edition:
                // One that was bad has been taken back.
                if badEdition != nil || isFile { complain(nil) }
                badEdition = nil
            case badEdition: break
            default:
                publish(try await read(path))
                badEdition = nil
                complain(nil)
            }
        } catch {
            badEdition = edition
            complain(error.detail)
        }
    }

    private var isFile: Bool {
        if case .file = source { true } else { false }
    }

    /// Whether the operator is to be asked for another archive.
    private func isDue() async throws(FeedFailure) -> Bool {
        guard case .address = source, let kept, clock.now() >= nextAsking else { return false }
        let today = clock.reading().wall
        let isNearEnd = loaded.map { $0.isNearEnd(at: today) } ?? false
        let checked = try await onThread { kept.origin?.checked }
        guard let checked, badEdition == nil else { return true }
        // A clock that was put back must not make it wait for years.
        return today - checked >= (isNearEnd ? Self.askEveryNearEnd : Self.askEvery) || checked > today
    }

    /// Takes another archive if the operator has one, and keeps it if it can be read.
    ///
    /// - Parameter isAnew: whether what is kept cannot be read, so that it counts for nothing.
    private func take(isAnew: Bool = false) async throws(FeedFailure) {
        guard case .address(let url) = source, let kept, let storage else { return }
        var taking = ArchiveTaking(kept, from: url, key, title: title, over: storage.download(), clock)
        taking.isAnew = isAnew
        switch try await taking.run() {
        case .unchanged:
            if loaded == nil, !wanted.isEmpty { publish(try await read(kept.path)) }
        case .taken(let origin, let file):
            let new: Loaded
            do throws(FeedFailure) {
                new = try await read(kept.part, called: url.description)
            } catch {
                _ = try? await onThread { file.discard() }
                throw error
            }
            let refusal = try await onThread { () -> KeepingFailure? in
                do throws(KeepingFailure) {
                    try kept.accept(file, from: origin)
                    return nil
                } catch {
                    file.discard()
                    return error
                }
            }
            if let refusal {
                throw FeedFailure(.unreadable, detail: "the timetable of \(title) cannot be kept: \(refusal)")
            }
            publish(new)
        }
    }

    /// Says what is wrong when it begins to be, and when it is over.
    private func complain(_ sentence: String?) {
        guard (sentence != nil) != isComplaining else { return }
        isComplaining = sentence != nil
        storage?.note(
            sentence.map { .trouble("\($0). The timetable of before stays, and a newer one is looked for") }
                ?? .recovered("the timetable of \(title) is up to date again"))
    }

    /// Says once that the timetable ends, a week before, and once that there is a newer one.
    private func warnOfEnd() {
        guard let loaded, let last = loaded.report.lastDay else { return }
        let left = loaded.daysLeft(at: clock.reading().wall) ?? 0
        guard (left <= Self.nearEnd) != isEndSaid else { return }
        isEndSaid = left <= Self.nearEnd
        let remedy =
            switch source {
            case .address: "the operator has no newer one yet and is asked daily"
            case .file(let path): "put a newer one in the place of \(path)"
            }
        storage?.note(
            isEndSaid
                ? .trouble("the timetable of \(title) \(left < 0 ? "ended" : "ends") on \(last.text): \(remedy)")
                : .recovered("the timetable of \(title) now goes on until \(last.text)"))
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

extension CivilDate {
    /// 2026-03-07.
    fileprivate var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }
}

extension Task where Failure == Never {
    /// What the task comes to; nil as soon as the one that waits is cancelled.
    func valueUnlessCancelled() async -> Success? {
        let (values, ended) = AsyncStream.makeStream(of: Success.self)
        Task<Void, Never> {
            ended.yield(await self.value)
            ended.finish()
        }
        for await value in values { return value }
        return nil
    }
}
