internal import BoardCore

/// The order in which the controller walks through its cells, and what of it a picture's change needs.
struct CellMap: Hashable, Sendable {
    /// Cells that follow each other without a new address.
    struct Run: Hashable, Sendable {
        /// The first cell's address in the controller.
        let address: UInt8
        /// The codes from there on.
        var codes: [UInt8]
    }

    private struct Cell: Hashable, Sendable {
        /// In the frame, row after row.
        let index: Int
        /// In the controller, counted as its address counter does: line 1 goes on where line 0 ends.
        let position: Int
    }

    /// Cells of one line of the controller: its counter goes from 27 to 40, and from 67 back to 00 (data sheet,
    /// DDRAM addresses in two-line mode).
    private static let lineLength = 40

    private let cells: [Cell]

    /// The walk through a panel. On four rows it is 0, 2, 1, 3.
    init(_ panel: Panel) {
        cells = panel.rowAddresses.prefix(panel.size.rows).enumerated().flatMap { row, address in
            (0..<panel.size.columns).map { column in
                let line = address < 0x40 ? Int(address) : Int(address) - 0x40 + Self.lineLength
                return Cell(index: row * panel.size.columns + column, position: line + column)
            }
        }.sorted { $0.position < $1.position }
    }

    /// What has to be written to turn one picture into another; everything if nothing is known of the old one.
    ///
    /// An unchanged cell between two changed ones is written again: four port bytes against six for a new address. A
    /// longer gap takes the address.
    func runs(from old: [UInt8]?, to new: [UInt8]) -> [Run] {
        var runs: [Run] = []
        var last: Int?  // the cell, in the order of the walk, with which the latest run ends
        for (order, cell) in cells.enumerated() where old?[cell.index] != new[cell.index] {
            if let end = last, cell.position - cells[end].position <= 2,
                order - end == cell.position - cells[end].position
            {
                runs[runs.count - 1].codes += cells[(end + 1)...order].map { new[$0.index] }
            } else {
                runs.append(Run(address: Self.address(of: cell.position), codes: [new[cell.index]]))
            }
            last = order
        }
        return runs
    }

    private static func address(of position: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: position < lineLength ? position : position - lineLength + 0x40)
    }
}
