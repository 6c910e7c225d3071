public import BoardCore
internal import BoardIO
internal import Glibc

/// Buttons on GPIO lines, through libgpiod.
///
/// A dedicated thread sleeps in poll(2) until a line changes: without presses nothing wakes. ``Debouncer`` debounces for
/// every version of libgpiod alike.
public struct GPIOButtons: Buttons {
    /// The consumer of the lines while a board runs.
    public static let consumer = "boardd"

    private let wirings: [ButtonWiring]
    private let library: any GPIOLibrary
    private let clock: EventClock

    /// The wirings are in the order of the buttons. Opens nothing before ``watch(_:)``.
    public init(_ wirings: [ButtonWiring]) {
        self.init(wirings, library: LibGPIO(), clock: .system)
    }

    init(_ wirings: [ButtonWiring], library: any GPIOLibrary, clock: EventClock) {
        self.wirings = wirings
        self.library = library
        self.clock = clock
    }

    /// Passes every debounced change to `receive`, on the buttons' own thread, until the task is cancelled.
    ///
    /// Releases the lines before it returns. May be called again after a fault: a chip can come back.
    ///
    /// - Throws: a ``ButtonFault`` where no chip matches, a line is in use, the device may not be opened, or was removed.
    public func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(ButtonFault) {
        let end: Result<Void, ButtonFault>
        do throws(ThreadFailure) {
            let stop = try WakeEvent()
            end = try await DedicatedThread.run("buttons", signallingCancellationTo: stop) {
                Result { () throws(ButtonFault) in try run(until: stop, receive) }
            }
        } catch {
            throw ButtonFault("cannot watch the buttons: \(error)")
        }
        try end.get()
    }

    private func run(
        until stop: WakeEvent, _ receive: @Sendable (ButtonChange) -> Void
    ) throws(ButtonFault) {
        var bank = try ButtonBank(wirings, library: library, clock: clock)
        defer { bank.close() }
        var polled = ([stop.descriptor] + bank.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            try sleep(&polled, until: bank.deadline)
            // Polled again after the clock is read: then all edges before `now` are read, and a debounce time that ended
            // while an edge arrived does not settle on an outdated level.
            let now = clock.now()
            _ = unsafe poll(&polled, nfds_t(polled.count), 0)
            guard polled.first?.revents == 0 else { return }
            for line in polled.dropFirst() where line.revents != 0 {
                guard line.revents & Int16(POLLIN) != 0 else { throw bank.fault(of: line.fd) }
                for change in try bank.read(line.fd) { receive(change) }
            }
            for change in try bank.settle(at: now) { receive(change) }
        }
    }

    /// Sleeps until a descriptor is readable or `deadline` has passed.
    private func sleep(_ polled: inout [pollfd], until deadline: Instant?) throws(ButtonFault) {
        let limit = deadline.map { ($0 - clock.now()).pollLimit }
        let status = unsafe poll(&polled, nfds_t(polled.count), limit ?? -1)
        guard status >= 0 || errno == EINTR else {
            throw ButtonFault("cannot watch the buttons: \(GPIOErrno(code: errno))")
        }
    }
}
