import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("SIRI error responses", .endsHangs)
struct SIRIStatusTests {
    private static let key = "sekret-7&"

    /// The feed response for a body, with or without a key.
    private func failure(
        _ body: [UInt8], status: Int = 200, key: String? = key, _ settings: [String: String] = ["key_parameter": "key"]
    ) async throws -> FeedError {
        let feed = try Vale.make(settings, key: key, over: CannedTransport { _ in (status, body) })
        let reported = await Vale.failure(feed)
        return try #require(reported)
    }

    private func failure(_ text: String, status: Int = 200) async throws -> FeedError {
        try await failure(Array(text.utf8), status: status)
    }

    /// A delivery with an error condition.
    private func erroneous(_ kind: String, _ text: String, _ form: Vale.Form = .json) -> [UInt8] {
        Vale.body([Vale.delivery([], error: Vale.error(kind, text))], form)
    }

    @Test(
        "an error condition of SIRI maps to a failure kind, with the operator's message",
        arguments: [
            ("AccessNotAllowedError", "No.", FeedError.Kind.keyRejected, "check it in keys.env"),
            ("OtherError", "API key is not authorized.", .keyRejected, "check it in keys.env"),
            ("InvalidDataReferencesError", "MonitoringRef?", .unknownStop, "check it in favourites.toml"),
            ("OtherError", "No such stop: S1.", .unknownStop, "check it in favourites.toml"),
            ("OtherError", "Le couple MonitoringRef/LineRef n'existe pas", .unknownStop, "unknown stop S1"),
            ("AllowedResourceUsageExceededError", "Slow down", .rateLimited(retryAfter: nil), "poll less often"),
            ("ServiceNotAvailableError", "Maintenance", .status(503), "server error"),
            ("OtherError", "Kaputt", .status(500), "server error"),
            ("UnheardOfError", "Kaputt", .status(500), "server error"),
        ])
    func conditions(_ kind: String, _ text: String, _ expected: FeedError.Kind, _ advice: String) async throws {
        for form in Vale.Form.allCases {
            let failure = try await failure(erroneous(kind, text, form))
            #expect(failure.kind == expected, "\(form): \(failure)")
            #expect(failure.detail.contains(advice), "\(failure.detail)")
            #expect(failure.detail.hasSuffix("; server message: \(text)"), "\(failure.detail)")
            #expect(failure.detail.hasPrefix("Vale, https://vale.example/siri/sm"), "\(failure.detail)")
        }
    }

    @Test("no information about a stop is a board without departures, but an unknown stop for the check")
    func noInformation() async throws {
        let body = erroneous("NoInfoForTopicError", "Nothing known of S1", .soap)
        let feed = try Vale.make(over: CannedTransport { _ in (200, body) })
        #expect(try await feed.departures(FeedRequest(stop: Vale.stop)).departures.isEmpty)
        let failure = try #require(await #expect(throws: FeedError.self) { _ = try await feed.check(Vale.stop) })
        #expect(failure.kind == .unknownStop)
        #expect(failure.detail.hasSuffix("server message: Nothing known of S1"))
    }

    @Test(
        "a sentence that nothing is due, beside a number or not, is a board without departures",
        arguments: ["No line is expected", "no departures scheduled", "Aucun passage", "Keine Abfahrten"])
    func nothingDue(_ text: String) async throws {
        let error = Node("ErrorCondition", [Node("OtherError", [Node("ErrorText", "740")]), Node("Description", text)])
        let visits = Vale.delivery([Vale.visit(expected: "08:05")])
        for (deliveries, count) in [
            ([Vale.delivery([], error: error)], 0), ([Vale.delivery([], error: error), visits], 1),
        ] {
            let body = Vale.body(deliveries)
            let feed = try Vale.make(over: CannedTransport { _ in (200, body) })
            let response = try await feed.departures(FeedRequest(stop: Vale.stop))
            #expect(response.departures.count == count && response.partialFailure == nil)
            #expect(try await feed.check(Vale.stop).subject == .departures)
        }
        // Not every sentence with a negation.
        for text in [
            "No permission for this information", "No service: scheduled maintenance",
            "No response from the departures backend",
        ] {
            let failure = try await failure(Vale.body([Vale.delivery([], error: Vale.error("OtherError", text))]))
            #expect(failure.detail.hasSuffix(text))
        }
    }

