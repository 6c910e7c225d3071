public import BoardCore

/// Which of an operator's names for one thing the board shows.
public struct NameChoice: Hashable, Sendable {
    /// The board's language, such as "de".
    public var language: String
    public let display: DrawnText

    public init(language: Language = .english, display: DrawnText = .any) {
        self.language = language.rawValue
        self.display = display
    }

    /// The name in the board's language; else the operator's own if the display can draw it; else the English one, or the first
    /// other one that it can draw.
    ///
    /// - Parameters:
    ///   - languages: those that there may be, such as "ja-Hrkt", in any order.
    ///   - translation: the name in one of them, if there is one.
    func name(_ own: String, _ languages: [String], _ translation: (String) -> String?) -> String {
        guard !languages.isEmpty else { return display.text(own) ?? own }
        let (preferred, others) = (Self.primary(language), languages.sorted())
        if let name = others.lazy.filter({ Self.primary($0) == preferred }).compactMap(translation).first {
            return name
        }
        if let name = display.text(own) { return name }
        let english = others.filter { Self.primary($0) == Language.english.rawValue }
        return (english + others).lazy.compactMap(translation).compactMap(display.text).first ?? own
    }

    /// The language of a tag, without its script and region: "ja" of "ja-Hrkt".
    private static func primary(_ tag: String) -> String {
        tag.split { $0 == "-" || $0 == "_" }.first?.lowercased() ?? ""
    }
}
