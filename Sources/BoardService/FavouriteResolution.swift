public import BoardCore
public import BoardStore

/// The entries of favourites.toml, resolved with the stop directory: `[[nearby]]` entries become stops, and stops have names
/// before the first poll.
public struct FavouriteResolution: Hashable, Sendable {
    /// The board's favourites, in order.
    public let favourites: [Favourite]
    /// Names from the directory, or from the file.
    public let known: [StopID: Stop]
    /// Places from the directory.
    public let places: [StopID: Coordinates]

    /// Resolves all entries. Blocks for a few queries.
    ///
    /// - Parameter onFailure: is called for a directory that cannot be read; nearby stops are left out then.
    public init(
        _ entries: [FavouriteEntry], in directory: StopDirectory, onFailure: (DirectoryFailure) -> Void = { _ in }
    ) {
        favourites = entries.favourites { nearby in
            do throws(DirectoryFailure) {
                let result = try directory.near(
                    nearby.location, within: nearby.radius, modes: nearby.modes, limit: nearby.stops)
                result.failures.forEach(onFailure)
                return result.found.map { ($0.stop.id, $0.distance) }
            } catch {
                onFailure(error)
                return []
            }
        }
        var known: [StopID: Stop] = [:]
        var places: [StopID: Coordinates] = [:]
        for favourite in favourites {
            // A name is optional: other code reports faults of the directory.
            if let stop = try? directory.stop(favourite.stop) {
                known[favourite.stop] = Stop(id: stop.id, name: stop.name, letter: stop.letter)
                places[favourite.stop] = stop.coordinates
            } else if let name = favourite.name {
                known[favourite.stop] = Stop(id: favourite.stop, name: name)
            }
        }
        self.known = known
        self.places = places
    }
}
