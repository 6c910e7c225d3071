/// Cuts JSON that comes in pieces of any size into the elements of one array, so that a list of any length needs no
/// more memory than its largest element.
///
/// The array is the outermost value, or a named one of the outermost object. The structure around the elements is checked
/// here; each element is left to ``JSONDocument``. What is larger or deeper than any element may be is counted and not kept.
struct JSONElementSplitter {
    private enum State {
        case opening, foreign, beforeKey, afterComma, afterKey, beforeValue, afterValue
        case beforeElement, afterElementComma, afterElement, end
        case inside(Part)
    }

    /// What a value is of which the scanner looks for the end.
    private enum Part {
        case key, value, element
    }

    /// The longest name or value of the outermost object that is kept; those that are of interest have 8 bytes.
    private static let longestScalar = 64
    /// How many of them are kept.
    private static let mostScalars = 32
    /// A buffer of this size is kept for the next element; TfL's usual ones have 1 to 60 kB.
    private static let keptCapacity = 262_144

    private let name: String
    private let largest: Int
    private let deepest: Int
    private var state = State.opening
    private var scanner: JSONValueScanner?
    private var key = ""
    private var hasArray = false
    private var isOutermost = false
    /// Whether what is scanned is larger than it may be.
    private var isTooLarge = false
    private var isHandedOver = false
    /// How much of a byte order mark has come.
    private var mark = 0
    /// Bytes that were read.
    private var received = 0

    /// The bytes of the element that ``next(in:from:)`` found, until it is called again.
    private(set) var element: [UInt8] = []
    /// Elements so far, whatever they were.
    private(set) var elements = 0
    /// Elements so far that were too large or too deep, and were not kept.
    private(set) var refused = 0
    /// Numbers, literals and short texts of the outermost object, as they are written.
    private(set) var scalars: [String: String] = [:]

    /// A splitter before the first byte.
    ///
    /// - Parameters:
    ///   - name: which array of the outermost object it is; an outermost array needs no name.
    ///   - largest: the most bytes of an element.
    ///   - deepest: the most brackets inside each other in an element.
    init(array name: String, largest: Int = 2_097_152, deepest: Int = JSONDocument.deepest) {
        self.name = name
        self.largest = largest
        self.deepest = deepest
    }

    /// A whole number of the outermost object, quoted or not; nil while it has not come.
    func integer(_ name: String) -> Int? {
        scalars[name].flatMap { Int($0.filter { $0 != "\"" }) }
    }

    /// Reads on to the end of the next element.
    ///
    /// - Parameters:
    ///   - chunk: the next bytes.
    ///   - position: where to read on in `chunk`; moved.
    /// - Returns: whether ``element`` holds an element; false: all of `chunk` was read.
    /// - Throws: ``JSONFault`` where the text is no JSON or of another shape; it cannot be read on.
    mutating func next(in chunk: Span<UInt8>, from position: inout Int) throws(JSONFault) -> Bool {
        if isHandedOver {
            isHandedOver = false
            forget()
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

    /// Says whether all that came is one whole text.
    ///
    /// - Throws: ``JSONFault`` where it is cut short, empty, or has no such array.
    func finish() throws(JSONFault) {
        switch state {
        case .end: if !hasArray { throw .unexpectedStructure }
        case .opening, .foreign: throw JSONFault(opening: element[...]) ?? .truncated(after: received)
        default: throw .truncated(after: received)
        }
    }

    /// Takes one byte of the structure; false: it is the first of a value and to be scanned.
    private mutating func step(_ byte: UInt8) throws(JSONFault) -> Bool {
        if case .opening = state { return try open(byte) }
        if case .foreign = state { return try quote(byte) }
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
            state = .foreign
            return false
        }
        return true
    }

    /// Collects the beginning of a text that is no JSON, until there is enough to say what it is.
    private mutating func quote(_ byte: UInt8) throws(JSONFault) -> Bool {
        element.append(byte)
        let isEnough = element.count >= JSONFault.quoted || byte == UInt8(ascii: "<") || byte == 0x1F
        if isEnough, let fault = JSONFault(opening: element[...]) { throw fault }
        return true
    }

    private mutating func begin(_ part: Part, with byte: UInt8) throws(JSONFault) -> Bool {
        scanner = JSONValueScanner(before: byte)
        guard scanner != nil else { throw .malformed(after: received) }
        state = .inside(part)
        return false
    }

    /// Looks for the end of a value; true: an element is whole.
    private mutating func scan(_ part: Part, _ chunk: Span<UInt8>, _ position: inout Int) -> Bool {
        let end = scanner?.end(in: chunk, from: position)
        keep(chunk.extracting(position..<(end ?? chunk.count)), of: part)
        received += (end ?? chunk.count) - position
        position = end ?? chunk.count
        guard end != nil else { return false }
        switch part {
        case .key:
            key = isTooLarge ? "" : String(decoding: element.dropFirst().dropLast(), as: UTF8.self)
            state = .afterKey
        case .value:
            // A structure is no scalar, whatever its size.
            let isScalar = scanner?.deepest == 0 && !isTooLarge && scalars.count < Self.mostScalars
            if isScalar { scalars[key] = String(decoding: element, as: UTF8.self) }
            state = .afterValue
        case .element:
            elements += 1
            state = .afterElement
            if !isTooLarge, let depth = scanner?.deepest, depth <= deepest {
                isHandedOver = true
                return true
            }
            refused += 1
        }
        forget()
        return false
    }

    /// Adds bytes to what is scanned, as long as it is not too large.
    private mutating func keep(_ bytes: Span<UInt8>, of part: Part) {
        let limit = if case .element = part { largest } else { Self.longestScalar }
        guard !isTooLarge, element.count + bytes.count <= limit else {
            isTooLarge = true
            element = []
            return
        }
        unsafe bytes.withUnsafeBufferPointer { unsafe element.append(contentsOf: $0) }
    }

    private mutating func forget() {
        element.removeAll(keepingCapacity: element.capacity <= Self.keptCapacity)
        isTooLarge = false
    }
}
