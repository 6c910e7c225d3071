/// Writes TZif files for tests.
struct TZifWriter {
    var version: UInt8 = UInt8(ascii: "2")
    var changes: [(at: Int64, type: UInt8)] = []
    var types: [(offset: Int32, isDaylight: UInt8, designation: UInt8)] = [(0, 0, 0)]
    var designations = Array("UTC\0".utf8)
    var leaps: [(at: Int64, correction: Int32)] = []
    var indicators = 0
    var footer = "\n\n"

    var bytes: [UInt8] {
        guard version != 0 else { return block(timeSize: 4) }
        var older = TZifWriter()
        older.version = version
        return older.block(timeSize: 4) + block(timeSize: 8) + Array(footer.utf8)
    }

    private func block(timeSize: Int) -> [UInt8] {
        var out = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
        for count in [indicators, indicators, leaps.count, changes.count, types.count, designations.count] {
            out += number(Int64(count), width: 4)
        }
        out += changes.flatMap { number($0.at, width: timeSize) }
        out += changes.map(\.type)
        out += types.flatMap { number(Int64($0.offset), width: 4) + [$0.isDaylight, $0.designation] }
        out += designations
        out += leaps.flatMap { number($0.at, width: timeSize) + number(Int64($0.correction), width: 4) }
        return out + [UInt8](repeating: 0, count: indicators * 2)
    }

    private func number(_ value: Int64, width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
