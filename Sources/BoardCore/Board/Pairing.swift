/// What the display shows about a phone that requests to be paired. No snapshot contains it.
enum Pairing: Hashable, Sendable {
    /// The digits that a person at the display reads.
    case requested(code: String, until: Instant)
    case ended(isPaired: Bool, until: Instant)

    var until: Instant {
        switch self {
        case .requested(_, let until), .ended(_, let until): until
        }
    }

    var isRequested: Bool {
        if case .requested = self { true } else { false }
    }
}

extension Board {
    mutating func requestPairing(code: String, until: Instant) {
        // A telephone may have polled a moment before.
        guard code != declinedCode else { return }
        let isShown = if case .requested(code, _) = pairing { true } else { false }
        pairing = .requested(code: code, until: until)
        guard !isShown else { return }
        // A button that is down now was pressed for another reason: its release does nothing.
        recognisers = recognisers.map { _ in GestureRecogniser() }
    }

    mutating func endPairing(isPaired: Bool, at now: Instant) {
        if isPaired {
            pairing = .ended(isPaired: true, until: now + Self.announcement)
        } else if pairing?.isRequested == true {
            pairing = nil
        }
    }

    /// Declines the phone with a press.
    mutating func declinePairing(_ change: ButtonChange, at now: Instant) -> [Command] {
        guard change.isDown, recognisers.indices.contains(change.button.index) else { return [] }
        if case .requested(let code, _) = pairing { declinedCode = code }
        pairing = .ended(isPaired: false, until: now + Self.announcement)
        return [.declinePairing]
    }
}
