internal import BoardCore

extension ValueKind<[WeeklyWindow]> {
    /// Days and hours in one text, or a list of such texts, of which none says the same as another.
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
        var refusals = ValueErrors(all: [])
        for element in nodes {
            guard case .text(let text) = element.value else {
                refusals.all.append(.init(reason: .notAllowed, node: element, allowed: example))
                continue
            }
            do throws(WeeklyWindowFault) {
                let window = try WeeklyWindow(written: text)
                if windows.contains(window) {
                    refusals.all.append(.init(reason: .message("is there twice"), node: element))
                }
                windows.append(window)
            } catch {
                refusals.all.append(.init(reason: .message(error.description), node: element))
            }
        }
        guard refusals.all.isEmpty else { throw refusals }
        return windows
    }

    private static let example = "a text such as \"weekdays 06:30-09:30\""
}
