/// What goes into the place of a question mark.
enum SQLiteValue: Hashable, Sendable {
    /// Nothing.
    case null
    /// A whole number.
    case integer(Int64)
    /// A number.
    case real(Double)
    /// Text.
    case text(String)

    /// A whole number, or nothing.
    static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }

    /// A number, or nothing.
    static func optional(_ value: Double?) -> SQLiteValue { value.map { .real($0) } ?? .null }

    /// Text, or nothing.
    static func optional(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
}
