import BoardCore
import BoardIO
import BoardService
import NIOHTTP1

/// Decides whether a page of this board made a request, by the name to which it was sent.
///
/// A page of another site that makes its own name resolve to this board (DNS rebinding) cannot choose the Host header,
/// and has no home-network name; one that sends to the board's own name cannot choose Origin or Sec-Fetch-Site.
struct RequestOrigin: Sendable {
    /// The host name of this machine; nil: it has none that a browser can use.
    let hostName: HostName?
    /// The port of the listening socket.
    let port: UInt16

    init(hostName: String, port: UInt16) {
        self.hostName = HostName(hostName)
        self.port = port
    }

    /// The response to a request with a Host or an Origin that is not this board's; nil: it is.
    ///
    /// - Parameter names: other names of the board.
    func rejection(of request: ControlRequest, names: [HostName]) -> ControlResponse? {
        guard let origin = origin(of: request),
            accepts(origin, names: names, isProxied: Self.proxyScheme(request) != nil)
        else {
            let found = Self.hosts(request).first.map { "\"\(RequestTarget.quoted($0))\"" } ?? "no name"
            return .failure(
                status: 421,
                "the request was sent to \(found), which is not a name of this board; open its address, or add the name to "
                    + "names in [page] of boardd.toml")
        }
        guard request.target.path.first == "v1" else { return nil }
        let isForeign =
            request.headers.first(name: "origin").isSomeAnd { WebOrigin($0) != origin }
            || request.headers.first(name: "sec-fetch-site").isSomeAnd { $0 != "same-origin" && $0 != "none" }
        guard isForeign else { return nil }
        return .failure(
            status: 403, "the request comes from another site; only the page of the board may send it",
            kind: .notAllowed)
    }

    /// The origin to which the request was sent; nil: it has no readable Host.
    func origin(of request: ControlRequest) -> WebOrigin? {
        let hosts = Self.hosts(request)
        guard hosts.count == 1 else { return nil }
        return WebOrigin("\(Self.proxyScheme(request) ?? "http")://\(hosts[0])")
    }

    /// The authority of an absolute request target, which replaces the Host header (RFC 9112 §3.2.2).
    private static func hosts(_ request: ControlRequest) -> [String] {
        request.target.authority.map { [$0] } ?? request.headers["host"]
    }

    /// The scheme that a proxy on this machine reports; nil: no proxy does.
    private static func proxyScheme(_ request: ControlRequest) -> String? {
        guard case .address(let peer) = request.peer, peer.isLoopback,
            let scheme = request.headers.first(name: "x-forwarded-proto")?.lowercased()
        else { return nil }
        return scheme == "http" || scheme == "https" ? scheme : nil
    }

    private func accepts(_ origin: WebOrigin, names: [HostName], isProxied: Bool) -> Bool {
        switch origin.host {
        case .name(let name) where names.contains(name): true
        case .name(let name): isOwn(name) && (isProxied || origin.port == port)
        case .address: isProxied || origin.port == port
        }
    }

    private func isOwn(_ name: HostName) -> Bool {
        if name.description == "localhost" || name.isOfHomeNetwork { return true }
        guard let own = hostName?.description else { return false }
        return name.description == own || name.description == own.prefix { $0 != "." }
    }
}
