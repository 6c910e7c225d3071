import BoardCore
import BoardIO
import BoardService
import BoardStore
import NIOHTTP1
import ServerTesting
import Testing
import Waiting

@testable import BoardControl

@Suite("A request to the page", .endsHangs)
struct AccessTests {
    @Test(
        "is served under the board's own names",
        arguments: [
            "127.0.0.1:PORT", "localhost:PORT", "boardpi:PORT", "BoardPi.local:PORT", "boardpi-2.local:PORT",
            "boardpi.lan:PORT", "board.home.arpa:PORT", "boardpi.internal:PORT", "boardpi.localdomain.:PORT",
            "[::1]:PORT", "192.168.1.5:PORT", "board.example.org", "board.example.org:9443",
        ])
    func ownName(host: String) async throws {
        let page = try await RunningPage { $0.names = [HostName("board.example.org")].compactMap(\.self) }
        let host = host.replacing("PORT", with: "\(page.port)")
        #expect(try await page.request("GET", "/v1/state", host: host).status == 200)
    }

    @Test(
        "under another name gets 421 and nothing else, also for a file",
        arguments: [
            "evil.test", "evil.test:PORT", "boardpi.evil.test:PORT", "boardpi.local.evil.test:PORT", "127.0.0.1",
            "127.0.0.1:1",
            "boardpi.fritz.box:PORT", "lan:PORT", "boardpi.lan.evil.test:PORT", "boardpi.lan", "boardpi-.local:PORT",
            "127.0.0.1.:PORT", "127.0.0.1:PORT:1", "",
        ])
    func foreignName(host: String) async throws {
        let page = try await RunningPage()
        let host = host.replacing("PORT", with: "\(page.port)")
        for target in ["/", "/page.css", "/v1/state", "/v1/nothing"] {
            let response = try await page.request("GET", target, host: host)
            #expect(response.status == 421, "\(target)")
            #expect(!response.text.contains("Oxford"))
        }
        #expect(page.board.calls.isEmpty)
    }

    @Test("under another name gets a page for a person, in the board's language, and JSON for a program")
    func foreignPage() async throws {
        let page = try await RunningPage(language: .german)
        let response = try await page.request("GET", "/", host: "boardpi.fritz.box:\(page.port)")
        #expect(response.header("content-type") == "text/html; charset=utf-8")
        #expect(response.text.contains("http://boardpi.fritz.box:\(page.port) ist keine Adresse dieser Tafel."))
        #expect(response.text.contains("names"))
        let program = try await page.request("GET", "/v1/state", host: "boardpi.fritz.box")
        #expect(program.header("content-type") == "application/json")
    }

    @Test("from a browser for a path that is no screen gets a page with a link to the board, in its language")
    func noPage() async throws {
        let page = try await RunningPage(language: .german)
        let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
        for path in ["/favoriten", "/stop/1", "/secret"] {
            let response = try await page.request("GET", path, headers: [browser])
            #expect(response.status == 404)
            #expect(response.header("content-type") == "text/html; charset=utf-8")
            #expect(response.text.contains("lang=\"de\"") && !response.text.contains("script"))
            #expect(response.text.contains("Unter dieser Adresse gibt es keine Seite."))
            #expect(response.text.contains("href=\"/\">Zur Tafel</a>"))
            #expect(try await page.request("GET", path).header("content-type") == "application/json", "\(path)")
        }
        let program = try await page.request("GET", "/v1/nothing", headers: [browser])
        #expect(program.status == 404)
        #expect(program.header("content-type") == "application/json")
    }

    @Test(
        "to a machine with a domain in its name is served under its first label, too",
        arguments: ["boardpi.example.org", "boardpi", "boardpi.local", "boardpi-3.local"])
    func domain(host: String) throws {
        let origin = RequestOrigin(hostName: "boardpi.example.org", port: 80)
        let target = try RequestTarget("/v1/state")
        let request = ControlRequest(method: "GET", target: target, headers: ["host": host])
        #expect(origin.rejection(of: request, names: [])?.status == nil)
        let other = ControlRequest(method: "GET", target: target, headers: ["host": "other.example.org"])
        #expect(origin.rejection(of: other, names: [])?.status == 421)
    }

