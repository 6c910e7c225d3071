internal import BoardCore

extension Alert {
    /// Whether the alert concerns the stop or one of these lines. An empty list matches every alert.
    func touches(_ names: [String]) -> Bool {
        guard case .lines(let lines) = scope, !names.isEmpty else { return true }
        return lines.contains { line in names.contains { $0.lowercased() == line.lowercased() } }
    }
}
