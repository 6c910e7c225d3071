internal import BoardCore
internal import BoardService

/// The screen Board until its script runs: the display, with its rows as text, and the names of the stops.
struct BoardMarkup {
    let live: LiveState
    let words: PageWords

    var html: String {
        let rows = live.display.rows.map(\.asTrimmedRow).joined(separator: ". ")
        let faults = [live.faults.configuration, live.faults.display, live.faults.buttons].compactMap(\.self)
        var parts = [
            "<header class=\"head\"><h1>\(isolated(live.name))</h1><time>\(clock(live.time.timestamp))</time></header>"
        ]
        if live.timeSource == .wall || live.timeSource == .disputed {
            parts.append(notice(words.uncertainTime))
        }
        if !faults.isEmpty {
            parts.append(notice("\(words.faults) \(faults.joined(separator: " · "))"))
        }
        parts += [
            "<div class=\"top\"><div id=\"display\" role=\"img\" aria-label=\"\(display): \(rows.escaped)\">",
            "\(picture)</div></div>",
        ]
        parts += live.stops.map { stop in
            let name = [stop.label ?? stop.name, stop.letter].compactMap(\.self).joined(separator: " ")
            return "<p>\(isolated(name))</p>"
        }
        if live.stops.isEmpty { parts.append("<p>\(words.noFavourites.escaped)</p>") }
        var attributions: [String] = []
        for stop in live.stops where !attributions.contains(stop.attribution) { attributions.append(stop.attribution) }
        if !attributions.isEmpty {
            parts.append("<p class=\"soft\">\(attributions.joined(separator: " · ").escaped)</p>")
        }
        return parts.joined(separator: "\n")
    }

    private var display: String { (live.display.lit ? words.display : words.displayOff).escaped }

    /// The rows as text, for browsers without style sheets, and the daemon's own drawing of them, which is XML already.
    private var picture: String {
        let rows = live.display.rows.map(\.escaped).joined(separator: "\n")
        return live.display.svg.isEmpty
            ? "<pre>\(rows)</pre>" : "<pre class=\"hidden\">\(rows)</pre>\(live.display.svg)"
    }

    /// "12:04" at the board.
    private func clock(_ moment: Timestamp) -> String {
        let local = LocalTime(secondsSince1970: moment.seconds + Int64(live.utcOffsetSeconds))
        let (hour, minute) = (local.secondOfDay / 3_600, local.secondOfDay / 60 % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    private func notice(_ sentence: String) -> String {
        "<p class=\"notice warn\" dir=\"auto\">\(sentence.escaped)</p>"
    }

    /// A text of any direction, without effect on its surroundings.
    private func isolated(_ text: String) -> String { "<bdi dir=\"auto\">\(text.escaped)</bdi>" }
}

extension String {
    /// A row of the display without the blanks around its text.
    fileprivate var asTrimmedRow: String {
        guard let first = firstIndex(where: { $0 != " " }), let last = lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return String(self[first...last])
    }
}
