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
    private let path: String
    private let timeout: Duration

    /// - Parameters:
    ///   - path: the path of the socket.
    ///   - timeout: the maximum wait for a response.
    public init(path: String, timeout: Duration = .seconds(10)) {
        self.path = path
        self.timeout = timeout
    }

    public func state() async throws(ServiceError) -> BoardState { try await call(API.state) }

    public func live() async throws(ServiceError) -> LiveState { try await call(API.live) }

    public func look(at stop: StopID) async throws(ServiceError) -> StopReport {
        try await call(API.look, stop.description)
    }

    public func departures(
        of stop: StopID, sorted order: BoardCore.SortOrder
    ) async throws(ServiceError) -> StopReport {
        try await call(API.departures, stop.description, query: ["sort": order.rawValue])
    }

    public func press(_ gesture: Gesture, button: ButtonID) async throws(ServiceError) {
        try await call(API.press, body: PressRequest(gesture, button: button))
    }

    public func refresh() async throws(ServiceError) { try await call(API.refresh) }

    public func show(page: String) async throws(ServiceError) { try await call(API.show, body: ShowRequest(page)) }

    public func setLight(_ mode: LightMode) async throws(ServiceError) {
        try await call(API.light, body: LightRequest(mode))
    }

    public func show(_ message: BoardMessage) async throws(ServiceError) { try await call(API.message, body: message) }

    public func reload() async throws(ServiceError) { try await call(API.reload) }

    public func stops(matching text: String, limit: Int, isOnline: Bool) async throws(ServiceError) -> [StopEntry] {
        try await list(["query": text, "limit": "\(limit)"])
    }

    /// The radius is rounded to whole metres.
    public func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> [StopEntry] {
        try await list([
            "near": place.description, "radius": Int(exactly: radius.count.rounded()).map { String($0) },
            "modes": modes.isEmpty ? nil : modes.joined(separator: ","), "limit": "\(limit)",
        ])
    }

    private func list(_ query: [String: String?]) async throws(ServiceError) -> [StopEntry] {
        switch try await call(API.searchStops, query: query) {
        case .list(let stops): stops
        case .box: throw .unexpectedResponse("stops in a box")
        }
    }

    public func stops(
        in box: BoundingBox, near place: Coordinates?, limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> StopsInBox {
        let query = ["box": box.description, "near": place?.description, "limit": "\(limit)"]
        return switch try await call(API.searchStops, query: query) {
        case .box(let found): found
        case .list: throw .unexpectedResponse("a list of stops")
        }
    }

    public func map(_ request: MapRequest) async throws(ServiceError) -> String {
        let query: [String: String?] = [
            "near": request.centre.description, "scale": request.scale.rawValue, "size": request.size.description,
            "stop": request.stop?.description, "line": request.line.map { "\($0.feed):\($0.line)" },
        ]
        return String(decoding: try await send(API.map.operation, query: query), as: UTF8.self)
    }

    public func stop(_ id: StopID, isOnline: Bool) async throws(ServiceError) -> StopDetail {
        try await call(API.stop, id.description)
    }

    public func lines(of feed: FeedName?) async throws(ServiceError) -> [LineEntry] {
        try await call(API.lines, query: ["feed": feed?.description])
    }

    public func route(of line: String, feed: FeedName) async throws(ServiceError) -> RouteEntry {
        try await call(API.route, "\(feed):\(line)")
    }

    public func directory() async throws(ServiceError) -> [DirectoryState] { try await call(API.directory) }

    public func updateDirectory(_ feed: FeedName?) async throws(ServiceError) -> [DirectoryState] {
        try await call(API.updateDirectory, query: ["feed": feed?.description])
    }

    public func favourites() async throws(ServiceError) -> [FavouriteItem] { try await call(API.favourites) }

    public func addFavourite(_ favourite: Favourite, at position: Int?) async throws(ServiceError) -> FavouriteItem {
        try await call(API.addFavourite, body: NewFavourite(favourite, at: position))
    }

    public func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ServiceError) -> FavouriteItem {
        try await call(API.changeFavourite, stop.description, body: change)
    }

    public func removeFavourite(_ stop: StopID) async throws(ServiceError) {
        try await call(API.removeFavourite, stop.description)
    }

    public func undoFavourites() async throws(ServiceError) -> [FavouriteItem] { try await call(API.undoFavourites) }

    public func favouriteChanges() async throws(ServiceError) -> [SharedFavouriteChange] {
        try await call(API.favouriteChanges)
    }

    public func revertFavourite(_ stop: StopID) async throws(ServiceError) -> [FavouriteItem] {
        try await call(API.revertFavourite, stop.description)
    }
}

extension RemoteBoardService: PageDevices {
    public func startPairing(isLocal: Bool, from _: IPAddress?) async throws(ServiceError) -> PairingStarted {
        try await call(API.startPairing)
    }

