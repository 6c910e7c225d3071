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
            let names = lines.flatMap { $0.id == $0.name ? [$0.id] : [$0.id, $0.name] }
            let text = AlertText.joined(
                situation.summaries.choice(options.language), situation.descriptions.choice(options.language))
            guard !text.isEmpty else { return nil }
            let alert = Alert(
                text, lines: names.isEmpty ? nil : names, severity: situation.alertSeverity, in: period, now: now)
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
            situation.lines.uniqued().prefix(ResponseLimits.lines).map {
                byReference[$0] ?? Line(id: $0, name: names[$0])
            }
        }

        /// The distinct lines to whose visits the situation is attached, and those that it names and that call here.
        func lines(of situation: SIRISituation) -> [Line] {
            let attached = situation.number.flatMap { bySituation[$0] } ?? []
            let all = (attached + situation.lines.compactMap { byReference[$0] }).uniqued(by: \.id)
            return Array(all.prefix(ResponseLimits.lines))
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
}
