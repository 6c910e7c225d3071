import BoardCore
import BoardFeeds
import BoardIO
import BoardService
import BoardStore

// Whose departures, and of which stop.
extension SetupStep {
    /// Walking in a town, with its detours, along the straight line: about 4 km an hour.
    private static let metresPerMinute = 65.0

    /// Where the departures come from.
    static var source: SetupStep {
        SetupStep(option: "feed") { session throws(ServiceError) in
            guard session.feed == nil else { return nil }
            let choices = try sources(session)
            return SetupPrompt(
                text: "Whose departures", choices: choices.map(\.text), standard: "1")
        } take: { session, entry throws(ServiceError) in
            let choices = try sources(session)
            let text = entry.lowercased()
            let choice =
                choices.first { $0.feed?.description == text || $0.feed == nil && text == "city" }
                ?? (text.isEmpty ? nil : choices.first { $0.text.lowercased().hasPrefix(text) && Int(text) == nil })
                ?? Int(entry).flatMap { choices.indices.contains($0 - 1) ? choices[$0 - 1] : nil }
            guard let choice else {
                let names = choices.map { $0.feed?.description ?? "city" }
                throw ServiceError(
                    .malformed,
                    "\"\(entry)\" must be a number from 1 to \(choices.count), or one of \(names.joined(separator: ", "))"
                )
            }
            session.feed = choice.feed
        }
    }

    /// Where the operators with a fixed place are.
    private static let places: [FeedName: String] = [
        TfLFeed.name: ": London", NationalRailFeed.name: ": trains in Great Britain", LAMetroFeed.name: ": Los Angeles",
    ]

    /// The feeds to choose from: Transitous first, which needs no key; last the list of cities, whose feed is nil.
    private static func sources(_ session: SetupSession) throws(ServiceError) -> [(feed: FeedName?, text: String)] {
        let configured = try session.load().feeds
        let usable = FeedFactory.operators(of: configured).map(\.declaration).filter { declaration in
            // A feed that needs an address of the user's has no default for it.
            guard let settings = configured[declaration.name] else { return false }
            return settings.url("url") != "" && settings.text("url") != ""
        }
        let first = usable.filter(\.searchesStops) + usable.filter { !$0.searchesStops }
        let feeds = first.map { declaration -> (feed: FeedName?, text: String) in
            let title = configured[declaration.name]?.text("title").flatMap { $0.isEmpty ? nil : $0 }
            let remark =
                declaration.searchesStops ? ": most of the world, without a key" : places[declaration.name] ?? ""
            return (declaration.name, "\(title ?? declaration.title)\(remark)")
        }
        return feeds + (session.cities == nil ? [] : [(nil, "a city's own timetable, from a list of the world")])
    }

    /// A city of the list.
    static var city: SetupStep {
        SetupStep(option: "city") { session throws(ServiceError) in
            guard session.feed == nil else { return nil }
            return SetupPrompt(text: "City or operator, or LAT,LON")
        } take: { session, entry throws(ServiceError) in
            guard let cities = session.cities else { throw ServiceError(.notFound, "there is no list of cities") }
            let exact = cities.cities.filter { $0.name == entry.lowercased() || $0.id == entry }
            let found = try exact.isEmpty ? cities.search(entry) : exact
            guard !found.isEmpty else {
                throw ServiceError(
                    .notFound, "no city of the list is called \"\(entry)\"; LAT,LON finds one by position")
            }
            session.foundCities = Array(found.prefix(9))
            if found.count == 1 { try add(found[0], session) }
        }
    }

    /// One of several cities.
    static var cityChoice: SetupStep {
        SetupStep(option: "city-number") { session throws(ServiceError) in
            guard session.feed == nil, session.foundCities.count > 1 else { return nil }
            return SetupPrompt(
                text: "Which",
                choices: session.foundCities.map { city in
                    let known = [city.place, city.features].filter { !$0.isEmpty }
                    return "\(city.fullName) (\(known.joined(separator: "; ")))"
                }, standard: "1")
        } take: { session, entry throws(ServiceError) in
            try add(session.foundCities[try number(entry, of: session.foundCities.count)], session)
        }
    }

