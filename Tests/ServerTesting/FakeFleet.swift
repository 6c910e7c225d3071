import BoardCore
package import BoardService
package import BoardStore

/// A fleet with fixed responses.
package struct FakeFleet: FleetManagement {
    private static let noName = ServiceError(.failed, "a name of the test is none")

    package init() {}

    package func fleet() async throws(ServiceError) -> FleetReport {
        guard let den = FleetName("den"), let home = FleetName("home") else { throw Self.noName }
        return FleetReport(
            board: den, broker: "mqtt://127.0.0.1:1883", isConnected: true, patience: "20s", error: nil,
            boards: [.init(name: den, isOnline: true, isHub: false, patience: "20s", version: "1")],
            responses: [
                .init(stop: FakeBoard.bare.id, lines: ["73"], towards: [], by: den, ageSeconds: 1.5, error: nil)
            ], list: .init(name: home, isJoined: true, favourites: 3), faults: [])
    }

    package func forgetBoard(_ name: FleetName) async throws(ServiceError) {
        if name == FleetName("attic") { throw ServiceError(.notFound, "the broker has no board \(name)") }
    }

    package func joinList(_ choice: FleetJoin) async throws(ServiceError) -> FleetReport { try await fleet() }
}
