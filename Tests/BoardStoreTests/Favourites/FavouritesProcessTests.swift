import BoardCore
import BoardIO
import FoundationEssentials
import Glibc
import Testing
import Waiting

@testable internal import BoardStore

/// Tests that need a separate process: another user, a limit, a sudden end. Such a process gets no arguments, so its
/// folder is named after the number of its parent.
@Suite("Writing favourites.toml from several processes", .serialized, .endsHangs)
struct FavouritesProcessTests {
    private static let first = "[[stop]]\nid = \"demo:1\"\n"

    private static func folder(of process: pid_t) -> String { "/tmp/boardd-favourites-\(process)" }

    private static func editor(of process: pid_t) -> FavouritesEditor {
        FavouritesEditor(
            path: folder(of: process) + "/favourites.toml", declarations: declarations, timeout: Patience.endless)
    }

    /// A folder with a favourite, removed at the end.
    private func inFolder(mode: Int = 0o755, _ body: (String) async throws -> Void) async throws {
        let folder = Self.folder(of: getpid())
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/favourites.toml"
        try Data(Self.first.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
        try await body(file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["favourites.toml"])
    }

    private func text(_ file: String) -> String? {
        (try? Data(contentsOf: URL(filePath: file))).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Drops root's privileges; an ordinary user has none.
    private static func dropPrivileges() {
        guard geteuid() == 0 else { return }
        _ = setgroups(0, nil)
        #expect(setgid(65_534) == 0 && setuid(65_534) == 0)
    }

    @Test("stops that several processes add at once are all added")
    func processes() async throws {
        try await inFolder { _ in
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        await #expect(processExitsWith: .success) {
                            for number in 0..<5 {
                                let code = "\(getpid())00\(number)"
                                try FavouritesProcessTests.editor(of: getppid()).add(Favourite(stop: demo(code)))
                            }
                        }
                    }
                }
            }
            let source = ConfigurationSource.directory(Self.folder(of: getpid()))
            let loaded = try ConfigurationLoader(declarations: declarations).load(source, environment: [:])
            #expect(loaded.favourites.count == 21)
        }
    }

    @Test("a killed process releases its lock")
    func killed() async throws {
        try await inFolder { file in
            await #expect(processExitsWith: .signal(SIGKILL)) {
                let path = FavouritesProcessTests.editor(of: getppid()).path
                let holder = try LockedFile(path, timeout: .zero)
                #expect(try holder.read(limit: 1_000) != nil)
                kill(getpid(), SIGKILL)
                try holder.replace(with: [])
            }
            try FavouritesEditor(path: file, declarations: declarations, timeout: .zero).remove(demo("1"))
            #expect(text(file) == "\n")
        }
    }

    @Test("a missing write permission is reported with what to do, and the file is unchanged")
    func notPermitted() async throws {
        try await inFolder(mode: 0o555) { file in
            await #expect(processExitsWith: .success) {
                FavouritesProcessTests.dropPrivileges()
                let editor = FavouritesProcessTests.editor(of: getppid())
                #expect(throws: FavouritesError.file(FileError(replacing: editor.path, errno: EACCES))) {
                    try editor.remove(demo("1"))
                }
            }
            #expect(text(file) == Self.first)
        }
    }

    @Test("in a sticky folder only the owner replaces the file; another user's attempt names the reason")
    func sticky() async throws {
        guard geteuid() == 0 else { return print("skipped: only root can make another user's file") }
        try await inFolder(mode: 0o1777) { file in
            await #expect(processExitsWith: .success) {
                FavouritesProcessTests.dropPrivileges()
                let editor = FavouritesProcessTests.editor(of: getppid())
                #expect(throws: FavouritesError.file(FileError(replacing: editor.path, FileError(.foreignFile)))) {
                    try editor.remove(demo("1"))
                }
            }
            #expect(text(file) == Self.first)
            try #require(unsafe chown(file, 65_534, 65_534) == 0)
            await #expect(processExitsWith: .success) {
                FavouritesProcessTests.dropPrivileges()
                try FavouritesProcessTests.editor(of: getppid()).remove(demo("1"))
            }
            #expect(text(file) == "\n")
        }
    }

    @Test("an interrupted write leaves the old file, and no other")
    func limit() async throws {
        try await inFolder { file in
            await #expect(processExitsWith: .success) {
                _ = signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 10, rlim_max: 10)
                #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                let editor = FavouritesProcessTests.editor(of: getppid())
                #expect(throws: FavouritesError.file(FileError(replacing: editor.path, errno: EFBIG))) {
                    try editor.add(Favourite(stop: demo("2")))
                }
            }
            #expect(text(file) == Self.first)
        }
    }
}
