internal import BoardCore

extension FeedFailure {
    /// What a request without a whole answer means to the board, the same for every operator.
    ///
    /// An operator that refuses connections is there and not answering (`timedOut`); only a name that does not resolve
    /// and a network without a way are "no network". Once a status other than 200 had come, the rest of the body is
    /// of no matter: see ``HTTPFailure/refusal``.
    init(_ failure: HTTPFailure, requests: Int = 1) {
        let kind: Kind =
            switch failure.kind {
            case .couldNotResolve, .noRoute: .noNetwork
            case .couldNotConnect, .timedOut, .other: .timedOut
            case .truncated: failure.response == nil ? .timedOut : .unreadable
            case .tls(let byDate): byDate ? .certificateDate : .certificate
            case .tooLarge, .badEncoding, .disallowedURL, .notRecorded, .badRecording, .bodyRejected: .unreadable
            case .cancelled: .cancelled
            }
        self.init(
            kind, detail: failure.description + Self.advice(on: kind), requests: requests)
    }

    /// What a person can do about it, as the end of a sentence; empty where there is nothing to be done but to wait.
    private static func advice(on kind: Kind) -> String {
        switch kind {
        case .noNetwork: ": check this machine's network and name servers"
        case .certificateDate: ": check this machine's clock (timedatectl)"
        case .certificate:
            ": look for a proxy or a portal in between; without certificates, apt install ca-certificates"
        default: ""
        }
    }
}

/// The longest body of a refusal (any status but 200) that is read for what it says, in bytes. The longest that was recorded, a
/// gateway's web page, has 6 kB.
private let longestRefusal = 65_536

extension HTTPTransport {
    /// Asks and collects the answer, whatever its status; the body of a refusal is empty where it did not come whole, or is longer
    /// than any.
    func fetch(to request: HTTPRequest) async throws(FeedFailure) -> (response: HTTPResponse, body: [UInt8]) {
        do {
            let (response, body) = try await get(request)
            return (response, response.status == 200 || body.count <= longestRefusal ? body : [])
        } catch {
            guard let refusal = error.errorResponse else { throw FeedFailure(error) }
            return (refusal, [])
        }
    }
}

extension HTTPFailure {
    /// The refusal that came before the failure: one whose body was cut or too large is a refusal still. Nil: none did.
    var errorResponse: HTTPResponse? {
        response.flatMap { $0.status == 200 ? nil : $0 }
    }
}
