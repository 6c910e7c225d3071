/// Where a field's bytes are among those of its table.
struct TableField {
    /// Its first byte.
    var start: Int32 = 0
    /// After its last one; blanks around a field and its quotes are no part of it.
    var end: Int32 = 0
    /// Whether there are doubled quotes in it, each of which stands for one.
    var hasDoubledQuotes = false

    /// Whether it says nothing: it is blank, or its row is too short to have it.
    var isEmpty: Bool { start == end }
    /// The same field of bytes that were moved.
    func moved(by distance: Int) -> TableField {
        let distance = Int32(truncatingIfNeeded: distance)
        return TableField(start: start &+ distance, end: end &+ distance, hasDoubledQuotes: hasDoubledQuotes)
    }

    /// Where its bytes are.
    var range: Range<Int> { Int(start)..<Int(max(start, end)) }
}

/// A row's fields, those that are wanted.
struct TableRow {
    /// The most fields that are wanted of any table.
    static let most = 12

    /// By the order in which they are wanted.
    var fields = InlineArray<12, TableField>(repeating: TableField())
    /// Its columns, as far as they were looked at: up to the last that is wanted.
    var columns = 0
    /// Line breaks in it: the one that ends it, and those in quotes.
    var lines = 0
    /// Whether there is nothing on its line.
    var isBlank = false

    /// A field, by the order in which it is wanted.
    subscript(_ place: Int) -> TableField { fields[place] }
}
