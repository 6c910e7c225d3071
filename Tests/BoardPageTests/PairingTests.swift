import BoardCore
import BoardService
import FoundationEssentials
import Glibc
import ServerTesting
import Synchronization
import Testing
import Waiting

@testable import BoardPage

@Suite("A pairing")
struct PairingTests {
    private let start = Instant(microseconds: 1_000_000_000)

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
        #expect(throws: Never.self) { try pairing.finish(id: "a", code: "012 345", at: start).get() }
        #expect(throws: Pairing.Failure.gone) { try pairing.finish(id: "a", code: "012345", at: start).get() }
    }

    @Test("expires after two minutes")
    func expiry() throws {
        var pairing = Pairing()
        let until = try pairing.start(id: "a", code: "012345", at: start).until
        #expect(until == start + .seconds(120))
        #expect(throws: Pairing.Failure.gone) { try pairing.finish(id: "a", code: "012345", at: until).get() }
        #expect(throws: Never.self) { try pairing.start(id: "b", code: "1", at: until) }
    }

    @Test("allows three tries, and the right code after them is too late")
    func tries() throws {
        var pairing = Pairing()
        _ = try pairing.start(id: "a", code: "012345", at: start)
        for left in [2, 1, 0] {
            #expect(throws: Pairing.Failure.wrongCode(left: left)) {
                try pairing.finish(id: "a", code: "999999", at: start).get()
            }
        }
        #expect(throws: Pairing.Failure.gone) { try pairing.finish(id: "a", code: "012345", at: start).get() }
    }

    @Test("is the only one, and another identifier does not cost its tries")
    func single() throws {
        var pairing = Pairing()
        _ = try pairing.start(id: "a", code: "012345", at: start)
        #expect(kind { () throws(ServiceError) in try pairing.start(id: "b", code: "1", at: start) } == .conflict)
        for _ in 0..<5 {
            #expect(throws: Pairing.Failure.gone) { try pairing.finish(id: "b", code: "1", at: start).get() }
        }
        #expect(throws: Never.self) { try pairing.finish(id: "a", code: "012345", at: start).get() }
    }

    @Test("of a device can be joined on this machine, which gets its code")
    func localJoins() throws {
        var pairing = Pairing()
        let device = try pairing.start(id: "a", code: "012345", at: start)
        let local = try pairing.start(id: "b", code: "999999", isLocal: true, at: start + .seconds(20))
        #expect(local == Pairing.Start(id: "a", code: "012345", until: device.until, isNew: false))
    }

    @Test("that begins on this machine is that of the first device, and of no second one")
    func deviceJoins() throws {
        var pairing = Pairing()
        let local = try pairing.start(id: "a", code: "012345", isLocal: true, at: start)
        #expect(local.isNew)
        #expect(try pairing.start(id: "b", code: "999999", at: start).id == "a")
        #expect(kind { () throws(ServiceError) in try pairing.start(id: "c", code: "1", at: start) } == .conflict)
        #expect(throws: Never.self) { try pairing.finish(id: "a", code: "012345", at: start).get() }
    }

    @Test("begins ten times an hour at most, for all devices together")
    func starts() throws {
        var pairing = Pairing()
        for index in 0..<10 {
            let at = start + .seconds(200 * index)
            _ = try pairing.start(id: "\(index)", code: "1", at: at)
        }
        let eleventh = start + .seconds(2_000)
        #expect(kind { () throws(ServiceError) in try pairing.start(id: "x", code: "1", at: eleventh) } == .rateLimited)
        #expect(throws: Never.self) { try pairing.start(id: "x", code: "1", at: start + .seconds(3_600)) }
    }

    @Test("begins on this machine whatever the limits of devices")
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
        #expect(throws: Pairing.Failure.gone) { try pairing.finish(id: "a", code: "012345", at: start).get() }
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
        #expect(await restarted.device(authorization: header) == "Sofa")
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
            #expect(try await page.request("POST", "/v1/pairings/\(id)", body: body).status == 422)
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
