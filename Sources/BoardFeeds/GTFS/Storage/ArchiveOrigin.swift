internal import BoardCore

/// Where a kept archive came from, and by what the operator tells whether it has another one: kept beside it as lines of text.
struct ArchiveOrigin: Hashable, Sendable {
    /// The address without keys.
    var url: String
    /// `ETag`, as received.
    var etag: String?
    /// `Last-Modified`, as received.
    var lastModified: String?
    /// When the operator was last asked, and had nothing to put in its place.
    var checkedAt: Timestamp
    /// When the operator's next archive begins to be true, which was seen and left until then; nil: none was.
    var next: Timestamp?

    /// An archive that has come.
    init(
        url: String, etag: String? = nil, lastModified: String? = nil, checkedAt: Timestamp, next: Timestamp? = nil
    ) {
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
        self.checkedAt = checkedAt
        self.next = next
    }

    /// What the lines say; nil where they are not such a file's.
    init?(_ text: String) {
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let blank = line.firstIndex(of: " ") else { return nil }
            values[String(line[..<blank])] = String(line[line.index(after: blank)...])
        }
        guard let url = values["url"], let checkedAt = values["checked"].flatMap({ Int64($0) }) else { return nil }
        self.init(
            url: url, etag: values["etag"], lastModified: values["last-modified"],
            checkedAt: Timestamp(seconds: checkedAt),
            next: values["next"].flatMap { Int64($0) }.map { Timestamp(seconds: $0) })
    }

    /// The lines.
    var text: String {
        var lines = ["url \(url)", "checked \(checkedAt.seconds)"]
        if let next { lines.append("next \(next.seconds)") }
        if let etag { lines.append("etag \(etag)") }
        if let lastModified { lines.append("last-modified \(lastModified)") }
        return lines.map { $0 + "\n" }.joined()
    }
}
