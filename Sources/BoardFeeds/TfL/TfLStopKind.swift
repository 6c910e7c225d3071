internal import BoardCore

extension ListedStop.Kind {
    /// The kind for a `stopType` of TfL; nil for entrances, access areas, platforms of a station, taxi ranks and others, which
    /// have no departures. The values are those of `/StopPoint/Meta/StopTypes`, after NaPTAN's schema.
    init?(tflStopType type: String) {
        switch type {
        case "NaptanPublicBusCoachTram", "NaptanMarkedPoint", "NaptanUnmarkedPoint", "NaptanHailAndRideSection",
            "NaptanCoachBay", "NaptanCoachVariableBay", "NaptanFerryBerth":
            self = .pole
        case "NaptanMetroStation", "NaptanRailStation", "NaptanBusCoachStation", "NaptanFerryPort",
            "NaptanLiftCableCarStop", "NaptanLiftCableCarStopArea":
            self = .station
        case "NaptanOnstreetBusCoachStopPair", "NaptanOnstreetBusCoachStopCluster":
            self = .area
        case "TransportInterchange":
            self = .interchange
        default:
            return nil
        }
    }
}
