import BoardCore

/// A value that is not allowed, for a program that says so in its own words.
public struct InvalidValue: Hashable, Sendable, Codable {
    /// Why it is not allowed.
    public enum Rule: String, CaseIterable, Sendable, Codable {
        /// There is no such key.
        case unknown
        /// The key must be there, with a value.
        case missing
        /// A number instead of a text, a text instead of a list.
        case type
        /// It must be one of the words in `allowed`.
        case choice
        /// It must be from `minimum` to `maximum`.
        case range
        /// It must have from `minimum` to `maximum` characters.
        case length
        /// The operator has nothing of this name.
        case notFound = "not-found"
        /// It is not the secret that was asked for; as often as `tries` another one may be sent.
        case wrong
        /// Anything else, such as a notation.
        case format
    }

    private static let maximumKeyLength = 60

    /// The key of the body, or the parameter of the query.
    public var key: String
    public var rule: Rule
    /// The least that is allowed, in the notation of the value: "30s".
    public var minimum: String?
    /// The most that is allowed.
    public var maximum: String?
    /// How many more tries there are.
    public var tries: Int?
    /// The words or keys to choose from; empty: others as well.
    public var allowed: [String]

    public init(
        _ key: String, _ rule: Rule, minimum: String? = nil, maximum: String? = nil, tries: Int? = nil,
        allowed: [String] = []
    ) {
        // A client may invent keys.
        self.key = String(key.prefix(Self.maximumKeyLength))
        self.rule = rule
        self.minimum = minimum
        self.maximum = maximum
        self.tries = tries
        self.allowed = allowed
    }
}

/// The allowed values of a key: how to read one, and a description for messages.
struct ValueKind<Value: Sendable>: Sendable {
    /// What is allowed, as the end of "must be …".
    let allowed: String
    /// What is allowed, for programs; its key is empty.
    var rule = InvalidValue("", .format)
    /// Reads a value, or throws what is wrong with it.
    let read: @Sendable (TOMLNode) throws(ValueError) -> Value

    /// What is allowed for a key, for programs.
    func rule(of key: String) -> InvalidValue {
        var rule = rule
        rule.key = key
        return rule
    }

    /// The same kind with another result type.
    func map<Other>(_ change: @escaping @Sendable (Value) -> Other) -> ValueKind<Other> {
        let read = self.read
        return ValueKind<Other>(allowed: allowed, rule: rule) { (node) throws(ValueError) in change(try read(node)) }
    }

    /// The same kind with an additional word ("never").
    func or(_ word: String, _ value: Value) -> ValueKind {
        let read = self.read
        return ValueKind(allowed: "\"\(word)\" or \(allowed)") { (node) throws(ValueError) in
            if case .text(word) = node.value { return value }
            return try read(node)
        }
    }
}

/// The errors of a key's values.
struct ValueError: Error {
    struct Entry: Sendable {
        enum Reason: Sendable {
            case notAllowed
            /// Another complete message.
            case message(String)
        }

        let reason: Reason
        let node: TOMLNode
        /// What is allowed here, if not the same as for the whole key.
        var allowed: String?

        /// The message about a key, and what is allowed for the whole key.
        func message(key: String, allowed: String) -> String {
            let allowed = self.allowed ?? allowed
            return switch reason {
            case .notAllowed: "\(key) is \(node.found), but must be \(allowed)"
            case .message(let sentence): "\(key): \(node.found) \(sentence)"
            }
        }
    }

    var all: [Entry]

    /// One value that is not allowed; with what is allowed here, if not the same as for the whole key.
    static func notAllowed(_ node: TOMLNode, allowed: String? = nil) -> ValueError {
        ValueError(all: [Entry(reason: .notAllowed, node: node, allowed: allowed)])
    }

    /// One value, with its own message.
    static func message(_ sentence: String, _ node: TOMLNode) -> ValueError {
        ValueError(all: [Entry(reason: .message(sentence), node: node)])
    }

