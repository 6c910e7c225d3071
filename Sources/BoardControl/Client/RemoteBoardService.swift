public import BoardCore
public import BoardIO
public import BoardService
public import BoardStore
import FoundationEssentials
import Glibc

/// Calls the running board over its control socket.
///
/// Each call uses its own connection and its own thread.
public struct RemoteBoardService: BoardService, StopService, FavouriteService {
    /// The path of the socket unless the environment sets another.
    public static let defaultPath = "/run/boardd/control.sock"

    private let path: String
    private let timeout: Duration

    /// - Parameters:
    ///   - path: the path of the socket.
    ///   - timeout: the maximum wait for a response.
    public init(path: String = RemoteBoardService.defaultPath, timeout: Duration = .seconds(10)) {
        self.path = path
        self.timeout = timeout
    }

    public func state() async throws(ServiceError) -> BoardState {
        try await request("GET", "/v1/state")
    }

    public func live() async throws(ServiceError) -> LiveState {
        try await request("GET", "/v1/live")
    }

    public func look(at stop: StopID) async throws(ServiceError) -> StopReport {
        try await request("POST", "/v1/stops/\(RequestTarget.encoded(stop.description))/look")
    }

    public func departures(
        of stop: StopID, sorted order: BoardCore.SortOrder
    ) async throws(ServiceError) -> StopReport {
        let path = "/v1/stops/\(RequestTarget.encoded(stop.description))/departures"
        return try await request("GET", Self.target(path, ["sort": order.rawValue]))
    }

    public func press(_ gesture: Gesture, button: ButtonID) async throws(ServiceError) {
        try await send("POST", "/v1/press", body: json(PressRequest(gesture, button: button)))
    }

    public func refresh() async throws(ServiceError) {
        try await send("POST", "/v1/refresh")
    }

    public func show(page: String) async throws(ServiceError) {
        try await send("POST", "/v1/show", body: json(ShowRequest(page)))
    }

    public func setLight(_ mode: LightMode) async throws(ServiceError) {
        try await send("POST", "/v1/light", body: json(LightRequest(mode)))
    }

    public func show(_ message: BoardMessage) async throws(ServiceError) {
        try await send("POST", "/v1/message", body: json(message))
    }

    public func reload() async throws(ServiceError) {
        try await send("POST", "/v1/reload")
    }

    public func stops(matching text: String, limit: Int, isOnline: Bool) async throws(ServiceError) -> [StopEntry] {
        try await request("GET", Self.target("/v1/stops", ["query": text, "limit": "\(limit)"]))
    }

    /// The radius is rounded to whole metres.
    public func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> [StopEntry] {
        let parameters: [String: String?] = [
            "near": place.description, "radius": Int(exactly: radius.count.rounded()).map { String($0) },
            "modes": modes.isEmpty ? nil : modes.joined(separator: ","), "limit": "\(limit)",
        ]
        return try await request("GET", Self.target("/v1/stops", parameters))
    }

    public func stops(
        in box: BoundingBox, near place: Coordinates?, limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> StopsInBox {
        let parameters = ["box": box.description, "near": place?.description, "limit": "\(limit)"]
        return try await request("GET", Self.target("/v1/stops", parameters))
    }

    public func map(_ request: MapRequest) async throws(ServiceError) -> String {
        let parameters: [String: String?] = [
            "near": request.centre.description, "scale": request.scale.rawValue, "size": request.size.description,
            "stop": request.stop?.description, "line": request.line.map { "\($0.feed):\($0.line)" },
        ]
        return String(decoding: try await send("GET", Self.target("/v1/map.svg", parameters)), as: UTF8.self)
    }

    public func stop(_ id: StopID, isOnline: Bool) async throws(ServiceError) -> StopDetail {
        try await request("GET", "/v1/stops/" + RequestTarget.encoded(id.description))
    }

    public func lines(of feed: FeedName?) async throws(ServiceError) -> [LineEntry] {
        try await request("GET", Self.target("/v1/lines", ["feed": feed?.description]))
    }

    public func route(of line: String, feed: FeedName) async throws(ServiceError) -> RouteEntry {
        try await request("GET", "/v1/lines/" + RequestTarget.encoded("\(feed):\(line)"))
    }

    public func directory() async throws(ServiceError) -> [DirectoryState] {
        try await request("GET", "/v1/directory")
    }

    public func updateDirectory(_ feed: FeedName?) async throws(ServiceError) -> [DirectoryState] {
        try await request("POST", Self.target("/v1/directory/update", ["feed": feed?.description]))
    }

    public func favourites() async throws(ServiceError) -> [FavouriteItem] {
        try await request("GET", "/v1/favourites")
    }

    public func addFavourite(
        _ favourite: Favourite, at position: Int?
    ) async throws(ServiceError) -> FavouriteItem {
        try await request("POST", "/v1/favourites", body: json(NewFavourite(favourite, at: position)))
    }

    public func changeFavourite(
        _ stop: StopID, _ change: FavouriteChange
    ) async throws(ServiceError) -> FavouriteItem {
        try await request("PATCH", Self.favourite(stop), body: json(change))
    }

    public func removeFavourite(_ stop: StopID) async throws(ServiceError) {
        try await send("DELETE", Self.favourite(stop))
    }

    public func undoFavourites() async throws(ServiceError) -> [FavouriteItem] {
        try await request("POST", "/v1/favourites/undo")
    }

    public func favouriteChanges() async throws(ServiceError) -> [SharedFavouriteChange] {
        try await request("GET", "/v1/favourites/changes")
    }

    public func revertFavourite(_ stop: StopID) async throws(ServiceError) -> [FavouriteItem] {
        try await request("POST", Self.favourite(stop) + "/revert")
    }
}

extension RemoteBoardService: PageDevices {
    public func startPairing(
        isLocal: Bool, from _: IPAddress?
    ) async throws(ServiceError) -> PairingStarted {
        try await request("POST", "/v1/pairings", body: Array("{}".utf8))
    }