    @Test("that also holds with a matching error status; other statuses take precedence")
    func noInformationByStatus() async throws {
        let body = erroneous("NoInfoForTopicError", "Nothing known of S1")
        for status in [400, 404] {
            let feed = try Vale.make(over: CannedTransport { _ in (status, body) })
            #expect(try await feed.departures(FeedRequest(stop: Vale.stop)).departures.isEmpty)
            let failure = await #expect(throws: FeedError.self) { _ = try await feed.check(Vale.stop) }
            #expect(failure?.kind == .unknownStop)
        }
        #expect(try await failure(body, status: 401).kind == .keyRejected)
        #expect(try await failure(body, status: 503).kind == .status(503))
    }

    @Test("of several errors, no information has the lowest priority")
    func several() async throws {
        let nothing = Vale.delivery([], error: Vale.error("NoInfoForTopicError", "Nothing"))
        let access = Vale.delivery([], error: Vale.error("AccessNotAllowedError", "Who are you?"))
        for deliveries in [[nothing, access], [access, nothing]] {
            let failure = try await failure(Vale.body(deliveries))
            #expect(failure.kind == .keyRejected && failure.detail.hasSuffix("Who are you?"))
        }
    }

    @Test(
        "missing situations are a partial failure beside departures, and so without departures, but not with a rejected key"
    )
    func situationsRejected() async throws {
        let exchange = Node(
            "SituationExchangeDelivery",
            [Node("Status", "false"), Vale.error("AccessNotAllowedError", "Not in your contract")])
        for (visits, rows) in [([], []), ([Vale.visit(expected: "08:05")], ["B6 Harbour 08:05"])] {
            let body = Vale.body([Vale.delivery(visits), exchange])
            let feed = try Vale.make(over: CannedTransport { _ in (200, body) })
            let response = try await feed.departures(FeedRequest(stop: Vale.stop))
            #expect(Vale.rows(response) == rows)
            #expect(response.partialFailure?.kind == .status(503))
            #expect(
                response.partialFailure?.detail.hasSuffix("there are no alerts; server message: Not in your contract")
                    == true)
            #expect(try await feed.check(Vale.stop).subject == .departures)
        }
    }

    @Test("the error of one delivery is a partial failure beside the rows of others")
    func partial() async throws {
        let body = Vale.body([
            Vale.delivery([], error: Vale.error("ServiceNotAvailableError", "Half of it")),
            Vale.delivery([Vale.visit(expected: "08:05")]),
        ])
        let feed = try Vale.make(over: CannedTransport { _ in (200, body) })
        let response = try await feed.departures(FeedRequest(stop: Vale.stop))
        #expect(Vale.rows(response) == ["B6 Harbour 08:05"])
        #expect(response.partialFailure?.kind == .status(503))
        #expect(response.partialFailure?.detail.hasSuffix("Half of it") == true)
    }

    @Test(
        "an unknown stop in one of several deliveries is not a partial failure",
        arguments: [
            ("NoInfoForTopicError", "Nothing"), ("OtherError", "No such stop"),
        ])
    func partialIgnorance(_ kind: String, _ text: String) async throws {
        let body = Vale.body([
            Vale.delivery([], error: Vale.error(kind, text)), Vale.delivery([Vale.visit(expected: "08:05")]),
        ])
        let feed = try Vale.make(over: CannedTransport { _ in (200, body) })
        let response = try await feed.departures(FeedRequest(stop: Vale.stop))
        #expect(response.departures.count == 1 && response.partialFailure == nil)
    }

    @Test("a delivery with a false Status and no error condition is an error")
    func wordless() async throws {
        let body = Vale.body([Node("StopMonitoringDelivery", [Node("Status", "false")])])
        #expect(try await failure(body).kind == .status(500))
    }

    @Test("a delivery without visits is a board without departures", arguments: Vale.Form.allCases)
    func empty(_ form: Vale.Form) async throws {
        let feed = try Vale.make(over: CannedTransport { _ in (200, Vale.body([Vale.delivery([])], form)) })
        let response = try await feed.departures(FeedRequest(stop: Vale.stop))
        #expect(response.departures.isEmpty && response.badRows == 0 && response.partialFailure == nil)
    }

    @Test(
        "only unreadable rows are a failure, whatever error is beside them, and the stop is not unknown",
        arguments: [nil, "NoInfoForTopicError", "InvalidDataReferencesError"])
    func unreadableRows(_ kind: String?) async throws {
        let body = Vale.body([
            Vale.delivery([Node("MonitoredStopVisit", "soon")], error: kind.map { Vale.error($0, "No such stop") })
        ])
        #expect(try await failure(body).kind == .unreadable)
        let feed = try Vale.make(over: CannedTransport { _ in (200, body) })
        #expect(try await feed.check(Vale.stop).subject == .departures)
    }

    @Test("a SOAP fault with status 500 is classified by its text, in both versions of SOAP")
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
        #expect(access.kind == .keyRejected && access.detail.hasSuffix("server message: Login failed"), "\(access)")
        let plain = try await failure(soap("<faultstring>Out of memory</faultstring>"), status: 500)
        #expect(plain.kind == .status(500) && plain.detail.hasSuffix("server message: Out of memory"))
        let second = try await failure(soap("<S:Reason><S:Text>Gone fishing</S:Text></S:Reason>"), status: 500)
        #expect(second.kind == .status(500) && second.detail.hasSuffix("server message: Gone fishing"), "\(second)")
    }

    @Test(
        "a status is classified, with a gateway's message",
        arguments: [
            (401, #"{"message":"No API key found in request"}"#, FeedError.Kind.keyRejected, "SIRI_VALE_KEY"),
            (403, "<html><body>no</body></html>", .keyRejected, "SIRI_VALE_KEY"),
            (
                404, #"{"message":"no Route matched with those values"}"#, .status(404),
                "not found: check url, request and parameters in boardd.toml, [feed.siri.vale]"
            ), (302, "", .status(302), "302, check url, request and parameters"),
            (429, "", .rateLimited(retryAfter: nil), "poll less often"),
            (500, "boom", .status(500), "server error"), (502, "<html/>", .status(502), "server error"),
            (400, #"{"error":{"message":"Unknown stop point"}}"#, .unknownStop, "check it in favourites.toml"),
            (400, "bad", .status(400), "check url, request and parameters"),
            (404, "The stop code is not valid", .unknownStop, "; server message: The stop code is not valid"),
            (400, "Invalid stop_id: 7", .unknownStop, "check it in favourites.toml"),
            // A missing or failing service is not an unknown stop or a rejected key.
            (404, #"{"message":"Endpoint not found"}"#, .status(404), "check url"),
            (400, "Invalid stop-monitoring service endpoint", .status(400), "check url, request and parameters"),
            (400, "Unknown service: Stop Monitoring", .status(400), "check url, request and parameters"),
            (502, "upstream for stop S1 not found", .status(502), "server error"),
            (503, #"{"message":"Authentication service unavailable"}"#, .status(503), "server error"),
        ])
    func statuses(_ status: Int, _ text: String, _ expected: FeedError.Kind, _ advice: String) async throws {
        let failure = try await failure(text, status: status)
        #expect(failure.kind == expected, "\(failure)")
        #expect(failure.detail.contains(advice), "\(failure.detail)")
        #expect(failure.detail.contains("status \(status)"))
    }

    @Test("a status for a missing key names the file for it")
    func noKey() async throws {
        let failure = try await failure([], status: 403, key: nil, [:])
        #expect(failure.kind == .keyMissing)
        #expect(failure.detail.contains("put SIRI_VALE_KEY into keys.env, set key_header or"))
    }

    @Test("a configured place without a key fails before any request")
    func missingKey() async throws {
        let transport = CannedTransport { _ in (200, []) }
        let reported = await Vale.failure(try Vale.make(["key_header": "apikey"], over: transport))
        let failure = try #require(reported)
        #expect(failure.kind == .keyMissing && failure.requests == 0)
        #expect(failure.detail == "Vale requires an API key: put SIRI_VALE_KEY into keys.env and restart boardd")
        #expect(transport.requested.isEmpty)
    }

    @Test(
        "a response that is not Stop Monitoring is described",
        arguments: [
            ("", "found an empty response where JSON or XML was expected"),
            ("  \n", "found an empty response where JSON or XML was expected"),
            ("Service down", "found \"Service down\" where JSON or XML was expected"),
            ("<html><p>Hello</p></html>", "found HTML where XML was expected"),
            ("<!DOCTYPE html><html/>", "found a document type"),
            (#"{"Siri":{}}"#, "found no StopMonitoringDelivery where SIRI Stop Monitoring was expected"),
            ("[]", "found no StopMonitoringDelivery"), ("<Siri/>", "found no StopMonitoringDelivery"),
            (#"{"Siri":"#, "found JSON truncated after 8 bytes"),
            ("<Siri>", "found malformed or truncated XML"),
            ("<OJP><a/></OJP>", "found OJP, a different standard, where SIRI Stop Monitoring was expected"),
            ("<t:Trias/>", "found TRIAS, a different standard, where"),
            ("<Siri><VehicleMonitoringDelivery/></Siri>", "found SIRI Vehicle Monitoring, which reports vehicles"),
            ("<Siri><EstimatedTimetableDelivery/></Siri>", "found a SIRI Estimated Timetable"),
            ("<a><CheckStatusResponse/></a>", "found the status of a SIRI service"),
        ])
    func foreign(_ text: String, _ found: String) async throws {
        let failure = try await failure(text)
        #expect(failure.kind == .unreadable)
        #expect(failure.detail.contains(": \(found)"), "\(failure.detail)")
        #expect(failure.detail.contains("; if this persists, check url, request and parameters in boardd.toml"))
    }

    @Test("a gateway's error with status 200 is classified by its text")
    func politeGateways() async throws {
        let key = try await failure(#"{"error":"Invalid API key"}"#)
        #expect(key.kind == .keyRejected && key.detail.hasSuffix("server message: Invalid API key"))
        let other = try await failure(#"{"message":"no Route matched with those values"}"#)
        #expect(other.kind == .unreadable)
        #expect(other.detail.hasSuffix("server message: no Route matched with those values"))
        let address = try await failure(#"{"message":"The requested endpoint was not found"}"#)
        #expect(
            address.kind == .unreadable && address.detail.contains("check url, request and parameters in boardd.toml"))
        let stop = try await failure(#"{"message":"Stop S1 was not found"}"#)
        #expect(stop.kind == .unknownStop)
    }

    @Test("no failure contains a key: neither where the operator quotes the request, nor at a cut")
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

    @Test("a response that is truncated or damaged anywhere gives rows or a fault")
    func broken() throws {
        for form in Vale.Form.allCases {
            let whole = Vale.body(
                [Vale.delivery([Vale.visit(expected: "08:05", aimed: "08:03")], validUntil: "08:01")], form)
            for count in stride(from: 0, to: whole.count - 1, by: 7) {
                #expect(throws: FormatError.self) { try SIRIResponse(Array(whole.prefix(count))) }
            }
            for place in stride(from: 0, to: whole.count, by: 5) {
                for byte: UInt8 in [0, 0xFF, UInt8(ascii: "<"), UInt8(ascii: "\"")] {
                    var broken = whole
                    broken[place] = byte
                    _ = try? Vale.feedResponse(broken)
                }
            }
        }
    }
}
