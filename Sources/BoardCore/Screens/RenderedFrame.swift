public struct RenderedFrame: Hashable, Sendable {
    public let frame: Frame
    /// The next instant at which the frame may change without an event; nil: never.
    public let until: Instant?
}

extension Board {
    /// The frame at `now`: a function of the board and the instant alone.
    ///
    /// - Parameter isRemote: whether the frame leaves the machine. The digits of a pairing are then hidden: they prove
    ///   that a person is at the display.
    public func render(at now: Instant, isRemote: Bool = false) -> RenderedFrame {
        var drawing = Drawing(of: self, at: now, hidesCode: isRemote)
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
