import BoardCore

/// The colours of lines in TfL's colour standard (issue 10).
enum TfLColours {
    private static let lines = [
        "bakerloo": "B26300", "central": "DC241F", "circle": "FFC80A", "district": "007D32",
        "hammersmith-city": "F589A6", "jubilee": "838D93", "metropolitan": "9B0058", "northern": "000000",
        "piccadilly": "0019A8", "victoria": "039BE5", "waterloo-city": "76D0BD",
        "dlr": "00AFAD", "elizabeth": "60399E", "tram": "5FB526", "london-cable-car": "734FA0",
        "london-overground": "FA7B05", "liberty": "5D6061", "lioness": "FAA61A", "mildmay": "0077AD",
        "suffragette": "5BBD72", "weaver": "823A62", "windrush": "ED1B00",
    ]
    private static let buses = "DC241F"

    /// - Parameters:
    ///   - line: TfL's identifier of the line.
    ///   - mode: TfL's mode; nil if unknown.
    static func colour(of line: String, mode: String?) -> String? { lines[line] ?? (mode == "bus" ? buses : nil) }
}

extension TransitMode {
    /// Nil for the cable car, and for modes without departures.
    init?(tfl mode: String) {
        switch mode {
        case "bus": self = .bus
        case "tram": self = .tram
        case "tube", "dlr": self = .metro
        case "elizabeth-line", "overground": self = .train
        case "river-bus": self = .ferry
        default: return nil
        }
    }
}
