/// Where the bytes of a table come from, in pieces of any size.
protocol ByteSource: AnyObject {
    /// Puts the next bytes into a part of `buffer`.
    ///
    /// - Parameter room: where they go; not empty.
    /// - Returns: how many; 0: there are no more.
    func read(into buffer: inout [UInt8], _ room: Range<Int>) throws(GTFSFailure) -> Int
}
