package import BoardCore
package import BoardIO
package import BoardService
package import BoardStore
import Glibc
import NIOCore
import NIOHTTP1

/// The page: an endpoint of the control server for browsers in the network.
package struct Page: Sendable {
    /// The configuration that applies to a request.
    package struct Settings: Sendable {
        let options: PageOptions
        let language: Language

        package init(_ options: PageOptions, language: Language) {
            self.options = options
            self.language = language
        }
    }

    private let board: any RunningBoard
    private let feed: LiveFeed
    let pairing: PairingService
    private let setup: any RunningSetup
    private let files: PageFiles
    private let origin: RequestOrigin
    private let version: String
    let settings: @Sendable () -> Settings

    /// - Parameters:
    ///   - folder: the folder with the files of the page.
    ///   - hostName: the name of this machine.
    ///   - port: of the listening socket.
    ///   - settings: the configuration in use.
    package init(
        board: any RunningBoard, pairing: PairingService, setup: any RunningSetup, folder: String, hostName: String,
        port: UInt16, version: String, settings: @escaping @Sendable () -> Settings
    ) {
        self.board = board
        feed = LiveFeed(board)
        self.pairing = pairing
        self.setup = setup
        files = PageFiles(folder: folder)
        origin = RequestOrigin(hostName: hostName, port: port)
        self.version = version
        self.settings = settings
    }

    static var limits: ControlLimits {
        var limits = ControlLimits()
        limits.connections = 32
        limits.body = 16_384
        // A browser opens six at once for each page that it loads.
        limits.connectionsPerAddress = 16
        limits.rate = (perSecond: 20, burst: 150)
        return limits
    }

    /// The endpoint of a listening socket.
    ///
    /// - Parameters:
    ///   - descriptor: stays open.
    ///   - name: the socket's name in messages.
    ///   - isServed: whether clients at an address are served.
    package func endpoint(
        descriptor: Int32, name: String, limits: ControlLimits = Page.limits,
        isServed: @escaping @Sendable (IPAddress) -> Bool
    ) -> HTTPEndpoint {
        let router = Router(board: board, feed: feed, adding: routes) { access, request in
            await rejection(of: &request, for: access)
        }
        return HTTPEndpoint(
            .network(descriptor, isServed: isServed), name: name, limits: limits,
            headers: { Self.headers(settings().options, contentType: $0) },
            maximumBody: { await router.maximumBody(of: $0) }
        ) { request in
            if let rejection = origin.rejection(of: request, names: settings().options.names) {
                guard rejection.status == 421, request.method == "GET", let name = origin.origin(of: request),
                    PageScreen(rawValue: request.target.path.joined(separator: "/")) != nil
                else { return rejection }
                return foreignName(name)
            }
            let response = await router.response(request)
            if response.status == 404, request.isNavigation { return noPage() }
            return response.compressed(for: request)
        }
    }

    // MARK: - Routes

    private var routes: [Route] {
        // A device may have to pair just to look.
        Route.pairing(
            pairing, isLocal: false, cookies: SessionCookies(pairing: pairing, origin: origin),
            isAllowed: {
                let options = settings().options
                return options.change != .nobody || options.read == .paired
            }, isOpenForSetup: { setup.isOpenForSetup }
        ) + Route.setup(setup) + [
            Route(Operation("GET", "/v1/page", access: .open, isCompressible: true)) {
                request, _ in
                try .json(await info(of: request, withSetup: true))
            },
            Route(Operation("GET", "/v1/page/qr.svg", access: .open, isCompressible: true)) {
                request, _ in
                guard let code = QRCode(await address(for: request)) else {
                    throw ServiceError(.failed, "the QR code cannot be drawn; please report this")
                }
                return .picture(code.svg, contentType: "image/svg+xml")
            },
            Route(Operation("GET", "/{file}", access: .open, parameters: nil)) { request, _ in
                let name = request.pathValues[0]
                guard PageScreen(rawValue: name) != nil else { return try await files.response(name, request) }
                return try await index(request)
            },
        ]
    }

    /// index.html with what the board shows, unless only paired devices may look: a navigation has no token.
    private func index(_ request: ControlRequest) async throws(ServiceError) -> ControlResponse {
        let mayLook = settings().options.read == .network
        let page = IndexPage(
            template: try await files.template(), info: await info(of: request),
            live: mayLook ? try await feed.now() : nil)
        // It contains times, so no browser may store it.
        var response = ControlResponse(
            status: 200, body: Array(try page.html.utf8), contentType: "text/html; charset=utf-8")
        response.isCompressible = true
        // Nobody sets up the board in another page, which could lead taps astray.
        if request.pathValues.first == PageScreen.setup.rawValue {
            var options = settings().options
            options.frames = []
            response.headers += Self.headers(options, contentType: response.contentType)
        }
        return response
    }

    /// Tells a person what to do about an address that is not the board's.
    private func foreignName(_ name: WebOrigin) -> ControlResponse {
        let words = settings().language.words
        let title = words.page("foreignName").replacing("%word", with: name.description)
        return sentence(status: 421, title, "", "<p>\(words.page("foreignNameHelp").escaped)</p>")
    }

    /// Leads a person to the board from a path that is no screen.
    private func noPage() -> ControlResponse {
        let words = settings().language.words
        return sentence(
            status: 404, words.page("noPage"), "<link rel=\"stylesheet\" href=\"/page.css\">",
            "<p><a class=\"button\" href=\"/\">\(words.page("toBoard").escaped)</a></p>")
    }

    /// A page of one sentence in the board's language, without script.
    ///
    /// - Parameters:
    ///   - head: more HTML of its head.
    ///   - body: HTML after the sentence.
    private func sentence(status: Int, _ sentence: String, _ head: String, _ body: String) -> ControlResponse {
        let html = """
            <!doctype html>
            <html lang="\(settings().language.rawValue)"><head><meta charset="utf-8">\(head)<meta name="viewport" content="width=device-width"><title>boardd</title></head>
            <body><main><h1>\(sentence.escaped)</h1>\(body)</main></body></html>

            """
        return ControlResponse(status: status, body: Array(html.utf8), contentType: "text/html; charset=utf-8")
    }

    private func info(of request: ControlRequest, withSetup: Bool = false) async -> PageInfo {
        let settings = settings()
        let words = settings.language.words
        let device = await pairing.device(authorization: request.headers.first(name: "authorization"))
        return PageInfo(
            name: origin.hostName?.description ?? "boardd", version: version, language: settings.language,
            mayChange: Self.mayChange(settings.options, device), change: settings.options.change,
            device: device?.name, isOwner: settings.options.allowsSetup && device?.isOwner == true,
            setsUp: settings.options.allowsSetup && setup.isOpenForSetup,
            words: withSetup ? words.page.merging(words.setup) { page, _ in page } : words.page,
            tiles: settings.options.tiles.map {
                PageInfo.Tiles(
                    name: $0.name, url: $0.description,
                    attribution: $0.credit?.text ?? settings.options.tilesAttribution, terms: $0.credit?.address)
            },
            address: await address(for: request))
    }

    /// The origin at which another device finds the page: that of the request, or the board's in the network if that
    /// one is of this machine alone.
    private func address(for request: ControlRequest) async -> String {
        guard let origin = origin.origin(of: request) else { return "" }
        let isLocal =
            switch origin.host {
            case .name(let name): name.description == "localhost"
            case .address(let address): address.isLoopback
            }
        guard isLocal, let own = try? await board.state().pageAddresses?.first else { return origin.description }
        return own
    }

    // MARK: - Headers

    private static func headers(_ options: PageOptions, contentType: String) -> [ControlResponse.Header] {
        let always = [
            ControlResponse.Header(name: "X-Content-Type-Options", value: "nosniff"),
            ControlResponse.Header(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
        ]
        // A browser obeys the others in documents alone; with them a page of eight files is 2 kB longer.
        guard !PageFiles.partTypes.contains(contentType) else { return always }
        let frames = options.frames.isEmpty ? "'none'" : options.frames.map(\.description).joined(separator: " ")
        let images = (["'self'", "data:"] + [options.tiles?.origin.description].compactMap(\.self)).joined(
            separator: " ")
        let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src \(images)", "connect-src 'self'",
            "manifest-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors \(frames)",
        ]
        return always + [
            .init(name: "Content-Security-Policy", value: policy.joined(separator: "; ")),
            // Tile servers require the origin.
            .init(
                name: "Referrer-Policy",
                value: options.tiles == nil ? "same-origin" : "strict-origin-when-cross-origin"),
        ]
    }
}

