internal import BoardCore

extension [TripUpdate] {
    /// The most updates of one name that are looked at: pairs of trains occur, New York's subway has them.
    private static var mostOfOneName: Int { 50 }

    /// The updates in the order in which they count, each of what is told once.
    var inOrder: [TripUpdate] {
        // As nearly always, no trip is told of twice.
        guard Set(lazy.map(\.trip.id)).count < count else { return self }
        return distinct.byWeight
    }

    /// Those that tell something else than the ones before, but for more of one name than any operator has.
    private var distinct: [TripUpdate] {
        var seen: Set<TripUpdate.Content> = []
        var often: [TripDescriptor: Int] = [:]
        return filter { update in
            guard seen.insert(TripUpdate.Content(update)).inserted else { return false }
            often[update.trip, default: 0] += 1
            return often[update.trip, default: 0] <= Self.mostOfOneName
        }
    }

    /// What does not run first, which no other update takes back; then those that tell of the most calls: of several trains
    /// of one name the timetable's is theirs.
    private var byWeight: [TripUpdate] {
        func weight(_ update: TripUpdate) -> Int {
            switch update.trip.relationship {
            case .canceled, .deleted: .max
            default: update.stops.count
            }
        }
        return enumerated().sorted { left, right in
            (weight(right.element), left.offset) < (weight(left.element), right.offset)
        }.map(\.element)
    }
}

extension TripUpdate {
    /// The update with one call of each sequence at a stop that is listed several times in a row, as Seattle's copies of trips
    /// have them: the last that is not before the call before it, else the first.
    var withoutRepeats: TripUpdate {
        guard zip(stops, stops.dropFirst()).contains(where: isRepeated) else { return self }
        var kept: [StopTimeUpdate] = []
        for stop in stops {
            guard let last = kept.last, isRepeated(last, stop) else {
                kept.append(stop)
                continue
            }
            let before = kept.dropLast().last { $0.time != nil }?.time
            if let before, let time = stop.time, time < before { continue }
            kept[kept.count - 1] = stop
        }
        var update = self
        update.stops = kept
        return update
    }

    /// Whether the second one is about the same call as the first.
    private func isRepeated(_ first: StopTimeUpdate, _ second: StopTimeUpdate) -> Bool {
        guard let sequence = first.sequence, sequence == second.sequence, first.hasStop else { return false }
        return first.place == second.place && unknownStop(of: first) == unknownStop(of: second)
    }
}

extension TripUpdate {
    /// What it tells of a trip, whatever its entity is called and whenever it was made.
    fileprivate struct Content: Hashable {
        let trip: TripDescriptor
        let stops: [StopTimeUpdate]
        let newID: String?
        let unknownStops: [String]
        let properties: [StopTimeUpdate.Properties]

        init(_ update: TripUpdate) {
            (trip, stops, newID) = (update.trip, update.stops, update.newID)
            (unknownStops, properties) = (update.unknownStops, update.properties)
        }
    }
}
