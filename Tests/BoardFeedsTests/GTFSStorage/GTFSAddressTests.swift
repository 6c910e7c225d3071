import BoardCore
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("A city's addresses and its key", .endsHangs)
struct GTFSAddressTests {
    private static let key = "sekret-7"

    private func moved(to place: String, _ status: Int = 302) -> [LoopbackServer.Step] {
        [.reply(status, ["Location: \(place)"], body: Array("<html>moved</html>".utf8))]
    }

    @Test(
        "the key goes into the header or the query that is configured, with every question",
        arguments: ["key_header", "key_parameter"])
    func places(_ setting: String) async throws {
        let hall = try GTFSTestServer()
        let isHeader = setting == "key_header"
        hall.files.withLock {
            $0.requestedStops = isHeader ? "\r\nx-key: \(Self.key)\r\n" : "x-key=\(Self.key) "
            $0.messages["/trips"] =
                (try? RealtimeFixture.bytes([RealtimeFixture.update("a", [RealtimeFixture.call("P", departs: "08:13")])]
                )) ?? []
        }
        let feed = try hall.feed(realtime: ["/trips"], key: Self.key, settings: [setting: "x-key"])
        #expect(try await hall.rows(feed) == ["1 Quay 08:13"])
        #expect(
            hall.asked
                == (isHeader ? ["/gtfs.zip", "/trips"] : ["/gtfs.zip?x-key=\(Self.key)", "/trips?x-key=\(Self.key)"]))
    }

    @Test("a redirect is followed: with the key on this host, without it on another one")
    func redirects() async throws {
        let hall = try GTFSTestServer()
        let other = try GTFSTestServer(GTFSFixture.departing("08:14:00"))
        hall.files.withLock { $0.instead = self.moved(to: "/moved.zip", 301) }
        _ = try await hall.rows(hall.feed(key: Self.key, settings: ["key_header": "x-key", "key_parameter": "k"]))
        #expect(hall.asked == ["/gtfs.zip?k=\(Self.key)", "/moved.zip?k=\(Self.key)"])
        #expect(hall.server.record.requests.allSatisfy { $0.contains("x-key: \(Self.key)") })

        let second = try GTFSTestServer()
        second.files.withLock { $0.instead = self.moved(to: other.server.url("/there.zip"), 307) }
        #expect(
            try await second.rows(second.feed(key: Self.key, settings: ["key_header": "x-key"])) == ["1 Quay *08:14"])
        #expect(second.server.record.requests.allSatisfy { $0.contains(Self.key) })
        #expect(other.asked == ["/there.zip"])
        #expect(!other.server.record.requests.contains { $0.contains(Self.key) })
        let origin = try #require(second.kept("gtfs.town.zip.origin"))
        #expect(ArchiveOrigin(String(decoding: origin, as: UTF8.self))?.url == second.server.url("/gtfs.zip"))
    }

    @Test("redirects in circles, to http, to no address, and to a page instead of an archive are refused")
    func badRedirects() async throws {
        for (place, part, count) in [
            ("/gtfs.zip", "points elsewhere more than 5 times", 5),
            ("http://example.org/gtfs.zip", "points to no https address (status 302)", 1),
            ("ftp://example.org/gtfs.zip", "points to no https address (status 302)", 1),
        ] {
            let hall = try GTFSTestServer()
            hall.files.withLock { $0.instead = self.moved(to: place) }
            let failure = try await hall.failure(hall.feed(key: Self.key, settings: ["key_header": "x-key"]))
            #expect(failure.kind == .unreadable && failure.requests == count)
            #expect(failure.detail == "\(hall.server.url("/gtfs.zip")): \(part)")
            #expect(hall.asked.count == count)
            #expect(try hall.names().isEmpty)
        }
        let hall = try GTFSTestServer()
        hall.files.withLock { ($0.instead, $0.archive, $0.etag) = (self.moved(to: "/empty.zip"), [], nil) }
        let failure = try await hall.failure(hall.feed())
        #expect(failure.detail.contains("is an empty file"), "what the redirect said is no archive: \(failure.detail)")
    }

    @Test("a redirect to another host whose address has the key in it is not followed, and in no error")
    func quoted() async throws {
        for written in [Self.key, "sekret%2d7", "%73ekret%2D7", "sekret%252d7"] {
            let (hall, other) = (try GTFSTestServer(), try GTFSTestServer())
            hall.files.withLock { $0.instead = self.moved(to: other.server.url("/x.zip?k=\(written)")) }
            let failure = try await hall.failure(hall.feed(key: Self.key, settings: ["key_parameter": "k"]))
            #expect(
                failure.detail
                    == "\(hall.server.url("/gtfs.zip")): redirects to another host with the key in the address: not followed"
            )
            #expect(other.asked.isEmpty, "\(written)")
        }
    }

    @Test("a key that an operator writes into the new address on its own host is in no error")
    func quotedAtHome() async throws {
        let hall = try GTFSTestServer()
        hall.files.withLock {
            ($0.instead, $0.archive, $0.etag) = (self.moved(to: "/gtfs.zip?k=sekret%2d7"), [], nil)
        }
        let failure = try await hall.failure(hall.feed(key: Self.key, settings: ["key_header": "x-key"]))
        #expect(!failure.detail.contains("sekret"), "\(failure.detail)")
    }

    @Test("a key that is missing or refused, and one for which nobody said where it goes, are told apart")
    func refusals() async throws {
        for (key, settings, kind, part) in [
            (
                nil, ["key_header": "x-key"], .keyMissing,
                "it wants a key: put GTFS_TOWN_KEY into keys.env and restart boardd"
            ),
            (
                "wrong-9", ["key_header": "x-key"], .keyRejected,
                "it refuses GTFS_TOWN_KEY: check it in keys.env, and key_header or "
                    + "key_parameter in boardd.toml, then restart boardd"
            ),
            (
                nil, [:], .keyRejected,
                "it lets nobody in; if the operator gave you a key, say in boardd.toml where it goes "
                    + "(key_header or key_parameter) and put it into keys.env as GTFS_TOWN_KEY"
            ),
        ] as [(String?, [String: String], FeedFailure.Kind, String)] {
            let hall = try GTFSTestServer()
            hall.files.withLock { $0.requestedStops = "\r\nx-key: \(Self.key)\r\n" }
            let failure = try await hall.failure(hall.feed(key: key, settings: settings))
            #expect(failure.kind == kind)
            #expect(failure.detail == "Town, \(hall.server.url("/gtfs.zip")): status 403: \(part)")
            #expect(try hall.names().isEmpty)
        }
        let hall = try GTFSTestServer()
        hall.files.withLock { $0.instead = [.reply(404, text: "no")] }
        let failure = try await hall.failure(hall.feed())
        #expect(failure.kind == .status(404))
        #expect(failure.detail.hasSuffix("there is nothing at this address: check it in boardd.toml"))
    }

    @Test("messages that want a key which is missing are not asked for; the timetable is told, and the advice is")
    func missingForMessages() async throws {
        let hall = try GTFSTestServer()
        let feed = try hall.feed(realtime: ["/trips"], settings: ["key_header": "x-key"])
        for _ in 0..<3 { #expect(try await hall.rows(feed) == ["1 Quay *08:11"]) }
        #expect(hall.asked == ["/gtfs.zip"])
        #expect(
            try await hall.partialFailure(feed)
                == "Town requires an API key: put GTFS_TOWN_KEY into keys.env and restart boardd. Until that is over the timetable is "
                + "told, marked with *")
    }

    @Test("the key goes to the hosts of the messages; to the timetable's only where that is one of them")
    func twoHosts() async throws {
        let (hall, other) = (try GTFSTestServer(), try GTFSTestServer())
        let message = try RealtimeFixture.bytes([
            RealtimeFixture.update("a", [RealtimeFixture.call("P", departs: "08:13")])
        ])
        for town in [hall, other] { town.files.withLock { $0.messages["/trips"] = message } }
        let settings = ["key_header": "x-key", "key_parameter": "k"]
        // Another port is another host.
        let feed = try hall.feed(realtime: [other.server.url("/trips")], key: Self.key, settings: settings)
        #expect(try await hall.rows(feed) == ["1 Quay 08:13"])
        #expect(hall.asked == ["/gtfs.zip"])
        #expect(!hall.server.record.requests.contains { $0.contains(Self.key) })
        #expect(other.asked == ["/trips?k=\(Self.key)"])
        #expect(other.server.record.requests.allSatisfy { $0.contains("x-key: \(Self.key)") })

        let both = try GTFSTestServer()
        both.files.withLock { $0.messages["/trips"] = message }
        _ = try await both.rows(
            both.feed(realtime: [other.server.url("/trips"), "/trips"], key: Self.key, settings: settings))
        #expect(both.asked == ["/gtfs.zip?k=\(Self.key)", "/trips?k=\(Self.key)"])
    }

    @Test(
        "a timetable that wants the key which is for other hosts says what to do, and a missing key is no reason there")
    func withheld() async throws {
        let (hall, other) = (try GTFSTestServer(), try GTFSTestServer())
        hall.files.withLock { $0.requestedStops = "x-key" }
        for key in [nil, Self.key] {
            let failure = try await hall.failure(
                hall.feed(realtime: [other.server.url("/trips")], key: key, settings: ["key_header": "x-key"]))
            #expect(
                failure.detail
                    == "Town, \(hall.server.url("/gtfs.zip")): status 403: it lets nobody in, and GTFS_TOWN_KEY "
                    + "goes to the hosts in `realtime` alone: fetch the zip yourself, and let `timetable` in boardd.toml "
                    + "name the file")
            #expect(failure.kind == .keyRejected)
        }
    }

    @Test("a city has a key to speak of where its settings want one, or where there is one")
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

    @Test("an address that may not be asked is a fault of the settings")
    func settings() throws {
        let hall = try GTFSTestServer()
        for (timetable, realtime) in [("", []), ("http://example.org/a.zip", []), ("a.zip", []), ("/a.zip", ["x"])] {
            #expect(throws: FeedSettingFailure.self) { try hall.feed(timetable: timetable, realtime: realtime) }
        }
    }
}
