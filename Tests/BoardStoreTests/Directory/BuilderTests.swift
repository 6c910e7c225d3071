import BoardCore
import BoardIO
import FoundationEssentials
import Glibc
import Testing
import Waiting

@testable internal import BoardStore

@Suite("Updating a feed's stops")
struct BuilderTests {
    private func builder(
        _ folder: DirectoryFolder, at moment: Timestamp = day(0), maximumPages: Int? = nil
    ) throws -> DirectoryBuilder {
        try DirectoryBuilder(folder: folder.path, feed: city, at: moment, maximumPages: maximumPages)
    }

    @Test("each page returns the number of new stops")
    func counts() throws {
        let folder = try DirectoryFolder()
        let builder = try builder(folder)
        #expect(builder.nextPage == 1)
        try builder.begin(page: 1)
        try builder.add(stop("1", "Mill Lane"))
        try builder.add(stop("2", "Mill Lane"))
        try builder.add(stop("1", "Mill Lane"))
        #expect(try builder.commit(page: 1) == 2)
        #expect(builder.nextPage == 2)
        try builder.begin(page: 2)
        try builder.add(stop("2", "Mill Lane"))
        try builder.add(stop("3", "Mill Lane"))
        #expect(try builder.commit(page: 2) == 1)
        try builder.begin(page: 3)
        try builder.add(stop("4", "Mill Lane"))
        builder.rollback()
        #expect(builder.nextPage == 3)
        #expect(builder.stops == 3)
        try builder.finish(at: day(0))
        #expect(folder.names == ["stops-city.sqlite"])
        #expect(folder.directory.editions().found.map(\.stops) == [3])
        #expect(folder.directory.editions().found.map(\.bytes) == [try folder.bytes(folder.live).count])
    }

