extension Drawing {
    /// An opened service: line and whole destination, the time both ways, where, which vehicle, and how old that is.
    mutating func drawOpened(_ service: Departure, of favourite: FavouriteState) {
        let rows = favourite.visible(at: moment)
        let index = rows.index(of: service)
        let row = index.map { rows[$0] } ?? Row(service)
        noteChanges(of: row, in: favourite)
        let position = index.map { self.position($0, of: rows.count) } ?? ""

        let facts = facts(of: row, in: favourite)
        let title = service.line.name + " " + destination(of: service, in: favourite)
        // The place goes with the first row only; what does not fit there goes on below it.
        let head = Text.wrapped(title, width: size.columns - position.count - 1).first ?? ""
        put(Text.ends(head, position, in: size.columns), row: 0)
        let rest = String(title.dropFirst(head.count))
        let below = Text.wrapped(rest, width: size.columns).prefix(max(0, size.rows - 1 - min(facts.count, 2)))
        for (index, text) in (below + facts).prefix(size.rows - 1).enumerated() {
            put(text, row: 1 + index)
        }
    }

    /// What is known of a service, each fact whole, as many to a row as fit; the most important first.
    private mutating func facts(of row: Row, in favourite: FavouriteState) -> [String] {
        let service = row.departure
        var facts = [mark(of: row, in: favourite) + time(of: row, in: favourite)]
        switch service.status {
        case .expected(let time), .timetabled(let time): facts.append(self.time(of: time, at: favourite.stop))
        case .delayed, .cancelled: facts += service.booked.map { [time(of: $0, at: favourite.stop)] } ?? []
        }
        if !service.vehicle.isEmpty { facts.append(service.vehicle) }
        if let platform = service.platform, platform != favourite.stop.letter {
            // Some operators write the whole phrase ("Northbound - Platform 4"), some the number alone.
            let forms = platform.count > 3 ? [platform] : Text.fill(words.platform, word: platform)
            facts.append(Text.choose(forms, width: size.columns))
        }
        let made = time(of: service.made, at: favourite.stop)
        facts.append(Text.choose(Text.fill(words.madeAt, time: made), width: size.columns))
        var rows: [String] = []
        for fact in facts.map({ $0.drop { $0 == " " } }) {
            if let last = rows.last, last.count + 1 + fact.count <= size.columns {
                rows[rows.count - 1] = last + " " + fact
            } else {
                rows.append(String(fact))
            }
        }
        return rows
    }
}
