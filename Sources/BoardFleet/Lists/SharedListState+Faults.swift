internal import BoardCore
internal import BoardStore

// What is wrong, as sentences.
extension SharedListState {
    /// What a sentence is about, in the order of importance.
    enum Fault: Int, CaseIterable {
        case write, unreadable, waiting, problem, excess, ahead
    }

    /// Sentences about what is wrong now, the most important first.
    var faults: [String] { Fault.allCases.compactMap { faultTexts[$0] } }

    /// Whether a part of the list is not taken over.
    var hasFaultForDisplay: Bool { [.write, .unreadable, .problem, .excess].contains { faultTexts[$0] != nil } }

    /// Sets or removes a sentence; reports one that is new.
    mutating func set(_ fault: Fault, _ sentence: String?) {
        guard faultTexts[fault] != sentence else { return }
        faultTexts[fault] = sentence
        if let sentence { reports.append(sentence) }
    }

    mutating func setAhead(_ ahead: [FleetName: Duration], at instant: Instant) {
        if ahead.isEmpty {
            if let last = lastAhead, instant - last > Self.aheadPeriod { set(.ahead, nil) }
            return
        }
        lastAhead = instant
        // How far it is differs in each message.
        guard faultTexts[.ahead] == nil else { return }
        let boards = ahead.sorted { $0.key < $1.key }.map {
            "\($0.key) (by \($0.value.writtenRoughly))"
        }
        set(
            .ahead,
            "list/\(name): changes with times ahead of this board's clock are not taken over, of "
                + boards.joined(separator: ", ") + ": check the clocks")
    }

    /// Finds what favourites.toml may contain, and the faults of the list.
    mutating func check() {
        if !isChecked {
            isChecked = true
            let isMember = membership == .member
            var problems: [String] = []
            accepted = list.favourites.compactMap { favourite in
                guard !local.contains(favourite.stop) else { return nil }
                guard let problem = problem(favourite) else { return favourite }
                problems.append("\(favourite.stop): \(problem)")
                // What the file has remains: its absence would count as a removal.
                return favourites.first { $0.stop == favourite.stop }
            }
            problems += list.rejectedValues
            set(.problem, isMember ? problems.first.map { "list \(name): \($0); it is not taken over" } : nil)
            let excess = isMember ? list.excess : []
            set(
                .excess,
                excess.first.map { stop in
                    "list \(name): \(excess.count) favourites from \(stop) on are not shared: a list has at most "
                        + "\(SharedList.maximumCount) stops and \(SharedList.maximumSize / 1_024) kB"
                })
        }
        if accepted == favourites { set(.write, nil) }
        let choice =
            "the list \(name) has \(list.order.count) favourites and this board \(favourites.count): choose with "
            + "`boardd fleet join \(name)`"
        set(.waiting, membership == .waiting ? choice : nil)
    }
}
