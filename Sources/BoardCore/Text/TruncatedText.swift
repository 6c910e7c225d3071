extension String {
    /// The maximum length of a text on a row or page, in Unicode scalars. Real names and reasons are shorter, and
    /// drawing time grows with the length.
    private static let maximumScalars = 512

    /// The text, cut to a length that is fast to draw.
    @inline(__always) var truncatedForDisplay: String {
        // UTF-8's length is available, counting scalars reads the whole text. A board has thousands of short names.
        utf8.count <= Self.maximumScalars ? self : truncatedScalars
    }

    @inline(never) private var truncatedScalars: String { String(unicodeScalars.prefix(Self.maximumScalars)) }
}
