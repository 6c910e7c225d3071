public import BoardCore

/// A frame as text with a title: what `boardd demo` prints without a terminal, and what the gallery stores.
public struct FramePicture: Hashable, Sendable {
    /// Empty: none.
    public let title: String
    public let frame: Frame

    /// The end of the title of a frame without backlight.
    static let lightOff = " · light off"

    public init(title: String, frame: Frame) {
        self.title = title + (frame.isLit || title.hasSuffix(Self.lightOff) ? "" : Self.lightOff)
        self.frame = frame
    }

    /// Reads every picture of a text: lines between `|` or `│`, below the line with the title.
    public static func all(in text: String) throws(FramePictureFault) -> [FramePicture] {
        var pictures: [FramePicture] = []
        var title = ""
        var rows: [String] = []
        let lines: [Substring] = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) + [""]
        for (index, line) in lines.enumerated() {
            let line = trimmed(line)
            if let bar = line.first, bar == "|" || bar == "│" {
                let row = line.dropFirst().dropLast()
                guard line.count > 1, line.last == bar else {
                    throw FramePictureFault(line: index + 1, detail: "the row has no \(bar) at its end")
                }
                let width = rows.first?.count ?? row.count
                guard row.count == width else {
                    throw FramePictureFault(
                        line: index + 1, detail: "the row has \(row.count) cells, the first of its picture \(width)")
                }
                rows.append(String(row))
                continue
            }
            if let width = rows.first?.count {
                let frame = Frame(columns: width, rows: rows, isLit: !title.hasSuffix(lightOff))
                pictures.append(FramePicture(title: title, frame: frame))
                (title, rows) = ("", [])
            }
            if let first = line.first, first != "┌", first != "└" { title = String(line) }
        }
        return pictures
    }

    /// The lines of the picture: the title if it has one, and the frame in a box.
    public var lines: [String] { (title.isEmpty ? [] : [title.asPrintedLine]) + FrameText(frame).lines }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop(while: \.isWhitespace)
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }
}

/// A row of a picture that is not readable.
public struct FramePictureFault: Error, Hashable, Sendable {
    /// From 1.
    public let line: Int
    public let detail: String
}
