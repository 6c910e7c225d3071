internal import BoardCore

extension [TripUpdate] {
    /// The most updates with one descriptor; New York's subway has pairs of trains with one.
    private static var mostOfOneName: Int { 50 }

    /// The updates by precedence, without repetitions.
    var byPrecedence: [TripUpdate] {
        // Nearly always, each trip has one update.
        guard Set(lazy.map(\.trip.id)).count < count else { return self }
        return distinct.byWeight
    }

    /// The updates with distinct content (without entity ID and timestamp), at most ``mostOfOneName`` of one descriptor.
    private var distinct: [TripUpdate] {
        var seen: Set<TripUpdate> = []
        var counts: [TripDescriptor: Int] = [:]
        return filter { update in
            var content = TripUpdate(entity: "", trip: update.trip)
            (content.stops, content.newID) = (update.stops, update.newID)
            (content.unknownStops, content.properties) = (update.unknownStops, update.properties)
            guard seen.insert(content).inserted else { return false }
            counts[update.trip, default: 0] += 1
            return counts[update.trip, default: 0] <= Self.mostOfOneName
        }
    }

    /// Cancellations first, since no other update revokes them; then updates with most calls: of several trains with one
    /// ID, the first is matched to the timetable.
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
    /// The update without consecutive repetitions of one call, which Seattle's copies of trips have. The last repetition
    /// that is not earlier than the call before counts, else the first.
    var withoutRepeats: TripUpdate {
        guard zip(stops, stops.dropFirst()).contains(where: isRepeated) else { return self }
        var result: [StopTimeUpdate] = []
        for stop in stops {
            guard let last = result.last, isRepeated(last, stop) else {
                result.append(stop)
                continue
            }
            let before = result.dropLast().last { $0.time != nil }?.time
            if let before, let time = stop.time, time < before { continue }
            result[result.count - 1] = stop
        }
        var update = self
        update.stops = result
        return update
    }

    private func isRepeated(_ first: StopTimeUpdate, _ second: StopTimeUpdate) -> Bool {
        guard let sequence = first.sequence, sequence == second.sequence, first.hasStop else { return false }
        return first.place == second.place && unknownStop(of: first) == unknownStop(of: second)
    }
}
