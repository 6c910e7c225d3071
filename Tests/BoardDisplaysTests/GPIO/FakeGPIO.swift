import BoardCore
import Glibc
import Synchronization

@testable import BoardDisplays

/// GPIO chips in memory; descriptors are real pipes, so that they can be polled.
final class FakeGPIO: GPIOLibrary {
    struct State: Sendable {
        var chips: [GPIOChip] = []
        /// Line names, by chip path.
        var lineNames: [String: [String]] = [:]
        /// The consumer of a line, by "path:line"; a request for such a line fails with EBUSY.
        var users: [String: String] = [:]
        /// The error of every request of a chip.
        var errors: [String: Int32] = [:]
        /// The error of every read.
        var readError: Int32?
        /// The levels, by "path:line".
        var active: Set<String> = []
        var levelReads = 0
    }

    let state = Shared(State())
    /// Not in the state, which each request has.
    let requests: Mutex<[FakeRequest]> = Mutex([])
    /// Whether each line has its own descriptor (libgpiod 1.6), or each request (2.x).
    let hasDescriptorPerLine: Bool

    init(hasDescriptorPerLine: Bool = false, _ labels: KeyValuePairs<String, String>) {
        self.hasDescriptorPerLine = hasDescriptorPerLine
        let chips = labels.map { path, label in
            GPIOChip(path: path, identity: .success(.init(label: label, lineCount: 54)))
        }
        state.withLock { $0.chips = chips }
    }

    func chips() -> [GPIOChip] {
        state.withLock { $0.chips }
    }

    func chip(at path: String) -> GPIOChip {
        chips().first { $0.path == path } ?? GPIOChip(path: path, identity: .failure(DeviceError(gpio: ENOENT)))
    }

    func hasLine(named name: String, onChipAt path: String) -> Bool {
        state.withLock { $0.lineNames[path]?.contains(name) ?? false }
    }

    func user(ofLine line: UInt32, onChipAt path: String) -> String? {
        state.withLock { $0.users["\(path):\(line)"] }
    }

    func request(_ lines: [GPIOLine], onChipAt path: String) throws(DeviceError) -> any GPIORequest {
        let code = state.withLock { state in
            lines.contains { state.users["\(path):\($0.offset)"] != nil } ? EBUSY : state.errors[path]
        }
        if let code { throw DeviceError(gpio: code) }
        let request = FakeRequest(state, path: path, lines: lines, hasDescriptorPerLine: hasDescriptorPerLine)
        requests.withLock { $0.append(request) }
        return request
    }

    /// Adds an edge; without one, only the level changes.
    func set(_ line: UInt32, of path: String, _ isActive: Bool, at nanoseconds: UInt64? = nil, sequence: UInt32 = 0) {
        state.withLock { state in
            if isActive { state.active.insert("\(path):\(line)") } else { state.active.remove("\(path):\(line)") }
        }
        let request = requests.withLock { requests in
            requests.last { $0.path == path && $0.lines.contains { $0.offset == line } }
        }
        guard let nanoseconds else { return }
        request?.push(.init(line: line, isActive: isActive, nanoseconds: nanoseconds, sequence: sequence))
    }

    /// Whether every requested line was released.
    var isClosed: Bool { requests.withLock { $0.allSatisfy { $0.isClosed } } }
    /// Whether any line was requested.
    var isRequested: Bool { requests.withLock { !$0.isEmpty } }
}

/// A value that several objects change.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}

/// Lines of a fake chip.
final class FakeRequest: GPIORequest, Sendable {
    let path: String
    let lines: [GPIOLine]
    let descriptors: [Int32]
    private let writers: [Int32]
    private let state: Shared<FakeGPIO.State>
    private let hasDescriptorPerLine: Bool
    private let queues: Mutex<[Int32: [GPIOEdges.Edge]]> = Mutex([:])
    private let closed = Mutex(false)

    init(_ state: Shared<FakeGPIO.State>, path: String, lines: [GPIOLine], hasDescriptorPerLine: Bool) {
        self.state = state
        self.hasDescriptorPerLine = hasDescriptorPerLine
        self.path = path
        self.lines = lines
        var readers: [Int32] = []
        var writers: [Int32] = []
        for _ in 0..<(hasDescriptorPerLine ? lines.count : 1) {
            var ends: [Int32] = [-1, -1]
            _ = unsafe pipe(&ends)
            readers.append(ends[0])
            writers.append(ends[1])
        }
        descriptors = readers
        self.writers = writers
    }

    deinit {
        for descriptor in descriptors + writers { Glibc.close(descriptor) }
    }

    /// Removes the chip: its descriptors hang up.
    func hangUp() {
        var null: [Int32] = [-1, -1]
        _ = unsafe pipe(&null)
        for writer in writers { dup2(null[0], writer) }
        for end in null { Glibc.close(end) }
    }

    func push(_ edge: GPIOEdges.Edge) {
        let index = hasDescriptorPerLine ? lines.firstIndex { $0.offset == edge.line } ?? 0 : 0
        queues.withLock { $0[descriptors[index], default: []].append(edge) }
        var byte: UInt8 = 0
        _ = unsafe write(writers[index], &byte, 1)
    }

    /// Like libgpiod 1.6: at most 16 events, and then a full queue; like 2.x: all of them.
    func read(_ descriptor: Int32) throws(DeviceError) -> GPIOEdges {
        if let error = state.withLock({ $0.readError }) { throw DeviceError(gpio: error) }
        let edges = queues.withLock { queues in
            defer { queues[descriptor] = [] }
            return queues[descriptor] ?? []
        }
        var bytes = [UInt8](repeating: 0, count: edges.count)
        _ = unsafe Glibc.read(descriptor, &bytes, bytes.count)
        guard hasDescriptorPerLine else { return GPIOEdges(edges: edges, queueWasFull: false) }
        return GPIOEdges(edges: Array(edges.prefix(16)), queueWasFull: edges.count >= 16)
    }

    func isActive(_ line: UInt32) throws(DeviceError) -> Bool {
        state.withLock { state in
            state.levelReads += 1
            return state.active.contains("\(path):\(line)")
        }
    }

    func close() {
        closed.withLock { $0 = true }
    }

    var isClosed: Bool { closed.withLock { $0 } }
}

/// A clock that tests set.
final class FakeClock: Sendable {
    private let microseconds = Atomic<Int64>(0)

    /// CLOCK_BOOTTIME is 5 s ahead, as after a suspend.
    var clock: EventClock {
        EventClock(
            now: { [self] in Instant(microseconds: microseconds.load(ordering: .relaxed)) },
            aheadOfMonotonic: { 5_000_000 })
    }

    /// The instant `milliseconds` after the start of the machine.
    func set(_ milliseconds: Int64) {
        microseconds.store(milliseconds * 1_000, ordering: .relaxed)
    }
}
