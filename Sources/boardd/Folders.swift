import BoardIO
import FoundationEssentials
import Glibc

/// The folders that systemd makes for the daemon; without its variables, their usual paths.
struct Folders: Sendable {
    /// Of the service.
    static let usualRuntime = "/run/boardd"

    /// Survives a restart of the program but not of the machine (a tmpfs): the snapshot and the control socket.
    let runtime: String
    /// Survives both: the stop directory.
    let state: String
    /// The user's files: boardd.toml, favourites.toml and keys.env.
    let configuration: String
    /// The files that come with the program: the list of cities, the demo and the page.
    let share: String

    /// Reads RUNTIME_DIRECTORY, STATE_DIRECTORY and CONFIGURATION_DIRECTORY (systemd.exec(5)), the first folder of a
    /// list; and BOARDD_SHARE, which is etc in a checkout.
    ///
    /// - Parameter state: the state folder; nil: that of the environment.
    init(environment: [String: String], state: String? = nil) {
        runtime = Self.first(environment["RUNTIME_DIRECTORY"]) ?? Self.usualRuntime
        self.state = state ?? Self.first(environment["STATE_DIRECTORY"]) ?? "/var/lib/boardd"
        configuration = Self.first(environment["CONFIGURATION_DIRECTORY"]) ?? "/etc/boardd"
        share = Self.first(environment["BOARDD_SHARE"]) ?? "/usr/share/boardd"
    }

    var controlSocket: String { runtime + "/control.sock" }

    static func isWritable(_ folder: String) -> Bool {
        writeError(to: folder) == nil
    }

    /// Why this process may not make files in a folder; nil: it may.
    static func writeError(to folder: String) -> String? {
        unsafe access("\(folder)/.", W_OK | X_OK) == 0 ? nil : errnoText(errno)
    }

    private static func first(_ list: String?) -> String? {
        list?.split(separator: ":").first.map(String.init)
    }
}

enum Environment {
    static var current: [String: String] { ProcessInfo.processInfo.environment }
}
