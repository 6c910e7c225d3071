import BoardCore
import BoardIO
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import ServerTesting
import Synchronization
import Testing
import Waiting

@testable import BoardControl

@Suite("A pairing")
struct PairingTests {
    private let start = Instant(microseconds: 1_000_000_000)
    private let stranger = IPAddress("192.168.1.66")
    private let owner = IPAddress("192.168.1.5")

    private func kind(_ body: () throws(ServiceError) -> some Any) -> ServiceError.Kind? {
        do throws(ServiceError) {
            _ = try body()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test("ends with its code, once, with or without blanks")
    func code() throws {
        var pairing = Pairing()
        _ = try pairing.start(id: "a", code: "012345", at: start)
        #expect(throws: Never.self) { try pairing.finish(id: "a", code: "012 345", at: start) }
        #expect(throws: Pairing.gone) { try pairing.finish(id: "a", code: "012345", at: start) }
        #expect(throws: Never.self) { try pairing.start(id: "b", code: "1", at: start) }
    }

    @Test("expires after two minutes, however long a telephone polls it")
    func expiry() throws {
        var pairing = Pairing()
        _ = try pairing.start(id: "a", code: "012345", at: start)
        for seconds in stride(from: 10, to: 120, by: 10) {
            let polled = pairing.poll(id: "a", at: start + .seconds(seconds))
            #expect(polled?.end == start + .seconds(120))
            #expect(polled?.until == start + .seconds(min(120, seconds + 30)))
        }
        let end = start + .seconds(120)
        #expect(throws: Pairing.gone) { try pairing.finish(id: "a", code: "012345", at: end) }
        #expect(pairing.poll(id: "a", at: end) == nil)
    }

    @Test("ends when no telephone has polled it for 30 s")
    func absence() throws {
        var pairing = Pairing()
        #expect(try pairing.start(id: "a", code: "012345", at: start).until == start + .seconds(30))
        #expect(pairing.poll(id: "a", at: start + .seconds(29)) != nil)
        #expect(pairing.poll(id: "a", at: start + .seconds(59)) == nil)
        #expect(throws: Pairing.gone) {
            try pairing.finish(id: "a", code: "012345", at: start + .seconds(59))
        }
    }

    @Test("is one for all telephones that start it, each with three tries; the right code after them is too late")
    func tries() throws {
        var pairing = Pairing()
        _ = try pairing.start(id: "a", code: "012345", at: start)
        #expect(try pairing.start(id: "b", code: "999999", at: start + .seconds(1)).id == "a")
        for left in [2, 1, 0, 0] {
            #expect(throws: Pairing.wrongCode(left: left)) {
                try pairing.finish(id: "a", code: "999999", from: stranger, at: start)
            }
        }
        #expect(throws: Pairing.wrongCode(left: 0)) {
            try pairing.finish(id: "a", code: "012345", from: stranger, at: start)
        }
        #expect(throws: Pairing.gone) { try pairing.finish(id: "b", code: "012345", at: start) }
        // Without tries a telephone does not keep the digits on the display, and reads why it gets no others.
        #expect(pairing.poll(id: "a", from: stranger, at: start) == nil)
        #expect(
            kind { () throws(ServiceError) in try pairing.start(id: "c", code: "1", from: stranger, at: start) }
                == .rateLimited)
        #expect(throws: Never.self) { try pairing.finish(id: "a", code: "012345", from: owner, at: start) }
    }

    @Test(
        "has three tries for a network of IPv6, and for each address of it once a person on this machine has its code")
    func networkTries() throws {
        var pairing = Pairing()
        let (one, other) = (IPAddress("2001:db8::1"), IPAddress("2001:db8::2"))
        _ = try pairing.start(id: "a", code: "012345", at: start)
        for _ in 0..<3 { try? pairing.finish(id: "a", code: "999999", from: one, at: start) }
        #expect(throws: Pairing.wrongCode(left: 0)) {
            try pairing.finish(id: "a", code: "012345", from: other, at: start)
        }
        _ = try pairing.start(id: "b", code: "1", isLocal: true, at: start)
        #expect(throws: Never.self) { try pairing.finish(id: "a", code: "012345", from: other, at: start) }
    }

    @Test("has 30 tries in an hour from all telephones")
    func allTries() throws {
        var pairing = Pairing()
        _ = try pairing.start(id: "a", code: "012345", at: start)
        for number in 0..<30 {
            #expect(throws: Pairing.wrongCode(left: 2)) {
                try pairing.finish(id: "a", code: "999999", from: IPAddress("192.168.1.\(number)"), at: start)
            }
        }
        #expect(throws: Pairing.manyTries(wait: .seconds(3_599))) {
            try pairing.finish(id: "a", code: "012345", from: owner, at: start + .seconds(1))
        }
        // A person on this machine is not denied, nor the telephone of that person.
        #expect(try pairing.start(id: "b", code: "1", isLocal: true, at: start + .seconds(2)).code == "012345")
        #expect(throws: Never.self) {
            try pairing.finish(id: "a", code: "012345", from: owner, at: start + .seconds(3))
        }
    }

    @Test("of a telephone can be joined on this machine, which gets its code for the whole two minutes")
    func localJoins() throws {
        var pairing = Pairing()
        _ = try pairing.start(id: "a", code: "012345", at: start)
        let local = try pairing.start(id: "b", code: "999999", isLocal: true, at: start + .seconds(20))
        let end = start + .seconds(120)
        #expect(local == Pairing.Start(id: "a", code: "012345", end: end, until: end))
        #expect(throws: Never.self) { try pairing.finish(id: "a", code: "012345", at: start + .seconds(119)) }
    }

    @Test("after one without success begins after a pause that doubles, and at once after one with success")
    func pauses() throws {
        var (pairing, now) = (Pairing(), start)
        for pause in [60, 120, 240, 480, 960, 1_920, 3_600, 3_600] {
            _ = try pairing.start(id: "a", code: "012345", at: now)
            now = now + .seconds(30)
            #expect(
                kind { () throws(ServiceError) in
                    try pairing.start(id: "x", code: "1", at: now + .seconds(pause - 1))
                } == .rateLimited)
            now = now + .seconds(pause)
        }
        _ = try pairing.start(id: "a", code: "012345", at: now)
        try pairing.finish(id: "a", code: "012345", at: now)
        #expect(throws: Never.self) { try pairing.start(id: "b", code: "1", at: now) }
    }

    @Test("counts no longer an hour after the last pause")
    func forgotten() throws {
        var (pairing, now) = (Pairing(), start)
        for _ in 0..<2 {
            _ = try pairing.start(id: "a", code: "012345", at: now)
            now = now + .seconds(30 + 60 + 3_601)
        }
        _ = try pairing.start(id: "a", code: "012345", at: now)
        #expect(throws: Never.self) { try pairing.start(id: "b", code: "1", at: now + .seconds(90)) }
    }

    @Test("that a stranger starts again and again shows digits for less than half of 20 minutes")
    func strangers() throws {
        var (pairing, shown) = (Pairing(), 0)
        for tenth in 0..<12_000 {
            let now = start + .milliseconds(tenth * 100)
            if (try? pairing.start(id: "\(tenth)", code: "1", at: now)) != nil { shown += 1 }
        }
        #expect(shown < 6_000)
    }

    @Test("begins on this machine at any time")
    func localLimits() throws {
        var pairing = Pairing()
        pairing.decline(at: start)
        for index in 0..<20 {
            let at = start + .seconds(130 * index)
            _ = try pairing.start(id: "\(index)", code: "1", isLocal: true, at: at)
        }
    }

    @Test("that a person declines at the board is over, and none begins for ten minutes")
    func declined() throws {
        var pairing = Pairing()
        _ = try pairing.start(id: "a", code: "012345", at: start)
        pairing.decline(at: start)
        #expect(throws: Pairing.gone) { try pairing.finish(id: "a", code: "012345", at: start) }
        let soon = start + .seconds(599)
        do throws(ServiceError) {
            _ = try pairing.start(id: "b", code: "1", at: soon)
            Issue.record("a pairing began")
        } catch {
            #expect(error.kind == .rateLimited)
            #expect(error.retryAfter == .seconds(1))
        }
        #expect(throws: Never.self) { try pairing.start(id: "b", code: "1", at: start + .seconds(600)) }
    }
}

