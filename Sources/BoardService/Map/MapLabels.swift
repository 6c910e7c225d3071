internal import BoardCore

/// A rectangle of the picture.
struct MapRectangle {
    var left: Double
    var top: Double
    var width: Double
    var height: Double

    func overlaps(_ other: MapRectangle) -> Bool {
        left < other.left + other.width && other.left < left + width && top < other.top + other.height
            && other.top < top + height
    }

    func contains(_ other: MapRectangle) -> Bool {
        other.left >= left && other.left + other.width <= left + width && other.top >= top
            && other.top + other.height <= top + height
    }
}

/// The places of names on a map: beside their stops, where they cover nothing.
struct MapLabels {
    struct Position {
        /// The start of the text and its baseline.
        let origin: MapPoint
        /// The SVG value of `text-anchor`.
        let anchor: String
    }

    /// Two stops with one name share the label within this distance in pixels.
    private static let sharedWithin = 120.0

    private let picture: MapRectangle
    private var taken: [MapRectangle] = []
    private var names: [String: [MapPoint]] = [:]

    init(_ size: MapRequest.Size) {
        picture = MapRectangle(left: 0, top: 0, width: Double(size.width), height: Double(size.height))
    }

    /// The estimated width of a text in a sans-serif font, in pixels: rather too wide than too narrow.
    static func width(of text: String, size: Double) -> Double {
        text.unicodeScalars.reduce(0) { width, scalar in
            switch scalar {
            case "i", "j", "l", "t", "f", "r", "I", ".", ",", ":", ";", "'", "|", "!", "(", ")", " ":
                width + 0.38 * size
            case "m", "w", "M", "W", "@", "%", "…": width + 0.95 * size
            case _ where scalar.value >= 0x1100: width + 1.05 * size
            case _ where scalar.properties.generalCategory == .nonspacingMark: width
            case _ where scalar.properties.isUppercase: width + 0.72 * size
            default: width + 0.6 * size
            }
        }
    }

    /// Takes a part of the picture, which no label covers then.
    mutating func reserve(_ rectangle: MapRectangle) { taken.append(rectangle) }

    /// Takes a part of the picture; false where something else has it, or a part of it.
    mutating func take(_ area: MapRectangle) -> Bool {
        guard picture.contains(area), !taken.contains(where: area.overlaps) else { return false }
        taken.append(area)
        return true
    }

    /// Finds a position for a label and takes it; nil where it fits nowhere, or a stop nearby has the same.
    ///
    /// - Parameter clearance: the distance from the point to the end of its drawing.
    mutating func place(_ label: String, size: Double, at point: MapPoint, clearance: Double) -> Position? {
        let near = names[label, default: []].contains { other in
            abs(other.x - point.x) < Self.sharedWithin && abs(other.y - point.y) < Self.sharedWithin
        }
        guard !label.isEmpty, !near else { return nil }
        let width = Self.width(of: label, size: size)
        // The left end, the baseline, and where the text is anchored, in order of preference.
        let choices: [(x: Double, left: Double, baseline: Double, anchor: String)] = [
            (point.x + clearance, point.x + clearance, point.y + size * 0.35, "start"),
            (point.x - clearance, point.x - clearance - width, point.y + size * 0.35, "end"),
            (point.x, point.x - width / 2, point.y + clearance + size * 0.8, "middle"),
            (point.x, point.x - width / 2, point.y - clearance - size * 0.2, "middle"),
        ]
        for choice in choices {
            let area = MapRectangle(left: choice.left, top: choice.baseline - size, width: width, height: size * 1.25)
            guard take(area) else { continue }
            names[label, default: []].append(point)
            return Position(origin: MapPoint(x: choice.x, y: choice.baseline), anchor: choice.anchor)
        }
        return nil
    }
}
