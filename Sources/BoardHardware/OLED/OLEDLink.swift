internal import BoardCore

/// The connection to an OLED.
///
/// A complete picture takes 110 ms at 100 kHz and 28 ms at 400 kHz, a digit 1 ms.
struct OLEDLink<Bus: DeviceBus>: DisplayLink {
    private let panel: OLEDPanel
    private(set) var bus: Bus
    private var writer: OLEDWriter

    init(panel: OLEDPanel, bus: Bus) {
        self.panel = panel
        self.bus = bus
        writer = OLEDWriter(panel: panel)
    }

    mutating func connect(showing frame: Frame) throws(BusFault) {
        try bus.open()
        writer = OLEDWriter(panel: panel)
        try write(writer.coldStart(frame))
    }

    mutating func update(_ frame: Frame) throws(BusFault) {
        try write(writer.update(frame))
    }

    mutating func resync() throws(BusFault) {
        try write(writer.resync())
    }

    mutating func disconnect() {
        bus.close()
    }

    private mutating func write(_ transfers: [[UInt8]]) throws(BusFault) {
        for transfer in transfers { try bus.write(transfer) }
    }
}

extension AddressSearch.Candidates {
    /// SSD1306 and SH1106: a resistor on the module selects one of two; almost all modules are at the lower.
    static let oled = Self(common: Array(DisplayWiring.oledAddresses), others: [])
}
