internal import BoardCore

/// What an OLED shows, and the transfers that change it. Uses no bus: after a fault, a new writer starts without
/// assumptions about the controller.
struct OLEDWriter: Hashable, Sendable {
    /// The data bytes of one transfer: what an SMBus block has besides its control byte.
    private static let largestBlock = 32

    private let panel: OLEDPanel
    /// The dots in the controller's memory; nil while it has not been initialised.
    private var pages: [[UInt8]]?
    private var frame: Frame
    private var isLit = false
    /// The free columns at the left of the picture.
    private var shift: Int
    /// Whether the picture moves to the right.
    private var isMovingRight = true

    init(panel: OLEDPanel) {
        self.panel = panel
        shift = panel.spareColumns / 2
        frame = Frame(blank: panel.size)
    }

    /// Initialises the controller from any state. The display is off until the picture is complete, so that old memory is never
    /// visible.
    mutating func coldStart(_ frame: Frame) -> [[UInt8]] {
        pages = nil
        return [[OLEDCommand.commands, OLEDCommand.off]] + settings() + draw(frame) + light(frame)
    }

    /// Repeats the settings and the picture, one column further to the side: a dot that is always lit ages faster than the
    /// others. A controller that lost power meanwhile is then in the state after ``coldStart(_:)``.
    mutating func resync() -> [[UInt8]] {
        move()
        pages = nil
        return settings() + draw(frame) + light(frame)
    }

    /// The transfers that show `frame`: none without a change, one command for the light alone.
    mutating func update(_ frame: Frame) -> [[UInt8]] {
        guard pages != nil else { return coldStart(frame) }
        let changes = draw(frame)
        return changes + (isLit == frame.isLit ? [] : light(frame))
    }

    private mutating func move() {
        if shift >= panel.spareColumns { isMovingRight = false }
        if shift <= 0 { isMovingRight = true }
        if panel.spareColumns > 0 { shift += isMovingRight ? 1 : -1 }
    }

    private func settings() -> [[UInt8]] {
        blocks(of: OLEDCommand.settings(panel), after: OLEDCommand.commands)
    }

    /// An OLED without light shows nothing: the display is off in the dark.
    private mutating func light(_ frame: Frame) -> [[UInt8]] {
        isLit = frame.isLit
        return [[OLEDCommand.commands, isLit ? OLEDCommand.on : OLEDCommand.off]]
    }

    /// Writes the columns that differ: of each page those from the first to the last.
    private mutating func draw(_ frame: Frame) -> [[UInt8]] {
        let new = panel.pages(of: frame, shift: shift)
        var transfers: [[UInt8]] = []
        for (page, columns) in new.enumerated() {
            let changed = columns.indices.filter { column in pages.map { $0[page][column] != columns[column] } ?? true }
            guard let first = changed.first, let last = changed.last else { continue }
            transfers.append(
                [OLEDCommand.commands] + OLEDCommand.address(page: page, column: panel.firstColumn + first))
            transfers += blocks(of: columns[first...last], after: OLEDCommand.data)
        }
        self.frame = frame
        pages = new
        return transfers
    }

    private func blocks(of bytes: some Collection<UInt8>, after control: UInt8) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            blocks.append([control] + rest.prefix(Self.largestBlock))
            rest = rest.dropFirst(Self.largestBlock)
        }
        return blocks
    }
}
