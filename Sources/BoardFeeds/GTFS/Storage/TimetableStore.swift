internal import BoardCore
internal import BoardThreads

/// The timetable of the stops that somebody asked about, from the archive that is kept.
///
/// The first question about a stop costs one pass over the archive, which serves all that were asked by then. While one
/// is under way, and when the operator has another archive, what was read before stays; a worse one never takes its place.
actor TimetableStore {
    typealias Loaded = LoadedTimetable

    let source: GTFSSource
    let store: ArchiveStore?
    let key: APIKeyPlacement
    let title: String
    let storage: FeedStorage?
    let clock: any MachineClock
    private let zone: FeedContext.ZoneSource

    private var requestedStops: Set<String>
    private(set) var loaded: Loaded?
    private var readings = 0
    private(set) var loading: Task<FeedFailure?, Never>?
    /// A reading that is under way; two at once would need the memory of two.
    private var scan: Task<Result<Loaded, FeedFailure>, Never>?
    /// Why no archive could be taken for a question, and until when the operator is left alone because of it.
    private var downloadFailure: (failure: FeedFailure, until: Instant)?
    var updateTask: Task<Void, Never>?
    var updates = ArchiveUpdateSchedule()
    var log: TimetableLog

    /// The library of one city.
    init(
        _ source: GTFSSource, name: FeedName, title: String, key: APIKeyPlacement, storage: FeedStorage?,
        clock: any MachineClock, zone: @escaping FeedContext.ZoneSource
    ) {
        self.source = source
        self.title = title
        self.key = key
        self.storage = storage
        self.clock = clock
        self.zone = zone
        store = storage.map {
            ArchiveStore(folder: $0.folder, runtimeFolder: $0.runtimeFolder, name: name.description)
        }
        requestedStops = Set(storage?.stops ?? [])
        log = TimetableLog(title: title, source: source, log: storage?.log)
    }

    /// The timetable that covers a stop.
    ///
    /// - Parameter code: `stop_id`; of a station, for its platforms as well. It may be one that the archive does not have. Nil:
    ///   whatever stops are wanted, and none if none is.
    /// - Throws: ``FeedFailure`` where there is no archive, or none that can be read; `cancelled` as soon as the task is:
    ///   the reading goes on for others.
    func timetable(covering code: String?) async throws(FeedFailure) -> Loaded {
        if let code { requestedStops.insert(code) }
        while true {
            if let loaded, code.map(loaded.stops.contains) ?? true {
                checkForUpdateIfDue()
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

    /// The timetable with all that can be known of it now: a newer one is looked for first, if it is time.
    ///
    /// - Returns: what serves, and what is wrong with what should serve in its place; nil: nothing.
    func check() async throws(FeedFailure) -> (loaded: Loaded, failure: FeedFailure?) {
        let first = try await timetable(covering: nil)
        await waitForUpdate()
        return (loaded ?? first, updates.failure)
    }

    /// Where the operator's newest archive is, which is taken if it is not the one that is kept.
    func downloadedNewest() async throws(FeedFailure) -> String {
        try await download()
        return try await requiredPath()
    }

    /// Where an archive is; one is taken only where there is none.
    func storedOrDownloaded() async throws(FeedFailure) -> String {
        if let path = try await storedPath() { return path }
        return try await downloadedNewest()
    }

    private func requiredPath() async throws(FeedFailure) -> String {
        if let path = try await storedPath() { return path }
        throw FeedFailure(.unreadable, detail: "\(title): there is no timetable of \(source)", requests: 0)
    }

    /// Reads the archive that is there for all stops that are wanted; where there is none, or none that can be read, takes
    /// one from the operator.
    private func load() async -> FeedFailure? {
        defer { loading = nil }
        do throws(FeedFailure) {
            guard let path = try await storedPath() else {
                try await downloadForRequest(ignoresStored: false)
                return nil
            }
            do throws(FeedFailure) {
                publish(try await read(path))
            } catch {
                // What has become unreadable on this disk the operator may have whole.
                guard case .address = source, error.kind == .unreadable else { throw error }
                try await downloadForRequest(ignoresStored: true)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Takes an archive because nothing can be told without it. After a failure the operator is left alone for a while,
    /// however many stops are asked about.
    private func downloadForRequest(ignoresStored: Bool) async throws(FeedFailure) {
        if let (failure, until) = downloadFailure, clock.now() < until {
            throw FeedFailure(failure.kind, detail: failure.detail, requests: 0)
        }
        do throws(FeedFailure) {
            try await download(ignoresStored: ignoresStored)
            downloadFailure = nil
        } catch {
            downloadFailure = (error, clock.now() + Self.backOff(after: error.kind))
            throw error
        }
    }

    /// How long the operator is left alone after a failure, while nothing can be told.
    private static func backOff(after failure: FeedFailure.Kind) -> Duration {
        switch failure {
        case .noNetwork, .timedOut, .cancelled, .certificateDate: .seconds(20)
        case .rateLimited(let wait): max(wait ?? .seconds(60), .seconds(10))
        case .unreadable: .seconds(3_600)
        case .certificate, .keyMissing, .keyRejected, .unknownStop, .status: .seconds(300)
        }
    }

    /// Takes over what was read.
    func publish(_ new: Loaded) {
        readings += 1
        var new = new
        new.generation = readings
        loaded = new
    }

    /// Where an archive of this source is; nil: none has come yet. One of which nobody knows where it came from will do.
    func storedPath() async throws(FeedFailure) -> String? {
        guard case .address(let url) = source else { return source.description }
        guard let store else {
            throw FeedFailure(
                .unreadable,
                detail:
                    "\(title): there is no folder to keep the timetable of \(url) in; name a file in boardd.toml instead",
                requests: 0)
        }
        let (isThere, origin) = try await onThread { (ArchiveStore.identity(of: store.path) != nil, store.origin) }
        guard isThere else { return nil }
        // Its stops are another operator's, perhaps, though they may have the same codes.
        if let origin, origin.url != url.description {
            log.logForeignArchive(origin)
            return nil
        }
        return store.path
    }

    /// Reads an archive for all stops that are wanted, after any other reading.
    ///
    /// - Parameter name: what people know it by; nil: its path.
    func read(_ path: String, called name: String? = nil) async throws(FeedFailure) -> Loaded {
        while let scan { _ = await scan.value }
        let task = Task { await self.scan(path, called: name ?? path) }
        scan = task
        return try await task.value.get()
    }

    private func scan(_ path: String, called name: String) async -> Result<Loaded, FeedFailure> {
        defer { scan = nil }
        let (codes, zone) = (requestedStops, zone)
        do throws(FeedFailure) {
            let mark = try await mark(of: path, called: name)
            let moment = clock.reading().wall
            let isPart = path == store?.part
            let result = try await onThread { () -> Result<Loaded, GTFSFailure> in
                // Before it is opened: one that takes its place meanwhile is another edition.
                let identity = ArchiveStore.identity(of: path)
                if let identity { mark?.begin(identity, at: moment, isOther: isPart) }
                defer { mark?.end() }
                return Result { () throws(GTFSFailure) in
                    let (timetable, report) = try TimetableReader.read(
                        try GTFSArchive(path: path), stops: codes.sorted(), zone: zone)
                    return Loaded(
                        report: report, stops: codes, generation: 0,
                        index: RealtimeIndex(timetable, stops: codes.sorted()), identity: identity)
                }
            }
            switch result {
            case .success(let loaded):
                log.logRead(name, loaded.report, stops: codes.count)
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

    /// What notes that an archive is being read; nil: nothing can be noted.
    ///
    /// - Throws: ``FeedFailure`` where readings of this archive ended the program several times in a row: it is not read again,
    ///   and the one that is kept is set aside.
    private func mark(of path: String, called name: String) async throws(FeedFailure) -> CrashMarker? {
        guard let store else { return nil }
        let mark = store.mark(of: path)
        // Those that come from the operator were judged before they were taken.
        guard path != store.part else { return mark }
        let isDeadly = try await onThread {
            mark.note.map { note in
                note.attempts >= CrashMarker.mostAttempts && note.identity == ArchiveStore.identity(of: path)
            } ?? false
        }
        guard isDeadly else { return mark }
        let isKept = path == store.path
        if isKept {
            try await writingStore { () throws(ArchiveStoreFailure) in
                try store.setAside()
                mark.end()
            }
        }
        let failure = FeedFailure(
            .unreadable,
            detail:
                "the timetable of \(title): \(name) ended the program \(CrashMarker.mostAttempts) times while it was read"
                + (isKept
                    ? ": it is now \(store.bad), and the operator is asked for another one"
                    : ": put another one there"),
            requests: 0)
        storage?.log(.warning(failure.detail))
        throw failure
    }

    /// Runs what blocks on a thread of its own.
    func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () -> Value
    ) async throws(FeedFailure) -> Value {
        do {
            return try await DedicatedThread.run("timetable", body)
        } catch {
            throw FeedFailure(.cancelled, detail: "the timetable of \(title) is not read: \(error)", requests: 0)
        }
    }
}
