extension HD44780Model {
    /// Executes an instruction, selected by its highest set bit (table 6).
    mutating func execute(_ byte: UInt8) {
        switch byte {
        case 0x80...:
            address = Int(byte & 0x7F)
            isAddressingGlyphs = false
        case 0x40...:
            address = Int(byte & 0x3F)
            isAddressingGlyphs = true
        case 0x20...:
            isEightBit = byte & 0x10 != 0
            isTwoLine = byte & 0x08 != 0
            pending = nil
        case 0x10...:
            let isRight = byte & 0x04 != 0
            if byte & 0x08 != 0 { scroll(left: !isRight) } else { step(forward: isRight) }
        case 0x08...:
            isDisplayOn = byte & 0x04 != 0
            hasCursor = byte & 0x02 != 0
            isBlinking = byte & 0x01 != 0
        case 0x04...:
            isIncrementing = byte & 0x02 != 0
            isShifting = byte & 0x01 != 0
        case 0x02...:
            address = 0
            isAddressingGlyphs = false
            shift = 0
        case 0x01:
            memory = Array(repeating: 0x20, count: memory.count)
            address = 0
            isAddressingGlyphs = false
            isIncrementing = true
            shift = 0
        default:
            break
        }
    }

    /// Stores a byte at the address counter, and moves the counter.
    mutating func store(_ byte: UInt8) {
        if isAddressingGlyphs {
            glyphs[address & 0x3F] = byte & 0x1F
        } else {
            if let index = memoryIndex { memory[index] = byte }
            if isShifting { scroll(left: isIncrementing) }
        }
        step()
    }

    /// Moves the address counter according to the entry mode.
    mutating func step() {
        step(forward: isIncrementing)
    }

    private mutating func step(forward: Bool) {
        if isAddressingGlyphs {
            address = (address + (forward ? 1 : 0x3F)) & 0x3F
            return
        }
        let last = isTwoLine ? 0x67 : 0x4F
        switch (address, forward) {
        case (0x27, true) where isTwoLine: address = 0x40
        case (0x40, false) where isTwoLine: address = 0x27
        case (last, true): address = 0
        case (0, false): address = last
        default: address = (address + (forward ? 1 : 0x7F)) & 0x7F
        }
    }

    private mutating func scroll(left: Bool) {
        let length = isTwoLine ? 40 : 80
        shift = (shift + (left ? 1 : length - 1)) % length
    }

    /// The memory index of the address; nil for an address without a cell.
    private var memoryIndex: Int? {
        switch (isTwoLine, address) {
        case (true, 0x00...0x27): address
        case (true, 0x40...0x67): address - 0x40 + 40
        case (false, 0x00...0x4F): address
        default: nil
        }
    }
}
