internal import BoardCore

extension ValueKind<[WeeklyWindow]> {
    /// Days and hours in one text, or a list of such texts without duplicates.
    static let windows = ValueKind(
        allowed: "days, hours or both, such as \"weekdays 06:30-09:30\", or a list of such texts"
    ) { (node) throws(ValueErrors) in
        let nodes: [TOMLNode]
        switch node.value {
        case .text: nodes = [node]
        case .list(let elements) where !elements.isEmpty: nodes = elements
        default: throw .notAllowed(node)
        }
        var windows: [WeeklyWindow] = []
        var errors = ValueErrors(all: [])
        for element in nodes {
            guard case .text(let text) = element.value else {
                errors.all.append(.init(reason: .notAllowed, node: element, allowed: example))
                continue
            }
            do throws(WeeklyWindowFault) {
                let window = try WeeklyWindow(written: text)
                if windows.contains(window) {
                    errors.all.append(.init(reason: .message("is a duplicate"), node: element))
                }
                windows.append(window)
            } catch {
                errors.all.append(.init(reason: .message(error.description), node: element))
            }
        }
        guard errors.all.isEmpty else { throw errors }
        return windows
    }

    private static let example = "a text such as \"weekdays 06:30-09:30\""
}
