internal import BoardCore

/// Alerts, each once: what is said of several poles, modes and lines in the same words and for the same time is one.
struct TfLAlertList {
    private struct Key: Hashable {
        let text: String
        let from: Timestamp?
        let until: Timestamp?
    }

    private var found: [Key: Alert] = [:]

    /// Adds alerts; one that is there already concerns what both concern, and matters as much as the worse of the two.
    mutating func add(_ alerts: [Alert]) {
        for alert in alerts {
            let key = Key(text: alert.text, from: alert.from, until: alert.until)
            let other = found[key] ?? alert
            found[key] = Alert(
                alert.text, scope: alert.scope.joined(with: other.scope), severity: max(alert.severity, other.severity),
                from: alert.from, until: alert.until)
        }
    }

    /// The alerts that hold at `moment`, the worst first; all of them where nobody knows what time it is.
    func alerts(at moment: Timestamp?) -> [Alert] {
        let holding = found.values.filter { alert in moment.map(alert.isActive) ?? true }
        let open = Timestamp(microseconds: .min)
        return holding.sorted {
            $0.severity == $1.severity
                ? ($0.text, $0.from ?? open, $0.until ?? open) < ($1.text, $1.from ?? open, $1.until ?? open)
                : $0.severity > $1.severity
        }
    }
}

extension Alert.Scope {
    /// What concerns the stop itself concerns all of its lines.
    fileprivate func joined(with other: Alert.Scope) -> Alert.Scope {
        guard case .lines(let mine) = self, case .lines(let others) = other else { return .stop }
        return .lines(Set(mine).union(others).sorted())
    }
}
