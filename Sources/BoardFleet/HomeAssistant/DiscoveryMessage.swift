internal import BoardCore
internal import BoardService

/// The announcement of a board to Home Assistant: one retained message, without an expiry, that makes a device of it.
struct DiscoveryMessage: Hashable, Sendable {
    /// Home Assistant publishes `online` on it when it has started; each board then sends its announcement again, after a random
    /// wait of 1 to 10 s.
    static let statusTopic = "homeassistant/status"
    /// The most favourites with sensors.
    static let maximumStops = 9

    /// A favourite of the board.
    struct Stop: Hashable, Sendable {
        let id: StopID
        let title: String
        /// Whether a walking time is configured.
        let hasWalk: Bool

        init(id: StopID, title: String, hasWalk: Bool) {
            self.id = id
            self.title = title.asPrintedLine
            self.hasWalk = hasWalk
        }
    }

    let board: FleetName
    let device: DeviceID
    /// Of boardd.
    let version: String
    let language: Language
    /// At most ``maximumStops``.
    let stops: [Stop]
    /// The number of GPIO buttons.
    let buttons: Int
    /// Where a browser finds the page; nil: the page is off.
    let pageURL: String?
    /// The hub that sends the requests for this board; nil: there is none.
    let hub: DeviceID?
    /// The pages that a client can turn to: ``BoardPages/names``.
    let pages: [String]

    init(
        board: FleetName, device: DeviceID, version: String, language: Language = .english, stops: [Stop],
        buttons: Int, pageURL: String? = nil, hub: DeviceID? = nil, pages: [String]
    ) {
        self.board = board
        self.device = device
        self.version = version
        self.language = language
        self.stops = Array(stops.prefix(Self.maximumStops))
        self.buttons = buttons
        self.pageURL = pageURL
        self.hub = hub == device ? nil : hub
        self.pages = pages
    }

    /// The announcement of a running board.
    ///
    /// - Parameters:
    ///   - favourites: all of them, also those that are outside their hours now.
    ///   - pages: the pages of the board's state.
    init(
        board: FleetName, device: DeviceID, version: String, language: Language, favourites: [Favourite],
        pages: [BoardState.Page], buttons: Int, pageURL: String? = nil, hub: DeviceID? = nil
    ) {
        let stops = favourites.map { favourite in
            let title = pages.first { $0.id == favourite.stop.description }?.title
            return Stop(
                id: favourite.stop, title: title ?? favourite.label ?? favourite.name ?? favourite.stop.description,
                hasWalk: favourite.walk != nil)
        }
        self.init(
            board: board, device: device, version: version, language: language, stops: stops, buttons: buttons,
            pageURL: pageURL, hub: hub, pages: BoardPages(pages).names)
    }
}

// MARK: - Messages

/// What the broker has of an announcement: what must be removed when another one replaces it.
struct PublishedDiscovery: Hashable, Sendable, Codable {
    let topic: String
    /// The platforms of the components, by their names.
    let components: [String: DiscoveryComponent.Platform]
}

extension DiscoveryMessage {
    /// `boardd-NAME`, so that a board may write on nothing else of Home Assistant's.
    static func topic(of board: FleetName) -> String { "homeassistant/device/boardd-\(board)/config" }

    var published: PublishedDiscovery {
        PublishedDiscovery(topic: Self.topic(of: board), components: components.mapValues(\.platform))
    }

    /// The messages that replace an announcement, in order. One under another name is emptied first: the device is the same. A
    /// component that is gone is sent once with its platform alone, then not at all.
    func messages(replacing old: PublishedDiscovery?) -> [BrokerMessage] {
        let new = published
        var messages: [BrokerMessage] = []
        if let old, old.topic != new.topic { messages.append(Self.removal(of: old)) }
        let removed = old?.topic == new.topic ? old?.components.filter { new.components[$0.key] == nil } ?? [:] : [:]
        if !removed.isEmpty {
            messages.append(message(components.merging(removed.mapValues { DiscoveryComponent($0) }) { new, _ in new }))
        }
        messages.append(message(components))
        return messages
    }

    /// The message that takes the board out of Home Assistant.
    static func removal(of published: PublishedDiscovery) -> BrokerMessage {
        BrokerMessage(topic: published.topic, payload: [], isRetained: true)
    }

    private func message(_ components: [String: DiscoveryComponent]) -> BrokerMessage {
        let payload = DiscoveryPayload(
            device: .init(
                identifiers: [device.description], name: "boardd \(board)", softwareVersion: version,
                configurationURL: pageURL, viaDevice: hub?.description),
            origin: .init(softwareVersion: version), availability: [.init(topic: FleetTopic.status(board).text)],
            components: components)
        return BrokerMessage(topic: Self.topic(of: board), payload: StableJSON.bytes(payload), isRetained: true)
    }
}
