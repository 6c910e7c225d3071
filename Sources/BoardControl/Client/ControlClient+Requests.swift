public import BoardCore

extension ControlClient {
    /// All that can be known of the board.
    public func state() async throws(ControlClientError) -> BoardState {
        try await request("GET", "/v1/state")
    }

    /// Does what a press of a button does.
    public func press(_ gesture: PressRequest.Gesture, button: Int = 0) async throws(ControlClientError) {
        try await send("POST", "/v1/press", body: json(PressRequest(gesture, button: button)))
    }

    /// Asks every stop's operator as soon as the quotas allow.
    public func refresh() async throws(ControlClientError) {
        try await send("POST", "/v1/refresh")
    }

    /// Reads the configuration anew; refused with its faults where it is faulty.
    public func reload() async throws(ControlClientError) {
        try await send("POST", "/v1/reload")
    }

    /// The stops that best match what a person wrote; best first.
    public func stops(matching text: String, limit: Int? = nil) async throws(ControlClientError) -> [StopEntry] {
        try await request("GET", Self.target("/v1/stops", ["query": text, "limit": limit.map { String($0) }]))
    }

    /// The stops of a neighbourhood; nearest first. The radius is rounded to whole metres.
    public func stops(
        near place: Coordinates, within radius: Metres? = nil, modes: [String] = [], limit: Int? = nil
    ) async throws(ControlClientError) -> [StopEntry] {
        let parameters: [String: String?] = [
            "near": place.description,
            "radius": radius.flatMap { Int(exactly: $0.count.rounded()) }.map { String($0) },
            "modes": modes.isEmpty ? nil : modes.joined(separator: ","),
            "limit": limit.map { String($0) },
        ]
        return try await request("GET", Self.target("/v1/stops", parameters))
    }

    /// One stop with its parts.
    public func stop(_ id: StopID) async throws(ControlClientError) -> StopDetail {
        try await request("GET", "/v1/stops/" + RequestTarget.encoded(id.description))
    }

    /// The lines of a feed; nil: of every feed.
    public func lines(of feed: FeedName? = nil) async throws(ControlClientError) -> [LineEntry] {
        try await request("GET", Self.target("/v1/lines", ["feed": feed?.description]))
    }

    /// Where a line runs.
    public func route(of line: String, feed: FeedName) async throws(ControlClientError) -> RouteEntry {
        try await request("GET", "/v1/lines/" + RequestTarget.encoded("\(feed):\(line)"))
    }

    /// The stop directories.
    public func directory() async throws(ControlClientError) -> [DirectoryState] {
        try await request("GET", "/v1/directory")
    }

    /// Begins to update the stop directories.
    ///
    /// - Parameter feed: whose list; nil: every one that is kept.
    public func updateDirectory(_ feed: FeedName? = nil) async throws(ControlClientError) -> [DirectoryState] {
        try await request("POST", Self.target("/v1/directory/update", ["feed": feed?.description]))
    }

    /// The favourites, in the board's order.
    public func favourites() async throws(ControlClientError) -> [FavouriteItem] {
        try await request("GET", "/v1/favourites")
    }

    /// Adds a favourite after the others.
    public func addFavourite(_ new: NewFavourite) async throws(ControlClientError) -> FavouriteItem {
        try await request("POST", "/v1/favourites", body: json(new))
    }

    /// Moves a favourite or changes what is wanted of it; what the change does not name stays.
    public func changeFavourite(
        _ stop: StopID, _ change: FavouriteChange
    ) async throws(ControlClientError) -> FavouriteItem {
        try await request("PATCH", Self.favourite(stop), body: json(change))
    }

    /// Removes a favourite.
    public func removeFavourite(_ stop: StopID) async throws(ControlClientError) {
        try await send("DELETE", Self.favourite(stop))
    }

    private static func favourite(_ stop: StopID) -> String {
        "/v1/favourites/" + RequestTarget.encoded(stop.description)
    }

    private static func target(_ path: String, _ parameters: [String: String?]) -> String {
        let written = parameters.compactMap { name, value in
            value.map { "\(name)=\(RequestTarget.encoded($0))" }
        }
        return written.isEmpty ? path : path + "?" + written.sorted().joined(separator: "&")
    }
}