    @Test("with the name in an absolute target is judged by that name")
    func absoluteTarget() async throws {
        let page = try await RunningPage()
        let own = "http://127.0.0.1:\(page.port)"
        #expect(try await page.request("GET", "\(own)/v1/state", host: "evil.test").status == 200)
        #expect(try await page.request("GET", "http://evil.test/v1/state").status == 421)
        #expect(try await page.request("GET", "HTTP://evil.test/v1/state").status == 421)
    }

    @Test("with two Host headers is rejected")
    func twoHosts() async throws {
        let page = try await RunningPage()
        let response = try await page.request("GET", "/v1/state", headers: ["Host: evil.test"])
        #expect([400, 421].contains(response.status))
    }

    @Test(
        "from a page of another site gets 403",
        arguments: [
            "Origin: http://evil.test", "Origin: null", "Origin: https://127.0.0.1:PORT", "Origin: http://127.0.0.1",
            "Origin: http://localhost:PORT", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
        ])
    func foreignOrigin(header: String) async throws {
        let page = try await RunningPage { $0.change = .network }
        let header = header.replacing("PORT", with: "\(page.port)")
        for (method, target) in [("GET", "/v1/state"), ("POST", "/v1/refresh"), ("POST", "/v1/pairings")] {
            #expect(try await page.request(method, target, headers: [header]).status == 403, "\(method) \(target)")
        }
        #expect(page.board.calls.isEmpty)
        #expect(page.digits == nil)
    }

    @Test("of the board's own page is served")
    func ownOrigin() async throws {
        let page = try await RunningPage { $0.change = .network }
        let headers = ["Origin: http://127.0.0.1:\(page.port)", "Sec-Fetch-Site: same-origin"]
        #expect(try await page.request("POST", "/v1/refresh", headers: headers).status == 204)
        #expect(try await page.request("GET", "/v1/state", headers: ["Sec-Fetch-Site: none"]).status == 200)
    }

