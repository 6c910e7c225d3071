internal import BoardCore

// Values of favourites in the notation of favourites.toml. BoardStore checks their content.
extension KeyedDecodingContainer {
    /// One of a list of words; nil where the key is absent. Throws with the list of allowed words for any other.
    func wordIfPresent<Word: RawRepresentable & CaseIterable>(
        _ key: Key, _ type: Word.Type = Word.self
    ) throws -> Word? where Word.RawValue == String {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try word(type, key)
    }

    /// A duration as "30s" or "4m"; nil where the key is absent.
    ///
    /// - Parameter empty: the value of the empty text; nil: the empty text is an error.
    func durationIfPresent(_ key: Key, empty: Duration? = nil) throws -> Duration? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        if text.isEmpty, let empty { return empty }
        // Zero is not a walking time; the empty text means it.
        guard let duration = Duration(written: text), duration > .zero else {
            let or = empty == nil ? "" : ", or empty to remove it"
            throw invalid(key, "must be a duration such as 30s or 4m\(or)")
        }
        return duration
    }

    /// Weekly windows as "weekdays 06:30-09:30"; nil where the key is absent.
    func windowsIfPresent(_ key: Key) throws -> [WeeklyWindow]? {
        guard let texts = try decodeIfPresent([String].self, forKey: key) else { return nil }
        var windows: [WeeklyWindow] = []
        for text in texts {
            do throws(WeeklyWindowFault) {
                windows.append(try WeeklyWindow(written: text))
            } catch {
                throw invalid(key, "\"\(RequestTarget.quoted(text))\" \(error)")
            }
        }
        return windows
    }
}
