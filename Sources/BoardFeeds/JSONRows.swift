import BoardCore
import BoardFormats

extension JSONDocument {
    /// The elements of the outermost array, or of the array in a member of the outermost object.
    func items(_ member: String) throws(JSONFault) -> JSONElements {
        guard let elements = root.elements ?? root.row?[member]?.elements else { throw .unexpectedStructure }
        return elements
    }
}

extension JSONElements {
    /// The valid rows, and the number of bad ones.
    ///
    /// - Throws: ``JSONFault`` if all rows are bad: it is another kind of response.
    func validRows<Row>(_ read: (JSONRow) -> Row?) throws(JSONFault) -> (good: [Row], bad: Int) {
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

// Limits of what reaches the board of one response.
extension ResponseLimits {
    /// The most departures of one response that reach the board, earliest first. A stop with 3,000 departures a day has 250 in
    /// two hours.
    static let departures = 1_000
    /// The most alerts of one response that reach the board; the largest stations have 30.
    static let alerts = 200
    /// The most calling points of a trip that reach the board; the longest bus route in Britain has 170 stops.
    static let calls = 500
    /// The most lines of a stop; the largest interchanges have 150.
    static let lines = 1_000
    /// The most additional requests for one poll, such as a list of runs for each route of a stop. A busy stop has 20 routes.
    static let lookups = 32
}