    @Test("through a proxy on this machine has the proxy's scheme, and any port")
    func proxy() async throws {
        let page = try await RunningPage {
            $0.change = .network
            $0.names = [HostName("board.example.org")].compactMap(\.self)
        }
        let headers = ["X-Forwarded-Proto: https", "Origin: https://board.example.org"]
        let response = try await page.request("POST", "/v1/refresh", headers: headers, host: "board.example.org")
        #expect(response.status == 204)
        #expect(
            try await page.request("GET", "/v1/page", headers: headers, host: "board.example.org").text
                .contains(#""address":"https://board.example.org""#))
        let wrong = ["X-Forwarded-Proto: https", "Origin: http://board.example.org"]
        #expect(try await page.request("POST", "/v1/refresh", headers: wrong, host: "board.example.org").status == 403)
    }

    @Test("is rejected in the order name, origin, method, permission, body")
    func order() async throws {
        let page = try await RunningPage()
        let foreign = "Origin: http://evil.test"
        #expect(try await page.request("PUT", "/v1/press", headers: [foreign], host: "evil.test").status == 421)
        #expect(try await page.request("PUT", "/v1/press", headers: [foreign]).status == 403)
        #expect(try await page.request("PUT", "/v1/press").status == 405)
        #expect(try await page.request("POST", "/v1/press", headers: ["Content-Type: text/plain"]).status == 401)
        let token = try await page.paired()
        let form = try await page.request("POST", "/v1/press", headers: [token, "Content-Type: text/plain"])
        #expect(form.status == 415)
    }

    @Test("without a token may look, and change nothing")
    func stranger() async throws {
        let page = try await RunningPage()
        for target in ["/", "/page.css", "/v1/state", "/v1/live", "/v1/page", "/v1/favourites", "/v1/directory"] {
            #expect(try await page.request("GET", target).status == 200, "\(target)")
        }
        let changes = [
            ("POST", "/v1/press"), ("POST", "/v1/refresh"), ("POST", "/v1/favourites"), ("POST", "/v1/favourites/undo"),
            ("PATCH", "/v1/favourites/tfl:1"), ("DELETE", "/v1/favourites/tfl:1"), ("POST", "/v1/stops/tfl:1/look"),
            ("GET", "/v1/lines/tfl:73"), ("GET", "/v1/devices"), ("DELETE", "/v1/devices/Sofa"),
        ]
        let before = page.board.calls
        for (method, target) in changes {
            let response = try await page.request(method, target, body: method == "GET" ? nil : "{}")
            #expect(response.status == 401, "\(method) \(target)")
            #expect(response.header("www-authenticate") == "Bearer")
            #expect(response.text.contains("six digits"))
        }
        #expect(page.board.calls == before)
    }

    @Test("cannot do what only the machine itself may do, paired or not", arguments: [true, false])
    func localOnly(isPaired: Bool) async throws {
        let page = try await RunningPage()
        let headers = isPaired ? [try await page.paired()] : []
        for target in ["/v1/reload", "/v1/setup"] {
            #expect(try await page.request("POST", target, headers: headers).status == 403)
        }
    }

    @Test("in a network where only paired devices may look shows a stranger nothing of the board")
    func readPaired() async throws {
        let page = try await RunningPage { $0.read = .paired }
        for target in ["/v1/state", "/v1/live", "/v1/events", "/v1/favourites", "/v1/stops?query=x"] {
            #expect(try await page.request("GET", target).status == 401, "\(target)")
        }
        let index = try await page.request("GET", "/")
        #expect(index.status == 200)
        #expect(!index.text.contains("Oxford"))
        let token = try await page.paired()
        #expect(try await page.request("GET", "/v1/state", headers: [token]).status == 200)
    }

    @Test("about the paired devices needs a token also where the whole network may change something")
    func devices() async throws {
        let page = try await RunningPage { $0.change = .network }
        let token = try await page.paired()
        #expect(try await page.request("GET", "/v1/devices").status == 401)
        #expect(try await page.request("DELETE", "/v1/devices/Sofa").status == 401)
        #expect(try await page.request("GET", "/v1/devices", headers: [token]).status == 200)
    }

    @Test("of a device that may look only where it is paired can be paired, also where nothing may be changed")
    func pairsToLook() async throws {
        let page = try await RunningPage {
            $0.read = .paired
            $0.change = .nobody
        }
        let token = try await page.paired()
        #expect(try await page.request("GET", "/v1/state", headers: [token]).status == 200)
        #expect(try await page.request("POST", "/v1/refresh", headers: [token]).status == 403)
    }

    @Test("changes nothing where no device may change something, and starts no pairing")
    func unchangeable() async throws {
        let page = try await RunningPage()
        let token = try await page.paired()
        page.set { $0.change = .nobody }
        let response = try await page.request("POST", "/v1/refresh", headers: [token])
        #expect(response.status == 403)
        #expect(response.text.contains("nobody"))
        #expect(try await page.request("POST", "/v1/pairings").status == 403)
    }

    @Test("from an address that is not served is disconnected without a response")
    func peers() async throws {
        let page = try await RunningPage(isServed: { _ in false })
        let client = try RawClient(port: page.port)
        try await client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\r\n")
        #expect(try await client.response() == nil)
        #expect(page.board.calls.isEmpty)
    }

    @Test("of a connection that was reset before the server accepted it is not acted on: it has no address")
    func reset() async throws {
        let page = try await RunningPage {
            $0.change = .network
        } early: { port in
            do {
                let client = try RawClient(port: port)
                try await client.send("POST /v1/refresh HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
                // Where connect(2) returns before a busy kernel has made the server's end, that end would be reset too late.
                #expect(await eventually { (try? RawClient.isConnected(to: port)) == true })
                client.resetAtEnd()
            }
            #expect(await eventually { (try? RawClient.isConnected(to: port)) == false })
        }
        // It was accepted later.
        #expect(try await page.request("GET", "/page.css").status == 200)
        try await page.stop()
        #expect(page.board.calls.isEmpty)
    }

    @Test("gets the security headers with every response, also with errors of the protocol")
    func headers() async throws {
        let page = try await RunningPage {
            $0.frames = [WebOrigin("http://homeassistant.local:8123")].compactMap(\.self)
            $0.tiles = TileSource("https://tile.example.org/{z}/{x}/{y}.png")
        }
        var responses = [
            try await page.request("GET", "/"), try await page.request("GET", "/v1/state"),
            try await page.request("GET", "/nothing.js"), try await page.request("GET", "/", host: "evil.test"),
        ]
        let client = try RawClient(port: page.port)
        try await client.send("nonsense\r\n\r\n")
        responses.append(try #require(try await client.response()))
        for response in responses {
            let policy = response.header("content-security-policy") ?? ""
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'"))
            #expect(policy.contains("img-src 'self' data: https://tile.example.org;"))
            #expect(policy.hasSuffix("frame-ancestors http://homeassistant.local:8123"))
            #expect(response.header("x-content-type-options") == "nosniff")
            #expect(response.header("referrer-policy") == "strict-origin-when-cross-origin")
            #expect(response.header("cross-origin-resource-policy") == "same-origin")
            #expect(response.header("access-control-allow-origin") == nil)
        }
        #expect(responses[1].header("cache-control") == "no-store")
        page.set { $0 = PageOptions() }
        let plain = try await page.request("GET", "/")
        #expect(plain.header("content-security-policy")?.hasSuffix("frame-ancestors 'none'") == true)
        #expect(plain.header("referrer-policy") == "same-origin")
    }
}

@Suite("The limits of the page", .endsHangs)
struct PageLimitTests {
    // What they do is tested with the server (ConnectionTests, HostileClientTests).
    @Test("are 32 connections, 16 and four streams of one address, 20 requests a second with bursts of 150, and 16 kB")
    func values() {
        let limits = Page.limits
        #expect(limits.connectionsPerAddress == 16 && limits.streamsPerAddress == 4)
        #expect(limits.connections == 32 && limits.body == 16_384 && limits.headers == 16_384)
        #expect(limits.rate?.perSecond == 20 && limits.rate?.burst == 150)
    }
}

@Suite("A file of the page", .endsHangs)
struct PageFileTests {
    @Test("is sent with its type and a tag, and not again while it is the same")
    func tag() async throws {
        let page = try await RunningPage()
        let first = try await page.request("GET", "/page.css")
        #expect(first.header("content-type") == "text/css; charset=utf-8")
        #expect(first.header("cache-control") == "no-cache")
        let tag = try #require(first.header("etag"))
        let second = try await page.request("GET", "/page.css", headers: ["If-None-Match: \(tag)"])
        #expect(second.status == 304)
        #expect(second.body.isEmpty)
    }

    @Test(
        "outside of the folder, or without a known type, is not sent",
        arguments: [
            "/secret", "/..%2Fpage-devices.json", "/%2Fetc%2Fpasswd", "/index.html", "/.css", "/page.css%00",
            "/none.css",
        ])
    func others(target: String) async throws {
        let page = try await RunningPage()
        _ = try await page.paired()
        let response = try await page.request("GET", target)
        #expect([400, 404].contains(response.status))
        #expect(!response.text.contains("not for others"))
    }

    @Test(
        "index.html has the board in it, in the configured language, for every screen",
        arguments: ["/", "/find", "/stop?id=tfl:1", "/favourites", "/about", "/line"])
    func index(target: String) async throws {
        let page = try await RunningPage(language: .german)
        let response = try await page.request("GET", target)
        #expect(response.status == 200)
        #expect(response.header("content-type") == "text/html; charset=utf-8")
        #expect(response.text.contains("<html lang=de>"))
        #expect(response.text.contains("Oxford Circus"))
    }
}
