internal import BoardCore
internal import BoardService

/// The screen Board as HTML, in the order of page.js: the display, and the departures and alerts of every stop at one moment. What
/// needs the script is missing: buttons, links to other screens, and the bar until the next poll.
struct BoardMarkup {
    let live: LiveState
    let words: PageWords

    /// The most departures of a stop, as in page.js.
    private static let maximumRows = 6
    /// The seconds between two responses of a stop that reports none.
    private static let usualInterval = 30.0

    var html: String {
        let rows = live.display.rows.map(\.asTrimmedRow).joined(separator: ". ")
        let faults = [live.faults.configuration, live.faults.display, live.faults.buttons].compactMap(\.self)
        var parts = [
            "<header class=\"head\"><h1>\(isolated(live.name))</h1><time>\(clock(live.time.timestamp))</time></header>"
        ]
        if live.timeSource == .wall || live.timeSource == .disputed {
            parts.append(notice(words.uncertainTime, isFault: true))
        }
        if !faults.isEmpty {
            parts.append(notice("\(words.faults) \(faults.joined(separator: " · "))", isFault: true))
        }
        parts += [
            "<div class=\"top\"><div id=\"display\" role=\"img\" aria-label=\"\(display): \(rows.escaped)\">",
            "\(picture)</div></div>", "<div class=\"cards\">",
        ]
        parts += live.stops.map(section)
        parts.append("</div>")
        if live.stops.isEmpty { parts.append("<p>\(words.noFavourites.escaped)</p>") }
        parts += legend
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

    private func section(_ stop: StopDepartures) -> String {
        let letter = stop.letter.map { " <span class=\"letter\">\(isolated($0))</span>" } ?? ""
        let name = stop.label ?? stop.name
        var html = "<section class=\"card\"><h2><span class=\"to\">\(isolated(name))\(letter)</span></h2>"
        let shown = shown(of: stop)
        if let sentence = stop.notice ?? (shown.isEmpty ? words.nothing : nil) {
            html += notice(sentence, isFault: stop.status == .failing || stop.status == .frozen)
        }
        if !shown.isEmpty {
            let head = [words.line, words.destination, words.time].map { "<th scope=\"col\">\($0.escaped)</th>" }
            html += "<table><caption class=\"hidden\">\(name.escaped)</caption><thead class=\"hidden\"><tr>"
            html += head.joined() + "</tr></thead><tbody>\n"
            html += shown.map { row($0, letter: stop.letter) }.joined(separator: "\n") + "\n</tbody></table>"
        }
        return html + alerts(of: stop) + age(of: stop) + "</section>"
    }

    private func shown(of stop: StopDepartures) -> [StopDepartures.Entry] {
        let all = stop.departures.filter { $0.isShown != false && $0.expiresAt.timestamp > live.time.timestamp }
        return Array(all.prefix(Self.maximumRows))
    }

    /// The alerts that are active, under their number.
    private func alerts(of stop: StopDepartures) -> String {
        let active = stop.alerts.filter { $0.alert.isActive(at: live.time.timestamp) }
        if active.isEmpty { return "" }
        let head = words.alerts.replacing("%code", with: "\(active.count)").escaped
        let texts = active.map { "<p dir=\"auto\">\($0.text.escaped)</p>" }.joined()
        return "<details><summary>\(head)</summary>\(texts)</details>"
    }

    /// How old the last response is, once that is more than twice the time between two.
    private func age(of stop: StopDepartures) -> String {
        guard let last = stop.lastResponseAt else { return "" }
        let seconds = Int((live.time.timestamp - last.timestamp) / .seconds(1))
        guard Double(seconds) > 2 * (stop.intervalSeconds ?? Self.usualInterval) else { return "" }
        let written = seconds < 120 ? "\(seconds) s" : "\(seconds / 60) min"
        return "<p class=\"soft\">\(words.updated.replacing("%time", with: written).escaped)</p>"
    }

    /// - Parameter letter: the stop's, which is not repeated as a platform.
    private func row(_ departure: StopDepartures.Entry, letter: String?) -> String {
        let isGone = departure.status == .cancelled || departure.isCatchable == false
        let facts = [
            departure.platform.flatMap { $0 == letter ? nil : words.platform.replacing("%word", with: $0) },
            departure.isCatchable == false ? words.tooLate : nil,
            departure.trip?.isReplacement == true ? words.replacement : nil,
        ]
        var html = isGone ? "<tr class=\"gone\">" : "<tr>"
        html += "<td class=\"line\"><span class=\"badge\">\(isolated(departure.line))</span></td>"
        html += "<td><span class=\"to\">\(isolated(departure.destination))</span><p class=\"facts\">"
        html += facts.compactMap(\.self).map { "<span dir=\"auto\">\($0.escaped)</span>" }.joined()
        html += "</p></td><td class=\"when\">\(sign(of: departure))\(time(of: departure))</td></tr>"
        return html
    }

    private func sign(of departure: StopDepartures.Entry) -> String {
        guard let (sign, meaning) = mark(of: departure) else { return "" }
        return
            "<span class=\"mark\"><span aria-hidden=\"true\">\(sign)</span>"
            + "<span class=\"hidden\">\(meaning.escaped) </span></span>"
    }

    private func mark(of departure: StopDepartures.Entry) -> (sign: String, meaning: String)? {
        if departure.isStale { return ("?", words.stale) }
        return departure.status == .scheduled ? ("*", words.scheduled) : nil
    }

    private func time(of departure: StopDepartures.Entry) -> String {
        let moment = (departure.expected ?? departure.scheduled)?.timestamp
        let time = moment.map { clock($0, of: departure) } ?? ""
        switch departure.status {
        case .cancelled: return "<s>\(time)</s><small class=\"word warn\">\(words.cancelled.escaped)</small>"
        case .delayed: return "\(time)<small class=\"word\">\(words.delayed.escaped)</small>"
        case .expected, .scheduled: break
        }
        guard let moment, let minutes = departure.minutes else { return time }
        if minutes == 0 { return words.due.escaped }
        if moment - live.time.timestamp <= .seconds(3_600) {
            return "\(minutes)<small> \(words.minutes.escaped)</small>"
        }
        guard moment - live.time.timestamp > .seconds(86_400) else { return time }
        let date = LocalTime(
            secondsSince1970: moment.seconds + Int64(departure.utcOffsetSeconds ?? live.utcOffsetSeconds)
        ).date
        // The words begin with Sunday.
        let day = words.dayNames.split(separator: " ").dropFirst((date.weekday.rawValue + 1) % 7).first ?? ""
        return "<small>\(String(day).escaped) \(date.day) </small>\(time)"
    }

    /// "12:04" at the stop; without a departure, at the board.
    private func clock(_ moment: Timestamp, of departure: StopDepartures.Entry? = nil) -> String {
        let local = LocalTime(
            secondsSince1970: moment.seconds + Int64(departure?.utcOffsetSeconds ?? live.utcOffsetSeconds))
        let (hour, minute) = (local.secondOfDay / 3_600, local.secondOfDay / 60 % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    /// What the marks mean that occur.
    private var legend: [String] {
        var signs: [String] = []
        for departure in live.stops.flatMap(shown) {
            guard let (sign, meaning) = mark(of: departure), !signs.contains("\(sign) \(meaning)") else { continue }
            signs.append("\(sign) \(meaning)")
        }
        return signs.isEmpty ? [] : ["<p class=\"soft\">\(signs.sorted().joined(separator: " · ").escaped)</p>"]
    }

    private func notice(_ sentence: String, isFault: Bool) -> String {
        "<p class=\"notice\(isFault ? " warn" : "")\" dir=\"auto\">\(sentence.escaped)</p>"
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
