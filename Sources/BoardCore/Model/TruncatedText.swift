extension String {
    /// The longest text of a row or a page that is kept, in Unicode scalars: no name and no reason of an operator has as many,
    /// and drawing takes the longer the longer it is.
    private static let longestDrawn = 512

    /// The text, cut to what can be drawn in good time, whatever an operator sends.
    @inline(__always) var truncatedForDisplay: String {
        // Counting scalars goes through the whole text, UTF-8's length is known. A board has thousands of short names.
        utf8.count <= Self.longestDrawn ? self : cutToBeDrawn
    }

    @inline(never) private var cutToBeDrawn: String { String(unicodeScalars.prefix(Self.longestDrawn)) }
}
