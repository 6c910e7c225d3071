internal import BoardCore

/// Where one of a city's files is.
enum GTFSSource: Hashable, Sendable, CustomStringConvertible {
    case address(HTTPURL)
    /// A path from the root.
    case file(String)

    /// What a setting says.
    ///
    /// - Throws: ``FeedSettingFailure`` where it is neither an address that may be asked nor a path from the root.
    init(_ text: String, setting: String) throws(FeedSettingFailure) {
        if text.hasPrefix("/") {
            self = .file(text)
            return
        }
        guard let url = HTTPURL(text), url.scheme == .https || url.isLoopback else {
            throw FeedSettingFailure(
                setting: setting,
                detail: "\"\(text)\" must be an https address or a path, such as https://example.org/gtfs.zip or "
                    + "/srv/gtfs.zip")
        }
        self = .address(url)
    }

    /// The address; nil: it is a file.
    var url: HTTPURL? {
        if case .address(let url) = self { url } else { nil }
    }

    /// The address or the path.
    var description: String {
        switch self {
        case .address(let url): url.description
        case .file(let path): path
        }
    }
}
