internal import BoardCore

extension Alert {
    /// Whether it is about the stop, or about one of these lines; none: all are of interest.
    func touches(_ names: [String]) -> Bool {
        guard case .lines(let lines) = scope, !names.isEmpty else { return true }
        return lines.contains { line in names.contains { $0.lowercased() == line.lowercased() } }
    }
}
