extension Drawing {
    /// Draws the address of the page: on one panel, or in turns where there is no room.
    mutating func drawAddress() {
        drawInTurns(addressPanels(under: words.openInBrowser))
        // As on a detail page: a press moves no text.
        if isPressed { put(" " + Self.pressed, row: 0, column: size.columns - 2) }
    }

    /// Shows what to do on a phone and on the Pi, and its name and address; in turns where there is no room for all.
    mutating func drawFirstStart() {
        let forms = Text.fill(words.noFavourites, word: board.machine)
        let setup = Text.page(forms, width: size.columns, rows: size.rows)
        guard board.page == nil else { return drawInTurns(addressPanels(under: words.addByPhone) + [setup]) }
        let hasMachine = setup.joined(separator: " ").hasSuffix(board.machine)
        let machine = Text.page([board.machine], width: size.columns, rows: size.rows)
        drawInTurns(hasMachine ? [setup] : [setup, machine])
    }

    /// The address and the name under a heading, whose last form fits a row.
    private func addressPanels(under heading: [String]) -> [[String]] {
        guard let address = board.page?.address else {
            return [Text.page(words.noAddress, width: size.columns, rows: size.rows)]
        }
        let rows = Text.wrapped(address, width: size.columns)
        // A part of a name is no name.
        let names = board.page?.name.map { Text.fill(words.orName, word: $0) + [$0] } ?? []
        let name = names.first { $0.count <= size.columns }.map { [$0] } ?? []
        let row = (rows + name).joined(separator: " ")
        let both = rows.count == 1 && row.count <= size.columns ? [row] : rows + name
        if let title = Text.fittingPage(heading, width: size.columns, rows: size.rows - both.count) {
            return [title + both]
        }
        let title = heading.suffix(1)
        let alone = names.last { $0.count <= size.columns }.map { [[$0]] } ?? []
        return ([rows] + alone).flatMap { rows in
            let panels = title + rows
            if panels.count <= size.rows { return [Array(panels)] }
            return [Text.page(heading, width: size.columns, rows: size.rows)]
                + stride(from: 0, to: rows.count, by: size.rows).map { Array(rows.dropFirst($0).prefix(size.rows)) }
        }
    }
}
