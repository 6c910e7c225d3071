extension Board {
    /// The number of presses after the start that show the hint, until a button is held.
    private static let pressesWithHint = 3

    /// Handles a button's change: acknowledges a press at once, acts on its release.
    mutating func take(_ change: ButtonChange, isRemote: Bool = false, at now: Instant) {
        let index = change.button.index
        guard recognisers.indices.contains(index) else { return }
        guard change.isDown else {
            if opensSetup(byButton: index, at: change.at) { recognised.append(.openSetup) }
            let awaitsDouble = setup.buttons[index].double != .none && favouriteInView?.detailPage == nil
            for gesture in recognisers[index].release(at: change.at, awaitsDouble: awaitsDouble) {
                perform(gesture, ofButton: index, at: now)
            }
            return
        }
        for stop in stopsInView { plan.pollSoon(stop, at: now) }
        let wasIntroducing = isIntroducing(at: now)
        introducesAddress = false
        view.addressUntil = nil
        pairing = nil
        let wasDark = isDark(at: now)
        if light == .off { light = .auto }
        wake(at: now)
        if wasDark || wasIntroducing {
            // A press on a dark board only wakes it; one on the address after the start only shows the departures.
            // Its release does nothing.
            showHint(at: now)
            return
        }
        if message != nil {
            message = nil
            return
        }
        if let pending = recognisers[index].press(at: change.at) { perform(pending, ofButton: index, at: now) }
        if isRemote { remoteButtons.insert(index) } else { remoteButtons.remove(index) }
        view.lastPress = now
        view.splashUntil = nil
        showHint(at: now)
    }

    private mutating func showHint(at now: Instant) {
        guard !hasBeenHeld, hints < Self.pressesWithHint else { return }
        hints += 1
        view.hintUntil = now + Self.hint
    }

    /// Handles a gesture from another source, as if the button had been held for its duration and released now.
    mutating func take(_ gesture: Gesture, of button: ButtonID, at now: Instant) {
        for held in gesture.presses {
            take(ButtonChange(button: button, isDown: true, at: now - held), isRemote: true, at: now)
            take(ButtonChange(button: button, isDown: false, at: now), isRemote: true, at: now)
        }
    }

    /// Whether a release of a held button would open the set-up by phone.
    func opensSetup(byButton index: Int, at now: Instant) -> Bool {
        setup.allowsSetup && page?.address != nil && recognisers[index].opensSetup(at: now)
    }

    /// The action if the held button were released now; nil during a short press.
    func pendingAction(at now: Instant) -> ButtonAction? {
        let nothing = pages.count == 1 ? ButtonAction.none : nil
        for (index, recogniser) in recognisers.enumerated() where recogniser.isDown {
            switch recogniser.pending(at: now) {
            case .short, .double: continue
            case .hold: return nothing ?? action(of: .hold, ofButton: index)
            case .longHold: return nothing ?? action(of: .longHold, ofButton: index)
            case nil: return ButtonAction.none
            }
        }
        return nil
    }

    mutating func perform(_ gesture: Gesture, ofButton index: Int, at now: Instant) {
        if !remoteButtons.contains(index) { recognised.append(.gestureRecognised(gesture, ButtonID(index))) }
        if gesture == .hold || gesture == .longHold {
            hasBeenHeld = true
            view.hintUntil = nil
        }
        let showsDetailPage = favouriteInView?.detailPage != nil
        switch action(of: gesture, ofButton: index) {
        case .next where showsDetailPage: stepDetailPage(by: 1, at: now)
        case .previous where showsDetailPage: stepDetailPage(by: -1, at: now)
        case .next: stepForward(at: now)
        case .previous: stepBack(at: now)
        case .sort: sort(at: now)
        case .open: open(at: now)
        case .back: back(at: now)
        case .refresh: for stop in stopsInView { plan.pollSoon(stop, evenIfFresh: true, at: now) }
        case .none: return
        }
        view.lastPress = now
    }

    private func action(of gesture: Gesture, ofButton index: Int) -> ButtonAction {
        let binding = setup.buttons[index]
        let showsDetailPage = favouriteInView?.detailPage != nil
        let action: ButtonAction =
            switch gesture {
            // On a detail page a short press steps on, so that one button reaches everything.
            case .short: showsDetailPage && binding.short == .open ? .next : binding.short
            case .double: binding.double
            case .hold: showsDetailPage ? .back : binding.hold
            case .longHold: showsDetailPage ? .back : binding.longHold
            }
        // Without a stop in view there is nothing to open, sort or refresh.
        return stopsInView.isEmpty && [.open, .sort, .refresh].contains(action) ? .none : action
    }

    private mutating func sort(at now: Instant) {
        changeFavouriteInView { $0.sort = $0.sort.next }
        view.turn(to: view.page, at: now)
    }

    private mutating func open(at now: Instant) {
        guard let favourite = favouriteInView else {
            let first = rows(of: nil, at: now).dropFirst(firstRow(at: now)).first
            if let stop = first?.favourite.favourite.stop { view.turn(to: .favourite(stop), at: now) }
            return
        }
        let pages = detailPages(favourite, at: now)
        // Alerts come first; without them, the first departure in view.
        let row = rows(of: favourite, at: now).dropFirst(firstRow(at: now)).first
        let inView = row?.shown.map { DetailPage.Content.departure($0.departure) }
        guard let page = pages.first == .alerts ? .alerts : inView ?? pages.first else { return }
        changeFavouriteInView { $0.detailPage = DetailPage(page) }
    }

    /// The first row of the screen in view.
    private func firstRow(at now: Instant) -> Int {
        min(view.screen, screenCount(at: now) - 1) * rowsPerScreen
    }

    private mutating func back(at now: Instant) {
        if favouriteInView?.detailPage != nil {
            changeFavouriteInView { $0.detailPage = nil }
        } else {
            view.turn(to: home, at: now)
        }
    }

    /// Steps through the screens of a detail page, then to the next or previous page.
    private mutating func stepDetailPage(by step: Int, at now: Instant) {
        guard let favourite = favouriteInView, let detailPage = favourite.detailPage else { return }
        var drawing = Drawing(of: self, at: now)
        let screens = drawing.screens(of: detailPage, in: favourite).count
        let screen = min(max(0, detailPage.screen), screens - 1) + step
        if (0..<screens).contains(screen) {
            changeFavouriteInView { $0.detailPage?.screen = screen }
            return
        }
        let pages = detailPages(favourite, at: now)
        guard !pages.isEmpty else { return }
        // A departure that has left the list has no position: the next page after it is the first.
        let index = pages.index(of: detailPage.content) ?? (step > 0 ? -1 : 0)
        let next = pages[(index + step + pages.count) % pages.count]
        changeFavouriteInView { $0.detailPage = DetailPage(next) }
    }
}

extension [DetailPage.Content] {
    /// The index of a page; for a departure, of the page of the same call.
    func index(of page: DetailPage.Content) -> Int? {
        guard case .departure(let departure) = page else { return firstIndex(of: page) }
        let departures = enumerated().compactMap { index, content -> (index: Int, row: DepartureRow)? in
            if case .departure(let departure) = content { (index, DepartureRow(departure)) } else { nil }
        }
        return departures.map(\.row).index(of: departure).map { departures[$0].index }
    }
}
