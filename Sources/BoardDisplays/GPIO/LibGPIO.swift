import BoardCore
import BoardIO
import CGPIO
import Glibc

/// The GPIO functions for the buttons: libgpiod, or a model of it in tests.
protocol GPIOLibrary: Sendable {
    /// The chips of this machine, lowest number first, without symbolic links to them.
    func chips() -> [GPIOChip]
    func chip(at path: String) -> GPIOChip
    func hasLine(named name: String, onChipAt path: String) -> Bool
    /// The consumer of a line: nil if the line is free or its state unknown, "" if the consumer has no name.
    func user(ofLine line: UInt32, onChipAt path: String) -> String?
    /// Requests lines of one chip for both edges, all or none.
    func request(_ lines: [GPIOLine], onChipAt path: String) throws(DeviceError) -> any GPIORequest
}

/// Requested lines, until ``close()``; used from one thread.
protocol GPIORequest {
    /// The descriptors to poll.
    var descriptors: [Int32] { get }
    /// The pending edges of a descriptor, in order; blocks if poll(2) has not reported any.
    func read(_ descriptor: Int32) throws(DeviceError) -> GPIOEdges
    func isActive(_ line: UInt32) throws(DeviceError) -> Bool
    func close()
}

struct GPIOChip: Hashable, Sendable, CustomStringConvertible {
    struct Identity: Hashable, Sendable {
        let label: String
        /// The lines are 0 ..< lineCount.
        let lineCount: Int
    }

    let path: String
    /// The chip's identity, or why it could not be read.
    let identity: Result<Identity, DeviceError>

    var label: String? { try? identity.get().label }

    var description: String {
        switch identity {
        case .success(let identity): "\(path) [\(identity.label)]"
        case .failure(let error): "\(path) (\(error))"
        }
    }
}

struct GPIOLine: Hashable, Sendable {
    /// The number of the line on the chip.
    let offset: UInt32
    /// The bias resistor; with a pull-up the line is active low.
    let pull: ButtonWiring.Pull
}

struct GPIOEdges: Hashable, Sendable {
    struct Edge: Hashable, Sendable {
        let line: UInt32
        /// Whether the line was active after the edge.
        let isActive: Bool
        /// CLOCK_MONOTONIC in nanoseconds.
        let nanoseconds: UInt64
        /// The number of the edge on its line, from 1; 0 if the library does not count.
        let sequence: UInt32
    }

    let edges: [Edge]
    /// Whether later edges may have been dropped unnoticed.
    let queueWasFull: Bool
}

extension DeviceError {
    /// The error for an `errno` of a GPIO call.
    init(gpio code: Int32) { self.init(errno: code, errnoText(code)) }
}

/// GPIO through libgpiod, in either of its two API versions.
struct LibGPIO: GPIOLibrary {
    func chips() -> [GPIOChip] {
        let names = (try? SmallFile.names(in: "/dev")) ?? []
        // A Pi 5 may have a link gpiochip4 to gpiochip0 for old programs: each chip must appear once.
        let numbers = names.compactMap { name in
            name.hasPrefix("gpiochip") && isCharacterDevice("/dev/\(name)") ? Int(name.dropFirst(8)) : nil
        }
        return numbers.sorted().map { chip(at: "/dev/gpiochip\($0)") }
    }

    func chip(at path: String) -> GPIOChip {
        let (lineCount, label) = unsafe text { unsafe cgpio_chip_label(path, $0, $1) }
        guard lineCount >= 0 else { return GPIOChip(path: path, identity: .failure(DeviceError(gpio: -lineCount))) }
        return GPIOChip(path: path, identity: .success(.init(label: label, lineCount: Int(lineCount))))
    }

    func hasLine(named name: String, onChipAt path: String) -> Bool {
        unsafe cgpio_chip_line(path, name) >= 0
    }

    func user(ofLine line: UInt32, onChipAt path: String) -> String? {
        let (isUsed, user) = unsafe text { unsafe cgpio_chip_line_user(path, line, $0, $1) }
        return isUsed > 0 ? user : nil
    }

    func request(_ lines: [GPIOLine], onChipAt path: String) throws(DeviceError) -> any GPIORequest {
        let lines = lines.map { cgpio_line(offset: $0.offset, pull: $0.pull.cgpio) }
        var request: OpaquePointer?
        let status = unsafe cgpio_open(path, lines, lines.count, GPIOButtons.consumer, &request)
        guard status >= 0, let request = unsafe request else { throw DeviceError(gpio: -status) }
        return unsafe LibGPIORequest(request)
    }

    private func isCharacterDevice(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }

    /// Calls a function that fills a buffer; returns its result and the text.
    private func text(_ fill: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> (status: Int32, text: String) {
        // The kernel's names have 32 bytes (GPIO_MAX_NAME_SIZE).
        var buffer = [UInt8](repeating: 0, count: 64)
        let status = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe fill(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        return (status, String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self))
    }
}

/// Lines requested through libgpiod; the pointer is nil once they are released.
@safe private final class LibGPIORequest: GPIORequest {
    private var request: OpaquePointer?
    private var events = [cgpio_event](repeating: cgpio_event(), count: Int(CGPIO_MAX_EVENTS))
    let descriptors: [Int32]

    init(_ request: OpaquePointer) {
        unsafe self.request = unsafe request
        var descriptors = [Int32](repeating: -1, count: Int(CGPIO_MAX_LINES))
        let count = unsafe cgpio_descriptors(request, &descriptors)
        self.descriptors = Array(descriptors.prefix(Int(max(0, count))))
    }

    deinit {
        close()
    }

    func read(_ descriptor: Int32) throws(DeviceError) -> GPIOEdges {
        guard let request = unsafe request else { throw DeviceError(gpio: EBADF) }
        var queueWasFull = false
        let count = unsafe cgpio_read(request, descriptor, &events, &queueWasFull)
        guard count >= 0 else { throw DeviceError(gpio: -count) }
        let edges = events.prefix(Int(count)).map { event in
            GPIOEdges.Edge(
                line: event.offset, isActive: event.is_active, nanoseconds: event.timestamp_ns, sequence: event.sequence
            )
        }
        return GPIOEdges(edges: edges, queueWasFull: queueWasFull)
    }

    func isActive(_ line: UInt32) throws(DeviceError) -> Bool {
        guard let request = unsafe request else { throw DeviceError(gpio: EBADF) }
        let level = unsafe cgpio_level(request, line)
        guard level >= 0 else { throw DeviceError(gpio: -level) }
        return level > 0
    }

    func close() {
        unsafe cgpio_close(request)
        unsafe request = nil
    }
}

extension ButtonWiring.Pull {
    fileprivate var cgpio: cgpio_pull {
        switch self {
        case .up: CGPIO_PULL_UP
        case .down: CGPIO_PULL_DOWN
        case .none: CGPIO_PULL_NONE
        }
    }
}
