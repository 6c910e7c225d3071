import BoardCore
import BoardFeeds
import BoardIO
import BoardService
import BoardStore

// Whose departures, and of which stop.
extension SetupStep {
    /// Walking in a town, with its detours, along the straight line: about 4 km an hour.
    private static let metresPerMinute = 65.0

    /// Where the board is, from which the operators follow.
    static var place: SetupStep {
        SetupStep(
            option: "place",
            help: "The town, the operator or the stop, latitude and longitude, or the link of a place on a map."
        ) { session throws(ServiceError) in
            guard session.entries.feed == nil else { return nil }
            return SetupPrompt(text: "Where are you: a town, a stop or a map link")
        } take: { session, entry throws(ServiceError) in
            guard !entry.isEmpty else { throw ServiceError(.malformed, "write the name of a town, such as Lyon") }
            session.entries.place = entry
            session.entries.proposals = try PlaceProposal.of(entry, in: session.cities, try session.load().feeds)
        }
    }

    /// Whose departures: one of the feeds of the place.
    static var source: SetupStep {
        SetupStep(
            option: "feed",
            help: "An operator's own feed is better than one of the whole world where it is live; all can be tried."
        ) { session throws(ServiceError) in
            guard session.entries.feed == nil else { return nil }
            return SetupPrompt(
                text: "Whose departures", choices: session.entries.proposals.map(\.sentence), standard: "1")
        } take: { session, entry throws(ServiceError) in
            let proposals = session.entries.proposals
            let feeds = try session.load().feeds
            if let named = feeds.keys.first(where: { $0.description == entry.lowercased() }) {
                session.entries.feed = named
                return
            }
            let named = proposals.firstIndex {
                $0.feed == entry.lowercased() || $0.feed == "gtfs.\(entry.lowercased())"
            }
            if let named { return try choose(proposals[named], session) }
            try choose(proposals[try SetupDialogue.index(entry, of: proposals.map(\.sentence))], session)
        }
    }

    private static func choose(_ proposal: PlaceProposal, _ session: SetupSession) throws(ServiceError) {
        let feed = FeedName(proposal.feed)
        if let id = proposal.city, try session.load().feeds[feed] == nil {
            guard let city = session.cities?.city(numbered: id) else {
                throw ServiceError(.notFound, "there is no list of cities")
            }
            if session.usesOwnLayer {
                try session.set([("city", TOMLText.quoted(id))], in: "[feed.\(feed)]")
            } else {
                _ = try CityEditor(try session.load(), of: session.staged.copy).add(city, as: nil, isMirrored: false)
            }
            for remark in CityTable(city, named: city.name, isMirrored: false).remarks { StandardError.remark(remark) }
        }
        if let source = proposal.keySource { StandardError.remark("its key is from \(source)") }
        session.entries.feed = feed
    }

    /// The stop, by name or position.
    static var stop: SetupStep {
        SetupStep(
            option: "stop",
            help:
                "A part of its name is enough; with latitude and longitude or a map link, the nearest stops are listed."
        ) { session throws(ServiceError) in
            guard session.entries.stop == nil, session.entries.found.isEmpty else { return nil }
            let hasSearch = try session.hasSearch
            // A place that is no town may be the stop's.
            let isPlace = (try? Coordinates(written: session.entries.place)) != nil
            let isStop = isPlace || !session.entries.proposals.contains { $0.city != nil }
            return SetupPrompt(
                text: hasSearch ? "Name of the stop, or a map link" : "Name of the stop: only its code, such as RDG",
                standard: hasSearch && isStop && !session.entries.place.isEmpty ? session.entries.place : nil)
        } take: { session, entry throws(ServiceError) in
            if let feed = SetupSession.feed(of: entry) { session.entries.feed = feed }
            let found = entry.isEmpty ? [] : try await session.search(entry)
            guard !found.isEmpty else {
                let advice =
                    try session.hasSearch
                    ? "write another name, or a position such as 45.7606,4.8596"
                    : "there is no list of its names; the operator's site has the codes"
                throw ServiceError(.notFound, "no stop is called \"\(entry)\": \(advice)")
            }
            session.entries.found = found
            if found.count == 1 { choose(0, session) }
        }
    }

    /// One of several stops.
    static var stopChoice: SetupStep {
        SetupStep(
            option: "number", help: "Poles of one name differ by their letter, or by where their buses go."
        ) { session throws(ServiceError) in
            guard session.entries.stop == nil, session.entries.found.count > 1 else { return nil }
            return SetupPrompt(
                text: "Which", choices: choices(session), standard: session.isInteractive ? "1" : nil)
        } take: { session, entry throws(ServiceError) in
            choose(try SetupDialogue.index(entry, of: choices(session)), session)
        }
    }

    private static func choices(_ session: SetupSession) -> [String] {
        session.entries.found.map { stop, distance in
            let away = distance.map { ", \($0)" } ?? ""
            let towards = stop.towards.map { " → \($0)" } ?? ""
            return "\(stop.nameWithLetter)\(towards) (\(stop.id)\(away))"
        }
    }

