/// Text that a client shows instead of the page. No snapshot contains it.
struct RemoteMessage: Hashable, Sendable {
    let text: String
    /// When it arrived: if it alternates, it begins with its first words.
    let since: Instant
    let until: Instant
}

// What clients change besides the gestures of a button.
extension Board {
    /// Turns to a page as if a button had stepped there; does nothing if the board does not have it now.
    ///
    /// - Parameter stop: nil: the overview.
    mutating func show(_ stop: StopID?, at now: Instant) {
        let page = stop.map { Page.favourite($0) } ?? .overview
        guard pages.contains(page) else { return }
        wake(at: now)
        message = nil
        introducesAddress = false
        view.addressUntil = nil
        view.splashUntil = nil
        for index in favourites.indices { favourites[index].detailPage = nil }
        view.turn(to: page, at: now)
        view.lastPress = now
        for stop in stopsInView { plan.pollSoon(stop, at: now) }
    }

    mutating func setLight(_ mode: LightMode) {
        light = mode
        // Even if a press has just lit the board.
        if mode != .on { view.wokenUntil = nil }
    }

    mutating func show(_ text: String, for duration: Duration, at now: Instant) {
        message = RemoteMessage(text: text.truncatedForDisplay, since: now, until: now + duration)
        // A button that is down now was pressed for another reason: its release does nothing.
        recognisers = recognisers.map { _ in GestureRecogniser() }
    }
}

/// What the display shows about a phone that asks to be paired. No snapshot contains it.
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
        // The phone may have polled just before.
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
