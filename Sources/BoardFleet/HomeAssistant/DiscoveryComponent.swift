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
    /// In seconds: a state that was not published again for so long is unavailable.
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
