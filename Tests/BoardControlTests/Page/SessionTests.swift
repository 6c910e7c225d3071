import BoardIO
import BoardService
import BoardStore
import FoundationEssentials
import ServerTesting
import Testing
import Waiting

@testable import BoardControl

/// A browser that lost its token gets another one for its cookie.
@Suite(.endsHangs) struct SessionTests {
    @Test func `a pairing sets a cookie of this host and port, for one path, that no script reads`() async throws {
        let page = try await RunningPage()
        let paired = try await page.pairing()
        let parts = try #require(paired.header("set-cookie")).split(separator: "; ").map { String($0) }
        #expect(parts[0].hasPrefix("boardd-session-\(page.port)="))
        #expect(parts.dropFirst() == ["Path=/v1/session", "Max-Age=34560000", "HttpOnly", "SameSite=Strict"])
        let secret = try #require(parts[0].split(separator: "=").last)
        #expect(secret.count == 43)
        #expect(!paired.text.contains(secret))
        #expect(!(try Self.store(page)).contains(secret))
        #expect(Set(try JSONDecoder().decode([String: String].self, from: Data(paired.body)).keys) == ["token"])
    }

    @Test func `over https the cookie is sent over https alone, and its name has the port of the proxy`() async throws {
        let page = try await RunningPage()
        let headers = ["X-Forwarded-Proto: https", "Origin: https://boardpi.local:8443"]
        let paired = try await page.pairing(headers: headers, host: "boardpi.local:8443")
        let cookie = try #require(paired.header("set-cookie"))
        #expect(cookie.hasPrefix("boardd-session-8443=") && cookie.hasSuffix("; SameSite=Strict; Secure"))
        let renewed = try await page.request(
            "POST", "/v1/session", headers: headers + [try RunningPage.cookie(in: paired)], host: "boardpi.local:8443")
        #expect(renewed.status == 201)
    }

    @Test func `the cookie buys another token and another cookie, once, for the same device`() async throws {
        let page = try await RunningPage()
        let paired = try await page.pairing()
        page.clock.advance(by: .seconds(86_400))
        let cookie = try RunningPage.cookie(in: paired)
        let renewed = try await page.session(["Cookie: other=1; \(cookie.dropFirst("Cookie: ".count)); more=2"])
        #expect(renewed.status == 201)
        #expect(renewed.header("cache-control") == "no-store")
        let (old, new) = (try RunningPage.authorization(in: paired), try RunningPage.authorization(in: renewed))
        #expect(try await page.request("POST", "/v1/refresh", headers: [old]).status == 401)
        #expect(try await page.request("POST", "/v1/refresh", headers: [new]).status == 204)
        let devices = try await page.request("GET", "/v1/devices", headers: [new]).text
        #expect(devices.contains(#""name":"Sofa""#) && devices.components(separatedBy: "pairedAt").count == 2)
        #expect(devices.contains(#""pairedAt":"2026-05-04""#) && devices.contains(#""lastUsedAt":"2026-05-05""#))
        #expect(try await page.session([cookie]).status == 401)
        #expect(try await page.request("POST", "/v1/refresh", headers: [new]).status == 204)
        #expect(try await page.session([try RunningPage.cookie(in: renewed)]).status == 201)
    }

    @Test func `nothing else buys a token`() async throws {
        let page = try await RunningPage()
        let paired = try await page.pairing()
        let cookie = try RunningPage.cookie(in: paired)
        let own = "Origin: http://127.0.0.1:\(page.port)"
        let token = try RunningPage.field("token", of: paired)
        for (headers, status) in [
            ([], 401), ([own], 401), ([cookie], 401), ([cookie, own, own], 401),
            ([cookie, "Origin: http://127.0.0.1:1"], 403), ([cookie, "Origin: null"], 403),
            ([cookie, "Origin: https://127.0.0.1:\(page.port)"], 403),
            ([cookie, own, "Sec-Fetch-Site: same-site"], 403),
            ([own, cookie + "x"], 401), ([own, String(cookie.dropLast())], 401),
            ([own, cookie.replacing("\(page.port)", with: "1")], 401),
            ([own, cookie.replacing("boardd-session-\(page.port)", with: "boardd-session")], 401),
            ([own, "Cookie: boardd-session-\(page.port)=\(token)"], 401),
            ([own, "Cookie: boardd-session-\(page.port)="], 401),
            ([own, "Authorization: Bearer \(token)"], 401),
        ] {
            let response = try await page.request("POST", "/v1/session", headers: headers)
            #expect(response.status == status, "\(headers)")
            #expect(response.header("set-cookie") == nil)
            if status == 401 {
                #expect(response.text.contains(#""kind":"not-paired""#))
                #expect(response.header("www-authenticate") == "Bearer")
            }
        }
        #expect(try await page.request("GET", "/v1/session", headers: [own, cookie]).status == 405)
        #expect(try await page.session([cookie]).status == 201)
    }

