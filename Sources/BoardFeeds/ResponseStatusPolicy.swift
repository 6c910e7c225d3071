import BoardCore

/// What an error response means, by its status or by its body. No feed contains a status code.
enum ResponseError: Hashable, Sendable {
    case noContent, redirect, badRequest, unauthorized, forbidden, notFound, rateLimited, unavailable, serverError
    case other
    /// Reported by the body or derived by the policy.
    case unknownStop
    /// A gateway's web page instead of a response to the key.
    case blocked

    init(status: Int) {
        self =
            switch status {
            case 204: .noContent
            case 301...303, 307, 308: .redirect
            case 400, 422: .badRequest
            case 401: .unauthorized
            case 403: .forbidden
            case 404, 410: .notFound
            case 429: .rateLimited
            case 503: .unavailable
            case 500...: .serverError
            default: .other
            }
    }

    /// Whether the cause is in the server (5xx).
    var isOfServer: Bool { self == .serverError || self == .unavailable }
}

/// The failures of error responses, the same for every operator apart from the data here.
struct ResponseStatusPolicy: Sendable {
    /// How much of an operator's message goes into a log line, in characters.
    private static let maximumMessageLength = 200
    /// The longest delay that a message may request.
    private static let maximumDelay: Int64 = 86_400
    /// Where operators and gateways put their messages.
    private static let messageMembers = ["message", "Message", "detail", "error", "title"]

    /// Precedes the URL in messages; nil: the URL identifies the operator.
    var title: String?
    /// What to check if the URL may be wrong: "url in boardd.toml, [feed.tfl]".
    let settings: String
    /// The stop in the request, as configured; nil: none.
    var stop: String?
    /// The errors that mean an unknown stop.
    var unknownStop: Set<ResponseError> = [.notFound]
    /// The member of the body that an unknown stop requires: without it the URL is wrong. Nil: none.
    var unknownStopMember: String?
    /// The failure of authentication; nil: the operator uses no key.
    var authentication: (kind: FeedError.Kind, advice: String)?
    /// Whether status 403 with a web page comes from a gateway that blocks the client, and not from a rejected key.
    var hasBlockingGateway = false
    var advice: [ResponseError: String] = [:]

    /// The failure for a response other than 200.
    ///
    /// - Parameter status: the status in a gateway's wrapper; nil: that of the response.
    func failure(_ response: HTTPResponse, _ body: [UInt8], of request: HTTPRequest, status: Int? = nil) -> FeedError {
        var error = ResponseError(status: status ?? response.status)
        if stop != nil, unknownStop.contains(error),
            unknownStopMember.isNilOr({ (try? JSONDocument(body).row())?.text($0) != nil })
        {
            error = .unknownStop
        } else if error == .forbidden, hasBlockingGateway, body.isMarkup {
            error = .blocked
        }
        return failure(error, response, message: Self.message(in: body), of: request, status: status)
    }

    /// The failure for an error that the body reports.
    func failure(
        _ error: ResponseError, _ response: HTTPResponse, message: String?, of request: HTTPRequest, status: Int? = nil
    ) -> FeedError {
        let status = status ?? response.status
        let kind: FeedError.Kind =
            switch error {
            case .unauthorized, .forbidden: authentication?.kind ?? .status(status)
            case .unknownStop: .unknownStop
            case .rateLimited: .rateLimited(retryAfter: response.retryAfter ?? message.flatMap(Self.delay))
            case .unavailable where response.isOK: .unavailable
            default: .status(status == HTTPResponse.okStatus ? 500 : status)
            }
        let found = "status \(status), \(advice[error] ?? usualAdvice(error))"
        return failure(kind, found, message: message, of: request, retryAfter: response.retryAfter)
    }

    /// The failure for a response that cannot be decoded.
    ///
    /// - Parameter found: what was found and expected, with keys masked.
    func unreadable(_ found: String, message: String?, of request: HTTPRequest) -> FeedError {
        failure(.unreadable, "\(found); if this persists, check \(settings)", message: message, of: request)
    }

    /// A failure: where, what was found, and the operator's message. Keys are masked before the message is cut.
    func failure(
        _ kind: FeedError.Kind, _ found: String, message: String? = nil, of request: HTTPRequest,
        retryAfter: Duration? = nil
    ) -> FeedError {
        let place = (title.map { "\($0), " } ?? "") + "\(request.url): "
        let text = message.map { request.masking(HTMLText.plain(request.masking($0))) } ?? ""
        let quoted = text.prefix(Self.maximumMessageLength)
        return FeedError(
            kind, detail: request.masking(place + found) + (quoted.isEmpty ? "" : "; server message: \(quoted)"),
            retryAfter: retryAfter)
    }

    func read<Value>(
        _ request: HTTPRequest, over transport: any HTTPTransport, _ decode: ([UInt8], HTTPResponse) throws -> Value
    ) async throws(FeedError) -> Value {
        let (response, body) = try await transport.fetch(request)
        guard response.isOK else { throw failure(response, body, of: request) }
        do {
            return try decode(body, response)
        } catch let failure as FeedError {
            throw failure
        } catch {
            throw unreadable(error as? FormatError ?? FormatError("\(error)"), in: body, of: request)
        }
    }

