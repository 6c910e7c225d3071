import FoundationEssentials
import Glibc
import Testing
import Waiting

@testable import BoardIO

/// A folder that is removed at the end of the test.
struct Folder: ~Copyable {
    let path: String
    /// A user who is neither root nor the one who runs the tests (`nobody`).
    static let otherUser: uid_t = 65_534

    init() throws {
        path = "/tmp/boardd-io-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    func link(_ name: String, to target: String, owner: uid_t? = nil) throws {
        try #require(unsafe symlink(target, "\(path)/\(name)") == 0)
        if let owner { try #require(unsafe lchown("\(path)/\(name)", owner, owner) == 0) }
    }

    func setOwner(_ name: String, to owner: uid_t) throws {
        try #require(unsafe lchown("\(path)/\(name)", owner, owner) == 0)
    }

    func text(_ name: String) throws(FileError) -> String {
        try SmallFile.read("\(path)/\(name)", limit: 1_000).text
    }

    /// Why a file cannot be read; nil where it can.
    func failure(_ name: String) -> FileError.Kind? {
        do throws(FileError) {
            _ = try text(name)
            return nil
        } catch {
            return error.kind
        }
    }
}

@Suite("Paths with links of other users", .endsHangs)
struct GuardedPathTests {
    @Test("own links are followed: chained, relative, absolute, and to folders of the path")
    func own() throws {
        let folder = try Folder()
        try folder.makeFolder("a/b")
        try folder.write("found", to: "a/b/file")
        try folder.link("a/relative", to: "b/file")
        try folder.link("a/b/up", to: "../relative")
        try folder.link("absolute", to: "\(folder.path)/a/b/up")
        try folder.link("way", to: "a/./b")
        for name in ["a/b/file", "a/relative", "a/b/up", "absolute", "way/file", "way/../relative", "a//b/./file"] {
            #expect(try folder.text(name) == "found", "\(name)")
        }
        let resolved = try GuardedPath.resolvedFolder("\(folder.path)/way")
        #expect(resolved == "\(folder.path)/a/b")
        #expect(try GuardedPath.resolvedFolder("/") == "/")
        try folder.link("root", to: "/")
        #expect(try GuardedPath.resolvedFolder("\(folder.path)/root") == "/")
        #expect(try GuardedPath.resolvedFolder(".") == ".")
    }

    @Test("circular links, a missing file, an empty path and a file as a folder are the system's errors")
    func none() throws {
        let folder = try Folder()
        try folder.link("one", to: "two")
        try folder.link("two", to: "one")
        try folder.link("dangling", to: "nowhere")
        try folder.write("", to: "file")
        #expect(folder.failure("one") == .system(ELOOP))
        try folder.link("link 1", to: "file")
        for number in 2...GuardedPath.maximumLinks + 1 { try folder.link("link \(number)", to: "link \(number - 1)") }
        #expect(folder.failure("link \(GuardedPath.maximumLinks)") == nil)
        #expect(folder.failure("link \(GuardedPath.maximumLinks + 1)") == .system(ELOOP))
        #expect(folder.failure("dangling") == .system(ENOENT))
        #expect(folder.failure("nowhere/file") == .system(ENOENT))
        #expect(folder.failure("file/file") == .system(ENOTDIR))
        #expect(throws: FileError(errno: ENOENT)) { try SmallFile.read("", limit: 1) }
        #expect(throws: FileError(errno: ENOTDIR)) { try SmallFile.names(in: "\(folder.path)/file") }
    }

    @Test("root follows no link of another user: neither to the file, nor to a folder, nor in that user's own folder")
    func foreign() throws {
        guard geteuid() == 0 else { return print("skipped: only root can make another user's link") }
        let folder = try Folder()
        try folder.makeFolder("secrets")
        try folder.makeFolder("theirs")
        try folder.setOwner("theirs", to: Folder.otherUser)
        try folder.write("secret", to: "secrets/file")
        try folder.link("file", to: "secrets/file", owner: Folder.otherUser)
        try folder.link("folder", to: "secrets", owner: Folder.otherUser)
        try folder.link("theirs/file", to: "../secrets/file", owner: Folder.otherUser)
        try folder.link("theirs/mine", to: "../secrets/file")
        for name in ["file", "folder/file", "theirs/file"] {
            let link = name == "folder/file" ? "folder" : name
            #expect(folder.failure(name) == .foreignLink("\(folder.path)/\(link)"), "\(name)")
        }
        #expect(throws: FileError.self) { try SmallFile.names(in: "\(folder.path)/folder") }
        #expect(throws: FileError.self) { try GuardedPath.resolvedFolder("\(folder.path)/folder") }
        #expect(try folder.text("theirs/mine") == "secret", "root's own link")
    }

    @Test("an ordinary user follows links of root and of the folder's owner, and no others")
    func ordinary() async throws {
        guard geteuid() == 0 else { return print("skipped: only root can become others") }
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.write("text", to: "file")
            for (name, owner) in [("theirs", uid_t(1)), ("mine", Folder.otherUser)] {
                try folder.makeFolder(name)
                for (link, user) in [("roots", uid_t(0)), ("owners", owner), ("others", 2)] {
                    try folder.link("\(name)/\(link)", to: "../file", owner: user)
                }
                try folder.setOwner(name, to: owner)
            }
            _ = setgroups(0, nil)
            #expect(setgid(Folder.otherUser) == 0 && seteuid(Folder.otherUser) == 0)
            for name in ["theirs", "mine"] {
                #expect(try folder.text("\(name)/roots") == "text")
                #expect(try folder.text("\(name)/owners") == "text")
                #expect(folder.failure("\(name)/others") == .foreignLink("\(folder.path)/\(name)/others"))
            }
            #expect(seteuid(0) == 0)
        }
    }

    @Test("a pipe, a socket, a device and a folder instead of a file are named, and do not block")
    func kinds() throws {
        let folder = try Folder()
        try #require(unsafe mkfifo("\(folder.path)/pipe", 0o600) == 0)
        try folder.link("device", to: "/dev/zero")
        try folder.makeFolder("folder")
        #expect(folder.failure("pipe") == .notAFile("a named pipe"))
        #expect(folder.failure("device") == .notAFile("a device"))
        #expect(folder.failure("folder") == .system(EISDIR))
        #expect(
            FileError(.notAFile("a named pipe")).description
                == "it is a named pipe: replace it with a regular file")
    }

    @Test("a file is read up to one byte more than its limit")
    func limit() throws {
        let folder = try Folder()
        try folder.write(String(repeating: "x", count: 100_000), to: "file")
        #expect(try SmallFile.read("\(folder.path)/file", limit: 99_999).bytes.count == 100_000)
        #expect(try SmallFile.read("\(folder.path)/file", limit: 70_000).bytes.count == 70_001)
        #expect(try SmallFile.read("\(folder.path)/file", limit: .max).bytes.count == 100_000)
    }
}
