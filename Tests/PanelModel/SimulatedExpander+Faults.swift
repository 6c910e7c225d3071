import Synchronization

extension SimulatedExpander {
    /// Unplugs the display: no power, no acknowledge.
    public func unplug() {
        state.withLock { $0.isPowered = false }
    }

    /// Plugs the display in again, after a power-on reset.
    public func replug() {
        state.withLock { state in
            state.isPowered = true
            state.powerOn()
        }
    }

    /// Interrupts the supply so briefly that no transfer fails.
    public func flicker() {
        state.withLock { $0.powerOn() }
    }

    /// Does not acknowledge the byte after the next `count` port bytes.
    public func nackByte(after count: Int) {
        state.withLock { $0.bytesUntilNAK = count }
    }

    /// Holds a line low for this long: every transfer times out.
    public func hold(for duration: Duration) {
        state.withLock { $0.stuckUntil = $0.now + State.nanoseconds(duration) }
    }

    /// Makes a controller read a nibble that was not sent.
    public func strayNibble(_ nibble: UInt8, data: Bool = false, controller: Int = 0) {
        state.withLock { $0.controllers[controller].stray(nibble, data: data, at: $0.now) }
    }

    /// Interrupts a controller's supply but not the expander's.
    public func brownOut(controller: Int = 0) {
        state.withLock { $0.controllers[controller].powerOn(at: $0.now) }
    }
}
