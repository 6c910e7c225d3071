internal import Synchronization

extension SimulatedExpander {
    /// Pulls the panel off the bus: no power, no answer.
    public func unplug() {
        state.withLock { $0.isPowered = false }
    }

    /// Puts the panel on the bus again, after which it knows nothing.
    public func replug() {
        state.withLock { state in
            state.isPowered = true
            state.expander.powerOn()
            state.controller.powerOn(at: state.now)
        }
    }

    /// Nothing is acknowledged for this long.
    public func refuseAddress(for duration: Duration) {
        state.withLock { $0.nackUntil = $0.now + State.nanoseconds(duration) }
    }

    /// The byte after the next `count` port bytes is not acknowledged; those before it are.
    public func refuseByte(after count: Int) {
        state.withLock { $0.bytesUntilNAK = count }
    }

    /// A line is held down for this long: every transfer times out.
    public func hold(for duration: Duration) {
        state.withLock { $0.stuckUntil = $0.now + State.nanoseconds(duration) }
    }

    /// The next pulse of E is lost on the way to the controller.
    public func loseNibble() {
        state.withLock { $0.controller.lose(pulses: 1) }
    }

    /// The controller takes a nibble that nobody sent.
    public func strayNibble(_ nibble: UInt8, data: Bool = false) {
        state.withLock { $0.controller.stray(nibble, data: data, at: $0.now) }
    }

    /// The panel's supply fails for a moment, the expander's does not.
    public func brownOut() {
        state.withLock { $0.controller.powerOn(at: $0.now) }
    }
}