    public func pairing(_ id: String, from _: IPAddress?) async throws(ServiceError) -> PairingStarted {
        try await request("GET", "/v1/pairings/" + RequestTarget.encoded(id))
    }

    public func finishPairing(
        _ id: String, code: String, name: String, from _: IPAddress?
    ) async throws(ServiceError) -> PairingToken {
        let target = "/v1/pairings/" + RequestTarget.encoded(id)
        return try await request("POST", target, body: json(PairingCode(code: code, name: name)))
    }

    public func devices() async throws(ServiceError) -> [PairedDevice] {
        try await request("GET", "/v1/devices")
    }

    public func removeDevice(named name: String) async throws(ServiceError) {
        try await send("DELETE", "/v1/devices/" + RequestTarget.encoded(name))
    }
}

extension RemoteBoardService: FleetManagement {
    public func fleet() async throws(ServiceError) -> FleetReport { try await request("GET", "/v1/fleet") }

    public func forgetBoard(_ name: FleetName) async throws(ServiceError) {
        try await send("DELETE", "/v1/fleet/boards/\(name)")
    }

    public func joinList(_ choice: FleetJoin) async throws(ServiceError) -> FleetReport {
        try await request("POST", "/v1/fleet/list", body: json(FleetJoinRequest(choice)))
    }
}

// MARK: - Requests

extension RemoteBoardService {
    private static func favourite(_ stop: StopID) -> String {
        "/v1/favourites/" + RequestTarget.encoded(stop.description)
    }

    private static func target(_ path: String, _ parameters: [String: String?]) -> String {
        let written = parameters.compactMap { name, value in
            value.map { "\(name)=\(RequestTarget.encoded($0))" }
        }
        return written.isEmpty ? path : path + "?" + written.sorted().joined(separator: "&")
    }

    /// Sends a request and decodes the response.
    private func request<Response: Decodable>(
        _ method: String, _ target: String, body: [UInt8]? = nil, for type: Response.Type = Response.self
    ) async throws(ServiceError) -> Response {
        let response = try await send(method, target, body: body)
        do {
            return try JSONDecoder().decode(type, from: Data(response))
        } catch {
            throw .unexpectedResponse("\(method) \(target)")
        }
    }

    /// Sends a request; returns the body of the response.
    @discardableResult
    private func send(
        _ method: String, _ target: String, body: [UInt8]? = nil
    ) async throws(ServiceError) -> [UInt8] {
        let call = ControlCall(path: path, method: method, target: target, body: body, timeout: timeout)
        let response = try await call.run()
        guard response.status >= 300 || response.status < 200 else { return response.body }
        let decoded = try? JSONDecoder().decode(ErrorResponse.self, from: Data(response.body))
        throw decoded?.error ?? .unexpectedResponse("status \(response.status) of \(method) \(target)")
    }

    private func json(_ value: some Encodable) throws(ServiceError) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(value))
        } catch {
            throw .unexpectedResponse("a request that cannot be written as JSON")
        }
    }
}

// MARK: - Errors of a connection

extension ServiceError {
    /// The error for a failed connect(2).
    static func connecting(to path: String, code: Int32) -> ServiceError {
        switch code {
        case ENOENT, ECONNREFUSED, ENOTDIR:
            ServiceError(
                .noDaemon, "boardd is not running: no server at \(path). Start it: sudo systemctl start boardd")
        case EACCES, EPERM:
            ServiceError(
                .noAccess,
                "\(path): permission denied. Join group \(ControlServer.defaultGroup): "
                    + "sudo usermod -aG \(ControlServer.defaultGroup) $USER, then log in again; or use sudo")
        default: .connectionLost(code: code)
        }
    }

    /// - Parameter code: the `errno`; 0 if the system reports none.
    static func connectionLost(code: Int32) -> ServiceError {
        ServiceError(
            .connectionLost,
            "the connection to the running boardd was lost"
                + (code == 0 ? "" : " (\(errnoText(code)))") + "; see journalctl -u boardd")
    }

    static func timedOut(after timeout: Duration) -> ServiceError {
        ServiceError(
            .timedOut, "the running boardd did not respond within \(timeout); see journalctl -u boardd")
    }

    static func unexpectedResponse(_ detail: String) -> ServiceError {
        ServiceError(
            .unexpectedResponse,
            "unexpected response from the running boardd (\(detail)). After an upgrade: "
                + "sudo systemctl restart boardd")
    }
}
