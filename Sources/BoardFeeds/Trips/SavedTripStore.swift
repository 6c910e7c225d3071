internal import BoardCore
internal import BoardThreads
internal import Glibc
internal import Synchronization

/// Saved trips as they were told last, in a file of this machine: they are there after a restart without a network, and when
/// nobody offers them any more, until they are gone. Written only when one is new, has changed, or is there no more.
final class SavedTripStore: Sendable {
    /// A trip has 400 bytes.
    private static let limit = 1_000_000

    /// Whoever looks at the board by command may be another user than the daemon.
    private static let mode: mode_t = 0o644

    private struct State: Sendable {
        /// What is known of saved trips; nil: nothing was told, and the file was not read.
        var known: [TripOffer]?
        /// What the file has; nil: it was not read.
        var written: [TripOffer]?
        var isWriting = false
        /// What was said to be wrong last, until it is mended.
        var partialFailure: String?
    }

    private let path: String?
    private let log: (@Sendable (FeedStorage.LogEntry) -> Void)?
    private let state = Mutex(State())

    /// - Parameter storage: where files may be kept; nil: nothing is, but for as long as this lives.
    init(_ storage: FeedStorage?) {
        path = storage.map { $0.folder + "/trips.saved.json" }
        log = storage?.log
    }

    /// What is known of saved trips, the newest word of each.
    ///
    /// - Parameters:
    ///   - told: trips that were told; nil: nobody answered.
    ///   - wanted: the identifiers of all that are saved, of others nothing is kept; nil: nobody says which, and what is kept
    ///     is not this one's business.
    ///   - moment: when it is, by whoever told; trips that departed before or are offered no more are forgotten. Nil: nobody
    ///     says.
    /// - Returns: nil where nobody knows what is kept.
    func update(_ told: [TripOffer]?, wanted: Set<String>?, at moment: Timestamp?) async -> [TripOffer]? {
        guard let wanted else { return nil }
        if state.withLock({ $0.written == nil }) { await read() }
        let known = state.withLock { state -> [TripOffer]? in
            guard told != nil || state.known != nil else { return nil }
            let news = (told ?? []).filter { wanted.contains($0.id) }
            let newIDs = Set(news.map(\.id))
            let old = (state.known ?? []).filter { trip in
                wanted.contains(trip.id) && !newIDs.contains(trip.id) && moment.map { $0 < trip.expiresAt } ?? true
            }
            let known = (old + news).sorted { ($0.departs, $0.id) < ($1.departs, $1.id) }
            state.known = known
            return known
        }
        await save()
        return known
    }

    /// Reads the file. One that is not there, or is none of trips, has none; of one that cannot be read nobody knows what it
    /// has, and it must not be replaced.
    private func read() async {
        let result = await onThread { path throws(RecordingFailure) in
            if RecordingFiles.isAbsent(path) { return [TripOffer]() }
            let bytes = try RecordingFiles.read(path, limit: Self.limit)
            return (try? TripsResponse(bytes).trips().trips) ?? []
        }
        switch result {
        case .success(let trips):
            state.withLock { state in
                guard state.written == nil else { return }
                state.written = trips ?? []
                let newer = Set((state.known ?? []).map(\.id))
                state.known = (state.known ?? []) + (trips ?? []).filter { !newer.contains($0.id) }
            }
        case .failure(let failure):
            report("saved trips cannot be read, and none is kept until they can: \(failure)")
        }
    }

    /// Writes what is known where the file has something else; again at the next answer where that fails.
    private func save() async {
        func due() -> [TripOffer]? {
            state.withLock { state in
                guard !state.isWriting, let written = state.written, let known = state.known else { return nil }
                guard written != known else { return nil }
                state.isWriting = true
                return known
            }
        }
        while let trips = due() {
            let rows = trips.map { String(decoding: $0.rawJSON, as: UTF8.self) }
            let bytes = Array("[\(rows.joined(separator: ",\n"))]\n".utf8)
            let result = await onThread { path throws(RecordingFailure) in
                try RecordingFiles.write(bytes, to: path, mode: Self.mode)
            }
            state.withLock { state in
                state.isWriting = false
                if case .success = result { state.written = trips }
            }
            if case .failure(let failure) = result { return report("saved trips are not kept: \(failure)") }
        }
        if state.withLock({ $0.written != nil && $0.written == $0.known }) { report(nil) }
    }

    /// Says what is wrong, once, and when nothing is any more.
    private func report(_ partialFailure: String?) {
        let isNew = state.withLock { state in
            defer { state.partialFailure = partialFailure }
            return state.partialFailure != partialFailure
        }
        if isNew { log?(partialFailure.map { .warning($0) } ?? .recovered("saved trips are kept again")) }
    }

    /// Works with the file on a thread that may wait for the disk; nil where there is none.
    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable (String) throws(RecordingFailure) -> Value
    ) async -> Result<Value?, RecordingFailure> {
        guard let path else { return .success(nil) }
        do throws(ThreadFailure) {
            return try await DedicatedThread.run("trips") {
                Result { () throws(RecordingFailure) in try body(path) }
            }
        } catch {
            return .failure(RecordingFailure(file: path, detail: "\(error)"))
        }
    }
}
