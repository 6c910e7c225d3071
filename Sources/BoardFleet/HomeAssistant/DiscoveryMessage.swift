import BoardCore
import BoardService
import BoardStore

/// A board's announcement to Home Assistant: one retained message without expiry, which makes the board a device.
struct DiscoveryMessage: Hashable, Sendable {
    /// Home Assistant publishes `online` here when it has started; each board then repeats its announcement, after a
    /// random wait of 1 to 10 s.
    static let statusTopic = "homeassistant/status"
    /// The maximum number of favourites with sensors.
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
    ///   - favourites: all of them, including those outside their hours.
    ///   - pages: the pages of the board's state.
    init(
        board: FleetName, device: DeviceID, version: String, language: Language, favourites: [Favourite],
        pages: [PageReport], buttons: Int, pageURL: String? = nil, hub: DeviceID? = nil
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

/// What the broker stores of an announcement, and what must be removed when another one replaces it.
struct PublishedDiscovery: Hashable, Sendable, Codable {
    let topic: String
    /// The platforms of the components, by their names.
    let components: [String: String]
}

/// Home Assistant's keys of the announcement (2024.11 and later). It ignores unknown keys, so only a test against its
/// code (Tests/Fleet/home-assistant) finds a misspelt one.
extension DiscoveryMessage {
    /// Contains `boardd-NAME`, so that a board need not write to any other topic of Home Assistant.
    static func topic(of board: FleetName) -> String { "homeassistant/device/boardd-\(board)/config" }

    var published: PublishedDiscovery {
        PublishedDiscovery(
            topic: Self.topic(of: board),
            components: components.compactMapValues {
                if case .text(let platform)? = $0["platform"] { platform } else { nil }
            })
    }

    /// The messages that replace an announcement, in order. One under another name is emptied first: the device is the
    /// same. A component that is gone is sent once with only its platform, then not at all.
    func messages(replacing old: PublishedDiscovery?) -> [BrokerMessage] {
        let new = published
        var messages: [BrokerMessage] = []
        if let old, old.topic != new.topic { messages.append(Self.removal(of: old)) }
        let removed = old?.topic == new.topic ? old?.components.filter { new.components[$0.key] == nil } ?? [:] : [:]
        if !removed.isEmpty {
            messages.append(
                message(components.merging(removed.mapValues { ["platform": .text($0)] }) { new, _ in new }))
        }
        messages.append(message(components))
        return messages
    }

    /// The message that removes the board from Home Assistant.
    static func removal(of published: PublishedDiscovery) -> BrokerMessage {
        BrokerMessage(topic: published.topic, payload: [], isRetained: true)
    }

    private func message(_ components: [String: Component]) -> BrokerMessage {
        let payload: JSONLiteral = [
            "device": [
                "identifiers": [.text(device.description)], "name": "boardd \(board)", "manufacturer": "boardd",
                "model": "Departure board", "sw_version": .text(version), "configuration_url": .optional(pageURL),
                "via_device": .optional(hub?.description),
            ],
            "origin": [
                "name": "boardd", "sw_version": .text(version), "support_url": "https://github.com/boardd/boardd",
            ],
            "availability": [
                ["topic": .text(FleetTopic.status(board).text), "value_template": "{{ value_json.state }}"]
            ],
            "components": .object(components.mapValues(JSONLiteral.object)),
        ]
        return BrokerMessage(topic: Self.topic(of: board), payload: StableJSON.bytes(payload), isRetained: true)
    }
}

// MARK: - Components

extension DiscoveryMessage {
    /// One entity or trigger with Home Assistant's keys.
    typealias Component = [String: JSONLiteral]

    /// In seconds. Longer than ``StateMessage/republishAfter``, so that a lost message does no harm.
    private static let expireAfter = 300

    var components: [String: Component] {
        let words = language.words
        let all =
            stops.flatMap { sensors($0, words) } + [problem(words)]
            + (1..<(max(0, buttons) + 1)).flatMap { gestures($0, words) } + commands(words)
        return Dictionary(all.map { ($0.0.text, $0.1) }) { first, _ in first }
    }

    private typealias Entry = (ComponentID, Component)

    private var state: JSONLiteral { .text(FleetTopic.state(board).text) }

    /// An entity; its identifier stays when the board is renamed.
    private func entity(_ id: ComponentID, _ platform: JSONLiteral, _ name: String, _ keys: Component) -> Entry {
        let common: Component = ["platform": platform, "unique_id": "\(device)-\(id.text)", "name": .text(name)]
        return (id, common.merging(keys) { $1 })
    }

    private func sensors(_ stop: Stop, _ words: Words) -> [Entry] {
        // A favourite outside its hours is not in the state.
        let entry = "value_json.stops.get('\(ComponentID.key(of: stop.id))', {})"
        func sensor(_ key: String, icon: JSONLiteral) -> Component {
            [
                "icon": icon, "device_class": "timestamp", "state_topic": state,
                "value_template": "{{ \(entry).get('\(key)') }}", "expire_after": .number(Self.expireAfter),
            ]
        }
        let attributes: Component = [
            "json_attributes_topic": state,
            "json_attributes_template": "{{ \(entry).get('attributes', {}) | tojson }}",
        ]
        let next = sensor("next", icon: "mdi:bus-clock").merging(attributes) { $1 }
        let sensors = [entity(.next(stop.id), "sensor", stop.title, next)]
        guard stop.hasWalk else { return sensors }
        let name = "\(words.text(.leaveFor)) \(stop.title)"
        return sensors + [entity(.leave(stop.id), "sensor", name, sensor("leave", icon: "mdi:walk"))]
    }

    private func problem(_ words: Words) -> Entry {
        entity(
            .problem, "binary_sensor", words.text(.problem),
            [
                "device_class": "problem", "entity_category": "diagnostic", "state_topic": state,
                "value_template": "{{ value_json.problem.state }}", "json_attributes_topic": state,
                "json_attributes_template": "{{ value_json.problem.attributes | tojson }}",
                "expire_after": .number(Self.expireAfter),
            ])
    }

    /// A button of the board: an event, and a trigger for each gesture.
    private func gestures(_ number: Int, _ words: Words) -> [Entry] {
        let topic = JSONLiteral.text(FleetTopic.button(board, number).text)
        let event = entity(
            .button(number), "event", "\(words.text(.button)) \(number)",
            [
                "device_class": "button", "state_topic": topic,
                "event_types": .list(Gesture.allCases.map { .text($0.rawValue) }),
            ])
        let triggers = Gesture.allCases.map { gesture -> Entry in
            let keys: Component = [
                "platform": "device_automation", "automation_type": "trigger", "type": Self.triggerType(gesture),
                "subtype": "button_\(number)", "topic": topic, "value_template": "{{ value_json.event_type }}",
                "payload": .text(gesture.rawValue),
            ]
            return (.trigger(number, gesture), keys)
        }
        return [event] + triggers
    }

    /// Home Assistant translates the first three.
    private static func triggerType(_ gesture: Gesture) -> JSONLiteral {
        switch gesture {
        case .short: "button_short_press"
        case .hold: "button_long_press"
        case .double: "button_double_press"
        case .longHold: "long-hold"
        }
    }

    private func commands(_ words: Words) -> [Entry] {
        func command(
            _ id: ComponentID, _ platform: JSONLiteral, _ name: String, _ command: FleetCommand.Name,
            _ keys: Component = [:]
        ) -> Entry {
            let common: Component = ["command_topic": .text(FleetTopic.command(board, command).text), "qos": 1]
            return entity(id, platform, name, common.merging(keys) { $1 })
        }
        return [
            command(
                .nextPage, "button", words.text(.nextPage), .press,
                ["payload_press": .text(Gesture.short.rawValue)]),
            command(.refresh, "button", words.text(.refreshNow), .refresh),
            command(
                .page, "select", words.text(.page), .page,
                [
                    "state_topic": state, "value_template": "{{ value_json.page }}",
                    "options": .list(pages.map(JSONLiteral.text)),
                ]),
            command(
                .light, "select", words.text(.light), .light,
                [
                    "icon": "mdi:brightness-auto", "state_topic": state,
                    "value_template": "{{ value_json.light }}",
                    "options": .list(LightMode.allCases.map { .text($0.rawValue) }),
                ]),
            // As JSON, so that no text that a person enters is read as JSON.
            command(
                .message, "notify", words.text(.message), .message,
                ["command_template": "{{ {'text': value} | tojson }}"]),
        ]
    }
}
