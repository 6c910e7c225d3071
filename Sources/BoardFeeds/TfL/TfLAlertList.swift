internal import BoardCore

/// A list of distinct alerts: those of several stops, modes and lines with equal texts and periods are merged.
struct TfLAlertList {
    private struct Key: Hashable {
        let text: String
        let from: Timestamp?
        let until: Timestamp?
    }

    private var alertsByKey: [Key: Alert] = [:]

    /// Adds alerts; merged ones have both scopes and the worse of the two severities.
    mutating func add(_ alerts: [Alert]) {
        for alert in alerts {
            let key = Key(text: alert.text, from: alert.from, until: alert.until)
            let other = alertsByKey[key] ?? alert
            alertsByKey[key] = Alert(
                alert.text, scope: alert.scope.joined(with: other.scope), severity: max(alert.severity, other.severity),
                from: alert.from, until: alert.until)
        }
    }

    /// The alerts that are active at `moment`, worst first; all of them if the time is unknown.
    func alerts(at moment: Timestamp?) -> [Alert] {
        let active = alertsByKey.values.filter { alert in moment.map(alert.isActive) ?? true }
        let unbounded = Timestamp(microseconds: .min)
        return active.sorted {
            $0.severity == $1.severity
                ? ($0.text, $0.from ?? unbounded, $0.until ?? unbounded) < (
                    $1.text, $1.from ?? unbounded, $1.until ?? unbounded
                )
                : $0.severity > $1.severity
        }
    }
}

extension Alert.Scope {
    /// The union; an alert for the stop concerns all of its lines.
    fileprivate func joined(with other: Alert.Scope) -> Alert.Scope {
        guard case .lines(let mine) = self, case .lines(let others) = other else { return .stop }
        return .lines(Set(mine).union(others).sorted())
    }
}
