import BoardCore

extension APIKeyPlacement {
    /// The key for the timetable's host. Operators issue it for realtime requests, and someone else often hosts the
    /// zip: that host gets the key only if it also serves a realtime URL, or if there are no realtime URLs.
    func forTimetable(at timetable: GTFSSource, realtime: [GTFSSource]) -> APIKeyPlacement {
        guard let url = timetable.url else { return self }
        let others = realtime.compactMap(\.url)
        var key = self
        key.isForOtherHost = isConfigured && !others.isEmpty && !others.contains(where: url.isSameOrigin)
        return key
    }
}

/// Fetches one of a feed's files and follows redirects: operators often host files elsewhere.
struct GTFSRequest: Sendable {
    private static let maximumRedirects = 5

    let url: HTTPURL
    let key: APIKeyPlacement
    /// Headers other than the key's.
    var headers: [HTTPResponse.Header] = []
    let limit: Int
    var timeout: Duration = .seconds(20)

    /// Fetches the URL, and returns the last response.
    ///
    /// The API key is sent only to the first origin, and masked in errors: an operator may copy the request's query
    /// into the redirect.
    ///
    /// - Parameter sink: makes the receiver of the body for each request in the redirect chain.
    /// - Throws: ``FeedError`` if there is no response, or there are too many redirects. Any status is a response.
    func fetch(_ transport: any HTTPTransport, body sink: () -> HTTPBodySink) async throws(FeedError) -> HTTPResponse {
        var url = url
        for _ in 1...Self.maximumRedirects {
            let isOwn = url.isSameOrigin(as: self.url)
            let request = HTTPRequest(
                url, secrets: isOwn ? key.items : [], headers: headers, secretHeaders: isOwn ? key.headers : [],
                allowsPlain: isOwn, limit: limit, timeout: timeout)
            let response: HTTPResponse
            do {
                response = try await transport.get(request, body: sink())
            } catch {
                // An error status counts even if its body is truncated or too large.
                guard let partial = error.errorResponse else { throw masked(FeedError(error)) }
                response = partial
            }
            guard ResponseError(status: response.status) == .redirect else { return response }
            guard let next = response["Location"].flatMap({ url.redirected(to: $0) }),
                next.scheme == .https || (next.isLoopback && url.isLoopback)
            else {
                throw masked(
                    FeedError(
                        .unreadable, detail: "\(url): redirects to a URL that is not https (status \(response.status))")
                )
            }
            // The key must not reach another host, even if this one copied it into the redirect.
            guard next.isSameOrigin(as: self.url) || withKey.masking(next.description) == next.description else {
                throw FeedError(
                    .unreadable,
                    detail: "\(self.url): redirects to another host with the key in the address: not followed")
            }
            url = next
        }
        throw FeedError(.unreadable, detail: "\(self.url): more than \(Self.maximumRedirects) redirects")
    }

    /// A request with the key, for masking it.
    private var withKey: HTTPRequest { HTTPRequest(url, secrets: key.items, secretHeaders: key.headers, limit: limit) }

    private func masked(_ failure: FeedError) -> FeedError {
        FeedError(failure.kind, detail: withKey.masking(failure.detail))
    }

    func statusFailure(_ response: HTTPResponse, title: String) -> FeedError {
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

    /// The URL in a `Location`: absolute, or another path on this host; nil if invalid.
    fileprivate func redirected(to location: String) -> HTTPURL? {
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return HTTPURL(location) }
        let port = port.map { ":\($0)" } ?? ""
        return HTTPURL("\(scheme.rawValue)://\(host)\(port)\(location)")
    }
}
