internal import BoardCore

// `[[button]]`.
extension BoardFile {
    /// The buttons: one with the defaults where the file has no `[[button]]`, none for `button = []`.
    static func readButtons(_ root: inout TableReader) -> [ButtonConfiguration] {
        guard let tables = root.tables("button", name: "button") else { return [ButtonConfiguration()] }
        var buttons: [ButtonConfiguration] = []
        var indices: [Contact: Int] = [:]
        for (index, table) in tables.enumerated() {
            var reader = table
            let button = readButton(&reader, isFirst: index == 0)
            reader.finish()
            guard let button else { continue }
            let contact = Contact(chip: button.wiring.chip, line: button.wiring.line)
            if let first = indices[contact] {
                reader.report(
                    at: reader.offset(of: "line") ?? reader.offset,
                    "line \(contact.line) is already used by button \(first + 1): each button needs its own line")
                continue
            }
            indices[contact] = index
            buttons.append(button)
        }
        return buttons
    }

    /// The GPIO line of a button.
    private struct Contact: Hashable {
        let chip: ButtonWiring.Chip
        let line: UInt32
    }

    private static func readButton(_ reader: inout TableReader, isFirst: Bool) -> ButtonConfiguration? {
        let wiring = ButtonWiring()
        let binding = isFirst ? ButtonBinding() : .second
        // More lines than any GPIO chip for buttons has.
        let lines = ValueKind<Int>.integer(0...1023).map { UInt32($0) }
        let chip = reader.value(
            "chip", ValueKind<String>.text.map(ButtonWiring.Chip.named).or("auto", .auto), default: wiring.chip)
        let line = isFirst ? reader.value("line", lines, default: wiring.line) : reader.required("line", lines)
        let pull = reader.value("pull", .choice(), default: wiring.pull)
        let bound = ButtonBinding(
            short: reader.value("short", .choice(), default: binding.short),
            hold: reader.value("hold", .choice(), default: binding.hold),
            longHold: reader.value("long_hold", .choice(), default: binding.longHold),
            double: reader.value("double", .choice(), default: binding.double))
        return line.map { ButtonConfiguration(wiring: ButtonWiring(chip: chip, line: $0, pull: pull), binding: bound) }
    }
}
