internal import BoardCore
internal import BoardStore
internal import BoardThreads
internal import Synchronization

/// Brings one operator's list into the stop directory, page by page: beside the old one, which is replaced in one step at
/// the end. What was taken before an interruption is not asked for again.
struct DirectoryUpdate: Sendable {
    /// How far an update has come.
    struct Progress: Hashable, Sendable {
        /// Pages that were taken, those of an interrupted update before this one among them.
        let pages: Int
        /// The part of the whole, from 0 to 1; nil: the operator does not say how long its list is, or has not said yet
        /// how long its pages are.
        let fraction: Double?
    }

    /// The time between two pages: a list must not use up what the operator allows for departures.
    static let pause = Duration.seconds(3)
    /// So many pages may follow each other at once: with them and a page every three seconds an update asks 30 times in
    /// its first minute and 20 times in every other; TfL allows 50 without a key, 500 with one.
    static let burst = 10
    /// No operator's list has as many pages; a server that never comes to an end has none.
    private static let maximumPages = 1_000
    /// How often a page is asked for before the update is given up until the next one.
    private static let attempts = 3
    /// The longest wait that an operator may ask for between two attempts.
    private static let maximumRetryDelay = Duration.seconds(120)

    let feed: FeedName
    let catalogue: any StopCatalogue
    /// The folder of the stop directory.
    let folder: String
    let clock: any MachineClock
    /// Takes the stops on their way to the disk.
    var builder: @Sendable (String, FeedName, Timestamp) throws(DirectoryFailure) -> DirectoryBuilder = {
        (folder, feed, moment) throws(DirectoryFailure) in
        try DirectoryBuilder(folder: folder, feed: feed, at: moment)
    }
    /// Waits between two pages, and before a page is asked for again.
    var wait: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Asks for everything; cancelling the task leaves what was taken for the next update.
    ///
    /// - Parameter progress: is told at the beginning and after every page, from any thread.
    /// - Throws: `CancellationError`, ``DirectoryFailure`` (`busy` while somebody else updates this feed), ``FeedFailure``.
    func run(_ progress: @escaping @Sendable (Progress) -> Void) async throws {
        let feed = feed
        let folder = folder
        let moment = clock.reading().wall
        let make = builder
        let builder = try await onThread { () throws(DirectoryFailure) in try make(folder, feed, moment) }
        do {
            try await fetch(into: builder, progress)
        } catch {
            // Whoever tries again at once must not find it busy.
            _ = try? await onThread { () throws(DirectoryFailure) in builder.close() }
            throw error
        }
    }

    /// Takes every page that is left, and makes the new list of them.
    private func fetch(
        into builder: DirectoryBuilder, _ progress: @escaping @Sendable (Progress) -> Void
    ) async throws {
        let first = builder.nextPage
        var page = first
        var pageLength = PageLength(first: first)
        progress(Progress(pages: page - 1, fraction: nil))
        while page <= Self.maximumPages {
            if page > first, page - first >= Self.burst { try await wait(Self.pause) }
            let stopPage = try await fetch(page, into: builder, isFirst: page == first)
            let ended = page
            let new = try await onThread { () throws(DirectoryFailure) in try builder.commit(page: ended) }
            guard stopPage.entries > 0 else { break }
            let fraction = pageLength.fraction(after: page, stopPage)
            // A server that takes no notice of the page tells the same for ever. Yet a page of nothing but entrances and
            // of stops that came before is no end while the operator counts more than that.
            if new == 0, fraction.map({ $0 >= 1 }) ?? (stopPage.total ?? 0 <= 0) { break }
            progress(Progress(pages: page, fraction: fraction))
            page += 1
        }
        try Task.checkCancellation()
        let end = clock.reading().wall
        try await onThread { () throws(DirectoryFailure) in try builder.finish(at: end) }
    }

    /// Takes one page; after a failure that may pass, again.
    private func fetch(_ page: Int, into builder: DirectoryBuilder, isFirst: Bool) async throws -> StopPage {
        var attempt = 1
        while true {
            try Task.checkCancellation()
            let refusal = FirstFailure()
            try await onThread { () throws(DirectoryFailure) in try builder.begin(page: page) }
            do throws(FeedFailure) {
                return try await catalogue.stops(page: page) { stop in
                    do throws(DirectoryFailure) {
                        try builder.add(stop)
                    } catch {
                        refusal.first = error
                        throw error
                    }
                }
            } catch {
                _ = try? await onThread { () throws(DirectoryFailure) in builder.rollback() }
                // What the disk refused is no fault of the operator's, and an end is nobody's.
                if let disk = refusal.first { throw disk }
                try Task.checkCancellation()
                // Where there is no network, the first page tells; one that goes in between may come back.
                let isFinal = catalogue.isOneFile && error.kind == .unreadable
                guard let retryDelay = error.retryDelay, !isFinal, attempt < Self.attempts,
                    !(isFirst && error.kind == .noNetwork)
                else { throw error }
                attempt += 1
                try await wait(min(retryDelay, Self.maximumRetryDelay))
            }
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(DirectoryFailure) -> Value
    ) async throws -> Value {
        try await DedicatedThread.run("directory") {
            Result { () throws(DirectoryFailure) in try body() }
        }.get()
    }
}

/// How many entries a page has. The last one has fewer: an update that was interrupted just before it sees no other, and
/// knows how long the pages are only when a second one follows.
private struct PageLength {
    private let first: Int
    private var longest = 0

    /// - Parameter first: the first page that is seen.
    init(first: Int) {
        self.first = first
    }

    /// The part of the list that has been taken after a page, from 0 to 1; nil: unknown.
    mutating func fraction(after page: Int, _ stopPage: StopPage) -> Double? {
        longest = max(longest, stopPage.entries)
        guard let total = stopPage.total, total > 0 else { return nil }
        let part = Double(page) * Double(longest) / Double(total)
        if part >= 1 { return 1 }
        return first > 1 && page == first ? nil : part
    }
}

/// Why the disk took no more stops, said on the transport's thread.
private final class FirstFailure: Sendable {
    private let kept = Mutex<DirectoryFailure?>(nil)

    var first: DirectoryFailure? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = $0 ?? newValue } }
    }
}

extension FeedFailure {
    /// How long to wait before the same is asked again; nil: it would be refused again.
    fileprivate var retryDelay: Duration? {
        switch kind {
        case .rateLimited: retryAfter ?? .seconds(60)
        case .timedOut, .status, .unreadable, .noNetwork: retryAfter ?? .seconds(10)
        case .keyRejected, .keyMissing, .unknownStop, .certificate, .certificateDate, .cancelled: nil
        }
    }
}
