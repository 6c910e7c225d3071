import BoardCore
import FoundationEssentials
import Glibc
import TestOperators
import Testing
import Waiting

@testable import boardd

/// Commands of root on files that the daemon's user put in place of its own.
@Suite("Files that another user made, as processes", .endsHangs)
struct ForeignFilesTests {
    /// A user who is not root.
    private static let stranger: uid_t = 65_534
    private static let secret = "root-only-text"

    /// Makes a link as another user.
    private func link(_ path: String, to target: String) throws {
        unsafe unlink(path)
        try #require(unsafe symlink(target, path) == 0 && lchown(path, Self.stranger, Self.stranger) == 0)
    }

    @Test(
        "root prints nothing of a file behind another user's link",
        arguments: ["favourites.toml", "boardd.toml", "keys.env"])
    func files(name: String) async throws {
        guard geteuid() == 0 else { return print("skipped: only root can make another user's link") }
        let board = try InstalledBoard()
        try board.folder.write("\(Self.secret) = 1\n[[\(Self.secret)]]\n", to: "secret")
        try link("\(board.path)/etc/\(name)", to: "\(board.path)/secret")
        for arguments in [["report"], ["check"], ["favourites"], ["departures", "tfl:1"], ["run", "--frames", "1"]] {
            let command = try await board.run(arguments)
            #expect(!(command.output + command.errors).contains(Self.secret), "\(arguments)")
            guard arguments != ["favourites"] || name == "favourites.toml" else { continue }
            #expect(
                (command.output + command.errors).contains(
                    "\(board.path)/etc/\(name) is a symbolic link owned by another user and is not followed"),
                "\(arguments): \(command)")
            #expect(command.status == ["report": 0, "check": 2, "favourites": 78][arguments[0], default: 78])
        }
    }

    @Test("root reads no folder behind another user's link")
    func folder() async throws {
        guard geteuid() == 0 else { return print("skipped: only root can make another user's link") }
        let board = try InstalledBoard()
        try FileManager.default.createDirectory(atPath: "\(board.path)/secrets", withIntermediateDirectories: false)
        try board.folder.write("[\(Self.secret)]\n", to: "secrets/\(Self.secret).toml")
        try link("\(board.path)/etc/feeds.d", to: "../secrets")
        for command in ["report", "check"] {
            let run = try await board.run(command)
            #expect(!(run.output + run.errors).contains(Self.secret), "\(run)")
            #expect(run.output.contains("/etc/feeds.d is a symbolic link owned by another user"), "\(run)")
        }
    }

    @Test("root reads no stop directory behind another user's link, and copies none")
    func stops() async throws {
        guard geteuid() == 0 else { return print("skipped: only root can make another user's link") }
        let board = try InstalledBoard()
        try board.makeDirectory()
        let file = "stops-tfl.sqlite"
        try #require(unsafe rename("\(board.path)/st/\(file)", "\(board.path)/secret") == 0)
        try link("\(board.path)/st/\(file)", to: "../secret")
        try #require(unsafe chown("\(board.path)/st", Self.stranger, Self.stranger) == 0)
        for arguments in [["stops", "search", "High"], ["stops", "show", "tfl:490000001A"], ["report"]] {
            let run = try await board.run(arguments)
            #expect(!run.output.contains("High Street") && !run.output.contains("4 stops"), "\(run)")
        }
        try #require(unsafe rename("\(board.path)/st", "\(board.path)/real") == 0)
        unsafe unlink("\(board.path)/real/\(file)")
        try #require(unsafe rename("\(board.path)/secret", "\(board.path)/real/\(file)") == 0)
        #expect(unsafe symlink("real", "\(board.path)/st") == 0)
        let search = try await board.run("stops", "search", "High")
        #expect(search.output.contains("High Street"), "root's own link to the folder: \(search)")
    }

    @Test("root replays no recording behind another user's link")
    func recording() async throws {
        guard geteuid() == 0 else { return print("skipped: only root can make another user's link") }
        let folder = try TemporaryFolder(["secret": "\(Self.secret)\n\n"])
        try FileManager.default.createDirectory(atPath: "\(folder.path)/rec", withIntermediateDirectories: false)
        try link("\(folder.path)/rec/00001.http", to: "../secret")
        let result = try await run(
            "departures", "tfl:490008660N", "--config", Checkout.demo, "--replay", "\(folder.path)/rec")
        #expect(result.status == ExitStatus.noInput)
        #expect(!result.errors.contains(Self.secret), "\(result.errors)")
        #expect(result.errors.contains("a symbolic link owned by another user"), "\(result.errors)")
    }

    @Test(
        "a pipe in place of a file is a fault, and does not block",
        arguments: ["favourites.toml", "boardd.toml", "keys.env", "feeds.d/town.toml"])
    func pipe(name: String) async throws {
        let board = try InstalledBoard()
        try FileManager.default.createDirectory(atPath: "\(board.path)/etc/feeds.d", withIntermediateDirectories: false)
        let path = "\(board.path)/etc/\(name)"
        unsafe unlink(path)
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let check = try await board.run("check")
        #expect(check.status == 2, "\(check)")
        #expect(
            check.output.contains("\(path): cannot be read: it is a named pipe: replace it with a regular file"),
            "\(check)")
        #expect(try await board.run("report").output.contains("it is a named pipe"))
    }

    @Test("hidden files and those that editors and package managers leave in feeds.d are skipped")
    func leftovers() async throws {
        let board = try InstalledBoard()
        let folder = "\(board.path)/etc/feeds.d"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for name in [
            ".town.toml", ".#town.toml", "#town.toml#", "#town.toml", "town.toml~", ".town.toml.swp", "town.toml.swp",
            "town.toml.dpkg-new", "town.toml.dpkg-old", "town.toml.bak",
        ] {
            try board.folder.write("this is [ no TOML", to: "etc/feeds.d/\(name)")
        }
        // Emacs locks a file with a link that leads nowhere.
        try #require(unsafe symlink("user@host.1234:1", "\(folder)/.#other.toml") == 0)
        let good = try await board.run("check")
        #expect(good.status == 0, "\(good)")
        try board.folder.write("[fed]\n", to: "etc/feeds.d/town.toml")
        #expect(try await board.run("check").output.hasPrefix("\(folder)/town.toml:1:"))
    }
}
