internal import BoardCore

/// The connection to LED modules on one bus.
///
/// A module that fails does not stop the others: each gets its part of the frame, and then the first fault is thrown. While it is
/// missing the others get a frame at each attempt to connect. A complete module takes 1.7 ms at 100 kHz.
struct LEDLink<Bus: DeviceBus>: DisplayLink {
    private let panel: LEDPanel
    /// One device for each module.
    private(set) var buses: [Bus]
    private var writers: [HT16K33Writer]

    init(panel: LEDPanel, buses: [Bus]) {
        self.panel = panel
        self.buses = buses
        writers = buses.map { _ in HT16K33Writer(brightness: panel.brightness) }
    }

    mutating func connect(showing frame: Frame) throws(BusFault) {
        let memories = panel.memories(of: frame)
        writers = buses.map { _ in HT16K33Writer(brightness: panel.brightness) }
        try forEachModule { link, index throws(BusFault) in
            try link.buses[index].open()
            try link.write(link.writers[index].coldStart(memories[index], isLit: frame.isLit), to: index)
        }
    }

    mutating func update(_ frame: Frame) throws(BusFault) {
        let memories = panel.memories(of: frame)
        try forEachModule { link, index throws(BusFault) in
            try link.write(link.writers[index].update(memories[index], isLit: frame.isLit), to: index)
        }
    }

    mutating func resync() throws(BusFault) {
        try forEachModule { link, index throws(BusFault) in
            try link.write(link.writers[index].resync(), to: index)
        }
    }

    mutating func disconnect() {
        for index in buses.indices { buses[index].close() }
    }

    private mutating func forEachModule(_ body: (inout Self, Int) throws(BusFault) -> Void) throws(BusFault) {
        var fault: BusFault?
        for index in buses.indices {
            do throws(BusFault) {
                try body(&self, index)
            } catch {
                fault = fault ?? error
            }
        }
        if let fault { throw fault }
    }

    private mutating func write(_ transfers: [[UInt8]], to index: Int) throws(BusFault) {
        for transfer in transfers { try buses[index].write(transfer) }
    }
}

extension AddressSearch.Candidates {
    /// No search: every module has its address in the configuration.
    static let none = Self(common: [], others: [])
}
