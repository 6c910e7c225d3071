extension Drawing {
    /// Draws the digits, and that a press declines: on one panel, or in turns where there is no room. With two rows or
    /// more the digits stay in view.
    mutating func draw(_ pairing: Pairing) {
        switch pairing {
        case .ended(let isPaired, _): drawPage(isPaired ? words.phonePaired : words.phoneDeclined)
        case .requested(let code, _):
            let shown = hidesCode ? String(repeating: "*", count: code.count) : code
            let digits = Text.fill([words.pairingCode], code: shown.prefix(3) + " " + shown.dropFirst(3)).joined()
            let forms = words.pressDeclines.flatMap { decline in
                ["\n", " "].map { words.pairPhone + $0 + digits + "\n" + decline }
            }
            if let page = Text.fittingPage(forms, width: size.columns, rows: size.rows) { return drawInTurns([page]) }
            let texts = [words.pairPhone] + words.pressDeclines.suffix(1)
            drawInTurns(size.rows > 1 ? texts.map { [$0, digits] } : [texts[0], digits, texts[1]].map { [$0] })
        }
    }
}
