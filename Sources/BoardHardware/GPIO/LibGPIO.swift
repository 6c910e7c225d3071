internal import BoardCore
internal import BoardIO
internal import CGPIO
internal import Glibc

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
        guard lineCount >= 0 else { return GPIOChip(path: path, identity: .failure(GPIOErrno(code: -lineCount))) }
        return GPIOChip(path: path, identity: .success(.init(label: label, lineCount: Int(lineCount))))
    }

    func hasLine(named name: String, onChipAt path: String) -> Bool {
        unsafe cgpio_chip_line(path, name) >= 0
    }

    func user(ofLine line: UInt32, onChipAt path: String) -> String? {
        let (isUsed, user) = unsafe text { unsafe cgpio_chip_line_user(path, line, $0, $1) }
        return isUsed > 0 ? user : nil
    }

    func request(_ lines: [GPIOLine], onChipAt path: String) throws(GPIOErrno) -> any GPIORequest {
        let lines = lines.map { cgpio_line(offset: $0.offset, pull: $0.pull.cgpio) }
        var request: OpaquePointer?
        let status = unsafe cgpio_open(path, lines, lines.count, GPIOButtons.consumer, &request)
        guard status >= 0, let request = unsafe request else { throw GPIOErrno(code: -status) }
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

    func read(_ descriptor: Int32) throws(GPIOErrno) -> GPIOEdges {
        guard let request = unsafe request else { throw GPIOErrno(code: EBADF) }
        var queueWasFull = false
        let count = unsafe cgpio_read(request, descriptor, &events, &queueWasFull)
        guard count >= 0 else { throw GPIOErrno(code: -count) }
        let edges = events.prefix(Int(count)).map { event in
            GPIOEdges.Edge(
                line: event.offset, isActive: event.is_active, nanoseconds: event.timestamp_ns, sequence: event.sequence
            )
        }
        return GPIOEdges(edges: edges, queueWasFull: queueWasFull)
    }

    func isActive(_ line: UInt32) throws(GPIOErrno) -> Bool {
        guard let request = unsafe request else { throw GPIOErrno(code: EBADF) }
        let level = unsafe cgpio_level(request, line)
        guard level >= 0 else { throw GPIOErrno(code: -level) }
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
