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
        /// The part of the whole, from 0 to 1; nil: the operator does not say how long its list is.
        let fraction: Double?
    }

    /// The time between two pages: a list must not use up what the operator allows for departures.
    static let pause = Duration.seconds(3)
    /// No operator's list has as many pages; a server that never comes to an end has none.
    private static let mostPages = 1_000
    /// How often a page is asked for before the update is given up until the next one.
    private static let attempts = 3
    /// The longest wait that an operator may ask for between two attempts.
    private static let longestWait = Duration.seconds(120)

    let feed: FeedName
    let catalogue: any StopCatalogue
    /// The folder of the stop directory.
    let folder: String
    let clock: any MachineClock
    var pause = Self.pause

    /// Asks for everything; cancelling the task leaves what was taken for the next update.
    ///
    /// - Parameter progress: is told after every page, from any thread.
    func run(_ progress: @escaping @Sendable (Progress) -> Void) async throws {
        let feed = feed
        let folder = folder
        let moment = clock.reading().wall
        let builder = try await onThread { () throws(DirectoryFailure) in
            try DirectoryBuilder(folder: folder, feed: feed, at: moment)
        }
        var page = builder.nextPage
        var longest = 1
        while page <= Self.mostPages {
            let told = try await take(page, into: builder)
            longest = max(longest, told.entries)
            let ended = page
            let new = try await onThread { () throws(DirectoryFailure) in try builder.commit(page: ended) }
            // A server that takes no notice of the page would tell the same for ever.
            guard told.entries > 0, new > 0 else { break }
            let pages = told.total.map { ($0 + longest - 1) / longest }
            progress(Progress(pages: page, fraction: pages.map { min(1, Double(page) / Double(max(1, $0))) }))
            page += 1
            try await Task.sleep(for: pause)
        }
        let end = clock.reading().wall
        try await onThread { () throws(DirectoryFailure) in try builder.finish(at: end) }
    }

    /// Takes one page; after a failure that may pass, again.
    private func take(_ page: Int, into builder: DirectoryBuilder) async throws -> StopPage {
        var attempt = 1
        while true {
            let refusal = Refusal()
            try await onThread { () throws(DirectoryFailure) in try builder.begin(page: page) }
            do throws(FeedFailure) {
                return try await catalogue.stops(page: page) { stop in
                    do throws(DirectoryFailure) {
                        try builder.take(stop)
                    } catch {
                        refusal.first = error
                        throw error
                    }
                }
            } catch {
                _ = try? await onThread { () throws(DirectoryFailure) in builder.rollback() }
                // What the disk refused is no fault of the operator's.
                if let disk = refusal.first { throw disk }
                guard let wait = error.wait, attempt < Self.attempts else { throw error }
                attempt += 1
                try await Task.sleep(for: min(wait, Self.longestWait))
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

/// Why the disk took no more stops, said on the transport's thread.
private final class Refusal: Sendable {
    private let kept = Mutex<DirectoryFailure?>(nil)

    var first: DirectoryFailure? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = $0 ?? newValue } }
    }
}

extension FeedFailure {
    /// How long to wait before the same is asked again; nil: it would be refused again.
    fileprivate var wait: Duration? {
        switch kind {
        case .throttled(let retryAfter): retryAfter ?? .seconds(60)
        case .timedOut, .status, .unreadable, .noNetwork: .seconds(10)
        case .keyRefused, .keyMissing, .unknownStop, .certificate, .certificateDate, .cancelled: nil
        }
    }
}
