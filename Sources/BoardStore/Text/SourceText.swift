/// A place in a text, as editors count: both from 1, columns in characters.
public struct SourcePosition: Hashable, Comparable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1, in characters.
    public let column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Whether `left` comes first in the text.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// The text of a configuration file: valid UTF-8 without NUL bytes, with the places of its bytes.
struct SourceText {
    /// No file that a person writes comes near to this; a larger one is the wrong file. It also bounds the parser's time and
    /// memory: of both, toml11 takes more than in proportion (1 MB of `[[a]]` took 4.4 47 s).
    static let maximumSize = 100_000
    /// The limit of a line, in bytes. The parser's time grows with the square of it.
    static let maximumLine = 2000

    /// The file's path, for faults.
    let file: String
    /// The bytes, without a byte order mark.
    let bytes: [UInt8]
    /// The lines.
    let lines: Lines

    /// The text of an empty file.
    init(empty file: String) {
        self.file = file
        bytes = []
        lines = Lines(bytes)
    }

    /// Checks the bytes of a file.
    init(file: String, bytes raw: [UInt8]) throws(ConfigurationFault) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = raw.starts(with: mark) ? Array(raw.dropFirst(mark.count)) : raw
        self.file = file
        self.bytes = bytes
        lines = Lines(bytes)
        guard raw.count <= Self.maximumSize else {
            throw ConfigurationFault(file: file, message: "is larger than 100 kB: surely another file was meant")
        }
        let valid = String(decoding: bytes, as: UTF8.self).utf8
        if !valid.elementsEqual(bytes) {
            let offset = zip(bytes, valid).enumerated().first { $1.0 != $1.1 }?.offset ?? bytes.count
            throw fault(at: offset, "is not UTF-8 from here on; save the file as UTF-8")
        }
        if let nul = bytes.firstIndex(of: 0) {
            throw fault(at: nul, "a NUL byte; a text file has none")
        }
        for line in lines.ranges where line.count > Self.maximumLine {
            throw fault(at: line.lowerBound, "a line of more than \(Self.maximumLine) bytes; break it up")
        }
    }

    /// The text of a part.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
    }

    /// The place of the byte at `offset`.
    func place(at offset: Int) -> SourcePosition {
        let line = lines.index(of: offset)
        return SourcePosition(line: line + 1, column: text(lines.offset(of: line)..<offset).count + 1)
    }

    /// A fault at the byte at `offset`.
    func fault(at offset: Int, _ message: String) -> ConfigurationFault {
        ConfigurationFault(file: file, place: place(at: offset), message: message)
    }
}
