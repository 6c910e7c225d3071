public import BoardCore
internal import BoardIO

/// The glass on a terminal, as plain text, or as a log of frames: what `--simulate` shows.
///
/// A frame that equals the one before is not written again.
public struct SimulatedDisplay: Display, Sendable {
    /// Where frames go, and in what form.
    public enum Output: Hashable, Sendable {
        /// Drawn in place on a terminal, whose screen comes back when the display closes.
        case terminal(descriptor: Int32, hasColour: Bool)
        /// One after the other as text in a box, each with its number and the seconds since the first.
        case text(descriptor: Int32)
        /// A JSON object a line: `{"t": 1500000, "lit": true, "rows": ["…"]}`, with `t` the frame's ``Instant`` in
        /// microseconds.
        case log(descriptor: Int32)
    }

    private let output: Output
    private let writer: DescriptorWriter
    private let limit: Int
    private let onFrame: @Sendable (Int) -> Void
    /// The `errno` of the last write; 0 when all was well.
    public private(set) var writeError: Int32 = 0
    private var count = 0
    private var start: Instant?
    private var last: Frame?
    private var isClosed = false

    /// A display.
    ///
    /// - Parameters:
    ///   - output: where frames go, and in what form. The descriptor stays the caller's.
    ///   - limit: frames after which nothing more is written (`--frames`); nil: none.
    ///   - onFrame: called after each written frame, on the display's thread, with the number of frames so far.
    public init(_ output: Output, limit: Int? = nil, onFrame: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.output = output
        self.limit = limit ?? .max
        self.onFrame = onFrame
        switch output {
        case .terminal(let descriptor, _), .text(let descriptor), .log(let descriptor):
            writer = DescriptorWriter(descriptor: descriptor)
        }
    }

    /// Writes the frame; a descriptor that takes nothing any more makes the display absent.
    public mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        guard frame != last, count < limit, !isClosed else { return DisplayReport(.shown) }
        let first = start ?? now
        let text = text(of: frame, number: count + 1, at: now, since: first)
        writeError = writer.write(text)
        guard writeError == 0 else {
            return DisplayReport(
                .absent(
                    .init(
                        "the simulated display cannot write to descriptor \(writer.descriptor): \(errnoText(writeError))"
                    )))
        }
        start = first
        last = frame
        count += 1
        onFrame(count)
        return DisplayReport(.shown)
    }

    /// Writes the last frame; a terminal gets its own screen back, with the last frame left on it.
    public mutating func close(last frame: Frame, at now: Instant) {
        guard !isClosed else { return }
        _ = show(frame, at: now)
        isClosed = true
        guard case .terminal = output, count > 0 else { return }
        _ = writer.write(TerminalFrame.leave + FrameText(frame).lines.map { $0 + "\n" }.joined())
    }

    private func text(of frame: Frame, number: Int, at now: Instant, since first: Instant) -> String {
        switch output {
        case .terminal(_, let hasColour):
            let picture = TerminalFrame(frame, hasColour: hasColour).text
            return number == 1 ? TerminalFrame.enter + picture : picture
        case .text:
            let tenths = (now - first).wholeMicroseconds / 100_000
            let light = frame.isLit ? "" : " · light off"
            let title = "frame \(number) · \(tenths / 10).\(tenths % 10) s\(light)"
            return ([title] + FrameText(frame).lines).map { $0 + "\n" }.joined() + "\n"
        case .log:
            return FrameLogLine(frame, at: now).text
        }
    }
}