    public func pairing(_ id: String, from _: IPAddress?) async throws(ServiceError) -> PairingStarted {
        try await call(API.getPairing, id)
    }

    public func finishPairing(
        _ id: String, code: String, name: String, isOwner _: Bool, device _: String?, from _: IPAddress?
    ) async throws(ServiceError) -> PairingToken {
        try await call(API.finishPairing, id, body: PairingCode(code: code, name: name))
    }

    public func devices() async throws(ServiceError) -> [PairedDevice] { try await call(API.devices) }

    public func removeDevice(named name: String) async throws(ServiceError) { try await call(API.removeDevice, name) }

    public func changeDevice(named name: String, isOwner: Bool) async throws(ServiceError) {
        _ = try await call(API.changeDevice, name, body: DeviceChange(isOwner: isOwner))
    }
}

extension RemoteBoardService: SetupManagement {
    public func setup() async throws(ServiceError) -> SetupState { try await call(API.setup) }
    public func openSetup() async throws(ServiceError) { try await call(API.openSetup) }
    public func closeSetup() async throws(ServiceError) { try await call(API.closeSetup) }

    public func places(_ text: String) async throws(ServiceError) -> [PlaceProposal] {
        try await call(API.places, query: ["query": text])
    }

    public func setTable(_ name: String, to tables: [[String: SettingValue]]) async throws(ServiceError) -> SetupState {
        tables.isEmpty
            ? try await call(API.removeTable, name)
            : try await call(API.setTable, name, body: SettingsTables(tables))
    }

    public func pressedButton() async throws(ServiceError) -> PressedButton { try await call(API.pressedButton) }
    public func backup() async throws(ServiceError) -> Backup { try await call(API.backup) }

    public func restore(_ backup: Backup) async throws(ServiceError) -> SetupState {
        try await call(API.restore, body: backup)
    }

    public func setKey(_ name: String, to value: String?) async throws(ServiceError) -> SetupState {
        guard let value else { return try await call(API.removeKey, name) }
        return try await call(API.setKey, name, body: KeyValue(value))
    }

}

extension RemoteBoardService: FleetManagement {
    public func fleet() async throws(ServiceError) -> FleetReport { try await call(API.fleet) }

    public func forgetBoard(_ name: FleetName) async throws(ServiceError) {
        try await call(API.forgetBoard, name.description)
    }

    public func joinList(_ choice: FleetJoin) async throws(ServiceError) -> FleetReport {
        try await call(API.joinList, body: FleetJoinRequest(choice))
    }
}

// MARK: - Requests

extension RemoteBoardService {
    /// - Parameter values: those of the path's `{…}` segments.
    @discardableResult
    private func call<Response: Decodable>(
        _ endpoint: Endpoint<Nothing, Response>, _ values: String..., query: [String: String?] = [:]
    ) async throws(ServiceError) -> Response {
        try decoded(try await send(endpoint.operation, values, query: query), endpoint.operation)
    }

    @discardableResult
    private func call<Body: Encodable, Response: Decodable>(
        _ endpoint: Endpoint<Body, Response>, _ values: String..., body: Body
    ) async throws(ServiceError) -> Response {
        let json: [UInt8]
        do {
            json = Array(try JSONEncoder().encode(body))
        } catch {
            throw .unexpectedResponse("a request that cannot be written as JSON")
        }
        return try decoded(try await send(endpoint.operation, values, body: json), endpoint.operation)
    }

    private func decoded<Response: Decodable>(
        _ body: [UInt8], _ operation: Operation
    ) throws(ServiceError) -> Response {
        if let nothing = Nothing() as? Response { return nothing }
        do {
            return try JSONDecoder().decode(Response.self, from: Data(body))
        } catch {
            throw .unexpectedResponse("\(operation.method) \(operation.template)")
        }
    }

    /// Sends a request; returns the body of the response.
    @discardableResult
    private func send(
        _ operation: Operation, _ values: [String] = [], query: [String: String?] = [:], body: [UInt8]? = nil
    ) async throws(ServiceError) -> [UInt8] {
        let target = operation.target(values, query)
        let call = ControlCall(path: path, method: operation.method, target: target, body: body, timeout: timeout)
        let response = try await call.run()
        guard response.status >= 300 || response.status < 200 else { return response.body }
        let decoded = try? JSONDecoder().decode(ErrorResponse.self, from: Data(response.body))
        throw decoded?.error ?? .unexpectedResponse("status \(response.status) of \(operation.method) \(target)")
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
        ServiceError(.timedOut, "the running boardd did not respond within \(timeout); see journalctl -u boardd")
    }

    static func unexpectedResponse(_ detail: String) -> ServiceError {
        ServiceError(
            .unexpectedResponse,
            "unexpected response from the running boardd (\(detail)). After an upgrade: "
                + "sudo systemctl restart boardd")
    }
}
