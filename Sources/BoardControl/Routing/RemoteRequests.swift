internal import BoardCore
internal import BoardService

/// The body of `POST /v1/show`.
struct ShowRequest: Codable {
    let page: String

    init(_ page: String) { self.page = page }

    /// Throws for unknown keys.
    init(from decoder: any Decoder) throws {
        page = try decoder.strictContainer(["page"]).decode(String.self, forKey: "page")
    }
}

/// The body of `POST /v1/light`.
struct LightRequest: Codable {
    let light: LightMode

    init(_ light: LightMode) { self.light = light }

    /// Throws for unknown keys and values.
    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(["light"])
        let word = try container.decode(String.self, forKey: "light")
        guard let light = LightMode(rawValue: word) else {
            let allowed = LightMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw container.invalid("light", "\"\(RequestTarget.quoted(word))\" is unknown; allowed: \(allowed)")
        }
        self.light = light
    }
}
