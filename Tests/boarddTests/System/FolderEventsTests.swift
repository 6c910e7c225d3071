import BoardThreads
import FoundationEssentials
import Glibc
import Testing

@testable import boardd

@Suite("What happens to a file in a folder")
struct FolderEventsTests {
    private let folder: TemporaryFolder
    private let events: FolderEvents
    private let stop: WakeEvent

    init() throws {
        folder = try TemporaryFolder(["favourites.toml": "a"])
        events = try FolderEvents("\(folder.path)/favourites.toml")
        stop = try WakeEvent()
        try events.watch()
    }

    private var file: String { "\(folder.path)/favourites.toml" }

    /// What was told since the last look; the kernel tells before the call that does it returns.
    private func news() throws -> FolderEvents.WaitResult {
        try events.wait(until: stop, atMost: .zero)
    }

    private func open(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = unsafe Glibc.open(path, flags, 0o600)
        try #require(descriptor >= 0)
        return descriptor
    }

    @Test("writing it in place is told when it is closed, not before")
    func inPlace() throws {
        let descriptor = try open(file, O_WRONLY | O_TRUNC)
        #expect(unsafe write(descriptor, "bc", 2) == 2)
        #expect(try news() == .timedOut)
        close(descriptor)
        #expect(try news() == .changed)
        #expect(try news() == .timedOut)
    }

    @Test("a new one that is written is told when it is closed")
    func new() throws {
        unsafe unlink(file)
        #expect(try news() == .changed)
        let descriptor = try open(file, O_WRONLY | O_CREAT)
        #expect(try news() == .timedOut)
        close(descriptor)
        #expect(try news() == .changed)
    }

    @Test("renaming over it, moving it away, and links in its place are told")
    func renames() throws {
        try folder.write("x", to: "other")
        #expect(try news() == .timedOut)
        #expect(unsafe rename("\(folder.path)/other", file) == 0)
        #expect(try news() == .changed)
        #expect(unsafe rename(file, file + "~") == 0)
        #expect(try news() == .changed)
        #expect(unsafe link(file + "~", file) == 0)
        #expect(try news() == .changed)
        unsafe unlink(file)
        #expect(try news() == .changed)
        #expect(unsafe symlink("favourites.toml~", file) == 0)
        #expect(try news() == .changed)
    }

    @Test("other files of the folder, and reading it, are no news")
    func others() throws {
        try folder.write("x", to: "boardd.toml")
        try folder.write("x", to: ".favourites.toml.new-1")
        try folder.write("x", to: "favourites.toml~")
        unsafe unlink("\(folder.path)/favourites.toml~")
        #expect(folder.read("favourites.toml") == "a")
        close(try open(file, O_RDONLY))
        #expect(try news() == .timedOut)
    }

    @Test("where it is a link, both the link and what it names are watched, also after it names another one")
    func links() throws {
        let one = try TemporaryFolder(["real": "1", "else": ""])
        let two = try TemporaryFolder(["real": "2"])
        unsafe unlink(file)
        #expect(unsafe symlink("\(one.path)/real", file) == 0)
        try events.watch()
        #expect(try news() == .changed)
        try one.write("3", to: "real")
        #expect(try news() == .changed)
        try one.write("3", to: "else")
        try two.write("3", to: "real")
        #expect(try news() == .timedOut)
        unsafe unlink(file)
        #expect(unsafe symlink("\(two.path)/real", file) == 0)
        #expect(try news() == .changed)
        try events.watch()
        try one.write("4", to: "real")
        #expect(try news() == .timedOut)
        try two.write("4", to: "real")
        #expect(try news() == .changed)
    }

    @Test("a folder that is removed, or renamed, is told of")
    func folders() throws {
        let other = folder.path + "-moved"
        #expect(unsafe rename(folder.path, other) == 0)
        #expect(try news() == .changed)
        #expect(throws: FileWatchFailure(folder: folder.path, number: ENOENT)) { try events.watch() }
        #expect(unsafe rename(other, folder.path) == 0)
        try events.watch()
        _ = try news()
        unsafe unlink(file)
        _ = try news()
        unsafe rmdir(folder.path)
        #expect(try news() == .changed)
    }

    @Test("more than the kernel keeps is told as one change")
    func overflow() throws {
        let limit = Int(KernelFile.read("/proc/sys/fs/inotify/max_queued_events").filter(\.isNumber)) ?? 16_384
        guard limit < 100_000 else { return print("skipped: the kernel keeps \(limit) events") }
        let names = [file + "~", file + "~~"]
        close(try open(names[0], O_WRONLY | O_CREAT))
        for index in 0...limit / 2 { #expect(unsafe rename(names[index % 2], names[(index + 1) % 2]) == 0) }
        #expect(try news() == .changed)
    }

    @Test("the end is told, before everything else")
    func end() throws {
        stop.signal()
        unsafe unlink(file)
        #expect(try events.wait(until: stop, atMost: nil) == .stopped)
    }
}
