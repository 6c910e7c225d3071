import BoardCore

extension SIRIResponse {
    /// The alerts for the stop and for lines that call there. An operator may send situations for the whole city: one
    /// that no visit refers to, and that names neither the stop nor one of its lines, is left out.
    ///
    /// - Parameter now: alerts that are over are left out; future ones include their start.
    func alerts(at code: String, _ options: Options, now: Timestamp) -> [Alert] {
        guard !situations.isEmpty else { return [] }
        let here = StopLines(deliveries, named: options.lines)
        let stops = here.stops.union([code])
        var seen: Set<Alert> = []
        return situations.limitedCompactMap(upTo: ResponseLimits.alerts) { situation -> Alert? in
            guard let period = situation.period(at: now) else { return nil }
            // A situation for the stop is shown even without visits of its lines: the stop may be closed.
            let isOfStop = situation.stops.contains(where: stops.contains)
            let lines = isOfStop ? here.named(in: situation) : here.lines(of: situation)
            guard isOfStop || !lines.isEmpty else { return nil }
            // Users write the name, operators the identifier.
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

    /// An index of the visits for the situations: an operator may send a thousand of them.
    private struct StopLines {
        private var byReference: [String: Line] = [:]
        private var bySituation: [String: [Line]] = [:]
        /// What ``bySituation`` has: the situation's number, and the line's identifier and name.
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

        /// The lines that the situation names, whether or not they call here.
        func named(in situation: SIRISituation) -> [Line] {
            var seen: Set<String> = []
            return situation.lines.limitedCompactMap(upTo: ResponseLimits.lines) { reference in
                guard seen.insert(reference).inserted else { return nil }
                return byReference[reference]
                    ?? Line(id: reference, name: names[reference])
            }
        }

        /// The distinct lines to whose visits the situation is attached, and those that it names and that call here.
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
    /// The period that contains `now`, else the next one; nil if all are over. Publication windows take precedence over
    /// validity periods.
    fileprivate func period(at now: Timestamp) -> ActivePeriod? {
        (publication.isEmpty ? validity : publication).current(at: now)
    }

    /// The severity (`SeverityEnumeration`).
    fileprivate var alertSeverity: Alert.Severity {
        switch severity {
        case "noImpact", "verySlight": .information
        case "severe", "verySevere": .severe
        default: .minor
        }
    }

    /// The text in the preferred language, else the one without a language, else the first.
    static func choice(_ texts: [LocalizedText], _ preferred: String) -> String {
        let choice =
            texts.first { isSame($0.language, preferred) } ?? texts.first { $0.language.isEmpty } ?? texts.first
        return choice?.text ?? ""
    }

    /// Whether two tags have the same language: "en-GB" is English.
    static func isSame(_ tag: String, _ preferred: String) -> Bool {
        guard let first = tag.split(separator: "-").first else { return false }
        return first.lowercased() == preferred.split(separator: "-").first?.lowercased()
    }
}
