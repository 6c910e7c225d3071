import BoardCore
import BoardStore

/// When a board announces itself to Home Assistant and publishes its state; it remembers what was sent.
struct HomeAssistantSchedule: Hashable, Sendable {
    /// In milliseconds: after Home Assistant has started, boards spread their announcements over this time.
    private static let spread: ClosedRange<Int64> = 1_000...10_000

    /// What the broker stores of the announcement; keep it, for the names and components of an earlier start.
    private(set) var published: PublishedDiscovery?
    private var announced: DiscoveryMessage?
    /// Nil: only a change causes another announcement.
    private var announceAt: Instant?
    private var last: StateMessage?
    private var stateAt: Instant?
    /// When a departure of the last state expires, becomes stale, or can no longer be caught.
    private var changeAt: Instant?

    /// - Parameter published: from an earlier start; nil: nothing is known.
    init(replacing published: PublishedDiscovery? = nil) {
        self.published = published
    }

    /// The broker may have lost everything: sends it all again.
    mutating func connected() {
        self = HomeAssistantSchedule(replacing: published)
    }

    /// Home Assistant has started.
    ///
    /// - Parameter wait: before the next announcement; nil: random.
    mutating func started(at now: Instant, wait: Duration? = nil) {
        announceAt = announceAt ?? now + (wait ?? .milliseconds(Int64.random(in: Self.spread)))
    }

    /// The messages that are due now. Call it at ``nextDue``, and when `discovery` or `state` may have changed.
    ///
    /// - Parameter discovery: nil: the board is not announced, and an earlier announcement is removed.
    mutating func messages(
        _ discovery: DiscoveryMessage?, _ state: StateMessage, of board: FleetName, at now: Instant
    ) -> [BrokerMessage] {
        var messages: [BrokerMessage] = []
        let isRequested = announceAt.isSomeAnd { $0 <= now }
        if isRequested { announceAt = nil }
        if let discovery, discovery != announced || isRequested {
            messages += discovery.messages(replacing: published)
            published = discovery.published
            announced = discovery
        }
        if discovery == nil, let old = published {
            messages.append(DiscoveryMessage.removal(of: old))
            published = nil
            announced = nil
        }
        let isDue = stateAt.isNilOr { $0 <= now }
        if isDue || last.isNilOr(state.differs) {
            messages.append(state.message(of: board))
            last = state
            stateAt = now + StateMessage.republishAfter
        }
        changeAt = state.nextChange.map { now + ($0 - state.moment) }
        return messages
    }

    /// When ``messages(_:_:of:at:)`` may have something to send; nil: before the first connection.
    var nextDue: Instant? { [announceAt, stateAt, changeAt].compactMap(\.self).min() }
}

/// The message about a gesture on a GPIO button, as Home Assistant's event entities read it.
enum GestureMessage {
    /// A gesture matters only at its moment: an old one is not delivered.
    private static let expiry = Duration.seconds(10)

    /// Never retained: Home Assistant's device triggers would act on it at every start.
    static func message(_ gesture: Gesture, _ button: ButtonID, of board: FleetName) -> BrokerMessage {
        BrokerMessage(
            topic: FleetTopic.button(board, button.number).text,
            payload: Array(#"{"event_type":"\#(gesture.rawValue)"}"#.utf8), expiry: expiry)
    }
}