    /// The failure for a body that is not the expected JSON.
    func unreadable(_ fault: FormatError, in body: [UInt8], of request: HTTPRequest) -> FeedError {
        unreadable("\(fault.masked(in: body, of: request))", message: Self.message(in: body), of: request)
    }

    private func usualAdvice(_ error: ResponseError) -> String {
        switch error {
        case .unauthorized, .forbidden: authentication?.advice ?? "check \(settings)"
        case .unknownStop: "unknown stop \(stop ?? ""): check it in favourites.toml"
        case .rateLimited: "too many requests: poll less often (interval) or have fewer favourites"
        case .serverError, .unavailable: "server error. Retrying"
        case .blocked: "blocked by the gateway (HTML page, not a key error): try again later"
        case .notFound: "not found: check \(settings)"
        case .noContent, .redirect, .badRequest, .other: "check \(settings)"
        }
    }

    /// The message in a JSON error body, also in a gateway's wrapper (`body`) or in Apigee's (`fault`).
    static func message(in body: [UInt8]) -> String? {
        guard let row = try? JSONDocument(body).row() else { return nil }
        return row.text("body").flatMap { message(in: Array($0.utf8)) } ?? row.row("fault")?.text("faultstring")
            ?? messageMembers.lazy.compactMap(row.text).first
    }

    /// N of "Rate limit is exceeded. Try again in N seconds.", a message of Azure's gateway; nil if absent or not
    /// positive.
    private static func delay(in message: String) -> Duration? {
        let words = message.split(separator: " ")
        guard let unit = words.firstIndex(where: { $0.lowercased().hasPrefix("second") }), unit > words.startIndex,
            let seconds = Int64(words[words.index(before: unit)]), seconds > 0
        else { return nil }
        return .seconds(min(seconds, maximumDelay))
    }
}

extension HTTPResponse {
    /// The status of every success: feeds request no other kind.
    static let okStatus = 200

    var isOK: Bool { status == Self.okStatus }
    /// Whether a conditional request found nothing new.
    var isNotModified: Bool { status == 304 }
    /// When the response was made, by the operator's clock; else when it was received.
    var madeAt: Timestamp { date ?? received }
}

extension FeedError.Kind {
    /// The service or a part of it is unavailable.
    static var unavailable: Self { .status(503) }

    /// Whether the operator rejected this very request, so its earlier response is no longer valid.
    var isPermanent: Bool {
        switch self {
        case .unknownStop: true
        case .status(let status): status < 500
        default: false
        }
    }
}

extension FeedError {
    /// The result of `body`; nil if it fails because the operator does not know what was requested.
    static func nilIfUnknown<Value>(_ body: () async throws(FeedError) -> Value?) async throws(FeedError) -> Value? {
        do throws(FeedError) {
            return try await body()
        } catch {
            guard error.kind == .unknownStop else { throw error }
            return nil
        }
    }
}

extension [UInt8] {
    var isMarkup: Bool { first { !$0.isBlank } == UInt8(ascii: "<") }
}

extension FeedError {
    /// The feed failure for a request without a complete response, the same for every operator.
    ///
    /// A host that rejects connections counts as one that does not respond (`timedOut`); only an unresolved name or a
    /// missing route is "no network". After a status other than 200 the rest of the body does not matter:
    /// see ``HTTPError/errorResponse``.
    init(_ failure: HTTPError) {
        let kind: Kind =
            switch failure.kind {
            case .noNetwork: .noNetwork
            case .timedOut: .timedOut
            case .truncated: failure.response == nil ? .timedOut : .unreadable
            case .tls(let byDate): byDate ? .certificateDate : .certificate
            case .unusable: .unreadable
            case .cancelled: .cancelled
            }
        self.init(kind, detail: failure.description + Self.advice(on: kind))
    }

    /// Advice to the user, as the end of a sentence; empty if there is nothing to do but wait.
    private static func advice(on kind: Kind) -> String {
        switch kind {
        case .noNetwork: ": check this machine's network and name servers"
        case .certificateDate: ": check this machine's clock (timedatectl)"
        case .certificate:
            ": check for a proxy or captive portal; if certificates are missing, apt install ca-certificates"
        default: ""
        }
    }
}

/// The longest body of an error response (any status but 200) that is read for its message, in bytes. The longest
/// recorded one, a gateway's web page, has 6 kB.
private let maximumErrorBodySize = 65_536

extension HTTPTransport {
    /// Sends a request and collects the response, whatever its status. The body of an error response is empty if it is
    /// truncated or larger than ``maximumErrorBodySize``.
    func fetch(_ request: HTTPRequest) async throws(FeedError) -> (response: HTTPResponse, body: [UInt8]) {
        do {
            let (response, body) = try await get(request)
            return (response, response.status == 200 || body.count <= maximumErrorBodySize ? body : [])
        } catch {
            guard let errorResponse = error.errorResponse else { throw FeedError(error) }
            return (errorResponse, [])
        }
    }
}

extension HTTPError {
    /// The error response that preceded the failure, even if its body was truncated or too large; nil: none.
    var errorResponse: HTTPResponse? { response.flatMap { $0.status == 200 ? nil : $0 } }
}
