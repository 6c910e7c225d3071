import BoardCore
package import BoardIO
package import BoardService
import Synchronization

/// Devices with fixed responses. The second pairing is one too many, and so are those after it.
package final class FakeDevices: PageDevices {
    private let pairings = Mutex(0)

    package init() {}

    package func startPairing(isLocal: Bool, from client: IPAddress?) async throws(ServiceError) -> PairingStarted {
        let number = pairings.withLock { count in
            count += 1
            return count
        }
        if number > 1 { throw ServiceError(.rateLimited, "too many pairings", retryAfter: .seconds(60)) }
        return PairingStarted(id: "a", expiresAt: FakeBoard.moment, code: "012345")
    }

    package func pairing(_ id: String, from client: IPAddress?) async throws(ServiceError) -> PairingStarted {
        if id == "gone" { throw ServiceError(.notFound, "this pairing is over") }
        return PairingStarted(id: id, expiresAt: FakeBoard.moment, code: nil)
    }

    package func finishPairing(
        _ id: String, code: String, name: String, isOwner: Bool, device: String?, from client: IPAddress?
    ) async throws(ServiceError) -> PairingToken {
        if id == "gone" { throw ServiceError(.notFound, "this pairing is over") }
        if id == "many" { throw ServiceError(.rateLimited, "too many wrong codes", retryAfter: .seconds(60)) }
        if code != "012345" { throw ServiceError(.notAllowed, "wrong code") }
        if name.isEmpty { throw ServiceError(.invalid, "name: must have 1 to 40 characters") }
        return PairingToken(token: "secret")
    }

    package func devices() async throws(ServiceError) -> [PairedDevice] {
        [PairedDevice(name: "Sofa", pairedAt: "2026-05-04", lastUsedAt: "2026-05-05")]
    }

    package func changeDevice(named name: String, isOwner: Bool) async throws(ServiceError) {
        try await removeDevice(named: name)
    }

    package func removeDevice(named name: String) async throws(ServiceError) {
        if name != "Sofa" { throw ServiceError(.notFound, "no device", candidates: [Candidate(id: "Sofa")]) }
    }
}
