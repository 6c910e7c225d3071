/// The value of a parameter.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }

    static func optional(_ value: Double?) -> SQLiteValue { value.map { .real($0) } ?? .null }

    static func optional(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
}
