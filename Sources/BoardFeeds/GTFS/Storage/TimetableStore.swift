import BoardCore
import BoardIO
import Synchronization

/// The timetable of the requested stops, read from the stored archive.
///
/// The first request for a stop costs one pass over the archive, which covers all stops requested so far. The previous
/// reading stays in use during a new reading or a download; an unreadable archive never replaces it.
actor TimetableStore {
    let source: GTFSSource
    private let member: String?
    let store: ArchiveStore?
    let key: APIKeyPlacement
    let title: String
    let storage: FeedStorage?
    let clock: any MachineClock
    private let names: NameChoice
    private let zone: FeedContext.ZoneSource

    private var requestedStops: Set<String>
    private(set) var loaded: LoadedTimetable?
    private var readings = 0
    let loading = BackgroundWork()
    private var loadFailure: FeedError?
    /// Held by a thread that reads an archive; two at once would double the memory.
    private let oneReading = Mutex(())
    /// The failure of the last download for a request, and the end of its back-off.
    private var downloadFailure: (failure: FeedError, until: Instant)?
    let updating = BackgroundWork()
    var updates = ArchiveUpdateSchedule()
    var log: TimetableLog

    init(
        _ source: GTFSSource, member: String? = nil, name: FeedName, title: String, key: APIKeyPlacement,
        storage: FeedStorage?, clock: any MachineClock, names: NameChoice, zone: @escaping FeedContext.ZoneSource
    ) {
        self.source = source
        self.member = member
        self.title = title
        self.key = key
        self.storage = storage
        self.clock = clock
        self.names = names
        self.zone = zone
        store = storage.map { ArchiveStore(folder: $0.folder, runtimeFolder: $0.runtimeFolder, name: name.description) }
        requestedStops = Set(storage?.stops ?? [])
        log = TimetableLog(title: title, source: source, log: storage?.log)
    }

    /// The timetable that covers a stop.
    ///
    /// - Parameter code: `stop_id` of a stop or station (with its platforms), even one that the archive lacks. Nil: the
    ///   stops requested before, if any.
    /// - Throws: ``FeedError`` if there is no readable archive; `cancelled` as soon as the task is cancelled, while the
    ///   reading continues for other requests.
    func timetable(covering code: String?) async throws(FeedError) -> LoadedTimetable {
        if let code { requestedStops.insert(code) }
        while true {
            if let loaded, code.isNilOr(loaded.stops.contains) {
                checkForUpdateIfDue()
                return loaded
            }
            loading.start { await self.load() }
            guard await loading.waitForEnd() else {
                throw FeedError(.cancelled, detail: "\(title): the request was cancelled")
            }
            if let loadFailure { throw loadFailure }
        }
    }

    /// The timetable after a check for a newer one, if one is due.
    ///
    /// - Returns: the timetable in use, and the failure of an update, if any.
    func check() async throws(FeedError) -> (loaded: LoadedTimetable, failure: FeedError?) {
        let first = try await timetable(covering: nil)
        await waitForUpdate()
        return (loaded ?? first, updates.failure)
    }

    /// The path of the operator's newest archive; downloads it if it has changed.
    ///
    /// - Throws: ``FeedError``, also for a new archive that has ended.
    func downloadedNewest() async throws(FeedError) -> String {
        try await download(refusesEnded: true)
        if let path = try await storedPath() { return path }
        throw FeedError(.unreadable, detail: "\(title): no timetable downloaded from \(source)")
    }

    /// The path of the stored archive; downloads one only if there is none.
    func storedOrDownloaded() async throws(FeedError) -> String {
        if let path = try await storedPath() { return path }
        return try await downloadedNewest()
    }

    /// Reads the stored archive for all requested stops; downloads one if there is none or it is unreadable.
    private func load() async {
        loadFailure = nil
        do throws(FeedError) {
            guard let path = try await storedPath() else { return try await downloadForRequest(ignoresStored: false) }
            do throws(FeedError) {
                publish(try await read(path))
            } catch {
                // The file may be corrupt on this disk only.
                guard case .address = source, error.kind == .unreadable else { throw error }
                try await downloadForRequest(ignoresStored: true)
            }
        } catch {
            loadFailure = error
        }
    }

    /// Downloads an archive that a request needs. After a failure no request downloads until the back-off ends.
    private func downloadForRequest(ignoresStored: Bool) async throws(FeedError) {
        if let (failure, until) = downloadFailure, clock.now() < until {
            throw FeedError(failure.kind, detail: failure.detail)
        }
        do throws(FeedError) {
            try await download(ignoresStored: ignoresStored)
            downloadFailure = nil
        } catch {
            downloadFailure = (error, clock.now() + Self.backOff(after: error.kind))
            throw error
        }
    }

    /// The pause after a failed download while there is no timetable.
    private static func backOff(after failure: FeedError.Kind) -> Duration {
        switch failure {
        case .noNetwork, .timedOut, .cancelled, .certificateDate: .seconds(20)
        case .rateLimited(let wait): max(wait ?? .seconds(60), .seconds(10))
        case .unreadable: .seconds(3_600)
        case .certificate, .keyMissing, .keyRejected, .unknownStop, .status, .noZone: .seconds(300)
        }
    }

    func publish(_ new: LoadedTimetable) {
        readings += 1
        var new = new
        new.generation = readings
        loaded = new
    }

    /// The path of this source's archive; nil if none is stored. An archive without a readable origin counts.
    func storedPath() async throws(FeedError) -> String? {
        guard case .address(let url) = source else { return source.description }
        guard let store else {
            throw FeedError(
                .unreadable,
                detail:
                    "\(title): no folder to store the timetable of \(url); set `timetable` in boardd.toml to a file instead"
            )
        }
        let (exists, origin) = try await onThread { (ArchiveStore.identity(of: store.path) != nil, store.origin) }
        guard exists else { return nil }
        // It may be another operator's timetable with the same stop codes.
        if let origin, origin.url != address {
            log.logForeignArchive(origin)
            return nil
        }
        return store.path
    }

    /// The address of the timetable, including the zip in a zip of zips.
    nonisolated var address: String { source.description + (member.map { "#" + $0 } ?? "") }

    /// Reads an archive for all requested stops, after any other reading.
    ///
    /// - Parameters:
    ///   - name: the name in messages; nil: the path.
    ///   - part: the archive as it was downloaded, which may be a zip of zips.
    func read(
        _ path: String, called name: String? = nil, from part: PartFile? = nil
    ) async throws(FeedError) -> LoadedTimetable {
        let (name, codes, names, zone, member) = (name ?? path, requestedStops, names, zone, member)
        let crashMarker = try await crashMarker(of: path, called: name)
        let clock = clock
        let isPart = path == store?.part
        let loaded = try await DedicatedThread.run("timetable", "\(title): reading the timetable") {
            () throws(TableError) in
            try self.oneReading.withLock { _ throws(TableError) in
                // Before opening, so a replacement in the meantime has another identity.
                var identity = ArchiveStore.identity(of: path)
                if let identity { crashMarker?.begin(identity, at: clock.reading().wall, isDownload: isPart) }
                defer { crashMarker?.end() }
                if let part, let member {
                    try part.unpack(member)
                    identity = ArchiveStore.identity(of: path)
                }
                let (timetable, report) = try TimetableReader.read(
                    try GTFSArchive(path: path, names: names), stops: codes.sorted(), zone: zone)
                return LoadedTimetable(
                    report: report, stops: codes, generation: 0,
                    index: RealtimeIndex(timetable, stops: codes.sorted()), identity: identity)
            }
        } failure: { failure in
            let place = failure.file == path ? "" : "\(name), "
            return FeedError(
                failure.kind == .noZone ? .noZone : .unreadable,
                detail: "the timetable of \(title): \(place)" + failure.description.replacing(path, with: name))
        }
        log.logRead(name, loaded.report, stops: codes.count)
        return loaded
    }

    /// The crash marker of an archive; nil without a folder for it.
    ///
    /// - Throws: ``FeedError`` if this archive crashed boardd repeatedly: it is not read again, and set aside if it is
    ///   the stored one.
    private func crashMarker(of path: String, called name: String) async throws(FeedError) -> CrashMarker? {
        guard let store else { return nil }
        let crashMarker = store.crashMarker(of: path)
        // `requireNoRepeatedCrash` has checked downloads.
        guard path != store.part else { return crashMarker }
        let isCrashing = try await onThread {
            crashMarker.record.isSomeAnd { record in
                record.attempts >= CrashMarker.maximumAttempts && record.identity == ArchiveStore.identity(of: path)
            }
        }
        guard isCrashing else { return crashMarker }
        let isStored = path == store.path
        if isStored {
            try await onThread {
                try store.setAside()
                crashMarker.end()
            }
        }
        let failure = FeedError(
            .unreadable,
            detail: "the timetable of \(title): \(name) crashed boardd \(CrashMarker.maximumAttempts) times: "
                + (isStored ? "moved to \(store.bad); downloading it again" : "replace the file"))
        storage?.log(.warning(failure.detail))
        throw failure
    }

    /// Runs blocking code, such as changes to the stored files, on a dedicated thread.
    func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws(FeedError) -> Value {
        try await DedicatedThread.run("timetable", "\(title): reading the timetable", body) { notStored($0) }
    }
}

