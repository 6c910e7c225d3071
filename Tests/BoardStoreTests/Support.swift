import BoardCore
import BoardStore
import FoundationEssentials
import Testing

/// Test feeds: "demo" with a table and two keys, the family "town", and "tfl" as it ships.
let declarations = FeedDeclarations(
    [
        FeedDeclaration(
            name: FeedName("demo"), title: "Demo Transit",
            settings: [
                SettingDeclaration("url", .url(default: "https://api.example.com"), "base URL of the API"),
                SettingDeclaration(
                    "interval", .duration(.seconds(10) ... .seconds(3600), default: .seconds(30)), "of polls"),
                SettingDeclaration("region", .text(default: "north"), "which part"),
            ],
            secrets: ["DEMO_APP_KEY", "DEMO_TOKEN"], takesTowards: true,
            check: { $0.allSatisfy(\.isNumber) ? nil : "must be digits, such as 4711" },
            secretWarning: {
                $1.revealed.hasPrefix("token-") && $0 == "DEMO_APP_KEY" ? "\($0) looks like a token" : nil
            }),
        FeedDeclaration(
            name: FeedName("tfl"), title: "TfL",
            settings: [
                SettingDeclaration("url", .url(default: "https://api.tfl.gov.uk"), "base URL of the API"),
                SettingDeclaration(
                    "interval", .duration(.seconds(30) ... .seconds(3600), default: .seconds(30)), "of polls"),
            ],
            secrets: ["TFL_APP_KEY"]),
    ], families: [FeedFamily("town", declare: town)])

/// The sentences that many tests of files share.
enum Sentence {
    static let oneLine = "but must be one line of text that is not empty"
    static let walk = "but must be a duration from 30s to 2h, such as \"30s\" or \"4m\", or a number of minutes"
}

/// A feed of a family: `[feed.town.NAME]`.
@Sendable private func town(_ name: FeedName) -> FeedDeclaration {
    FeedDeclaration(
        name: name, title: "Town",
        settings: [
            SettingDeclaration("region", .text(default: "all"), "which part"),
            SettingDeclaration("plan", .location, "timetable"), SettingDeclaration("live", .sources, "realtime feeds"),
        ],
        secrets: ["TOWN_\(name.description.dropFirst("town.".count).uppercased())_KEY"])
}

/// A folder of files, removed at the end of the test.
struct ConfigurationDirectory: ~Copyable {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        path = FileManager.default.temporaryDirectory.path + "/boardd-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(Array(text.utf8), to: name) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws {
        let file = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
    }

    func load(_ environment: [String: String] = [:]) throws -> Configuration {
        try ConfigurationLoader(declarations: declarations).load(.directory(path), environment: environment)
    }
}

/// The values of a board file and favourites.
func load(_ board: String, favourites: String = "", keys: String = "") throws -> Configuration {
    try ConfigurationDirectory(["boardd.toml": board, "favourites.toml": favourites, "keys.env": keys]).load()
}

/// The faults of files without the folder; empty where there are none.
func faults(_ board: String = "", favourites: String = "", keys: String = "") throws -> [String] {
    let directory = try ConfigurationDirectory(["boardd.toml": board, "favourites.toml": favourites, "keys.env": keys])
    do {
        _ = try directory.load()
        return []
    } catch let faults as ConfigurationError {
        return faults.faults.map { String($0.description.dropFirst(directory.path.count + 1)) }
    }
}
