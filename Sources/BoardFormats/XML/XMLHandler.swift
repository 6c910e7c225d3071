/// Receives the elements of one document.
package protocol XMLHandler {
    /// Called at a start tag.
    ///
    /// - Parameters:
    ///   - name: the index of its local name in the vocabulary.
    ///   - parent: the index of the enclosing element; ``XMLVocabulary/unknown`` for the outermost one.
    ///   - attributes: valid during this call only.
    /// - Returns: false to skip the element's content and its end.
    mutating func open(_ name: Int, in parent: Int, _ attributes: XMLAttributes) -> Bool

    /// Called at the end tag of an element that was not skipped.
    ///
    /// - Parameter text: the text before the first inner element, or all of it if there is none; empty if an inner element
    ///   was not skipped.
    mutating func close(_ name: Int, in parent: Int, _ text: Span<UInt8>)
}

extension XMLHandler {
    /// As `open`, on the handler at an address: expat's callbacks are untyped C functions.
    static func open(_ handler: UnsafeMutableRawPointer, _ name: Int, _ parent: Int, _ attributes: XMLAttributes)
        -> Bool
    {
        unsafe handler.assumingMemoryBound(to: Self.self).pointee.open(name, in: parent, attributes)
    }

    /// As `close`, on the handler at an address.
    static func close(_ handler: UnsafeMutableRawPointer, _ name: Int, _ parent: Int, _ text: Span<UInt8>) {
        unsafe handler.assumingMemoryBound(to: Self.self).pointee.close(name, in: parent, text)
    }
}

/// The attributes of one tag, in the parser's memory.
@safe
package struct XMLAttributes {
    private let list: UnsafeMutablePointer<UnsafePointer<CChar>?>?

    /// No attributes.
    static var none: XMLAttributes { unsafe XMLAttributes(nil) }

    /// - Parameter list: alternating names and values, terminated by nil.
    init(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        unsafe self.list = unsafe list
    }

    /// The value of an attribute by its local name; nil if absent.
    package subscript(name: String) -> String? {
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
