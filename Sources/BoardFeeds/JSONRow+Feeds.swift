internal import BoardCore
internal import BoardFormats

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
