import BoardService
import BoardStore
import NIOHTTP1

// Who may use a route of the page.
extension Page {
    static func mayChange(_ options: PageOptions, _ device: String?) -> Bool {
        switch options.change {
        case .paired: device != nil
        case .network: true
        case .nobody: false
        }
    }

    /// The response to a client that may not use a route; nil: it may.
    func rejection(of request: inout ControlRequest, for access: Access) async -> ControlResponse? {
        if access == .open { return nil }
        let options = settings().options
        let device = await pairing.device(authorization: request.headers.first(name: "authorization"))
        request.mayChange = Self.mayChange(options, device)
        switch access {
        case .local:
            return .failure(
                ServiceError(.notAllowed, "this is possible on the board's machine only; run boardd there"))
        case .look where options.read == .paired && device == nil: return Self.notPaired
        case .device where device == nil: return Self.notPaired
        case .change where !request.mayChange:
            guard options.change == .paired else {
                return .failure(
                    ServiceError(
                        .notAllowed,
                        "the page allows no changes: change is \"\(options.change.rawValue)\" in [page] of boardd.toml"
                    ))
            }
            return Self.notPaired
        case .open, .look, .change, .device: return nil
        }
    }

    private static var notPaired: ControlResponse {
        var response = ControlResponse.failure(
            ServiceError(
                .notPaired,
                "this device is not paired with the board; start pairing on the page (POST /v1/pairings) and enter the six "
                    + "digits that the display shows"))
        response.headers.append(.init(name: "WWW-Authenticate", value: "Bearer"))
        return response
    }
}
