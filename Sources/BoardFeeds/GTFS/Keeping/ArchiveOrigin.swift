internal import BoardCore

/// Where a kept archive came from, and by what the operator tells whether it has another one: kept beside it as lines of text.
struct ArchiveOrigin: Hashable, Sendable {
    /// The address without keys.
    var url: String
    /// `ETag`, as received.
    var tag: String?
    /// `Last-Modified`, as received.
    var modified: String?
    /// When the operator was last asked, and had nothing to put in its place.
    var checked: Timestamp
    /// When the operator's next archive begins to be true, which was seen and left until then; nil: none was.
    var next: Timestamp?

    /// An archive that has come.
    init(
        url: String, tag: String? = nil, modified: String? = nil, checked: Timestamp, next: Timestamp? = nil
    ) {
        self.url = url
        self.tag = tag
        self.modified = modified
        self.checked = checked
        self.next = next
    }

    /// What the lines say; nil where they are not such a file's.
    init?(_ text: String) {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let blank = line.firstIndex(of: " ") else { return nil }
            values[String(line[..<blank])] = String(line[line.index(after: blank)...])
        }
        guard let url = values["url"], let checked = values["checked"].flatMap({ Int64($0) }) else { return nil }
        self.init(
            url: url, tag: values["etag"], modified: values["last-modified"], checked: Timestamp(seconds: checked),
            next: values["next"].flatMap { Int64($0) }.map { Timestamp(seconds: $0) })
    }

    /// The lines.
    var text: String {
        var lines = ["url \(url)", "checked \(checked.seconds)"]
        if let next { lines.append("next \(next.seconds)") }
        if let tag { lines.append("etag \(tag)") }
        if let modified { lines.append("last-modified \(modified)") }
        return lines.map { $0 + "\n" }.joined()
    }
}
