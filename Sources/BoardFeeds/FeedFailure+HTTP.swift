internal import BoardCore
internal import BoardFormats

extension FeedFailure {
    /// The feed failure for a request without a complete response, the same for every operator.
    ///
    /// A host that rejects connections counts as one that does not respond (`timedOut`); only an unresolved name or a
    /// missing route is "no network". After a status other than 200 the rest of the body does not matter:
    /// see ``HTTPFailure/errorResponse``.
    init(_ failure: HTTPFailure) {
        let kind: Kind =
            switch failure.kind {
            case .couldNotResolve, .noRoute: .noNetwork
            case .couldNotConnect, .timedOut, .other: .timedOut
            case .truncated: failure.response == nil ? .timedOut : .unreadable
            case .tls(let byDate): byDate ? .certificateDate : .certificate
            case .tooLarge, .badEncoding, .disallowedURL, .notRecorded, .badRecording, .bodyRejected: .unreadable
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

/// The longest body of an error response (any status but 200) that is read for its message, in bytes. The longest recorded
/// one, a gateway's web page, has 6 kB.
private let longestErrorBody = 65_536

extension HTTPTransport {
    /// Sends a request and collects the response, whatever its status. The body of an error response is empty if it is
    /// truncated or larger than ``longestErrorBody``.
    func fetch(_ request: HTTPRequest) async throws(FeedFailure) -> (response: HTTPResponse, body: [UInt8]) {
        do {
            let (response, body) = try await get(request)
            return (response, response.status == 200 || body.count <= longestErrorBody ? body : [])
        } catch {
            guard let errorResponse = error.errorResponse else { throw FeedFailure(error) }
            return (errorResponse, [])
        }
    }
}

extension HTTPFailure {
    /// The error response that preceded the failure, even if its body was truncated or too large; nil: none.
    var errorResponse: HTTPResponse? {
        response.flatMap { $0.status == 200 ? nil : $0 }
    }
}
