import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import BoardStore
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("A display that a board found by itself", .endsHangs)
struct FoundDisplayTests {
    private static let oled = DisplayWiring(
        driver: .ssd1306, panel: Panel(size: DisplaySize(columns: 20, rows: 8)), bus: .path("/dev/i2c-1"),
        address: .fixed(0x3C), origin: .found)

    /// The reloading of a board in a folder of its own.
    private final class Rig: Sendable {
        let folder: TemporaryFolder
        let found = Locked<DisplayWiring?>(nil)
        let reloading: ReloadService
        private let received = Received()

        init(_ text: String) throws {
            folder = try TemporaryFolder(["boardd.toml": text, "favourites.toml": ""])
            var option = ConfigurationOption()
            option.file = "\(folder.path)/boardd.toml"
            let clock = SystemClock()
            let log = CapturedLog()
            let devices = DeviceFactory(displayTarget: .hardware, frameLog: nil, zone: .utc, end: {}, lost: { _ in })
            let feedFactory = try FeedFactory(
                source: .live(record: nil), clock: clock, folder: folder.path, runtimeFolder: folder.path)
            let configuration = try option.load()
            let received = received
            reloading = ReloadService(
                current: ActiveConfiguration(
                    configuration: configuration, feeds: try feedFactory.feeds(configuration),
                    favourites: FavouriteResolution([], in: StopDirectory(folder: folder.path))),
                requests: BufferedSignal(), option: option,
                services: .init(
                    devices: devices, feedFactory: feedFactory, directory: StopDirectory(folder: folder.path),
                    display: try DisplayService({ fatalError() }, clock: clock, log: log.rateLimited()),
                    polls: PollService(feeds: [:], log: log.rateLimited()) { _ in },
                    buttons: ButtonService(devices.buttons([]), log: log.rateLimited(), clock: clock) { _ in },
                    fleet: nil, found: found, report: { received.add($0) }),
                log: ConfigurationLog(log.logger()), threshold: LogThreshold(.info))
        }

        /// The sizes for which the board was set up, in order.
        var sizes: [DisplaySize] { received.sizes }
        var display: DisplayWiring { reloading.current.configuration.display }
    }

    private final class Received: Sendable {
        private let events = Mutex<[Board.Event]>([])

        func add(_ event: Board.Event) { events.withLock { $0.append(event) } }

        var sizes: [DisplaySize] {
            events.withLock { events in
                events.compactMap { if case .configured(let setup) = $0 { setup.size } else { nil } }
            }
        }
    }

    @Test("the board's pages get its size, and later reloads keep it")
    func kept() async throws {
        let rig = try Rig("")
        #expect(rig.display.origin == .searched)
        rig.found.value = Self.oled
        try await rig.reloading.reload()
        #expect(rig.display == Self.oled)
        try rig.folder.write("[pages]\nscreens = 3\n", to: "boardd.toml")
        try await rig.reloading.reload()
        #expect(rig.display == Self.oled && rig.reloading.current.configuration.board.screens == 3)
        #expect(Set(rig.sizes) == [Self.oled.panel.size])
    }

    @Test("it is used beside a faulty file, too")
    func faulty() async throws {
        let rig = try Rig("")
        try rig.folder.write("[pages", to: "boardd.toml")
        rig.found.value = Self.oled
        await #expect(throws: ServiceError.self) { try await rig.reloading.reload() }
        #expect(rig.display == Self.oled && rig.sizes == [Self.oled.panel.size])
    }

    @Test("a size that is configured holds, then and later")
    func configured() async throws {
        let rig = try Rig("[display]\nsize = \"20x4\"\n")
        rig.found.value = Self.oled
        try await rig.reloading.reload()
        #expect(rig.display == DisplayWiring())
        let other = try Rig("")
        other.found.value = Self.oled
        try await other.reloading.reload()
        try other.folder.write("[display]\nsize = \"16x4\"\n", to: "boardd.toml")
        try await other.reloading.reload()
        #expect(other.display == DisplayWiring(panel: Panel(size: DisplaySize(columns: 16, rows: 4))))
        try other.folder.write("", to: "boardd.toml")
        try await other.reloading.reload()
        #expect(other.display == DisplayWiring(origin: .searched))
    }

    @Test("the display goes on when it is found; only [display] replaces it")
    func replaced() {
        let devices = DeviceFactory(displayTarget: .hardware, frameLog: nil, zone: .utc, end: {}, lost: { _ in })
        func configuration(_ display: DisplayWiring) -> Configuration {
            var configuration = Configuration()
            configuration.display = display
            return configuration
        }
        let (searched, found) = (configuration(DisplayWiring(origin: .searched)), configuration(Self.oled))
        let configured = configuration(DisplayWiring())
        #expect(!devices.needsDisplay(found, after: searched))
        #expect(devices.needsDisplay(configured, after: found))
        #expect(devices.needsDisplay(searched, after: configured))
    }
}
