/// The lines of a text, by their bytes: the only line ends of TOML are LF and CRLF.
struct Lines {
    private let bytes: [UInt8]
    /// The start of every line, and of the empty one after a final line end.
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// The number of lines, without an empty one at the end.
    var count: Int { starts.count - (starts.last == bytes.count ? 1 : 0) }

    /// The bytes of each line, with its line end.
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
