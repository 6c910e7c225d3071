extension Drawing {
    /// Draws a client's message on all rows: on one panel, or in turns that begin with its first words.
    mutating func draw(_ message: RemoteMessage) {
        let rows = Text.wrapped(message.text, width: size.columns)
        let panels = stride(from: 0, to: rows.count, by: size.rows).map { first in
            Array(rows.dropFirst(first).prefix(size.rows))
        }
        drawInTurns(panels, since: message.since)
    }
}