    private static func choose(_ index: Int, _ session: SetupSession) {
        let stop = session.entries.found[index].stop
        StandardError.write("Stop: \(stop.nameWithLetter) (\(stop.id))\n")
        session.entries.stop = stop
        session.entries.distance = session.entries.found[index].distance
        // The key or the stop is another.
        session.entries.response = nil
    }

    /// The operator's key, where a request shows that it is required.
    static var key: SetupStep {
        SetupStep(
            option: "key", help: "The operator gives it to you; it is stored here, and sent to the operator alone."
        ) { session throws(ServiceError) in
            guard !session.entries.isKeyOmitted, case .failure(let failure)? = try await session.departures() else {
                return nil
            }
            guard session.keyFailure != nil, let name = keyName(session) else {
                StandardError.write("remark: \(failure.detail)\n")
                return nil
            }
            // A rejected key was reported already.
            if failure.kind == .keyMissing { StandardError.write("\(failure.detail)\n") }
            return SetupPrompt(
                text: "\(name), which is not shown while you type (empty: later)", standard: "", isHidden: true)
        } take: { session, entry throws(ServiceError) in
            guard let name = keyName(session) else { return }
            guard !entry.isEmpty else {
                session.entries.isKeyOmitted = true
                return
            }
            let before = session.memory
            try session.setKey(name, to: entry)
            session.entries.response = nil
            _ = try await session.departures()
            guard let failure = session.keyFailure else { return }
            let response = session.entries.response
            try session.restore(before)
            session.entries.response = response
            throw ServiceError(.notAllowed, failure.detail)
        }
    }

    /// The name of the first key that the feed uses.
    private static func keyName(_ session: SetupSession) -> String? {
        guard let feed = session.entries.stop?.id.feed else { return nil }
        return FeedRegistry.declarations[feed]?.secrets.first
    }

    /// The lines and the directions to show, in one list.
    static var lines: SetupStep {
        SetupStep(
            option: "lines",
            help: "Numbers or names with commas between them, such as 1,3; or all. A direction is every chosen line's."
        ) { session throws(ServiceError) in
            let (lines, directions) = (try await lineNames(session), try await directionNames(session))
            let old = try old(session)
            guard lines.count > 1 || directions.count > 1 || !old.isEmpty else { return nil }
            return SetupPrompt(
                text: "Lines and directions, as numbers or names with commas", choices: lines + directions,
                standard: old.isEmpty ? "all" : old)
        } take: { session, entry throws(ServiceError) in
            let isPrompted = session.isAtPrompt
            session.entries.lines = []
            if isPrompted { session.entries.directions = [] }
            session.entries.areDirectionsChosen = isPrompted
            guard entry.lowercased() != "all" else { return }
            let old = try old(session)
            if isPrompted, entry == old, let favourite = try session.favourite {
                (session.entries.lines, session.entries.directions) = (favourite.lines, favourite.directions)
                return
            }
            let (lines, directions) = (try await lineNames(session), try await directionNames(session))
            let (chosen, others) = SetupDialogue.chosen(entry, of: lines + directions)
            // The lines of the next departures are not all lines: others run at another time of day.
            if session.entries.stop?.lines.isEmpty == false, let other = others.first {
                throw ServiceError(
                    .invalid, "no line \"\(other)\" calls there, and none of the next departures goes that way",
                    candidates: (lines + directions).prefix(Candidate.maximumCount).map { Candidate(id: $0) })
            }
            for other in others {
                StandardError.remark("\"\(other)\" is taken as a line, which none of the next departures has")
            }
            session.entries.lines = chosen.filter { $0 < lines.count }.map { lines[$0] } + others
            let named = chosen.filter { $0 >= lines.count }.map { directions[$0 - lines.count] }
            if !named.isEmpty { (session.entries.directions, session.entries.areDirectionsChosen) = (named, true) }
            report(session)
        }
    }

    /// The entry for what the favourite has; empty: it has every line and direction, or there is none.
    private static func old(_ session: SetupSession) throws(ServiceError) -> String {
        let favourite = try session.favourite
        return ((favourite?.lines ?? []) + (favourite?.directions ?? [])).joined(separator: ",")
    }

    private static func report(_ session: SetupSession) {
        for (word, names) in [("Lines", session.entries.lines), ("Directions", session.entries.directions)] {
            StandardError.write("\(word): \(names.isEmpty ? "all" : names.joined(separator: ", "))\n")
        }
    }

    /// The lines of the stop list, or else of the next departures.
    private static func lineNames(_ session: SetupSession) async throws(ServiceError) -> [String] {
        var names = session.entries.stop?.lines.map(\.line.name) ?? []
        if names.isEmpty, case .success(let response)? = try await session.departures() {
            names = SortOrder.line.sorted(response.departures).map(\.line.name).filter { !$0.isEmpty }.withoutDuplicates
        }
        return (names + (try session.favourite?.lines ?? [])).withoutDuplicates
    }

