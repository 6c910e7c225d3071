/// LED modules with an HT16K33 each, which together are one panel.
public struct LEDModules: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// Four characters of 14 segments.
        case segments = "14-segment"
        /// A matrix of 16 columns and 8 rows.
        case wideMatrix = "16x8"
        /// A matrix of 8 columns and 8 rows.
        case matrix = "8x8"

        /// The columns of dots; nil for segments.
        public var dots: Int? {
            switch self {
            case .segments: nil
            case .wideMatrix: 16
            case .matrix: 8
            }
        }
    }

    /// The chip has three address pins.
    public static let addresses: ClosedRange<UInt8> = 0x70...0x77
    /// A row of a departure is not understandable in fewer columns, and no message fits.
    private static let fewestColumns = 16

    public let kind: Kind
    /// From left to right, then the next row.
    public let addresses: [UInt8]

    public init(kind: Kind = .segments, addresses: [UInt8] = []) {
        self.kind = kind
        self.addresses = addresses
    }

    /// The sizes of panels that the modules can be: in two rows or one, the larger number of rows first.
    public var sizes: [Panel.Size] {
        [2, 1].compactMap { rows in
            guard !addresses.isEmpty, addresses.count.isMultiple(of: rows) else { return nil }
            let columns = columns(modules: addresses.count / rows)
            return columns >= Self.fewestColumns ? Panel.Size(columns: columns, rows: rows) : nil
        }
    }

    /// The columns of text of modules side by side: with the wide font if that gives enough.
    public func columns(modules count: Int) -> Int {
        guard let dots = kind.dots else { return 4 * count }
        let wide = dots * count / PixelFont.cellWidth
        return wide >= Self.fewestColumns ? wide : dots * count / NarrowFont.cellWidth
    }
}
