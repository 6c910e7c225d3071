import BoardControl
import BoardCore
import BoardService
import Dispatch
import Glibc

/// A control socket in a separate process, for tests that would harm the test process.
@main
enum Probe {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.dropFirst().first) {
        case ("serve", let path?): await serve(path, descriptors: arguments.dropFirst(2).first.flatMap { rlim_t($0) })
        case ("request", let path?): await request(path)
        case ("end", let path?): await end(path)
        default: printLine("control-probe serve PATH [DESCRIPTORS] | request PATH | end PATH")
        }
    }

    /// Serves until it is killed, with a limit on descriptors.
    private static func serve(_ path: String, descriptors: rlim_t?) async {
        if let descriptors {
            // Dispatch ends the program where it gets no descriptor for its main queue, which it opens at the first use.
            DispatchQueue.main.async {}
            var limit = rlimit(rlim_cur: descriptors, rlim_max: descriptors)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let server = ControlServer([.control(path: path, group: "", router: Router(board: EmptyBoard()))]) {
            printLine($0.description)
        }
        do {
            try await server.run()
        } catch {
            printLine("\(error)")
        }
    }

    /// Serves until twelve actions are running, and ends them after their connections.
    private static func end(_ path: String) async {
        let requests = SlowRequests()
        let board = EmptyBoard(requests)
        var limits = ControlLimits()
        limits.shutdown = .milliseconds(50)
        let server = ControlServer([.control(path: path, group: "", limits: limits, router: Router(board: board))]) {
            printLine($0.description)
        }
        let serving = Task { try await server.run() }
        await requests.areWaiting(12)
        server.shutDown()
        await requests.areCancelled(12)
        requests.resume()
        _ = await serving.result
        printLine("every action is over")
    }

    private static func request(_ path: String) async {
        do {
            printLine("\(try await RemoteBoardService(path: path).favourites().count) favourites")
        } catch {
            printLine(error.description)
        }
    }

    private static func printLine(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = unsafe write(1, bytes, bytes.count)
    }
}

/// A board without content.
struct EmptyBoard: RunningBoard, StopService {
    private let nothing = ServiceError(.unavailable, "there is nothing here")
    private let requests: SlowRequests?
    let clock: any MachineClock = StoppedClock(Timestamp(seconds: 0))

    /// - Parameter requests: where those for the favourites wait; nil: they do not.
    init(_ requests: SlowRequests? = nil) { self.requests = requests }

    var stops: any StopService { self }
    func state() async throws(ServiceError) -> BoardState { throw nothing }
    func live() async throws(ServiceError) -> LiveState { throw nothing }
    func displayDrawing() async throws(ServiceError) -> String { throw nothing }
    func changes() -> AsyncStream<UInt64> { AsyncStream { $0.finish() } }
    func look(at stop: StopID) async throws(ServiceError) -> StopReport { throw nothing }
    func undoFavourites() async throws(ServiceError) -> [FavouriteItem] { [] }
    func favouriteChanges() async throws(ServiceError) -> [SharedFavouriteChange] { [] }
    func revertFavourite(_ stop: StopID) async throws(ServiceError) -> [FavouriteItem] { [] }
    func departures(of stop: StopID, sorted order: SortOrder) async throws(ServiceError) -> StopReport {
        throw nothing
    }
    func press(_ gesture: Gesture, button: ButtonID) async throws(ServiceError) {}
    func refresh() async throws(ServiceError) {}
    func show(page: String) async throws(ServiceError) {}
    func setLight(_ mode: LightMode) async throws(ServiceError) {}
    func show(_ message: BoardMessage) async throws(ServiceError) {}
    func reload() async throws(ServiceError) {}
    func stops(matching text: String, limit: Int, isOnline: Bool) async throws(ServiceError) -> [StopEntry] { [] }
    func stops(
        near place: Coordinates, within radius: Metres, modes: [String], limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> [StopEntry] { [] }
    func stops(
        in box: BoundingBox, near place: Coordinates?, limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> StopsInBox { throw nothing }
    func map(_ request: MapRequest) async throws(ServiceError) -> String { throw nothing }
    func stop(_ id: StopID, isOnline: Bool) async throws(ServiceError) -> StopDetail { throw nothing }
    func lines(of feed: FeedName?) async throws(ServiceError) -> [LineEntry] { [] }
    func route(of line: String, feed: FeedName) async throws(ServiceError) -> RouteEntry { throw nothing }
    func directory() async throws(ServiceError) -> [DirectoryState] { [] }
    func updateDirectory(_ feed: FeedName?) async throws(ServiceError) -> [DirectoryState] { [] }
    func favourites() async throws(ServiceError) -> [FavouriteItem] {
        await requests?.wait()
        return []
    }
    func addFavourite(_ favourite: Favourite, at position: Int?) async throws(ServiceError) -> FavouriteItem {
        throw nothing
    }
    func changeFavourite(_ stop: StopID, _ change: FavouriteChange) async throws(ServiceError) -> FavouriteItem {
        throw nothing
    }
    func removeFavourite(_ stop: StopID) async throws(ServiceError) { throw nothing }
}
