import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("What SIRI's operators answer instead of departures", .endsHangs)
struct SIRIRefusalTests {
    private static let key = "sekret-7&"

    /// What a feed with this key makes of an answer.
    private func failure(
        _ body: [UInt8], status: Int = 200, key: String? = key, _ settings: [String: String] = ["key_parameter": "key"]
    ) async throws -> FeedFailure {
        let feed = try SIRITown.make(settings, key: key, over: CannedTransport { _ in (status, body) })
        let told = await SIRITown.failure(feed)
        return try #require(told)
    }

    private func failure(_ text: String, status: Int = 200) async throws -> FeedFailure {
        try await failure(Array(text.utf8), status: status)
    }

    /// A delivery that is a refusal.
    private func refused(_ kind: String, _ text: String, _ form: SIRITown.Form = .json) -> [UInt8] {
        SIRITown.body([SIRITown.delivery([], error: SIRITown.error(kind, text))], form)
    }

    @Test(
        "a refusal in SIRI's words is one of the board's own, with the operator's words",
        arguments: [
            ("AccessNotAllowedError", "No.", FeedFailure.Kind.keyRefused, "check it in keys.env"),
            ("OtherError", "API key is not authorized.", .keyRefused, "check it in keys.env"),
            ("InvalidDataReferencesError", "MonitoringRef?", .unknownStop, "check it in favourites.toml"),
            ("OtherError", "No such stop: S1.", .unknownStop, "check it in favourites.toml"),
            ("OtherError", "Le couple MonitoringRef/LineRef n'existe pas", .unknownStop, "the stop S1"),
            ("AllowedResourceUsageExceededError", "Slow down", .throttled(retryAfter: nil), "poll less often"),
            ("ServiceNotAvailableError", "Maintenance", .status(503), "out of order"),
            ("OtherError", "Kaputt", .status(500), "out of order"),
            ("UnheardOfError", "Kaputt", .status(500), "out of order"),
        ])
    func conditions(_ kind: String, _ text: String, _ expected: FeedFailure.Kind, _ advice: String) async throws {
        for form in SIRITown.Form.allCases {
            let failure = try await failure(refused(kind, text, form))
            #expect(failure.kind == expected, "\(form): \(failure)")
            #expect(failure.detail.contains(advice), "\(failure.detail)")
            #expect(failure.detail.hasSuffix("; it says: \(text)"), "\(failure.detail)")
            #expect(failure.detail.hasPrefix("Vale, https://vale.example/siri/sm"), "\(failure.detail)")
        }
    }

    @Test("no information about a stop is a board without departures, and an unknown stop for who checks it")
    func noInformation() async throws {
        let body = refused("NoInfoForTopicError", "Nothing known of S1", .soap)
        let feed = try SIRITown.make(over: CannedTransport { _ in (200, body) })
        #expect(try await feed.departures(FeedQuestion(stop: SIRITown.stop)).departures.isEmpty)
        let failure = try #require(
            await #expect(throws: FeedFailure.self) { _ = try await feed.lines(at: SIRITown.stop) })
        #expect(failure.kind == .unknownStop)
        #expect(failure.detail.hasSuffix("it says: Nothing known of S1"))
    }

    @Test("that is so also with a status that says it once more; other statuses are what they say")
    func noInformationByStatus() async throws {
        let body = refused("NoInfoForTopicError", "Nothing known of S1")
        for status in [400, 404] {
            let feed = try SIRITown.make(over: CannedTransport { _ in (status, body) })
            #expect(try await feed.departures(FeedQuestion(stop: SIRITown.stop)).departures.isEmpty)
            let failure = await #expect(throws: FeedFailure.self) { _ = try await feed.lines(at: SIRITown.stop) }
            #expect(failure?.kind == .unknownStop)
        }
        #expect(try await failure(body, status: 401).kind == .keyRefused)
        #expect(try await failure(body, status: 503).kind == .status(503))
    }

