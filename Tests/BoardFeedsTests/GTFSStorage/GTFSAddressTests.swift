import BoardCore
import LoopbackServer
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("GTFS URLs and API keys", .endsHangs)
struct GTFSAddressTests {
    private static let key = "sekret-7"

    private func redirect(to place: String, _ status: Int = 302) -> [LoopbackServer.Step] {
        [.reply(status, ["Location: \(place)"], body: Array("<html>moved</html>".utf8))]
    }

    @Test(
        "the key is sent in the configured header or query parameter with every request",
        arguments: ["key_header", "key_parameter"])
    func places(_ setting: String) async throws {
        let testServer = try GTFSTestServer()
        let isHeader = setting == "key_header"
        testServer.files.withLock {
            $0.requiredText = isHeader ? "\r\nx-key: \(Self.key)\r\n" : "x-key=\(Self.key) "
            $0.messages["/trips"] = (try? Town.bytes([Town.update("a", [Town.call("P", departs: "08:13")])])) ?? []
        }
        let feed = try testServer.feed(realtime: ["/trips"], key: Self.key, settings: [setting: "x-key"])
        #expect(try await testServer.rows(feed) == ["1 Quay 08:13"])
        #expect(
            testServer.requestedPaths
                == (isHeader ? ["/gtfs.zip", "/trips"] : ["/gtfs.zip?x-key=\(Self.key)", "/trips?x-key=\(Self.key)"]))
    }

    @Test("a redirect is followed: with the key to this host, without it to another one")
    func redirects() async throws {
        let testServer = try GTFSTestServer()
        let other = try GTFSTestServer(GTFSFixture.departing("08:14:00"))
        testServer.files.withLock { $0.archiveSteps = self.redirect(to: "/moved.zip", 301) }
        _ = try await testServer.rows(
            testServer.feed(key: Self.key, settings: ["key_header": "x-key", "key_parameter": "k"]))
        #expect(testServer.requestedPaths == ["/gtfs.zip?k=\(Self.key)", "/moved.zip?k=\(Self.key)"])
        #expect(testServer.server.record.requests.allSatisfy { $0.contains("x-key: \(Self.key)") })

        let second = try GTFSTestServer()
        second.files.withLock { $0.archiveSteps = self.redirect(to: other.server.url("/there.zip"), 307) }
        #expect(
            try await second.rows(second.feed(key: Self.key, settings: ["key_header": "x-key"])) == ["1 Quay *08:14"])
        #expect(second.server.record.requests.allSatisfy { $0.contains(Self.key) })
        #expect(other.requestedPaths == ["/there.zip"])
        #expect(!other.server.record.requests.contains { $0.contains(Self.key) })
        let origin = try #require(second.file("gtfs.town.zip.origin"))
        #expect(ArchiveOrigin(String(decoding: origin, as: UTF8.self))?.url == second.server.url("/gtfs.zip"))
    }

    @Test("redirects in circles, to http, to no URL, and to a page instead of an archive are rejected")
    func badRedirects() async throws {
        for (place, part, count) in [
            ("/gtfs.zip", "more than 5 redirects", 5),
            ("http://example.org/gtfs.zip", "redirects to a URL that is not https (status 302)", 1),
            ("ftp://example.org/gtfs.zip", "redirects to a URL that is not https (status 302)", 1),
        ] {
            let testServer = try GTFSTestServer()
            testServer.files.withLock { $0.archiveSteps = self.redirect(to: place) }
            let failure = try await testServer.failure(
                testServer.feed(key: Self.key, settings: ["key_header": "x-key"]))
            #expect(failure.kind == .unreadable)
            #expect(failure.detail == "\(testServer.server.url("/gtfs.zip")): \(part)")
            #expect(testServer.requestedPaths.count == count)
            #expect(try testServer.names().isEmpty)
        }
        let testServer = try GTFSTestServer()
        testServer.files.withLock {
            ($0.archiveSteps, $0.archive, $0.etag) = (self.redirect(to: "/empty.zip"), [], nil)
        }
        let failure = try await testServer.failure(testServer.feed())
        #expect(
            failure.detail.contains("is an empty file"), "the body of a redirect is not an archive: \(failure.detail)")
    }

    @Test("a redirect to another host with the key in the URL is not followed, and not in any error")
    func quoted() async throws {
        for written in [Self.key, "sekret%2d7", "%73ekret%2D7", "sekret%252d7"] {
            let (testServer, other) = (try GTFSTestServer(), try GTFSTestServer())
            testServer.files.withLock { $0.archiveSteps = self.redirect(to: other.server.url("/x.zip?k=\(written)")) }
            let failure = try await testServer.failure(testServer.feed(key: Self.key, settings: ["key_parameter": "k"]))
            #expect(
                failure.detail
                    == "\(testServer.server.url("/gtfs.zip")): redirects to another host with the key in the address: not followed"
            )
            #expect(other.requestedPaths.isEmpty, "\(written)")
        }
    }

    @Test("a key that an operator copies into a redirect on its own host is not in any error")
    func quotedAtHome() async throws {
        let testServer = try GTFSTestServer()
        testServer.files.withLock {
            ($0.archiveSteps, $0.archive, $0.etag) = (self.redirect(to: "/gtfs.zip?k=sekret%2d7"), [], nil)
        }
        let failure = try await testServer.failure(testServer.feed(key: Self.key, settings: ["key_header": "x-key"]))
        #expect(!failure.detail.contains("sekret"), "\(failure.detail)")
    }

    @Test("missing, rejected and unplaced keys have different messages")
    func authenticationFailures() async throws {
        for (key, settings, kind, part) in [
            (
                nil, ["key_header": "x-key"], .keyMissing,
                "API key required: put GTFS_TOWN_KEY into keys.env and restart boardd"
            ),
            (
                "wrong-9", ["key_header": "x-key"], .keyRejected,
                "GTFS_TOWN_KEY rejected: check it in keys.env, and key_header or "
                    + "key_parameter in boardd.toml, then restart boardd"
            ),
            (
                nil, [:], .keyMissing,
                "API key required: put GTFS_TOWN_KEY into keys.env, set key_header or key_parameter in boardd.toml, "
                    + "and restart boardd"
            ),
        ] as [(String?, [String: String], FeedError.Kind, String)] {
            let testServer = try GTFSTestServer()
            testServer.files.withLock { $0.requiredText = "\r\nx-key: \(Self.key)\r\n" }
            let failure = try await testServer.failure(testServer.feed(key: key, settings: settings))
            #expect(failure.kind == kind)
            #expect(failure.detail == "Town, \(testServer.server.url("/gtfs.zip")): status 403, \(part)")
            #expect(try testServer.names().isEmpty)
        }
        let testServer = try GTFSTestServer()
        testServer.files.withLock { $0.archiveSteps = [.reply(404, text: "no")] }
        let failure = try await testServer.failure(testServer.feed())
        #expect(failure.kind == .status(404))
        #expect(failure.detail.hasSuffix("the URL in boardd.toml"))
    }

    @Test("messages with a missing key are not requested; scheduled departures and advice are shown")
    func missingForMessages() async throws {
        let testServer = try GTFSTestServer()
        let feed = try testServer.feed(realtime: ["/trips"], settings: ["key_header": "x-key"])
        for _ in 0..<3 { #expect(try await testServer.rows(feed) == ["1 Quay *08:11"]) }
        #expect(testServer.requestedPaths == ["/gtfs.zip"])
        #expect(
            try await testServer.partialFailure(feed)?.hasPrefix("Town requires an API key: put GTFS_TOWN_KEY") == true)
    }

    @Test("the key is sent to the hosts of the messages, and to the timetable's only if it is one of them")
    func twoHosts() async throws {
        let (testServer, other) = (try GTFSTestServer(), try GTFSTestServer())
        let message = try Town.bytes([Town.update("a", [Town.call("P", departs: "08:13")])])
        for server in [testServer, other] { server.send(message) }
        let settings = ["key_header": "x-key", "key_parameter": "k"]
        // Another port is another host.
        let feed = try testServer.feed(realtime: [other.server.url("/trips")], key: Self.key, settings: settings)
        #expect(try await testServer.rows(feed) == ["1 Quay 08:13"])
        #expect(testServer.requestedPaths == ["/gtfs.zip"])
        #expect(!testServer.server.record.requests.contains { $0.contains(Self.key) })
        #expect(other.requestedPaths == ["/trips?k=\(Self.key)"])
        #expect(other.server.record.requests.allSatisfy { $0.contains("x-key: \(Self.key)") })

        let both = try GTFSTestServer()
        both.send(message)
        _ = try await both.rows(
            both.feed(realtime: [other.server.url("/trips"), "/trips"], key: Self.key, settings: settings))
        #expect(both.requestedPaths == ["/gtfs.zip?k=\(Self.key)", "/trips?k=\(Self.key)"])
    }

    @Test(
        "a timetable that requires the key of other hosts gives advice, also if the key is missing")
    func withheld() async throws {
        let (testServer, other) = (try GTFSTestServer(), try GTFSTestServer())
        testServer.files.withLock { $0.requiredText = "x-key" }
        for key in [nil, Self.key] {
            let failure = try await testServer.failure(
                testServer.feed(realtime: [other.server.url("/trips")], key: key, settings: ["key_header": "x-key"]))
            #expect(
                failure.detail
                    == "Town, \(testServer.server.url("/gtfs.zip")): status 403, authentication required, and GTFS_TOWN_KEY "
                    + "is sent to the hosts in `realtime` only: download the zip yourself and set `timetable` in boardd.toml "
                    + "to the file")
            #expect(failure.kind == .keyRejected)
        }
    }

    @Test("a feed declares its key if its settings place one, or if one exists")
    func keyOfNoUse() throws {
        let declaration = try #require(GTFSFeed.family.member(GTFSTestServer.feed))
        var settings = FeedSettings(defaultsOf: declaration)
        #expect(declaration.secrets(of: settings) == [])
        settings.set("key_parameter", to: .text("k"))
        #expect(declaration.secrets(of: settings) == [GTFSTestServer.keyName])
        settings = FeedSettings(defaultsOf: declaration)
        settings.setSecret(GTFSTestServer.keyName, to: Secret("x"))
        #expect(declaration.secrets(of: settings) == [GTFSTestServer.keyName])
    }

    @Test("a disallowed URL is a setting failure")
    func settings() throws {
        let testServer = try GTFSTestServer()
        for (timetable, realtime) in [("", []), ("http://example.org/a.zip", []), ("a.zip", []), ("/a.zip", ["x"])] {
            #expect(throws: FeedSettingError.self) { try testServer.feed(timetable: timetable, realtime: realtime) }
        }
    }

    @Test(
        "of a zip of zips the address chooses one, whose file alone is stored; without a choice, or with a wrong one, there is advice"
    )
    func zipOfZips() async throws {
        let testServer = try GTFSTestServer()
        let zips = HandMadeZip(members: [
            .init("1/google_transit.zip", GTFSFixture().zip().bytes),
            .init("2/google_transit.zip", GTFSFixture.departing("08:14:00").zip().bytes),
        ])
        testServer.files.withLock { $0.archive = zips.bytes }
        func feed(_ member: String) throws -> GTFSFeed {
            try testServer.feed(timetable: testServer.server.url("/gtfs.zip") + member)
        }
        let (second, first) = (try feed("#2/google_transit.zip"), try feed("#1/google_transit.zip"))
        #expect(try await testServer.rows(second) == ["1 Quay *08:14"])
        #expect(testServer.file("gtfs.town.zip") == GTFSFixture.departing("08:14:00").zip().bytes)
        #expect(try await testServer.rows(first) == ["1 Quay *08:11"])
        // While a feed reads the archive that the other one has stored, there is a marker beside it.
        for feed in [second, first] { await feed.timetableStore.waitForUpdate() }
        let names = try testServer.names()
        #expect(names == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        let (wrong, none) = (try feed("#3.zip"), try feed(""))
        #expect(
            try await testServer.failure(wrong).detail.hasSuffix(
                "#3.zip, 3.zip: is not in it; it has 1/google_transit.zip, 2/google_transit.zip"))
        #expect(
            try await testServer.failure(none).detail.hasSuffix(
                ": choose one at the end of the URL in `timetable`: #1/google_transit.zip"))
    }
}
