internal import BoardCore

extension SIRIResponse {
    /// What people at a stop should know: of the stop, and of lines that are told of there. An operator may send what
    /// concerns the whole city; what neither a visit refers to nor names the stop or one of its lines is left out.
    ///
    /// - Parameter now: what was over before is left out; what is still to come says so.
    func alerts(at code: String, _ options: Options, now: Timestamp) -> [Alert] {
        guard !situations.isEmpty else { return [] }
        let here = StopLines(deliveries, named: options.lines)
        let stops = here.stops.union([code])
        var seen: Set<Alert> = []
        return situations.limitedCompactMap(upTo: ResponseLimits.alerts) { situation -> Alert? in
            guard let period = situation.period(at: now) else { return nil }
            // What names the stop matters most when none of its lines comes any more: it is closed.
            let isOfStop = situation.stops.contains(where: stops.contains)
            let lines = isOfStop ? here.named(in: situation) : here.lines(of: situation)
            guard isOfStop || !lines.isEmpty else { return nil }
            // People write the name, operators the identifier.
            let scope: Alert.Scope =
                lines.isEmpty ? .stop : .lines(lines.flatMap { $0.id == $0.name ? [$0.id] : [$0.id, $0.name] })
            let text = AlertText.joined(
                SIRISituation.choice(situation.summaries, options.language),
                SIRISituation.choice(situation.descriptions, options.language))
            guard !text.isEmpty else { return nil }
            let alert = Alert(
                text, scope: scope, severity: situation.alertSeverity, in: period, now: now)
            return seen.insert(alert).inserted ? alert : nil
        }
    }

    /// What calls at the stop, for the situations: an operator may send a thousand of them.
    private struct StopLines {
        private var byReference: [String: Line] = [:]
        private var bySituation: [String: [Line]] = [:]
        /// Which lines are in ``bySituation``, by the number of the situation.
        private var attached: Set<[String]> = []
        private(set) var stops: Set<String> = []
        private let names: SIRILineNames

        init(_ deliveries: [SIRIDelivery], named names: SIRILineNames) {
            self.names = names
            for visit in deliveries.lazy.flatMap(\.visits) {
                if let stop = visit.call.stop { stops.insert(stop) }
                let line = visit.line(named: names)
                byReference[line.id] = line
                for number in visit.situations where attached.insert([number, line.id, line.name]).inserted {
                    bySituation[number, default: []].append(line)
                }
            }
        }

        /// The lines that it names, whether or not they are told of here.
        func named(in situation: SIRISituation) -> [Line] {
            var seen: Set<String> = []
            return situation.lines.limitedCompactMap(upTo: ResponseLimits.lines) { reference in
                guard seen.insert(reference).inserted else { return nil }
                return byReference[reference]
                    ?? Line(id: reference, name: names[reference])
            }
        }

        /// The lines to whose visits a situation is attached, and those that it names, each once.
        func lines(of situation: SIRISituation) -> [Line] {
            var seen: Set<String> = []
            let attached = situation.number.flatMap { bySituation[$0] } ?? []
            return (attached + situation.lines.compactMap { byReference[$0] }).limitedCompactMap(
                upTo: ResponseLimits.lines
            ) { line in
                seen.insert(line.id).inserted ? line : nil
            }
        }
    }
}

extension SIRISituation {
    /// When it holds: the time that `now` is in, else the next one; nil: it is over. When it is to be shown counts more
    /// than when it is so.
    fileprivate func period(at now: Timestamp) -> ActivePeriod? {
        (publication.isEmpty ? validity : publication).current(at: now)
    }

    /// How much it matters (`SeverityEnumeration`).
    fileprivate var alertSeverity: Alert.Severity {
        switch severity {
        case "noImpact", "verySlight": .information
        case "severe", "verySevere": .severe
        default: .minor
        }
    }

    /// The text in the language that is wanted, else the one of no language, else the first.
    static func choice(_ texts: [LocalizedText], _ wanted: String) -> String {
        let choice =
            texts.first { isSame($0.language, wanted) } ?? texts.first { $0.language.isEmpty } ?? texts.first
        return choice?.text ?? ""
    }

    /// Whether two tags are of one language: "en-GB" is English.
    static func isSame(_ tag: String, _ wanted: String) -> Bool {
        guard let first = tag.split(separator: "-").first else { return false }
        return first.lowercased() == wanted.split(separator: "-").first?.lowercased()
    }
}
