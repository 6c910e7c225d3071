public struct RenderedFrame: Hashable, Sendable {
    public let frame: Frame
    /// The next instant at which the frame may change without an event; nil: never.
    public let until: Instant?
}

extension Board {
    /// The frame at `now`: a function of the board and the instant alone.
    public func render(at now: Instant) -> RenderedFrame {
        var drawing = Drawing(of: self, at: now)
        drawing.draw()
        return RenderedFrame(frame: drawing.frame, until: drawing.until)
    }

    /// The last frame, which stays on the display when the program ends.
    public func shutdownFrame(at now: Instant) -> Frame {
        var drawing = Drawing(of: self, at: now)
        drawing.drawLight()
        drawing.drawPage(Text.fill(drawing.words.stopped, time: drawing.time(of: drawing.moment)))
        return drawing.frame
    }
}
