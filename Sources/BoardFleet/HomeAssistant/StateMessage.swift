internal import BoardCore
internal import BoardService

/// What a board publishes about itself for people and Home Assistant.
///
/// Publish it when it ``differs(from:)`` the last one, and otherwise every ``republishAfter``. At ``nextChange`` a departure expires, is
/// old or can no longer be caught: make the message again then.
struct StateMessage: Hashable, Sendable {
    static let republishAfter = Duration.seconds(120)
    /// In bytes. Home Assistant stores no attributes of an entity beyond 16,384 bytes.
    static let longestPayload = 12_000
    /// How long the broker delivers it: Home Assistant takes any message for a fresh one.
    private static let expiry = Duration.seconds(600)

    let payload: StatePayload
    /// The time of the board to which it refers.
    let moment: Timestamp
    /// What is published as soon as it changes. Estimates move by seconds with every response.
    private let essence: Essence
    /// Nil: none of these is known.
    let nextChange: Timestamp?

    /// - Parameters:
    ///   - live: the state of the running board.
    ///   - favourites: those of the board, in its order, with their filters and walking times.
    init(_ live: LiveState, favourites: [Favourite]) {
        let moment = live.time.timestamp
        self.moment = moment
        let stops = favourites.prefix(DiscoveryMessage.maximumStops).compactMap { favourite in
            live.stops.first { $0.stop == favourite.stop.description }.map {
                StopSummary(
                    $0, of: favourite, title: live.display.pages.first { $0.id == favourite.stop.description }?.title,
                    at: moment, machineOffset: live.utcOffsetSeconds)
            }
        }
        let view = live.display.page
        payload = StatePayload(
            time: moment.rfc3339(offset: live.utcOffsetSeconds), light: live.display.light.rawValue,
            page: view.isRotating ? nil : BoardPages(live.display.pages).name(of: view.id),
            problem: .init(live.sentences),
            stops: Dictionary(stops.map { (ComponentID.key(of: $0.id), $0.payload) }) { first, _ in first })
        essence = Essence(
            stops: stops.map(\.essence), problem: payload.problem, light: payload.light, page: payload.page)
        nextChange = stops.compactMap(\.nextChange).min()
    }

    /// Whether a minute, a line or a fact has changed.
    func differs(from other: StateMessage) -> Bool { essence != other.essence }

    func message(of board: FleetName) -> BrokerMessage {
        BrokerMessage(
            topic: FleetTopic.state(board).text, payload: payload.json(atMost: Self.longestPayload), isRetained: true,
            expiry: Self.expiry)
    }
}

private struct Essence: Hashable, Sendable {
    let stops: [StopSummary.Essence]
    let problem: StatePayload.Problem
    let light: String
    let page: String?
}

extension LiveState {
    /// What prevents the board from working, one sentence each.
    fileprivate var sentences: [String] {
        let board = [
            faults.configuration.map { "configuration: fault at \($0)" }, faults.display.map { "display: \($0)" },
            faults.buttons.map { "buttons: \($0)" },
        ]
        let stops = stops.map { stop -> String? in
            let title = display.pages.first { $0.id == stop.stop }?.title ?? stop.name
            // A single failed request is no problem while there are departures: the display states nothing then either.
            guard [.failing, .frozen].contains(stop.status), let notice = stop.notice else { return nil }
            return "\(title): \(stop.status == .failing ? stop.lastError?.detail ?? notice : notice)"
        }
        return (board + stops).compactMap(\.self).map { String($0.asPrintedLine.prefix(longestSentence)) }
    }
}

private let longestSentence = 200
