internal import BoardCore

extension DiscoveryMessage {
    /// In seconds. Longer than ``StateMessage/republishAfter``, so that a lost message does no harm.
    private static let expireAfter = 300

    var components: [String: DiscoveryComponent] {
        let all = stops.flatMap(sensors) + [problem] + (1..<(max(0, buttons) + 1)).flatMap(gestures) + commands
        return Dictionary(all.map { ($0.0.text, $0.1) }) { first, _ in first }
    }

    private typealias Component = (ComponentID, DiscoveryComponent)

    private var words: HomeAssistantWords { .of(language) }
    private var state: String { FleetTopic.state(board).text }

    /// An entity; its identifier outlives a new name of the board.
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

    private func sensors(_ stop: Stop) -> [Component] {
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
        let leave = sensor(.leave(stop.id), "\(words.leave) \(stop.title)", "leave", icon: "mdi:walk")
        return stop.hasWalk ? [next, leave] : [next]
    }

    private var problem: Component {
        entity(.problem, .binarySensor, words.problem) { sensor in
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

    private func gestures(_ number: Int) -> [Component] {
        let topic = FleetTopic.button(board, number).text
        let event = entity(.button(number), .event, "\(words.button) \(number)") { event in
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

    private var commands: [Component] {
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
            command(.nextPage, .button, words.nextPage, .press) { $0.payloadPress = GestureMessage.word(.short) },
            command(.refresh, .button, words.refresh, .refresh) { _ in },
            command(.page, .select, words.page, .page) { select in
                select.stateTopic = state
                select.valueTemplate = "{{ value_json.page }}"
                select.options = pages
            },
            command(.light, .select, words.light, .light) { select in
                select.icon = "mdi:brightness-auto"
                select.stateTopic = state
                select.valueTemplate = "{{ value_json.light }}"
                select.options = LightMode.allCases.map(\.rawValue)
            },
            // As JSON, so that no text of a person is taken for it.
            command(.message, .notify, words.message, .message) {
                $0.commandTemplate = "{{ {'text': value} | tojson }}"
            },
        ]
    }
}
