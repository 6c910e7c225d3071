extension Coordinates {
    /// Whether a text is the address of a map rather than degrees or a name.
    public static func isLink(_ text: some StringProtocol) -> Bool { text.contains("://") || text.hasPrefix("geo:") }

    /// The place in a link of OpenStreetMap, Google Maps or Apple Maps, or in a geo URI (RFC 5870): its marker, otherwise
    /// the centre of the map.
    ///
    /// - Throws: the end of a sentence that begins with the text.
    init(link text: some StringProtocol) throws(PlainError) {
        let link = String(text).replacing("%2C", with: ",").replacing("%2c", with: ",").replacing("%3A", with: ":")
        let patterns: [Regex<(Substring, Substring, Substring)>] = [
            /[?&]mlat=([-+]?[\d.]+)&mlon=([-+]?[\d.]+)/,
            /!3d([-+]?[\d.]+)!4d([-+]?[\d.]+)/,
            /[?&](?:ll|q|query|center|coordinate|daddr|destination)=(?:loc:)?([-+]?[\d.]+),[+ ]?([-+]?[\d.]+)/,
            /^geo:([-+]?[\d.]+),([-+]?[\d.]+)/,
            /#map=[\d.]+\/([-+]?[\d.]+)\/([-+]?[\d.]+)/,
            /[@\/]([-+]?[\d.]+),\+?([-+]?[\d.]+)/,
        ]
        for pattern in patterns {
            guard let found = link.firstMatch(of: pattern)?.output, let latitude = Self.number(found.1),
                let longitude = Self.number(found.2),
                let place = Coordinates(latitude: latitude, longitude: longitude)
            else { continue }
            self = place
            return
        }
        throw PlainError("is a link without coordinates: open it, and copy the address that the browser then shows")
    }
}
