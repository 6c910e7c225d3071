internal import BoardCore

/// The course of `boardd hardware test`: the pictures in turn, and every press. Pure.
struct HardwareTestCourse {
    enum Step: Hashable {
        case print(String)
        case show(Frame)
    }

    private let size: Panel.Size
    private let pause: Duration
    private let bindings: [ButtonBinding]
    private var recognisers: [GestureRecogniser]
    private var pictures: [TestPicture]
    private var nextPictureAt: Instant?

    /// - Parameters:
    ///   - pause: how long each picture is shown.
    ///   - now: when the first one is.
    init(_ display: DisplayWiring, bindings: [ButtonBinding], pause: Duration, at now: Instant) {
        size = display.panel.size
        self.pause = pause
        self.bindings = bindings
        recognisers = bindings.map { _ in GestureRecogniser() }
        pictures = TestPicture.all(for: display)
        nextPictureAt = now
    }

    /// Whether the pictures are over and no press can come.
    var isOver: Bool { nextPictureAt == nil && bindings.isEmpty }

    /// When ``advance(to:)`` has the next steps; nil: only after a press.
    func nextWake(after now: Instant) -> Instant? {
        (recognisers.map { $0.deadline(after: now) } + [nextPictureAt]).compactMap(\.self).min()
    }

    mutating func advance(to now: Instant) -> [Step] {
        var steps: [Step] = []
        for index in recognisers.indices {
            if let gesture = recognisers[index].expire(at: now) { steps += report(gesture, of: index) }
        }
        guard let due = nextPictureAt, due <= now else { return steps }
        if !pictures.isEmpty {
            nextPictureAt = due + pause
            return steps + show(pictures.removeFirst())
        }
        nextPictureAt = nil
        return bindings.isEmpty ? steps : steps + show(.buttons(size, last: ""))
    }

    mutating func handle(_ change: ButtonChange) -> [Step] {
        let index = change.button.index
        guard recognisers.indices.contains(index) else { return [] }
        let gestures =
            change.isDown
            ? [recognisers[index].press(at: change.at)].compactMap(\.self)
            : recognisers[index].release(at: change.at, awaitsDouble: true)
        return gestures.flatMap { report($0, of: index) }
    }

    private func show(_ picture: TestPicture) -> [Step] {
        [.show(picture.frame), .print(picture.expected)]
    }

    private func report(_ gesture: Gesture, of index: Int) -> [Step] {
        let text = "button \(ButtonID(index).number): \(gesture.rawValue)"
        let line = Step.print("\(text), which does: \(bindings[index].action(of: gesture).rawValue)")
        return nextPictureAt == nil ? [.show(TestPicture.buttons(size, last: text).frame), line] : [line]
    }
}

extension ButtonBinding {
    fileprivate func action(of gesture: Gesture) -> ButtonAction {
        switch gesture {
        case .short: short
        case .hold: hold
        case .longHold: longHold
        case .double: double
        }
    }
}
