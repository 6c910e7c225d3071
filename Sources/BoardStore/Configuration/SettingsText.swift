/// Changes values in the text of boardd.toml; comments and order stay.
///
/// Edits tables with one key per line, as in the installed file. Text in another form becomes text that the loader
/// rejects, so load the result before using it.
public struct SettingsText: Sendable {
    private var lines: [String]

    public init(_ text: String) {
        // TOML's line ends alone: a text may contain others of Unicode.
        lines = text.split(omittingEmptySubsequences: false) { ["\n", "\r\n"].contains($0) }.map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
    }

    public var text: String { lines.map { $0 + "\n" }.joined() }

    /// Sets a key.
    ///
    /// - Parameters:
    ///   - value: in TOML syntax.
    ///   - header: the line that begins the table, such as `[display]`; the first of several. If there is none, the
    ///     comment with it becomes the table, else it is added.
    public mutating func set(_ key: String, to value: String, in header: String) {
        let line = "\(key) = \(value)"
        let comment = lines.firstIndex { $0.hasPrefix("#") && Self.bare(String($0.dropFirst())) == header }
        guard let start = lines.firstIndex(where: { Self.bare($0) == header }) ?? comment else {
            lines += (lines.isEmpty ? [] : [""]) + [header, line]
            return
        }
        if lines[start].hasPrefix("#") { lines[start].removeFirst() }
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("[") || $0.hasPrefix("#[") } ?? lines.endIndex
        let own = (start + 1)..<end
        if let index = own.first(where: { Self.key(of: lines[$0]) == key }) {
            lines[index] = line
        } else {
            // Below the comment with its default.
            let comment = own.first { lines[$0].hasPrefix("#") && Self.key(of: lines[$0].dropFirst()) == key }
            lines.insert(line, at: (comment ?? start) + 1)
        }
    }

    /// Writes a table anew, at the end; the old ones of its name go.
    ///
    /// - Parameters:
    ///   - name: "display", "feed.motis", "quiet".
    ///   - tables: none: there is no such table any more.
    ///   - isList: whether the name is that of a list of tables.
    public mutating func replace(_ name: String, with tables: [[String: SettingValue]], isList: Bool) {
        let header = isList ? "[[\(name)]]" : "[\(name)]"
        var kept: [String] = []
        var isOld = false
        for line in lines {
            if line.hasPrefix("[") { isOld = Self.bare(line) == header }
            if !isOld { kept.append(line) }
        }
        lines =
            kept
            + tables.flatMap { table in
                [header] + table.sorted { $0.key < $1.key }.map { "\(TOMLText.key($0.key)) = \($0.value.toml)" }
            }
    }

    /// A line without its comment and blanks.
    private static func bare(_ line: String) -> String {
        String(line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" })
    }

    private static func key(of line: some StringProtocol) -> String? {
        guard let sign = line.firstIndex(of: "=") else { return nil }
        return String(line[..<sign].filter { $0 != " " && $0 != "\t" && $0 != "\"" })
    }
}

/// The value of a setting, in JSON and in TOML.
public enum SettingValue: Hashable, Sendable, Codable {
    case text(String)
    case integer(Int)
    case boolean(Bool)
    case list([SettingValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode([SettingValue].self) {
            self = .list(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else {
            let rule = "must be a text, a whole number, true, false, or a list of these"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: rule)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        }
    }

    /// As in a file. A control character, which no setting has, is a fault there.
    var toml: String {
        switch self {
        case .text(let value): TOMLText.quoted(value)
        case .integer(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .list(let values): "[" + values.map(\.toml).joined(separator: ", ") + "]"
        }
    }

    init?(_ node: TOMLNode) {
        switch node.value {
        case .text(let value): self = .text(value)
        case .integer(let value): self = .integer(Int(value))
        case .boolean(let value): self = .boolean(value)
        case .list(let nodes): self = .list(nodes.compactMap(SettingValue.init))
        default: return nil
        }
    }
}
