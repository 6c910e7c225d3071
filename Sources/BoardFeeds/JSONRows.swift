import BoardCore

extension JSONDocument {
    /// The elements of the outermost array, or of the array in a member of the outermost object.
    func items(_ member: String) throws(FormatError) -> JSONElements {
        guard let elements = root.elements ?? root.row?[member]?.elements else { throw .unexpectedStructure }
        return elements
    }
}

extension JSONElements {
    /// The valid rows, and the number of bad ones.
    ///
    /// - Throws: ``FormatError`` if all rows are bad: it is a different kind of response.
    func validRows<Row>(_ read: (JSONRow) -> Row?) throws(FormatError) -> (good: [Row], bad: Int) {
        let rows = rows(read)
        if rows.good.isEmpty, rows.bad > 0 { throw .unexpectedStructure }
        return rows
    }
}

extension JSONRow {
    /// The coordinates in two members; nil if absent or out of range, and for 0, 0, which stands for none.
    func coordinates(_ latitude: String = "lat", _ longitude: String = "lon") -> Coordinates? {
        guard let latitude = number(latitude), let longitude = number(longitude), latitude != 0 || longitude != 0 else {
            return nil
        }
        return Coordinates(latitude: latitude, longitude: longitude)
    }
}

// Limits on what reaches the board from one response.
extension ResponseLimits {
    /// The most departures, the earliest ones. A stop with 3,000 departures a day has 250 in two hours.
    static let departures = 1_000
    /// The most alerts; the largest stations have 30.
    static let alerts = 200
    /// The most calling points of a trip; the longest bus route in Britain has 170 stops.
    static let calls = 500
    /// The most lines of a stop; the largest interchanges have 150.
    static let lines = 1_000
    /// The most additional requests for one poll, such as the runs of each route of a stop. A busy stop has 20 routes.
    static let lookups = 32
}