    /// Reads every element of a list; throws the errors of all of them. Duplicates (`isSame`) are not allowed.
    static func collect<Value>(
        _ nodes: [TOMLNode], isSame: (Value, Value) -> Bool = { _, _ in false },
        _ read: (TOMLNode) throws(ValueError) -> Value
    ) throws(ValueError) -> [Value] {
        var values: [Value] = []
        var errors = ValueError(all: [])
        for node in nodes {
            do throws(ValueError) {
                let value = try read(node)
                if values.contains(where: { isSame($0, value) }) {
                    errors.all.append(Entry(reason: .message("is a duplicate"), node: node))
                }
                values.append(value)
            } catch {
                errors.all += error.all
            }
        }
        guard errors.all.isEmpty else { throw errors }
        return values
    }
}

// MARK: - The plain kinds

extension ValueKind where Value: CaseIterable & RawRepresentable<String> {
    /// One of the words of an enumeration.
    static func choice(_ type: Value.Type = Value.self) -> ValueKind {
        .word(
            Dictionary(uniqueKeysWithValues: type.allCases.map { ($0.rawValue, $0) }),
            order: type.allCases.map(\.rawValue))
    }
}

extension ValueKind {
    /// A text that `parse` reads; nil: it is not allowed.
    static func parsed(
        _ allowed: String, rule: InvalidValue = InvalidValue("", .format),
        _ parse: @escaping @Sendable (String) -> Value?
    ) -> ValueKind {
        ValueKind(allowed: allowed, rule: rule) { (node) throws(ValueError) in
            guard case .text(let text) = node.value, let value = parse(text) else { throw .notAllowed(node) }
            return value
        }
    }

    /// One of several words, each with its value.
    static func word(_ words: [String: Value], order: [String]) -> ValueKind {
        let allowed = order.map { "\"\($0)\"" }.joinedAsAlternatives()
        return parsed(allowed, rule: InvalidValue("", .choice, allowed: order)) { words[$0] }
    }
}

extension ValueKind<Bool> {
    static var boolean: ValueKind {
        ValueKind(allowed: "true or false") { (node) throws(ValueError) in
            guard case .boolean(let value) = node.value else { throw .notAllowed(node) }
            return value
        }
    }
}

extension ValueKind<Int> {
    static func integer(_ range: ClosedRange<Int>) -> ValueKind {
        ValueKind(allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            (node) throws(ValueError) in
            guard case .integer(let value) = node.value, range.contains(value) else { throw .notAllowed(node) }
            return value
        }
    }
}

extension ValueKind<String> {
    /// One line of text that is not blank.
    static var text: ValueKind { text("one line of text that is not empty") { _ in true } }

    /// One line of text that is not blank and passes a check.
    static func text(_ allowed: String, _ check: @escaping @Sendable (String) -> Bool) -> ValueKind {
        parsed(allowed) { $0.isOneLine && check($0) ? $0 : nil }
    }
}

extension ValueKind<[String]> {
    /// A list of texts without duplicates, case-insensitive.
    ///
    /// - Parameter mayBeOne: whether a single text needs no brackets.
    static func texts(example: String, mayBeOne: Bool = false) -> ValueKind {
        let allowed = (mayBeOne ? "a text, or " : "") + "a list of texts, such as \(example)"
        return ValueKind(allowed: allowed) { (node) throws(ValueError) in
            let nodes: [TOMLNode]
            switch node.value {
            case .text where mayBeOne: nodes = [node]
            case .list(let elements) where !elements.isEmpty: nodes = elements
            default: throw .notAllowed(node)
            }
            return try ValueError.collect(nodes, isSame: { $0.lowercased() == $1.lowercased() }) {
                (element) throws(ValueError) in
                guard case .text(let text) = element.value, text.isOneLine else {
                    throw .notAllowed(element, allowed: ValueKind<String>.text.allowed)
                }
                return text
            }
        }
    }
}

