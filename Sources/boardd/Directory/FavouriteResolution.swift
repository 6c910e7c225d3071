internal import BoardCore
internal import BoardStore

/// What a person's list of favourites comes to, with the help of the stop directory: wishes for near stops become stops,
/// and stops have names before their operators were asked.
struct FavouriteResolution: Hashable, Sendable {
    /// The board's favourites, in order.
    let favourites: [Favourite]
    /// What the directory says of them, or what was written down.
    let known: [StopID: Stop]

    /// Looks everything up. Blocks for as long as a few queries take.
    ///
    /// - Parameter complain: is told of a directory that cannot be read; near stops are left out then.
    init(_ entries: [FavouriteEntry], in directory: StopDirectory, onFailure: (DirectoryFailure) -> Void = { _ in }) {
        favourites = entries.favourites { nearby in
            do throws(DirectoryFailure) {
                let answer = try directory.near(
                    nearby.location, within: nearby.radius, modes: nearby.modes, limit: nearby.stops)
                answer.failures.forEach(onFailure)
                return answer.found.map { ($0.stop.id, $0.distance) }
            } catch {
                onFailure(error)
                return []
            }
        }
        var known: [StopID: Stop] = [:]
        for favourite in favourites {
            // A name is a courtesy: whatever is wrong with the directory is said elsewhere.
            if let stop = try? directory.stop(favourite.stop) {
                known[favourite.stop] = Stop(id: stop.id, name: stop.name, letter: stop.letter)
            } else if let name = favourite.name {
                known[favourite.stop] = Stop(id: favourite.stop, name: name)
            }
        }
        self.known = known
    }
}