    private static func add(_ city: City, _ session: SetupSession) throws(ServiceError) {
        StandardError.write("City: \(city.fullName) (\(city.place))\n")
        let editor = CityEditor(try session.load(), of: session.staged.copy)
        let feed = FeedName("gtfs.\(city.name)")
        if try session.load().feeds[feed] == nil {
            let (table, _) = try editor.add(city, as: nil, isMirrored: false)
            for remark in table.remarks { StandardError.write("remark: \(remark)\n") }
            if table.keyName != nil, !table.keySource.isEmpty {
                StandardError.write("remark: its key is from \(table.keySource)\n")
            }
        }
        session.feed = feed
    }

    /// The stop, by name or position.
    static var stop: SetupStep {
        SetupStep(option: "stop") { session throws(ServiceError) in
            guard session.stop == nil, session.found.isEmpty else { return nil }
            let hasSearch = try session.hasSearch
            return SetupPrompt(
                text: hasSearch ? "Name of the stop, or LAT,LON" : "Name of the stop: only its code, such as RDG")
        } take: { session, entry throws(ServiceError) in
            if let feed = SetupSession.feed(of: entry) { session.feed = feed }
            let found = entry.isEmpty ? [] : try await session.search(entry)
            guard !found.isEmpty else {
                let advice =
                    try session.hasSearch
                    ? "write another name, or a position such as 45.7606,4.8596"
                    : "there is no list of its names; the operator's site has the codes"
                throw ServiceError(.notFound, "no stop is called \"\(entry)\": \(advice)")
            }
            session.found = found
            if found.count == 1 { choose(0, session) }
        }
    }

    /// One of several stops.
    static var stopChoice: SetupStep {
        SetupStep(option: "number") { session throws(ServiceError) in
            guard session.stop == nil, session.found.count > 1 else { return nil }
            let choices = session.found.map { stop, distance in
                let away = distance.map { ", \($0)" } ?? ""
                let towards = stop.towards.map { " → \($0)" } ?? ""
                return "\(stop.nameWithLetter)\(towards) (\(stop.id)\(away))"
            }
            return SetupPrompt(text: "Which", choices: choices, standard: "1")
        } take: { session, entry throws(ServiceError) in
            choose(try number(entry, of: session.found.count), session)
        }
    }

    private static func choose(_ index: Int, _ session: SetupSession) {
        let stop = session.found[index].stop
        let others =
            session.found.count > 1 && !session.isInteractive ? ", of \(session.found.count); --number chooses" : ""
        StandardError.write("Stop: \(stop.nameWithLetter) (\(stop.id))\(others)\n")
        session.stop = stop
        session.distance = session.found[index].distance
        session.retry()
    }

    /// The operator's key, where a request shows that it is required.
    static var key: SetupStep {
        SetupStep(option: "key") { session throws(ServiceError) in
            guard !session.isKeyOmitted, case .failure(let failure)? = try await session.departures() else {
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
                session.isKeyOmitted = true
                return
            }
            let old = session.keys
            try session.setKey(name, to: entry)
            session.retry()
            _ = try await session.departures()
            guard let failure = session.keyFailure else { return }
            try session.restore(keys: old)
            throw ServiceError(.notAllowed, failure.detail)
        }
    }

    /// The name of the first key that the feed uses.
    private static func keyName(_ session: SetupSession) -> String? {
        guard let feed = session.stop?.id.feed else { return nil }
        return FeedRegistry.declarations[feed]?.secrets.first
    }

