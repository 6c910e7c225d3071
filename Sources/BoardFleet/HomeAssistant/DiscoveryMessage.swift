import BoardCore
import BoardService

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
    let components: [String: DiscoveryComponent.Platform]
}

extension DiscoveryMessage {
    /// Contains `boardd-NAME`, so that a board need not write to any other topic of Home Assistant.
    static func topic(of board: FleetName) -> String { "homeassistant/device/boardd-\(board)/config" }

    var published: PublishedDiscovery {
        PublishedDiscovery(topic: Self.topic(of: board), components: components.mapValues(\.platform))
    }

    /// The messages that replace an announcement, in order. One under another name is emptied first: the device is the
    /// same. A component that is gone is sent once with only its platform, then not at all.
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

    /// The message that removes the board from Home Assistant.
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

// MARK: - Components

extension DiscoveryMessage {
    /// In seconds. Longer than ``StateMessage/republishAfter``, so that a lost message does no harm.
    private static let expireAfter = 300

    var components: [String: DiscoveryComponent] {
        let words = language.words
        let all =
            stops.flatMap { sensors($0, words) } + [problem(words)]
            + (1..<(max(0, buttons) + 1)).flatMap { gestures($0, words) } + commands(words)
        return Dictionary(all.map { ($0.0.text, $0.1) }) { first, _ in first }
    }

    private typealias Component = (ComponentID, DiscoveryComponent)

    private var state: String { FleetTopic.state(board).text }

    /// An entity; its identifier stays when the board is renamed.
    private func entity(
        _ id: ComponentID, _ platform: DiscoveryComponent.Platform, _ name: String,
        _ change: (inout DiscoveryComponent) -> Void
    ) -> Component {
        var component = DiscoveryComponent(platform)
        component.uniqueID = "\(device)-\(id.text)"
        component.name = name
        change(&component)
        return (id, component)
    }

    // MARK: What the board shows

    private func sensors(_ stop: Stop, _ words: Words) -> [Component] {
        // A favourite outside its hours is not in the state.
        let entry = "value_json.stops.get('\(ComponentID.key(of: stop.id))', {})"
        func sensor(_ id: ComponentID, _ name: String, _ key: String, icon: String) -> Component {
            entity(id, .sensor, name) { sensor in
                sensor.icon = icon
                sensor.deviceClass = "timestamp"
                sensor.stateTopic = state
                sensor.valueTemplate = "{{ \(entry).get('\(key)') }}"
                sensor.expireAfter = Self.expireAfter
            }
        }
        var next = sensor(.next(stop.id), stop.title, "next", icon: "mdi:bus-clock")
        next.1.attributesTopic = state
        next.1.attributesTemplate = "{{ \(entry).get('attributes', {}) | tojson }}"
        let leave = sensor(.leave(stop.id), "\(words.text(.leaveFor)) \(stop.title)", "leave", icon: "mdi:walk")
        return stop.hasWalk ? [next, leave] : [next]
    }

    private func problem(_ words: Words) -> Component {
        entity(.problem, .binarySensor, words.text(.problem)) { sensor in
            sensor.deviceClass = "problem"
            sensor.entityCategory = "diagnostic"
            sensor.stateTopic = state
            sensor.valueTemplate = "{{ value_json.problem.state }}"
            sensor.attributesTopic = state
            sensor.attributesTemplate = "{{ value_json.problem.attributes | tojson }}"
            sensor.expireAfter = Self.expireAfter
        }
    }

    // MARK: Buttons of the board

    private func gestures(_ number: Int, _ words: Words) -> [Component] {
        let topic = FleetTopic.button(board, number).text
        let event = entity(.button(number), .event, "\(words.text(.button)) \(number)") { event in
            event.deviceClass = "button"
            event.stateTopic = topic
            event.eventTypes = Gesture.allCases.map(GestureMessage.word)
        }
        let triggers = Gesture.allCases.map { gesture -> Component in
            var trigger = DiscoveryComponent(.deviceAutomation)
            trigger.automationType = "trigger"
            trigger.type = Self.triggerType(gesture)
            trigger.subtype = "button_\(number)"
            trigger.topic = topic
            trigger.valueTemplate = "{{ value_json.event_type }}"
            trigger.payload = GestureMessage.word(gesture)
            return (.trigger(number, gesture), trigger)
        }
        return [event] + triggers
    }

    /// Home Assistant translates the first three.
    private static func triggerType(_ gesture: Gesture) -> String {
        switch gesture {
        case .short: "button_short_press"
        case .hold: "button_long_press"
        case .double: "button_double_press"
        case .longHold: "long_hold"
        }
    }

    // MARK: Commands

    private func commands(_ words: Words) -> [Component] {
        func command(
            _ id: ComponentID, _ platform: DiscoveryComponent.Platform, _ name: String, _ command: FleetCommand.Name,
            _ change: (inout DiscoveryComponent) -> Void
        ) -> Component {
            entity(id, platform, name) { component in
                component.commandTopic = FleetTopic.command(board, command).text
                component.quality = 1
                change(&component)
            }
        }
        return [
            command(.nextPage, .button, words.text(.nextPage), .press) {
                $0.payloadPress = GestureMessage.word(.short)
            },
            command(.refresh, .button, words.text(.refreshNow), .refresh) { _ in },
            command(.page, .select, words.text(.page), .page) { select in
                select.stateTopic = state
                select.valueTemplate = "{{ value_json.page }}"
                select.options = pages
            },
            command(.light, .select, words.text(.light), .light) { select in
                select.icon = "mdi:brightness-auto"
                select.stateTopic = state
                select.valueTemplate = "{{ value_json.light }}"
                select.options = LightMode.allCases.map(\.rawValue)
            },
            // As JSON, so that no text that a person enters is read as JSON.
            command(.message, .notify, words.text(.message), .message) {
                $0.commandTemplate = "{{ {'text': value} | tojson }}"
            },
        ]
    }
}

/// One entity or trigger in a device discovery, with Home Assistant's keys. A removed one has only its platform.
struct DiscoveryComponent: Hashable, Encodable {
    enum Platform: String, Codable, Sendable {
        case sensor, event, button, select, notify
        case binarySensor = "binary_sensor"
        case deviceAutomation = "device_automation"
    }

    var platform: Platform
    var uniqueID: String?
    var name: String?
    var icon: String?
    var deviceClass: String?
    var entityCategory: String?
    var stateTopic: String?
    var valueTemplate: String?
    var attributesTopic: String?
    var attributesTemplate: String?
    /// In seconds: a state that is not published again for this long is unavailable.
    var expireAfter: Int?
    var commandTopic: String?
    var commandTemplate: String?
    var payloadPress: String?
    var quality: Int?
    var options: [String]?
    var eventTypes: [String]?
    var automationType: String?
    var type: String?
    var subtype: String?
    var topic: String?
    var payload: String?

    init(_ platform: Platform) { self.platform = platform }

    enum CodingKeys: String, CodingKey {
        case platform, name, icon, options, type, subtype, topic, payload
        case uniqueID = "unique_id"
        case deviceClass = "device_class"
        case entityCategory = "entity_category"
        case stateTopic = "state_topic"
        case valueTemplate = "value_template"
        case attributesTopic = "json_attributes_topic"
        case attributesTemplate = "json_attributes_template"
        case expireAfter = "expire_after"
        case commandTopic = "command_topic"
        case commandTemplate = "command_template"
        case payloadPress = "payload_press"
        case quality = "qos"
        case eventTypes = "event_types"
        case automationType = "automation_type"
    }
}
