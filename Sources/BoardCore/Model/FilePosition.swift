/// A place in a file that a person wrote, as short as a panel needs it.
public struct FilePosition: Hashable, Sendable, CustomStringConvertible {
    /// The file's name without its folder.
    public let file: String
    /// The line, from 1; nil when it is about the whole file.
    public let line: Int?

    /// A place.
    ///
    /// - Parameters:
    ///   - file: the file's name or path; the folder is left out.
    ///   - line: the line, from 1.
    public init(file: String, line: Int? = nil) {
        self.file = file.split(separator: "/").last.map(String.init) ?? file
        self.line = line
    }

    /// "boardd.toml:12".
    public var description: String {
        line.map { "\(file):\($0)" } ?? file
    }

    /// "boardd:12": without the ending, which tells a person the least.
    var stem: String {
        let stem = file.split(separator: ".").first.map(String.init) ?? file
        return line.map { "\(stem):\($0)" } ?? stem
    }
}
