/// The range of a field in its table's bytes, without surrounding blanks and quotes.
public struct TableField {
    public var start: Int32
    public var end: Int32
    /// Whether it contains doubled quotes, each of which stands for one.
    public var hasDoubledQuotes: Bool

    @inlinable
    public init(start: Int32 = 0, end: Int32 = 0, hasDoubledQuotes: Bool = false) {
        self.start = start
        self.end = end
        self.hasDoubledQuotes = hasDoubledQuotes
    }

    /// Whether it is blank, or missing in a short row.
    @inlinable public var isEmpty: Bool { start == end }
    /// The field after its bytes have moved.
    @inlinable
    public func moved(by distance: Int) -> TableField {
        let distance = Int32(truncatingIfNeeded: distance)
        return TableField(start: start &+ distance, end: end &+ distance, hasDoubledQuotes: hasDoubledQuotes)
    }

    @inlinable public var range: Range<Int> { Int(start)..<Int(max(start, end)) }
}

/// The requested fields of a row.
public struct TableRow {
    /// The most requested fields of any table.
    static let most = 12

    /// In the order of the request.
    public var fields = InlineArray<12, TableField>(repeating: TableField())
    /// The number of scanned columns, up to the last requested one.
    var columns = 0
    /// The number of line breaks: the final one, and those in quotes.
    package var lines = 0
    /// Whether quotes in a quoted field are not doubled.
    package var hasLooseQuotes = false
    /// Whether its line is empty.
    package var isBlank = false

    package init() {}

    /// A field, by its index in the request.
    @inlinable public subscript(_ place: Int) -> TableField { fields[place] }
}
