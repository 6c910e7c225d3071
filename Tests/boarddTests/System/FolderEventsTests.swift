import BoardCore
import FoundationEssentials
import Glibc
import Testing

@testable import BoardIO

@Suite("Events of a file in a folder")
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

    /// The events since the last call; the kernel queues an event before the call that causes it returns.
    private func poll() throws -> FolderEvents.WaitResult {
        try events.wait(until: stop, atMost: .zero)
    }

    private func open(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = unsafe Glibc.open(path, flags, 0o600)
        try #require(descriptor >= 0)
        return descriptor
    }

    @Test("a write in place is reported when the file is closed, not before")
    func inPlace() throws {
        let descriptor = try open(file, O_WRONLY | O_TRUNC)
        #expect(unsafe write(descriptor, "bc", 2) == 2)
        #expect(try poll() == .timedOut)
        close(descriptor)
        #expect(try poll() == .changed)
        #expect(try poll() == .timedOut)
    }

    @Test("a new file is reported when it is closed")
    func new() throws {
        unsafe unlink(file)
        #expect(try poll() == .changed)
        let descriptor = try open(file, O_WRONLY | O_CREAT)
        #expect(try poll() == .timedOut)
        close(descriptor)
        #expect(try poll() == .changed)
    }

    @Test("renaming over it, moving it away, and links in its place are reported")
    func renames() throws {
        try folder.write("x", to: "other")
        #expect(try poll() == .timedOut)
        #expect(unsafe rename("\(folder.path)/other", file) == 0)
        #expect(try poll() == .changed)
        #expect(unsafe rename(file, file + "~") == 0)
        #expect(try poll() == .changed)
        #expect(unsafe link(file + "~", file) == 0)
        #expect(try poll() == .changed)
        unsafe unlink(file)
        #expect(try poll() == .changed)
        #expect(unsafe symlink("favourites.toml~", file) == 0)
        #expect(try poll() == .changed)
    }

    @Test("other files of the folder, and reading it, are not reported")
    func others() throws {
        try folder.write("x", to: "boardd.toml")
        try folder.write("x", to: ".favourites.toml.new-1")
        try folder.write("x", to: "favourites.toml~")
        unsafe unlink("\(folder.path)/favourites.toml~")
        #expect(folder.read("favourites.toml") == "a")
        close(try open(file, O_RDONLY))
        #expect(try poll() == .timedOut)
    }

    @Test("for a link, both the link and its target are watched, also after it has another target")
    func links() throws {
        let one = try TemporaryFolder(["real": "1", "else": ""])
        let two = try TemporaryFolder(["real": "2"])
        unsafe unlink(file)
        #expect(unsafe symlink("\(one.path)/real", file) == 0)
        try events.watch()
        #expect(try poll() == .changed)
        try one.write("3", to: "real")
        #expect(try poll() == .changed)
        try one.write("3", to: "else")
        try two.write("3", to: "real")
        #expect(try poll() == .timedOut)
        unsafe unlink(file)
        #expect(unsafe symlink("\(two.path)/real", file) == 0)
        #expect(try poll() == .changed)
        try events.watch()
        try one.write("4", to: "real")
        #expect(try poll() == .timedOut)
        try two.write("4", to: "real")
        #expect(try poll() == .changed)
    }

    @Test("removing or renaming the folder is reported")
    func folders() throws {
        let other = folder.path + "-moved"
        #expect(unsafe rename(folder.path, other) == 0)
        #expect(try poll() == .changed)
        #expect(throws: PlainError(watching: folder.path, number: ENOENT)) { try events.watch() }
        #expect(unsafe rename(other, folder.path) == 0)
        try events.watch()
        _ = try poll()
        unsafe unlink(file)
        _ = try poll()
        unsafe rmdir(folder.path)
        #expect(try poll() == .changed)
    }

    @Test("an overflow of the kernel's queue is reported as one change")
    func overflow() throws {
        let limit = Int(KernelFile.read("/proc/sys/fs/inotify/max_queued_events").filter(\.isNumber)) ?? 16_384
        guard limit < 100_000 else { return print("skipped: the kernel queues \(limit) events") }
        let names = [file + "~", file + "~~"]
        close(try open(names[0], O_WRONLY | O_CREAT))
        for index in 0...limit / 2 { #expect(unsafe rename(names[index % 2], names[(index + 1) % 2]) == 0) }
        #expect(try poll() == .changed)
    }

    @Test("the stop event is reported before all others")
    func end() throws {
        stop.signal()
        unsafe unlink(file)
        #expect(try events.wait(until: stop, atMost: nil) == .stopped)
    }
}
