import BoardIO
package import BoardService
import NIOHTTP1

/// The cookies of paired browsers, in case they lose their tokens: Safari deletes what a script stored after a week
/// without a visit.
///
/// A cookie is not the token, and only `POST /v1/session` accepts it. A browser sends cookies also for pages of other
/// ports, and where another page caused the request; so the request must come from the board's own page.
package struct SessionCookies: Sendable {
    let pairing: PairingService
    let origin: RequestOrigin

    /// The longest that browsers keep a cookie: 400 days.
    private static let maximumAge = 34_560_000

    /// The header that stores the cookie of a device which has just got a token.
    func header(for token: PairingToken, to request: ControlRequest) -> [ControlResponse.Header] {
        guard let cookie = token.cookie, let origin = origin.origin(of: request) else { return [] }
        var parts = [
            "\(Self.name(at: origin))=\(cookie)", "Path=/v1/session", "Max-Age=\(Self.maximumAge)", "HttpOnly",
            "SameSite=Strict",
        ]
        if origin.isSecure { parts.append("Secure") }
        return [.init(name: "Set-Cookie", value: parts.joined(separator: "; "))]
    }

    /// A new token for the device whose cookie a request of the board's own page has.
    func renew(_ request: ControlRequest) async throws(ServiceError) -> PairingToken {
        let origins = request.headers["origin"]
        guard origins.count == 1, let origin = origin.origin(of: request), WebOrigin(origins[0]) == origin,
            let cookie = Self.cookie(named: Self.name(at: origin), in: request)
        else { throw .notPaired }
        return try await pairing.renewToken(cookie: Token(text: cookie))
    }

    /// With the port: browsers send the cookies of a host to all its ports.
    private static func name(at origin: WebOrigin) -> String { "boardd-session-\(origin.port)" }

    private static func cookie(named name: String, in request: ControlRequest) -> String? {
        for header in request.headers["cookie"] {
            for pair in header.split(separator: ";") {
                let sides = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if sides.count == 2, sides[0] == name { return String(sides[1]) }
            }
        }
        return nil
    }
}

extension ServiceError {
    static let notPaired = ServiceError(
        .notPaired,
        "this device is not paired with the board; start pairing on the page (POST /v1/pairings) and enter the six "
            + "digits that the display shows")
    static let digitsNeeded = ServiceError(
        .digitsNeeded,
        "enter the six digits that the display shows once more (POST /v1/pairings with the token of this device)")
    static let noOwner = ServiceError(
        .notAllowed,
        "this device may not set up the board: hold its button for five seconds, or run sudo boardd page setup; then "
            + "pair this device again")
    package static let noSetup = ServiceError(
        .notAllowed,
        "the board is not set up by phone: setup is false, or change is \"nobody\", in [page] of boardd.toml")
}
