package import BoardCore
package import BoardIO
package import BoardService
import BoardStore
import Synchronization

/// Pairs phones by six digits on the display: one code at a time, which several phones may try and one of them uses.
///
/// The phones at one address, or in one IPv6 network, have three tries at a code, and all phones together 30 an hour,
/// of a million. A stranger who starts one pairing after another gets codes ever less often, and cannot keep other
/// addresses from trying the one on the display. A person on this machine is never denied.
struct Pairing {
    static let validity = Duration.seconds(120)
    /// A code is over when no phone has polled it for this long.
    static let absence = Duration.seconds(30)
    static let tries = 3
    static let triesPerHour = 30
    /// Between a failed pairing and the next one.
    static let pauses = Backoff(from: .seconds(60), upTo: .seconds(3_600))
    /// The minimum after a person declined by pressing the button.
    static let declined = Duration.seconds(600)
    /// This long after the last pause, failed pairings no longer count.
    private static let forgotten = Duration.seconds(3_600)

    private struct Open {
        let id: String
        let code: String
        /// The end of the code's validity, and its end unless a phone polls it.
        let end: Instant
        var until: Instant
        /// Whether a person on this machine has started or joined it.
        var isLocal: Bool
        private var tried: [IPAddress: Int] = [:]

        init(id: String, code: String, end: Instant) {
            self.id = id
            self.code = code
            self.end = end
            until = end
            isLocal = false
        }

        /// The tries that a client has left; nil: this machine or its proxy, under the hourly limit only. Of a code
        /// that a person here has, each address has its own: a stranger in the same network must not use up theirs.
        func tries(of client: IPAddress?) -> Int {
            client.map { Pairing.tries - tried[isLocal ? $0 : $0.own, default: 0] } ?? Pairing.tries
        }

        mutating func count(_ client: IPAddress?) {
            if let client { tried[isLocal ? client : client.own, default: 0] += 1 }
        }
    }

    private var open: Open?
    private var wrongCodes = RateLimiter(triesPerHour, per: .seconds(3_600))
    private var failures = 0
    private var pausedUntil: Instant?

    /// An open pairing, as given to whoever started it.
    struct Start: Hashable {
        let id: String
        let code: String
        /// The end of its validity.
        let end: Instant
        /// How long the display shows the code, unless a phone polls it.
        let until: Instant
    }

    /// Begins a pairing, or joins the open one.
    ///
    /// - Parameters:
    ///   - isLocal: whether a person on this machine starts it, not a phone.
    ///   - client: the phone's address; nil: this machine.
    mutating func start(
        id: String, code: String, isLocal: Bool = false, from client: IPAddress? = nil, at now: Instant
    ) throws(ServiceError) -> Start {
        expire(at: now)
        if let pausedUntil, now - pausedUntil > Self.forgotten { failures = 0 }
        if let open, !isLocal, open.tries(of: client) == 0 {
            throw Self.limited("this device has no tries left for these digits", open.end - now)
        }
        if open == nil, !isLocal, let pausedUntil, now < pausedUntil {
            throw Self.limited("the last digits were not entered, or were declined at the board", pausedUntil - now)
        }
        var current = open ?? Open(id: id, code: code, end: now + Self.validity)
        if isLocal { current.isLocal = true }
        return extend(current, at: now)
    }

    /// A phone still waits for its digits; nil: the pairing is over, or the phone has no tries left.
    mutating func poll(id: String, from client: IPAddress? = nil, at now: Instant) -> Start? {
        expire(at: now)
        guard let open, open.id == id, open.tries(of: client) > 0 else { return nil }
        return extend(open, at: now)
    }

    private mutating func extend(_ current: Open, at now: Instant) -> Start {
        let until = current.isLocal ? current.end : min(current.end, now + Self.absence)
        open = current
        open?.until = until
        return Start(id: current.id, code: current.code, end: current.end, until: until)
    }

    private mutating func expire(at now: Instant) {
        guard let current = open, current.until <= now else { return }
        open = nil
        guard !current.isLocal else { return }
        failures += 1
        pausedUntil = current.until + Self.pauses.wait(afterFailures: failures)
    }

    /// Ends a pairing with the right code; a wrong one costs a try.
    mutating func finish(
        id: String, code: String, from client: IPAddress? = nil, at now: Instant
    ) throws(ServiceError) {
        expire(at: now)
        guard var current = open, current.id == id else { throw Self.gone }
        let left = current.tries(of: client)
        guard left > 0 else { throw Self.wrongCode(left: 0) }
        if !current.isLocal, let wait = wrongCodes.wait(at: now) { throw Self.manyTries(wait: wait) }
        guard code.filter({ !$0.isWhitespace }) == current.code else {
            _ = wrongCodes.take(at: now)
            current.count(client)
            open = current
            throw Self.wrongCode(left: left - 1)
        }
        open = nil
        failures = 0
        pausedUntil = nil
    }

    /// A person declined at the board.
    mutating func decline(at now: Instant) {
        open = nil
        failures += 1
        pausedUntil = now + max(Self.declined, Self.pauses.wait(afterFailures: failures))
    }

    private static func limited(_ reason: String, _ wait: Duration) -> ServiceError {
        let wait = Duration.seconds(Int64((wait / .seconds(1)).rounded(.up)))
        return ServiceError(.rateLimited, "\(reason); try again in \(wait.written)", retryAfter: wait)
    }
}

// Why a pairing does not end with its code.
extension Pairing {
    static let gone = ServiceError(
        .notFound, "this pairing is over: it expired, or was declined at the board. Start again")

