internal import BoardCore
internal import BoardFormats

/// The location of one of a feed's files.
enum GTFSSource: Hashable, Sendable, CustomStringConvertible {
    case address(HTTPURL)
    /// An absolute path.
    case file(String)

    /// Parses a setting.
    ///
    /// - Throws: ``FeedSettingFailure`` if it is neither an https or loopback URL nor an absolute path.
    init(_ text: String, setting: String) throws(FeedSettingFailure) {
        if text.hasPrefix("/") {
            self = .file(text)
            return
        }
        guard let url = HTTPURL(text), url.scheme == .https || url.isLoopback else {
            throw FeedSettingFailure(
                setting: setting,
                detail: "\"\(text)\" must be an https URL or a path, such as https://example.org/gtfs.zip or "
                    + "/srv/gtfs.zip")
        }
        self = .address(url)
    }

    var url: HTTPURL? {
        if case .address(let url) = self { url } else { nil }
    }

    /// The URL or the path.
    var description: String {
        switch self {
        case .address(let url): url.description
        case .file(let path): path
        }
    }
}
