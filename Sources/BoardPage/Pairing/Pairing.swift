internal import BoardCore
internal import BoardService

/// The pairing of telephones by six digits on the display: one code at a time, which several telephones may try, and one of them uses.
///
/// A telephone has three tries of a code, and all have 30 in an hour, of a million. A stranger who starts one pairing after the other shows
/// ever fewer digits, and keeps no other telephone from trying those that the display shows. A person on this machine is never
/// denied.
struct Pairing {
    static let validity = Duration.seconds(120)
    /// A code is over when no telephone has polled it for this time.
    static let absence = Duration.seconds(30)
    static let tries = 3
    static let triesPerHour = 30
    /// Between a pairing without success and the next one.
    static let pauses = Backoff(from: .seconds(60), upTo: .seconds(3_600))
    /// After a person declined by pressing the button.
    static let declined = Duration.seconds(600)

    private struct Open {
        let id: String
        let code: String
        /// The end of the code's validity, and its end unless a telephone polls it.
        let end: Instant
        var until: Instant
        /// Whether a person on this machine has started or joined it.
        var isLocal: Bool
        var tries: [Client: Int] = [:]
    }

    /// The telephones of one address, or those of one network of IPv6; nil: this machine, as which a proxy appears.
    typealias Client = String?

    private var open: Open?
    private var tried: [Instant] = []
    private var failures = 0
    private var pausedUntil: Instant?

    /// An open pairing, as its starter gets it.
    struct Start: Hashable {
        let id: String
        let code: String
        /// The end of its validity.
        let end: Instant
        /// How long the display shows the code, unless a telephone polls it.
        let until: Instant
    }

    /// Begins a pairing, or joins the open one.
    ///
    /// - Parameter isLocal: whether a person on this machine starts it, not a telephone.
    mutating func start(
        id: String, code: String, isLocal: Bool = false, at now: Instant
    ) throws(ServiceError) -> Start {
        expire(at: now)
        if open == nil, !isLocal, let pausedUntil, now < pausedUntil {
            throw Self.limited("the last digits were not entered, or declined at the board", pausedUntil - now)
        }
        var current = open ?? Open(id: id, code: code, end: now + Self.validity, until: now, isLocal: false)
        if isLocal { current.isLocal = true }
        return extend(current, at: now)
    }

    /// A telephone still waits for its digits; nil: the pairing is over.
    mutating func poll(id: String, at now: Instant) -> Start? {
        expire(at: now)
        return open.flatMap { $0.id == id ? extend($0, at: now) : nil }
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
    mutating func finish(id: String, code: String, from client: Client = nil, at now: Instant) -> Result<Void, Failure>
    {
        expire(at: now)
        guard var current = open, current.id == id else { return .failure(.gone) }
        let left = Self.tries - current.tries[client, default: 0]
        guard left > 0 else { return .failure(.wrongCode(left: 0)) }
        tried.removeAll { $0 + .seconds(3_600) <= now }
        if !current.isLocal, tried.count >= Self.triesPerHour, let first = tried.first {
            return .failure(.manyTries(wait: first + .seconds(3_600) - now))
        }
        guard code.filter({ !$0.isWhitespace }) == current.code else {
            tried = tried.suffix(Self.triesPerHour - 1) + [now]
            current.tries[client, default: 0] += 1
            open = current
            return .failure(.wrongCode(left: left - 1))
        }
        (open, failures, pausedUntil) = (nil, 0, nil)
        return .success(())
    }

    enum Failure: Error, Hashable {
        case gone
        case wrongCode(left: Int)
        case manyTries(wait: Duration)

        var serviceError: ServiceError {
            switch self {
            case .gone:
                ServiceError(.notFound, "this pairing is over: it expired, or was declined at the board. Start again")
            case .wrongCode(0):
                ServiceError(.notAllowed, "wrong code, and this device has no more tries; wait for new digits")
            case .wrongCode(let left):
                ServiceError(.notAllowed, "wrong code; \(left) \(left == 1 ? "try" : "tries") left")
            case .manyTries(let wait):
                Pairing.limited("\(Pairing.triesPerHour) wrong codes were entered in an hour", wait)
            }
        }
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