    @Test func `the cookie and its value open no other route`() async throws {
        let page = try await RunningPage { $0.read = .paired }
        let cookie = try RunningPage.cookie(in: try await page.pairing())
        let value = try #require(cookie.split(separator: "=").last)
        let own = "Origin: http://127.0.0.1:\(page.port)"
        for headers in [[own, cookie], [own, "Authorization: Bearer \(value)"]] {
            for (method, target) in [
                ("GET", "/v1/state"), ("GET", "/v1/devices"), ("POST", "/v1/refresh"), ("DELETE", "/v1/devices/Sofa"),
            ] {
                #expect(try await page.request(method, target, headers: headers).status == 401, "\(target)")
            }
        }
    }

    @Test func `the cookie of a device dies with it, and that of another one stays`() async throws {
        let page = try await RunningPage()
        let (first, second) = (try await page.pairing("Sofa"), try await page.pairing("Kitchen"))
        let token = try RunningPage.authorization(in: second)
        #expect(try await page.request("DELETE", "/v1/devices/Sofa", headers: [token]).status == 204)
        #expect(try await page.session([try RunningPage.cookie(in: first)]).status == 401)
        let renewed = try await page.session([try RunningPage.cookie(in: second)])
        let list = try await page.request("GET", "/v1/devices", headers: [try RunningPage.authorization(in: renewed)])
        #expect(list.text.contains("Kitchen") && !list.text.contains("Sofa"))
    }

    @Test func `a cookie is valid after a restart, and so is the token that it bought`() async throws {
        let page = try await RunningPage()
        let cookie = try RunningPage.cookie(in: try await page.pairing())
        let value = Token(text: String(try #require(cookie.split(separator: "=").last)))
        let renewed = try await Self.restarted(page).renewToken(cookie: value)
        let again = Self.restarted(page)
        #expect(await again.device(authorization: "Bearer \(renewed.token)")?.name == "Sofa")
        await #expect(throws: (any Error).self) { try await again.renewToken(cookie: value) }
        let next = try await again.renewToken(cookie: Token(text: try #require(renewed.cookie)))
        #expect(await again.device(authorization: "Bearer \(next.token)")?.name == "Sofa")
        #expect(await again.device(authorization: "Bearer \(renewed.token)") == nil)
    }

    @Test func `a device of a file without cookies keeps its token, and has no cookie`() async throws {
        let page = try await RunningPage()
        let token = try RunningPage.field("token", of: try await page.pairing())
        let path = page.folder + "/page-devices.json"
        var list = try #require(
            try JSONDecoder().decode([[String: String]].self, from: Data(contentsOf: URL(filePath: path))).first)
        #expect(list.removeValue(forKey: "cookie") != nil)
        #expect(Set(list.keys) == ["name", "digest", "pairedAt", "lastUsedAt"])
        try JSONEncoder().encode([list]).write(to: URL(filePath: path))
        let restarted = Self.restarted(page)
        #expect(await restarted.device(authorization: "Bearer \(token)")?.name == "Sofa")
        await #expect(throws: (any Error).self) { try await restarted.renewToken(cookie: Token(text: "")) }
    }

    @Test func `what cannot be stored changes nothing`() async throws {
        let page = try await RunningPage()
        let paired = try await page.pairing()
        let cookie = try RunningPage.cookie(in: paired)
        try FileManager.default.removeItem(atPath: page.folder)
        #expect(try await page.session([cookie]).status == 500)
        let token = try RunningPage.authorization(in: paired)
        #expect(try await page.request("POST", "/v1/refresh", headers: [token]).status == 204)
        try FileManager.default.createDirectory(atPath: page.folder, withIntermediateDirectories: true)
        #expect(try await page.session([cookie]).status == 201)
    }

    @Test func `30 wrong cookies in an hour are answered, and a right one always is`() async throws {
        let page = try await RunningPage()
        let paired = try await page.pairing()
        let pairing = page.pairing
        for _ in 0..<30 {
            await #expect(throws: ServiceError.notPaired) { try await pairing.renewToken(cookie: Token()) }
        }
        let wrong = "Cookie: boardd-session-\(page.port)=x"
        let response = try await page.session([wrong])
        #expect(response.status == 429 && response.header("retry-after") == "3600")
        #expect(try await page.session([]).status == 401)
        #expect(try await page.session([try RunningPage.cookie(in: paired)]).status == 201)
        page.clock.advance(by: .seconds(3_600))
        #expect(try await page.session([wrong]).status == 401)
    }

    private static func store(_ page: RunningPage) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: page.folder + "/page-devices.json")), as: UTF8.self)
    }

    private static func restarted(_ page: RunningPage) -> PairingService {
        PairingService(folder: page.folder, clock: page.clock, log: { _ in }) { _ in }
    }
}
