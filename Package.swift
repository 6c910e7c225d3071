// swift-tools-version: 6.2
import PackageDescription

// Swift 6 mode, memory-unsafe constructs marked.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "boardd",
    products: [
        .executable(name: "boardd", targets: ["boardd"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    ],
    targets: [
        // The pure core: no clock, no file, no socket, no task, no operator.
        .target(name: "BoardCore", resources: [.embedInCode("Words")], swiftSettings: strict),

        // The machine: files, locks, sockets, streams, clocks, and threads for blocking calls.
        .target(
            name: "BoardIO",
            dependencies: [
                "BoardCore", "CLinux", "CCrypto",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),

        // Displays and buttons, real and simulated, with their wiring and fonts.
        .target(
            name: "BoardDisplays", dependencies: ["BoardCore", "BoardIO", "CI2C", "CGPIO"], swiftSettings: strict),
        // The formats of responses, the rules that all feeds share, and one folder an operator.
        .target(
            name: "BoardFeeds", dependencies: ["BoardCore", "BoardIO", "CCurl", "CExpat", "CZip"],
            swiftSettings: strict),
        // Configuration, favourites, the stop directory, the snapshot.
        .target(
            name: "BoardStore",
            dependencies: ["BoardCore", "BoardIO", "BoardDisplays", "CSQLite", "CTOML"], swiftSettings: strict),
        // All requests to a board: the protocol of its interfaces, and its local implementation.
        .target(
            name: "BoardService",
            dependencies: ["BoardCore", "BoardFeeds", "BoardStore", "BoardIO"], swiftSettings: strict),
        // The HTTP server of the control socket and of the page, the page's access and files, and the client.
        .target(
            name: "BoardControl",
            dependencies: [
                "BoardService", "BoardStore", "BoardFeeds", "BoardCore", "BoardIO", "CCrypto", "CQREncode", "CZlib",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),

        // Several boards on an MQTT broker: shared responses and favourites, and Home Assistant.
        .target(
            name: "BoardFleet",
            dependencies: ["BoardService", "BoardStore", "BoardCore", "BoardIO", "CLinux", "CMosquitto"],
            swiftSettings: strict),

        // C libraries of the system, with shims for Swift's importer.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CI2C", providers: [.apt(["libi2c-dev"])]),
        .systemLibrary(name: "CLinux"),
        .target(name: "CStart"),
        .target(name: "CGPIO", linkerSettings: [.linkedLibrary("gpiod")]),
        // Without its assertions toml11 throws for every faulty text; it must not abort.
        .target(name: "CTOML", cxxSettings: [.define("NDEBUG")]),

        // The program.
        .executableTarget(
            name: "boardd",
            dependencies: [
                "BoardCore", "BoardIO", "BoardDisplays", "BoardFeeds", "BoardStore", "BoardService", "BoardControl",
                "BoardFleet", "CLinux", "CStart",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),

        // The measurements of `make bench` that run in one process.
        .executableTarget(
            name: "boardd-bench",
            dependencies: ["BoardCore", "BoardFeeds", "BoardStore"],
            path: "Benchmarks/boardd-bench", swiftSettings: strict),

        .testTarget(name: "BoardCoreTests", dependencies: ["BoardCore", "Waiting"], swiftSettings: strict),
        // An HTTP server on loopback for tests.
        .target(
            name: "LoopbackServer", dependencies: ["BoardIO"], path: "Tests/LoopbackServer", swiftSettings: strict),

        // A GTFS operator, zips, and operators' real recordings, for tests.
        .target(
            name: "TestOperators", dependencies: ["LoopbackServer"], path: "Tests/TestOperators", swiftSettings: strict),

        // A model of an HD44780 behind a PCF8574, from the data sheets: what a panel would show for the driver's bytes.
        .target(
            name: "PanelModel", dependencies: ["BoardDisplays", "BoardCore"], path: "Tests/PanelModel",
            swiftSettings: strict),

        // A clock that tests advance, a terminal on which they type, and limits of waits that only end hangs.
        .target(name: "Waiting", dependencies: ["BoardCore"], path: "Tests/Waiting", swiftSettings: strict),

        // The messages of GTFS-Realtime for SwiftProtobuf, the independent reader in the tests.
        .target(
            name: "TransitRealtime", dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")],
            path: "Tests/TransitRealtime", swiftSettings: strict),

        .testTarget(
            name: "BoardIOTests", dependencies: ["BoardIO", "BoardCore", "Waiting"], swiftSettings: strict),
        .testTarget(
            name: "BoardFeedsTests",
            dependencies: [
                "BoardFeeds", "BoardDisplays", "BoardCore", "BoardIO", "LoopbackServer", "TestOperators", "Waiting",
                "TransitRealtime",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            exclude: ["Fixtures"], swiftSettings: strict),
        // Records the order of writes, syncs and renames.
        .target(name: "FileCalls", path: "Tests/FileCalls"),
        .testTarget(
            name: "BoardStoreTests",
            dependencies: ["BoardStore", "BoardDisplays", "BoardCore", "BoardIO", "FileCalls", "Waiting"],
            swiftSettings: strict),
        // The shims for both versions of libgpiod, each with a model of its library.
        .target(
            name: "GPIOShim1", dependencies: ["CGPIO"], path: "Tests/GPIOShims/Version1",
            cSettings: [.headerSearchPath("fake")]),
        .target(
            name: "GPIOShim2", dependencies: ["CGPIO"], path: "Tests/GPIOShims/Version2",
            cSettings: [.headerSearchPath("fake")]),
        .testTarget(
            name: "BoardDisplaysTests",
            dependencies: [
                "BoardDisplays", "PanelModel", "BoardCore", "BoardIO", "GPIOShim1", "GPIOShim2", "CI2C", "Waiting",
            ],
            swiftSettings: strict),
        // A control socket in its own process, for tests that would harm the test process.
        .executableTarget(
            name: "control-probe",
            dependencies: [
                "BoardControl", "BoardService", "BoardCore", .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "Tests/ControlProbe",
            swiftSettings: strict),
        // A board with fixed responses and a client that sends any bytes, for tests of servers.
        .target(
            name: "ServerTesting", dependencies: ["BoardService", "BoardStore", "BoardCore", "BoardIO", "Waiting"],
            path: "Tests/ServerTesting",
            swiftSettings: strict),
        .testTarget(
            name: "BoardControlTests",
            dependencies: [
                "ServerTesting", "BoardControl", "BoardService", "BoardStore", "BoardCore", "BoardIO", "control-probe",
                "Waiting",
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "BoardFleetTests",
            dependencies: [
                "BoardFleet", "BoardService", "BoardStore", "BoardCore", "BoardIO", "CLinux", "ServerTesting",
                "Waiting",
            ],
            exclude: ["HomeAssistant/Golden"],
            swiftSettings: strict),
        .testTarget(
            name: "boarddTests",
            dependencies: [
                "boardd", "BoardCore", "BoardIO", "BoardDisplays", "BoardFeeds", "BoardStore", "BoardService",
                "BoardControl", "BoardFleet", "LoopbackServer", "PanelModel", "ServerTesting", "TestOperators",
                "TransitRealtime", "Waiting",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            exclude: [
                "Gallery/gallery.txt", "Gallery/gallery-languages.txt", "Gallery/oled.svg", "Gallery/led.svg",
                "Map/Gallery",
            ],
            swiftSettings: strict),
    ],
    cxxLanguageStandard: .cxx17
)

// `make t`, Scripts/arm64 and Scripts/sanitize name the tests that they run: what only the others need is not compiled.
if let tests = Context.environment["BOARDD_TESTS"]?.split(separator: " ") {
    package.targets.removeAll { $0.type == .test && !tests.contains($0.name[...]) }
}
