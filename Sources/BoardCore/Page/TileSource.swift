/// A server of map tiles, from which the browser loads them: `https://tile.example.org/{z}/{x}/{y}.png`.
public struct TileSource: Hashable, Sendable, CustomStringConvertible {
    /// With each of `{z}`, `{x}` and `{y}` once, behind the host.
    public let description: String
    /// Where the tiles come from.
    public let origin: WebOrigin

    /// Nil for any other text, such as one with a name and password, with control characters, quotes or a fragment.
    public init?(_ text: String) {
        let scheme = "https://"
        guard text.hasPrefix(scheme) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        let places = ["{z}", "{x}", "{y}"]
        var plain = String(path)
        for place in places {
            guard path.ranges(of: place).count == 1 else { return nil }
            plain = plain.replacing(place, with: "")
        }
        guard plain.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) }),
            !plain.contains(where: { "#\\\"'<>^`{|}@".contains($0) }),
            let origin = WebOrigin(scheme + authority)
        else { return nil }
        description = text
        self.origin = origin
    }
}
