internal import BoardCore
internal import BoardFormats

/// Fetches one of a feed's files and follows redirects: operators often host files elsewhere.
struct GTFSRequest: Sendable {
    private static let maxRedirects = 5

    let url: HTTPURL
    let key: APIKeyPlacement
    /// Other headers than that of the key.
    var headers: [HTTPResponse.Header] = []
    let limit: Int
    var timeout: Duration = .seconds(20)

    /// Fetches the URL, and returns the last response.
    ///
    /// The API key is sent to the first origin only, and masked in errors: an operator may copy the request's query into
    /// the redirect.
    ///
    /// - Parameter sink: makes the receiver of a body for each request of the redirect chain.
    /// - Throws: ``FeedFailure`` if there is no response, or too many redirects. Any status is a response.
    func fetch(
        _ transport: any HTTPTransport, body sink: () -> HTTPBodySink
    ) async throws(FeedFailure) -> HTTPResponse {
        var url = url
        for _ in 1...Self.maxRedirects {
            let isOwn = url.isSameOrigin(as: self.url)
            let request = HTTPRequest(
                url, secrets: isOwn ? key.items : [], headers: headers, secretHeaders: isOwn ? key.headers : [],
                allowsPlain: isOwn, limit: limit, timeout: timeout)
            let response: HTTPResponse
            do {
                response = try await transport.get(request, body: sink())
            } catch {
                // An error status counts even if its body is truncated or too large.
                guard let partial = error.response, !partial.isOK else {
                    throw masked(FeedFailure(error))
                }
                response = partial
            }
            guard ResponseError(status: response.status) == .redirect else { return response }
            guard let next = response["Location"].flatMap({ url.redirected(to: $0) }),
                next.scheme == .https || (next.isLoopback && url.isLoopback)
            else {
                throw masked(
                    FeedFailure(
                        .unreadable, detail: "\(url): redirects to a URL that is not https (status \(response.status))")
                )
            }
            // The key must not reach another host, even if this one copied it into the redirect.
            guard next.isSameOrigin(as: self.url) || withKey.masking(next.description) == next.description else {
                throw FeedFailure(
                    .unreadable,
                    detail: "\(self.url): redirects to another host with the key in the address: not followed")
            }
            url = next
        }
        throw FeedFailure(
            .unreadable, detail: "\(self.url): more than \(Self.maxRedirects) redirects")
    }

    /// A request with the key, for masking it.
    private var withKey: HTTPRequest {
        HTTPRequest(url, secrets: key.items, secretHeaders: key.headers, limit: limit)
    }

    private func masked(_ failure: FeedFailure) -> FeedFailure {
        FeedFailure(failure.kind, detail: withKey.masking(failure.detail))
    }

    func statusFailure(_ response: HTTPResponse, title: String) -> FeedFailure {
        let withheld =
            "authentication required, and \(key.name) is sent to the hosts in `realtime` only: download the zip "
            + "yourself and set `timetable` in boardd.toml to the file"
        return ResponseStatusPolicy(
            title: title, settings: "the URL in boardd.toml",
            authentication: key.isForOtherHost ? (.keyRejected, withheld) : key.rejection
        ).failure(response, [], of: withKey)
    }
}

extension HTTPURL {
    func isSameOrigin(as other: HTTPURL) -> Bool {
        host == other.host && port == other.port && scheme == other.scheme
    }

    /// The URL of a `Location`: absolute, or another path of this host; nil if invalid.
    fileprivate func redirected(to location: String) -> HTTPURL? {
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return HTTPURL(location) }
        let port = port.map { ":\($0)" } ?? ""
        return HTTPURL("\(scheme.rawValue)://\(host)\(port)\(location)")
    }
}
