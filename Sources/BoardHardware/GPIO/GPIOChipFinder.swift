internal import BoardCore
internal import Glibc

/// Finds the GPIO chip of a button.
struct GPIOChipFinder {
    /// The labels of the header's chip: Pi 5, Pi 4, Pi 0 to 3.
    ///
    /// The chip's number does not identify it: on a Pi 5 it has been 4, 0 and 15, depending on the kernel.
    static let headerLabels = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]
    /// A line name of the header's chip, for future Pis.
    static let headerLineName = "GPIO17"

    private let library: any GPIOLibrary
    private let chips: [GPIOChip]

    init(_ library: any GPIOLibrary) {
        self.library = library
        chips = library.chips()
    }

    func chip(_ choice: ButtonWiring.Chip) throws(ButtonFault) -> GPIOChip {
        switch choice {
        case .auto: return try headerChip()
        case .named(let name) where name.hasPrefix("/"): return try chip(at: name)
        case .named(let label):
            guard let chip = chips.first(where: { $0.label == label }) else {
                throw fault("no GPIO chip with the label \"\(label)\"")
            }
            return chip
        }
    }

    private func headerChip() throws(ButtonFault) -> GPIOChip {
        for label in Self.headerLabels {
            if let chip = chips.first(where: { $0.label == label }) { return chip }
        }
        let named = chips.first { library.hasLine(named: Self.headerLineName, onChipAt: $0.path) }
        if let named { return named }
        let labels = Self.headerLabels.joined(separator: ", ")
        throw fault("no GPIO chip of a Raspberry Pi's header (\(labels), or one with a line \(Self.headerLineName))")
    }

    private func chip(at path: String) throws(ButtonFault) -> GPIOChip {
        let chip = library.chip(at: path)
        if case .failure(let error) = chip.identity {
            guard error.code != EACCES && error.code != EPERM else { throw .notPermitted(path) }
            throw fault("\(path) is not a GPIO chip (\(error))")
        }
        return chip
    }

    /// A fault with what was searched, what was found, and what to do.
    private func fault(_ sentence: String) -> ButtonFault {
        guard !chips.isEmpty else {
            return ButtonFault("\(sentence): this machine has no /dev/gpiochip*")
        }
        let denied = chips.first { chip in
            if case .failure(let error) = chip.identity { return error.code == EACCES || error.code == EPERM }
            return false
        }
        if let denied { return .notPermitted(denied.path) }
        let found = chips.map(\.description).joined(separator: ", ")
        return ButtonFault("\(sentence): found \(found); set chip in [[button]] to one of these labels or paths")
    }
}

extension ButtonFault {
    static func notPermitted(_ path: String) -> ButtonFault {
        ButtonFault(
            "\(path): permission denied: add the user that runs boardd to group gpio"
                + " (usermod -aG gpio USER), or run boardd as the installed service")
    }
}