    @Test("the last description counts, and missing values replace nothing")
    func upsert() throws {
        let folder = try DirectoryFolder([
            stop(
                .pole, "1", "Former Name", letter: "A", towards: "Old", modes: ["bus"], lines: ["73", "390"],
                at: (51, 0), parent: "P", sms: "12345"),
            stop(.station, "1", "New Name", letter: nil, towards: nil, modes: [], lines: []),
            stop("2", "Two", letter: "A", towards: "Old", modes: ["bus"], lines: ["1"], at: (51, 0), sms: "11111"),
            stop("2", "", letter: "B", towards: "New", modes: ["tram"], lines: ["2"], at: (52, 1), sms: "22222"),
        ])
        let directory = folder.directory
        #expect(
            try directory.stop(StopID(feed: city, code: "1"))
                == stop(
                    .station, "1", "New Name", letter: "A", towards: "Old", modes: ["bus"], lines: ["73", "390"],
                    at: (51, 0), parent: "P", sms: "12345"))
        #expect(
            try directory.stop(StopID(feed: city, code: "2"))
                == stop(
                    "2", "Two", letter: "B", towards: "New", modes: ["tram"], lines: ["2"], at: (52, 1), sms: "22222"))
        #expect(try directory.search("former name", limit: 9).found.isEmpty)
        #expect(try directory.search("new name", limit: 9).found.map(\.id.code) == ["1"])
        // No stop of line 1 remains.
        #expect(try directory.lines().found.map(\.line.line.id) == ["2", "73", "390"])
    }

    @Test(
        "an expired, a future or a foreign building file is discarded", arguments: ["old", "future", "junk", "version"])
    func stale(what: String) throws {
        let folder = try DirectoryFolder()
        do {
            let first = try builder(folder)
            try first.begin(page: 1)
            try first.add(stop("1", "Mill Lane"))
            try first.commit(page: 1)
        }
        let path = folder.path + "/stops-city.sqlite.building"
        var moment = day(0)
        switch what {
        case "old": moment = day(1) + .seconds(1)
        case "future": moment = day(-1)
        case "junk": try Data((0..<5000).map { UInt8($0 * 31 % 256) }).write(to: URL(filePath: path))
        default: try SQLiteConnection(path, .readWrite).execute("PRAGMA user_version = 77")
        }
        let second = try builder(folder, at: moment)
        #expect(second.nextPage == 1)
        #expect(second.stops == 0)
    }

    @Test(
        "whatever the instant at which power is lost, the pages that ended are there and nothing else",
        arguments: Rounds.some(Array(0..<10), step: 4))
    func killed(instant: Int) throws {
        let folder = try DirectoryFolder(manyStops(20))
        let before = try folder.bytes(folder.live)
        let first = try builder(folder)
        let stops = manyStops(6000)
        let other = try DirectoryFolder()
        var ended = 0
        for (number, stop) in stops.enumerated() {
            if number % 2000 == 0 { try first.begin(page: number / 2000 + 1) }
            try first.add(stop)
            // The state of the disk if the process ends here: the part of the page that exceeded the memory, and the journal.
            if number == instant * 590 + 380 {
                for name in folder.names {
                    try Data(folder.bytes(folder.path + "/" + name)).write(to: URL(filePath: other.path + "/" + name))
                }
                break
            }
            if number % 2000 == 1999 {
                try first.commit(page: number / 2000 + 1)
                ended += 1
            }
        }
        #expect(try other.bytes(other.live) == before)
        #expect(try other.directory.search("street", limit: 99).found.count == 20)
        let second = try builder(other)
        #expect(second.nextPage == ended + 1)
        #expect(second.stops == ended * 2000)
        for page in ended..<3 {
            try second.begin(page: page + 1)
            for stop in stops[(page * 2000)..<(page * 2000 + 2000)] { try second.add(stop) }
            #expect(try second.commit(page: page + 1) == 2000)
        }
        try second.finish(at: day(0))
        #expect(other.directory.editions().found.map(\.stops) == [6000])
        #expect(try other.directory.repair(city) == .valid)
    }

    @Test("only one update of a feed runs at a time")
    func busy() throws {
        let folder = try DirectoryFolder()
        let first = try builder(folder)
        #expect(try failure { _ = try builder(folder) } == .busy)
        #expect(try failure { _ = try folder.directory.repair(city) } == .busy)
        try DirectoryBuilder(folder: folder.path, feed: FeedName("town"), at: day(0)).close()
        first.close()
        try builder(folder).close()
    }

    @Test("a partial or empty list does not replace a complete one")
    func half() throws {
        let folder = try DirectoryFolder(manyStops(20))
        let before = try folder.bytes(folder.live)
        #expect(try failure { try folder.build(manyStops(9)) } == .tooFewStops(found: 9, before: 20))
        #expect(try failure { try folder.build([]) } == .empty)
        #expect(try folder.bytes(folder.live) == before)
        #expect(folder.names == ["stops-city.sqlite"])
        try folder.build(manyStops(10))
        #expect(folder.directory.editions().found.map(\.stops) == [10])
    }

    @Test("a list of any size replaces a damaged one")
    func overDamage() throws {
        let folder = try DirectoryFolder(manyStops(20))
        try folder.replace(with: Array("no database at all".utf8))
        try folder.build(manyStops(2))
        #expect(folder.directory.editions().found.map(\.stops) == [2])
    }

    @Test("a full disk loses no committed page and leaves the live file unchanged")
    func full() throws {
        let folder = try DirectoryFolder(manyStops(20))
        let before = try folder.bytes(folder.live)
        do {
            let first = try builder(folder, maximumPages: 120)
            try first.begin(page: 1)
            for stop in manyStops(300) { try first.add(stop) }
            try first.commit(page: 1)
            try first.begin(page: 2)
            #expect(try failure { for stop in manyStops(9000, from: 300) { try first.add(stop) } } == .full)
            #expect(throws: StoreError.self) { try first.commit(page: 2) }
            #expect(throws: StoreError.self) { try first.add(stop("1", "Late")) }
            #expect(first.nextPage == 2)
        }
        #expect(try folder.bytes(folder.live) == before)
        // Resumed even almost a day later.
        let second = try builder(folder, at: day(0) + .seconds(86_000))
        #expect(second.nextPage == 2)
        #expect(second.stops == 300)
        try second.finish(at: day(1))
        #expect(folder.directory.editions().found.map(\.stops) == [300])
        #expect(folder.names == ["stops-city.sqlite"])
    }

    @Test("a disk that is full during publication keeps the pages and the old file")
    func fullAtTheEnd() throws {
        let folder = try DirectoryFolder(manyStops(20))
        let before = try folder.bytes(folder.live)
        do {
            let first = try builder(folder)
            try first.begin(page: 1)
            for stop in manyStops(700) { try first.add(stop) }
            try first.commit(page: 1)
        }
        do {
            let limited = try builder(folder, maximumPages: 40)
            #expect(limited.stops == 700)
            #expect(try failure { try limited.finish(at: day(0)) } == .full)
        }
        #expect(try folder.bytes(folder.live) == before)
        #expect(folder.names == ["stops-city.sqlite", "stops-city.sqlite.building"])
        let second = try builder(folder)
        #expect(second.stops == 700)
        try second.finish(at: day(0))
        #expect(folder.directory.editions().found.map(\.stops) == [700])
    }

    @Test("a device without space is a full disk")
    func noRoom() {
        #expect(StoreError.writing(FileError(errno: ENOSPC), file: "f").kind == .full)
        let failure = StoreError(code: 10 | (12 << 8), message: "disk I/O error", systemError: EDQUOT)
        #expect(StoreError.writing(failure, file: "f").kind == .full)
    }

    @Test("all users may read the file, whatever the umask")
    func mode() throws {
        let folder = try DirectoryFolder()
        let old = umask(0o077)
        defer { umask(old) }
        try folder.build(manyStops(2))
        var status = stat()
        let live = unsafe stat(folder.live, &status)
        #expect(live == 0)
        #expect(status.st_mode & 0o777 == 0o644)
        var owner = stat()
        let path = unsafe stat(folder.path, &owner)
        #expect(path == 0)
        #expect(status.st_uid == owner.st_uid)
    }

    @Test("a missing write permission is reported")
    func unwritable() throws {
        let folder = try DirectoryFolder()
        let kind = try failure { _ = try DirectoryBuilder(folder: folder.path + "/none", feed: city, at: day(0)) }
        #expect(kind == .unwritable("No such file or directory"))
    }

    @Test("a stop of another feed, a page that has not begun, and an update that has ended are rejected")
    func misuse() throws {
        let folder = try DirectoryFolder()
        let builder = try builder(folder)
        #expect(throws: StoreError.self) { try builder.add(stop("1", "Early")) }
        #expect(throws: StoreError.self) { try builder.commit(page: 1) }
        #expect(throws: StoreError.self) { try builder.begin(page: .max) }
        try builder.begin(page: 1)
        #expect(throws: StoreError.self) { try builder.add(stop("1", "Far", feed: FeedName("far"))) }
        #expect(throws: StoreError.self) { try builder.commit(page: 2) }
        try builder.begin(page: 1)
        try builder.add(stop("1", "Good"))
        try builder.commit(page: 1)
        try builder.finish(at: day(0))
        #expect(throws: StoreError.self) { try builder.begin(page: 2) }
        #expect(throws: StoreError.self) { try builder.finish(at: day(0)) }
        #expect(folder.directory.editions().found.map(\.stops) == [1])
    }
}