// Updates run in the background and replace a timetable only with a better one.

extension TimetableStore {
    func checkForUpdateIfDue() {
        guard !updating.isRunning, !loading.isRunning, updates.isCheckDue(at: clock.now()) else { return }
        updating.start { await self.update() }
    }

    func waitForUpdate() async { _ = await updating.waitForEnd() }

    private func update() async {
        await reloadIfChanged()
        do throws(FeedError) {
            if try await isDue() {
                try await download(ignoresStored: updates.isUnreadable)
                updates.succeeded()
            }
        } catch {
            updates.failed(error, downloadingAt: clock.now())
        }
        log.logFailure(updates.failure)
        guard let loaded else { return }
        let origin = try? await origin()
        log.logExpiry(of: loaded, next: origin?.next, at: clock.reading().wall)
    }

    /// Reads the archive again if a user or another process has replaced it.
    private func reloadIfChanged() async {
        var identity: FileIdentity?
        do throws(FeedError) {
            guard let path = try await storedPath() else { return }
            identity = try await onThread { ArchiveStore.identity(of: path) }
            guard let identity else {
                throw FeedError(.unreadable, detail: "the timetable of \(title): \(path) no longer exists")
            }
            if updates.isKnownToBeBad(identity) { return }
            if identity != loaded?.identity {
                publish(try await read(path))
            } else if !updates.isUnreadable, source.url != nil {
                // The file is unchanged, so any failure is the download's.
                return
            }
            updates.succeeded()
        } catch {
            updates.failed(error, reading: identity)
        }
        log.logFailure(updates.failure)
    }

    private func isDue() async throws(FeedError) -> Bool {
        guard source.url != nil, store != nil else { return false }
        let moment = clock.reading().wall
        let isNearEnd = loaded.isSomeAnd { $0.isNearEnd(at: moment) }
        return updates.isDue(try await origin(), isNearEnd: isNearEnd, at: clock.now(), moment: moment)
    }

    private func origin() async throws(FeedError) -> ArchiveOrigin? {
        let store = store
        return try await onThread { store?.origin }
    }
}
