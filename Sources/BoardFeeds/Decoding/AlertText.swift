/// The words of a notice that comes as a headline and a description, as one paragraph.
enum AlertText {
    /// The longest text that is kept; a board shows twenty letters at a time.
    private static let longest = 1_000

    /// The headline, and the description unless one says what the other says already; both may be HTML.
    static func joined(_ header: String, _ description: String) -> String {
        let header = HTMLText.plain(header)
        let description = HTMLText.plain(description)
        let text: String
        if header.isEmpty || description.hasPrefix(header) {
            text = description
        } else if description.isEmpty || header.hasPrefix(description) {
            text = header
        } else {
            let ends = header.last.map { ".!?:".contains($0) } ?? false
            text = header + (ends ? " " : ". ") + description
        }
        guard text.count > longest else { return text }
        return text.prefix(longest).split(separator: " ").dropLast().joined(separator: " ") + " …"
    }
}
