internal import BoardCore
internal import BoardFormats

/// The location of one of a feed's files.
enum GTFSSource: Hashable, Sendable, CustomStringConvertible {
    case address(HTTPURL)
    case file(String)

    /// - Parameter allowsPlain: whether http is allowed, since no key is sent.
    /// - Throws: ``FeedSettingFailure`` if it is neither an allowed or loopback URL nor an absolute path.
    init(_ text: String, setting: String, allowsPlain: Bool = false) throws(FeedSettingFailure) {
        if text.hasPrefix("/") {
            self = .file(text)
            return
        }
        guard let url = HTTPURL(text), url.scheme == .https || url.isLoopback || allowsPlain else {
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

    var description: String {
        switch self {
        case .address(let url): url.description
        case .file(let path): path
        }
    }
}

extension APIKeyPlacement {
    /// The key for the host of the timetable. Operators issue it for realtime requests, and another party often hosts the
    /// zip: that host gets the key only if it also serves a realtime URL, or if there are none.
    func forTimetable(at timetable: GTFSSource, realtime: [GTFSSource]) -> APIKeyPlacement {
        guard let url = timetable.url else { return self }
        let others = realtime.compactMap(\.url)
        var key = self
        key.isForOtherHost = isConfigured && !others.isEmpty && !others.contains(where: url.isSameOrigin)
        return key
    }
}
