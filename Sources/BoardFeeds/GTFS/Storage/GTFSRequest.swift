internal import BoardCore

/// Asks for one of a city's files, over as many addresses as it takes: operators keep files at others' and say where.
struct GTFSRequest: Sendable {
    /// How often an operator may point elsewhere.
    private static let maxRedirects = 5

    let url: HTTPURL
    let key: APIKeyPlacement
    /// By what the operator tells whether it has something new.
    var validators: (etag: String?, lastModified: String?) = (nil, nil)
    let limit: Int
    var timeout: Duration = .seconds(20)

    /// Asks, and hands over the body of the last answer.
    ///
    /// The key goes to the first host and port alone: another one has nothing to do with it. Nor do errors tell it: an
    /// operator may put what it was asked into the address that it points to.
    ///
    /// - Parameter sink: takes bytes of the body with the number of the address that they come from, counted from 1.
    /// - Throws: ``FeedFailure`` where there is no answer, or one that points in circles. Any status is an answer.
    func fetch(
        _ transport: any HTTPTransport, body sink: @escaping @Sendable (Int, Span<UInt8>) throws -> Void
    ) async throws(FeedFailure) -> (response: HTTPResponse, requests: Int) {
        var url = url
        for move in 1...Self.maxRedirects {
            let isOwn = url.isSameOrigin(as: self.url)
            let request = HTTPRequest(
                url, secrets: isOwn ? key.items : [], headers: conditions, secretHeaders: isOwn ? key.headers : [],
                limit: limit, timeout: timeout)
            let response: HTTPResponse
            do {
                response = try await transport.get(request) { try sink(move, $0) }
            } catch {
                // A refusal whose body was cut or too large is a refusal still.
                guard let refusal = error.response, refusal.status != 200 else {
                    throw masked(FeedFailure(error, requests: move))
                }
                response = refusal
            }
            guard [301, 302, 303, 307, 308].contains(response.status) else { return (response, move) }
            guard let next = response["Location"].flatMap({ url.redirected(to: $0) }),
                next.scheme == .https || (next.isLoopback && url.isLoopback)
            else {
                throw masked(
                    FeedFailure(
                        .unreadable, detail: "\(url): points to no https address (status \(response.status))",
                        requests: move))
            }
            // Another host has nothing to do with the key, also where this one wrote it into the new address.
            guard next.isSameOrigin(as: self.url) || withKey.masking(next.description) == next.description else {
                throw FeedFailure(
                    .unreadable,
                    detail: "\(self.url): redirects to another host with the key in the address: not followed",
                    requests: move)
            }
            url = next
        }
        throw FeedFailure(
            .unreadable, detail: "\(self.url): points elsewhere more than \(Self.maxRedirects) times",
            requests: Self.maxRedirects)
    }

    /// A request that carries the key, and so can mask it.
    private var withKey: HTTPRequest {
        HTTPRequest(url, secrets: key.items, secretHeaders: key.headers, limit: limit)
    }

    /// A failure without the key.
    private func masked(_ failure: FeedFailure) -> FeedFailure {
        FeedFailure(failure.kind, detail: withKey.masking(failure.detail), requests: failure.requests)
    }

    private var conditions: [HTTPResponse.Header] {
        [
            validators.etag.map { .init("If-None-Match", $0) },
            validators.lastModified.map { .init("If-Modified-Since", $0) },
        ]
        .compactMap(\.self)
    }

    /// What a status other than those of success means.
    func statusFailure(_ response: HTTPResponse, title: String, requests: Int) -> FeedFailure {
        let advice: (kind: FeedFailure.Kind, text: String) =
            switch response.status {
            case 401, 403: refused
            case 429: (.rateLimited(retryAfter: response.retryAfter), "too many requests")
            case 404, 410: (.status(response.status), "there is nothing at this address: check it in boardd.toml")
            default: (.status(response.status), "the operator answers with status \(response.status)")
            }
        return FeedFailure(
            advice.kind, detail: "\(title), \(url): status \(response.status): \(advice.text)", requests: requests,
            retryAfter: response.retryAfter)
    }

    /// What it means that nobody is let in.
    private var refused: (kind: FeedFailure.Kind, text: String) {
        if key.isWithheld {
            return (
                .keyRejected,
                "it lets nobody in, and \(key.name) goes to the hosts in `realtime` alone: fetch the zip yourself, and let "
                    + "`timetable` in boardd.toml name the file"
            )
        }
        if key.isMissing { return (.keyMissing, "it wants a key: put \(key.name) into keys.env and restart boardd") }
        return (
            .keyRejected,
            key.secret == nil
                ? "it lets nobody in; if the operator gave you a key, say in boardd.toml where it goes (key_header or "
                    + "key_parameter) and put it into keys.env as \(key.name)"
                : "it refuses \(key.name): check it in keys.env, and key_header or key_parameter in boardd.toml, then "
                    + "restart boardd"
        )
    }
}

extension HTTPURL {
    /// Whether it leads to the same door as another one: who answers there is the same.
    func isSameOrigin(as other: HTTPURL) -> Bool {
        host == other.host && port == other.port && scheme == other.scheme
    }

    /// Where a `Location` leads from here: another address, or another path of this host; nil where it is none.
    fileprivate func redirected(to location: String) -> HTTPURL? {
        guard location.hasPrefix("/"), !location.hasPrefix("//") else { return HTTPURL(location) }
        let port = port.map { ":\($0)" } ?? ""
        return HTTPURL("\(scheme.rawValue)://\(host)\(port)\(location)")
    }
}