    /// The directions, where they were not chosen with the lines: by `--directions`, or what the favourite has.
    static var directions: SetupStep {
        SetupStep(option: "directions", help: "Numbers or names with commas between them; or all.") {
            session throws(ServiceError) in
            let old = try session.favourite?.directions ?? []
            guard !session.entries.areDirectionsChosen, !old.isEmpty else { return nil }
            return SetupPrompt(
                text: "Directions, as numbers or names with commas", choices: try await directionNames(session),
                standard: old.joined(separator: ","))
        } take: { session, entry throws(ServiceError) in
            session.entries.directions = []
            guard entry.lowercased() != "all" else { return }
            let names = try await directionNames(session)
            let (chosen, others) = SetupDialogue.chosen(entry, of: names)
            for other in others { StandardError.remark("none of the next departures goes to \"\(other)\"") }
            session.entries.directions = chosen.map { names[$0] } + others
            report(session)
        }
    }

    /// The directions of the next departures, as the operator says them; otherwise their destinations.
    private static func directionNames(_ session: SetupSession) async throws(ServiceError) -> [String] {
        guard case .success(let response)? = try await session.departures() else { return [] }
        let named = SortOrder.destination.sorted(response.departures).map { $0.namedDirection ?? $0.destination }
        return (named.compactMap(\.self).filter { !$0.isEmpty } + (try session.favourite?.directions ?? []))
            .withoutDuplicates
    }

    /// Other stations at which the trains also call.
    static var towards: SetupStep {
        SetupStep(
            option: "towards",
            help:
                "The codes of stations with commas between them, such as PAD,BTN; only trains that go there are shown."
        ) { session throws(ServiceError) in
            // Others take it, too, but who waits for a bus seldom needs it.
            guard session.entries.feed == NationalRailFeed.name, session.keyFailure == nil else { return nil }
            let old = (try session.favourite?.towards ?? []).joined(separator: ",")
            return SetupPrompt(
                text: "Only trains that also call at (codes with commas)", standard: old.isEmpty ? "all" : old)
        } take: { session, entry throws(ServiceError) in
            session.entries.towards = []
            guard entry.lowercased() != "all", let feed = session.entries.stop?.id.feed else { return }
            let codes = entry.split(separator: ",").map { $0.filter { !$0.isWhitespace }.uppercased() }
            for code in codes {
                if let problem = FeedRegistry.declarations[feed]?.problem(aboutStop: code) {
                    throw ServiceError(.malformed, "\"\(code)\" is no station: it \(problem)")
                }
            }
            session.entries.towards = codes
        }
    }

    /// How long it takes to get there.
    static var walk: SetupStep {
        SetupStep(
            option: "walk", help: "The board then counts to the moment at which you must leave, not to the departure."
        ) { session throws(ServiceError) in
            let distance = session.entries.distance.map { max(1, Int(($0.count / metresPerMinute).rounded(.up))) }
            let old = try session.favourite?.walk.map { Int($0.wholeSeconds / 60) }
            return SetupPrompt(text: "Minutes to walk there (0: do not count)", standard: "\(old ?? distance ?? 0)")
        } take: { session, entry throws(ServiceError) in
            let digits = entry.hasSuffix("m") ? String(entry.dropLast()) : entry
            guard let minutes = Int(digits), (0...120).contains(minutes) else {
                throw ServiceError(.malformed, "\"\(entry)\" must be minutes from 0 to 120")
            }
            session.entries.walk = minutes == 0 ? nil : .seconds(minutes * 60)
        }
    }

    /// The user's address, for an operator whose terms require it.
    static var contact: SetupStep {
        SetupStep(option: "contact", help: "The operator writes to it if your board disturbs its service.") {
            session throws(ServiceError) in
            guard let feed = session.entries.feed, let declaration = FeedRegistry.declarations[feed],
                try session.load().feeds[feed]?.text("contact") == ""
            else { return nil }
            return SetupPrompt(
                text: "Your mail or web address, which the terms of \(declaration.title) require (empty: later)",
                standard: "")
        } take: { session, entry throws(ServiceError) in
            guard !entry.isEmpty, let feed = session.entries.feed else { return }
            guard entry.contains("@") || entry.contains("://") else {
                throw ServiceError(
                    .malformed, "\"\(entry)\" must be a mail or web address, such as https://example.org")
            }
            try session.set([("contact", TOMLText.quoted(entry))], in: "[feed.\(feed)]")
        }
    }
}

extension PlaceProposal {
    /// What a person should know before choosing it.
    fileprivate var sentence: String {
        let facts = [
            place, isLive ? "live" : "timetable only", key == nil ? nil : "needs a key",
            copied.map { "a copy of \($0)" } ?? (["dated", "frozen"].contains(quality) ? "an old copy" : nil),
            isWholeCountry ? "a whole country, \(City.countrySize)" : nil,
        ].compactMap(\.self)
        return "\(title) (\(facts.joined(separator: "; ")))"
    }
}

extension [String] {
    fileprivate var withoutDuplicates: [String] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
