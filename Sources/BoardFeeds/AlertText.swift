internal import BoardFormats

/// The text of an alert with a headline and a description, as one paragraph.
enum AlertText {
    /// The longest text, in characters; a display shows twenty at a time.
    private static let longest = 1_000

    /// The headline and the description, unless one begins with the other; both may be HTML.
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