@Suite("A device that pairs over the page", .endsHangs)
struct DeviceTests {
    @Test("reads six digits from the display alone, and may change the board from then on")
    func pairs() async throws {
        let page = try await RunningPage()
        let started = try await page.request("POST", "/v1/pairings")
        #expect(started.status == 201)
        let digits = try #require(page.digits)
        #expect(digits.count == 6 && digits.allSatisfy(\.isNumber))
        #expect(!started.text.contains(digits))
        let id = try RunningPage.field("id", of: started)
        let wrong = try await page.request("POST", "/v1/pairings/\(id)", body: #"{"code":"x","name":"Sofa"}"#)
        #expect(wrong.status == 403)
        #expect(wrong.text.contains("2 tries left"))
        #expect(try RunningPage.invalid(in: wrong) == InvalidValue("code", .wrong, tries: 2))
        let body = #"{"code":"\#(digits)","name":"Sofa"}"#
        let finished = try await page.request("POST", "/v1/pairings/\(id)", body: body)
        #expect(finished.status == 201)
        #expect(page.shown.withLock { $0.last } == .ended(isPaired: true))
        let token = "Authorization: Bearer \(try RunningPage.field("token", of: finished))"
        #expect(try await page.request("POST", "/v1/refresh", headers: [token]).status == 204)
        let info = try await page.request("GET", "/v1/page", headers: [token]).text
        #expect(info.contains(#""mayChange":true"#) && info.contains(#""device":"Sofa""#))
        #expect(try await page.request("POST", "/v1/refresh", headers: [token + "x"]).status == 401)
    }

    @Test("stays paired over a restart; the file has no token, and only the daemon reads it")
    func persists() async throws {
        let page = try await RunningPage()
        let token = try await page.paired()
        let path = page.folder + "/page-devices.json"
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(text.contains("Sofa"))
        #expect(!text.contains(token.dropFirst("Authorization: Bearer ".count)))
        var status = stat()
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let restarted = PairingService(folder: page.folder, clock: page.clock, log: { _ in }) { _ in }
        let header = String(token.dropFirst("Authorization: ".count))
        #expect(await restarted.device(authorization: header)?.name == "Sofa")
    }

    @Test("is listed with the day of its last use, which is written once a day")
    func lastUse() async throws {
        let page = try await RunningPage()
        let token = try await page.paired()
        page.clock.advance(by: .seconds(86_400))
        let list = try await page.request("GET", "/v1/devices", headers: [token]).text
        #expect(list.contains(#""pairedAt":"2026-05-04""#) && list.contains(#""lastUsedAt":"2026-05-05""#))
        let path = page.folder + "/page-devices.json"
        #expect(String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).contains("2026-05-05"))
        try FileManager.default.removeItem(atPath: path)
        _ = try await page.request("GET", "/v1/devices", headers: [token])
        #expect(!FileManager.default.fileExists(atPath: path), "the same day is not written again")
    }

    @Test("that is removed may change nothing, and another one still may")
    func removed() async throws {
        let page = try await RunningPage()
        let first = try await page.paired("Sofa")
        let second = try await page.paired("Küche <&\\\"")
        #expect(try await page.request("DELETE", "/v1/devices/Sofa", headers: [second]).status == 204)
        #expect(try await page.request("POST", "/v1/refresh", headers: [first]).status == 401)
        #expect(try await page.request("POST", "/v1/refresh", headers: [second]).status == 204)
        #expect(try await page.request("DELETE", "/v1/devices/Sofa", headers: [second]).status == 404)
    }

    @Test("of the same name gets a number; one without a name is rejected and costs no try")
    func names() async throws {
        let page = try await RunningPage()
        _ = try await page.paired("Sofa")
        let token = try await page.paired("Sofa")
        let list = try await page.request("GET", "/v1/devices", headers: [token]).text
        #expect(list.contains("\"Sofa\"") && list.contains("\"Sofa 2\""))
        let id = try RunningPage.field("id", of: try await page.request("POST", "/v1/pairings"))
        for name in ["", "  ", "..", "\u{202E}\u{200B}", String(repeating: "a", count: 41)] {
            let body = #"{"code":"000000","name":"\#(name)"}"#
            let rejected = try await page.request("POST", "/v1/pairings/\(id)", body: body)
            #expect(rejected.status == 422)
            let length = InvalidValue("name", .length, minimum: "1", maximum: "40")
            #expect(try RunningPage.invalid(in: rejected) == length)
        }
        let digits = try #require(page.digits)
        let body = #"{"code":"\#(digits)","name":"Phone"}"#
        #expect(try await page.request("POST", "/v1/pairings/\(id)", body: body).status == 201)
    }

    @Test("is one of at most 32")
    func many() async throws {
        let page = try await RunningPage()
        for index in 0..<32 {
            _ = try await page.paired("\(index)")
            page.clock.advance(by: .seconds(600))
        }
        let id = try RunningPage.field("id", of: try await page.request("POST", "/v1/pairings"))
        let body = #"{"code":"\#(try #require(page.digits))","name":"one more"}"#
        #expect(try await page.request("POST", "/v1/pairings/\(id)", body: body).status == 409)
    }

    @Test("that waits for its digits polls the pairing, and the display shows them for as long")
    func polls() async throws {
        let page = try await RunningPage()
        let id = try RunningPage.field("id", of: try await page.request("POST", "/v1/pairings"))
        page.clock.advance(by: .seconds(20))
        #expect(try await page.request("GET", "/v1/pairings/\(id)").status == 200)
        let ends = page.shown.withLock { $0.compactMap { if case .started(_, let until) = $0 { until } else { nil } } }
        #expect(ends.count == 2 && ends[1] - ends[0] == .seconds(20))
        page.clock.advance(by: .seconds(30))
        #expect(try await page.request("GET", "/v1/pairings/\(id)").status == 404)
        #expect(try await page.request("POST", "/v1/pairings").status == 429)
    }

    @Test("that a person declines at the board gets an error with the time to wait")
    func declined() async throws {
        let page = try await RunningPage()
        let id = try RunningPage.field("id", of: try await page.request("POST", "/v1/pairings"))
        page.pairing.decline()
        let body = #"{"code":"\#(try #require(page.digits))","name":"Sofa"}"#
        let finished = try await page.request("POST", "/v1/pairings/\(id)", body: body)
        #expect(finished.status == 404)
        #expect(finished.text.contains("declined"))
        let again = try await page.request("POST", "/v1/pairings")
        #expect(again.status == 429)
        #expect(again.header("retry-after") == "600")
    }
}
