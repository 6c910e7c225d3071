import BoardCore
import BoardFeeds
import FoundationEssentials
import TestOperators
import Testing
import Waiting

/// The real recordings of National Rail's two services, and a board that receives one of them.
enum RecordedRail {
    /// The polled station, whichever the recording is of.
    private static let stop = StopID(feed: NationalRailFeed.name, code: "AMB")

    /// The keys of one of the two services.
    enum Service: CaseIterable, Sendable {
        case marketplace, darwin

        var key: (name: String, value: String) {
            switch self {
            case .marketplace: ("RDM_BOARD_KEY", String(repeating: "aB3", count: 16))
            case .darwin: ("DARWIN_TOKEN", "0a1b2c3d-1111-2222-3333-0123456789ab")
            }
        }
    }

    /// Every file of both services, by its path below the folder; none where there are no recordings.
    static func files() -> [String] {
        ["darwin", "rdm"].flatMap { name -> [String] in
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: Recordings.folder + "/" + name)) ?? []
            return paths.filter { $0.contains(".") }.map { "\(name)/\($0)" }
        }.sorted()
    }

    /// The feed with one service's key, with one recording as the response to every request.
    static func feed(_ service: Service, status: Int = 200, _ body: [UInt8]) throws -> NationalRailFeed {
        var settings = FeedSettings(defaultsOf: NationalRailFeed.declaration)
        settings.setSecret(service.key.name, to: Secret(service.key.value))
        let zone = try zone()
        return try NationalRailFeed(
            FeedContext(
                settings: settings, transport: FixedResponses(status: status) { _ in body }, clock: VirtualClock()
            ) { _ in zone })
    }

    /// The zone of all stations.
    private static func zone() throws -> Zone { try Zone(posix: "GMT0BST,M3.5.0/1,M10.5.0") }

    /// A board that receives one recording.
    static func screen(_ service: Service, status: Int = 200, _ body: [UInt8]) throws -> FeedScreen {
        FeedScreen(try feed(service, status: status, body), stop: stop, at: made(body), zone: try zone())
    }

    /// The time in a recording; noon of some day where there is none.
    static func made(_ body: [UInt8]) -> Timestamp {
        let text = String(decoding: body, as: UTF8.self)
        let after = text.firstRange(of: "generatedAt").map { text[$0.upperBound...] } ?? ""
        let moments = after.split { "<>\"".contains($0) }.prefix(8).lazy.compactMap { Timestamp(rfc3339: $0) }
        return moments.first ?? Timestamp(seconds: 1_772_453_040)
    }
}
