import BoardCore
import BoardIO
import Glibc

/// The last offers of saved trips, in a file: they are available after a restart without a network, and after an offer
/// has ended, until they expire. Written only when a trip is new, has changed, or was removed.
actor SavedTripStore {
    /// The largest file in bytes; a trip has 400.
    private static let maximumSize = 1_000_000

    /// Readable by all: commands may run as another user than the daemon.
    private static let mode: mode_t = 0o644

    private let path: String?
    private let log: (@Sendable (FeedStorage.LogEntry) -> Void)?
    /// The saved trips; nil: none were received, and the file was not read.
    private var trips: [TripOffer]?
    /// The file's content; nil: it was not read.
    private var written: [TripOffer]?
    private var isWriting = false
    /// The last reported problem, until it is solved.
    private var problem: String?

    /// - Parameter storage: the folder for the file; nil: trips are stored in memory only.
    init(_ storage: FeedStorage?) {
        path = storage.map { $0.folder + "/trips.saved.json" }
        log = storage?.log
    }

    /// Updates and returns the saved trips, the newest offer of each.
    ///
    /// - Parameters:
    ///   - received: trips of a response; nil: the fetch failed.
    ///   - savedIDs: the identifiers of all saved trips; others are removed. Nil: the favourites are unavailable, and
    ///     nothing is changed.
    ///   - moment: the operator's clock; expired trips are removed. Nil: unknown.
    /// - Returns: nil if the stored trips are unavailable.
    func update(_ received: [TripOffer]?, savedIDs: Set<String>?, at moment: Timestamp?) async -> [TripOffer]? {
        guard let savedIDs else { return nil }
        if written == nil { await read() }
        guard received != nil || trips != nil else { return nil }
        let newTrips = (received ?? []).filter { savedIDs.contains($0.id) }
        let newIDs = Set(newTrips.map(\.id))
        let old = (trips ?? []).filter { trip in
            savedIDs.contains(trip.id) && !newIDs.contains(trip.id) && moment.isNilOr { $0 < trip.expiresAt }
        }
        let trips = (old + newTrips).sorted { ($0.departs, $0.id) < ($1.departs, $1.id) }
        self.trips = trips
        await save()
        return trips
    }

    /// Reads the file. A missing file, or one with other content, has no trips; an unreadable file must not be
    /// replaced, since its trips are unknown.
    private func read() async {
        do {
            let stored = try await onThread { path in
                if RecordingFiles.isAbsent(path) { return [TripOffer]() }
                let bytes = try RecordingFiles.read(path, limit: Self.maximumSize)
                return (try? TripsResponse(bytes).trips().trips) ?? []
            }
            guard written == nil else { return }
            written = stored ?? []
            trips = ((trips ?? []) + (stored ?? [])).uniqued(by: \.id)
        } catch {
            report("saved trips cannot be read, so none is stored: \(error)")
        }
    }

    /// Writes the trips if the file differs; after a failure the next update tries again.
    private func save() async {
        while !isWriting, let written, let trips, written != trips {
            isWriting = true
            defer { isWriting = false }
            let rows = trips.map { String(decoding: $0.rawJSON, as: UTF8.self) }
            let bytes = Array("[\(rows.joined(separator: ",\n"))]\n".utf8)
            do {
                _ = try await onThread { path in try RecordingFiles.write(bytes, to: path, mode: Self.mode) }
                self.written = trips
            } catch {
                return report("saved trips cannot be stored: \(error)")
            }
        }
        if written != nil, written == trips { report(nil) }
    }

    /// Logs a problem once, and its end.
    private func report(_ problem: String?) {
        guard problem != self.problem else { return }
        self.problem = problem
        log?(problem.map { .warning($0) } ?? .recovered("saved trips are stored again"))
    }

    /// Accesses the file on a thread that may wait for the disk; nil without a file.
    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable (String) throws -> Value
    ) async throws -> Value? {
        guard let path else { return nil }
        return try await DedicatedThread.run("trips") { Result { try body(path) } }.get()
    }
}