// MARK: - Words

extension String {
    /// Whether it has visible text, no control characters and no line ends.
    var isOneLine: Bool { !allSatisfy(\.isWhitespace) && !hasControls }

    /// Whether it has control characters, or line ends of Unicode.
    var hasControls: Bool {
        unicodeScalars.contains { scalar in
            [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
    }
}

extension [String] {
    /// "a", "a or b", "a, b or c".
    func joinedAsAlternatives() -> String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}

// MARK: - Times

extension ValueKind<Duration> {
    /// A duration such as "30s", "4m" or "1h": a whole number and a unit.
    static func duration(_ range: ClosedRange<Duration>) -> ValueKind {
        parsed(allowed(range)) { text in Duration(written: text).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// A duration as in ``duration(_:)``, or a number of minutes: 4.
    static func minutes(_ range: ClosedRange<Duration>) -> ValueKind {
        ValueKind(allowed: allowed(range) + ", or a number of minutes", rule: rule(range)) {
            (node) throws(ValueError) in
            guard let text = node.numberOrText, let duration = Duration(written: text) ?? Duration(written: text + "m"),
                range.contains(duration)
            else { throw .notAllowed(node) }
            return duration
        }
    }

    private static func rule(_ range: ClosedRange<Duration>) -> InvalidValue {
        InvalidValue("", .range, minimum: range.lowerBound.written, maximum: range.upperBound.written)
    }

    private static func allowed(_ range: ClosedRange<Duration>) -> String {
        "a duration from \(range.lowerBound.written) to \(range.upperBound.written), such as \"30s\" or \"4m\""
    }
}

extension ValueKind<Int> {
    /// A time of day such as "22:30", in minutes after midnight.
    static let timeOfDay = parsed("a time of day from \"00:00\" to \"23:59\"") { Int(timeOfDay: $0) }
}

extension ValueKind<Set<Weekday>> {
    /// A word for several days, or a list of days.
    static let days = {
        let allowed = "\"daily\", \"weekdays\", \"weekend\" or a list of days, such as [\"mon\", \"fri\"]"
        return ValueKind(allowed: allowed) { (node) throws(ValueError) in
            switch node.value {
            case .text(let text):
                guard let days = WeeklyWindow.days(called: text) else { throw .notAllowed(node) }
                return days
            case .list(let nodes) where !nodes.isEmpty: return try list(nodes)
            default: throw .notAllowed(node)
            }
        }
    }()

    private static func list(_ nodes: [TOMLNode]) throws(ValueError) -> Set<Weekday> {
        let names = Weekday.allCases.map { "\($0)" }
        let days = try ValueError.collect(nodes, isSame: ==) { (node) throws(ValueError) -> Weekday in
            guard case .text(let text) = node.value, let index = names.firstIndex(of: text) else {
                throw .notAllowed(node, allowed: names.map { "\"\($0)\"" }.joinedAsAlternatives())
            }
            return Weekday.allCases[index]
        }
        return Set(days)
    }
}

extension ValueKind<[WeeklyWindow]> {
    /// Days and hours in one text, or a list of such texts without duplicates.
    static let windows = ValueKind(
        allowed: "days, hours or both, such as \"weekdays 06:30-09:30\", or a list of such texts"
    ) { (node) throws(ValueError) in
        let nodes: [TOMLNode]
        switch node.value {
        case .text: nodes = [node]
        case .list(let elements) where !elements.isEmpty: nodes = elements
        default: throw .notAllowed(node)
        }
        return try ValueError.collect(nodes, isSame: ==) { (element) throws(ValueError) in
            guard case .text(let text) = element.value else {
                throw .notAllowed(element, allowed: "a text such as \"weekdays 06:30-09:30\"")
            }
            do {
                return try WeeklyWindow(written: text)
            } catch {
                throw .message("\(error)", element)
            }
        }
    }
}
