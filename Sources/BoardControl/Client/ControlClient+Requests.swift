public import BoardCore

extension ControlClient {
    public func state() async throws(ControlClientError) -> BoardState {
        try await request("GET", "/v1/state")
    }

    /// Acts like a press of a button.
    public func press(_ gesture: PressRequest.Gesture, button: Int = 0) async throws(ControlClientError) {
        try await send("POST", "/v1/press", body: json(PressRequest(gesture, button: button)))
    }

    /// Polls every stop as soon as the rate limits allow.
    public func refresh() async throws(ControlClientError) {
        try await send("POST", "/v1/refresh")
    }

    /// Reloads the configuration; throws with its faults where it has any.
    public func reload() async throws(ControlClientError) {
        try await send("POST", "/v1/reload")
    }

    /// The stops that best match a text, best first.
    public func stops(matching text: String, limit: Int? = nil) async throws(ControlClientError) -> [StopEntry] {
        try await request("GET", Self.target("/v1/stops", ["query": text, "limit": limit.map { String($0) }]))
    }

    /// The stops near a place, nearest first. The radius is rounded to whole metres.
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

    /// The lines of a feed; nil: of all feeds.
    public func lines(of feed: FeedName? = nil) async throws(ControlClientError) -> [LineEntry] {
        try await request("GET", Self.target("/v1/lines", ["feed": feed?.description]))
    }

    /// The stops of a line.
    public func route(of line: String, feed: FeedName) async throws(ControlClientError) -> RouteEntry {
        try await request("GET", "/v1/lines/" + RequestTarget.encoded("\(feed):\(line)"))
    }

    public func directory() async throws(ControlClientError) -> [DirectoryState] {
        try await request("GET", "/v1/directory")
    }

    /// Starts to update the stop directories.
    ///
    /// - Parameter feed: the feed to update; nil: all that have a directory.
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

    /// Changes the position or other values of a favourite; the change leaves values that it does not name.
    public func changeFavourite(
        _ stop: StopID, _ change: FavouriteChange
    ) async throws(ControlClientError) -> FavouriteItem {
        try await request("PATCH", Self.favourite(stop), body: json(change))
    }

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
