internal import BoardCore

/// Two displays with the same frames: the panel, and a log of its frames.
struct TeeDisplay: Display {
    var first: any Display
    var second: any Display

    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        _ = second.show(frame, at: now)
        return first.show(frame, at: now)
    }

    mutating func close(last frame: Frame, at now: Instant) {
        second.close(last: frame, at: now)
        first.close(last: frame, at: now)
    }
}

/// `driver = "none"`: a board that is read over the control socket alone.
struct NoDisplay: Display {
    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport { DisplayReport(.shown) }
    mutating func close(last frame: Frame, at now: Instant) {}
}
