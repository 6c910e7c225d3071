/// A frame, and how long it is true.
public struct RenderedFrame: Hashable, Sendable {
    /// What is on the glass.
    public let frame: Frame
    /// The next instant at which the frame may look different if nothing happens until then; nil: never.
    public let until: Instant?
}

extension Board {
    /// What the glass shows at `now`: a function of the board and the instant alone.
    public func render(at now: Instant) -> RenderedFrame {
        var drawing = Drawing(of: self, at: now)
        drawing.draw()
        return RenderedFrame(frame: drawing.frame, until: drawing.until)
    }

    /// The last picture, which stays on the glass when the program ends.
    public func shutdownFrame(at now: Instant) -> Frame {
        var drawing = Drawing(of: self, at: now)
        drawing.drawLight()
        drawing.drawPage(Text.fill(drawing.words.stopped, time: drawing.clockTime(of: drawing.moment)))
        return drawing.frame
    }
}
