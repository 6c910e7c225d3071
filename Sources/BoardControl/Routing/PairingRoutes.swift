import BoardCore
package import BoardService

extension Route {
    /// Pairing and the paired devices.
    ///
    /// - Parameters:
    ///   - isLocal: whether the callers are on this machine: they get the code.
    ///   - isAllowed: whether devices may be paired now.
    package static func pairing(
        _ devices: any PageDevices, isLocal: Bool, isAllowed: @escaping @Sendable () -> Bool = { true }
    ) -> [Route] {
        [
            Route("POST", "/v1/pairings", access: .open) { request, _ throws(ServiceError) in
                guard isAllowed() else {
                    throw ServiceError(
                        .notAllowed, "the page allows no changes: change is \"nobody\" in [page] of boardd.toml")
                }
                return try .json(
                    try await devices.startPairing(isLocal: isLocal, from: request.peer.remote), status: 201)
            },
            Route("POST", "/v1/pairings/{id}", access: .open, takesBody: true) { request, _ throws(ServiceError) in
                let pairing = try request.decoded(PairingCode.self)
                return try .json(
                    try await devices.finishPairing(
                        request.pathValues[0], code: pairing.code, name: pairing.name,
                        from: request.peer.remote), status: 201)
            },
            Route("GET", "/v1/pairings/{id}", access: .open) { request, _ throws(ServiceError) in
                try .json(try await devices.pairing(request.pathValues[0], from: request.peer.remote))
            },
            Route("GET", "/v1/devices", access: .device) { _, _ throws(ServiceError) in
                try .json(try await devices.devices())
            },
            Route("DELETE", "/v1/devices/{name}", access: .device) { request, _ throws(ServiceError) in
                try await devices.removeDevice(named: request.pathValues[0])
                return .noContent
            },
        ]
    }
}