    @Test("of several refusals that nothing is known of the stop counts least")
    func several() async throws {
        let nothing = SIRITown.delivery([], error: SIRITown.error("NoInfoForTopicError", "Nothing"))
        let access = SIRITown.delivery([], error: SIRITown.error("AccessNotAllowedError", "Who are you?"))
        for deliveries in [[nothing, access], [access, nothing]] {
            let failure = try await failure(SIRITown.body(deliveries))
            #expect(failure.kind == .keyRefused && failure.detail.hasSuffix("Who are you?"))
        }
    }

    @Test("that no situations are told is trouble beside departures, and beside that there are none; of no key")
    func situationsRefused() async throws {
        let exchange = Told(
            "SituationExchangeDelivery",
            [Told("Status", "false"), SIRITown.error("AccessNotAllowedError", "Not in your contract")])
        for (visits, rows) in [([], []), ([SIRITown.visit(expected: "08:05")], ["B6 Harbour 08:05"])] {
            let body = SIRITown.body([SIRITown.delivery(visits), exchange])
            let feed = try SIRITown.make(over: CannedTransport { _ in (200, body) })
            let answer = try await feed.departures(FeedQuestion(stop: SIRITown.stop))
            #expect(SIRITown.rows(answer) == rows)
            #expect(answer.trouble?.kind == .status(503))
            #expect(answer.trouble?.detail.hasSuffix("there are no alerts; it says: Not in your contract") == true)
            #expect(try await feed.lines(at: SIRITown.stop).isEmpty)
        }
    }

    @Test("a refusal of one of several deliveries is trouble beside the rows of the others")
    func partial() async throws {
        let body = SIRITown.body([
            SIRITown.delivery([], error: SIRITown.error("ServiceNotAvailableError", "Half of it")),
            SIRITown.delivery([SIRITown.visit(expected: "08:05")]),
        ])
        let feed = try SIRITown.make(over: CannedTransport { _ in (200, body) })
        let answer = try await feed.departures(FeedQuestion(stop: SIRITown.stop))
        #expect(SIRITown.rows(answer) == ["B6 Harbour 08:05"])
        #expect(answer.trouble?.kind == .status(503))
        #expect(answer.trouble?.detail.hasSuffix("Half of it") == true)
    }

    @Test(
        "that one of several deliveries knows nothing of the stop is no trouble",
        arguments: [
            ("NoInfoForTopicError", "Nothing"), ("OtherError", "No such stop"),
        ])
    func partialIgnorance(_ kind: String, _ text: String) async throws {
        let body = SIRITown.body([
            SIRITown.delivery([], error: SIRITown.error(kind, text)),
            SIRITown.delivery([SIRITown.visit(expected: "08:05")]),
        ])
        let feed = try SIRITown.make(over: CannedTransport { _ in (200, body) })
        let answer = try await feed.departures(FeedQuestion(stop: SIRITown.stop))
        #expect(answer.departures.count == 1 && answer.trouble == nil)
    }

    @Test("a delivery that says that it is none, and not why, is a refusal")
    func wordless() async throws {
        let body = SIRITown.body([Told("StopMonitoringDelivery", [Told("Status", "false")])])
        #expect(try await failure(body).kind == .status(500))
    }

    @Test("a delivery without visits is a board without departures", arguments: SIRITown.Form.allCases)
    func empty(_ form: SIRITown.Form) async throws {
        let feed = try SIRITown.make(over: CannedTransport { _ in (200, SIRITown.body([SIRITown.delivery([])], form)) })
        let answer = try await feed.departures(FeedQuestion(stop: SIRITown.stop))
        #expect(answer.departures.isEmpty && answer.badRows == 0 && answer.trouble == nil)
    }

    @Test(
        "rows of which none can be read are a failure, whatever refusal is beside them, and the stop is not unknown",
        arguments: [nil, "NoInfoForTopicError", "InvalidDataReferencesError"])
    func unreadableRows(_ kind: String?) async throws {
        let body = SIRITown.body([
            SIRITown.delivery(
                [Told("MonitoredStopVisit", "soon")], error: kind.map { SIRITown.error($0, "No such stop") })
        ])
        #expect(try await failure(body).kind == .unreadable)
        let feed = try SIRITown.make(over: CannedTransport { _ in (200, body) })
        #expect(try await feed.lines(at: SIRITown.stop).isEmpty)
    }

