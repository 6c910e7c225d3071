internal import BoardCore
internal import Glibc

/// What the buttons need of GPIO: libgpiod, or a model of it in tests.
protocol GPIOLibrary: Sendable {
    /// The chips of this machine, the lowest number first; symbolic links to one are not told.
    func chips() -> [GPIOChip]
    /// The chip behind one path.
    func chip(at path: String) -> GPIOChip
    /// Whether a chip has a line with this name.
    func hasLine(named name: String, onChipAt path: String) -> Bool
    /// Who uses a line: nil where it is free or that cannot be known, "" where the user has no name.
    func user(ofLine line: UInt32, onChipAt path: String) -> String?
    /// Takes lines of one chip for both of their edges, all or none.
    func request(_ lines: [GPIOLine], onChipAt path: String) throws(GPIOErrno) -> any GPIORequest
}

/// Lines that are ours until ``close()``; used from one thread.
protocol GPIORequest {
    /// What to poll.
    var descriptors: [Int32] { get }
    /// The edges that wait at a descriptor, in order; blocks where poll(2) has not said that there are any.
    func read(_ descriptor: Int32) throws(GPIOErrno) -> GPIOEdges
    /// Whether a line is active now.
    func isActive(_ line: UInt32) throws(GPIOErrno) -> Bool
    /// Gives the lines back.
    func close()
}

/// A GPIO chip.
struct GPIOChip: Hashable, Sendable, CustomStringConvertible {
    /// What a chip says of itself.
    struct Identity: Hashable, Sendable {
        /// Its driver's label.
        let label: String
        /// Its lines are 0 ..< lineCount.
        let lineCount: Int
    }

    /// Its device.
    let path: String
    /// Who it is, or why it could not be asked.
    let identity: Result<Identity, GPIOErrno>

    /// Its label, where it could be asked.
    var label: String? { try? identity.get().label }

    var description: String {
        switch identity {
        case .success(let identity): "\(path) [\(identity.label)]"
        case .failure(let error): "\(path) (\(error))"
        }
    }
}

/// A line to take.
struct GPIOLine: Hashable, Sendable {
    /// Its number on the chip.
    let offset: UInt32
    /// The resistor; with one to the supply the line is active low.
    let pull: ButtonWiring.Pull
}

/// Edges of one descriptor.
struct GPIOEdges: Hashable, Sendable {
    /// One edge.
    struct Edge: Hashable, Sendable {
        /// The line's number on the chip.
        let line: UInt32
        /// Whether the line was active after the edge.
        let isActive: Bool
        /// When it was: CLOCK_MONOTONIC in nanoseconds.
        let nanoseconds: UInt64
        /// Its number on its line, from 1; 0 where the library does not count.
        let sequence: UInt32
    }

    /// The edges in order.
    let edges: [Edge]
    /// Whether later edges may have been dropped without a trace.
    let queueWasFull: Bool
}

/// An `errno` of a GPIO call.
struct GPIOErrno: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number.
    let code: Int32

    var description: String { unsafe String(cString: strerror(code)) }
}
