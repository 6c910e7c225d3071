import BoardCore
import BoardService
import BoardStore
import FoundationEssentials

/// index.html with all that its script needs to start, and a board for browsers without scripts.
struct IndexPage {
    /// The index.html of the page's folder, with the placeholders `{{language}}`, `{{name}}`, `{{board}}`, `{{page}}`,
    /// `{{live}}`, `{{version}}` (that of `live`), and `{{words.KEY}}` for the texts of the page in ``Words``.
    let template: String
    let info: PageInfo
    /// Nil for a client that may not look.
    let live: (state: LiveState, version: UInt64)?

    /// The filled template. An unknown placeholder stays, so that a test finds it.
    var html: String {
        get throws(ServiceError) {
            let words = info.language.words
            let board = live.map { PlainBoard(live: $0.state, words: words).html }
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
                case "name": html += (live?.state.name ?? info.name).escaped
                case "board":
                    html += board ?? "<h1>\(info.name.escaped)</h1>\n<p>\(words.page("onlyPaired").escaped)</p>"
                case "page": html += try Self.block(info)
                case "live": html += try Self.block(live?.state)
                case "version": html += live.map { "\($0.version)" } ?? ""
                case _ where key.hasPrefix("words."):
                    html += words.page[String(key.dropFirst(6))]?.escaped ?? "{{\(key)}}"
                default: html += "{{\(key)}}"
                }
                html += part[end.upperBound...]
            }
            return html
        }
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

/// What a viewer of the page may do, and the texts of the page: the response to `GET /v1/page`.
struct PageInfo: Sendable, Encodable {
    /// The background of the map.
    struct Tiles: Sendable, Encodable {
        /// The server: "openstreetmap.org".
        let name: String
        /// The address of a tile, with {z}, {x} and {y}.
        let url: String
        /// Shown on the map; empty: the name of the server.
        let attribution: String
        /// The address that the attribution leads to.
        let terms: String?
    }

    /// The name of the machine.
    let name: String
    let version: String
    let language: Language
    /// Whether this request may change something.
    let mayChange: Bool
    let change: PageOptions.Change
    /// The name of the paired device that sent the request.
    let device: String?
    /// Whether that device may set up the board.
    let isOwner: Bool
    /// Whether a device that is paired now may.
    let setsUp: Bool
    /// The texts of the page; index.html leaves out those of the set-up, which few open.
    let words: [String: String]
    /// Nil: none is configured.
    let tiles: Tiles?
    /// The origin at which another device finds the page: "http://192.168.1.5".
    let address: String
}

/// The board for a browser without scripts: the picture of its display, and the names of its stops.
private struct PlainBoard {
    let live: LiveState
    let words: Words

    var html: String {
        let faults = [live.faults.configuration, live.faults.display, live.faults.buttons].compactMap(\.self)
        let rows = live.display.rows.map(\.escaped).joined(separator: "\n")
        var parts = ["<h1>\(isolated(live.name))</h1>"]
        if live.timeSource == .wall || live.timeSource == .disputed {
            parts.append(notice(words.page("uncertainTime")))
        }
        if !faults.isEmpty { parts.append(notice("\(words.page("faults")) \(faults.joined(separator: " · "))")) }
        parts.append("<p><img id=\"picture\" src=\"/v1/display.svg\" alt=\"\(rows)\"></p>")
        parts += live.stops.map { stop in
            "<p>\(isolated([stop.label ?? stop.name, stop.letter].compactMap(\.self).joined(separator: " ")))</p>"
        }
        if live.stops.isEmpty { parts.append("<p>\(words.page("noFavourites").escaped)</p>") }
        var attributions: [String] = []
        for stop in live.stops where !attributions.contains(stop.attribution) { attributions.append(stop.attribution) }
        parts.append("<p class=\"soft\">\(attributions.joined(separator: " · ").escaped)</p>")
        return parts.joined(separator: "\n")
    }

    private func notice(_ sentence: String) -> String {
        "<p class=\"notice warn\" dir=\"auto\">\(sentence.escaped)</p>"
    }

    /// A text of any direction, without effect on its surroundings.
    private func isolated(_ text: String) -> String { "<bdi dir=\"auto\">\(text.escaped)</bdi>" }
}
