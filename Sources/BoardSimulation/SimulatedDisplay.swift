public import BoardCore
internal import BoardIO

/// A display for `--simulate`: drawn on a terminal, as plain text, or as a log of frames.
///
/// Writes a frame only where it differs from the previous one.
public struct SimulatedDisplay: Display, Sendable {
    public enum Output: Hashable, Sendable {
        /// Drawn in place on a terminal, whose content is restored when the display closes; `note`: a line above the keys.
        case terminal(descriptor: Int32, hasColour: Bool, note: String? = nil)
        /// Frames as text in a box, each with its number and the seconds since the first.
        case text(descriptor: Int32)
        /// One JSON object per line: `{"t": 1500000, "lit": true, "rows": ["…"]}`; `t` is the frame's ``Instant`` in
        /// microseconds.
        case log(descriptor: Int32)
    }

    private let output: Output
    private let descriptor: Int32
    private let limit: Int
    private let onFrame: @Sendable (Int) -> Void
    /// The `errno` of the last write; 0 after a success.
    public private(set) var writeError: Int32 = 0
    private var count = 0
    private var start: Instant?
    private var last: Frame?
    private var isClosed = false

    /// - Parameters:
    ///   - output: the caller closes its descriptor.
    ///   - limit: the number of frames to write (`--frames`); nil: no limit.
    ///   - onFrame: called on the display's thread after each written frame, with the number of frames so far.
    public init(_ output: Output, limit: Int? = nil, onFrame: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.output = output
        self.limit = limit ?? .max
        self.onFrame = onFrame
        switch output {
        case .terminal(let descriptor, _, _), .text(let descriptor), .log(let descriptor):
            self.descriptor = descriptor
        }
    }

    /// Writes the frame; a failed write makes the display absent.
    public mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        guard frame != last, count < limit, !isClosed else { return DisplayReport(.shown) }
        let first = start ?? now
        let text = text(of: frame, number: count + 1, at: now, since: first)
        writeError = writeAll(Array(text.utf8).span, to: descriptor)
        guard writeError == 0 else {
            return DisplayReport(
                .absent(
                    .init("the simulated display cannot write to descriptor \(descriptor): \(errnoText(writeError))")))
        }
        start = first
        last = frame
        count += 1
        onFrame(count)
        return DisplayReport(.shown)
    }

    /// Writes the last frame; a terminal gets its own content back, with the last frame below.
    public mutating func close(last frame: Frame, at now: Instant) {
        guard !isClosed else { return }
        _ = show(frame, at: now)
        isClosed = true
        guard case .terminal = output, count > 0 else { return }
        let text = TerminalFrame.leave + FrameText(frame).lines.map { $0 + "\n" }.joined()
        _ = writeAll(Array(text.utf8).span, to: descriptor)
    }

    private func text(of frame: Frame, number: Int, at now: Instant, since first: Instant) -> String {
        switch output {
        case .terminal(_, let hasColour, let note):
            let drawing = TerminalFrame(frame, hasColour: hasColour, note: note).text
            return number == 1 ? TerminalFrame.enter + drawing : drawing
        case .text:
            let tenths = (now - first).wholeMicroseconds / 100_000
            let title = "frame \(number) · \(tenths / 10).\(tenths % 10) s"
            return FramePicture(title: title, frame: frame).lines.map { $0 + "\n" }.joined() + "\n"
        case .log:
            let rows = frame.lines.map(Self.quoted).joined(separator: ", ")
            return "{\"t\": \(now.microseconds), \"lit\": \(frame.isLit), \"rows\": [\(rows)]}\n"
        }
    }

    /// A string of JSON (RFC 8259 §7).
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\0"..<" ": "\\u" + scalar.value.padded(to: 4, radix: 16)
            default: "\(scalar)"
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
