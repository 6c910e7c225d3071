internal import BoardCore
internal import BoardStore

// The list as favourites.
extension SharedList {
    /// The stops of the list in its order: by place, then by stop.
    var order: [StopID] {
        entries.filter(\.value.isHere).map { (stop: $0.key, place: $0.value.place) }.sorted { left, right in
            switch (left.place, right.place) {
            case (let one?, let other?) where one != other: one < other
            case (nil, _?): false
            case (_?, nil): true
            default: left.stop.description < right.stop.description
            }
        }.map(\.stop)
    }

    /// The favourites of the list in its order.
    var favourites: [Favourite] { order.map { favourite($0) } }

    /// A favourite with the values of its entry, also of one that was removed.
    func favourite(_ stop: StopID) -> Favourite {
        var favourite = Favourite(stop: stop)
        for (name, field) in entries[stop]?.fields ?? [:] {
            guard let key = Self.keys[name] else { continue }
            // Of a value that this version rejects, the one before.
            for value in [field.value, field.previous].compactMap({ $0 }) {
                if (try? key.set(value.texts, in: &favourite)) != nil { break }
            }
        }
        return favourite
    }

    /// Sentences about the values of the stops in the list that this version rejects.
    var rejectedValues: [String] {
        order.flatMap { stop -> [String] in
            (entries[stop]?.fields ?? [:]).sorted { $0.key < $1.key }.compactMap { name, field in
                var scratch = Favourite(stop: stop)
                do throws(FavouriteFieldFault) {
                    try Self.keys[name]?.set(field.value.texts, in: &scratch)
                    return nil
                } catch {
                    return "\(stop): \(error.description)"
                }
            }
        }
    }

    private static let keys = Dictionary(favouriteFields.map { ($0.name, $0) }) { first, _ in first }
}
