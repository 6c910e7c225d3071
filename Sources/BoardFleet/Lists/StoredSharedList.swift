internal import BoardCore
internal import BoardStore

/// What a member of a list stores in fleet.json: the merged list, and the shared favourites that its file had last, so that
/// changes of the file are found after a restart, too.
struct StoredSharedList: Hashable, Sendable, Codable {
    let name: FleetName
    let list: SharedList
    /// Without distances.
    let favourites: [Favourite]

    private enum CodingKeys: String, CodingKey {
        case name, list, favourites
    }

    private struct StoredFavourite: Codable {
        let stop: StopID
        let values: [String: [String]]
    }

    init(name: FleetName, list: SharedList, favourites: [Favourite]) {
        self.name = name
        self.list = list
        self.favourites = favourites
    }

    /// Throws for another version of the list. Values that this version rejects are the defaults.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(FleetName.self, forKey: .name)
        let file = try container.decode(SharedListFile.self, forKey: .list)
        guard file.version == SharedListFile.version else { throw SharedListFault.version(file.version) }
        list = file.list.list
        favourites = try container.decode([StoredFavourite].self, forKey: .favourites).map { stored in
            var favourite = Favourite(stop: stored.stop)
            for field in FavouriteField.all { try? field.set(stored.values[field.name] ?? [], in: &favourite) }
            return favourite
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(SharedListFile(list), forKey: .list)
        let stored = favourites.map { favourite in
            let values = FavouriteField.all.map { ($0.name, $0.textsUnlessDefault(favourite)) }.filter { !$0.1.isEmpty }
            return StoredFavourite(stop: favourite.stop, values: Dictionary(values) { first, _ in first })
        }
        try container.encode(stored, forKey: .favourites)
    }
}
