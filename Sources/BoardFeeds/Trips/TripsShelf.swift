internal import BoardCore
internal import BoardThreads
internal import Glibc
internal import Synchronization

/// Saved trips as they were told last, in a file of this machine: they are there after a restart without a network, and when
/// nobody offers them any more, until they are gone. Written only when one is new or has changed.
final class TripsShelf: Sendable {
    /// A trip has 400 bytes.
    private static let limit = 1_000_000

    /// Whoever looks at the board by command may be another user than the daemon.
    private static let mode: mode_t = 0o644

    private let path: String?
    private let note: (@Sendable (FeedStorage.Note) -> Void)?
    /// Nil: the file was not read yet.
    private let trips = Mutex<[Trip]?>(nil)

    /// - Parameter storage: where files may be kept; nil: nothing is, but for as long as this lives.
    init(_ storage: FeedStorage?) {
        path = storage.map { $0.folder + "/trips.saved.json" }
        note = storage?.note
    }

    /// What is known of saved trips, the newest word of each.
    ///
    /// - Parameters:
    ///   - wanted: the identifiers of all that are saved; of others nothing is kept.
    ///   - told: trips that were told just now.
    func take(_ told: [Trip], wanted: Set<String>) async -> [Trip] {
        // Nothing is saved, or nobody said what is: the file is not this one's business.
        guard !wanted.isEmpty else { return [] }
        if trips.withLock({ $0 == nil }) {
            let read = await read()
            trips.withLock { trips in if trips == nil { trips = read } }
        }
        let (all, isNew) = trips.withLock { trips in
            let news = told.filter { wanted.contains($0.id) }
            let newIDs = Set(news.map(\.id))
            let old = (trips ?? []).filter { wanted.contains($0.id) && !newIDs.contains($0.id) }
            let all = (old + news).sorted { ($0.departs, $0.id) < ($1.departs, $1.id) }
            defer { trips = all }
            return (all, all != trips)
        }
        if isNew { await write(all) }
        return all
    }

    private func read() async -> [Trip] {
        guard let path else { return [] }
        let bytes = try? await DedicatedThread.run("trips") { try? RecordingFiles.read(path, limit: Self.limit) }
        guard let bytes = bytes.flatMap(\.self) else { return [] }
        return (try? TripsAnswer(bytes).trips().trips) ?? []
    }

    private func write(_ trips: [Trip]) async {
        guard let path else { return }
        let rows = trips.map { String(decoding: $0.source, as: UTF8.self) }
        let bytes = Array("[\(rows.joined(separator: ",\n"))]\n".utf8)
        let failure = try? await DedicatedThread.run("trips") { () -> RecordingFailure? in
            do throws(RecordingFailure) {
                try RecordingFiles.write(bytes, to: path, mode: Self.mode)
                return nil
            } catch {
                return error
            }
        }
        if let failure = failure.flatMap(\.self) { note?(.trouble("saved trips are not kept: \(failure)")) }
    }
}
