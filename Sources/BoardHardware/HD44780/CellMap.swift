internal import BoardCore

/// The order in which the controllers address their cells, and the writes that a change needs.
struct CellMap: Hashable, Sendable {
    /// Cells that follow each other without a new address.
    struct Run: Hashable, Sendable {
        /// The index of the controller that has the cells.
        let controller: Int
        let address: UInt8
        /// The codes from this address on.
        var codes: [UInt8]
    }

    private struct Cell: Hashable, Sendable {
        /// The index in the frame, row by row.
        let index: Int
        let controller: Int
        /// The position in the controller's address order: line 1 continues where line 0 ends.
        let position: Int
    }

    /// Cells per line of the controller: its address counter goes from 27 to 40, and from 67 back to 00 (hexadecimal; data
    /// sheet, DDRAM addresses in two-line mode).
    private static let lineLength = 40

    private let cells: [Cell]

    /// The cells of a panel, controller by controller in address order. With four rows of one controller that is rows 0, 2, 1,
    /// 3.
    init(_ panel: Panel) {
        let rowsEach = panel.size.rows / panel.controllerCount
        cells = panel.rowAddresses.enumerated().flatMap { row, address in
            (0..<panel.size.columns).map { column in
                let line = address < 0x40 ? Int(address) : Int(address) - 0x40 + Self.lineLength
                return Cell(
                    index: row * panel.size.columns + column, controller: row / rowsEach, position: line + column)
            }
        }.sorted { ($0.controller, $0.position) < ($1.controller, $1.position) }
    }

    /// The writes that turn one frame's codes into another's; all cells where `old` is nil.
    ///
    /// An unchanged cell between two changed ones is written again: four port bytes instead of six for a new address. A
    /// longer gap takes the address.
    func runs(from old: [UInt8]?, to new: [UInt8]) -> [Run] {
        var runs: [Run] = []
        var last: Int?  // the index in `cells` at which the latest run ends
        for (order, cell) in cells.enumerated() where old?[cell.index] != new[cell.index] {
            if let end = last, cell.controller == cells[end].controller, cell.position - cells[end].position <= 2,
                order - end == cell.position - cells[end].position
            {
                runs[runs.count - 1].codes += cells[(end + 1)...order].map { new[$0.index] }
            } else {
                runs.append(
                    Run(
                        controller: cell.controller, address: Self.address(of: cell.position),
                        codes: [new[cell.index]]))
            }
            last = order
        }
        return runs
    }

    private static func address(of position: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: position < lineLength ? position : position - lineLength + 0x40)
    }
}
