public import BoardCore

extension Metres {
    /// Parses a distance such as "400m", "1.5km" or "400", which is metres: digits, at most one decimal point, a unit. Nil for
    /// any other text.
    public init?(written text: some StringProtocol) {
        let isKilometres = text.hasSuffix("km")
        let digits = text.dropLast(isKilometres ? 2 : text.hasSuffix("m") ? 1 : 0)
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isDigit) }),
            let number = Double(String(digits))
        else { return nil }
        self.init(isKilometres ? number * 1_000 : number)
    }
}

extension ValueKind<Metres> {
    /// The radius of a `[[nearby]]` search: from the next corner to farther than anyone walks.
    static let radius = ValueKind(
        allowed: "a distance from 20m to 5km, such as \"400m\" or \"1.5km\", or a number of metres"
    ) {
        (node) throws(ValueErrors) in
        guard let text = node.numberOrText, let radius = Metres(written: text),
            Metres(20) <= radius, radius <= Metres(5_000)
        else { throw .notAllowed(node) }
        return radius
    }
}

extension ValueKind<Coordinates> {
    /// Coordinates as maps copy them.
    static let coordinates = ValueKind(allowed: "latitude and longitude as \"51.5154,-0.1419\"") {
        (node) throws(ValueErrors) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        do throws(CoordinatesFault) {
            return try Coordinates(written: text)
        } catch .notCoordinates {
            throw .notAllowed(node)
        } catch {
            throw .message("\(error)", node)
        }
    }
}
