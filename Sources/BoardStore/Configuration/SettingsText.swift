/// Changes values in the text of boardd.toml; comments and order stay.
///
/// Edits tables with one key per line, as in the installed file. Text in another form becomes text that the loader
/// rejects, so load the result before using it.
public struct SettingsText: Sendable {
    private var lines: [String]

    public init(_ text: String) {
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
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

    /// A line without its comment and blanks.
    private static func bare(_ line: String) -> String {
        String(line.prefix { $0 != "#" }.filter { $0 != " " && $0 != "\t" })
    }

    private static func key(of line: some StringProtocol) -> String? {
        guard let sign = line.firstIndex(of: "=") else { return nil }
        return String(line[..<sign].filter { $0 != " " && $0 != "\t" })
    }
}