    static func wrongCode(left: Int) -> ServiceError {
        let sentence =
            left > 0
            ? "wrong code; \(left) \(left == 1 ? "try" : "tries") left"
            : "wrong code, and this device has no tries left; wait for new digits"
        return ServiceError(.notAllowed, sentence, value: InvalidValue("code", .wrong, tries: left))
    }

    static func manyTries(wait: Duration) -> ServiceError {
        limited("\(triesPerHour) wrong codes were entered in an hour", wait)
    }

    static func manyCookies(wait: Duration) -> ServiceError {
        limited("\(triesPerHour) requests with a wrong cookie were sent in an hour", wait)
    }
}

/// Pairs devices and stores them.
package final class PairingService: PageDevices {
    /// What the display shows about a pairing.
    package enum Event: Hashable, Sendable {
        /// Six digits, until an instant; sent again if they are shown for longer.
        case started(code: String, until: Instant)
        case ended(isPaired: Bool)
    }

    private static let presence = Duration.seconds(600)

    private let pairing = Mutex(Pairing())
    /// When the digits were entered on each device; nothing from before the start.
    private let presences = Mutex<[String: Instant]>([:])
    private let wrongCookies = Mutex(RateLimiter(Pairing.triesPerHour, per: .seconds(3_600)))
    private let store: DeviceStore
    private let clock: any MachineClock
    private let report: @Sendable (Event) -> Void

    /// Reads the paired devices; blocks.
    ///
    /// - Parameters:
    ///   - folder: the state folder; nil: devices are forgotten when the program ends.
    ///   - log: receives a sentence about an unreadable file.
    ///   - report: must return at once.
    package init(
        folder: String?, clock: any MachineClock, log: (String) -> Void, report: @escaping @Sendable (Event) -> Void
    ) {
        store = DeviceStore(path: folder.map { "\($0)/page-devices.json" }, report: log)
        self.clock = clock
        self.report = report
    }

    package func startPairing(isLocal: Bool, from client: IPAddress?) async throws(ServiceError) -> PairingStarted {
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
            throw Pairing.gone
        }
        return started(start, isLocal: false, at: now)
    }

    private func started(_ start: Pairing.Start, isLocal: Bool, at now: Instant) -> PairingStarted {
        report(.started(code: start.code, until: start.until))
        return PairingStarted(
            id: start.id, expiresAt: clock.reading().wall + (start.end - now),
            code: isLocal ? start.code : nil)
    }

    package func finishPairing(
        _ id: String, code: String, name: String, isOwner: Bool, device: String?, from client: IPAddress?
    ) async throws(ServiceError) -> PairingToken {
        let name = if let device { device } else { try store.checked(name) }
        try pairing.withLock { (pairing) throws(ServiceError) in
            try pairing.finish(id: id, code: code, from: client, at: clock.now())
        }
        let (token, cookie) = (Token(), Token())
        let day = day
        do throws(ServiceError) {
            let added = try await DedicatedThread.attempt("devices") { [store] in
                if device != nil {
                    try store.renew(name, token, cookie: cookie, isOwner: isOwner, on: day)
                    return name
                }
                return try store.add(name, token, cookie: cookie, isOwner: isOwner, on: day)
            }
            presences.withLock { $0[added] = clock.now() }
        } catch {
            report(.ended(isPaired: false))
            throw error
        }
        report(.ended(isPaired: true))
        return PairingToken(token: token.text, cookie: cookie.text)
    }

    /// A new token for the device with a cookie, which gets another one; those before are invalid.
    ///
    /// No client has more than 30 wrong cookies in an hour, all together. A right one is always accepted: nobody guesses
    /// 32 bytes, and a stranger must not keep a device out.
    func renewToken(cookie: Token) async throws(ServiceError) -> PairingToken {
        let (token, next) = (Token(), Token())
        let day = day
        let isKnown = try await DedicatedThread.attempt("devices") { [store] in
            try store.renew(cookie, token, cookie: next, on: day)
        }
        guard isKnown else {
            let now = clock.now()
            if let wait = wrongCookies.withLock({ $0.take(at: now) }) { throw Pairing.manyCookies(wait: wait) }
            throw .notPaired
        }
        return PairingToken(token: token.text, cookie: next.text)
    }

    /// A person declined the pairing at the board; from any thread.
    package func decline() { pairing.withLock { $0.decline(at: clock.now()) } }

    package func devices() async throws(ServiceError) -> [PairedDevice] { store.list }

    package func changeDevice(named name: String, isOwner: Bool) async throws(ServiceError) {
        try await DedicatedThread.attempt("devices") { [store] in
            try store.set(isOwner: isOwner, name)
        }
    }

    package func removeDevice(named name: String) async throws(ServiceError) {
        try await DedicatedThread.attempt("devices") { [store] in try store.remove(name) }
        presences.withLock { $0[name] = nil }
    }

    /// Whether the digits were entered on the device a short time ago.
    func isPresent(_ device: PairedDevice) -> Bool {
        let now = clock.now()
        return presences.withLock { $0[device.name].isSomeAnd { now - $0 < Self.presence } }
    }

    /// The device that sent a request, recorded as used; nil: the request has no valid token.
    func device(authorization: String?) async -> PairedDevice? {
        guard let token = Token(header: authorization), let device = store.device(with: token) else { return nil }
        let day = day
        if store.isUnused(device.name, on: day) {
            try? await DedicatedThread.run("devices") { [store] in store.use(device.name, on: day) }
        }
        return device
    }

    /// Today in UTC: "2026-11-24".
    private var day: String { String(clock.reading().wall.rfc3339.prefix(10)) }
}
