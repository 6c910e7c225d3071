import BoardCore
import Synchronization
import Testing
import Waiting

@testable import BoardStore
@testable import boardd

@Suite("An update of a stop directory", .endsHangs)
struct DirectoryUpdateTests {
    /// What was waited for, and how far an update said it was.
    private final class Record: Sendable {
        private let kept = Mutex<(waits: [Duration], progress: [DirectoryUpdate.Progress])>(([], []))
        var waits: [Duration] { kept.withLock { $0.waits } }
        var progress: [DirectoryUpdate.Progress] { kept.withLock { $0.progress } }

        func wait(_ duration: Duration) { kept.withLock { $0.waits.append(duration) } }
        func show(_ progress: DirectoryUpdate.Progress) { kept.withLock { $0.progress.append(progress) } }
    }

    private func update(_ catalogue: any StopCatalogue, _ folder: TemporaryFolder, _ record: Record = Record())
        -> DirectoryUpdate
    {
        DirectoryUpdate(
            feed: Listed.feed, catalogue: catalogue, folder: folder.path, clock: SystemClock(),
            wait: { record.wait($0) })
    }

    /// Nine stops on three pages, of which `failing` is answered as it is told.
    private func list(failing: Int, _ kind: FeedFailure.Kind) -> ScriptedCatalogue {
        let pages = [Listed.poles(1...3), Listed.poles(4...6), Listed.poles(7...9)]
        return ScriptedCatalogue { page throws(FeedFailure) in
            if page == failing { throw FeedFailure(kind, detail: "page \(page) did not come") }
            return ScriptedCatalogue.answer(page, of: pages, total: 9)
        }
    }

