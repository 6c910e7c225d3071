internal import BoardFormats

/// The range of a field in its table's bytes, without surrounding blanks and quotes.
struct TableField {
    var start: Int32 = 0
    var end: Int32 = 0
    /// Whether it contains doubled quotes, each of which stands for one.
    var hasDoubledQuotes = false

    /// Whether it is blank, or missing in a short row.
    var isEmpty: Bool { start == end }
    /// The field after its bytes have moved.
    func moved(by distance: Int) -> TableField {
        let distance = Int32(truncatingIfNeeded: distance)
        return TableField(start: start &+ distance, end: end &+ distance, hasDoubledQuotes: hasDoubledQuotes)
    }

    var range: Range<Int> { Int(start)..<Int(max(start, end)) }
}

/// The requested fields of a row.
struct TableRow {
    /// The most requested fields of any table.
    static let most = 12

    /// In the order of the request.
    var fields = InlineArray<12, TableField>(repeating: TableField())
    /// The number of scanned columns, up to the last requested one.
    var columns = 0
    /// The number of line breaks: the final one, and those in quotes.
    var lines = 0
    /// Whether its line is empty.
    var isBlank = false

    /// A field, by its index in the request.
    subscript(_ place: Int) -> TableField { fields[place] }
}
