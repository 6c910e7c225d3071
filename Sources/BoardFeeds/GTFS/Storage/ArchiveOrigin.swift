internal import BoardCore

/// The URL of a stored archive and the validators of conditional requests: stored beside the archive as lines of text.
struct ArchiveOrigin: Hashable, Sendable {
    /// The URL without API keys.
    var url: String
    /// `ETag`, as received.
    var etag: String?
    /// `Last-Modified`, as received.
    var lastModified: String?
    /// The time of the last request.
    var checkedAt: Timestamp
    /// The start of the operator's next archive, which was found and postponed until then; nil if none.
    var next: Timestamp?

    init(
        url: String, etag: String? = nil, lastModified: String? = nil, checkedAt: Timestamp, next: Timestamp? = nil
    ) {
        self.url = url
        self.etag = etag
        self.lastModified = lastModified
        self.checkedAt = checkedAt
        self.next = next
    }

    /// Parses the lines; nil if malformed.
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

    /// The lines to store.
    var text: String {
        var lines = ["url \(url)", "checked \(checkedAt.seconds)"]
        if let next { lines.append("next \(next.seconds)") }
        if let etag { lines.append("etag \(etag)") }
        if let lastModified { lines.append("last-modified \(lastModified)") }
        return lines.map { $0 + "\n" }.joined()
    }
}
