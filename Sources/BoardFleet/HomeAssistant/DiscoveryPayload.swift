/// The JSON of a device discovery (Home Assistant 2024.11 and later). Home Assistant ignores unknown keys, so that only a test
/// against its code (Tests/Fleet/home-assistant) finds a misspelt one.
struct DiscoveryPayload: Encodable {
    struct Device: Encodable {
        let identifiers: [String]
        let name: String
        let manufacturer = "boardd"
        let model = "Departure board"
        let softwareVersion: String
        let configurationURL: String?
        let viaDevice: String?

        enum CodingKeys: String, CodingKey {
            case identifiers, name, manufacturer, model
            case softwareVersion = "sw_version"
            case configurationURL = "configuration_url"
            case viaDevice = "via_device"
        }
    }

    struct Origin: Encodable {
        let name = "boardd"
        let softwareVersion: String
        let supportURL = "https://github.com/boardd/boardd"

        enum CodingKeys: String, CodingKey {
            case name
            case softwareVersion = "sw_version"
            case supportURL = "support_url"
        }
    }

    struct Availability: Encodable {
        let topic: String
        let valueTemplate = "{{ value_json.state }}"

        enum CodingKeys: String, CodingKey {
            case topic
            case valueTemplate = "value_template"
        }
    }

    let device: Device
    let origin: Origin
    let availability: [Availability]
    let components: [String: DiscoveryComponent]
}
