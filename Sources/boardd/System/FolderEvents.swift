internal import BoardIO
internal import BoardStore
internal import Glibc

/// The kernel's events of one file, from the folders on the way to it (inotify(7)). For one thread.
final class FolderEvents {
    enum WaitResult {
        /// The file or its folder may have changed.
        case changed
        case timedOut
        case stopped
    }

    /// A complete file was written, added or removed. Writes to an open file are not reported.
    private static let ofFiles =
        UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_CREATE) | UInt32(IN_DELETE)
    /// The folder itself was removed or moved.
    private static let ofFolders =
        UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF) | UInt32(IN_UNMOUNT) | UInt32(IN_IGNORED)

    private let path: String
    private let queue: Int32
    /// The watched folders, with the relevant names in each.
    private var watches: [Int32: Set<FilePath.Step>] = [:]

    init(_ path: String) throws(FileWatchFailure) {
        self.path = path
        queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard queue >= 0 else {
            throw FileWatchFailure(folder: FilePath(following: path).steps[0].folder, number: errno)
        }
    }

    deinit {
        if queue >= 0 { close(queue) }
    }

    /// Watches the folders on the path's current way, and only these.
    ///
    /// - Throws: when the path's own folder cannot be watched. That of a link's target may be missing.
    func watch() throws(FileWatchFailure) {
        var new: [Int32: Set<FilePath.Step>] = [:]
        for (index, step) in FilePath(following: path).steps.enumerated() {
            let watch = unsafe inotify_add_watch(queue, step.folder, Self.ofFiles | Self.ofFolders | UInt32(IN_ONLYDIR))
            guard watch >= 0 || index > 0 else { throw FileWatchFailure(folder: step.folder, number: errno) }
            if watch >= 0 { new[watch, default: []].insert(step) }
        }
        for old in watches.keys where new[old] == nil { inotify_rm_watch(queue, old) }
        watches = new
    }

    /// Sleeps until an event of the file, until `stop`, or for at most the limit; nil: no limit.
    func wait(until stop: WakeEvent, atMost limit: Duration?) throws(FileWatchFailure) -> WaitResult {
        let end = limit.map { ContinuousClock.now + $0 }
        while true {
            let rest = end.map { max(.zero, $0 - ContinuousClock.now) }
            var polled = [stop.descriptor, queue].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let count = unsafe poll(&polled, 2, rest?.pollLimit ?? -1)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileWatchFailure(folder: path, number: errno) }
            if polled[0].revents != 0 { return .stopped }
            if count == 0 { return .timedOut }
            if try read() { return .changed }
        }
    }

    /// Reads all events; returns whether one is relevant.
    private func read() throws(FileWatchFailure) -> Bool {
        var counts = false
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let length = unsafe Glibc.read(queue, &buffer, buffer.count)
            if length < 0, errno == EINTR { continue }
            if length < 0, errno == EAGAIN { return counts }
            guard length > 0 else { throw FileWatchFailure(folder: path, number: errno) }
            for event in Event.all(buffer[..<length]) where self.counts(event) { counts = true }
        }
    }

    private func counts(_ event: Event) -> Bool {
        // The queue overflowed: anything may have changed.
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        guard let steps = watches[event.watch] else { return false }
        if event.mask & Self.ofFolders != 0 { return true }
        guard let step = steps.first(where: { $0.name == event.name }) else { return false }
        // A new regular file is reported when its writer closes it; a new link is complete at once.
        return event.mask & UInt32(IN_CREATE) == 0 || isLink(step)
    }

    private func isLink(_ step: FilePath.Step) -> Bool {
        var status = stat()
        guard unsafe lstat(step.path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT != S_IFREG || status.st_nlink > 1
    }
}

private struct Event {
    let watch: Int32
    let mask: UInt32
    let name: String

    /// Parses the events: each a head, then a name padded with NUL bytes.
    static func all(_ bytes: ArraySlice<UInt8>) -> [Event] {
        let size = MemoryLayout<inotify_event>.size
        var events: [Event] = []
        var rest = bytes
        while rest.count >= size {
            let head = unsafe rest.withUnsafeBytes { unsafe $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(size).prefix(Int(head.len))
            events.append(
                Event(
                    watch: head.wd, mask: head.mask, name: String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)))
            rest = rest.dropFirst(size + name.count)
        }
        return events
    }
}
