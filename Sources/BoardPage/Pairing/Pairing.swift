internal import BoardCore
internal import BoardService

/// The pairing of telephones: one at a time, by six digits on the display.
///
/// Of a million codes at most 30 can be tried in an hour, each start of which is visible on the display.
struct Pairing {
    static let validity = Duration.seconds(120)
    static let tries = 3
    static let starts = 10
    static let startsWithin = Duration.seconds(3_600)
    /// After a person declined by pressing the button.
    static let pause = Duration.seconds(600)

    private struct Open {
        let id: String
        let code: String
        let until: Instant
        /// Whether a device has the identifier.
        var hasDevice: Bool
        var tries = Pairing.tries
    }

    private var open: Open?
    private var begun: [Instant] = []
    private var pausedUntil: Instant?

    /// What the starter of a pairing gets.
    struct Start: Hashable {
        let id: String
        let code: String
        /// The end of its validity.
        let until: Instant
        /// Whether this pairing begins now; otherwise it was open already.
        let isNew: Bool
    }

    /// Begins a pairing, or joins the open one: a person on this machine joins that of a device, to read its code, and the first
    /// device joins that of a person.
    ///
    /// - Parameter isLocal: whether a person on this machine starts it, not a device.
    mutating func start(
        id: String, code: String, isLocal: Bool = false, at now: Instant
    ) throws(ServiceError) -> Start {
        if let current = open, now < current.until {
            guard isLocal || !current.hasDevice else {
                let wait = Self.seconds(current.until - now)
                throw ServiceError(.conflict, "another device is being paired; try again in \(wait.written)")
            }
            if !isLocal { open?.hasDevice = true }
            return Start(id: current.id, code: current.code, until: current.until, isNew: false)
        }
        // Strangers who use up the limits must not lock the owner out, who needs no digits.
        if !isLocal { try limit(at: now) }
        let until = now + Self.validity
        open = Open(id: id, code: code, until: until, hasDevice: !isLocal)
        return Start(id: id, code: code, until: until, isNew: true)
    }

    private mutating func limit(at now: Instant) throws(ServiceError) {
        if let pausedUntil, now < pausedUntil {
            throw Self.limited("pairing was declined at the board", pausedUntil - now)
        }
        begun.removeAll { $0 + Self.startsWithin <= now }
        if begun.count >= Self.starts, let first = begun.first {
            throw Self.limited("pairing was started \(Self.starts) times in an hour", first + Self.startsWithin - now)
        }
        begun.append(now)
    }

    /// Ends a pairing with the right code; a wrong one costs a try, and the last one ends it.
    mutating func finish(id: String, code: String, at now: Instant) -> Result<Void, Failure> {
        guard let current = open, current.id == id, now < current.until else { return .failure(.gone) }
        let digits = code.filter { !$0.isWhitespace }
        guard digits == current.code else {
            let left = current.tries - 1
            open?.tries = left
            if left == 0 { open = nil }
            return .failure(.wrongCode(left: left))
        }
        open = nil
        return .success(())
    }

    enum Failure: Error, Hashable {
        case gone
        case wrongCode(left: Int)

        /// Whether the display need not show digits any longer.
        var isOver: Bool { self == .wrongCode(left: 0) }

        var serviceError: ServiceError {
            switch self {
            case .gone:
                ServiceError(.notFound, "this pairing is over: it expired, or was declined at the board. Start again")
            case .wrongCode(0): ServiceError(.notAllowed, "wrong code; this pairing is over. Start again")
            case .wrongCode(let left):
                ServiceError(.notAllowed, "wrong code; \(left) \(left == 1 ? "try" : "tries") left")
            }
        }
    }

    /// A person declined at the board.
    mutating func decline(at now: Instant) {
        open = nil
        pausedUntil = now + Self.pause
    }

    private static func limited(_ reason: String, _ wait: Duration) -> ServiceError {
        let wait = seconds(wait)
        return ServiceError(.rateLimited, "\(reason); try again in \(wait.written)", retryAfter: wait)
    }

    private static func seconds(_ duration: Duration) -> Duration {
        .seconds(Int64((duration / .seconds(1)).rounded(.up)))
    }
}
