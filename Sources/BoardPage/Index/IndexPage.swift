internal import BoardControl
internal import BoardCore
internal import BoardService
internal import FoundationEssentials

/// index.html with what the board shows: readable without its script, and complete for it without another request.
struct IndexPage {
    /// The index.html of the page's folder, with the placeholders `{{language}}`, `{{name}}`, `{{board}}`, `{{page}}`,
    /// `{{live}}`, and `{{words.KEY}}` for the texts of ``PageWords``.
    let template: String
    let info: PageInfo
    /// Nil for a client that may not look.
    let live: LiveState?

    /// The filled template. A placeholder that is not known stays, so that a test finds it.
    var html: String {
        get throws(ServiceError) {
            let words = try texts()
            let board = live.map { BoardMarkup(live: $0, words: PageWords.of(info.language)).html }
            var parts = template.split(separator: "{{", omittingEmptySubsequences: false)[...]
            var html = String(parts.popFirst() ?? "")
            for part in parts {
                guard let end = part.firstRange(of: "}}") else {
                    html += "{{" + part
                    continue
                }
                let key = part[..<end.lowerBound]
                switch key {
                case "language": html += info.language.rawValue
                case "name": html += (live?.name ?? info.name).escaped
                case "board":
                    html += board ?? "<h1>\(info.name.escaped)</h1>\n<p>\(words["onlyPaired", default: ""].escaped)</p>"
                case "page": html += try Self.block(info)
                case "live": html += try Self.block(live)
                case _ where key.hasPrefix("words."):
                    html += words[String(key.dropFirst(6))]?.escaped ?? "{{\(key)}}"
                default: html += "{{\(key)}}"
                }
                html += part[end.upperBound...]
            }
            return html
        }
    }

    private func texts() throws(ServiceError) -> [String: String] {
        let json = try ControlResponse.text(PageWords.of(info.language))
        return (try? JSONDecoder().decode([String: String].self, from: Data(json.utf8))) ?? [:]
    }

    /// JSON inside a script element: without `<`, no text can end the element or begin a comment.
    private static func block(_ value: some Encodable) throws(ServiceError) -> String {
        try ControlResponse.text(value).replacing("<", with: "\\u003C")
    }
}

extension String {
    /// The text in HTML: as content, and as an attribute's value in quotes.
    var escaped: String { XMLText.escaped(asPrintedLine) }
}