    @Test("takes page after page to the empty one, and says after each how far it is")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let record = Record()
        let catalogue = ScriptedCatalogue([Listed.poles(1...4), Listed.poles(5...8), Listed.poles(9...10)])
        try await update(catalogue, folder).run { record.show($0) }
        #expect(catalogue.asked == [1, 2, 3, 4])
        #expect(try Listed.codes(in: folder.path).count == 10)
        #expect(
            record.progress == [
                .init(pages: 0, fraction: nil), .init(pages: 1, fraction: 0.4), .init(pages: 2, fraction: 0.8),
                .init(pages: 3, fraction: 1),
            ])
    }

    @Test("one that fails half way leaves the old list, and the next one asks for no page again")
    func halfWay() async throws {
        let folder = try TemporaryFolder()
        try Listed.keep(Listed.poles(100...104), in: folder.path)
        let record = Record()
        let broken = list(failing: 2, .status(500))
        let failure = await #expect(throws: FeedFailure.self) { try await update(broken, folder, record).run { _ in } }
        #expect(failure?.kind == .status(500))
        #expect(broken.asked == [1, 2, 2, 2])
        #expect(record.waits == [.seconds(10), .seconds(10)])
        try StopDirectory(folder: folder.path).check(Listed.feed)
        #expect(try Listed.codes(in: folder.path) == Set((100...104).map { "490\($0)" }))

        let sound = list(failing: 0, .status(500))
        let rest = Record()
        try await update(sound, folder).run { rest.show($0) }
        #expect(sound.asked == [2, 3, 4])
        #expect(try Listed.codes(in: folder.path) == Set((1...9).map { "490\($0)" }))
        // How long the pages are is known with the second one that is seen.
        #expect(
            rest.progress == [
                .init(pages: 1, fraction: nil), .init(pages: 2, fraction: nil), .init(pages: 3, fraction: 1),
            ])
    }

    @Test("waits as long as the operator asks, but not for ever, and gives up where it would be refused again")
    func waits() async throws {
        for (kind, waits) in [
            (.rateLimited(retryAfter: .seconds(7)), [.seconds(7), .seconds(7)]),
            (.rateLimited(retryAfter: .seconds(9_000)), [.seconds(120), .seconds(120)]), (.keyRejected, []),
            (.certificateDate, []),
        ] as [(FeedFailure.Kind, [Duration])] {
            let folder = try TemporaryFolder()
            let record = Record()
            await #expect(throws: FeedFailure.self) {
                try await update(list(failing: 2, kind), folder, record).run { _ in }
            }
            #expect(record.waits == waits)
        }
    }

    @Test("without a network the first page tells; one that goes in between may come back")
    func noNetwork() async throws {
        let folder = try TemporaryFolder()
        let first = list(failing: 1, .noNetwork)
        await #expect(throws: FeedFailure.self) { try await update(first, folder).run { _ in } }
        #expect(first.asked == [1])
        let second = list(failing: 2, .noNetwork)
        await #expect(throws: FeedFailure.self) { try await update(second, folder).run { _ in } }
        #expect(second.asked == [1, 2, 2, 2])
    }

    @Test("some pages follow each other at once, the others every three seconds: departures need the quota too")
    func pace() async throws {
        let folder = try TemporaryFolder()
        let record = Record()
        let catalogue = ScriptedCatalogue((1...13).map { Listed.poles($0...$0) })
        try await update(catalogue, folder, record).run { _ in }
        #expect(catalogue.asked.count == 14)
        #expect(record.waits == Array(repeating: DirectoryUpdate.pause, count: 14 - DirectoryUpdate.burst))
    }

    @Test("a page of nothing new is no end while the operator counts more; without a count it is")
    func nothingNew() async throws {
        let counted = try TemporaryFolder()
        let pages = [Listed.poles(1...3), Listed.poles(1...3), Listed.poles(4...6)]
        try await update(ScriptedCatalogue(pages), counted).run { _ in }
        #expect(try Listed.codes(in: counted.path).count == 6)

        let others = (try TemporaryFolder(), try TemporaryFolder())
        let deaf = ScriptedCatalogue { _ throws(FeedFailure) in
            (Listed.poles(1...3), StopPage(entries: 3, total: nil))
        }
        try await update(deaf, others.0).run { _ in }
        #expect(deaf.asked == [1, 2])

        let boastful = ScriptedCatalogue { _ throws(FeedFailure) in
            (Listed.poles(1...3), StopPage(entries: 3, total: 30))
        }
        try await update(boastful, others.1).run { _ in }
        #expect(boastful.asked.count == 10)
    }

    @Test("a cancelled one is no failure, and keeps the pages that are whole")
    func cancelled() async throws {
        let folder = try TemporaryFolder()
        let catalogue = ScriptedCatalogue { page throws(FeedFailure) in
            guard page < 2 else {
                await Latch().pass()
                throw FeedFailure(.cancelled, detail: "abandoned")
            }
            return (Listed.poles(1...3), StopPage(entries: 3, total: 6))
        }
        let work = Task { try await update(catalogue, folder).run { _ in } }
        #expect(await eventually { catalogue.asked == [1, 2] })
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        let next = ScriptedCatalogue([Listed.poles(1...3), Listed.poles(4...6)])
        try await update(next, folder).run { _ in }
        #expect(next.asked == [2, 3])
        #expect(try Listed.codes(in: folder.path).count == 6)
    }

    @Test("two at once: the second is told so, and the first is not disturbed")
    func together() async throws {
        let folder = try TemporaryFolder()
        let gate = Latch()
        let slow = ScriptedCatalogue { page throws(FeedFailure) in
            await gate.pass()
            return ScriptedCatalogue.answer(page, of: [Listed.poles(1...3)], total: 3)
        }
        let first = Task { try await update(slow, folder).run { _ in } }
        #expect(await eventually { slow.asked == [1] })
        let other = ScriptedCatalogue([Listed.poles(50...59)])
        let failure = await #expect(throws: DirectoryFailure.self) { try await update(other, folder).run { _ in } }
        #expect(failure?.kind == .busy)
        #expect(other.asked.isEmpty)
        gate.open()
        try await first.value
        #expect(try Listed.codes(in: folder.path) == ["4901", "4902", "4903"])
    }

    @Test("a full disk is told as such; the old list stays, and with some room the update goes on")
    func fullDisk() async throws {
        let folder = try TemporaryFolder()
        try Listed.keep(Listed.poles(1...5), in: folder.path)
        let pages = (0..<4).map { Listed.poles((1_000 + $0 * 500)...(1_499 + $0 * 500)) }
        let catalogue = ScriptedCatalogue(pages)
        var small = update(catalogue, folder)
        small.builder = { (folder, feed, moment) throws(DirectoryFailure) in
            try DirectoryBuilder(folder: folder, feed: feed, at: moment, schema: .current, maximumPages: 60)
        }
        let failure = await #expect(throws: DirectoryFailure.self) { try await small.run { _ in } }
        #expect(failure?.kind == .full)
        #expect(failure?.description.contains("no space is left") == true)
        #expect(try Listed.codes(in: folder.path).count == 5)
        let taken = catalogue.asked.count - 1
        #expect(taken > 0)
        try await update(catalogue, folder).run { _ in }
        #expect(catalogue.asked == Array(1...(taken + 1)) + Array((taken + 1)...5))
        #expect(try Listed.codes(in: folder.path).count == 2_000)
    }
}
