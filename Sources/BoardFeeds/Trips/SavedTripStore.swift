internal import BoardCore
internal import BoardFormats
internal import BoardIO
internal import Glibc
internal import Synchronization

/// The last offers of saved trips, in a file: they are available after a restart without a network, and after an offer
/// has ended, until they expire. Written only when a trip is new, has changed, or was removed.
final class SavedTripStore: Sendable {
    /// The largest file in bytes; a trip has 400.
    private static let limit = 1_000_000

    /// Readable by all: commands may run as another user than the daemon.
    private static let mode: mode_t = 0o644

    private struct State: Sendable {
        /// The saved trips; nil: none were received, and the file was not read.
        var trips: [TripOffer]?
        /// The file's content; nil: it was not read.
        var written: [TripOffer]?
        var isWriting = false
        /// The last reported problem, until it is solved.
        var problem: String?
    }

    private let path: String?
    private let log: (@Sendable (FeedStorage.LogEntry) -> Void)?
    private let state = Mutex(State())

    /// - Parameter storage: the folder for the file; nil: trips are stored in memory only.
    init(_ storage: FeedStorage?) {
        path = storage.map { $0.folder + "/trips.saved.json" }
        log = storage?.log
    }

    /// Updates and returns the saved trips, the newest offer of each.
    ///
    /// - Parameters:
    ///   - received: trips of a response; nil: the fetch failed.
    ///   - savedIDs: the identifiers of all saved trips; others are removed. Nil: the favourites are unavailable, and nothing
    ///     is changed.
    ///   - moment: the operator's clock; expired trips are removed. Nil: unknown.
    /// - Returns: nil if the stored trips are unavailable.
    func update(_ received: [TripOffer]?, savedIDs: Set<String>?, at moment: Timestamp?) async -> [TripOffer]? {
        guard let savedIDs else { return nil }
        if state.withLock({ $0.written == nil }) { await read() }
        let trips = state.withLock { state -> [TripOffer]? in
            guard received != nil || state.trips != nil else { return nil }
            let newTrips = (received ?? []).filter { savedIDs.contains($0.id) }
            let newIDs = Set(newTrips.map(\.id))
            let old = (state.trips ?? []).filter { trip in
                savedIDs.contains(trip.id) && !newIDs.contains(trip.id) && moment.map { $0 < trip.expiresAt } ?? true
            }
            let trips = (old + newTrips).sorted { ($0.departs, $0.id) < ($1.departs, $1.id) }
            state.trips = trips
            return trips
        }
        await save()
        return trips
    }

    /// Reads the file. A missing file, or one with other content, has no trips; an unreadable file must not be replaced, since its
    /// trips are unknown.
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
                let newer = Set((state.trips ?? []).map(\.id))
                state.trips = (state.trips ?? []) + (trips ?? []).filter { !newer.contains($0.id) }
            }
        case .failure(let failure):
            report("saved trips cannot be read, so none is stored: \(failure)")
        }
    }

    /// Writes the trips if the file differs; after a failure the next update tries again.
    private func save() async {
        func due() -> [TripOffer]? {
            state.withLock { state in
                guard !state.isWriting, let written = state.written, let trips = state.trips else { return nil }
                guard written != trips else { return nil }
                state.isWriting = true
                return trips
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
            if case .failure(let failure) = result { return report("saved trips cannot be stored: \(failure)") }
        }
        if state.withLock({ $0.written != nil && $0.written == $0.trips }) { report(nil) }
    }

    /// Logs a problem once, and its end.
    private func report(_ problem: String?) {
        let isNew = state.withLock { state in
            defer { state.problem = problem }
            return state.problem != problem
        }
        if isNew { log?(problem.map { .warning($0) } ?? .recovered("saved trips are stored again")) }
    }

    /// Accesses the file on a thread that may wait for the disk; nil without a file.
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