    /// The lines to show.
    static var lines: SetupStep {
        SetupStep(option: "lines") { session throws(ServiceError) in
            let names = try await lineNames(session)
            guard names.count > 1 else { return nil }
            let old = try session.favourite?.lines.joined(separator: ",") ?? ""
            return SetupPrompt(
                text: "Lines, as numbers or names with commas, or all", choices: names,
                standard: old.isEmpty ? "all" : old)
        } take: { session, entry throws(ServiceError) in
            guard entry.lowercased() != "all" else {
                session.lines = []
                return
            }
            let names = try await lineNames(session)
            var chosen: [String] = []
            for part in entry.split(separator: ",") {
                let text = part.filter { !$0.isWhitespace }
                let named = names.first { $0.lowercased().filter { !$0.isWhitespace } == text.lowercased() }
                let numbered = Int(text).flatMap { names.indices.contains($0 - 1) ? names[$0 - 1] : nil }
                // The lines of the next departures are not all lines: others run at another time of day.
                let isListed = session.stop?.lines.isEmpty == false
                if named == nil, numbered == nil, !isListed {
                    StandardError.write("remark: line \"\(text)\" has none of the next departures\n")
                }
                guard let name = named ?? numbered ?? (isListed ? nil : text) else {
                    throw ServiceError(
                        .invalid, "line \"\(text)\" does not call there",
                        candidates: names.prefix(Candidate.maximumCount).map { Candidate(id: $0) })
                }
                if !chosen.contains(name) { chosen.append(name) }
            }
            session.lines = chosen
            StandardError.write("Lines: \(chosen.joined(separator: ", "))\n")
        }
    }

    /// The lines of the stop list, or else of the next departures.
    private static func lineNames(_ session: SetupSession) async throws(ServiceError) -> [String] {
        let listed = session.stop?.lines.map(\.line.name) ?? []
        guard listed.isEmpty, case .success(let response)? = try await session.departures() else { return listed }
        let lines = SortOrder.line.sorted(response.departures).map(\.line.name).filter { !$0.isEmpty }
        return lines.enumerated().filter { !lines[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// How long it takes to get there.
    static var walk: SetupStep {
        SetupStep(option: "walk") { session throws(ServiceError) in
            let distance = session.distance.map { max(1, Int(($0.count / metresPerMinute).rounded(.up))) }
            let old = try session.favourite?.walk.map { Int($0.wholeSeconds / 60) }
            return SetupPrompt(text: "Minutes to walk there (0: do not count)", standard: "\(old ?? distance ?? 0)")
        } take: { session, entry throws(ServiceError) in
            let digits = entry.hasSuffix("m") ? String(entry.dropLast()) : entry
            guard let minutes = Int(digits), (0...120).contains(minutes) else {
                throw ServiceError(.malformed, "\"\(entry)\" must be minutes from 0 to 120")
            }
            session.walk = minutes == 0 ? nil : .seconds(minutes * 60)
        }
    }

    /// The user's address, for an operator whose terms require it.
    static var contact: SetupStep {
        SetupStep(option: "contact") { session throws(ServiceError) in
            guard let feed = session.stop?.id.feed, let declaration = FeedRegistry.declarations[feed],
                try session.load().feeds[feed]?.text("contact") == ""
            else { return nil }
            return SetupPrompt(
                text: "Your mail or web address, which the terms of \(declaration.title) require (empty: later)",
                standard: "")
        } take: { session, entry throws(ServiceError) in
            guard !entry.isEmpty, let feed = session.stop?.id.feed else { return }
            guard entry.contains("@") || entry.contains("://") else {
                throw ServiceError(
                    .malformed, "\"\(entry)\" must be a mail or web address, such as https://example.org")
            }
            try session.set([("contact", TOMLText.quoted(entry))], in: "[feed.\(feed)]")
        }
    }

    /// The index of a number from 1.
    static func number(_ entry: String, of count: Int) throws(ServiceError) -> Int {
        guard count > 0 else { throw ServiceError(.malformed, "\"\(entry)\": there is nothing to choose from") }
        guard let number = Int(entry), number >= 1, number <= count else {
            throw ServiceError(.malformed, "\"\(entry)\" must be a number from 1 to \(count)")
        }
        return number - 1
    }
}