    @Test("a fault of SOAP with status 500 is what its words say, in both versions of SOAP")
    func faults() async throws {
        func soap(_ inside: String) -> String {
            "<S:Envelope xmlns:S=\"x\"><S:Body><S:Fault>\(inside)</S:Fault></S:Body></S:Envelope>"
        }
        let condition =
            "<d><e:AccessNotAllowedError><e:ErrorText>Login failed</e:ErrorText></e:AccessNotAllowedError></d>"
        let access = try await failure(
            soap(
                "<faultcode>S:Server</faultcode><faultstring>LoginException</faultstring><detail>\(condition)</detail>"),
            status: 500)
        #expect(access.kind == .keyRefused && access.detail.hasSuffix("it says: Login failed"), "\(access)")
        let plain = try await failure(soap("<faultstring>Out of memory</faultstring>"), status: 500)
        #expect(plain.kind == .status(500) && plain.detail.hasSuffix("it says: Out of memory"))
        let second = try await failure(soap("<S:Reason><S:Text>Gone fishing</S:Text></S:Reason>"), status: 500)
        #expect(second.kind == .status(500) && second.detail.hasSuffix("it says: Gone fishing"), "\(second)")
    }

    @Test(
        "a status is what it says, with a gateway's words",
        arguments: [
            (401, #"{"message":"No API key found in request"}"#, FeedFailure.Kind.keyRefused, "SIRI_VALE_KEY"),
            (403, "<html><body>no</body></html>", .keyRefused, "SIRI_VALE_KEY"),
            (404, #"{"message":"no Route matched with those values"}"#, .status(404), "check url in boardd.toml"),
            (302, "", .status(302), "check url in boardd.toml"),
            (429, "", .throttled(retryAfter: nil), "poll less often"),
            (500, "boom", .status(500), "out of order"), (502, "<html/>", .status(502), "out of order"),
            (400, #"{"error":{"message":"Unknown stop point"}}"#, .unknownStop, "check it in favourites.toml"),
            (400, "bad", .status(400), "check url and parameters"),
            (404, "The stop code is not valid", .unknownStop, "; it says: The stop code is not valid"),
            (400, "Invalid stop_id: 7", .unknownStop, "check it in favourites.toml"),
            // What is not found, or does not go, is not the stop, nor the key.
            (404, #"{"message":"Endpoint not found"}"#, .status(404), "check url in boardd.toml"),
            (400, "Invalid stop-monitoring service endpoint", .status(400), "check url and parameters"),
            (400, "Unknown service: Stop Monitoring", .status(400), "check url and parameters"),
            (502, "upstream for stop S1 not found", .status(502), "out of order"),
            (503, #"{"message":"Authentication service unavailable"}"#, .status(503), "out of order"),
        ])
    func statuses(_ status: Int, _ text: String, _ expected: FeedFailure.Kind, _ advice: String) async throws {
        let failure = try await failure(text, status: status)
        #expect(failure.kind == expected, "\(failure)")
        #expect(failure.detail.contains(advice), "\(failure.detail)")
        #expect(failure.detail.contains("status \(status)"))
    }

    @Test("a status that refuses who has no key says where one goes")
    func noKey() async throws {
        let failure = try await failure([], status: 403, key: nil, [:])
        #expect(failure.kind == .keyMissing)
        #expect(failure.detail.contains("keys.env as SIRI_VALE_KEY, say in boardd.toml where it goes (key_header or"))
    }

    @Test("a key that is to go somewhere and is not there is missed before anybody is asked")
    func missingKey() async throws {
        let transport = CannedTransport { _ in (200, []) }
        let told = await SIRITown.failure(try SIRITown.make(["key_header": "apikey"], over: transport))
        let failure = try #require(told)
        #expect(failure.kind == .keyMissing && failure.requests == 0)
        #expect(failure.detail == "Vale wants a key: put SIRI_VALE_KEY into keys.env and restart boardd")
        #expect(transport.asked.isEmpty)
    }

    @Test(
        "what is no Stop Monitoring says what it is",
        arguments: [
            ("", "found an empty answer where SIRI was expected"),
            ("  \n", "found an empty answer where SIRI was expected"),
            ("Service down", "found \"Service down\" where SIRI was expected"),
            ("<html><p>Hello</p></html>", "found HTML where XML was expected"),
            ("<!DOCTYPE html><html/>", "found a document type"),
            (#"{"Siri":{}}"#, "found no StopMonitoringDelivery where SIRI Stop Monitoring was expected"),
            ("[]", "found no StopMonitoringDelivery"), ("<Siri/>", "found no StopMonitoringDelivery"),
            (#"{"Siri":"#, "found JSON that is cut short after 8 bytes"),
            ("<Siri>", "found XML that is broken or cut short"),
            ("<OJP><a/></OJP>", "found OJP, another standard than SIRI where SIRI Stop Monitoring was expected"),
            ("<t:Trias/>", "found TRIAS, another standard than SIRI"),
            ("<Siri><VehicleMonitoringDelivery/></Siri>", "found SIRI Vehicle Monitoring, which tells of vehicles"),
            ("<Siri><EstimatedTimetableDelivery/></Siri>", "found a SIRI Estimated Timetable"),
            ("<a><CheckStatusResponse/></a>", "found the status of a SIRI service"),
        ])
    func foreign(_ text: String, _ found: String) async throws {
        let failure = try await failure(text)
        #expect(failure.kind == .unreadable)
        #expect(failure.detail.contains(": \(found)"), "\(failure.detail)")
        #expect(failure.detail.contains("; if that stays so, check url and request in boardd.toml"))
    }

    @Test("a gateway's refusal with status 200 is what its words say")
    func politeGateways() async throws {
        let key = try await failure(#"{"error":"Invalid API key"}"#)
        #expect(key.kind == .keyRefused && key.detail.hasSuffix("it says: Invalid API key"))
        let other = try await failure(#"{"message":"no Route matched with those values"}"#)
        #expect(other.kind == .unreadable)
        #expect(other.detail.hasSuffix("it says: no Route matched with those values"))
        let address = try await failure(#"{"message":"The requested endpoint was not found"}"#)
        #expect(address.kind == .unreadable && address.detail.contains("check url and request in boardd.toml"))
        let stop = try await failure(#"{"message":"Stop S1 was not found"}"#)
        #expect(stop.kind == .unknownStop)
    }

    @Test("no key is in any error: not where the operator quotes the question, not at a cut")
    func keys() async throws {
        for (status, text) in [
            (200, Self.key), (200, "no such key: \(Self.key)"), (500, Self.key), (403, "<a>\(Self.key)</a>"),
            (200, #"{"message":"key \#(Self.key) is odd"}"#), (200, "123456789012345\(Self.key)"),
            (401, #"{"message":"api key sekret-7%26"}"#),
            (200, "<Fault><faultstring>who is sekret-7&amp;?</faultstring></Fault>"),
        ] {
            for settings in [["key_parameter": "key"], ["key_header": "apikey"], ["request": "soap"]] {
                let failure = try await failure(Array(text.utf8), status: status, settings)
                #expect(!failure.detail.contains("sekret"), "\(failure.detail)")
            }
        }
    }

    @Test("an answer that is cut anywhere, or has a byte broken anywhere, is rows or a fault")
    func broken() throws {
        for form in SIRITown.Form.allCases {
            let whole = SIRITown.body(
                [SIRITown.delivery([SIRITown.visit(expected: "08:05", aimed: "08:03")], validUntil: "08:01")], form)
            for count in stride(from: 0, to: whole.count - 1, by: 7) {
                #expect(throws: SIRIFault.self) { try SIRIAnswer(Array(whole.prefix(count))) }
            }
            for place in stride(from: 0, to: whole.count, by: 5) {
                for byte: UInt8 in [0, 0xFF, UInt8(ascii: "<"), UInt8(ascii: "\"")] {
                    var broken = whole
                    broken[place] = byte
                    _ = try? SIRITown.answer(broken)
                }
            }
        }
    }
}
