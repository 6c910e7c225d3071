internal import BoardCore

// What a person's favourites hold, in the words of favourites.toml. What those words may say is for the file to decide.
extension KeyedDecodingContainer {
    /// One of a list of words; nil where there is none. Refuses another with the list.
    func wordIfPresent<Word: RawRepresentable & CaseIterable>(
        _ key: Key, _ type: Word.Type = Word.self
    ) throws -> Word? where Word.RawValue == String {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try word(type, key)
    }

    /// A duration as "30s" or "4m"; nil where there is none.
    ///
    /// - Parameter empty: what the empty text means; nil: it is refused.
    func durationIfPresent(_ key: Key, empty: Duration? = nil) throws -> Duration? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        if text.isEmpty, let empty { return empty }
        // Nothing takes no time, and zero is what the empty text means.
        guard let duration = Duration(written: text), duration > .zero else {
            let or = empty == nil ? "" : ", or empty to take it away"
            throw refusal(key, "must be a duration such as 30s or 4m\(or)")
        }
        return duration
    }

    /// Parts of a week as "weekdays 06:30-09:30"; nil where there is no list.
    func windowsIfPresent(_ key: Key) throws -> [WeeklyWindow]? {
        guard let texts = try decodeIfPresent([String].self, forKey: key) else { return nil }
        var windows: [WeeklyWindow] = []
        for text in texts {
            do throws(WeeklyWindowFault) {
                windows.append(try WeeklyWindow(written: text))
            } catch {
                throw refusal(key, "\"\(RequestTarget.quoted(text))\" \(error)")
            }
        }
        return windows
    }
}
