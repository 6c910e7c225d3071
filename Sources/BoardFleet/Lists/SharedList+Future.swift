internal import BoardCore

// Stamps that are ahead of a certain clock: such a value would win until that time comes.
extension SharedList {
    /// The list without values whose stamps are ahead; and for the board that made each of them, how far its clock is ahead.
    func withoutFuture(at time: ListTime) -> (list: SharedList, ahead: [FleetName: Duration]) {
        var list = self
        var ahead: [FleetName: Duration] = [:]
        guard let latest, HybridClock.isAhead(latest, at: time) else { return (self, [:]) }
        for (stop, entry) in entries {
            for (name, field) in entry.fields where HybridClock.isAhead(field.value.stamp, at: time) {
                let stamp = field.value.stamp
                ahead[stamp.board] = max(ahead[stamp.board] ?? .zero, stamp.timestamp - time.timestamp)
                // The value that it replaced, where that is not ahead as well.
                list.entries[stop]?.fields[name] = field.previous.flatMap { previous in
                    HybridClock.isAhead(previous.stamp, at: time) ? nil : Field(previous)
                }
            }
            if list.entries[stop]?.fields.isEmpty == true { list.entries[stop] = nil }
        }
        return (list, ahead)
    }

    /// Gives values whose stamps are ahead a stamp of now, which other boards accept: those that this board merged or made
    /// before its own time was certain.
    mutating func restampFuture(at time: ListTime, stamp: HybridTimestamp) {
        for (stop, entry) in entries {
            for (name, field) in entry.fields where HybridClock.isAhead(field.value.stamp, at: time) {
                let previous = field.previous.flatMap { HybridClock.isAhead($0.stamp, at: time) ? nil : $0 }
                entries[stop]?.fields[name] = Field(Value(texts: field.value.texts, stamp: stamp), previous: previous)
            }
        }
    }
}
