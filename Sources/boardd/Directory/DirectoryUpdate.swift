import BoardCore
import BoardIO
import BoardStore
import Synchronization

/// Downloads one operator's list into the stop directory, page by page, and replaces the old list in one step at the
/// end. An interrupted update resumes after its last page.
struct DirectoryUpdate: Sendable {
    struct Progress: Hashable, Sendable {
        /// Completed pages, including those of an interrupted update before this one.
        let pages: Int
        /// The completed part, from 0 to 1; nil: the operator reports no total, or the page length is not known yet.
        let fraction: Double?
    }

    /// The time between two pages: a list must not use up the rate limit for departures.
    static let pause = Duration.seconds(3)
    /// This many pages may follow at once: with a page every three seconds after that, an update sends 30 requests in
    /// its first minute and 20 in every other; TfL allows 50 without a key, 500 with one.
    static let burst = 10
    /// No operator's list has this many pages; a server that never ends its list would exceed it.
    private static let maximumPages = 1_000
    /// Attempts per page before the update fails.
    private static let attempts = 3
    /// The longest `Retry-After` that is honoured between two attempts.
    private static let maximumRetryDelay = Duration.seconds(120)

    let feed: FeedName
    let catalogue: any StopCatalogue
    /// The folder of the stop directory.
    let folder: String
    let clock: any MachineClock
    /// Makes the builder that writes the stops to disk.
    var builder: @Sendable (String, FeedName, Timestamp) throws(StoreError) -> DirectoryBuilder = {
        (folder, feed, moment) throws(StoreError) in
        try DirectoryBuilder(folder: folder, feed: feed, at: moment)
    }

    /// Downloads the list; a cancelled task leaves its pages for the next update.
    ///
    /// - Parameter progress: is called at the beginning and after every page, from any thread.
    /// - Throws: `CancellationError`, ``StoreError`` (`busy` while another process updates this feed), ``FeedError``.
    func run(_ progress: @escaping @Sendable (Progress) -> Void) async throws {
        let feed = feed
        let folder = folder
        let moment = clock.reading().wall
        let make = builder
        let builder = try await onThread { () throws(StoreError) in try make(folder, feed, moment) }
        do {
            try await fetch(into: builder, progress)
        } catch {
            // An immediate retry must not find the feed busy.
            _ = try? await onThread { () throws(StoreError) in builder.close() }
            throw error
        }
    }

    /// Fetches the remaining pages, and makes the new list.
    private func fetch(
        into builder: DirectoryBuilder, _ progress: @escaping @Sendable (Progress) -> Void
    ) async throws {
        let first = builder.nextPage
        var page = first
        var pageLength = PageLength(first: first)
        progress(Progress(pages: page - 1, fraction: nil))
        while page <= Self.maximumPages {
            if page > first, page - first >= Self.burst { await clock.sleep(for: Self.pause) }
            let stopPage = try await fetch(page, into: builder, isFirst: page == first)
            let ended = page
            let new = try await onThread { () throws(StoreError) in try builder.commit(page: ended) }
            guard stopPage.entries > 0 else { break }
            let fraction = pageLength.fraction(after: page, stopPage)
            // A server that ignores the page number returns the same page forever. Yet a page of only entrances and
            // duplicate stops is not the end while the operator's total is larger.
            if new == 0, fraction.map({ $0 >= 1 }) ?? (stopPage.total ?? 0 <= 0) { break }
            progress(Progress(pages: page, fraction: fraction))
            page += 1
        }
        try Task.checkCancellation()
        let end = clock.reading().wall
        try await onThread { () throws(StoreError) in try builder.finish(at: end) }
    }

    /// Fetches one page, with retries.
    private func fetch(_ page: Int, into builder: DirectoryBuilder, isFirst: Bool) async throws -> StopPage {
        var attempt = 1
        while true {
            try Task.checkCancellation()
            // The first failed write, set on the catalogue's thread.
            let diskFailure = Mutex<StoreError?>(nil)
            try await onThread { () throws(StoreError) in try builder.begin(page: page) }
            do throws(FeedError) {
                return try await catalogue.stops(page: page) { stop in
                    do throws(StoreError) {
                        try builder.add(stop)
                    } catch {
                        diskFailure.withLock { $0 = $0 ?? error }
                        throw error
                    }
                }
            } catch {
                _ = try? await onThread { () throws(StoreError) in builder.rollback() }
                // A failed write is not the operator's failure, and a cancellation is none at all.
                if let disk = diskFailure.withLock({ $0 }) { throw disk }
                try Task.checkCancellation()
                // A missing network fails the first page at once; one that is lost later may come back.
                let isFinal = catalogue.isOneFile && error.kind == .unreadable
                guard let retryDelay = error.retryDelay, !isFinal, attempt < Self.attempts,
                    !(isFirst && error.kind == .noNetwork)
                else { throw error }
                attempt += 1
                await clock.sleep(for: min(retryDelay, Self.maximumRetryDelay))
            }
        }
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws -> Value {
        try await DedicatedThread.run("directory") {
            Result { () throws(StoreError) in try body() }
        }.get()
    }
}

/// The entries per page. The last page has fewer: an update that resumes at it sees no other, and knows the page
/// length only after a second one.
private struct PageLength {
    /// The first page of this run.
    let first: Int
    var longest = 0

    /// The completed part of the list after a page, from 0 to 1; nil: unknown.
    mutating func fraction(after page: Int, _ stopPage: StopPage) -> Double? {
        longest = max(longest, stopPage.entries)
        guard let total = stopPage.total, total > 0 else { return nil }
        let part = Double(page) * Double(longest) / Double(total)
        if part >= 1 { return 1 }
        return first > 1 && page == first ? nil : part
    }
}

extension FeedError {
    /// The wait before a retry; nil: a retry would fail again.
    fileprivate var retryDelay: Duration? {
        switch kind {
        case .rateLimited: retryAfter ?? .seconds(60)
        case .timedOut, .status, .unreadable, .noNetwork: retryAfter ?? .seconds(10)
        case .keyRejected, .keyMissing, .unknownStop, .certificate, .certificateDate, .noZone, .cancelled: nil
        }
    }
}
