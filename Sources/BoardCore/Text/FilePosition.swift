/// A position in a configuration file, in short form for the panel.
public struct FilePosition: Hashable, Sendable, CustomStringConvertible {
    /// The file name without its folder.
    public let file: String
    /// The line, from 1; nil: the whole file.
    public let line: Int?

    public init(file: String, line: Int? = nil) {
        self.file = file.split(separator: "/").last.map(String.init) ?? file
        self.line = line
    }

    /// "boardd.toml:12".
    public var description: String {
        line.map { "\(file):\($0)" } ?? file
    }

    /// "boardd:12": without the extension, the least informative part.
    var stem: String {
        let stem = file.split(separator: ".").first.map(String.init) ?? file
        return line.map { "\(stem):\($0)" } ?? stem
    }
}
