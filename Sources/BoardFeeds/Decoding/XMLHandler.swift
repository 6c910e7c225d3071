/// What hears the elements of a document, one by one. Made for one document.
protocol XMLHandler {
    /// An element begins.
    ///
    /// - Parameters:
    ///   - name: the index of its local name in the vocabulary.
    ///   - parent: that of the element around it; ``XMLVocabulary/unknown`` for the outermost one.
    ///   - attributes: what its tag holds; good for this call only.
    /// - Returns: whether anything inside matters; false: the next that is heard comes after its end.
    mutating func open(_ name: Int, in parent: Int, _ attributes: XMLAttributes) -> Bool

    /// An element that was heard to begin ends, unless nothing inside of it mattered.
    ///
    /// - Parameter text: what stands in it before its first inner tag, where there is none all of its text; empty where
    ///   an inner element was heard.
    mutating func close(_ name: Int, in parent: Int, _ text: Span<UInt8>)
}

extension XMLHandler {
    /// As `open`, on the listener at an address: expat calls functions that know no types, and this type it is called on.
    static func open(_ handler: UnsafeMutableRawPointer, _ name: Int, _ parent: Int, _ attributes: XMLAttributes)
        -> Bool
    {
        unsafe handler.assumingMemoryBound(to: Self.self).pointee.open(name, in: parent, attributes)
    }

    /// As `close`, on the listener at an address.
    static func close(_ handler: UnsafeMutableRawPointer, _ name: Int, _ parent: Int, _ text: Span<UInt8>) {
        unsafe handler.assumingMemoryBound(to: Self.self).pointee.close(name, in: parent, text)
    }
}

/// The attributes of one tag, where the parser has them.
@safe
struct XMLAttributes {
    private let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    /// Of what has no attributes.
    static var none: XMLAttributes { unsafe XMLAttributes(nil) }

    /// Names and values by turns, ended by nil.
    init(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        unsafe self.list = unsafe list
    }

    /// The value of an attribute by the local part of its name; nil where there is none.
    subscript(name: String) -> String? {
        guard let list = unsafe list else { return nil }
        var index = 0
        while let key = unsafe list[index], let value = unsafe list[index + 1] {
            let qualified = unsafe String(cString: key)
            if qualified == name || qualified.hasSuffix(":" + name) { return unsafe String(cString: value) }
            index += 2
        }
        return nil
    }
}
