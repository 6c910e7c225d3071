/// A position in a text as editors count it: both from 1, columns in characters.
public struct SourcePosition: Hashable, Comparable, Sendable {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// The text of a configuration file: valid UTF-8 without NUL bytes, with the positions of its bytes.
struct SourceText {
    /// The maximum size in bytes: no file written by hand comes near it, so a larger one is the wrong file. It also
    /// bounds the parser's time and memory, which grow faster than the size (toml11 4.4 took 47 s for 1 MB of `[[a]]`).
    static let maximumSize = 100_000
    /// The maximum length of a line, in bytes. The parser's time grows with its square.
    static let maximumLine = 2000

    /// The UTF-8 byte order mark that some editors write.
    static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The file's path, for messages.
    let file: String
    /// The bytes, without a byte order mark.
    let bytes: [UInt8]
    let lines: Lines

    init(empty file: String) { self.init(file: file, valid: []) }

    private init(file: String, valid bytes: [UInt8]) {
        self.file = file
        self.bytes = bytes
        lines = Lines(bytes)
    }

    /// Checks the bytes of a file.
    init(file: String, bytes raw: [UInt8]) throws(SourceError) {
        let bytes = raw.starts(with: Self.mark) ? Array(raw.dropFirst(Self.mark.count)) : raw
        self.file = file
        self.bytes = bytes
        lines = Lines(bytes)
        guard raw.count <= Self.maximumSize else {
            throw SourceError(file: file, message: "larger than the limit of 100 kB; is this the right file?")
        }
        let valid = String(decoding: bytes, as: UTF8.self).utf8
        if !valid.elementsEqual(bytes) {
            let offset = zip(bytes, valid).enumerated().first { $1.0 != $1.1 }?.offset ?? bytes.count
            throw fault(at: offset, "is not UTF-8 from here on; save the file as UTF-8")
        }
        if let nul = bytes.firstIndex(of: 0) { throw fault(at: nul, "a NUL byte; a text file has none") }
        for line in lines.ranges where line.count > Self.maximumLine {
            throw fault(at: line.lowerBound, "a line of more than \(Self.maximumLine) bytes; break it up")
        }
    }

    /// Without a last line that has no end, which may be a part of one.
    var wholeLines: SourceText {
        SourceText(file: file, valid: Array(bytes[..<(bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)]))
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
    }

    func position(at offset: Int) -> SourcePosition {
        let line = lines.index(of: offset)
        return SourcePosition(line: line + 1, column: text(lines.offset(of: line)..<offset).count + 1)
    }

    func fault(at offset: Int, _ message: String) -> SourceError {
        SourceError(file: file, position: position(at: offset), message: message)
    }
}

/// The lines of a text, by their bytes: TOML's only line ends are LF and CRLF.
struct Lines {
    private let bytes: [UInt8]
    /// The start of every line, and of the empty one after a final line end.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// The number of lines, not counting an empty one at the end.
    var count: Int { starts.count - (starts.last == bytes.count ? 1 : 0) }

    /// The byte range of each line, with its line end.
    var ranges: [Range<Int>] { (0..<count).map { offset(of: $0)..<offset(of: $0 + 1) } }

    /// The line of the byte at `offset`.
    func index(of offset: Int) -> Int { starts.lastIndex { $0 <= offset } ?? 0 }

    /// The first byte of a line; the end of the text for the line after the last.
    func offset(of line: Int) -> Int { line < starts.count ? starts[line] : bytes.count }

    /// Whether a line contains only a comment.
    func isComment(_ line: Int) -> Bool { first(in: line) == UInt8(ascii: "#") }

    func isBlank(_ line: Int) -> Bool { first(in: line) == nil }

    /// The first byte of a line that is not whitespace.
    private func first(in line: Int) -> UInt8? {
        bytes[offset(of: line)..<offset(of: line + 1)].first { !" \t\r\n".utf8.contains($0) }
    }
}
