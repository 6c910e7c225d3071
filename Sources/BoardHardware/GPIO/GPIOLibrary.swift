internal import BoardCore
internal import BoardIO
internal import Glibc

/// The GPIO functions for the buttons: libgpiod, or a model of it in tests.
protocol GPIOLibrary: Sendable {
    /// The chips of this machine, lowest number first, without symbolic links to them.
    func chips() -> [GPIOChip]
    func chip(at path: String) -> GPIOChip
    func hasLine(named name: String, onChipAt path: String) -> Bool
    /// The consumer of a line: nil where the line is free or its state unknown, "" where the consumer has no name.
    func user(ofLine line: UInt32, onChipAt path: String) -> String?
    /// Requests lines of one chip for both edges, all or none.
    func request(_ lines: [GPIOLine], onChipAt path: String) throws(GPIOErrno) -> any GPIORequest
}

/// Requested lines, until ``close()``; used from one thread.
protocol GPIORequest {
    /// The descriptors to poll.
    var descriptors: [Int32] { get }
    /// The pending edges of a descriptor, in order; blocks where poll(2) has not reported any.
    func read(_ descriptor: Int32) throws(GPIOErrno) -> GPIOEdges
    func isActive(_ line: UInt32) throws(GPIOErrno) -> Bool
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
    let identity: Result<Identity, GPIOErrno>

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
        /// The time stamp: CLOCK_MONOTONIC in nanoseconds.
        let nanoseconds: UInt64
        /// The number of the edge on its line, from 1; 0 where the library does not count.
        let sequence: UInt32
    }

    let edges: [Edge]
    /// Whether later edges may have been dropped unnoticed.
    let queueWasFull: Bool
}

/// An `errno` of a GPIO call.
struct GPIOErrno: Error, Hashable, Sendable, CustomStringConvertible {
    let code: Int32

    var description: String { errnoText(code) }
}
