/// Splits a JSON text that arrives in chunks of any size into the elements of one array, so that a list of any length needs no
/// more memory than its largest element.
///
/// The array is the outermost value, or a named member of the outermost object. The structure around the elements is checked
/// here, each element by ``JSONDocument``. Elements above the limits of size and depth are counted and dropped.
package struct JSONElementSplitter {
    private enum State {
        case beginning, notJSON, beforeKey, afterComma, afterKey, beforeValue, afterValue
        case beforeElement, afterElementComma, afterElement, end
        case inside(Part)
    }

    private enum Part {
        case key, value, element
    }

    /// The longest stored name or value of the outermost object; those of interest have 8 bytes.
    private static let longestScalar = 64
    /// The most stored scalars.
    private static let maxScalars = 32
    /// The largest buffer that is reused for the next element; the usual elements of stop lists have 1 to 60 kB.
    private static let maxReusedCapacity = 262_144

    private let name: String
    private let largest: Int
    private let maxDepth: Int
    private var state = State.beginning
    private var scanner: JSONValueScanner?
    private var key = ""
    private var hasArray = false
    private var isOutermost = false
    /// Whether the scanned value is too large.
    private var isTooLarge = false
    private var isHandedOver = false
    /// How many bytes of a byte order mark were read.
    private var mark = 0
    private var received = 0

    /// The bytes of the element that ``next(in:from:)`` found, until its next call.
    package private(set) var element: [UInt8] = []
    /// The number of elements so far, valid or not.
    package private(set) var elements = 0
    /// The number of elements so far that were dropped as too large or too deep.
    package private(set) var rejected = 0
    /// Numbers, literals and short texts of the outermost object, as received.
    private(set) var scalars: [String: String] = [:]

    /// - Parameters:
    ///   - name: the name of the array in the outermost object; ignored for an outermost array.
    ///   - largest: the most bytes of an element.
    package init(array name: String, largest: Int = 2_097_152, maxDepth: Int = JSONDocument.maxDepth) {
        self.name = name
        self.largest = largest
        self.maxDepth = maxDepth
    }

    /// An integer of the outermost object, quoted or not; nil until it is read.
    package func integer(_ name: String) -> Int? {
        scalars[name].flatMap { Int($0.filter { $0 != "\"" }) }
    }

    /// Reads up to the end of the next element.
    ///
    /// - Parameter position: the position in `chunk`, which is advanced.
    /// - Returns: whether ``element`` holds an element; false: the whole of `chunk` was read.
    /// - Throws: ``JSONFault`` for malformed JSON or an unexpected structure; the splitter cannot continue.
    package mutating func next(in chunk: Span<UInt8>, from position: inout Int) throws(JSONFault) -> Bool {
        if isHandedOver {
            isHandedOver = false
            reset()
        }
        while position < chunk.count {
            if case .inside(let part) = state {
                if scan(part, chunk, &position) { return true }
            } else if try step(chunk[position]) {
                position += 1
                received += 1
            }
        }
        return false
    }

    /// Checks that the text is complete.
    ///
    /// - Throws: ``JSONFault`` if it is truncated, empty, or has no such array.
    package func finish() throws(JSONFault) {
        switch state {
        case .end: if !hasArray { throw .unexpectedStructure }
        case .beginning, .notJSON: throw JSONFault(body: element) ?? .truncated(after: received)
        default: throw .truncated(after: received)
        }
    }

    /// Reads a byte of the structure; false: it begins a value and must be scanned.
    private mutating func step(_ byte: UInt8) throws(JSONFault) -> Bool {
        if case .beginning = state { return try open(byte) }
        if case .notJSON = state { return try quote(byte) }
        if byte.isBlank { return true }
        switch (state, byte) {
        case (.beforeKey, UInt8(ascii: "}")), (.afterValue, UInt8(ascii: "}")):
            state = .end
        case (.beforeKey, UInt8(ascii: "\"")), (.afterComma, UInt8(ascii: "\"")):
            return try begin(.key, with: byte)
        case (.afterKey, UInt8(ascii: ":")):
            state = .beforeValue
        case (.beforeValue, UInt8(ascii: "[")) where key == name:
            hasArray = true
            state = .beforeElement
        case (.beforeValue, _):
            return try begin(.value, with: byte)
        case (.afterValue, UInt8(ascii: ",")):
            state = .afterComma
        case (.beforeElement, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")):
            state = isOutermost ? .end : .afterValue
        case (.beforeElement, _), (.afterElementComma, _):
            return try begin(.element, with: byte)
        case (.afterElement, UInt8(ascii: ",")):
            state = .afterElementComma
        default:
            throw .malformed(after: received)
        }
        return true
    }

    private mutating func open(_ byte: UInt8) throws(JSONFault) -> Bool {
        if mark < JSONFault.byteOrderMark.count, byte == JSONFault.byteOrderMark[mark] {
            mark += 1
        } else if byte == UInt8(ascii: "{") {
            state = .beforeKey
        } else if byte == UInt8(ascii: "[") {
            isOutermost = true
            hasArray = true
            state = .beforeElement
        } else if !byte.isBlank {
            state = .notJSON
            return false
        }
        return true
    }

    /// Collects the beginning of a text that is not JSON, until it suffices for the message.
    private mutating func quote(_ byte: UInt8) throws(JSONFault) -> Bool {
        element.append(byte)
        let isEnough = element.count >= JSONFault.quoted || byte == UInt8(ascii: "<") || byte == 0x1F
        if isEnough, let fault = JSONFault(body: element) { throw fault }
        return true
    }

    private mutating func begin(_ part: Part, with byte: UInt8) throws(JSONFault) -> Bool {
        scanner = JSONValueScanner(before: byte)
        guard scanner != nil else { throw .malformed(after: received) }
        state = .inside(part)
        return false
    }

    /// Scans for the end of a value; true: an element is complete.
    private mutating func scan(_ part: Part, _ chunk: Span<UInt8>, _ position: inout Int) -> Bool {
        let end = scanner?.end(in: chunk, from: position)
        append(chunk.extracting(position..<(end ?? chunk.count)), of: part)
        received += (end ?? chunk.count) - position
        position = end ?? chunk.count
        guard end != nil else { return false }
        switch part {
        case .key:
            key = isTooLarge ? "" : String(decoding: element.dropFirst().dropLast(), as: UTF8.self)
            state = .afterKey
        case .value:
            // A structure is not a scalar, whatever its size.
            let isScalar = scanner?.maxDepth == 0 && !isTooLarge && scalars.count < Self.maxScalars
            if isScalar { scalars[key] = String(decoding: element, as: UTF8.self) }
            state = .afterValue
        case .element:
            elements += 1
            state = .afterElement
            if !isTooLarge, let depth = scanner?.maxDepth, depth <= maxDepth {
                isHandedOver = true
                return true
            }
            rejected += 1
        }
        reset()
        return false
    }

    /// Adds bytes to the scanned value, up to the limit.
    private mutating func append(_ bytes: Span<UInt8>, of part: Part) {
        let limit = if case .element = part { largest } else { Self.longestScalar }
        guard !isTooLarge, element.count + bytes.count <= limit else {
            isTooLarge = true
            element = []
            return
        }
        unsafe bytes.withUnsafeBufferPointer { unsafe element.append(contentsOf: $0) }
    }

    private mutating func reset() {
        element.removeAll(keepingCapacity: element.capacity <= Self.maxReusedCapacity)
        isTooLarge = false
    }
}
