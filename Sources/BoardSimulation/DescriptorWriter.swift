internal import BoardIO

/// Writes complete texts to a file descriptor, without the C library's streams.
struct DescriptorWriter: Sendable {
    /// Not closed by this type.
    let descriptor: Int32

    /// Writes all of `text`.
    ///
    /// - Returns: the `errno`; 0 on success.
    func write(_ text: String) -> Int32 { writeAll(Array(text.utf8).span, to: descriptor) }
}
