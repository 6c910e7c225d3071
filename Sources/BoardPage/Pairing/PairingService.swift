package import BoardCore
internal import BoardIO
package import BoardService
internal import Synchronization

/// Pairs devices and stores them.
package final class PairingService: PageDevices {
    /// What the display shows of a pairing.
    package enum Event: Hashable, Sendable {
        /// Six digits, until an instant; again, where they are shown for longer.
        case started(code: String, until: Instant)
        case ended(isPaired: Bool)
    }

    private let pairing = Mutex(Pairing())
    private let store: DeviceStore
    private let clock: any MachineClock
    private let report: @Sendable (Event) -> Void

    /// Reads the paired devices; blocks.
    ///
    /// - Parameters:
    ///   - folder: the state folder; nil: devices are forgotten at the end of the program.
    ///   - log: receives a sentence about an unreadable file.
    ///   - report: returns at once.
    package init(
        folder: String?, clock: any MachineClock, log: (String) -> Void, report: @escaping @Sendable (Event) -> Void
    ) {
        store = DeviceStore(path: folder.map { "\($0)/page-devices.json" }, report: log)
        self.clock = clock
        self.report = report
    }

    package func startPairing(
        isLocal: Bool, from client: IPAddress?
    ) async throws(ServiceError) -> PairingStarted {
        let now = clock.now()
        let id = Token().text
        let code = String(String(1_000_000 + Int.random(in: 0..<1_000_000)).dropFirst())
        let start = try pairing.withLock { (pairing) throws(ServiceError) in
            try pairing.start(id: id, code: code, isLocal: isLocal, from: client, at: now)
        }
        return started(start, isLocal: isLocal, at: now)
    }

    package func pairing(_ id: String, from client: IPAddress?) async throws(ServiceError) -> PairingStarted {
        let now = clock.now()
        guard let start = pairing.withLock({ $0.poll(id: id, from: client, at: now) }) else {
            throw Pairing.Failure.gone.serviceError
        }
        return started(start, isLocal: false, at: now)
    }

    private func started(_ start: Pairing.Start, isLocal: Bool, at now: Instant) -> PairingStarted {
        report(.started(code: start.code, until: start.until))
        return PairingStarted(
            id: start.id, expiresAt: RFC3339Timestamp(clock.reading().wall + (start.end - now)),
            code: isLocal ? start.code : nil)
    }

    package func finishPairing(
        _ id: String, code: String, name: String, from client: IPAddress?
    ) async throws(ServiceError) -> PairingToken {
        let name = try store.checked(name)
        if case .failure(let failure) = pairing.withLock({
            $0.finish(id: id, code: code, from: client, at: clock.now())
        }) {
            throw failure.serviceError
        }
        let token = Token()
        let day = day
        do throws(ServiceError) {
            try await DedicatedThread.attempt("devices") { [store] () throws(ServiceError) in
                try store.add(name, token, on: day)
            }
        } catch {
            report(.ended(isPaired: false))
            throw error
        }
        report(.ended(isPaired: true))
        return PairingToken(token: token.text)
    }

    /// A person declined the pairing at the board; from any thread.
    package func decline() { pairing.withLock { $0.decline(at: clock.now()) } }

    package func devices() async throws(ServiceError) -> [PairedDevice] { store.list }

    package func removeDevice(named name: String) async throws(ServiceError) {
        try await DedicatedThread.attempt("devices") { [store] () throws(ServiceError) in try store.remove(name) }
    }

    /// The name of the device that sent a request, whose use is noted; nil: the request has no valid token.
    func device(authorization: String?) async -> String? {
        guard let token = Token(header: authorization), let name = store.name(of: token) else { return nil }
        let day = day
        if store.isUnused(name, on: day) {
            try? await DedicatedThread.run("devices") { [store] in store.use(name, on: day) }
        }
        return name
    }

    /// Today in UTC: "2026-11-24".
    private var day: String { String(clock.reading().wall.rfc3339.prefix(10)) }
}
