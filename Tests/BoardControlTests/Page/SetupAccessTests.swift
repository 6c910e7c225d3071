import BoardCore
import BoardIO
import BoardService
import BoardStore
import FoundationEssentials
import ServerTesting
import Testing
import Waiting

@testable import BoardControl

@Suite("Who may set up the board", .endsHangs)
struct SetupAccessTests {
    private static let routes = [
        ("GET", "/v1/setup", nil), ("DELETE", "/v1/setup", nil), ("GET", "/v1/places?query=London", nil),
        ("PUT", "/v1/settings/quiet", #"{"tables": []}"#), ("DELETE", "/v1/settings/quiet", nil),
        ("POST", "/v1/setup/button", nil), ("PUT", "/v1/keys/RAIL_TOKEN", #"{"value": "x"}"#),
        ("DELETE", "/v1/keys/RAIL_TOKEN", nil),
        ("GET", "/v1/backup", nil), ("PUT", "/v1/backup", #"{"settings": "", "favourites": "[[stop]]"}"#),
        ("PATCH", "/v1/devices/Sofa", #"{"isOwner": true}"#), ("POST", "/v1/directory/update", nil),
    ]

    /// The status of each route.
    private func statuses(_ page: RunningPage, _ headers: [String]) async throws -> Set<Int> {
        var all: Set<Int> = []
        for (method, target, body) in Self.routes {
            all.insert(try await page.request(method, target, headers: headers, body: body).status)
        }
        return all
    }

    private func isOwner(_ page: RunningPage, _ headers: [String]) async throws -> Bool {
        struct Info: Decodable { let isOwner: Bool }
        let response = try await page.request("GET", "/v1/page", headers: headers)
        return try JSONDecoder().decode(Info.self, from: Data(response.body)).isOwner
    }

    @Test func `a device that is paired in the window may, also after it`() async throws {
        let page = try await RunningPage()
        page.setup.isOpenForSetup = true
        let owner = try await page.paired()
        page.setup.isOpenForSetup = false
        #expect(try await isOwner(page, [owner]))
        #expect(try await statuses(page, [owner]) == [200, 204, 202])
    }

    @Test func `a device that was paired outside the window may not, and learns what to do`() async throws {
        let page = try await RunningPage()
        let guest = try await page.paired()
        #expect(try await !isOwner(page, [guest]))
        #expect(try await statuses(page, [guest]) == [403])
        let response = try await page.request("GET", "/v1/setup", headers: [guest])
        #expect(response.text.contains("hold its button for five seconds"))
        // In the window its digits make it an owner: it is asked for them.
        page.setup.isOpenForSetup = true
        #expect(try await statuses(page, [guest]) == [401])
        #expect(try await statuses(page, [try await page.paired("Kitchen")]) == [200, 204, 202])
    }

    @Test
    func `a key needs digits of the last ten minutes, after which the device has the same name and another token`()
        async throws
    {
        let page = try await RunningPage()
        page.setup.isOpenForSetup = true
        let owner = try await page.paired()
        page.setup.isOpenForSetup = false
        func setKey(_ token: String) async throws -> RawResponse {
            try await page.request("PUT", "/v1/keys/RAIL_TOKEN", headers: [token], body: #"{"value": "x"}"#)
        }
        page.clock.advance(by: .seconds(599))
        #expect(try await setKey(owner).status == 200)
        page.clock.advance(by: .seconds(1))
        let refused = try await setKey(owner)
        #expect(refused.status == 401 && refused.text.contains("digits-needed"), "\(refused.text)")
        #expect(try await page.request("GET", "/v1/setup", headers: [owner]).status == 200)
        let renewed = try RunningPage.authorization(in: try await page.pairing("Another name", headers: [owner]))
        #expect(try await setKey(renewed).status == 200)
        #expect(try await page.request("GET", "/v1/setup", headers: [owner]).status == 403)
        #expect(try await page.pairing.devices().map(\.name) == ["Sofa"])
    }

    @Test func `digits in the window make a paired device an owner, under its name`() async throws {
        let page = try await RunningPage()
        let guest = try await page.paired()
        page.setup.isOpenForSetup = true
        let owner = try RunningPage.authorization(in: try await page.pairing("Kitchen", headers: [guest]))
        page.setup.isOpenForSetup = false
        #expect(try await statuses(page, [owner]) == [200, 204, 202])
        #expect(try await page.pairing.devices().map(\.name) == ["Sofa"])
    }

    @Test func `no other page has it in a frame, and its texts are not in the first load of the page`() async throws {
        let page = try await RunningPage {
            $0.frames = [WebOrigin("http://homeassistant.local:8123")].compactMap(\.self)
        }
        let setup = try await page.request("GET", "/setup")
        let policy = try #require(setup.header("content-security-policy"))
        #expect(policy.contains("script-src 'self'") && policy.hasSuffix("frame-ancestors 'none'"), "\(policy)")
        let about = try await page.request("GET", "/about")
        #expect(about.header("content-security-policy")?.contains("frame-ancestors http://homeassistant") == true)
        let greeting = Language.english.words.setup["greeting"] ?? "none"
        #expect(!setup.text.contains(greeting))
        #expect(try await page.request("GET", "/v1/page").text.contains(greeting))
    }

    @Test func `nobody else may, also where the whole network may change favourites`() async throws {
        let page = try await RunningPage { $0.change = .network }
        #expect(try await statuses(page, []) == [403])
        page.setup.isOpenForSetup = true
        #expect(try await statuses(page, []) == [401])
    }

    @Test(arguments: [true, false])
    func `nobody may where the administrator forbids it`(isByChange: Bool) async throws {
        let page = try await RunningPage()
        page.setup.isOpenForSetup = true
        let owner = try await page.paired()
        page.set { options in
            if isByChange { options.change = .nobody } else { options.setup = false }
        }
        #expect(try await statuses(page, [owner]) == [403])
        #expect(try await !isOwner(page, [owner]))
    }

    @Test func `a backup may be longer than other bodies, and only an owner's`() async throws {
        let page = try await RunningPage()
        let guest = try await page.paired("Kitchen")
        page.setup.isOpenForSetup = true
        let owner = try await page.paired("Sofa")
        page.setup.isOpenForSetup = false
        func status(_ headers: [String], _ length: Int, _ target: String = "/v1/backup") async throws -> Int {
            let body = "{\"settings\": \"\", \"favourites\": \"# \(String(repeating: "a", count: length))\"}"
            return try await page.request("PUT", target, headers: headers, body: body).status
        }
        #expect(try await status([owner], 100_000) == 200)
        #expect(try await status([owner], 400_000) == 413)
        #expect(try await status([owner], 20_000, "/v1/settings/quiet") == 413)
        #expect(try await status([guest], 20_000) == 413)
        #expect(try await status([], 20_000) == 413)
    }

    @Test func `an owner makes another device an owner, and takes it back`() async throws {
        let page = try await RunningPage()
        let guest = try await page.paired("Kitchen")
        page.setup.isOpenForSetup = true
        let owner = try await page.paired("Sofa")
        page.setup.isOpenForSetup = false
        for isOwner in [true, false] {
            let response = try await page.request(
                "PATCH", "/v1/devices/Kitchen", headers: [owner], body: #"{"isOwner": \#(isOwner)}"#)
            #expect(response.status == 200)
            #expect(try await self.isOwner(page, [guest]) == isOwner)
        }
    }

    @Test func `only an owner removes an owner, and each device itself`() async throws {
        let page = try await RunningPage()
        let guest = try await page.paired("Kitchen")
        page.setup.isOpenForSetup = true
        let (owner, other) = (try await page.paired("Sofa"), try await page.paired("Hall"))
        page.setup.isOpenForSetup = false
        #expect(try await page.request("DELETE", "/v1/devices/Sofa", headers: [guest]).status == 403)
        #expect(try await page.request("DELETE", "/v1/devices/Sofa", headers: [other]).status == 204)
        #expect(try await page.request("DELETE", "/v1/devices/Hall", headers: [other]).status == 204)
        #expect(try await page.request("DELETE", "/v1/devices/Kitchen", headers: [guest]).status == 204)
        #expect(try await statuses(page, [owner]) == [403])
    }

    @Test func `the window opens only on the board's machine`() async throws {
        let page = try await RunningPage()
        page.setup.isOpenForSetup = true
        let owner = try await page.paired()
        #expect(try await page.request("POST", "/v1/setup", headers: [owner]).status == 403)
    }

    @Test func `a foreign page gets nothing`() async throws {
        let page = try await RunningPage()
        page.setup.isOpenForSetup = true
        let owner = try await page.paired()
        #expect(try await statuses(page, [owner, "Origin: http://evil.example"]) == [403])
    }
}