extension ControlRequest {
    /// Whether a browser wants to show the response to a person: not for the API, nor for a file of the page.
    fileprivate var isNavigation: Bool {
        method == "GET" && target.path.first != "v1"
            && headers[canonicalForm: "accept"].contains { $0.lowercased().hasPrefix("text/html") }
    }
}

/// The paths of the page that are screens; its script shows them.
enum PageScreen: String {
    case board = ""
    case stop, find, line, favourites, about, kiosk, setup
}

// Who may use a route of the page.
extension Page {
    static func mayChange(_ options: PageOptions, _ device: PairedDevice?) -> Bool {
        switch options.change {
        case .paired: device != nil
        case .network: true
        case .nobody: false
        }
    }

    /// The response to a client that may not use a route; nil: it may.
    func rejection(of request: inout ControlRequest, for access: Access) async -> ControlResponse? {
        let options = settings().options
        let device = await pairing.device(authorization: request.headers.first(name: "authorization"))
        request.mayChange = Self.mayChange(options, device)
        request.device = device
        switch access {
        case .local:
            return .failure(ServiceError(.notAllowed, "this is possible on the board's machine only; run boardd there"))
        case .look where options.read == .paired && device == nil: return .failure(.notPaired)
        case .device where device == nil: return .failure(.notPaired)
        case .owner where !options.allowsSetup, .present where !options.allowsSetup:
            return .failure(.noSetup)
        case .owner where device?.isOwner != true, .present where device?.isOwner != true:
            guard setup.isOpenForSetup else { return .failure(.noOwner) }
            // They make it an owner.
            return .failure(device == nil ? .notPaired : .digitsNeeded)
        case .present where device.isNilOr { !pairing.isPresent($0) }: return .failure(.digitsNeeded)
        case .change where !request.mayChange:
            guard options.change == .paired else {
                return .failure(
                    ServiceError(
                        .notAllowed,
                        "the page allows no changes: change is \"\(options.change.rawValue)\" in [page] of boardd.toml"
                    ))
            }
            return .failure(.notPaired)
        case .open, .look, .change, .device, .owner, .present: return nil
        }
    }
}
