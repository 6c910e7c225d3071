internal import BoardCore
internal import BoardFormats

/// The URL of a stored archive and the validators of conditional requests: stored beside the archive as lines of text.
struct ArchiveOrigin: Hashable, Sendable {
    /// The URL without API keys.
    var url: String
    var etag: String?
    var lastModified: String?
    var checkedAt: Timestamp
    /// The start of the operator's next archive, which was found and postponed until then; nil if none.
    var next: Timestamp?
}

extension ArchiveOrigin {
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

    var text: String {
        var lines = ["url \(url)", "checked \(checkedAt.seconds)"]
        if let next { lines.append("next \(next.seconds)") }
        if let etag { lines.append("etag \(etag)") }
        if let lastModified { lines.append("last-modified \(lastModified)") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The headers of a conditional request.
    var conditions: [HTTPResponse.Header] {
        [etag.map { .init("If-None-Match", $0) }, lastModified.map { .init("If-Modified-Since", $0) }]
            .compactMap(\.self)
    }
}
