internal import BoardCore

/// What a viewer of the page may do, and the texts of the page: the response to `GET /v1/page`.
struct PageInfo: Sendable, Encodable {
    /// The background of the map.
    struct Tiles: Sendable, Encodable {
        /// The address of a tile, with {z}, {x} and {y}.
        let url: String
        /// What is shown on the map; empty: the name of the server.
        let attribution: String
    }

    /// The name of the machine.
    let name: String
    let version: String
    let language: Language
    /// Whether this request may change something.
    let mayChange: Bool
    let change: PageOptions.Change
    /// The name of the paired device that sent the request.
    let device: String?
    /// Nil: none is configured.
    let tiles: Tiles?
    /// The origin under which the page was opened: "http://192.168.1.5".
    let address: String

    private enum CodingKeys: CodingKey {
        case name, version, language, mayChange, change, device, words, tiles, address
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(version, forKey: .version)
        try container.encode(language.rawValue, forKey: .language)
        try container.encode(mayChange, forKey: .mayChange)
        try container.encode(change.rawValue, forKey: .change)
        try container.encodeIfPresent(device, forKey: .device)
        try container.encode(PageWords.of(language), forKey: .words)
        try container.encodeIfPresent(tiles, forKey: .tiles)
        try container.encode(address, forKey: .address)
    }
}
